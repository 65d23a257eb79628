/// Why a value on the command line was refused.
public struct ValueError: Error, Hashable, Sendable {
    /// What is wrong with the value, as the rest of a sentence that begins with it: `is not a number`.
    public var message: String
    /// The offset in characters, from 0, of what is wrong; `nil` for the whole value.
    public var position: Int?

    public init(_ message: String, at position: Int? = nil) {
        self.message = message
        self.position = position
    }
}

/// What a shell may offer for a value.
public enum Completion: Hashable, Sendable {
    /// Nothing.
    case none
    /// These words.
    case words([String])
    /// Names of files.
    case files
    /// What only the running program knows, by a name that it gave to it; nothing for a script.
    case known(String)
}

/// How the text of an argument becomes a value.
public struct ValueType<Value: Sendable>: Sendable {
    /// What a shell may offer.
    public var completion: Completion
    let convert: @Sendable (String) throws(ValueError) -> Value

    public init(completion: Completion = .none, _ convert: @escaping @Sendable (String) throws(ValueError) -> Value) {
        self.completion = completion
        self.convert = convert
    }
}

extension ValueType<String> {
    /// Any text.
    public static var text: Self { ValueType { text in text } }

    /// The path of a file.
    public static var file: Self { ValueType(completion: .files) { text in text } }

    /// One of `words`.
    public static func oneOf(_ words: [String]) -> Self {
        ValueType(completion: .words(words)) { (text) throws(ValueError) in
            guard words.contains(text) else {
                let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
                let near = nearest(to: text, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
                throw ValueError("is none of \(list)\(near)")
            }
            return text
        }
    }
}

extension ValueType<Int> {
    /// A number in `range`, decimal, or hexadecimal after `0x`.
    public static func integer(in range: ClosedRange<Int>) -> Self {
        ValueType { (text) throws(ValueError) in
            let hexadecimal = text.lowercased().hasPrefix("0x")
            let digits = hexadecimal ? text.dropFirst(2) : text[...]
            guard !digits.hasPrefix("+"), !(hexadecimal && digits.hasPrefix("-")),
                let number = Int(digits, radix: hexadecimal ? 16 : 10)
            else { throw ValueError("is not a whole number") }
            guard range.contains(number) else {
                throw ValueError("is not between \(range.lowerBound) and \(range.upperBound)")
            }
            return number
        }
    }
}

extension ValueType<Double> {
    /// A decimal number in `range`, a fraction allowed.
    public static func decimal(in range: ClosedRange<Double>) -> Self {
        ValueType { (text) throws(ValueError) in
            // Double also reads "inf", "nan" and "0x1p3", which no option means.
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
            guard isPlain, let number = Double(text) else { throw ValueError("is not a number") }
            guard range.contains(number) else {
                throw ValueError("is not between \(plain(range.lowerBound)) and \(plain(range.upperBound))")
            }
            return number
        }
    }
}

/// `600` for 600.0.
private func plain(_ number: Double) -> String {
    let text = String(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The declaration of a flag or option, whatever its type of value.
public struct OptionSpecification: Sendable {
    /// The name, without hyphens.
    public var name: String
    /// The one-letter name.
    public var short: Character?
    /// What stands for the value in help, such as `SECONDS`; `nil` for a flag.
    public var valueName: String?
    /// What the option does, for its line of help.
    public var help: String
    /// Whether every occurrence counts, instead of the last one.
    public var isRepeatable: Bool
    /// What a shell may offer for the value.
    public var completion: Completion
    let convert: @Sendable (String) throws(ValueError) -> any Sendable

    /// The option as it is typed: `--adapter`.
    public var spelling: String { "--\(name)" }
}

/// A flag or option of a program or a command.
public protocol OptionDeclaration: Sendable {
    /// The declaration without the type of the value.
    var specification: OptionSpecification { get }
}

/// An option without a value.
public struct Flag: OptionDeclaration {
    public let specification: OptionSpecification

    /// - Parameters:
    ///   - name: the name, without hyphens.
    ///   - short: the one-letter name.
    ///   - help: what the flag does, for its line of help.
    public init(_ name: String, short: Character? = nil, help: String) {
        specification = OptionSpecification(
            name: name, short: short, valueName: nil, help: help, isRepeatable: true, completion: .none,
            convert: { text in text })
    }
}

/// An option with a value.
public struct Option<Value: Sendable>: OptionDeclaration {
    public let specification: OptionSpecification

    /// - Parameters:
    ///   - name: the name, without hyphens.
    ///   - short: the one-letter name.
    ///   - valueName: what stands for the value in help.
    ///   - type: how the value is read.
    ///   - isRepeatable: whether every occurrence counts.
    ///   - help: what the option does, for its line of help.
    public init(
        _ name: String, short: Character? = nil, _ valueName: String, _ type: ValueType<Value>,
        isRepeatable: Bool = false, help: String
    ) {
        specification = OptionSpecification(
            name: name, short: short, valueName: valueName, help: help, isRepeatable: isRepeatable,
            completion: type.completion, convert: { (text) throws(ValueError) in try type.convert(text) })
    }
}

/// How many arguments a positional takes.
public enum Arity: Hashable, Sendable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// One or more; only the last positional can be this.
    case oneOrMore
    /// Any number; only the last positional can be this.
    case any

    var isRequired: Bool { self == .one || self == .oneOrMore }
    var isMany: Bool { self == .oneOrMore || self == .any }
}

/// The declaration of a positional argument, whatever its type.
public struct PositionalSpecification: Sendable {
    /// What stands for the argument in help: `ATTRIBUTE`.
    public var name: String
    /// What it is, for its line of help.
    public var help: String
    /// How many arguments it takes.
    public var arity: Arity
    /// What a shell may offer.
    public var completion: Completion
    let convert: @Sendable (String) throws(ValueError) -> any Sendable

    /// `ATTRIBUTE...`, `[FILE]`.
    public var synopsis: String {
        let repeated = arity.isMany ? "\(name)..." : name
        return arity.isRequired ? repeated : "[\(repeated)]"
    }
}

/// A positional argument of a command.
public protocol PositionalDeclaration: Sendable {
    /// The declaration without the type of the value.
    var specification: PositionalSpecification { get }
}

/// A positional argument.
public struct Positional<Value: Sendable>: PositionalDeclaration {
    public let specification: PositionalSpecification

    /// - Parameters:
    ///   - name: what stands for the argument in help.
    ///   - type: how it is read.
    ///   - arity: how many arguments it takes.
    ///   - help: what it is.
    public init(_ name: String, _ type: ValueType<Value>, _ arity: Arity = .one, help: String) {
        specification = PositionalSpecification(
            name: name, help: help, arity: arity, completion: type.completion,
            convert: { (text) throws(ValueError) in try type.convert(text) })
    }
}
