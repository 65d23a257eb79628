// Central: what people embed. Adapters, scanning, connections, and the values that peers send, as Swift's asynchronous
// sequences and errors.
//
//     let central = try await Central(adapter: .firstAvailable)
//     for try await found in central.scan(ScanOptions(services: [0x180D])) {
//         guard let address = found.address else { continue }
//         let sensor = try await central.connect(to: .address(address))
//         let database = try await sensor.discoverAll()
//         guard let rate = database.characteristics(0x2A37).first else { continue }
//         for try await update in try await sensor.subscribe(to: rate) { print(update.value.hexadecimal) }
//     }
//
// Below it are GATT's client engine, which knows the protocol and does no I/O, and an event loop with sockets, which knows
// nothing of the protocol. A `Connection` puts the two together: an actor that runs on the loop's thread, gives the engine
// what was received and does what the engine wants. Nothing polls and nothing sleeps; every wait is a descriptor or a
// timer of the loop, and cancelling a task ends its wait at once.

@_exported public import GAP
@_exported public import GATT
public import Sockets
public import VirtualPeripheral

/// The central role of Bluetooth LE on one radio: scans for peripherals and connects to them.
///
/// Any number of scans and connections can go on at the same time. Letting go of a central does not end its connections.
public final class Central: Sendable {
    /// The loop on whose thread the sockets and connections of this central run.
    public let loop: EventLoop
    /// The radio's name for messages: `hci0`, `virtual`; `nil` without a radio.
    public var radioName: String? { hub?.radio.name }

    let hub: ScanHub?

    /// A central on a radio.
    /// - Throws: `noAdapter` when there is no such adapter or it is down, `missingRights`; `invalid` when the description
    ///   of a virtual peripheral is wrong.
    public init(
        adapter: AdapterSelection = .firstAvailable, on loop: EventLoop = .shared
    ) async throws(CentralError) {
        self.loop = loop
        let radio: (any Radio)? =
            switch adapter {
            case .firstAvailable: try KernelRadio(index: nil, on: loop)
            case .hci(let index): try KernelRadio(index: index, on: loop)
            case .virtual(let names): try VirtualLink.radio(names, on: loop)
            case .none: nil
            }
        hub = radio.map { ScanHub(radio: $0, loop: loop) }
    }

    /// A central on a radio inside this process, which the caller holds: to switch it off, to let devices come and go.
    /// - Parameters:
    ///   - radio: the radio.
    ///   - loop: on which the central's connections run; that of the radio unless given.
    public init(radio: VirtualRadio, on loop: EventLoop? = nil) {
        self.loop = loop ?? radio.loop
        hub = ScanHub(radio: InProcessRadio(radio, on: self.loop), loop: self.loop)
    }

    /// Whether the radio is switched on at this moment; also `false` without a radio.
    public var isRadioUp: Bool { hub?.radio.isUp == true }

    /// What advertisers in reach say, as an asynchronous sequence. The radio begins when it is iterated.
    public func scan(_ options: ScanOptions = ScanOptions()) -> Scan {
        Scan(hub: hub, options: options)
    }

    /// Connects to a device, agrees on an MTU, and hands out the connection. Cancelling the task ends the attempt.
    /// - Throws: `noConnection` when the device is not found or does not answer in time; `timedOut` when a pairing that was
    ///   asked for does not end; `noAdapter`, `missingRights`, `linkLost`, `cancelled`.
    public func connect(
        to target: DeviceTarget, options: ConnectOptions = ConnectOptions()
    ) async throws(CentralError) -> Connection {
        let connector = Connector(loop: loop, hub: hub)
        return try await withTimeLimit(
            options.timeout, on: loop,
            error: { connector.timeoutError(target, after: $0) },
            { await connector.connect(to: target, options) })
    }

    /// Ends every scan of this central, and returns when the radio no longer scans, also in a task that was cancelled.
    /// A program that ends right after a scan does well to wait for this. Connections go on.
    public func close() async { await hub?.close() }
}
