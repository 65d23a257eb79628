internal import GAP
internal import GATT
internal import Sockets
internal import VirtualPeripheral

/// The radio inside this process.
struct InProcessRadio: Radio {
    private let radio: VirtualRadio
    /// The loop of the central, which need not be that of the radio.
    private let loop: EventLoop

    var name: String { "virtual" }

    var isUp: Bool { radio.condition == .on }

    init(_ devices: [DeviceDescription], on loop: EventLoop) throws(CentralError) {
        do throws(DatabaseError) {
            self.init(try VirtualRadio(devices, on: loop), on: loop)
        } catch {
            throw CentralError(.invalid, failure: "cannot make the virtual radio", reason: "\(error)")
        }
    }

    init(_ radio: VirtualRadio, on loop: EventLoop) {
        self.radio = radio
        self.loop = loop
    }

    func scan(
        _ mode: ScanMode, report: @escaping @Sendable (RadioEvent) -> Void
    ) async throws(CentralError) -> any RadioScan {
        let loop = loop
        // On the radio's loop things are told at once, in order with everything else that happens there.
        let isSameLoop = loop === radio.loop
        let listener = VirtualListener { event in
            if isSameLoop { report(event) } else { loop.execute { report(event) } }
        }
        let scan = await radio.scan(isActive: mode == .active) { listener.receive($0, at: radio.loop.now()) }
        return VirtualScan(radio: radio, scan: scan)
    }

    func connect(to address: DeviceAddress, _ options: ConnectOptions) async throws(CentralError) -> Bearer {
        do throws(VirtualRadio.ConnectError) {
            let radio = radio
            let socket =
                options.timeout == nil
                ? try await radio.connectWhenInReach(of: address, on: loop)
                : try await radio.connect(to: address, on: loop)
            return Bearer(
                socket: socket, peer: address.description, isBonded: radio.isBonded(with: address), owner: radio,
                security: .virtual(address.description) { radio.raiseSecurity(of: address) },
                readRSSI: { .success(await radio.signalStrength(of: address)) },
                closeReason: { reason in
                    guard reason != .closedHere else { return .closedLocally }
                    return .disconnected(reason: radio.endReason(of: address))
                })
        } catch {
            let failure = "cannot connect to \(address)"
            switch error {
            case .cancelled: throw .cancelled(failure)
            case .radioUnusable:
                throw CentralError(.noAdapter, failure: failure, reason: error.description)
            case .tooManyConnections:
                throw CentralError(
                    .noConnection, failure: failure, reason: error.description, remedy: "end one of them",
                    hciStatus: 0x09)
            case .notInReach, .notConnectable, .system:
                throw CentralError(
                    .noConnection, failure: failure, reason: error.description,
                    remedy: "a scan of the virtual radio shows what is in reach")
            }
        }
    }
}

extension VirtualRadio {
    /// Encrypts the links to a device by the key of a bond, or pairs.
    /// - Returns: why it cannot, if it cannot.
    fileprivate nonisolated func raiseSecurity(of address: DeviceAddress) -> SecurityFailure? {
        switch encrypt(address) {
        case .works: nil
        case .keyMissing: .keyMissing
        case nil: pair(with: address) ? nil : .pairingRefused
        }
    }
}

extension LinkSecurityControl {
    /// The control of a link to a virtual peripheral: one pairing, as by Just Works; there is no more security to be had.
    /// - Parameter encrypt: encrypts the link by a key that there is, or pairs; returns why that cannot be, if it cannot.
    static func virtual(
        _ peer: String, encrypt: @escaping @Sendable () async -> SecurityFailure?
    ) -> LinkSecurityControl {
        let (wasTried, isPaired) = (Locked(false), Locked(false))
        return LinkSecurityControl(
            isEncrypted: { isPaired.withLock { $0 } },
            raise: { level in
                func failed(_ reason: String, _ security: SecurityFailure) -> Result<SecurityLevel, CentralError> {
                    .failure(
                        CentralError(.refused, failure: "cannot pair with \(peer)", reason: reason, security: security))
                }
                if let level, level > .medium {
                    return failed("a virtual peripheral has no protection against a man in the middle", .notProtected)
                }
                let isFirst = wasTried.withLock { wasTried in
                    defer { wasTried = true }
                    return !wasTried
                }
                guard isFirst else { return failed("there is no more security to be had", .pairingRefused) }
                switch await encrypt() {
                case nil:
                    isPaired.withLock { $0 = true }
                    return .success(.medium)
                case .keyMissing?: return failed("the device no longer has the key of this pairing", .keyMissing)
                case let failure?: return failed("the device does not pair", failure)
                }
            })
    }
}

/// Joins what the virtual radio reports, as a controller's reports are joined. Used on the loop only.
private final class VirtualListener: @unchecked Sendable {
    // Sendable: the radio reports on its loop's thread only.
    private var assembler = AdvertisementAssembler()
    private let report: @Sendable (RadioEvent) -> Void

    init(_ report: @escaping @Sendable (RadioEvent) -> Void) { self.report = report }

    func receive(_ advertisingReport: borrowing AdvertisingReport, at time: UInt64) {
        assembler.receive(advertisingReport, at: time) { advertisement in
            report(.heard([AdvertisementRecord(copying: advertisement)]))
        }
    }
}

private struct VirtualScan: RadioScan {
    let radio: VirtualRadio
    let scan: VirtualRadio.Scan

    func stop() async { await radio.stop(scan) }
}

/// Virtual peripherals by name: built-in ones, or described in files.
enum VirtualLink {
    /// A radio that reaches the named peripherals; all the built-in ones when none is named.
    static func radio(_ names: [String], on loop: EventLoop) throws(CentralError) -> any Radio {
        var devices: [DeviceDescription] = []
        for name in names { devices.append(try description(name, on: loop)) }
        return try InProcessRadio(devices.isEmpty ? DeviceDescription.builtIn : devices, on: loop)
    }

    /// The bearer to a peripheral of its own, which lives as long as the connection.
    static func connect(
        to name: String, _ options: ConnectOptions, on loop: EventLoop
    ) async throws(CentralError) -> Bearer {
        let description = try description(name, on: loop)
        let failure = "cannot connect to virtual:\(name)"
        let device: VirtualDevice
        do throws(DatabaseError) {
            device = try VirtualDevice(description, on: loop)
        } catch {
            throw CentralError(.invalid, failure: failure, reason: "\(error)")
        }
        do throws(Errno) {
            let (near, far) = try SeqPacketSocket.pair(on: loop, datagramCapacity: options.datagramCapacity)
            try await device.serve(far)
            let security: LinkSecurityControl? =
                if description.acceptsPairing {
                    .virtual("virtual:\(name)") {
                        await device.encryptLinks()
                        return nil
                    }
                } else {
                    nil
                }
            return Bearer(socket: near, peer: "virtual:\(name)", owner: device, security: security)
        } catch {
            throw CentralError(.noConnection, failure: failure, reason: error.description, errno: error)
        }
    }

    private static func description(_ name: String, on loop: EventLoop) throws(CentralError) -> DeviceDescription {
        if let builtIn = DeviceDescription(builtIn: name) { return builtIn }
        let failure = "cannot make the virtual peripheral \(name)"
        let octets: [UInt8]
        do throws(Errno) {
            octets = try loop.system.contents(of: name)
        } catch {
            let names = BuiltInDevice.allCases.map(\.name).joined(separator: ", ")
            throw CentralError(
                .invalid, failure: failure, reason: "it is no built-in one and no file: \(error)",
                remedy: "the built-in ones are \(names)", errno: error)
        }
        do throws(DeviceFileError) {
            return try DeviceDescription(parsing: String(decoding: octets, as: UTF8.self))
        } catch {
            throw CentralError(.invalid, failure: failure, reason: error.description)
        }
    }
}
