/// What is wrong in a device file, where, and what would have been right.
public struct DeviceFileError: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The column of the first character concerned, counted from 1.
    public var column: Int
    /// What is wrong, as part of a sentence: `the property "reed" is not known`.
    public var problem: String
    /// What was expected instead, as part of a sentence: `broadcast, read, write …`; `nil` where nothing could be named.
    public var expected: String?

    public init(line: Int, column: Int, problem: String, expected: String? = nil) {
        self.line = line
        self.column = column
        self.problem = problem
        self.expected = expected
    }
}

extension DeviceFileError: CustomStringConvertible {
    /// One sentence: `line 7, column 20: the property "reed" is not known; expected broadcast, read, …`.
    public var description: String {
        var text = "line \(line), column \(column): \(problem)"
        if let expected { text += "; expected \(expected)" }
        return text
    }
}
