/// The values of several attributes, each after its length (Core Specification, Vol 3, Part F, 3.4.4.12).
///
///     21 │ length (2) │ value │ length (2) │ value │ …
///
/// A server cuts the list to ATT_MTU − 1 octets, wherever that falls: the last value, or its length, may be cut short.
@frozen
public struct ReadMultipleVariableResponse: Response, ~Escapable {
    /// 0x21.
    @inlinable public static var opcode: Opcode { .readMultipleVariableResponse }

    /// The values, in the order of the request.
    public var values: Values

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy values)
    public init(values: Values) { self.values = values }

    /// Parses a whole PDU.
    /// - Throws: `truncated` when not even the first length is whole.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 3)
        // In bounds: the PDU has at least three octets.
        values = Values(octets: unsafe pdu.octets(from: 1))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 &+ values.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, values.octets)
    }

    /// Begins a response that a server composes value by value: appends the opcode.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(opcode, RawSpan())
    }

    /// Appends the next value after its length, cut short where `output`, of ATT_MTU octets, ends.
    /// - Returns: whether all of it fitted; when not, the response is complete.
    /// - Throws: `tooLong` when the value has more than 65535 octets.
    @inlinable
    @discardableResult
    @_lifetime(output: copy output)
    public static func append(value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError) -> Bool {
        guard let length = UInt16(exactly: value.byteCount) else {
            throw .tooLong(length: value.byteCount, maximum: 0xFFFF)
        }
        guard output.freeCapacity >= 2 else {
            if output.freeCapacity == 1 { output.append(UInt8(truncatingIfNeeded: length)) }
            return false
        }
        output.append(littleEndian: length)
        return output.appendCut(value)
    }
}

extension ReadMultipleVariableResponse {
    /// One value of the response.
    @frozen
    public struct Value: ~Escapable {
        /// The length of the attribute's value, as the server gives it.
        public let length: Int
        /// The value; only its beginning when it was cut short.
        public let value: RawSpan

        @inlinable
        @inline(__always)
        @_lifetime(copy value)
        init(length: Int, value: RawSpan) {
            self.length = length
            self.value = value
        }

        /// Whether octets of the value are missing, because the response was full.
        @inlinable
        public var isCutShort: Bool { value.byteCount < length }
    }

    /// The values of the response, decoded one at a time.
    @frozen
    public struct Values: ~Escapable {
        /// The values as sent, each after its length.
        public let octets: RawSpan

        /// The values in `octets`, each after its length.
        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        public init(octets: RawSpan) { self.octets = octets }

        /// How many values there are, one that is cut short included; walks through all of them.
        @inlinable
        public var count: Int {
            var count = 0
            var iterator = makeIterator()
            while iterator.next() != nil { count &+= 1 }
            return count
        }

        /// The values, from the first.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public func makeIterator() -> Iterator { Iterator(octets) }
    }

    /// Decodes the values one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ octets: RawSpan) { self.octets = octets }

        /// The next value; `nil` after the last one, and when only half a length is left.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public mutating func next() -> Value? {
            guard octets.byteCount &- offset >= 2 else { return nil }
            // In bounds: two octets are left, and no more than what is left after them is taken.
            let length = unsafe Int(octets.uint16(at: offset))
            let count = min(length, octets.byteCount &- offset &- 2)
            let value = unsafe octets.octets(from: offset &+ 2, count: count)
            offset &+= 2 &+ count
            return Value(length: length, value: value)
        }
    }
}
