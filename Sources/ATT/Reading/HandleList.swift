/// The attribute handles of a Read Multiple request, decoded one at a time.
///
/// A list borrows its handles: from a PDU, or from a `Span<AttributeHandle>` of the caller.
@frozen
public struct HandleList: ~Escapable {
    /// The handles as sent: two octets each, least significant octet first.
    public let octets: RawSpan

    /// The handles in `octets`, two octets each; an odd octet at the end is no handle.
    @inlinable
    @inline(__always)
    @_lifetime(copy octets)
    init(octets: RawSpan) { self.octets = octets }

    #if _endian(little)
        /// The handles of a span.
        @inlinable
        @_lifetime(copy handles)
        public init(_ handles: Span<AttributeHandle>) {
            // In memory a handle is two octets, least significant octet first, which is how it is sent.
            octets = unsafe handles.bytes
        }
    #else
        #error("a span of handles can stand for the octets of a PDU on little-endian machines only")
    #endif

    /// How many handles there are.
    @inlinable
    public var count: Int { octets.byteCount >> 1 }

    /// The handles, from the first.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func makeIterator() -> Iterator { Iterator(octets) }

    /// Decodes the handles one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ octets: RawSpan) { self.octets = octets }

        /// The next handle; `nil` after the last.
        @inlinable
        @inline(__always)
        public mutating func next() -> AttributeHandle? {
            guard octets.byteCount &- offset >= 2 else { return nil }
            // In bounds: two octets are left.
            let handle = unsafe octets.handle(at: offset)
            offset &+= 2
            return handle
        }
    }
}

extension RawSpan {
    /// The handles after `opcode`, which are at least two and whole.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    func handles(after opcode: Opcode) throws(MalformedError) -> HandleList {
        try check(opcode, atLeast: 5, fields: 0b1010)
        guard byteCount & 1 == 1 else { throw MalformedError(.invalidLength, at: byteCount &- 1) }
        // In bounds: there are at least 5 octets.
        return HandleList(octets: unsafe octets(from: 1))
    }
}
