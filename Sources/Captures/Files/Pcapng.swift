// pcapng: a sequence of blocks, each with its type, its length before and after, and a body. A Section Header tells the
// byte order; Interface Descriptions tell the link type and time resolution that later packet blocks refer to.

/// What an Interface Description Block says of an interface.
struct PcapngInterface: Sendable {
    let wrapping: Wrapping?
    var ticksPerSecond: UInt64 = 1_000_000
    /// Seconds to add to every time stamp (option `if_tsoffset`).
    var offsetSeconds: Int64 = 0

    /// The time of a time stamp in this interface's resolution; `nil` when it is beyond what 64 bits of
    /// nanoseconds hold.
    func time(ticks: UInt64) -> CaptureTime? {
        let seconds = ticks / ticksPerSecond
        let fraction = ticks % ticksPerSecond
        // Less than 10⁹ after the division, whatever the resolution; in two steps where the product would overflow.
        let part =
            fraction.multipliedFullWidth(by: 1_000_000_000)
        let nanoseconds = ticksPerSecond.dividingFullWidth(part).quotient
        guard let whole = Int64(exactly: seconds) else { return nil }
        let (shifted, a) = whole.addingReportingOverflow(offsetSeconds)
        let (scaled, b) = shifted.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, c) = scaled.addingReportingOverflow(Int64(truncatingIfNeeded: nanoseconds))
        return a || b || c ? nil : CaptureTime(nanoseconds: sum)
    }
}

extension CaptureParser {
    /// The most interfaces one section may describe; more is damage or an attack on memory.
    static let mostInterfaces = 4_096

    /// Parses one block; 0 when it is not whole yet.
    mutating func parsePcapngBlock(
        _ octets: RawSpan, _ body: (borrowing CaptureRecord) -> Void
    ) throws(CaptureError) -> Int {
        guard let firstWord = octets.bigEndian32(at: 0) else { return 0 }
        if firstWord == 0x0A0D_0D0A {
            guard let order = octets.bigEndian32(at: 8) else { return 0 }
            switch order {
            case 0x1A2B_3C4D: isLittleEndian = false
            case 0x4D3C_2B1A: isLittleEndian = true
            default: throw CaptureError(.unknownFormat, at: offset &+ 8)
            }
            interfaces = []
        }
        guard let type = number(octets, at: 0), let length = number(octets, at: 4) else { return 0 }
        try check(length)
        guard length >= 12, length % 4 == 0 else { throw CaptureError(.impossibleLength(length), at: offset) }
        let end = Int(length)
        guard octets.byteCount >= end else { return 0 }
        guard number(octets, at: end &- 4) == length else {
            throw CaptureError(.impossibleLength(number(octets, at: end &- 4) ?? 0), at: offset &+ end &- 4)
        }
        let content = octets.extracting(8..<(end &- 4))
        switch type {
        case 0x0A0D_0D0A:
            let version = number(content, at: 4) ?? 0
            let major = isLittleEndian ? version & 0xFFFF : version >> 16
            guard major == 1 else { throw CaptureError(.unsupportedVersion("pcapng version \(major)"), at: offset) }
        case 1: try describeInterface(content)
        case 2: packetBlock(content, isObsolete: true, body)
        case 3: simplePacketBlock(content, body)
        case 6: packetBlock(content, isObsolete: false, body)
        default: break  // Name resolution, statistics, comments, private blocks: nothing for us.
        }
        return end
    }

    private mutating func describeInterface(_ content: RawSpan) throws(CaptureError) {
        guard let head = number(content, at: 0) else {
            malformedRecordCount &+= 1
            return
        }
        guard interfaces.count < Self.mostInterfaces else {
            throw CaptureError(.impossibleLength(UInt32(interfaces.count)), at: offset)
        }
        let type = isLittleEndian ? head & 0xFFFF : head >> 16
        var interface = PcapngInterface(wrapping: Wrapping.linkType(type))
        if interface.wrapping == nil, foreignLinkType == nil { foreignLinkType = type }
        var at = 8
        while let option = number(content, at: at) {
            let code = isLittleEndian ? option & 0xFFFF : option >> 16
            let length = Int(isLittleEndian ? option >> 16 : option & 0xFFFF)
            guard code != 0, content.byteCount &- at &- 4 >= length else { break }
            if code == 9, length >= 1 {
                // In bounds: the option has at least one octet.
                let resolution = unsafe content.unsafeLoadUnaligned(fromUncheckedByteOffset: at &+ 4, as: UInt8.self)
                interface.ticksPerSecond = Self.ticksPerSecond(resolution)
            } else if code == 14, length == 8, let a = number(content, at: at &+ 4),
                let b = number(content, at: at &+ 8)
            {
                let (low, high) = isLittleEndian ? (a, b) : (b, a)
                interface.offsetSeconds = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
            }
            at &+= 4 &+ (length &+ 3) & ~3
        }
        interfaces.append(interface)
    }

    /// The option `if_tsresol`: a negative power of 10, or of 2 where the top bit is set. What no 64-bit count of
    /// ticks can hold falls back to microseconds.
    private static func ticksPerSecond(_ resolution: UInt8) -> UInt64 {
        let exponent = resolution & 0x7F
        if resolution & 0x80 != 0 { return exponent < 63 ? 1 << UInt64(exponent) : 1_000_000 }
        guard exponent <= 19 else { return 1_000_000 }
        return (0..<exponent).reduce(1) { product, _ in product &* 10 }
    }

    private mutating func packetBlock(
        _ content: RawSpan, isObsolete: Bool, _ body: (borrowing CaptureRecord) -> Void
    ) {
        guard let head = number(content, at: 0), let high = number(content, at: 4), let low = number(content, at: 8),
            let included = number(content, at: 12), let original = number(content, at: 16),
            Int(included) <= content.byteCount &- 20
        else {
            malformedRecordCount &+= 1
            return
        }
        // The obsolete Packet Block has a 16-bit interface and a drop count where the enhanced one has 32 bits.
        let index = isObsolete ? (isLittleEndian ? head & 0xFFFF : head >> 16) : head
        record(
            content.extracting(20..<(20 &+ Int(included))), interface: Int(index),
            ticks: UInt64(high) << 32 | UInt64(low), isCut: original > included, body)
    }

    private mutating func simplePacketBlock(_ content: RawSpan, _ body: (borrowing CaptureRecord) -> Void) {
        guard let original = number(content, at: 0) else {
            malformedRecordCount &+= 1
            return
        }
        let included = min(Int(original), content.byteCount &- 4)
        record(
            content.extracting(4..<(4 &+ included)), interface: 0, ticks: nil, isCut: Int(original) > included, body)
    }

    private mutating func record(
        _ octets: RawSpan, interface index: Int, ticks: UInt64?, isCut: Bool,
        _ body: (borrowing CaptureRecord) -> Void
    ) {
        guard index < interfaces.count else {
            malformedRecordCount &+= 1
            return
        }
        let interface = interfaces[index]
        guard let wrapping = interface.wrapping else {
            foreignRecordCount &+= 1
            return
        }
        deliver(
            octets, wrapping: wrapping, flags: 0, time: ticks.flatMap(interface.time(ticks:)), interface: index,
            isCut: isCut, body)
    }
}
