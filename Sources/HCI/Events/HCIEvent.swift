/// An event with its parameters read: what a host must understand, as views over the packet
/// (Core Specification, Vol 4, Part E, 7.7).
@frozen
public enum HCIEvent: ~Escapable {
    /// A command has its result.
    case commandComplete(CommandComplete)
    /// A command was begun or refused.
    case commandStatus(CommandStatus)
    /// A connection ended, or could not be ended.
    case disconnectionComplete(DisconnectionComplete)
    /// A link became encrypted, or did not.
    case encryptionChange(EncryptionChange)
    /// A link's key was replaced.
    case encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete)
    /// The version of a peer's controller.
    case readRemoteVersionInformationComplete(ReadRemoteVersionInformationComplete)
    /// The controller failed: only a reset helps.
    case hardwareError(code: UInt8)
    /// Buffers became free.
    case numberOfCompletedPackets(NumberOfCompletedPackets)
    /// An LE event.
    case le(LEEvent)
    /// An event this module has no type for.
    case other(EventPacket)

    /// Reads an event without its type octet.
    /// - Throws: the offset in a `MalformedError` counts from the event code.
    @_lifetime(copy packet)
    public init(parsing packet: RawSpan) throws(MalformedError) {
        try self.init(EventPacket(parsing: packet))
    }

    /// Reads the parameters of an event.
    /// - Throws: the offset in a `MalformedError` counts from the event code.
    @_lifetime(copy packet)
    public init(_ packet: EventPacket) throws(MalformedError) {
        do throws(MalformedError) {
            let parameters = packet.parameters
            switch packet.code {
            case .commandComplete: self = .commandComplete(try CommandComplete(parsing: parameters))
            case .commandStatus: self = .commandStatus(try CommandStatus(parsing: parameters))
            case .disconnectionComplete: self = .disconnectionComplete(try DisconnectionComplete(parsing: parameters))
            case .encryptionChange: self = .encryptionChange(try EncryptionChange(parsing: parameters, version: 1))
            case .encryptionChangeV2: self = .encryptionChange(try EncryptionChange(parsing: parameters, version: 2))
            case .encryptionKeyRefreshComplete:
                self = .encryptionKeyRefreshComplete(try EncryptionKeyRefreshComplete(parsing: parameters))
            case .readRemoteVersionInformationComplete:
                self = .readRemoteVersionInformationComplete(
                    try ReadRemoteVersionInformationComplete(parsing: parameters))
            case .hardwareError:
                var reader = OctetReader(parameters)
                self = .hardwareError(code: try reader.uint8())
            case .numberOfCompletedPackets:
                self = .numberOfCompletedPackets(try NumberOfCompletedPackets(parsing: parameters))
            case .leMeta: self = .le(try LEEvent(parsing: parameters))
            default: self = .other(packet)
            }
        } catch {
            // The code and the length octet stand before the parameters.
            throw MalformedError(error.kind, at: error.offset &+ 2)
        }
    }
}
