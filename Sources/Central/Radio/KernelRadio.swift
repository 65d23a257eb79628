internal import BlueZSockets
internal import GAP
internal import GATT
internal import HCI
internal import Sockets

/// An adapter of the kernel: scans by raw HCI commands, connections by L2CAP sockets.
struct KernelRadio: Radio {
    let adapter: Adapter
    let loop: EventLoop

    var name: String { adapter.name }

    var isUp: Bool { (try? AdapterList(system: loop.system).adapter(adapter.index))?.isUp == true }

    /// - Parameter index: the number of the adapter; `nil` for the first that is usable.
    init(index: Int?, on loop: EventLoop) throws(CentralError) {
        self.loop = loop
        let list = AdapterList(system: loop.system)
        do throws(BluetoothSocketError) {
            if let index {
                guard let number = UInt16(exactly: index) else {
                    throw BluetoothSocketError(
                        .noAdapter, .adapterAbsent, failure: "cannot use hci\(index)",
                        reason: "no adapter has this number")
                }
                adapter = try list.adapter(number)
            } else {
                adapter = try list.firstUsable()
            }
        } catch {
            throw CentralError(error)
        }
    }

    func scan(
        _ mode: ScanMode, report: @escaping @Sendable (RadioEvent) -> Void
    ) async throws(CentralError) -> any RadioScan {
        let kernelMode: BlueZSockets.ScanMode =
            switch mode {
            case .active: .active
            case .passive: .passive
            case .listen: .listen
            }
        do throws(BluetoothSocketError) {
            let scanner = try await Scanner.start(
                adapter: adapter.index, options: BlueZSockets.ScanOptions(mode: kernelMode, reportsRepeats: true),
                on: loop
            ) { output in
                switch output {
                case .advertisements(let advertisements): report(.heard(advertisements))
                case .ended(let error?): report(.ended(CentralError(error)))
                case .interrupted, .resumed, .ended(nil): break
                }
            }
            return KernelScan(scanner: scanner)
        } catch {
            throw CentralError(error)
        }
    }

    func connect(to address: DeviceAddress, _ options: ConnectOptions) async throws(CentralError) -> Bearer {
        var keys = KernelKeys(options.pairing, adapter: adapter)
        await keys.load(adapter.index, on: loop)
        let identity = keys.identity(of: address)
        let link: L2CAPLink
        do throws(BluetoothSocketError) {
            link = try await L2CAPConnector(on: loop).connect(
                to: identity, from: adapter, timeout: options.timeout ?? .seconds(20))
        } catch {
            throw CentralError(error)
        }
        let keeper = BondKeeper(
            store: options.pairing.bonds, adapter: adapter.addressOctets,
            known: keys.records.first { $0.address == identity })
        let pairing = LinkPairing(
            link: link, adapter: adapter.index,
            settings: PairingSettings(
                options.pairing, keys, peer: address.description, acceptsJustWorks: options.elevatesSecurity,
                keeper: keeper), on: loop)
        // The device may ask for security by itself, and ends the link when nobody answers.
        if options.elevatesSecurity { await pairing.listen() }
        return Bearer(
            socket: link.socket, peer: address.description, identity: identity.identity,
            isBonded: keys.records.contains { $0.address == identity },
            endLink: { [adapter, loop] in await link.end(adapter.index, on: loop) },
            security: LinkSecurityControl(pairing, keeper, keys),
            readRSSI: { [adapter, loop] in await link.rssi(adapter.index, on: loop) },
            closeReason: { link.closeReason($0) })
    }

    func bondedAddress(_ octets: AddressOctets, _ options: ConnectOptions) -> DeviceAddress? {
        let records = try? options.pairing.bonds?.records(of: adapter.addressOctets)
        return records?.first { $0.address.octets == octets }?.address
    }
}

/// A scan of the kernel's radio.
private struct KernelScan: RadioScan {
    let scanner: Scanner

    func stop() async { await scanner.stop() }
}

extension L2CAPLink {
    /// Ends the link, where the process may. The kernel itself keeps a link for two seconds after its last socket, with the
    /// MTU agreed on: whoever connects meanwhile would begin with an MTU it does not know.
    fileprivate func end(_ adapter: UInt16, on loop: EventLoop) async {
        guard let hci = try? await HCISocket.open(adapter: adapter, on: loop) else { return }
        if hci.isPrivileged { try? await hci.endLink(handle) }
        await hci.close()
    }

    fileprivate func rssi(_ adapter: UInt16, on loop: EventLoop) async -> Result<Int8?, CentralError> {
        do throws(BluetoothSocketError) {
            return .success(try await HCISocket.open(adapter: adapter, on: loop).rssi(of: handle))
        } catch {
            return .failure(CentralError(error))
        }
    }

    /// The controller's reason behind an errno, where the kernel's translation is clear (`bt_to_errno`); otherwise words.
    fileprivate func closeReason(_ reason: SocketCloseReason) -> BearerCloseReason {
        switch reason {
        case .closedHere: .closedLocally
        case .closedByPeer, .failed(.connectionReset): .disconnected(reason: 0x13)
        case .failed(.timedOut): .disconnected(reason: 0x08)
        case .failed(.connectionAborted): .disconnected(reason: 0x16)
        case .failed(.permissionDenied): .disconnected(reason: 0x05)
        case .failed(let errno): .transportFailed("\(error(for: reason).reason) (\(errno.name))")
        }
    }
}

extension CentralError {
    /// An error of the kernel's sockets.
    init(_ error: BluetoothSocketError) {
        let category: Category =
            switch error.category {
            case .noAdapter: .noAdapter
            case .noRights: .missingRights
            case .noConnection: .noConnection
            case .linkLost: .linkLost
            case .timedOut: .timedOut
            case .protocolError: .refused
            case .cancelled: .cancelled
            }
        var reason = error.reason
        if let errno = error.errno { reason += " (\(errno.message), \(errno.name))" }
        if let status = error.status { reason += " (HCI status \(status))" }
        self.init(
            category, failure: error.failure, reason: reason, remedy: error.remedy, errno: error.errno,
            hciStatus: error.status?.rawValue)
        if case .pairing(let failure) = error.situation { security = SecurityFailure(failure) }
    }
}
