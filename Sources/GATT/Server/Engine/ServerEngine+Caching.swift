// Robust caching, the server's side (Core Specification, Vol 3, Part G, 2.5.2.1). After the attributes have changed, a client
// that asked for it (Client Supported Features, bit 0) is *change-unaware*: it may hold handles that are something else
// now. Until it is aware, its commands are ignored, nothing is notified or indicated to it but Service Changed, and the
// first request that concerns a handle is answered by Database Out Of Sync (0x12). It becomes aware by confirming Service
// Changed; or by sending anything after that error, or after it has read the Database Hash.

extension ServerEngine {
    /// What a client knows of a change of the attributes.
    enum ChangeAwareness: Sendable {
        /// Nothing changed that the client does not know.
        case aware
        /// The client does not know of a change.
        case unaware
        /// It was told, and what it sends next shows that it knows.
        case told
    }

    /// Whether the client knows of every change of the attributes, as far as the server can tell.
    public var isChangeAware: Bool {
        if case .aware = changeAwareness { true } else { false }
    }

    /// The attributes have changed.
    mutating func noteChange() {
        preparedWrites = []
        if clientFeatures.contains(.robustCaching) { changeAwareness = .unaware }
    }

    /// The client confirmed an indication of this value.
    mutating func noteConfirmation(_ handle: AttributeHandle) {
        // Another change may have come since.
        guard handle == database.handle(of: .serviceChanged),
            !queuedIndications.contains(where: { $0.handle == handle })
        else { return }
        changeAwareness = .aware
    }

    /// What the client has said that it can do.
    var clientFeatures: ClientFeatures {
        guard let handle = database.handle(of: .clientSupportedFeatures), let index = database.index(of: handle) else {
            return []
        }
        return ClientFeatures(rawValue: value(at: index).first ?? 0)
    }

    /// Keeps an unaware client from using its handles.
    /// - Returns: whether the PDU is dealt with.
    mutating func keepsOut(_ pdu: RawSpan, _ opcode: Opcode) -> Bool {
        switch changeAwareness {
        case .aware: return false
        case .told:
            // A confirmation belongs to what was sent before.
            if opcode != .handleValueConfirmation { changeAwareness = .aware }
            return false
        case .unaware: break
        }
        switch opcode {
        case .exchangeMTURequest, .executeWriteRequest, .handleValueConfirmation: return false
        case .readByTypeRequest where isHashRead(pdu):
            changeAwareness = .told
            return false
        default: break
        }
        if opcode.isCommand {
            log("\(opcode.name) of a client that does not know of a change was ignored")
            return true
        }
        guard opcode.kind == .request, !configuration.unsupportedRequests.contains(opcode) else { return false }
        changeAwareness = .told
        var reader = OctetReader(pdu, at: 1)
        refuse(opcode, AttributeHandle((try? reader.uint16()) ?? 0), .databaseOutOfSync)
        return true
    }

    /// Whether a Read By Type Request is for the Database Hash, by its type and over all handles.
    private func isHashRead(_ pdu: RawSpan) -> Bool {
        guard let request = try? ReadByTypeRequest(parsing: pdu) else { return false }
        return request.attributeType == .databaseHash && request.first == 0x0001 && request.last == .maximum
    }
}
