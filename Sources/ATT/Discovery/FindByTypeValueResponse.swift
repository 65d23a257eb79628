/// The attributes that have the type and value asked for, and where the group that each begins ends
/// (Core Specification, Vol 3, Part F, 3.4.3.4).
///
///     07 │ found (2) │ group end (2) │ found (2) │ group end (2) │ …
@frozen
public struct FindByTypeValueResponse: Response, ~Escapable {
    /// 0x07.
    @inlinable public static var opcode: Opcode { .findByTypeValueResponse }

    /// The attributes found: one or more.
    public var entries: Entries

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy entries)
    public init(entries: Entries) { self.entries = entries }

    /// Parses a whole PDU.
    /// - Throws: `truncated` when there is no entry; `invalidLength` when the last one is cut short, at its offset.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 1)
        // In bounds: the PDU has at least one octet.
        entries = try Entries(octets: unsafe pdu.octets(from: 1))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 &+ entries.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, entries.octets)
    }

    /// Begins a response that a server composes entry by entry: appends the opcode.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(opcode, RawSpan())
    }

    /// Appends the next entry, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func append(
        found: AttributeHandle, groupEnd: AttributeHandle, into output: inout OutputRawSpan
    ) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe output.append(4) { octets in
            unsafe octets.store(found.rawValue, at: 0)
            unsafe octets.store(groupEnd.rawValue, at: 2)
        }
    }
}

extension FindByTypeValueResponse {
    /// An attribute and the end of the group that it begins.
    @frozen
    public struct Entry: Hashable, Sendable {
        /// The attribute.
        public let found: AttributeHandle
        /// The last handle of its group; `found` itself when it begins none, 0xFFFF when nothing follows.
        public let groupEnd: AttributeHandle

        /// An entry with these fields.
        @inlinable
        @inline(__always)
        public init(found: AttributeHandle, groupEnd: AttributeHandle) {
            self.found = found
            self.groupEnd = groupEnd
        }
    }

    /// The entries of the response, decoded one at a time.
    @frozen
    public struct Entries: ~Escapable {
        /// The entries as sent.
        public let octets: RawSpan

        /// The entries in `octets`.
        /// - Throws: `truncated` when there is none; `invalidLength` when the last one is cut short. Offsets count from
        ///   the opcode of the response.
        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        public init(octets: RawSpan) throws(MalformedError) {
            try octets.checkEntries(of: 4, at: 1)
            self.octets = octets
        }

        /// How many entries there are, at least 1.
        @inlinable
        public var count: Int { octets.byteCount / 4 }

        /// The entries, from the first.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public func makeIterator() -> Iterator { Iterator(octets) }
    }

    /// Decodes the entries one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ octets: RawSpan) { self.octets = octets }

        /// The next entry; `nil` after the last.
        @inlinable
        @inline(__always)
        public mutating func next() -> Entry? {
            guard octets.byteCount &- offset >= 4 else { return nil }
            // In bounds: a whole entry is left.
            let entry = unsafe Entry(found: octets.handle(at: offset), groupEnd: octets.handle(at: offset &+ 2))
            offset &+= 4
            return entry
        }
    }
}
