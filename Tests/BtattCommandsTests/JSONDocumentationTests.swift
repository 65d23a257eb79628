import Foundation
import Testing

@testable import BtattCommands

/// Holds what the commands print to docs/json.md.
@Suite struct JSONDocumentationTests {
    /// A value as an independent parser reads it.
    indirect enum Parsed: Decodable {
        case null, boolean
        case integer(Int)
        case number
        case string(String)
        case array([Parsed])
        case object([String: Parsed])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if (try? container.decode(Bool.self)) != nil {
                self = .boolean
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if (try? container.decode(Double.self)) != nil {
                self = .number
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Parsed].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Parsed].self))
            }
        }

        func has(type: String) -> Bool {
            switch self {
            case .boolean: type == "boolean" || type == "any"
            case .integer: type == "integer" || type == "any"
            case .string: type == "string" || type == "any"
            case .array: type == "array" || type == "any"
            case .object: type == "object" || type == "any"
            case .null, .number: type == "any"
            }
        }
    }

    struct Field {
        var key: String
        var type: String
        var isAlways: Bool
    }

    /// The fields by kind, in the order of the page.
    static func documented() throws -> [String: [Field]] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/json.md")
        var fields: [String: [Field]] = [:]
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, cells[1].hasPrefix("`") else { continue }
            for kind in cells[0].split(separator: ", ") {
                fields[String(kind), default: []].append(
                    Field(key: cells[1].trimmingCharacters(in: ["`"]), type: cells[2], isAlways: cells[3] == "yes"))
            }
        }
        return fields
    }

    static let commandLines = [
        "-i virtual scan --count 3 --duration 60", "-d virtual:torture discover --values",
        "-d virtual:heart-rate discover --values",
        "-d virtual:thermometer discover --values", "-d virtual:torture services",
        "-d virtual:torture services --secondary",
        "-d virtual:torture includes", "-d virtual:torture characteristics", "-d virtual:torture descriptors",
        "-d virtual:heart-rate read 180f/2a19 0x0003", "-d virtual:heart-rate read --uuid 2a29",
        "-d virtual:heart-rate read --multiple 0x0003 0x0014", "-d virtual:heart-rate read --multiple --variable 3 5",
        "-d virtual:heart-rate write 180d/2a39 0x01", "-d virtual:heart-rate write 0x0011 0x01",
        "-d virtual:heart-rate subscribe 180d/2a37 --count 1", "-d virtual:thermometer subscribe 1809/2a1c --count 1",
        "-d virtual:\(Programs.fixture("devices/lock.device")) --security medium write --signed --csrk "
            + "3c4fcf098815f7aba6d2ae2816157e2b 0x0003 0x01",
        "-d virtual:heart-rate mtu", "-d virtual:heart-rate --mtu 23 mtu", "-d virtual:torture read 0x00c2",
        "-d virtual:nothing discover", "-d unix:/nowhere/at/all mtu", "-d virtual:heart-rate shell /dev/zero",
    ]

    @Test func everyObjectIsAsDocumented() async throws {
        let documented = try Self.documented()
        #expect(documented.count > 15)
        var seen: Set<String> = []
        for line in Self.commandLines {
            let run = await btatt("--json \(line)")
            #expect(!run.lines.isEmpty, "\(line): \(run.error)")
            for text in run.lines { try check(text, of: line, documented, &seen) }
        }
        for (line, objects) in try await decodedObjects() {
            for text in objects { try check(text, of: line, documented, &seen) }
        }
        for text in try await Self.servingObjects() { try check(text, of: "serve", documented, &seen) }
        for (line, objects) in await Self.bondObjects() {
            for text in objects { try check(text, of: line, documented, &seen) }
        }
        // An adapter is not on every machine, pairing needs one, and a device without oddities gives no remark.
        let absent: Set = ["adapter", "paired", "passkey", "remark"]
        #expect(Set(documented.keys).subtracting(seen).subtracting(absent).isEmpty)
    }

    private func check(
        _ text: String, of line: String, _ documented: [String: [Field]], _ seen: inout Set<String>
    ) throws {
        let object = try JSONDecoder().decode([String: Parsed].self, from: Data(text.utf8))
        guard case .string(let kind) = object["kind"], text.hasPrefix("{\"kind\":"), let fields = documented[kind]
        else {
            Issue.record("\(line): a kind that is not documented: \(text)")
            return
        }
        seen.insert(kind)
        for (key, value) in object where key != "kind" {
            guard let field = fields.first(where: { $0.key == key }) else {
                Issue.record("\(line): \(kind) has a key that is not documented, \(key): \(text)")
                continue
            }
            #expect(value.has(type: field.type), "\(line): \(key) of \(text)")
        }
        for field in fields where field.isAlways {
            #expect(object[field.key] != nil, "\(line): \(field.key) is missing in \(text)")
        }
        // The order of the page is the order of the output.
        let order = fields.map(\.key).filter { object[$0] != nil }
        #expect(Self.keys(of: text).dropFirst() == order[...], "\(line): \(text)")
    }

    /// The keys of an object in the order of its text, those of objects inside it left out.
    private static func keys(of text: String) -> [String] {
        var keys: [String] = []
        var depth = 0
        var string: String?
        var last = ""
        var isEscaped = false
        for character in text {
            if let part = string {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    last = part
                    string = nil
                } else {
                    string = part + String(character)
                }
                continue
            }
            switch character {
            case "\"": string = ""
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case ":" where depth == 1: keys.append(last)
            default: break
            }
        }
        return keys
    }

    /// What `serve` prints while a client comes, subscribes, writes and goes.
    private static func servingObjects() async throws -> [String] {
        let path = "/tmp/btatt-json-\(ProcessInfo.processInfo.processIdentifier)"
        let recorder = Recorder()
        let serving = Task {
            await Btatt.run(["--json", "serve", "heart-rate", "--on", "unix:\(path)"], .none) {
                recorder.console(.none, $0)
            }
        }
        while recorder.output.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await btatt("-d unix:\(path) subscribe 180d/2a37 --count 1").status == .done)
        #expect(await btatt("-d unix:\(path) write 180d/2a39 0x01").status == .done)
        while recorder.output.components(separatedBy: "\"disconnected\"").count < 3 {
            try await Task.sleep(for: .milliseconds(5))
        }
        serving.cancel()
        #expect(await serving.value == .interrupted)
        #expect(!FileManager.default.fileExists(atPath: path))
        return recorder.output.split(separator: "\n").map(String.init)
    }
}
