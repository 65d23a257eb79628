import Captures
import Presentation
import Testing

@testable import GATT

/// Plays a transcript to an engine and compares everything that comes out.
final class TranscriptRunner {
    private let transcript: Transcript
    private var engine: ClientEngine
    private let configuration: ClientConfiguration
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// What was sent and not yet compared.
    private var sent: [[UInt8]] = []
    /// What the user was told and not yet compared.
    private var events: [String] = []
    private var logs: [String] = []
    private var names: [OperationID: String] = [:]

    /// - Parameter mtu: ATT_MTU at the start; nil for the first of those that the transcript names.
    init(_ script: TranscriptScript, mtu: Int? = nil) throws {
        let transcript: Transcript
        do throws(Transcript.SyntaxError) {
            transcript = try Transcript(parsing: script.text)
        } catch {
            throw TranscriptError(error.line, error.reason)
        }
        self.transcript = transcript
        func number(_ key: String) -> Int? { transcript[header: key].flatMap { Int($0) } }
        configuration = ClientConfiguration(
            preferredMTU: number("preferred") ?? 23, initialMTU: mtu ?? transcript.mtu,
            maximumRounds: number("rounds") ?? 4096, elevatesSecurity: transcript[header: "elevate"] == "yes",
            isFixedChannel: transcript[header: "bearer"] != "enhanced")
        engine = ClientEngine(configuration: configuration)
        prepare()
    }

    /// Gives the engine what the header says it has.
    private func prepare() {
        guard let key = transcript[header: "csrk"].flatMap({ Transcript.octets($0) }) else { return }
        let counter = transcript[header: "counter"].flatMap { UInt32($0) } ?? 0
        engine.signer = MessageSigner(counter: counter, authenticate: authentication(key))
    }

    /// Plays everything.
    /// - Throws: `TranscriptError` with the first line that does not hold.
    func run() throws {
        var last = 0
        for (index, line) in transcript.lines.enumerated() {
            let number = transcript.lineNumber(of: index) ?? 0
            last = number
            switch line {
            case .comment: continue
            case .pdu(let pdu) where pdu.direction == .fromServer: engine.receive(pdu.octets.octets, at: now)
            case .pdu(let pdu):
                guard !sent.isEmpty else { throw TranscriptError(number, "nothing was sent; told: \(events)") }
                let actual = sent.removeFirst()
                guard actual == pdu.octets else { throw TranscriptError(number, "sent was \(actual.hexadecimal)") }
                continue
            case .directive(let key, let value): try perform(key, value, number)
            }
            drain()
        }
        try expectNothingLeft(last)
    }

    private func perform(_ key: String, _ value: String, _ line: Int) throws {
        switch key {
        case "do": try call(value, line)
        case "event":
            guard !events.isEmpty else {
                throw TranscriptError(line, "nothing was told; sent: \(sent.map(\.hexadecimal))")
            }
            let actual = events.removeFirst()
            guard actual == value else { throw TranscriptError(line, "told was: \(actual)") }
        case "none":
            guard sent.isEmpty else { throw TranscriptError(line, "sent was \(sent.map(\.hexadecimal))") }
        case "wait":
            guard value.hasSuffix("s"), let seconds = Double(value.dropLast()) else {
                throw TranscriptError(line, "no time")
            }
            now = now + .milliseconds(Int(seconds * 1000))
            engine.advance(to: now)
        case "check":
            let actual =
                switch value.split(separator: " ").first {
                case "mtu": "mtu \(engine.mtu)"
                case "requests": "requests \(engine.requestCount)"
                case "database":
                    "database " + (engine.database.map { $0.hash?.description ?? "without hash" } ?? "unknown")
                case "open", "closed": engine.isClosed ? "closed" : "open"
                default: "?"
                }
            guard actual == value else { throw TranscriptError(line, "it is \(actual)") }
        case "present", "aggregate":
            guard let equals = value.firstRange(of: " = ") else { throw TranscriptError(line, "no = with spaces") }
            let given = String(value[..<equals.lowerBound])
            let actual = key == "present" ? presented(given) : aggregated(given)
            guard actual == value[equals.upperBound...] else { throw TranscriptError(line, "it is \(actual)") }
        case "log":
            guard !logs.isEmpty else { throw TranscriptError(line, "nothing was logged") }
            logs.removeFirst()
        case "restart":
            try expectNothingLeft(line)
            engine = ClientEngine(configuration: configuration)
            prepare()
            names = [:]
            logs = []
        default: throw TranscriptError(line, "unknown directive \(key)")
        }
    }

    /// Formats of seven octets each, a bar, and octets: what these mean.
    private func presented(_ text: String) -> String {
        let parts = text.split(separator: "|").map { Transcript.octets($0) ?? [] }
        guard parts.count == 2 else { return "no formats and value" }
        let formats = stride(from: 0, to: parts[0].count, by: 7).map {
            PresentationFormat(Array(parts[0][$0..<min($0 + 7, parts[0].count)]))
        }
        let values = PresentationFormat.decode(parts[1], by: formats.compactMap(\.self))
        return values.map { $0.map(\.description).joined(separator: "; ") } ?? "octets"
    }

    private func aggregated(_ text: String) -> String {
        let format = Transcript.octets(text).flatMap { AggregateFormat($0) }
        return format?.handles.map(\.description).joined(separator: ", ") ?? "nothing"
    }

    private func call(_ value: String, _ line: Int) throws {
        var text = value
        var name: String?
        if let equals = text.firstRange(of: " = ") {
            name = String(text[..<equals.lowerBound])
            text = String(text[equals.upperBound...])
        }
        switch TranscriptCommand(text) {
        case .start(let procedure)?:
            let id = engine.start(procedure, at: now)
            names[id] = name
        case .cancel(let name)?:
            guard let id = names.first(where: { $0.value == name })?.key else {
                throw TranscriptError(line, "no \(name)")
            }
            engine.cancel(id, at: now)
        case .security(let result)?: engine.securityChanged(result, at: now)
        case .disconnect(let reason)?: engine.bearerClosed(.disconnected(reason: reason), at: now)
        case .encrypted?: engine.isEncrypted = true
        case .full?: engine.transportIsFull()
        case .ready?: engine.transportIsReady(at: now)
        case .knowServiceChanged(let handle)?: engine.serviceChangedHandle = handle
        case nil: throw TranscriptError(line, "no such call: \(text)")
        }
    }

    /// Takes everything out of the engine.
    private func drain() {
        while let action = engine.nextAction() {
            switch action {
            case .send(let pdu): sent.append(pdu)
            case .completed(let id, let result):
                let text =
                    switch result {
                    case .success(let outcome): outcome.transcript
                    case .failure(let error): error.transcript
                    }
                events.append(names[id].map { "\($0): \(text)" } ?? text)
            case .progress: break
            case .valueChanged(let handle, let value, let kind): events.append("\(kind) \(handle)=\(value.hexadecimal)")
            case .servicesChanged(let range): events.append("services changed \(range.transcript)")
            case .databaseChanged(let known): events.append("now \(Outcome.database(known.database).transcript)")
            case .databaseLost(let error): events.append("database lost, \(error.transcript)")
            case .raiseSecurity(let code): events.append("raise security 0x\([code.rawValue].hexadecimal)")
            case .close(let reason): events.append("close, \(reason.transcript)")
            case .log(let text): logs.append(text)
            }
        }
    }

    private func expectNothingLeft(_ line: Int) throws {
        guard sent.isEmpty else { throw TranscriptError(line, "also sent: \(sent.map(\.hexadecimal))") }
        guard events.isEmpty else { throw TranscriptError(line, "also told: \(events)") }
    }
}

/// AES-CMAC with a key that is given as it is transmitted, least significant octet first.
func authentication(_ key: [UInt8]) -> MessageSigner.Authentication {
    let number = key.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return { message in
        let code = CMAC(key: number).code(of: message)
        return (0..<16).map { UInt8(truncatingIfNeeded: code >> UInt128(120 - 8 * $0)) }
    }
}
