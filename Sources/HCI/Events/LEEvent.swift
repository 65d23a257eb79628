/// An LE event with its parameters read (Core Specification, Vol 4, Part E, 7.7.65).
@frozen
public enum LEEvent: ~Escapable {
    /// A connection was made, or could not be: all three versions of the event.
    case connectionComplete(LEConnectionComplete)
    /// Legacy advertising reports.
    case advertisingReport(AdvertisingReports)
    /// Extended advertising reports.
    case extendedAdvertisingReport(AdvertisingReports)
    /// Directed advertisements to a resolvable private address of ours.
    case directedAdvertisingReport(AdvertisingReports)
    /// A connection's interval, latency or timeout was changed, or could not be.
    case connectionUpdateComplete(LEConnectionUpdateComplete)
    /// A peer's LE features.
    case readRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
    /// A peer wants the link encrypted; as a central one never gets it.
    case longTermKeyRequest(LELongTermKeyRequest)
    /// A peer wants other connection parameters.
    case remoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
    /// The link layer's packets became longer or shorter. It has no bearing on the ATT MTU.
    case dataLengthChange(LEDataLengthChange)
    /// A link's PHYs were changed, or could not be.
    case phyUpdateComplete(LEPHYUpdateComplete)
    /// A scan with a duration ended.
    case scanTimeout
    /// A subevent this module has no type for, and its parameters.
    case other(LESubeventCode, RawSpan)

    /// Reads the parameters of an LE Meta event, the subevent code first.
    @_lifetime(copy parameters)
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        let code = LESubeventCode(rawValue: try reader.uint8())
        switch code {
        case .connectionComplete:
            self = .connectionComplete(try LEConnectionComplete(reading: &reader, version: .legacy))
        case .enhancedConnectionComplete:
            self = .connectionComplete(try LEConnectionComplete(reading: &reader, version: .enhanced))
        case .enhancedConnectionCompleteV2:
            self = .connectionComplete(try LEConnectionComplete(reading: &reader, version: .enhancedV2))
        case .advertisingReport:
            self = .advertisingReport(try AdvertisingReports(parsing: parameters, layout: .legacy))
        case .extendedAdvertisingReport:
            self = .extendedAdvertisingReport(try AdvertisingReports(parsing: parameters, layout: .extended))
        case .directedAdvertisingReport:
            self = .directedAdvertisingReport(try AdvertisingReports(parsing: parameters, layout: .directed))
        case .connectionUpdateComplete:
            self = .connectionUpdateComplete(try LEConnectionUpdateComplete(reading: &reader))
        case .readRemoteFeaturesComplete:
            self = .readRemoteFeaturesComplete(try LEReadRemoteFeaturesComplete(reading: &reader))
        case .longTermKeyRequest: self = .longTermKeyRequest(try LELongTermKeyRequest(reading: &reader))
        case .remoteConnectionParameterRequest:
            self = .remoteConnectionParameterRequest(try LERemoteConnectionParameterRequest(reading: &reader))
        case .dataLengthChange: self = .dataLengthChange(try LEDataLengthChange(reading: &reader))
        case .phyUpdateComplete: self = .phyUpdateComplete(try LEPHYUpdateComplete(reading: &reader))
        case .scanTimeout: self = .scanTimeout
        default: self = .other(code, reader.rest())
        }
    }
}
