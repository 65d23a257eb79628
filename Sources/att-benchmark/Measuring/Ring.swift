// What goes in varies from round to round, so that nothing can be worked out before the loop.

/// How many different packets go round; a power of two.
let ringCount = 64

/// A ring of packets or values, each at the start of a stretch of `stride` octets.
struct Ring: Sendable {
    var octets: [UInt8]
    var stride: Int
    var length: Int

    /// `ringCount` copies of `octets` with other values in the ranges that may vary, always the same ones.
    init(_ packet: [UInt8], varying: [Range<Int>]) {
        length = packet.count
        stride = (packet.count + 63) & ~63
        octets = []
        var state: UInt64 = 0x5EED
        for _ in 0..<ringCount {
            var copy = packet
            for range in varying {
                for index in range {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    copy[index] = UInt8(truncatingIfNeeded: state >> 33)
                }
            }
            octets += copy + [UInt8](repeating: 0, count: stride - length)
        }
    }

    /// Lends the packet whose turn it is in a round.
    @inline(__always)
    func withPacket(_ round: Int, _ body: (RawSpan) -> Void) {
        unsafe octets.withUnsafeBytes { octets in
            // In bounds: there are `ringCount` stretches, and each holds a packet.
            let packet = unsafe UnsafeRawBufferPointer(
                rebasing: octets[(round & (ringCount &- 1)) &* stride..<(round & (ringCount &- 1)) &* stride &+ length])
            body(unsafe packet.bytes)
        }
    }
}
