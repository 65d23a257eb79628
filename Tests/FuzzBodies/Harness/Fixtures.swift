// The project's fixtures as inputs to begin with.

import Captures
import Glibc
import Wire

/// A folder with the project's fixtures.
public struct Fixtures: Sendable {
    private let path: String

    /// The fixtures at `path`.
    public init(at path: String) { self.path = path }

    /// The octets of every file in a folder and those in it, in the order of their names.
    public func files(in folder: String) -> [(name: String, octets: [UInt8])] {
        names("\(path)/\(folder)").flatMap { name in
            let file = "\(folder)/\(name)"
            if let octets = octets(of: "\(path)/\(file)") { return [(file, octets)] }
            return files(in: file)
        }
    }

    /// The transcripts, each with its PDUs.
    var transcripts: [Transcript] {
        files(in: "transcripts").compactMap { try? Transcript(parsing: String(decoding: $0.octets, as: UTF8.self)) }
    }

    /// The hexadecimal octets after a word at the beginning of a line, in the files of a folder.
    func lines(_ word: String, in folder: String) -> [[UInt8]] {
        files(in: folder).flatMap { file in
            String(decoding: file.octets, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix(word + " ") }
                .compactMap { [UInt8](hexadecimal: $0.dropFirst(word.count + 1)) }
        }
    }

    private func names(_ folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The kernel ends names by a zero.
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// What a file holds; nil for a folder.
    private func octets(of file: String) -> [UInt8]? {
        guard let stream = unsafe fopen(file, "r") else { return nil }
        defer { unsafe fclose(stream) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { break }
            octets += buffer[..<count]
        }
        return unsafe ferror(stream) == 0 ? octets : nil
    }
}
