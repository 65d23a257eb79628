// btsnoop: a 16-octet header ("btsnoop", a zero octet, version 1, data link), then records of a 24-octet header and
// the packet. All numbers are big-endian; times are microseconds since midnight, January 1st, year 0.

/// Microseconds between the epoch of btsnoop and 1970-01-01 00:00:00 UTC.
let btsnoopEpochOffset: Int64 = 0x00DC_DDB3_0F2F_8000

extension CaptureParser {
    mutating func parseBtsnoopHeader(_ octets: RawSpan) throws(CaptureError) {
        guard octets.bigEndian32(at: 4) == 0x6F6F_7000 else { throw CaptureError(.unknownFormat, at: 0) }
        let version = octets.bigEndian32(at: 8) ?? 0
        guard version == 1 else { throw CaptureError(.unsupportedVersion("btsnoop version \(version)"), at: 8) }
        wrapping = try Wrapping.btsnoop(octets.bigEndian32(at: 12) ?? 0, at: 12)
    }

    /// Parses one record; 0 when it is not whole yet.
    mutating func parseBtsnoopRecord(
        _ octets: RawSpan, _ body: (borrowing CaptureRecord) -> Void
    ) throws(CaptureError) -> Int {
        guard let original = octets.bigEndian32(at: 0), let included = octets.bigEndian32(at: 4) else { return 0 }
        try check(included)
        guard let flags = octets.bigEndian32(at: 8), let timeHigh = octets.bigEndian32(at: 16),
            let timeLow = octets.bigEndian32(at: 20)
        else { return 0 }
        let end = 24 &+ Int(included)
        guard octets.byteCount >= end else { return 0 }
        let ticks = Int64(bitPattern: UInt64(timeHigh) << 32 | UInt64(timeLow))
        let (microseconds, overflow) = ticks.subtractingReportingOverflow(btsnoopEpochOffset)
        let (nanoseconds, tooLarge) = microseconds.multipliedReportingOverflow(by: 1_000)
        deliver(
            octets.extracting(24..<end), wrapping: wrapping, flags: flags,
            time: overflow || tooLarge ? nil : CaptureTime(nanoseconds: nanoseconds), interface: 0,
            isCut: original > included, body)
        return end
    }
}
