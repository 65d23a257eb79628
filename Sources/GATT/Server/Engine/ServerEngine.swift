// The server's side of one bearer (Core Specification, Vol 3, Part F, 3.3 and 3.4; Part G, 4).
//
// The server waits for the client: one request is answered by one response or one Error Response, commands are never
// answered, and of its own the server sends notifications, as many as it likes, and indications, one of which may be
// unconfirmed at a time. Around that the engine keeps what belongs to the connection: the MTU, the queue of prepared
// writes, the client's configurations, what is known of the link's security.
//
// It opens nothing, waits for nothing and reads no clock. The shell gives it whole PDUs, the time and the application's
// wishes, and afterwards takes its actions out:
//
//     engine.receive(pdu, at: now)
//     while let action = engine.nextAction() { … }
//
// and calls `advance(to:)` at `nextDeadline`. What comes from a client is never trusted: whatever it sends is answered,
// ignored, or closes the bearer, and what it can make the engine keep is bounded by the configuration.

/// A GATT server on one bearer, without I/O and without a clock.
public struct ServerEngine: ~Copyable, Sendable {
    /// The attributes with the values all connections share.
    public internal(set) var database: AttributeDatabase

    /// The limits.
    public let configuration: ServerConfiguration

    /// What is known of the security of the link; the shell sets it when it changes.
    public var security: LinkSecurity

    /// Checks Signed Write Commands; nil without a key, and then they are ignored.
    public var signatureCheck: SignatureCheck?

    /// The longest PDU that may be sent or received now.
    public internal(set) var mtu = 23

    /// Whether the bearer was closed, by either side.
    public private(set) var isClosed = false

    /// Values that belong to this connection: client configurations and client features that were written.
    var ownValues: [AttributeHandle: [UInt8]] = [:]

    /// What Prepare Write Requests queued, in order.
    var preparedWrites: [PreparedWrite] = []

    /// The response that waits for an attribute that takes its time.
    var delayedResponse: (pdu: [UInt8], due: MonotonicTime)?

    /// The indication that is not confirmed yet.
    var outstandingIndication: (handle: AttributeHandle, deadline: MonotonicTime)?

    /// Indications that wait for the outstanding one.
    var queuedIndications: [(handle: AttributeHandle, value: [UInt8])] = []

    /// What the client knows of a change of the attributes.
    var changeAwareness = ChangeAwareness.aware

    private var actions: [ServerAction] = []
    private var nextActionIndex = 0

    /// A part of a value that waits for Execute Write.
    struct PreparedWrite {
        var handle: AttributeHandle
        var offset: Int
        var value: [UInt8]
    }

    /// A server on a bearer that was just opened.
    /// - Parameters:
    ///   - database: Its attributes.
    ///   - configuration: Its limits.
    ///   - security: What is known of the security of the link.
    public init(
        database: AttributeDatabase, configuration: ServerConfiguration = ServerConfiguration(),
        security: LinkSecurity = .none
    ) {
        self.database = database
        self.configuration = configuration
        self.security = security
    }

    /// The next thing to do, in order; `nil` when there is nothing. To be drained after every other call.
    public mutating func nextAction() -> ServerAction? {
        guard nextActionIndex < actions.count else {
            actions.removeAll(keepingCapacity: true)
            nextActionIndex = 0
            return nil
        }
        defer { nextActionIndex += 1 }
        return actions[nextActionIndex]
    }

    /// When `advance(to:)` has to be called next; `nil` when nothing waits.
    public var nextDeadline: MonotonicTime? {
        switch (delayedResponse?.due, outstandingIndication?.deadline) {
        case (let response?, let indication?): min(response, indication)
        case (let response, let indication): response ?? indication
        }
    }

    /// Time passed: sends a response that was due, and gives the bearer up when a confirmation did not come in time.
    public mutating func advance(to now: MonotonicTime) {
        guard !isClosed else { return }
        if let (pdu, due) = delayedResponse, due <= now {
            delayedResponse = nil
            perform(.send(pdu))
        }
        if let (handle, deadline) = outstandingIndication, deadline <= now {
            close(.confirmationTimedOut(handle))
        }
    }

    /// The bearer is gone: everything that waited is dropped.
    public mutating func bearerClosed() {
        isClosed = true
        preparedWrites = []
        delayedResponse = nil
        outstandingIndication = nil
        queuedIndications = []
    }

    /// One whole PDU came from the client.
    public mutating func receive(_ pdu: RawSpan, at now: MonotonicTime) {
        advance(to: now)
        guard !isClosed else { return }
        guard pdu.byteCount > 0 else { return log("an empty PDU was ignored") }
        // In bounds: there is an octet.
        let opcode = Opcode(rawValue: unsafe pdu.unsafeLoad(as: UInt8.self))
        let isRequest = opcode.kind == .request || opcode.kind == .unknown
        if isRequest {
            guard delayedResponse == nil else { return close(.requestBeforeResponse(opcode)) }
            guard pdu.byteCount <= mtu else { return refuse(opcode, .none, .invalidPDU) }
            guard !configuration.unsupportedRequests.contains(opcode) else {
                return refuse(opcode, .none, .requestNotSupported)
            }
        } else if pdu.byteCount > mtu {
            return log("\(opcode.name) longer than the MTU was ignored")
        }
        guard !keepsOut(pdu, opcode) else { return }
        do throws(MalformedError) {
            try dispatch(pdu, opcode, at: now)
        } catch {
            if isRequest {
                refuse(opcode, .none, .invalidPDU)
            } else {
                log("a malformed \(opcode.name) was ignored: \(error)")
            }
        }
    }

    private mutating func dispatch(
        _ pdu: RawSpan, _ opcode: Opcode, at now: MonotonicTime
    ) throws(MalformedError) {
        switch opcode {
        case .exchangeMTURequest: exchangeMTU(try ExchangeMTURequest(parsing: pdu))
        case .findInformationRequest: findInformation(try FindInformationRequest(parsing: pdu))
        case .findByTypeValueRequest: findByTypeValue(try FindByTypeValueRequest(parsing: pdu))
        case .readByTypeRequest: readByType(try ReadByTypeRequest(parsing: pdu), at: now)
        case .readRequest: read(try ReadRequest(parsing: pdu), at: now)
        case .readBlobRequest: readBlob(try ReadBlobRequest(parsing: pdu), at: now)
        case .readMultipleRequest: readMultiple(try ReadMultipleRequest(parsing: pdu), at: now)
        case .readMultipleVariableRequest:
            readMultipleVariable(try ReadMultipleVariableRequest(parsing: pdu), at: now)
        case .readByGroupTypeRequest: readByGroupType(try ReadByGroupTypeRequest(parsing: pdu))
        case .writeRequest: write(try WriteRequest(parsing: pdu), at: now)
        case .writeCommand: writeCommand(try WriteCommand(parsing: pdu), at: now)
        case .signedWriteCommand: signedWriteCommand(try SignedWriteCommand(parsing: pdu), at: now)
        case .prepareWriteRequest: prepareWrite(try PrepareWriteRequest(parsing: pdu))
        case .executeWriteRequest: executeWrite(try ExecuteWriteRequest(parsing: pdu), at: now)
        case .handleValueConfirmation:
            _ = try HandleValueConfirmation(parsing: pdu)
            confirm(at: now)
        case .handleValueIndication:
            // A server has no use for it, but a peer that indicates must be confirmed or it gives the bearer up.
            _ = try HandleValueIndication(parsing: pdu)
            perform(.send([Opcode.handleValueConfirmation.rawValue]))
        default:
            switch opcode.kind {
            case .request, .unknown: refuse(opcode, .none, .requestNotSupported)
            case .command, .response, .notification, .indication, .confirmation:
                log("\(opcode) was ignored")
            }
        }
    }

    // MARK: What the procedures share

    mutating func perform(_ action: ServerAction) {
        actions.append(action)
    }

    mutating func log(_ text: @autoclosure () -> String) {
        perform(.log(text()))
    }

    mutating func close(_ reason: ServerCloseReason) {
        bearerClosed()
        perform(.close(reason))
    }

    /// Answers a request by an Error Response.
    mutating func refuse(_ opcode: Opcode, _ handle: AttributeHandle, _ code: ErrorCode) {
        respond(
            to: opcode,
            encoded(5) { output throws(EncodeError) in
                try ErrorResponse(requestOpcode: opcode, handle: handle, code: code).encode(into: &output)
            })
    }

    /// Answers a request by a response.
    mutating func respond(to opcode: Opcode, _ pdu: [UInt8]) {
        // Every response is measured before it is encoded; a client gets its answer all the same should one be wrong.
        perform(.send(pdu.isEmpty ? [0x01, opcode.rawValue, 0, 0, ErrorCode.unlikelyError.rawValue] : pdu))
    }

    /// Answers a request by a response, after some time.
    mutating func respond(to opcode: Opcode, _ pdu: [UInt8], after delay: Duration, at now: MonotonicTime) {
        if delay > .zero, !pdu.isEmpty {
            delayedResponse = (pdu, now + delay)
        } else {
            respond(to: opcode, pdu)
        }
    }

    /// The value of an attribute on this connection.
    func value(at index: Int) -> [UInt8] {
        let attribute = database.attributes[index]
        switch attribute.role {
        case .clientConfiguration, .clientFeatures: return ownValues[attribute.handle] ?? attribute.value
        case .service, .plain, .value: return attribute.value
        }
    }

    /// Why the attribute may not be read; `nil` when it may.
    func refusalOfReading(at index: Int) -> ErrorCode? {
        let attribute = database.attributes[index]
        return security.refusal(of: attribute.permissions.read, forbidden: .readNotPermitted)
            ?? attribute.behaviour.readError
    }

    /// Answers an Exchange MTU Request (Vol 3, Part F, 3.4.2). Both sides then use the smaller of the two, never less
    /// than 23; the response itself still keeps to the old one.
    private mutating func exchangeMTU(_ request: ExchangeMTURequest) {
        let own = configuration.mtu
        respond(
            to: ExchangeMTURequest.opcode,
            encoded(3) { output throws(EncodeError) in
                try ExchangeMTUResponse(serverReceiveMTU: UInt16(clamping: own)).encode(into: &output)
            })
        let agreed = max(23, min(Int(request.clientReceiveMTU), own))
        if agreed != mtu {
            mtu = agreed
            perform(.mtuChanged(agreed))
        }
    }
}

/// What `encode` writes, at most `capacity` octets; nothing when it fails.
func encoded(_ capacity: Int, _ encode: (inout OutputRawSpan) throws(EncodeError) -> Void) -> [UInt8] {
    do throws(EncodeError) {
        return try [UInt8](capacity: capacity, encodedBy: encode)
    } catch {
        return []
    }
}
