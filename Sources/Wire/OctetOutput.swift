/// Little-endian appending to a caller's buffer. Each method needs its octets to be free: ask `require` first.
extension OutputRawSpan {
    /// Checks once that a whole packet fits, so that the appends that follow cannot trap.
    /// - Throws: `noRoom` when fewer than `count` octets are free.
    @inlinable
    @inline(__always)
    public func require(_ count: Int) throws(EncodeError) {
        guard freeCapacity >= count else { throw .noRoom(needed: count, available: freeCapacity) }
    }

    /// Appends a 16-bit number, least significant octet first.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func append(littleEndian value: UInt16) {
        unsafe append(value.littleEndian, as: UInt16.self)
    }

    /// Appends a 32-bit number, least significant octet first.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func append(littleEndian value: UInt32) {
        unsafe append(value.littleEndian, as: UInt32.self)
    }

    /// Appends a 64-bit number, least significant octet first.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func append(littleEndian value: UInt64) {
        unsafe append(value.littleEndian, as: UInt64.self)
    }

    /// Appends the octets of a UUID, in its own width, least significant octet first.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func append(_ uuid: BluetoothUUID) {
        switch uuid.width {
        case .bits16: append(littleEndian: UInt16(truncatingIfNeeded: uuid.high >> 32))
        case .bits32: append(littleEndian: UInt32(truncatingIfNeeded: uuid.high >> 32))
        case .bits128:
            append(littleEndian: uuid.low)
            append(littleEndian: uuid.high)
        }
    }

    /// Appends a copy of `octets`.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func append(octets: RawSpan) {
        precondition(freeCapacity >= octets.byteCount)
        unsafe withUnsafeMutableBytes { buffer, initialized in
            unsafe octets.withUnsafeBytes { source in
                guard let to = buffer.baseAddress, let from = source.baseAddress else { return }
                // In bounds: the free capacity was checked above.
                unsafe (to + initialized).copyMemory(from: from, byteCount: source.count)
            }
            initialized &+= octets.byteCount
        }
    }
}

extension [UInt8] {
    /// The octets as a borrowed raw span.
    @inlinable
    public var octets: RawSpan {
        @_lifetime(borrow self)
        get { unsafe span.bytes }
    }

    /// A copy of `octets`.
    @inlinable
    public init(octets: RawSpan) {
        self = unsafe octets.withUnsafeBytes { unsafe Array($0) }
    }

    /// What `body` writes into a buffer of `capacity` octets, as an array: for callers that keep the octets.
    @inlinable
    public init<E>(capacity: Int, encodedBy body: (inout OutputRawSpan) throws(E) -> Void) throws(E) {
        var failure: E?
        unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
            do throws(E) {
                try body(&output)
            } catch {
                failure = error
            }
            count = unsafe output.finalize(for: raw)
        }
        if let failure { throw failure }
    }
}
