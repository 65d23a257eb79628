/// The values of several attributes, sent unasked and never answered; only to clients that said they support it
/// (Core Specification, Vol 3, Part F, 3.4.7.4).
///
///     23 │ handle (2) │ length (2) │ value │ handle (2) │ length (2) │ value │ …
///
/// A server sends whole tuples. A list whose last tuple is cut short still gives the tuples before it;
/// `Tuples.malformation` and `Iterator.malformation` say that, and where, it broke off.
@frozen
public struct MultipleHandleValueNotification: Notification, ~Escapable {
    /// 0x23.
    @inlinable public static var opcode: Opcode { .multipleHandleValueNotification }

    /// The attributes and their values.
    public var tuples: Tuples

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy tuples)
    public init(tuples: Tuples) { self.tuples = tuples }

    /// Parses a whole PDU.
    /// - Throws: `truncated` when not even the handle and length of the first tuple are whole.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 5, fields: 0b1010)
        // In bounds: the PDU has at least five octets.
        tuples = Tuples(octets: unsafe pdu.octets(from: 1))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 &+ tuples.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, tuples.octets)
    }

    /// Begins a notification that a server composes tuple by tuple: appends the opcode.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(opcode, RawSpan())
    }

    /// Appends the next tuple, or nothing when it throws.
    /// - Throws: `noRoom` when it does not fit whole; `tooLong` when the value has more than 65535 octets.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func append(
        handle: AttributeHandle, value: RawSpan, into output: inout OutputRawSpan
    ) throws(EncodeError) {
        guard let length = UInt16(exactly: value.byteCount) else {
            throw .tooLong(length: value.byteCount, maximum: 0xFFFF)
        }
        // In bounds: the stores fill the octets asked for.
        try unsafe output.append(4 &+ value.byteCount) { octets in
            unsafe octets.store(handle.rawValue, at: 0)
            unsafe octets.store(length, at: 2)
            unsafe octets.store(value, at: 4)
        }
    }
}

extension MultipleHandleValueNotification {
    /// One attribute and its value.
    @frozen
    public struct Tuple: ~Escapable {
        /// The attribute.
        public let handle: AttributeHandle
        /// Its value.
        public let value: RawSpan

        @inlinable
        @inline(__always)
        @_lifetime(copy value)
        init(handle: AttributeHandle, value: RawSpan) {
            self.handle = handle
            self.value = value
        }
    }

    /// The tuples of the notification, decoded one at a time.
    @frozen
    public struct Tuples: ~Escapable {
        /// The tuples as sent.
        public let octets: RawSpan

        /// The tuples in `octets`.
        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        public init(octets: RawSpan) { self.octets = octets }

        /// How many whole tuples there are; walks through all of them.
        @inlinable
        public var count: Int {
            var count = 0
            var iterator = makeIterator()
            while iterator.next() != nil { count &+= 1 }
            return count
        }

        /// What is wrong with the last tuple; `nil` when all are whole. Walks through all of them.
        @inlinable
        public var malformation: MalformedError? {
            var iterator = makeIterator()
            while iterator.next() != nil {}
            return iterator.malformation
        }

        /// The tuples, from the first.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public func makeIterator() -> Iterator { Iterator(octets) }
    }

    /// Decodes the tuples one after the other.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @inlinable
        @inline(__always)
        @_lifetime(copy octets)
        init(_ octets: RawSpan) { self.octets = octets }

        /// The next whole tuple; `nil` after the last one, and at a tuple that is cut short.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public mutating func next() -> Tuple? {
            let left = octets.byteCount &- offset
            guard left >= 4 else { return nil }
            // In bounds: four octets are left, and then as many as the value has.
            let handle = unsafe octets.handle(at: offset)
            let length = unsafe Int(octets.uint16(at: offset &+ 2))
            guard left &- 4 >= length else { return nil }
            let value = unsafe octets.octets(from: offset &+ 4, count: length)
            offset &+= 4 &+ length
            return Tuple(handle: handle, value: value)
        }

        /// After `next()` returned `nil`: `truncated` at the offset, from the opcode, of the tuple that is cut short;
        /// `nil` when the last tuple was whole.
        @inlinable
        public var malformation: MalformedError? {
            offset == octets.byteCount ? nil : MalformedError(.truncated, at: offset &+ 1)
        }
    }
}
