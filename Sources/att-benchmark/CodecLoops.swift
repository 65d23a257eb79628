// The loops around the codec: a ring of varied packets goes through the Swift codec and through the C reference, with
// the same number of rounds, and both give a digest.

import ATT
import CBenchmark

/// How many different packets go round; a power of two.
private let ringCount = 64

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
}

/// What is done with a packet.
enum CodecDirection: String, CaseIterable {
    case decode
    case encode
}

/// Which codec does it.
enum CodecSide: String, CaseIterable {
    case swift
    case c
}

/// A case with its rings made, ready to run.
struct CodecBenchmark: Sendable {
    let name: String
    let directions: [CodecDirection]
    /// Runs the loop and gives its digest; 0 when a packet was refused.
    let run: @Sendable (CodecSide, CodecDirection, _ rounds: Int) -> UInt64

    init<Case: CodecCase>(_: Case.Type) {
        name = Case.name
        directions = Case.valueLength == nil ? [.decode] : [.decode, .encode]
        let packets = Ring(Case.packet, varying: Case.variable)
        let length = Case.valueLength ?? 0
        let values = Ring([UInt8](repeating: 0, count: length), varying: [0..<length])
        run = { side, direction, rounds in
            var buffer = [UInt8](repeating: 0, count: 512)
            switch (side, direction) {
            case (.swift, .decode):
                return decodeLoop(Case.self, packets.octets.octets, packets.stride, packets.length, rounds)
            case (.swift, .encode):
                return encodeLoop(Case.self, values.octets.octets, values.stride, values.length, rounds, &buffer)
            case (.c, .decode):
                return unsafe reference_decode(
                    Case.reference, packets.octets, packets.stride, packets.length, ringCount, UInt64(rounds))
            case (.c, .encode):
                return unsafe reference_encode(
                    Case.reference, values.octets, values.stride, values.length, ringCount, UInt64(rounds), &buffer,
                    buffer.count)
            }
        }
    }

    static let all: [CodecBenchmark] = [
        CodecBenchmark(Notification20.self), CodecBenchmark(Notification244.self),
        CodecBenchmark(ReadByTypeResponse3x7.self), CodecBenchmark(ReadByGroupTypeResponse3x6.self),
        CodecBenchmark(FindInformationResponse5x16.self), CodecBenchmark(ErrorResponseCase.self),
        CodecBenchmark(WriteRequest20.self), CodecBenchmark(PrepareWrite18.self),
        CodecBenchmark(ReadByTypeRequestCase.self), CodecBenchmark(AdvertisingReport31.self),
        CodecBenchmark(ExtendedReport229.self),
    ]
}

@inline(never)
private func decodeLoop<Case: CodecCase>(
    _: Case.Type, _ ring: RawSpan, _ stride: Int, _ length: Int, _ rounds: Int
) -> UInt64 {
    var digest: UInt64 = 1
    for round in 0..<rounds {
        let start = (round & (ringCount &- 1)) &* stride
        // In bounds: the ring holds `ringCount` stretches.
        let packet = unsafe ring.extracting(unchecked: Range(uncheckedBounds: (start, start &+ length)))
        do throws(MalformedError) {
            try Case.decode(packet, &digest)
        } catch {
            return 0
        }
    }
    return digest
}

@inline(never)
private func encodeLoop<Case: CodecCase>(
    _: Case.Type, _ ring: RawSpan, _ stride: Int, _ length: Int, _ rounds: Int, _ buffer: inout [UInt8]
) -> UInt64 {
    var digest: UInt64 = 1
    unsafe buffer.withUnsafeMutableBytes { buffer in
        for round in 0..<rounds {
            let start = (round & (ringCount &- 1)) &* stride
            // In bounds: the ring holds `ringCount` stretches.
            let value = unsafe ring.extracting(unchecked: Range(uncheckedBounds: (start, start &+ length)))
            var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
            do throws(EncodeError) {
                try Case.encode(
                    UInt16(truncatingIfNeeded: round) | 1, UInt16(truncatingIfNeeded: round >> 3), value,
                    into: &output)
            } catch {
                digest = 0
                return
            }
            let written = unsafe output.finalize(for: buffer)
            fold(&digest, UInt64(written))
            // In bounds: every PDU has at least two octets here, and `written` of them are in the buffer.
            let second = unsafe buffer.baseAddress.unsafelyUnwrapped.load(fromByteOffset: 1, as: UInt8.self)
            let last = unsafe buffer.baseAddress.unsafelyUnwrapped.load(fromByteOffset: written &- 1, as: UInt8.self)
            fold(&digest, UInt64(second) << 8 | UInt64(last))
        }
    }
    return digest
}
