// Reads btsnoop, pcap and pcapng files from the octets, piece by piece.
//
// The parser does no I/O: its caller hands it a stretch of the file, is given every whole record in it, and learns how
// many octets were used up. What is left (the start of a record that continues) is handed in again with more octets
// behind it. So a file of any size is read in the memory of one buffer, and a file that grows can be followed.

import Wire

/// A streaming parser of capture files. The format is told by the content, never by a file's name.
public struct CaptureParser: Sendable {
    /// The longest record taken for real, in octets. A packet of the host controller interface has at most 65,535 and
    /// a header; a longer length is damage, and waiting for that many octets would be a hang.
    public static let longestRecord: UInt32 = 0x4_0000

    /// The format of the file, known after the first header.
    public enum Format: String, Hashable, Sendable {
        case btsnoop, pcap, pcapng
    }

    /// The format of the file; `nil` until its first octets were parsed.
    public internal(set) var format: Format?

    /// How many octets of the file were used up.
    public internal(set) var offset = 0

    /// How many records could not be unwrapped (shorter than their pseudo header) and were passed over.
    public internal(set) var malformedRecordCount = 0

    /// How many records of link types without HCI were passed over (pcapng files may mix interfaces).
    public internal(set) var foreignRecordCount = 0

    /// The link type of the first interface without HCI, when there was one.
    public internal(set) var foreignLinkType: UInt32?

    /// How many records were handed on.
    public internal(set) var hciRecordCount = 0

    /// A sentence about the first link type without HCI, as in `link type 251 (LE link layer) is …`.
    public var foreignLinkTypeText: String? {
        foreignLinkType.map { "link type \($0) \(Wrapping.explanation(of: $0))" }
    }

    /// Whether a file that begins so may be a capture: by the four octets of each format.
    public static func recognises(_ beginning: [UInt8]) -> Bool {
        switch beginning.octets.bigEndian32(at: 0) {
        case 0x6274_736E, 0xA1B2_C3D4, 0xA1B2_3C4D, 0xD4C3_B2A1, 0x4D3C_B2A1, 0x0A0D_0D0A: true
        default: false
        }
    }

    var wrapping = Wrapping.h4WithFlags
    var isLittleEndian = true
    var nanosecondsPerTick: Int64 = 1_000
    var interfaces: [PcapngInterface] = []

    public init() {}

    /// Parses every whole record in `octets`, which continue the file at `offset`.
    /// - Parameters:
    ///   - octets: the file from `offset` on, as far as it was read.
    ///   - isLast: whether the file ends with these octets; then a part of a record is an error.
    ///   - body: called once per record, in order.
    /// - Returns: how many of `octets` were used up; hand in the rest again, with more behind it.
    /// - Throws: `CaptureError`; all records before the damage were given to `body`.
    public mutating func parse(
        _ octets: RawSpan, isLast: Bool, _ body: (borrowing CaptureRecord) -> Void
    ) throws(CaptureError) -> Int {
        let start = offset
        var used = 0
        if format == nil {
            used = try parseFileHeader(octets)
            offset &+= used
        }
        if let format {
            while used < octets.byteCount {
                let left = octets.extracting(droppingFirst: used)
                let taken =
                    switch format {
                    case .btsnoop: try parseBtsnoopRecord(left, body)
                    case .pcap: try parsePcapRecord(left, body)
                    case .pcapng: try parsePcapngBlock(left, body)
                    }
                guard taken > 0 else { break }
                used &+= taken
                offset = start &+ used
            }
        }
        if isLast, format == nil { throw CaptureError(.unknownFormat, at: 0) }
        if isLast, used < octets.byteCount { throw CaptureError(.truncated, at: offset) }
        return used
    }

    /// Recognises the format and parses the header of the file.
    /// - Returns: the octets used up; 0 with `format` still `nil` when more are needed.
    private mutating func parseFileHeader(_ octets: RawSpan) throws(CaptureError) -> Int {
        guard let magic = octets.bigEndian32(at: 0) else { return 0 }
        switch magic {
        case 0x6274_736E:
            guard octets.byteCount >= 16 else { return 0 }
            try parseBtsnoopHeader(octets)
            format = .btsnoop
            return 16
        case 0xA1B2_C3D4, 0xA1B2_3C4D, 0xD4C3_B2A1, 0x4D3C_B2A1:
            guard octets.byteCount >= 24 else { return 0 }
            try parsePcapHeader(octets, magic: magic)
            format = .pcap
            return 24
        case 0x0A0D_0D0A:
            // The section header is a block like the others and is parsed as one.
            format = .pcapng
            return 0
        default:
            throw CaptureError(.unknownFormat, at: 0)
        }
    }

    /// Hands one record on, without its wrapping; one that is too short for its pseudo header is counted.
    mutating func deliver(
        _ octets: RawSpan, wrapping: Wrapping, flags: UInt32, time: CaptureTime?, interface: Int, isCut: Bool,
        _ body: (borrowing CaptureRecord) -> Void
    ) {
        do {
            let record = try wrapping.unwrap(octets, flags: flags)
            hciRecordCount &+= 1
            body(
                CaptureRecord(
                    time: time, direction: record.direction, kind: record.kind,
                    adapter: wrapping.namesAdapter ? record.adapter : interface, isCut: isCut, packet: record.packet))
        } catch {
            malformedRecordCount &+= 1
        }
    }

    /// Refuses lengths that no record has.
    func check(_ length: UInt32) throws(CaptureError) {
        guard length <= Self.longestRecord else { throw CaptureError(.impossibleLength(length), at: offset) }
    }
}

/// Reads numbers at fixed places of a header; `nil` beyond the end.
extension RawSpan {
    func bigEndian32(at offset: Int) -> UInt32? { number(at: offset).map(UInt32.init(bigEndian:)) }

    func littleEndian32(at offset: Int) -> UInt32? { number(at: offset).map(UInt32.init(littleEndian:)) }

    private func number(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= byteCount &- 4 else { return nil }
        // In bounds by the check above.
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
    }
}
