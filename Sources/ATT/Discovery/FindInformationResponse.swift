/// The handles and types of attributes, in ascending order of handle (Core Specification, Vol 3, Part F, 3.4.3.2).
///
///     05 │ format │ handle (2) │ UUID (2 or 16) │ handle (2) │ UUID (2 or 16) │ …
///
/// All UUIDs of one response have the same width.
@frozen
public struct FindInformationResponse: Response, ~Escapable {
    /// The width of the UUIDs in a response. Other formats are reserved, and their layout with them, so that a
    /// response of another format is malformed.
    @frozen
    public enum Format: UInt8, Sendable {
        /// 16-bit UUIDs: entries of 4 octets.
        case uuid16 = 0x01
        /// 128-bit UUIDs: entries of 18 octets.
        case uuid128 = 0x02

        /// How many octets a handle and a UUID take.
        @inlinable public var entryByteCount: Int { self == .uuid16 ? 4 : 18 }
    }

    /// 0x05.
    @inlinable public static var opcode: Opcode { .findInformationResponse }

    /// The handles and types: one or more.
    public var entries: Entries

    /// The width of the UUIDs.
    @inlinable public var format: Format { entries.format }

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy entries)
    public init(entries: Entries) { self.entries = entries }

    /// Parses a whole PDU.
    /// - Throws: `invalidValue` at offset 1 for another format; `truncated` when there is no entry; `invalidLength`
    ///   when the last entry is cut short, at its offset.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 2)
        // In bounds: the PDU has at least two octets.
        guard let format = unsafe Format(rawValue: pdu.octet(at: 1)) else { throw MalformedError(.invalidValue, at: 1) }
        entries = try Entries(format: format, octets: unsafe pdu.octets(from: 2))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 2 &+ entries.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, octet: format.rawValue, entries.octets)
    }

    /// Begins a response that a server composes entry by entry: appends the opcode and the format.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(format: Format, into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(opcode, octet: format.rawValue)
    }

    /// Appends the next entry, or nothing when it throws.
    /// - Throws: `noRoom`; `invalidValue` when the UUID has no 16-bit form and the format asks for it.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func append(
        handle: AttributeHandle, uuid: BluetoothUUID, format: Format, into output: inout OutputRawSpan
    ) throws(EncodeError) {
        switch format {
        case .uuid16:
            guard let uuid = uuid.uint16 else { throw .invalidValue }
            // In bounds: the stores fill the octets asked for.
            try unsafe output.append(4) { octets in
                unsafe octets.store(handle.rawValue, at: 0)
                unsafe octets.store(uuid, at: 2)
            }
        case .uuid128:
            // In bounds: the stores fill the octets asked for.
            try unsafe output.append(18) { octets in
                unsafe octets.store(handle.rawValue, at: 0)
                unsafe octets.store(uuid.low, at: 2)
                unsafe octets.store(uuid.high, at: 10)
            }
        }
    }
}

extension FindInformationResponse {
    /// An attribute and its type.
    @frozen
    public struct Entry: Hashable, Sendable {
        /// The attribute.
        public let handle: AttributeHandle
        /// Its type.
        public let uuid: BluetoothUUID

        /// An entry with these fields.
        @inlinable
        @inline(__always)
        public init(handle: AttributeHandle, uuid: BluetoothUUID) {
            self.handle = handle
            self.uuid = uuid
        }
    }

    /// The entries of the response, decoded one at a time.
    @frozen
    public struct Entries: ~Escapable {
        /// The width of the UUIDs.
        public let format: Format
        /// The entries as sent.
        public let octets: RawSpan

        /// The entries in `octets`.
        /// - Throws: `truncated` when there is none; `invalidLength` when the last one is cut short. Offsets count from
        ///   the opcode of the response.
        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        public init(format: Format, octets: RawSpan) throws(MalformedError) {
            try octets.checkEntries(of: format.entryByteCount, at: 2)
            self.format = format
            self.octets = octets
        }

        /// How many entries there are, at least 1.
        @inlinable
        public var count: Int { format == .uuid16 ? octets.byteCount / 4 : octets.byteCount / 18 }

        /// The entries, from the first.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public func makeIterator() -> Iterator { Iterator(format, octets) }
    }

    /// Decodes the entries one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        /// Where entries with 16-bit UUIDs end; 0 when there are none. With it one comparison tells of both.
        @usableFromInline let end16: Int
        /// How many octets an entry takes.
        @usableFromInline let size: Int
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ format: Format, _ octets: RawSpan) {
            end16 = format == .uuid16 ? octets.byteCount : 0
            size = format.entryByteCount
            self.octets = octets
        }

        /// The next entry; `nil` after the last.
        @inlinable
        @inline(__always)
        public mutating func next() -> Entry? {
            // In bounds: the octets are a whole number of entries of their format, so that a whole one is left.
            let start = offset
            if start < end16 {
                offset = start &+ size
                return unsafe Entry(
                    handle: octets.handle(at: start), uuid: BluetoothUUID(octets.uint16(at: start &+ 2)))
            }
            guard start < octets.byteCount else { return nil }
            offset = start &+ size
            return unsafe Entry(handle: octets.handle(at: start), uuid: octets.uuid128(at: start &+ 2))
        }
    }
}
