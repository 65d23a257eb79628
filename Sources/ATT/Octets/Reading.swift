// How the parsers read. The fixed fields of a PDU are checked once, by length and opcode together; what follows reads
// without further checks. The error is worked out in a function of its own, off the path of well-formed PDUs.

extension RawSpan {
    /// Checks that the octets begin with `opcode` and hold at least `size` octets.
    /// - Parameter fields: a bit for every offset at which a fixed field starts, for the error's offset.
    @inlinable
    @inline(__always)
    func check(_ opcode: Opcode, atLeast size: Int, fields: UInt32 = 0b10) throws(MalformedError) {
        // In bounds: `size` is at least 1.
        guard byteCount >= size, unsafe octet(at: 0) == opcode.rawValue else {
            throw headerError(self, opcode, size: size, fields: fields)
        }
    }

    /// Checks that the octets begin with `opcode` and are exactly `size` octets.
    /// - Parameter fields: a bit for every offset at which a fixed field starts, for the error's offset.
    @inlinable
    @inline(__always)
    func check(_ opcode: Opcode, exactly size: Int, fields: UInt32 = 0b10) throws(MalformedError) {
        // In bounds: `size` is at least 1.
        guard byteCount == size, unsafe octet(at: 0) == opcode.rawValue else {
            throw headerError(self, opcode, size: size, fields: fields)
        }
    }

    /// The octet at `offset`, which the caller has found to be in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func octet(at offset: Int) -> UInt8 {
        unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// The 16-bit number at `offset`; the caller has found both octets to be in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func uint16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    /// The 64-bit number at `offset`; the caller has found all eight octets to be in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func uint64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// The attribute handle at `offset`; the caller has found both octets to be in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func handle(at offset: Int) -> AttributeHandle {
        AttributeHandle(rawValue: unsafe uint16(at: offset))
    }

    /// The 128-bit UUID at `offset`; the caller has found all sixteen octets to be in bounds.
    @unsafe
    @inlinable
    @inline(__always)
    func uuid128(at offset: Int) -> BluetoothUUID {
        unsafe BluetoothUUID(high: uint64(at: offset &+ 8), low: uint64(at: offset))
    }

    /// The octets from `offset` to the end; the caller has found `offset` to be at most `byteCount`, which is not 0.
    @unsafe
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    func octets(from offset: Int) -> RawSpan {
        unsafe slice(uncheckedFrom: offset, count: byteCount &- offset)
    }

    /// `count` octets from `offset`, which the caller has found to be in bounds; there is at least one octet in all.
    @unsafe
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    func octets(from offset: Int, count: Int) -> RawSpan {
        unsafe slice(uncheckedFrom: offset, count: count)
    }
}

/// Why a header that `check` refused is malformed.
@usableFromInline
@inline(never)
func headerError(_ pdu: RawSpan, _ opcode: Opcode, size: Int, fields: UInt32) -> MalformedError {
    guard pdu.byteCount > 0 else { return MalformedError(.truncated, at: 0) }
    // In bounds: there is one octet.
    guard unsafe pdu.octet(at: 0) == opcode.rawValue else { return MalformedError(.wrongOpcode, at: 0) }
    guard pdu.byteCount < size else { return MalformedError(.trailingOctets, at: size) }
    // The field in which the first missing octet lies: the last one that starts there or before.
    let started = fields & ((2 << UInt32(truncatingIfNeeded: pdu.byteCount)) &- 1)
    return MalformedError(.truncated, at: max(0, 31 - started.leadingZeroBitCount))
}

extension RawSpan {
    /// The attribute type at offset 5, the last field of a PDU that begins with `opcode` and two handles; afterwards
    /// the PDU is known to have 7 or 21 octets.
    @inlinable
    @inline(__always)
    func attributeType(afterRangeOf opcode: Opcode) throws(MalformedError) -> BluetoothUUID {
        // In bounds: both lengths are compared before anything is read.
        if byteCount == 7, unsafe octet(at: 0) == opcode.rawValue {
            return unsafe BluetoothUUID(uint16(at: 5))
        }
        if byteCount == 21, unsafe octet(at: 0) == opcode.rawValue {
            return unsafe uuid128(at: 5)
        }
        throw attributeTypeError(self, opcode)
    }
}

/// Why a header that `attributeType(afterRangeOf:)` refused is malformed.
@usableFromInline
@inline(never)
func attributeTypeError(_ pdu: RawSpan, _ opcode: Opcode) -> MalformedError {
    let error = headerError(pdu, opcode, size: 7, fields: 0b101010)
    guard error.kind == .trailingOctets else { return error }
    return pdu.byteCount < 21 ? MalformedError(.invalidLength, at: 5) : MalformedError(.trailingOctets, at: 21)
}

extension RawSpan {
    /// Checks that the octets are a whole number, not 0, of entries of `size` octets, which is not 0.
    /// - Parameter start: the offset of the first entry from the opcode, for the error's offset.
    @inlinable
    @inline(__always)
    func checkEntries(of size: Int, at start: Int) throws(MalformedError) {
        // One comparison for 1...65535: ATT_MTU is a number of 16 bits. So few octets also divide in 32 bits, faster.
        guard
            UInt(bitPattern: byteCount &- 1) < 0xFFFF,
            UInt32(truncatingIfNeeded: byteCount) % UInt32(truncatingIfNeeded: size) == 0
        else { throw entriesError(byteCount: byteCount, size: size, start: start) }
    }
}

/// Why entries that `checkEntries` refused are malformed.
@usableFromInline
@inline(never)
func entriesError(byteCount: Int, size: Int, start: Int) -> MalformedError {
    guard byteCount > 0 else { return MalformedError(.truncated, at: start) }
    guard byteCount <= 0xFFFF else { return MalformedError(.tooLong, at: start) }
    return MalformedError(.invalidLength, at: start &+ byteCount &- byteCount % max(size, 1))
}
