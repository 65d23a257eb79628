// The loops around the codec: a ring of varied packets goes through the Swift codec and through the C reference, with
// the same number of rounds, and both give a digest.

import ATT
import CBenchmark

/// The codec beside its C reference.
enum CodecGroup {
    // Each type is named here, rather than in a list of types, so that the compiler makes a loop for each.
    static var all: [Benchmark] {
        let cases = [
            benchmarks(Notification20.self), benchmarks(Notification244.self),
            benchmarks(ReadByTypeResponse3x7.self), benchmarks(ReadByGroupTypeResponse3x6.self),
            benchmarks(FindInformationResponse5x16.self), benchmarks(ErrorResponseCase.self),
            benchmarks(WriteRequest20.self), benchmarks(PrepareWrite18.self), benchmarks(ReadByTypeRequestCase.self),
            benchmarks(AdvertisingReport31.self), benchmarks(ExtendedReport229.self),
        ]
        return cases.map(\.decoding) + cases.compactMap(\.encoding)
    }

    private static func benchmarks<Case: CodecCase>(_: Case.Type) -> (decoding: Benchmark, encoding: Benchmark?) {
        let packets = Ring(Case.packet, varying: Case.variable)
        let decoding = Benchmark("codec, decode", Case.name, rounds: 200_000) { rounds in
            decodeLoop(Case.self, packets.octets, packets.stride, packets.length, rounds)
        } reference: { rounds in
            unsafe reference_decode(
                Case.reference, packets.octets, packets.stride, packets.length, ringCount, UInt64(rounds))
        }
        guard let length = Case.valueLength else { return (decoding, nil) }
        let values = Ring([UInt8](repeating: 0, count: length), varying: [0..<length])
        let encoding = Benchmark("codec, encode", Case.name, rounds: 200_000) { rounds in
            var buffer = [UInt8](repeating: 0, count: 512)
            return encodeLoop(Case.self, values.octets, values.stride, values.length, rounds, &buffer)
        } reference: { rounds in
            var buffer = [UInt8](repeating: 0, count: 512)
            return unsafe reference_encode(
                Case.reference, values.octets, values.stride, values.length, ringCount, UInt64(rounds), &buffer,
                buffer.count)
        }
        return (decoding, encoding)
    }
}

// Both loops take a packet or value as the reference does and as one comes out of a socket's buffer: by a pointer and a
// length. Nothing of them is checked here; the codec checks.

@inline(never)
private func decodeLoop<Case: CodecCase>(
    _: Case.Type, _ ring: [UInt8], _ stride: Int, _ length: Int, _ rounds: Int
) -> UInt64 {
    var digest: UInt64 = 1
    unsafe ring.withUnsafeBytes { ring in
        let start = unsafe ring.baseAddress.unsafelyUnwrapped
        var round = 0
        while round < rounds {
            // In bounds: the ring holds `ringCount` stretches.
            let packet = unsafe UnsafeRawBufferPointer(
                start: start + (round & (ringCount &- 1)) &* stride, count: length)
            do throws(MalformedError) {
                try Case.decode(unsafe packet.bytes, &digest)
            } catch {
                digest = 0
                return
            }
            round &+= 1
        }
    }
    return digest
}

@inline(never)
private func encodeLoop<Case: CodecCase>(
    _: Case.Type, _ ring: [UInt8], _ stride: Int, _ length: Int, _ rounds: Int, _ buffer: inout [UInt8]
) -> UInt64 {
    var digest: UInt64 = 1
    unsafe ring.withUnsafeBytes { ring in
        let values = unsafe ring.baseAddress.unsafelyUnwrapped
        unsafe buffer.withUnsafeMutableBytes { buffer in
            let start = unsafe UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped)
            var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
            var round = 0
            while round < rounds {
                // In bounds: the ring holds `ringCount` stretches.
                let value = unsafe UnsafeRawBufferPointer(
                    start: values + (round & (ringCount &- 1)) &* stride, count: length)
                output.removeAll()
                do throws(EncodeError) {
                    try Case.encode(
                        UInt16(truncatingIfNeeded: round) | 1, UInt16(truncatingIfNeeded: round >> 3),
                        unsafe value.bytes, into: &output)
                } catch {
                    digest = 0
                    return
                }
                unsafe benchmark_keep(start)
                let written = output.byteCount
                fold(&digest, UInt64(written))
                // In bounds: every PDU has at least two octets here, and `written` of them are in the buffer.
                let second = unsafe start.load(fromByteOffset: 1, as: UInt8.self)
                let last = unsafe start.load(fromByteOffset: written &- 1, as: UInt8.self)
                fold(&digest, UInt64(second) << 8 | UInt64(last))
                round &+= 1
            }
            _ = unsafe output.finalize(for: buffer)
        }
    }
    return digest
}
