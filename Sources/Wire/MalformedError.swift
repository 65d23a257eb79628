/// Why octets that a peer, a controller or a file gave could not be decoded, and where.
public struct MalformedError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The octets end before the field does.
        case truncated
        /// Octets follow the end of the last field.
        case trailingOctets
        /// A length field, or the number of octets left, fits no whole number of entries.
        case invalidLength
        /// A field holds a value that the specification reserves or forbids.
        case invalidValue
        /// The first octet is not the opcode (or code) of the type that was asked to decode it.
        case wrongOpcode
        /// There are more octets than the bearer or the specification allows.
        case tooLong
    }

    /// What is wrong.
    public var kind: Kind

    /// The offset, in octets from the start of the decoded bytes, of the field that is wrong.
    public var offset: Int

    @inlinable
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension MalformedError: CustomStringConvertible {
    public var description: String {
        let what =
            switch kind {
            case .truncated: "the octets end too early"
            case .trailingOctets: "octets follow the end"
            case .invalidLength: "a length does not fit"
            case .invalidValue: "a value is not allowed"
            case .wrongOpcode: "the opcode is another one"
            case .tooLong: "more octets than allowed"
            }
        return "\(what) (at offset \(offset))"
    }
}

/// Why a value could not be encoded.
public enum EncodeError: Error, Hashable, Sendable {
    /// The caller's buffer has fewer free octets than the packet needs.
    case noRoom(needed: Int, available: Int)
    /// A field is longer than its length field, the packet or the specification can hold.
    case tooLong(length: Int, maximum: Int)
    /// A field holds a value the specification does not allow there.
    case invalidValue
}
