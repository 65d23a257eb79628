// Connection-oriented channels with credits, on LE (Core Specification, Vol 3, Part A, 4.6, 4.7, 4.22 to 4.28).

/// A channel shall end (4.6).
@frozen
public struct DisconnectionRequest: SignallingCommand, Hashable {
    public static let code = SignallingCode.disconnectionRequest

    /// The channel's end at the receiver of this request.
    public var destination: ChannelIdentifier
    /// The channel's end at the sender of this request.
    public var source: ChannelIdentifier

    public init(destination: ChannelIdentifier, source: ChannelIdentifier) {
        self.destination = destination
        self.source = source
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        destination = ChannelIdentifier(rawValue: try reader.uint16())
        source = ChannelIdentifier(rawValue: try reader.uint16())
        try reader.end()
    }

    public var dataByteCount: Int { 4 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: destination.rawValue)
        output.append(littleEndian: source.rawValue)
    }
}

/// A channel has ended (4.7).
@frozen
public struct DisconnectionResponse: SignallingCommand, Hashable {
    public static let code = SignallingCode.disconnectionResponse

    /// As in the request.
    public var destination: ChannelIdentifier
    /// As in the request.
    public var source: ChannelIdentifier

    public init(destination: ChannelIdentifier, source: ChannelIdentifier) {
        self.destination = destination
        self.source = source
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        let request = try DisconnectionRequest(parsing: data)
        self.init(destination: request.destination, source: request.source)
    }

    public var dataByteCount: Int { 4 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: destination.rawValue)
        output.append(littleEndian: source.rawValue)
    }
}

/// A channel shall be opened (4.22).
@frozen
public struct LECreditBasedConnectionRequest: SignallingCommand, Hashable {
    public static let code = SignallingCode.leCreditBasedConnectionRequest

    /// Which service is wanted (SPSM).
    public var spsm: UInt16
    /// The channel's end at the sender of this request.
    public var source: ChannelIdentifier
    /// The longest message the sender takes, from 23.
    public var mtu: UInt16
    /// The longest frame payload the sender takes, 23–65533.
    public var mps: UInt16
    /// How many frames the receiver may send at once.
    public var initialCredits: UInt16

    public init(spsm: UInt16, source: ChannelIdentifier, mtu: UInt16, mps: UInt16, initialCredits: UInt16) {
        self.spsm = spsm
        self.source = source
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        spsm = try reader.uint16()
        source = ChannelIdentifier(rawValue: try reader.uint16())
        mtu = try reader.uint16()
        mps = try reader.uint16()
        initialCredits = try reader.uint16()
        try reader.end()
    }

    public var dataByteCount: Int { 10 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: spsm)
        output.append(littleEndian: source.rawValue)
        output.append(littleEndian: mtu)
        output.append(littleEndian: mps)
        output.append(littleEndian: initialCredits)
    }
}

/// How opening a channel, or several, went (4.23, 4.26).
@frozen
public struct ChannelConnectionResult: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// All were opened.
    public static let success = ChannelConnectionResult(rawValue: 0x0000)
    /// There is no such service.
    public static let spsmNotSupported = ChannelConnectionResult(rawValue: 0x0002)
    /// There is no room, for all or for some.
    public static let noResources = ChannelConnectionResult(rawValue: 0x0004)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ChannelConnectionResult(rawValue: 0x0005)
    /// The device may not.
    public static let insufficientAuthorization = ChannelConnectionResult(rawValue: 0x0006)
    /// The link's key is too short.
    public static let encryptionKeySizeTooShort = ChannelConnectionResult(rawValue: 0x0007)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ChannelConnectionResult(rawValue: 0x0008)
    /// A source identifier is none of the dynamic ones.
    public static let invalidSource = ChannelConnectionResult(rawValue: 0x0009)
    /// A source identifier is in use.
    public static let sourceAlreadyAllocated = ChannelConnectionResult(rawValue: 0x000A)
    /// Something else about the parameters.
    public static let unacceptableParameters = ChannelConnectionResult(rawValue: 0x000B)
}

/// Whether a channel was opened (4.23).
@frozen
public struct LECreditBasedConnectionResponse: SignallingCommand, Hashable {
    public static let code = SignallingCode.leCreditBasedConnectionResponse

    /// The channel's end at the sender of this response; null when it was refused.
    public var destination: ChannelIdentifier
    /// The longest message the sender takes.
    public var mtu: UInt16
    /// The longest frame payload the sender takes.
    public var mps: UInt16
    /// How many frames the receiver may send at once.
    public var initialCredits: UInt16
    /// How it went.
    public var result: ChannelConnectionResult

    public init(
        destination: ChannelIdentifier, mtu: UInt16, mps: UInt16, initialCredits: UInt16,
        result: ChannelConnectionResult
    ) {
        self.destination = destination
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
    }

    /// No, and why.
    public init(refusing result: ChannelConnectionResult) {
        self.init(destination: .null, mtu: 0, mps: 0, initialCredits: 0, result: result)
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        destination = ChannelIdentifier(rawValue: try reader.uint16())
        mtu = try reader.uint16()
        mps = try reader.uint16()
        initialCredits = try reader.uint16()
        result = ChannelConnectionResult(rawValue: try reader.uint16())
        try reader.end()
    }

    public var dataByteCount: Int { 10 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: destination.rawValue)
        output.append(littleEndian: mtu)
        output.append(littleEndian: mps)
        output.append(littleEndian: initialCredits)
        output.append(littleEndian: result.rawValue)
    }
}

/// More frames may be sent on a channel (4.24). It is not answered.
@frozen
public struct FlowControlCreditIndication: SignallingCommand, Hashable {
    public static let code = SignallingCode.flowControlCreditIndication

    /// The channel's end at the sender of this indication.
    public var channel: ChannelIdentifier
    /// How many more, from 1.
    public var credits: UInt16

    public init(channel: ChannelIdentifier, credits: UInt16) {
        self.channel = channel
        self.credits = credits
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        channel = ChannelIdentifier(rawValue: try reader.uint16())
        credits = try reader.uint16()
        try reader.end()
    }

    public var dataByteCount: Int { 4 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: channel.rawValue)
        output.append(littleEndian: credits)
    }
}

/// Up to five channels shall be opened at once, as EATT does (4.25).
public struct CreditBasedConnectionRequest: SignallingCommand, Hashable {
    public static let code = SignallingCode.creditBasedConnectionRequest

    /// Which service is wanted (SPSM).
    public var spsm: UInt16
    /// The longest message the sender takes, from 64.
    public var mtu: UInt16
    /// The longest frame payload the sender takes, from 64.
    public var mps: UInt16
    /// How many frames the receiver may send at once on each.
    public var initialCredits: UInt16
    /// The channels' ends at the sender of this request, one to five.
    public var sources: [ChannelIdentifier]

    public init(spsm: UInt16, mtu: UInt16, mps: UInt16, initialCredits: UInt16, sources: [ChannelIdentifier]) {
        self.spsm = spsm
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.sources = sources
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        spsm = try reader.uint16()
        mtu = try reader.uint16()
        mps = try reader.uint16()
        initialCredits = try reader.uint16()
        sources = try reader.channels(1...5)
    }

    public var dataByteCount: Int { 8 + 2 * sources.count }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: spsm)
        output.append(littleEndian: mtu)
        output.append(littleEndian: mps)
        output.append(littleEndian: initialCredits)
        for source in sources { output.append(littleEndian: source.rawValue) }
    }
}

/// Which of several channels were opened (4.26).
public struct CreditBasedConnectionResponse: SignallingCommand, Hashable {
    public static let code = SignallingCode.creditBasedConnectionResponse

    /// The longest message the sender takes.
    public var mtu: UInt16
    /// The longest frame payload the sender takes.
    public var mps: UInt16
    /// How many frames the receiver may send at once on each.
    public var initialCredits: UInt16
    /// How it went.
    public var result: ChannelConnectionResult
    /// The channels' ends at the sender of this response, in the order of the request; null for those refused.
    public var destinations: [ChannelIdentifier]

    public init(
        mtu: UInt16, mps: UInt16, initialCredits: UInt16, result: ChannelConnectionResult,
        destinations: [ChannelIdentifier]
    ) {
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
        self.destinations = destinations
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        mtu = try reader.uint16()
        mps = try reader.uint16()
        initialCredits = try reader.uint16()
        result = ChannelConnectionResult(rawValue: try reader.uint16())
        destinations = try reader.channels(0...5)
    }

    public var dataByteCount: Int { 8 + 2 * destinations.count }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: mtu)
        output.append(littleEndian: mps)
        output.append(littleEndian: initialCredits)
        output.append(littleEndian: result.rawValue)
        for destination in destinations { output.append(littleEndian: destination.rawValue) }
    }
}

/// Channels shall take longer messages (4.27).
public struct CreditBasedReconfigureRequest: SignallingCommand, Hashable {
    public static let code = SignallingCode.creditBasedReconfigureRequest

    /// The longest message the sender takes from now on.
    public var mtu: UInt16
    /// The longest frame payload the sender takes from now on.
    public var mps: UInt16
    /// The channels' ends at the receiver of this request, one to five.
    public var destinations: [ChannelIdentifier]

    public init(mtu: UInt16, mps: UInt16, destinations: [ChannelIdentifier]) {
        self.mtu = mtu
        self.mps = mps
        self.destinations = destinations
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        mtu = try reader.uint16()
        mps = try reader.uint16()
        destinations = try reader.channels(1...5)
    }

    public var dataByteCount: Int { 4 + 2 * destinations.count }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: mtu)
        output.append(littleEndian: mps)
        for destination in destinations { output.append(littleEndian: destination.rawValue) }
    }
}

/// Whether channels take longer messages (4.28).
@frozen
public struct CreditBasedReconfigureResponse: SignallingCommand, Hashable {
    public static let code = SignallingCode.creditBasedReconfigureResponse

    /// 0x0000 done; else why not.
    public var result: UInt16

    public init(result: UInt16) { self.result = result }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        result = try reader.uint16()
        try reader.end()
    }

    public var dataByteCount: Int { 2 }

    public func encodeData(into output: inout OutputRawSpan) { output.append(littleEndian: result) }
}

extension OctetReader {
    /// Reads the rest as channel identifiers.
    /// - Throws: `invalidLength` when it is no whole number of them, or not as many as allowed.
    mutating func channels(_ allowed: ClosedRange<Int>) throws(MalformedError) -> [ChannelIdentifier] {
        guard remaining % 2 == 0, allowed.contains(remaining / 2) else {
            throw MalformedError(.invalidLength, at: offset)
        }
        var channels: [ChannelIdentifier] = []
        while !isAtEnd { channels.append(ChannelIdentifier(rawValue: try uint16())) }
        return channels
    }
}
