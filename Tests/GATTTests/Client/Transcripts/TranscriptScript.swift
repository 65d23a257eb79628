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

import Captures
import Foundation
import GATT
import Testing

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
