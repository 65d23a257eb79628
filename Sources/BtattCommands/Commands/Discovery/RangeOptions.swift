import CommandLineParsing
import GATT

/// `--start` and `--end`, which commands that search a range of handles share.
enum RangeOptions {
    static let start = Option("start", "HANDLE", .handle, help: "The first handle to look at; default 0x0001.")
    static let end = Option("end", "HANDLE", .handle, help: "The last handle to look at; default 0xffff.")

    /// The range that was given.
    static func range(_ arguments: ParsedArguments) throws(Failure) -> HandleRange {
        let first = AttributeHandle(arguments[start] ?? 1)
        let last = AttributeHandle(arguments[end] ?? 0xFFFF)
        guard let range = HandleRange(first: first, last: last) else {
            throw Failure(.usage, "--start \(first) is after --end \(last)")
        }
        return range
    }
}
