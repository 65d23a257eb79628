// Instructions that were counted outside, by callgrind, and come back in as a file.

import Glibc

/// What a counter outside found for one operation.
struct Count: Sendable {
    var instructions: Double
    /// The same of the C reference, where there is one.
    var reference: Double?
}

/// Reads lines of `allocations instructions reference path`, where a `-` stands for no reference; a line that is none is
/// left out, as comments are.
func counts(inFile path: String) -> [String: Count]? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let read = unsafe fread(&buffer, 1, buffer.count, file)
        guard read > 0 else { break }
        text += buffer[..<read]
    }
    var counts: [String: Count] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
        guard fields.count == 4, let instructions = Double(fields[1]) else { continue }
        counts[String(fields[3])] = Count(instructions: instructions, reference: Double(fields[2]))
    }
    return counts
}
