// pcap: a 24-octet header whose magic number tells byte order and resolution, then records of a 16-octet header and
// the packet (the libpcap file format, with the LINKTYPE registry for what the packets are).

extension CaptureParser {
    mutating func parsePcapHeader(_ octets: RawSpan, magic: UInt32) throws(CaptureError) {
        isLittleEndian = magic == 0xD4C3_B2A1 || magic == 0x4D3C_B2A1
        nanosecondsPerTick = magic == 0xA1B2_3C4D || magic == 0x4D3C_B2A1 ? 1 : 1_000
        let version = number(octets, at: 4) ?? 0
        // Major version in the first half of the header's order, minor in the second: 2.4 for ever.
        let major = isLittleEndian ? version & 0xFFFF : version >> 16
        guard major == 2 else { throw CaptureError(.unsupportedVersion("pcap version \(major)"), at: 4) }
        // The upper bits may hold the length of a frame check sequence.
        let type = (number(octets, at: 20) ?? 0) & 0x0FFF_FFFF
        guard let known = Wrapping.linkType(type) else {
            throw CaptureError(.unsupportedLinkType(type, Wrapping.explanation(of: type)), at: 20)
        }
        wrapping = known
    }

    /// Parses one record; 0 when it is not whole yet.
    mutating func parsePcapRecord(
        _ octets: RawSpan, _ body: (borrowing CaptureRecord) -> Void
    ) throws(CaptureError) -> Int {
        guard let seconds = number(octets, at: 0), let fraction = number(octets, at: 4),
            let included = number(octets, at: 8)
        else { return 0 }
        try check(included)
        guard let original = number(octets, at: 12) else { return 0 }
        let end = 16 &+ Int(included)
        guard octets.byteCount >= end else { return 0 }
        let nanoseconds = Int64(seconds) &* 1_000_000_000 &+ Int64(fraction) &* nanosecondsPerTick
        deliver(
            octets.extracting(16..<end), wrapping: wrapping, flags: 0, time: CaptureTime(nanoseconds: nanoseconds),
            interface: 0, isCut: original > included, body)
        return end
    }

    /// A 32-bit number in the byte order of the file (pcap) or section (pcapng).
    func number(_ octets: RawSpan, at offset: Int) -> UInt32? {
        isLittleEndian ? octets.littleEndian32(at: offset) : octets.bigEndian32(at: offset)
    }
}
