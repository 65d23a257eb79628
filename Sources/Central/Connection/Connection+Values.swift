public import GATT

extension Connection {
    /// Reads a value or a descriptor, as many requests as its length needs, up to 512 octets.
    /// - Throws: see `perform`.
    public func read(
        _ handle: AttributeHandle, offset: Int = 0, progress: ProgressHandler? = nil
    ) async throws(CentralError) -> [UInt8] {
        guard case .value(let value) = try await perform(.read(handle, offset: offset), progress: progress) else {
            return []
        }
        return value
    }

    /// Reads the value of a characteristic.
    /// - Throws: see `perform`.
    public func read(_ characteristic: Characteristic) async throws(CentralError) -> [UInt8] {
        try await read(characteristic.valueHandle)
    }

    /// Reads every attribute of a type, without knowing its handle.
    /// - Throws: see `perform`; `refused` with Attribute Not Found when there is none.
    public func read(
        uuid: BluetoothUUID, in range: HandleRange = .all
    ) async throws(CentralError) -> [HandleValue] {
        guard case .handleValues(let values) = try await perform(.readByUUID(uuid, in: range)) else { return [] }
        return values
    }

    /// Reads two or more values of fixed length by one request: the octets one after the other.
    /// - Throws: see `perform`.
    public func readMultiple(_ handles: [AttributeHandle]) async throws(CentralError) -> [UInt8] {
        guard case .value(let value) = try await perform(.readMultiple(handles)) else { return [] }
        return value
    }

    /// Reads two or more values of any length, in the order asked for; the peer has to know the request.
    /// - Throws: see `perform`.
    public func readMultipleVariable(_ handles: [AttributeHandle]) async throws(CentralError) -> [[UInt8]] {
        guard case .values(let values) = try await perform(.readMultipleVariable(handles)) else { return [] }
        return values
    }

    /// Writes with response; a value longer than the MTU allows is prepared in parts and executed.
    /// - Throws: see `perform`.
    public func write(
        _ value: [UInt8], to handle: AttributeHandle, offset: Int = 0, progress: ProgressHandler? = nil
    ) async throws(CentralError) {
        _ = try await perform(.write(handle, value, offset: offset), progress: progress)
    }

    /// Writes the value of a characteristic with response.
    /// - Throws: see `perform`.
    public func write(_ value: [UInt8], to characteristic: Characteristic) async throws(CentralError) {
        try await write(value, to: characteristic.valueHandle)
    }

    /// Writes without response, and returns when the link has accepted the value: a loop of these goes as fast as the
    /// link does, and nothing is lost on this side.
    /// - Throws: see `perform`; `invalid` for a value longer than the MTU less three.
    public func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(CentralError) {
        _ = try await perform(.writeCommand(handle, value))
    }

    /// Writes without response, signed with a key from bonding; on an encrypted link, which says by itself who sends, without
    /// a signature (Core Specification, Vol 3, Part G, 4.9.2). Returns when the link has accepted the value; nobody says
    /// whether the peer did.
    /// - Parameters:
    ///   - value: at most the MTU less fifteen octets, less three on an encrypted link.
    ///   - handle: the attribute.
    ///   - signer: the key and the counter of this message. Whoever holds it must not use that counter again.
    /// - Returns: Whether it was signed, which uses the counter.
    /// - Throws: see `perform`; `invalid` for a longer value, or when signatures cannot be computed.
    @discardableResult
    public func writeSigned(
        _ value: [UInt8], to handle: AttributeHandle, signer: MessageSigner
    ) async throws(CentralError) -> Bool {
        // Encryption that has begun is there before anything sent from now on.
        await raisingHasEnded()
        let isSigned = !isEncrypted
        engine.signer = signer
        _ = try await perform(.signedWriteCommand(handle, value))
        return isSigned
    }

    /// Writes several values, all of them or none, each compared with what the peer repeats.
    /// - Throws: see `perform`.
    public func writeReliably(
        _ parts: [ReliableWritePart], progress: ProgressHandler? = nil
    ) async throws(CentralError) {
        _ = try await perform(.reliableWrite(parts), progress: progress)
    }
}
