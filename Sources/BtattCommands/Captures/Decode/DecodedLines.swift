import ATT
import Captures
import GAP

/// Shows a capture one line a PDU, or one object a PDU.
struct DecodedLines {
    private let isJSON: Bool
    private let style: Style
    private var day: String?
    /// What is to be written next.
    var text = ""

    init(_ context: CommandContext) {
        isJSON = context.isJSON
        style = context.style
    }

    /// A PDU that is wanted.
    mutating func add(_ pdu: borrowing CapturedConversations.PDU, _ description: PDUDescription) {
        if isJSON {
            var object = Self.fields("pdu", pdu.connection, at: pdu.time)
            object["direction"] = .string(Self.name(pdu.direction))
            for field in description.json.fields { object[field.key] = field.value }
            object["pdu"] = .string(pdu.octets.hexadecimal)
            text += object.line + "\n"
            return
        }
        let arrow =
            switch pdu.direction {
            case .sent: ">"
            case .received: "<"
            case .unknown: "-"
            }
        line(pdu.time, pdu.connection, "\(arrow) \(style.bold(description.name))  \(description.text(style))")
    }

    /// A PDU by itself.
    mutating func add(_ description: PDUDescription, octets: [UInt8]) {
        if isJSON {
            var object: JSONObject = ["kind": "pdu"]
            for field in description.json.fields { object[field.key] = field.value }
            object["pdu"] = .string(octets.hexadecimal)
            text += object.line + "\n"
        } else {
            text += "\(style.bold(description.name))  \(description.text(style))".trimmingSpaces + "\n"
        }
    }

    mutating func connected(_ connection: CaptureDecoder.Connection, at time: CaptureTime?) {
        let role = connection.isCentral.map { $0 ? "central" : "peripheral" }
        if isJSON {
            var object = Self.fields("opened", connection, at: time)
            object["role"] = role.map { .string($0) }
            text += object.line + "\n"
        } else {
            let peer = connection.peer?.description ?? "a peer of unknown address"
            line(time, connection, style.faint("* connected to \(peer)" + (role.map { " as \($0)" } ?? "")))
        }
    }

    mutating func disconnected(
        _ connection: CaptureDecoder.Connection, _ reason: String, _ code: UInt8, at time: CaptureTime?
    ) {
        if isJSON {
            var object = Self.fields("closed", connection, at: time)
            object["reason"] = .object(["code": .integer(Int(code)), "name": .string(reason)])
            text += object.line + "\n"
        } else {
            line(time, connection, style.faint("* disconnected: \(reason) (0x\([code].hexadecimal))"))
        }
    }

    private mutating func line(_ time: CaptureTime?, _ connection: CaptureDecoder.Connection, _ rest: String) {
        var clock = String(repeating: "-", count: 15)
        if let time {
            let moment = Moment(microseconds: time.microseconds)
            let date = String(moment.description.prefix { $0 != "T" })
            if date != day {
                text += style.faint("\(date) UTC") + "\n"
                day = date
            }
            clock = moment.clock
        }
        text += "\(style.faint(clock))  #\(connection.number) \(rest)".trimmingSpaces + "\n"
    }

    private static func fields(
        _ kind: String, _ connection: CaptureDecoder.Connection, at time: CaptureTime?
    ) -> JSONObject {
        [
            "kind": .string(kind), "time": time.map { .string(Moment(microseconds: $0.microseconds).description) },
            "connection": .integer(connection.number), "adapter": .integer(connection.adapter),
            "address": connection.peer.map { .string("\($0.octets)") },
            "addressType": connection.peer.map { .string("\($0.type)") },
        ]
    }

    private static func name(_ direction: CaptureDirection) -> String {
        switch direction {
        case .sent: "sent"
        case .received: "received"
        case .unknown: "unknown"
        }
    }
}

extension CaptureTime {
    /// Microseconds since 1970, rounded down.
    var microseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension String {
    /// Without spaces at the end.
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
