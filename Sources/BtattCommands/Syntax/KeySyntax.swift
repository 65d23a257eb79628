import Central
import CommandLineParsing

/// A key as it was given on the command line.
enum KeySyntax: Hashable, Sendable {
    /// The octets themselves.
    case octets([UInt8])
    /// The path of a file with the digits.
    case file(String)

    /// The key.
    /// - Throws: when the file cannot be read or holds no key.
    func key() throws(Failure) -> SigningKey {
        switch self {
        case .octets(let octets):
            guard let key = SigningKey(octets: octets) else { throw Failure(.usage, "a key has 16 octets") }
            return key
        case .file(let path):
            let text = String(decoding: try readFile(path, limit: 1024), as: UTF8.self)
            guard let octets = Self.digits(text), let key = SigningKey(octets: octets) else {
                throw Failure(.usage, "\(path) holds no key of 32 hexadecimal digits")
            }
            return key
        }
    }

    fileprivate static func digits(_ text: String) -> [UInt8]? {
        [UInt8](hexadecimal: text.filter { !$0.isWhitespace && $0 != ":" })
    }
}

extension ValueType<KeySyntax> {
    /// 32 hexadecimal digits, or `@` and the path of a file with them in it.
    static var signingKey: Self {
        ValueType { (text) throws(ValueError) in
            if text.hasPrefix("@") { return .file(String(text.dropFirst())) }
            guard let octets = KeySyntax.digits(text), octets.count == 16 else {
                throw ValueError("is no key: 32 hexadecimal digits, or @FILE")
            }
            return .octets(octets)
        }
    }
}
