import Captures
import Foundation

/// The standing of the project against the test suite of the Bluetooth SIG, as docs/conformance.md shows it.
///
/// It is made from three things: the list of cases (Fixtures/conformance-cases.txt), the transcripts, which say in their
/// names and descriptions which case they are, and tests that name a case in their title.
struct ConformanceTable {
    /// One case of the suite.
    struct Case {
        var section: String
        var id: String
        var meaning: String
        /// Why it does not apply; nil when it does.
        var reason: String?
        /// Paths of transcripts, from the project's folder.
        var transcripts: [String] = []
        /// Names of test files.
        var tests: [String] = []
        /// The values of ATT_MTU with which its transcripts are played.
        var mtus: Set<Int> = []

        var isHeld: Bool { !transcripts.isEmpty || !tests.isEmpty }
    }

    private(set) var cases: [Case] = []
    /// What names a case that is not in the list.
    private(set) var strangers: [String] = []

    /// Reads everything from the project's folder.
    init(project: URL) throws {
        var section = ""
        let list = try String(contentsOf: project.appending(path: "Fixtures/conformance-cases.txt"), encoding: .utf8)
        for line in list.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                section = String(line.dropFirst().dropLast())
                continue
            }
            let parts = line.components(separatedBy: " | ")
            cases.append(
                Case(section: section, id: parts[0], meaning: parts[1], reason: parts.count > 2 ? parts[2] : nil))
        }
        try addTranscripts(project)
        try addTests(project)
    }

    private mutating func addTranscripts(_ project: URL) throws {
        for script in TranscriptScript.all(in: "conformance") {
            let path = "Fixtures/transcripts/conformance/\(script.name).txt"
            let transcript = try Transcript(parsing: script.text)
            // The file's name and the description have to agree.
            let name = script.name.split(separator: "/").last.map(String.init) ?? ""
            let id = (transcript[header: "description"] ?? "").prefix { $0 != ":" }
            guard name.prefix(while: { $0 != "." }).replacing("-", with: "/") == id.replacing("-", with: "/"),
                let index = cases.firstIndex(where: { $0.id == id })
            else {
                strangers.append(path)
                continue
            }
            cases[index].transcripts.append(path)
            cases[index].mtus.formUnion(Self.mtus(of: transcript))
        }
    }

    /// Those it begins with, or what it agrees on.
    private static func mtus(of transcript: Transcript) -> [Int] {
        let agreed = transcript.lines.compactMap { line -> Int? in
            guard case .directive(_, let value) = line, value.hasPrefix("mtu ") else { return nil }
            return Int(value.dropFirst(4))
        }
        return agreed.isEmpty ? transcript.mtus : agreed
    }

    private mutating func addTests(_ project: URL) throws {
        let folder = project.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        for name in names.sorted() {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("@Test(\"GATT/") {
                guard let start = line.range(of: "GATT/") else { continue }
                let id = line[start.lowerBound...].prefix { $0 != ":" && $0 != "\"" }
                guard let index = cases.firstIndex(where: { $0.id == id }) else {
                    strangers.append("\(name): \(id)")
                    continue
                }
                let file = "Tests/\(name)"
                if !cases[index].tests.contains(file) { cases[index].tests.append(file) }
            }
        }
    }

    /// Applicable cases that nothing holds the project to.
    var missing: [String] { cases.filter { $0.reason == nil && !$0.isHeld }.map(\.id) }

    /// The whole page.
    var page: String {
        let applicable = cases.filter { $0.reason == nil }
        var lines = [
            "# Conformance", "",
            "The cases of the Bluetooth SIG's test suite for GATT, and what holds the project to each. Made by",
            "`scripts/generate/conformance`; do not edit. A transcript is the exchange octet by octet: everything the client",
            "sends and says has to stand in it, in order, at each of the values of ATT_MTU that are listed. The tests play",
            "all of them, and fail when this page is not what they would make of it or when a case has nothing.", "",
            "\(applicable.count) cases apply, \(applicable.filter(\.isHeld).count) of them are held; "
                + "\(cases.count - applicable.count) do not apply.",
        ]
        let titles = [
            "client": "Client", "client, earlier": "Client, cases of earlier versions of the suite",
            "server": "Server, as a client meets it",
        ]
        var section = ""
        for entry in cases {
            if entry.section != section {
                section = entry.section
                lines += [
                    "", "## \(titles[section] ?? section)", "", "| case | meaning | held by | ATT_MTU | standing |",
                ]
                lines.append("|---|---|---|---|---|")
            }
            lines.append(row(entry))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ entry: Case) -> String {
        let links = (entry.transcripts + entry.tests).map { path in
            "[\(path.split(separator: "/").last ?? "")](../\(path))"
        }
        let mtus = entry.mtus.sorted().map(String.init).joined(separator: ", ")
        let standing =
            if let reason = entry.reason { "not applicable: \(reason)" } else { entry.isHeld ? "held" : "MISSING" }
        return "| \(entry.id) | \(entry.meaning) | \(links.joined(separator: "<br>")) | \(mtus) | \(standing) |"
    }
}
