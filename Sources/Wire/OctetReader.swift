/// Reads little-endian fields from borrowed octets, in order; every step is bounds-checked and none allocates.
///
/// All Bluetooth host protocols are little-endian on the wire (Core Specification, Vol 3, Part F, 3.2.1 and
/// Vol 4, Part E, 5.2), so there is no byte-order parameter.
@frozen
public struct OctetReader: ~Escapable {
    /// All the octets, those already read included.
    public let octets: RawSpan

    @usableFromInline var cursor: Int

    /// How many octets were read; the offset of the next one.
    @inlinable
    public var offset: Int { cursor }

    /// A reader at `offset` of `octets`. An offset beyond the end reads nothing but fails as truncated.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, at offset: Int = 0) {
        self.octets = octets
        self.cursor = min(max(offset, 0), octets.byteCount)
    }

    /// How many octets are left to read.
    @inlinable
    public var remaining: Int { octets.byteCount &- offset }

    /// Whether every octet was read.
    @inlinable
    public var isAtEnd: Bool { offset == octets.byteCount }

    /// Reads one octet.
    /// - Throws: `truncated` when none is left.
    @inlinable
    @inline(__always)
    public mutating func uint8() throws(MalformedError) -> UInt8 {
        guard remaining >= 1 else { throw MalformedError(.truncated, at: offset) }
        // In bounds: `offset + 1 <= byteCount`.
        let value = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
        cursor &+= 1
        return value
    }

    /// Reads a 16-bit number.
    /// - Throws: `truncated` when fewer than two octets are left.
    @inlinable
    @inline(__always)
    public mutating func uint16() throws(MalformedError) -> UInt16 {
        guard remaining >= 2 else { throw MalformedError(.truncated, at: offset) }
        // In bounds: `offset + 2 <= byteCount`.
        let value = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self)
        cursor &+= 2
        return UInt16(littleEndian: value)
    }

    /// Reads a 24-bit number.
    /// - Throws: `truncated` when fewer than three octets are left.
    @inlinable
    @inline(__always)
    public mutating func uint24() throws(MalformedError) -> UInt32 {
        guard remaining >= 3 else { throw MalformedError(.truncated, at: offset) }
        let low = try uint16()
        let high = try uint8()
        return UInt32(low) | UInt32(high) << 16
    }

    /// Reads a 32-bit number.
    /// - Throws: `truncated` when fewer than four octets are left.
    @inlinable
    @inline(__always)
    public mutating func uint32() throws(MalformedError) -> UInt32 {
        guard remaining >= 4 else { throw MalformedError(.truncated, at: offset) }
        // In bounds: `offset + 4 <= byteCount`.
        let value = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
        cursor &+= 4
        return UInt32(littleEndian: value)
    }

    /// Reads a 64-bit number.
    /// - Throws: `truncated` when fewer than eight octets are left.
    @inlinable
    @inline(__always)
    public mutating func uint64() throws(MalformedError) -> UInt64 {
        guard remaining >= 8 else { throw MalformedError(.truncated, at: offset) }
        // In bounds: `offset + 8 <= byteCount`.
        let value = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        cursor &+= 8
        return UInt64(littleEndian: value)
    }

    /// Reads a UUID of 2, 4 or 16 octets.
    /// - Throws: `truncated` when fewer octets are left; `invalidLength` when `octetCount` is none of the three.
    @inlinable
    public mutating func uuid(octetCount: Int) throws(MalformedError) -> BluetoothUUID {
        switch octetCount {
        case 2: return BluetoothUUID(try uint16())
        case 4: return BluetoothUUID(try uint32())
        case 16:
            guard remaining >= 16 else { throw MalformedError(.truncated, at: offset) }
            let low = try uint64()
            return BluetoothUUID(high: try uint64(), low: low)
        default: throw MalformedError(.invalidLength, at: offset)
        }
    }

    /// Takes the next `count` octets, without a copy.
    /// - Throws: `truncated` when fewer are left; `invalidLength` when `count` is negative.
    @inlinable
    @_lifetime(copy self)
    public mutating func octets(_ count: Int) throws(MalformedError) -> RawSpan {
        guard count >= 0 else { throw MalformedError(.invalidLength, at: offset) }
        guard remaining >= count else { throw MalformedError(.truncated, at: offset) }
        let start = offset
        cursor &+= count
        // In bounds: `0 <= start <= offset <= byteCount`.
        return unsafe octets.extracting(unchecked: Range(uncheckedBounds: (start, offset)))
    }

    /// Takes all octets that are left, without a copy.
    @inlinable
    @_lifetime(copy self)
    public mutating func rest() -> RawSpan {
        let start = offset
        cursor = octets.byteCount
        // In bounds: `0 <= start <= byteCount`.
        return unsafe octets.extracting(unchecked: Range(uncheckedBounds: (start, offset)))
    }

    /// Checks that nothing is left.
    /// - Throws: `trailingOctets` at the first octet that was not read.
    @inlinable
    public func end() throws(MalformedError) {
        guard isAtEnd else { throw MalformedError(.trailingOctets, at: offset) }
    }
}
