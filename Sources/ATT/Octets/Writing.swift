// How the encoders write. A PDU's room is checked once, before its first octet, so that an encoder that throws has
// appended nothing; the octets are then stored without further checks.

extension OutputRawSpan {
    /// Appends `count` octets that `fill` stores through a pointer to the first of them.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) throws(EncodeError) {
        try require(count)
        unsafe withUnsafeMutableBytes { buffer, initialized in
            // Not nil and in bounds: at least `count`, which is never 0, octets are free.
            unsafe fill(buffer.baseAddress.unsafelyUnwrapped + initialized)
            initialized &+= count
        }
    }

    /// Appends an opcode and a value.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ opcode: Opcode, _ value: RawSpan) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe append(1 &+ value.byteCount) { octets in
            unsafe octets.store(opcode.rawValue, at: 0)
            unsafe octets.store(value, at: 1)
        }
    }

    /// Appends an opcode, one octet and a value.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ opcode: Opcode, octet: UInt8, _ value: RawSpan = RawSpan()) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe append(2 &+ value.byteCount) { octets in
            unsafe octets.store(opcode.rawValue, at: 0)
            unsafe octets.store(octet, at: 1)
            unsafe octets.store(value, at: 2)
        }
    }

    /// Appends an opcode, a 16-bit number and a value.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ opcode: Opcode, _ first: UInt16, _ value: RawSpan = RawSpan()) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe append(3 &+ value.byteCount) { octets in
            unsafe octets.store(opcode.rawValue, at: 0)
            unsafe octets.store(first, at: 1)
            unsafe octets.store(value, at: 3)
        }
    }

    /// Appends an opcode, two 16-bit numbers and a value.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(
        _ opcode: Opcode, _ first: UInt16, _ second: UInt16, _ value: RawSpan = RawSpan()
    ) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe append(5 &+ value.byteCount) { octets in
            unsafe octets.store(opcode.rawValue, at: 0)
            unsafe octets.store(first, at: 1)
            unsafe octets.store(second, at: 3)
            unsafe octets.store(value, at: 5)
        }
    }

    /// Appends an opcode, two 16-bit numbers and an attribute type of 2 or 16 octets.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(
        _ opcode: Opcode, _ first: UInt16, _ second: UInt16, type: BluetoothUUID
    ) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe append(5 &+ type.attributeTypeByteCount) { octets in
            unsafe octets.store(opcode.rawValue, at: 0)
            unsafe octets.store(first, at: 1)
            unsafe octets.store(second, at: 3)
            if type.width == .bits16 {
                unsafe octets.store(UInt16(truncatingIfNeeded: type.high >> 32), at: 5)
            } else {
                unsafe octets.store(type.low, at: 5)
                unsafe octets.store(type.high, at: 13)
            }
        }
    }

    /// Appends as many of `octets` as fit.
    /// - Returns: whether all of them did.
    @inlinable
    @_lifetime(self: copy self)
    mutating func appendCut(_ octets: RawSpan) -> Bool {
        guard octets.byteCount > freeCapacity else {
            append(octets: octets)
            return true
        }
        append(octets: octets.extracting(first: freeCapacity))
        return false
    }
}

extension UnsafeMutableRawPointer {
    /// Stores a number, least significant octet first; its octets are in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        unsafe storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Copies `value`; its octets are in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func store(_ value: RawSpan, at offset: Int) {
        unsafe value.withUnsafeBytes { source in
            guard let from = source.baseAddress else { return }
            unsafe (self + offset).copyMemory(from: from, byteCount: source.count)
        }
    }
}

extension BluetoothUUID {
    /// How many octets the UUID takes as an attribute type: the Attribute Protocol knows no 32-bit form, which is
    /// written in 128 bits (Core Specification, Vol 3, Part F, 3.2.1).
    @inlinable
    @inline(__always)
    var attributeTypeByteCount: Int { width == .bits16 ? 2 : 16 }
}
