/// A command to the controller (Core Specification, Vol 4, Part E, 5.4.1 and 7).
///
/// Each command is a type with its opcode, its parameters and the type of its answer:
/// `LEReadLocalSupportedFeaturesCommand.Answer(parsing: complete.returnParameters)`.
public protocol HCICommand: Sendable {
    /// What Command Complete returns for it; `StatusAnswer` where that is a status alone, or where Command Status
    /// answers it.
    associatedtype Answer: CommandAnswer = StatusAnswer

    /// Its opcode.
    static var opcode: CommandOpcode { get }

    /// Whether Command Status answers it, and an event of its own follows on success; else Command Complete does.
    static var isAnsweredByStatus: Bool { get }

    /// How many octets its parameters take, at most 255.
    var parameterByteCount: Int { get }

    /// Appends its parameters. `parameterByteCount` octets must be free.
    func encodeParameters(into output: inout OutputRawSpan)
}

extension HCICommand {
    public static var isAnsweredByStatus: Bool { false }
    public var parameterByteCount: Int { 0 }
    public func encodeParameters(into output: inout OutputRawSpan) {}

    /// How many octets the packet takes, without its type octet.
    public var encodedByteCount: Int { 3 + parameterByteCount }

    /// Appends the packet without its type octet.
    /// - Throws: `noRoom` when it does not fit.
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        guard let length = UInt8(exactly: parameterByteCount) else {
            throw .tooLong(length: parameterByteCount, maximum: Int(UInt8.max))
        }
        try output.require(encodedByteCount)
        output.append(littleEndian: Self.opcode.rawValue)
        output.append(length)
        encodeParameters(into: &output)
    }

    /// The parameters alone.
    public var parameters: [UInt8] {
        [UInt8](capacity: parameterByteCount) { encodeParameters(into: &$0) }
    }

    /// The packet with its type octet, as an HCI socket takes it.
    public var packet: [UInt8] {
        [UInt8](capacity: 4 + parameterByteCount) { output in
            output.append(PacketType.command.rawValue)
            output.append(littleEndian: Self.opcode.rawValue)
            output.append(UInt8(truncatingIfNeeded: parameterByteCount))
            encodeParameters(into: &output)
        }
    }
}

/// What Command Complete returns for a command.
public protocol CommandAnswer: Sendable {
    /// Whether the command succeeded. When it did not, the other fields are zero.
    var status: StatusCode { get }

    /// Reads the return parameters of a Command Complete event. After a status that is no success, the rest may be
    /// missing: controllers differ.
    init(parsing returnParameters: RawSpan) throws(MalformedError)
}

/// A status alone.
@frozen
public struct StatusAnswer: CommandAnswer, Hashable {
    public let status: StatusCode

    public init(parsing returnParameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(returnParameters)
        status = StatusCode(rawValue: try reader.uint8())
    }
}

/// A status and the connection it is about.
@frozen
public struct HandleAnswer: CommandAnswer, Hashable {
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle

    public init(parsing returnParameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(returnParameters)
        status = StatusCode(rawValue: try reader.uint8())
        handle = status.isSuccess || reader.remaining >= 2 ? ConnectionHandle(rawValue: try reader.uint16()) : 0
    }
}

extension OutputRawSpan {
    /// Appends 1 or 0.
    @_lifetime(self: copy self)
    mutating func append(flag: Bool) {
        let octet: UInt8 = flag ? 1 : 0
        append(octet)
    }
}
