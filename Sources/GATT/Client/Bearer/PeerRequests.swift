// Also a client is an ATT server: the device it talks to may be a client as well, and every request it sends has to be
// answered within 30 s or it closes the bearer (Core Specification, Vol 3, Part F, 3.3.3). This one has an empty
// database: it agrees on an MTU, finds nothing, and knows no handle.

/// The answers of a server without attributes.
enum PeerRequests {
    /// The answer to a request of the peer.
    /// - Parameters:
    ///   - pdu: the whole request, of at least one octet.
    ///   - client: what the peer's MTU exchange changes.
    /// - Returns: the PDU to send; nil when `pdu` is nothing that is answered.
    static func answer(_ pdu: RawSpan, _ client: inout ClientState) -> [UInt8]? {
        guard pdu.byteCount > 0 else { return nil }
        let opcode = Opcode(pdu.unsafeOpcode)
        guard !opcode.isCommand else { return nil }
        do {
            return try answer(ClientPDU(parsing: pdu), &client)
        } catch {
            return refuse(opcode, .invalidPDU)
        }
    }

    private static func answer(_ request: consuming ClientPDU, _ client: inout ClientState) -> [UInt8]? {
        switch request {
        case .exchangeMTURequest(let request):
            guard client.configuration.isFixedChannel else { return refuse(.exchangeMTURequest, .requestNotSupported) }
            client.agree(onMTU: Int(request.clientReceiveMTU))
            let own = UInt16(clamping: client.configuration.preferredMTU)
            return encoded(ExchangeMTUResponse(serverReceiveMTU: own))
        case .findInformationRequest(let request):
            return findNothing(.findInformationRequest, request.first, request.last)
        case .findByTypeValueRequest(let request):
            return findNothing(.findByTypeValueRequest, request.first, request.last)
        case .readByTypeRequest(let request):
            return findNothing(.readByTypeRequest, request.first, request.last)
        case .readByGroupTypeRequest(let request):
            let isService = request.groupType == .primaryService || request.groupType == .secondaryService
            return findNothing(
                .readByGroupTypeRequest, request.first, request.last,
                code: isService ? .attributeNotFound : .unsupportedGroupType)
        case .readRequest(let request): return refuse(.readRequest, .invalidHandle, request.handle)
        case .readBlobRequest(let request): return refuse(.readBlobRequest, .invalidHandle, request.handle)
        case .readMultipleRequest(let request):
            var handles = request.handles.makeIterator()
            return refuse(.readMultipleRequest, .invalidHandle, handles.next() ?? .none)
        case .readMultipleVariableRequest(let request):
            var handles = request.handles.makeIterator()
            return refuse(.readMultipleVariableRequest, .invalidHandle, handles.next() ?? .none)
        case .writeRequest(let request): return refuse(.writeRequest, .invalidHandle, request.handle)
        case .prepareWriteRequest(let request): return refuse(.prepareWriteRequest, .invalidHandle, request.handle)
        case .executeWriteRequest:
            // Nothing was ever queued, so that there is nothing to write and nothing to drop.
            return encoded(ExecuteWriteResponse())
        case .writeCommand, .signedWriteCommand, .handleValueConfirmation:
            return nil
        case .unknown(let opcode):
            return refuse(opcode, .requestNotSupported)
        }
    }

    private static func findNothing(
        _ opcode: Opcode, _ first: AttributeHandle, _ last: AttributeHandle, code: ErrorCode = .attributeNotFound
    ) -> [UInt8]? {
        refuse(opcode, HandleRange(first: first, last: last) == nil ? .invalidHandle : code, first)
    }

    private static func refuse(_ opcode: Opcode, _ code: ErrorCode, _ handle: AttributeHandle = .none) -> [UInt8]? {
        encoded(ErrorResponse(requestOpcode: opcode, handle: handle, code: code))
    }
}
