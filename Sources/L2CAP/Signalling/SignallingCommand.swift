/// A command on the LE signalling channel with its data read and an encoder (Core Specification, Vol 3, Part A, 4).
public protocol SignallingCommand: Sendable {
    /// Its code.
    static var code: SignallingCode { get }

    /// How many octets its data takes.
    var dataByteCount: Int { get }

    /// Reads its data.
    /// - Throws: `truncated` or `trailingOctets` when the data has another length.
    init(parsing data: RawSpan) throws(MalformedError)

    /// Appends its data. `dataByteCount` octets must be free.
    func encodeData(into output: inout OutputRawSpan)
}

extension SignallingCommand {
    /// The payload of a frame on the LE signalling channel.
    /// - Parameter identifier: that of the request when this is an answer, else a number not in use; never 0.
    public func payload(identifier: UInt8) -> [UInt8] {
        let count = dataByteCount
        return [UInt8](capacity: SignallingPacket.headerByteCount + count) { output in
            output.append(Self.code.rawValue)
            output.append(identifier)
            output.append(littleEndian: UInt16(truncatingIfNeeded: count))
            encodeData(into: &output)
        }
    }
}

/// What the peer sent was not understood (4.1).
@frozen
public struct CommandReject: SignallingCommand, Hashable {
    public static let code = SignallingCode.commandReject

    /// Why.
    @frozen
    public enum Reason: Hashable, Sendable {
        /// The command is unknown or malformed (0x0000).
        case notUnderstood
        /// The command is longer than the signalling channel's MTU, which is given (0x0001).
        case signallingMTUExceeded(maximum: UInt16)
        /// The channel is not there (0x0002): its two ends, as the peer named them.
        case invalidChannel(local: UInt16, remote: UInt16)
        /// A reserved reason.
        case other(UInt16)
    }

    /// Why.
    public var reason: Reason

    public init(reason: Reason) { self.reason = reason }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        switch try reader.uint16() {
        case 0: reason = .notUnderstood
        case 1: reason = .signallingMTUExceeded(maximum: try reader.uint16())
        case 2: reason = .invalidChannel(local: try reader.uint16(), remote: try reader.uint16())
        case let code:
            reason = .other(code)
            return
        }
        try reader.end()
    }

    public var dataByteCount: Int {
        switch reason {
        case .notUnderstood, .other: 2
        case .signallingMTUExceeded: 4
        case .invalidChannel: 6
        }
    }

    public func encodeData(into output: inout OutputRawSpan) {
        switch reason {
        case .notUnderstood: output.append(littleEndian: 0 as UInt16)
        case .signallingMTUExceeded(let maximum):
            output.append(littleEndian: 1 as UInt16)
            output.append(littleEndian: maximum)
        case .invalidChannel(let local, let remote):
            output.append(littleEndian: 2 as UInt16)
            output.append(littleEndian: local)
            output.append(littleEndian: remote)
        case .other(let code): output.append(littleEndian: code)
        }
    }
}

/// A peripheral wants other connection parameters (4.20).
@frozen
public struct ConnectionParameterUpdateRequest: SignallingCommand, Hashable {
    public static let code = SignallingCode.connectionParameterUpdateRequest

    /// The smallest interval, in units of 1.25 ms.
    public var intervalMinimum: UInt16
    /// The largest interval, in units of 1.25 ms.
    public var intervalMaximum: UInt16
    /// How many events the peripheral may skip.
    public var latency: UInt16
    /// The supervision timeout in units of 10 ms.
    public var timeout: UInt16

    public init(intervalMinimum: UInt16, intervalMaximum: UInt16, latency: UInt16, timeout: UInt16) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.timeout = timeout
    }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        intervalMinimum = try reader.uint16()
        intervalMaximum = try reader.uint16()
        latency = try reader.uint16()
        timeout = try reader.uint16()
        try reader.end()
    }

    public var dataByteCount: Int { 8 }

    public func encodeData(into output: inout OutputRawSpan) {
        output.append(littleEndian: intervalMinimum)
        output.append(littleEndian: intervalMaximum)
        output.append(littleEndian: latency)
        output.append(littleEndian: timeout)
    }

    /// Whether the values are ones a controller may be given (4.20; Vol 4, Part E, 7.8.18): intervals from 7.5 ms to 4 s
    /// in order, a latency of at most 499 events, a timeout from 100 ms to 32 s that is longer than two intervals with all
    /// the events in between skipped.
    public var isValid: Bool {
        guard (6...3200).contains(intervalMinimum), (6...3200).contains(intervalMaximum),
            intervalMinimum <= intervalMaximum, latency <= 499, (10...3200).contains(timeout)
        else { return false }
        // timeout × 10 ms > (1 + latency) × interval × 1.25 ms × 2, in units of 2.5 ms. At most 500 × 3200: no overflow.
        return Int(timeout) * 4 > (1 + Int(latency)) * Int(intervalMaximum)
    }
}

/// Whether a peripheral gets the connection parameters it wants (4.21).
@frozen
public struct ConnectionParameterUpdateResponse: SignallingCommand, Hashable {
    public static let code = SignallingCode.connectionParameterUpdateResponse

    /// 0x0000 accepted, 0x0001 rejected.
    public var result: UInt16

    /// Whether they are accepted.
    public var isAccepted: Bool { result == 0 }

    public init(isAccepted: Bool) { result = isAccepted ? 0 : 1 }

    public init(parsing data: RawSpan) throws(MalformedError) {
        var reader = OctetReader(data)
        result = try reader.uint16()
        try reader.end()
    }

    public var dataByteCount: Int { 2 }

    public func encodeData(into output: inout OutputRawSpan) { output.append(littleEndian: result) }
}
