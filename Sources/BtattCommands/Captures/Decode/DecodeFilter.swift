import ATT
import Captures
import CommandLineParsing
import GAP

/// A point of a capture as it is given on the command line.
enum CaptureMoment: Hashable, Sendable {
    /// Microseconds from the first packet on.
    case offset(Int64)
    /// Microseconds from the midnight on which the day of the first packet began, in UTC.
    case clock(Int64)
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    case absolute(Int64)

    /// The moment in nanoseconds since 1970, in a capture that began at `start`.
    func nanoseconds(from start: CaptureTime) -> Int64 {
        let day: Int64 = 86_400_000_000_000
        switch self {
        case .offset(let microseconds): return start.nanoseconds &+ microseconds &* 1_000
        case .clock(let microseconds):
            let sinceMidnight = (start.nanoseconds % day &+ day) % day
            return start.nanoseconds &- sinceMidnight &+ microseconds &* 1_000
        case .absolute(let microseconds): return microseconds &* 1_000
        }
    }
}

extension ValueType<CaptureMoment> {
    /// `12.5` seconds from the start on, `12:26:40.5` on the day of the start, or `2023-09-14T12:26:40Z`.
    static var captureMoment: Self {
        ValueType { (text) throws(ValueError) in
            let problem = ValueError(
                "is no time: seconds from the start (12.5), a time of the day (12:26:40.5) or 2023-09-14T12:26:40Z")
            var rest = text[...]
            if rest.last == "Z" { rest.removeLast() }
            let parts = rest.split(whereSeparator: { $0 == "T" || $0 == " " })
            switch parts.count {
            case 1 where !text.hasSuffix("Z"):
                if parts[0].contains(":") {
                    guard let clock = clockMicroseconds(parts[0]) else { throw problem }
                    return .clock(clock)
                }
                guard let seconds = decimalMicroseconds(parts[0]) else { throw problem }
                return .offset(seconds)
            case 2:
                guard let days = daysSince1970(parts[0]), let clock = clockMicroseconds(parts[1]) else { throw problem }
                return .absolute(days * 86_400_000_000 + clock)
            default: throw problem
            }
        }
    }
}

/// `12:26`, `12:26:40` or `12:26:40.123456` in microseconds since midnight.
private func clockMicroseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hours = Int64(parts[0]), (0..<24).contains(hours),
        let minutes = Int64(parts[1]), (0..<60).contains(minutes)
    else { return nil }
    let seconds = parts.count == 3 ? decimalMicroseconds(parts[2]) : 0
    guard let seconds, seconds < 61_000_000 else { return nil }
    return (hours * 60 + minutes) * 60_000_000 + seconds
}

/// Seconds with a fraction of any length, in microseconds, rounded down.
private func decimalMicroseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int64(parts[0]), (0..<1 << 40).contains(whole) else { return nil }
    guard parts.count == 2 else { return whole * 1_000_000 }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let digits = parts[1].prefix(6)
    return whole * 1_000_000 + (Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0)
}

/// `2023-09-14` in days since 1970-01-01, of the proleptic Gregorian calendar in eras of 400 years that begin in March.
private func daysSince1970(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2], (0...9_999).contains(year),
        (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

extension ValueType<Opcode> {
    /// An opcode by number, `0x0a` or `10`, or by the name the specification gives it, `read_request`.
    static var opcode: Self {
        ValueType(completion: .words(Opcode.assigned.map(\.identifier))) { (text) throws(ValueError) in
            let isHexadecimal = text.lowercased().hasPrefix("0x")
            if let number = UInt8(isHexadecimal ? String(text.dropFirst(2)) : text, radix: isHexadecimal ? 16 : 10) {
                return Opcode(number)
            }
            let wanted = String(text.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
            if let opcode = Opcode.assigned.first(where: { $0.identifier == wanted }) { return opcode }
            let near = nearest(to: wanted, among: Opcode.assigned.map(\.identifier))
            throw ValueError("is no opcode" + (near.map { "; did you mean \"\($0)\"?" } ?? ": 0x0a, or read_request"))
        }
    }
}

extension Opcode {
    /// Every opcode that has a name.
    static let assigned: [Opcode] = (UInt8.min...UInt8.max).map { Opcode($0) }
        .filter { !$0.name.hasPrefix("Unknown") }

    /// The name as one types it: `read_request`.
    var identifier: String { String(name.lowercased().map { $0 == " " ? "_" : $0 }) }
}

/// Which part of a capture is wanted.
struct DecodeFilter: Sendable {
    var device: (octets: AddressOctets, type: DeviceAddress.AddressType?)?
    var connections: Set<Int> = []
    var handles: Set<AttributeHandle> = []
    var opcodes: Set<Opcode> = []
    var onlyErrors = false
    var from: CaptureMoment?
    var to: CaptureMoment?

    /// Nanoseconds since 1970, once the first time of the capture is known.
    private var range: ClosedRange<Int64>?

    /// Whether anything is left out.
    var isOpen: Bool {
        device == nil && connections.isEmpty && handles.isEmpty && opcodes.isEmpty && !onlyErrors && from == nil
            && to == nil
    }

    /// Whether a time is within what is wanted. Packets without a time are, unless a time was asked for.
    mutating func includes(_ time: CaptureTime?) -> Bool {
        guard from != nil || to != nil else { return true }
        guard let time else { return false }
        if range == nil {
            let first = from?.nanoseconds(from: time) ?? .min
            range = first...max(first, to?.nanoseconds(from: time) ?? .max)
        }
        return range?.contains(time.nanoseconds) ?? true
    }

    /// Whether a connection is wanted.
    func includes(_ connection: CaptureDecoder.Connection) -> Bool {
        guard connections.isEmpty || connections.contains(connection.number) else { return false }
        guard let device else { return true }
        guard let peer = connection.peer, peer.octets == device.octets else { return false }
        return device.type.map { $0 == peer.type } ?? true
    }

    /// Whether a PDU of a wanted connection is wanted, by its opcode.
    func includes(_ opcode: Opcode?) -> Bool {
        opcodes.isEmpty || opcode.map { opcodes.contains($0) } ?? false
    }

    /// Whether it is wanted for what it says.
    func includes(_ description: PDUDescription) -> Bool {
        if onlyErrors, !description.isFailure { return false }
        return handles.isEmpty || description.handles.contains { handles.contains($0) }
    }
}
