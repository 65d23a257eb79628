import Foundation
import Wire

/// A file of Fixtures/regressions: an input that once broke some Bluetooth stack, and the right result.
///
/// One line a fact: a key, a space, a value. `#` begins a remark. Which keys there are is up to the folder; the tests
/// that read a folder list them. Keys may come several times and in an order that counts.
public struct RegressionFile: Sendable, CustomStringConvertible {
    /// One line.
    public struct Line: Sendable {
        /// The first word.
        public let key: String
        /// The rest, without the spaces around it; may be empty.
        public let value: String

        /// The words of the value.
        public var words: [String] { value.split(separator: " ").map(String.init) }
        /// The value as octets; `-` stands for none.
        public var octets: [UInt8] { value == "-" ? [] : hex(value) }
        /// The octets after the first `count` words; `-` stands for none.
        public func octets(after count: Int) -> [UInt8] {
            let rest = words.dropFirst(count).joined(separator: " ")
            return rest == "-" ? [] : hex(rest)
        }
        /// The number a word is, decimal or with `0x`. Stops the test on a typing error.
        public func number(_ index: Int = 0) -> Int {
            guard words.indices.contains(index), let number = Self.number(words[index]) else {
                fatalError("no number in: \(key) \(value)")
            }
            return number
        }
        /// The text between the quotes, with `\u{…}` for what cannot be printed; `nil` for `-`.
        public var text: String? {
            if value == "-" { return nil }
            guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else {
                fatalError("no text in: \(key) \(value)")
            }
            var text = ""
            var rest = value.dropFirst().dropLast()
            while let escape = rest.range(of: "\\u{"), let end = rest[escape.upperBound...].firstIndex(of: "}") {
                text += rest[..<escape.lowerBound]
                if let number = UInt32(rest[escape.upperBound..<end], radix: 16), let scalar = Unicode.Scalar(number) {
                    text.unicodeScalars.append(scalar)
                }
                rest = rest[rest.index(after: end)...]
            }
            return text + rest
        }

        private static func number(_ word: String) -> Int? {
            word.hasPrefix("0x") ? Int(word.dropFirst(2), radix: 16) : Int(word)
        }
    }

    /// The file's name without `.txt`.
    public let name: String
    /// Its lines, remarks and empty ones left out.
    public let lines: [Line]

    public var description: String { name }

    /// The lines with a key.
    public subscript(key: String) -> [Line] { lines.filter { $0.key == key } }

    /// The files of a folder, by name. Stops the test when there are none: a wrong path must not pass for no faults.
    public static func all(in folder: String, file: String = #filePath) -> [RegressionFile] {
        let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let directory = root.appendingPathComponent("Fixtures/regressions/\(folder)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        let files = names.filter { $0.hasSuffix(".txt") }.sorted().map { name in
            let text = try? String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
            return RegressionFile(name: String(name.dropLast(4)), text: text ?? "")
        }
        guard !files.isEmpty else { fatalError("no files in \(directory.path)") }
        return files
    }

    init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n").compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
            let parts = line.split(separator: " ", maxSplits: 1)
            return Line(
                key: String(parts[0]),
                value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
    }
}
