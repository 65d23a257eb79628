internal import BlueZSockets
public import GAP
internal import Sockets

extension Central {
    /// The program that pairs and keeps the keys of the radio in place of this one: BlueZ's daemon, as `bluetoothd (412)`.
    /// While it runs no key is loaded, made or taken away here; it answers when a link needs to be encrypted. `nil` when
    /// there is none.
    public var keyOwner: String? {
        guard hub?.radio is KernelRadio else { return nil }
        return KeyOwner.current()?.name
    }

    /// The error for what is left to the program that owns the keys; `nil` when there is none.
    /// - Parameters:
    ///   - verb: what that program is to do: `pair`, `remove`.
    ///   - address: the device; `nil` stands for any in the sentence.
    ///   - failure: what failed, such as `cannot pair with C0:FF:EE:00:00:01/random`.
    public func keyOwnerError(_ verb: String, _ address: DeviceAddress?, failure: String) -> CentralError? {
        guard let keyOwner else { return nil }
        let device = address.map { "\($0.octets)" } ?? "ADDRESS"
        return CentralError(
            .refused, failure: failure, reason: "\(keyOwner) pairs and keeps the keys on this machine",
            remedy: "use \"bluetoothctl \(verb) \(device)\", or end \(keyOwner) and try again", security: .keysOwned)
    }

    /// Forgets a device: its keys are taken out of the store and out of the kernel, and a connection to it ends.
    ///
    /// - Parameters:
    ///   - address: its identity address.
    ///   - bonds: the store; `nil` for the kernel alone.
    /// - Returns: The bonds that were in the store; empty when only the kernel, or nobody, had keys.
    /// - Throws: `refused` when there is no bond, or when another program owns the keys; `missingRights`.
    public func unpair(
        _ address: DeviceAddress, bonds: BondStore? = .standard
    ) async throws(CentralError) -> [Bond] {
        let failure = "cannot unpair \(address)"
        let radio = hub?.radio as? KernelRadio
        let removed = try await bonds?.remove(address, adapter: radio?.adapterAddress) ?? []
        if let error = keyOwnerError("remove", address, failure: failure) {
            guard removed.isEmpty else { return removed }
            throw error
        }
        let wasKnown = try await radio?.unpair(address, failure: failure) ?? false
        guard wasKnown || !removed.isEmpty else {
            throw CentralError(
                .refused, failure: failure, reason: "there is no bond with it",
                remedy: "\"btatt bonds\" shows those that there are")
        }
        return removed
    }
}

extension KernelRadio {
    /// The adapter's public address; zeros when it has none.
    var adapterAddress: AddressOctets { adapter.addressOctets }

    /// Takes the keys of a device out of the kernel.
    /// - Returns: Whether it had any.
    fileprivate func unpair(_ address: DeviceAddress, failure: String) async throws(CentralError) -> Bool {
        do throws(BluetoothSocketError) {
            let socket = try await ManagementSocket.open(adapter: adapter.index, on: loop)
            let command = ManagementCommand.unpairDevice(address, disconnecting: true)
            let reply: Result<ManagementReply, BluetoothSocketError>
            do throws(BluetoothSocketError) {
                reply = .success(try await socket.send(command, failure: failure))
            } catch {
                reply = .failure(error)
            }
            await socket.close()
            let status = try reply.get().status
            if status.isSuccess { return true }
            // A kernel that is switched off, or that was never given the keys, has none.
            if status == .notPaired || status == .notPowered { return false }
            throw BluetoothSocketError(status, to: command.opcode, adapter: adapter.index, failure: failure)
        } catch {
            throw CentralError(error)
        }
    }
}
