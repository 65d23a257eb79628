/// The handles and values of the attributes that have the type asked for, in ascending order of handle
/// (Core Specification, Vol 3, Part F, 3.4.4.2).
///
///     09 │ length │ handle (2) │ value (length − 2) │ handle (2) │ value (length − 2) │ …
///
/// All entries of one response have the same length: attributes whose values have
/// another length come in another response. A value is cut to ATT_MTU − 4 and to 253 octets.
@frozen
public struct ReadByTypeResponse: Response, ~Escapable {
    /// 0x09.
    @inlinable public static var opcode: Opcode { .readByTypeResponse }

    /// The attributes and their values: one or more.
    public var entries: Entries

    /// How many octets each entry takes, handle included: 2–255.
    @inlinable public var entryLength: Int { entries.entryLength }

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy entries)
    public init(entries: Entries) { self.entries = entries }

    /// Parses a whole PDU.
    /// - Throws: `invalidLength` at offset 1 when the length of an entry is below 2; `truncated` when there is no
    ///   entry; `invalidLength` when the last entry is cut short, at its offset.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 2)
        // In bounds: the PDU has at least two octets.
        entries = try Entries(entryLength: unsafe Int(pdu.octet(at: 1)), octets: unsafe pdu.octets(from: 2))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 2 &+ entries.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, octet: UInt8(truncatingIfNeeded: entryLength), entries.octets)
    }

    /// Begins a response that a server composes entry by entry: appends the opcode and the length of an entry.
    /// - Parameters:
    ///   - entryLength: how many octets each entry will take, handle included: 2–255.
    ///   - output: where to append.
    /// - Throws: `noRoom`; `tooLong` above 255; `invalidValue` below 2.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(entryLength: Int, into output: inout OutputRawSpan) throws(EncodeError) {
        guard entryLength >= 2 else { throw .invalidValue }
        guard let length = UInt8(exactly: entryLength) else { throw .tooLong(length: entryLength, maximum: 255) }
        try output.append(opcode, octet: length)
    }

    /// Appends the next entry, or nothing when it throws.
    /// - Parameters:
    ///   - handle: the attribute.
    ///   - value: the value, cut by the caller to the entry length given to `begin` less 2.
    ///   - output: where to append.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func append(
        handle: AttributeHandle, value: RawSpan, into output: inout OutputRawSpan
    ) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe output.append(2 &+ value.byteCount) { octets in
            unsafe octets.store(handle.rawValue, at: 0)
            unsafe octets.store(value, at: 2)
        }
    }
}

extension ReadByTypeResponse {
    /// One entry of the response.
    @frozen
    public struct Entry: ~Escapable {
        /// The attribute.
        public let handle: AttributeHandle
        /// Its value, or the beginning of it.
        public let value: RawSpan

        @inlinable
        @inline(__always)
        @_lifetime(copy value)
        init(handle: AttributeHandle, value: RawSpan) {
            self.handle = handle
            self.value = value
        }
    }

    /// The entries of the response, decoded one at a time.
    @frozen
    public struct Entries: ~Escapable {
        /// How many octets each entry takes: 2–255.
        public let entryLength: Int
        /// The entries as sent.
        public let octets: RawSpan

        /// The entries in `octets`, of `entryLength` octets each.
        /// - Throws: `invalidLength` at 1 when `entryLength` is not 2–255; `truncated` when there is no entry;
        ///   `invalidLength` when the last one is cut short. Offsets count from the opcode of the response.
        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        public init(entryLength: Int, octets: RawSpan) throws(MalformedError) {
            guard entryLength >= 2, entryLength <= 255 else { throw MalformedError(.invalidLength, at: 1) }
            try octets.checkEntries(of: entryLength, at: 2)
            self.entryLength = entryLength
            self.octets = octets
        }

        /// How many entries there are, at least 1.
        @inlinable
        public var count: Int { octets.byteCount / entryLength }

        /// The entries, from the first.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public func makeIterator() -> Iterator { Iterator(entryLength, octets) }
    }

    /// Decodes the entries one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let entryLength: Int
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ entryLength: Int, _ octets: RawSpan) {
            self.entryLength = entryLength
            self.octets = octets
        }

        /// The next entry; `nil` after the last.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public mutating func next() -> Entry? {
            guard offset < octets.byteCount else { return nil }
            // In bounds: the octets are a whole number of entries of at least 2 octets, so that a whole one is left.
            let entry = unsafe Entry(
                handle: octets.handle(at: offset),
                value: octets.octets(from: offset &+ 2, count: entryLength &- 2))
            offset &+= entryLength
            return entry
        }
    }
}
