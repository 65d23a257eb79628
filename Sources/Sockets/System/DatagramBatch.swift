internal import CLinux

/// Up to 32 datagrams received by one system call, in memory that is used again for the next.
///
/// The octets that it hands out are borrowed: they are valid until the receiving closure returns.
@safe
public final class DatagramBatch: @unchecked Sendable {
    // Sendable without a lock: a batch is used by one loop's thread only, within one receiving closure.

    /// How many datagrams one call may receive.
    public let capacity: Int
    /// The longest datagram that is received whole, in octets; a longer one is cut off and marked.
    public let datagramCapacity: Int
    /// How many datagrams the last call received.
    public private(set) var count = 0

    private let memory: UnsafeMutableRawBufferPointer
    let places: UnsafeMutablePointer<clinux_datagram>

    /// Room for `capacity` (1...32) datagrams of up to `datagramCapacity` octets.
    public init(capacity: Int = 32, datagramCapacity: Int = 2048) {
        self.capacity = min(max(capacity, 1), Int(CLINUX_BATCH_MAXIMUM))
        self.datagramCapacity = max(datagramCapacity, 1)
        // One more cache line a place, so that equal offsets of the places do not all fall into one cache set.
        let stride = (self.datagramCapacity + 63) / 64 * 64 + 64
        unsafe memory = .allocate(byteCount: stride * self.capacity, alignment: 64)
        unsafe places = .allocate(capacity: self.capacity)
        for index in 0..<self.capacity {
            // Each place lies within the memory: index < capacity, and a place is shorter than the stride.
            let place = unsafe iovec(
                iov_base: memory.baseAddress?.advanced(by: index * stride), iov_len: self.datagramCapacity)
            unsafe (places + index).initialize(to: clinux_datagram(place: place, length: 0, flags: 0))
        }
    }

    deinit {
        unsafe places.deallocate()
        unsafe memory.deallocate()
    }

    /// The octets of a datagram, cut off at `datagramCapacity`; none for an index that is not below `count`.
    @_lifetime(borrow self)
    public func octets(at index: Int) -> RawSpan {
        guard index >= 0, index < count, let start = unsafe places[index].place.iov_base else { return RawSpan() }
        // In bounds: the kernel wrote `length` octets there, and no more than the place holds; the memory lives as
        // long as the batch.
        let length = unsafe min(Int(places[index].length), datagramCapacity)
        let span = unsafe RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: length)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Whether the datagram was longer than `datagramCapacity`, and the rest of it is lost.
    public func isTruncated(at index: Int) -> Bool {
        guard index >= 0, index < count else { return false }
        // In bounds by the line above.
        return unsafe places[index].flags & LinuxNumbers.truncated != 0
    }

    /// Fills the batch from arrays, as a scripted peer does: no more than `capacity`, each cut off as the kernel would.
    public func fill(_ datagrams: [[UInt8]]) {
        reset()
        for (index, datagram) in datagrams.prefix(capacity).enumerated() {
            let kept = min(datagram.count, datagramCapacity)
            // In bounds: index < capacity, kept <= the place's length.
            unsafe places[index].length = UInt32(kept)
            unsafe places[index].flags = kept < datagram.count ? LinuxNumbers.truncated : 0
            guard kept > 0, let start = unsafe places[index].place.iov_base else { continue }
            unsafe datagram.withUnsafeBytes { source in
                guard let from = source.baseAddress else { return }
                unsafe start.copyMemory(from: from, byteCount: kept)
            }
        }
        didReceive(min(datagrams.count, capacity))
    }

    /// Forgets the datagrams of the last call.
    func reset() { count = 0 }

    /// Takes note of how many datagrams the kernel wrote.
    func didReceive(_ received: Int) { count = min(received, capacity) }

    /// Drops datagrams from the end: the empty ones that stand for the end of the connection.
    func dropLast(_ dropped: Int) { count = max(0, count - dropped) }
}
