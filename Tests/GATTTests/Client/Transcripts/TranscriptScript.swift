// A transcript test is a text: what the user asks for, which PDUs go over the air, what the user is told.
//
//     description: read a value of 44 octets     header, up to the first empty line
//     mtu: 23                                     ATT_MTU at the start
//     preferred: 517                              what the client offers; without it, it never asks
//     elevate: no                                 whether it raises security by itself (default: no)
//
//     do: read 0x0003                             a call of the user; `do: name = …` gives it a name
//     > 0a 0300                                   the client must send this next
//     < 0b 0001                                   the server sends this now
//     event: value 0001                           what the user is told next
//     none:                                       nothing is sent
//     wait: 30s                                   time passes
//     check: mtu 247                              what the engine says of itself
//     log:                                        something was ignored, and logged
//     restart: with another answer                a new connection from here on
//
// `#` starts a comment. Everything sent and everything told has to stand in the transcript, in order.

import Foundation
import GATT
import Testing

/// One line that does something.
struct TranscriptStep {
    enum Kind {
        case fromClient([UInt8])
        case fromServer([UInt8])
        case directive(String, String)
    }

    var line: Int
    var kind: Kind
}

/// A transcript as it is written.
struct TranscriptScript: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String

    var testDescription: String { name }

    /// Where `Fixtures` is.
    static let fixtures = URL(filePath: #filePath).appending(path: "../../../../../Fixtures").standardized

    /// Every transcript in a folder of `Fixtures/transcripts` and the folders inside, by name.
    static func all(in folder: String) -> [TranscriptScript] {
        let directory = fixtures.appending(path: "transcripts").appending(path: folder)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            guard let text = try? String(contentsOf: directory.appending(path: name), encoding: .utf8) else {
                return nil
            }
            return TranscriptScript(name: String(name.dropLast(4)), text: text)
        }
    }

    /// The header and the steps.
    func parsed() throws -> (header: [String: String], steps: [TranscriptStep]) {
        var header: [String: String] = [:]
        var steps: [TranscriptStep] = []
        var isHeader = true
        for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = raw.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if content.isEmpty {
                // A comment does not end the header, an empty line does.
                if raw.allSatisfy(\.isWhitespace), !header.isEmpty { isHeader = false }
                continue
            }
            let line = index + 1
            if let arrow = content.first, arrow == ">" || arrow == "<" {
                isHeader = false
                guard let octets = octets(content.dropFirst()) else { throw TranscriptError(line, "no octets") }
                steps.append(
                    TranscriptStep(line: line, kind: arrow == ">" ? .fromClient(octets) : .fromServer(octets)))
                continue
            }
            guard let colon = content.firstIndex(of: ":") else { throw TranscriptError(line, "no colon") }
            let key = String(content[..<colon])
            let value = content[content.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            if isHeader {
                header[key] = value
            } else {
                steps.append(TranscriptStep(line: line, kind: .directive(key, value)))
            }
        }
        return (header, steps)
    }
}

/// What is wrong, and in which line.
struct TranscriptError: Error, CustomStringConvertible {
    var line: Int
    var reason: String

    init(_ line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    var description: String { "line \(line): \(reason)" }
}

/// Octets as they are written: hexadecimal with spaces, `00..27` for ascending ones, `5a*20` for repeated ones.
func octets(_ text: some StringProtocol) -> [UInt8]? {
    var all: [UInt8] = []
    for word in text.split(separator: " ") {
        if let dots = word.firstRange(of: "..") {
            guard let first = UInt8(word[..<dots.lowerBound], radix: 16),
                let last = UInt8(word[dots.upperBound...], radix: 16), first <= last
            else { return nil }
            all += Array(first...last)
        } else if let star = word.firstIndex(of: "*") {
            guard let part = [UInt8](hexadecimal: word[..<star]), let count = Int(word[word.index(after: star)...])
            else {
                return nil
            }
            for _ in 0..<count { all += part }
        } else {
            guard let part = [UInt8](hexadecimal: word) else { return nil }
            all += part
        }
    }
    return all
}
