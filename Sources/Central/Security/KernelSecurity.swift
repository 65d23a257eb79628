internal import BlueZSockets
internal import GAP
internal import HCI
internal import Sockets

/// What is known before a connection about keys: who owns them, and which there are for the adapter.
struct KernelKeys: Sendable {
    /// The program that owns the keys; `nil` when this one may.
    let owner: KeyOwner?
    let records: [BondRecord]
    /// Why the store cannot be read.
    let error: CentralError?
    /// Whether the kernel has been given the keys.
    private(set) var isLoaded = false

    /// Looks for the owner, and reads the store. One that belongs to another user is none.
    init(_ options: PairingOptions, adapter: Adapter) {
        owner = KeyOwner.current()
        var (records, failure): ([BondRecord], CentralError?) = ([], nil)
        if owner == nil, let store = options.bonds {
            do throws(CentralError) {
                records = try store.records(of: adapter.addressOctets)
            } catch {
                failure = error.category == .missingRights ? nil : error
            }
        }
        self.records = records
        self.error = failure
    }

    var keyring: Keyring {
        Keyring(
            longTermKeys: records.flatMap(\.keys),
            identities: records.compactMap { record in
                record.identityKey.map { Keyring.Identity(address: record.address, key: $0) }
            })
    }

    /// Under which the kernel connects to a device: its identity, when the address is a private one of a bonded device.
    func identity(of address: DeviceAddress) -> DeviceAddress {
        records.first { $0.identityKey?.resolves(address) == true }?.address ?? address
    }

    /// Gives the keys to the kernel, when there are any. Without the right to it they are left out, and so is what they
    /// are needed for.
    mutating func load(_ adapter: UInt16, on loop: EventLoop) async {
        guard !keyring.isEmpty, let socket = try? await ManagementSocket.open(adapter: adapter, on: loop) else {
            return
        }
        do throws(BluetoothSocketError) {
            try await keyring.load(by: socket)
            isLoaded = true
        } catch {}
        await socket.close()
    }
}

extension LinkSecurityControl {
    /// The control of a link of the kernel.
    init(_ pairing: LinkPairing, _ keeper: BondKeeper, _ keys: KernelKeys) {
        self.init(
            isEncrypted: { pairing.assumeIsolated { $0.isEncrypted } },
            raise: { level in
                do throws(BluetoothSocketError) {
                    if let error = keys.error { return .failure(error) }
                    let reached = try await pairing.raise(to: level.map { BlueZSockets.SecurityLevel($0) })
                    _ = await keeper.settle()
                    return .success(SecurityLevel(reached))
                } catch {
                    return .failure(CentralError(error))
                }
            },
            socketIsWritable: { pairing.assumeIsolated { $0.socketIsWritable() } },
            isBlocking: { pairing.assumeIsolated { $0.isBlocking } },
            linkEnded: {
                let end = pairing.assumeIsolated { $0.linkEnded() }
                return LinkEnd(
                    reason: end.reason.map { .disconnected(reason: $0.rawValue) },
                    error: end.error.map { CentralError($0) })
            },
            close: {
                await pairing.close()
                _ = await keeper.settle()
            },
            keeping: { await keeper.settle() })
    }
}

extension BlueZSockets.SecurityLevel {
    init(_ level: SecurityLevel) {
        self =
            switch level {
            case .low: .low
            case .medium: .medium
            case .high: .high
            case .fips: .fips
            }
    }
}

extension SecurityLevel {
    init(_ level: BlueZSockets.SecurityLevel) {
        self = SecurityLevel(rawValue: Int(level.rawValue)) ?? .low
    }
}

extension IOCapability {
    init(_ capability: PairingCapability) {
        self =
            switch capability {
            case .none: .noInputNoOutput
            case .display: .displayOnly
            case .keyboard: .keyboardOnly
            case .yesNo: .displayYesNo
            case .keyboardDisplay: .keyboardDisplay
            }
    }
}

extension PairingSettings {
    init(_ options: PairingOptions, _ keys: KernelKeys, peer: String, acceptsJustWorks: Bool, keeper: BondKeeper) {
        self.init(
            capability: IOCapability(options.capability), passkey: options.passkey, acceptsJustWorks: acceptsJustWorks,
            owner: keys.owner, keyring: keys.keyring, keyringIsLoaded: keys.isLoaded,
            ask: { question in
                let answer =
                    switch question {
                    case .comparison(let number): await options.ask(.comparison(number: number), peer)
                    case .passkeyEntry: await options.ask(.passkeyEntry, peer)
                    case .passkeyDisplay(let passkey): await options.ask(.passkeyDisplay(passkey: passkey), peer)
                    }
                return switch answer {
                case .yes: .yes
                case .no: .no
                case .passkey(let passkey): .passkey(passkey)
                }
            }, keep: { keeper.keep($0) })
    }
}

extension SecurityFailure {
    /// What a failure of pairing is for a program.
    init(_ failure: PairingFailure, isOwned: Bool = false) {
        self =
            switch failure {
            case .refused: .pairingRefused
            case .wrongPasskey: .wrongPasskey
            case .notConfirmed: .notConfirmed
            case .unexplained: .pairingFailed
            case .notProtected: .notProtected
            case .keyMissing: .keyMissing
            case .encryptionFailed: .encryptionFailed
            case .notAnswered: .pairingTimedOut
            case .missingRights: .missingRights
            case .owned: .keysOwned
            }
    }
}
