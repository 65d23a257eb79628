/// A connection ended (Core Specification, Vol 4, Part E, 7.7.5).
@frozen
public struct DisconnectionComplete: Hashable, Sendable {
    /// Success when the connection ended; else it did not, and stays.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// Why it ended.
    public let reason: StatusCode

    /// Reads the parameters of the event.
    @inlinable
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        reason = StatusCode(rawValue: try reader.uint8())
    }
}

/// A link's encryption was switched, or could not be (Core Specification, Vol 4, Part E, 7.7.8).
@frozen
public struct EncryptionChange: Hashable, Sendable {
    /// Success when `isEncrypted` now holds; `pinOrKeyMissing` when the peer has lost its key.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// Encryption_Enabled: 0x00 off, 0x01 AES-CCM on an LE link.
    public let mode: UInt8
    /// The size of the key in octets; `nil` in the first version of the event.
    public let keySize: UInt8?

    /// Whether the link is encrypted: never when the event says that something failed.
    @inlinable
    public var isEncrypted: Bool { status.isSuccess && mode != 0 }

    /// Reads the parameters of the event.
    /// - Parameter version: 1 for code 0x08, 2 for code 0x59, which adds the key size.
    @inlinable
    public init(parsing parameters: RawSpan, version: Int) throws(MalformedError) {
        var reader = OctetReader(parameters)
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        mode = try reader.uint8()
        keySize = version < 2 ? nil : try reader.uint8()
    }
}

/// A link's key was replaced (Core Specification, Vol 4, Part E, 7.7.39).
@frozen
public struct EncryptionKeyRefreshComplete: Hashable, Sendable {
    /// Whether it was.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle

    /// Reads the parameters of the event.
    @inlinable
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
    }
}

/// The version of a peer's controller (Core Specification, Vol 4, Part E, 7.7.12).
@frozen
public struct ReadRemoteVersionInformationComplete: Hashable, Sendable {
    /// Whether the rest holds.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// The version of the specification, as a number of the assigned numbers: 0x0C is 5.3.
    public let version: UInt8
    /// The company that made the controller.
    public let company: UInt16
    /// The company's own revision number.
    public let subversion: UInt16

    /// Reads the parameters of the event.
    @inlinable
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        version = try reader.uint8()
        company = try reader.uint16()
        subversion = try reader.uint16()
    }
}

/// Buffers became free (Core Specification, Vol 4, Part E, 7.7.19).
///
/// A lazy list. Its entries come one after the other, handle and count, whatever the way the specification prints the
/// arrays. Entries that the packet is too short for are left out and told by `isTruncated`.
@frozen
public struct NumberOfCompletedPackets: ~Escapable {
    /// How many entries the event declares.
    public let declaredCount: Int
    @usableFromInline var reader: OctetReader
    @usableFromInline var read = 0

    /// One entry.
    @frozen
    public struct Entry: Hashable, Sendable {
        /// The connection.
        public let handle: ConnectionHandle
        /// How many packets of it were sent or thrown away since the last event; may be 0.
        public let count: Int

        @inlinable
        init(handle: ConnectionHandle, count: Int) {
            self.handle = handle
            self.count = count
        }
    }

    /// Reads the parameters of the event.
    @inlinable
    @_lifetime(copy parameters)
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        reader = OctetReader(parameters)
        declaredCount = Int(try reader.uint8())
    }

    /// The next entry, or `nil` when there are no more.
    @inlinable
    public mutating func next() -> Entry? {
        guard read < declaredCount, reader.remaining >= 4 else { return nil }
        guard let handle = try? reader.uint16(), let count = try? reader.uint16() else { return nil }
        read &+= 1
        return Entry(handle: ConnectionHandle(rawValue: handle), count: Int(count))
    }

    /// Whether fewer entries are there than the event declares; holds for a list nothing was read from.
    @inlinable
    public var isTruncated: Bool { reader.remaining / 4 < declaredCount &- read }
}
