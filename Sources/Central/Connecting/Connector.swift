internal import GAP
internal import Sockets

/// Finds what a target names, connects to it and opens the connection.
struct Connector: Sendable {
    let loop: EventLoop
    /// `nil` for a central without a radio.
    let hub: ScanHub?
    private let pace: Pace
    private let phase = Locked(Phase.connecting)

    private enum Phase { case finding, connecting }

    /// How attempts follow each other when there is no time limit.
    struct Pace: Sendable {
        /// How long the radio is listened to between two attempts, at most.
        var turn = Duration.seconds(20)
        /// An attempt that fails sooner than this has not tried; the next one waits.
        var shortestAttempt = Duration.seconds(1)
        /// How long it waits at first, and from one such failure to the next twice as long, up to a turn.
        var firstPause = Duration.milliseconds(250)
    }

    init(loop: EventLoop, hub: ScanHub?, pace: Pace = Pace()) {
        self.loop = loop
        self.hub = hub
        self.pace = pace
    }

    func connect(to target: DeviceTarget, _ options: ConnectOptions) async -> Result<Connection, CentralError> {
        do throws(CentralError) {
            let connection = Connection(bearer: try await bearer(of: target, options), options: options, loop: loop)
            try await connection.open()
            return .success(connection)
        } catch {
            return .failure(Self.notReached(error, target))
        }
    }

    /// Nobody answered in time: for whoever connects that is the same as a device that is not there. An address of the wrong
    /// type is one that nobody has, which is the usual reason. A pairing that does not end in time is something else.
    static func notReached(_ error: CentralError, _ target: DeviceTarget) -> CentralError {
        guard error.category == .timedOut, error.security == nil else { return error }
        var error = error
        error.category = .noConnection
        if case .address(let address) = target {
            let other = address.type == .public ? "random" : "public"
            error.remedy = "see with \"btatt scan\" whether it advertises, and whether its address type is \(other)"
        }
        return error
    }

    private func bearer(of target: DeviceTarget, _ options: ConnectOptions) async throws(CentralError) -> Bearer {
        guard !Task.isCancelled else { throw .cancelled("cannot connect to \(target)") }
        switch target {
        case .address(let address):
            guard options.timeout == nil, hub != nil else {
                return try await radio(for: target).connect(to: address, options)
            }
            return try await connectWithoutLimit(to: address, options)
        case .addressOfUnknownType(let octets):
            if let address = hub?.radio.bondedAddress(octets, options) {
                return try await radio(for: target).connect(to: address, options)
            }
            let candidates = DeviceAddress.AddressType.allCases.map { DeviceAddress(octets, type: $0) }
            let address = try await find(ScanOptions(mode: .passive, addresses: Set(candidates)), target)
            return try await radio(for: target).connect(to: address, options)
        case .name(let name):
            let address = try await find(ScanOptions(name: .exactly(name), connectableOnly: true), target)
            return try await radio(for: target).connect(to: address, options)
        case .virtual(let name):
            return try await VirtualLink.connect(to: name, options, on: loop)
        case .unix(let path):
            return try await UnixLink.connect(to: path, options, on: loop)
        case .socket(let socket):
            return Bearer(socket: socket, peer: target.description)
        }
    }

    /// Connects whenever the device comes into reach. The radio's own attempts end after some time and keep scans from
    /// going on meanwhile, so a device that is not there is mostly listened for, together with the scans; an attempt in
    /// between reaches devices that advertise in a way a scan does not show.
    ///
    /// A radio may give up at once, and a device be heard at once, again and again: then the pauses grow.
    private func connectWithoutLimit(
        to address: DeviceAddress, _ options: ConnectOptions
    ) async throws(CentralError) -> Bearer {
        let target = DeviceTarget.address(address)
        var isWorthListening = await hub?.isScanning == true
        var pause = pace.firstPause
        while !Task.isCancelled {
            if isWorthListening { await listen(for: address) }
            isWorthListening = true
            guard !Task.isCancelled else { break }
            let start = loop.time
            do throws(CentralError) {
                return try await radio(for: target).connect(to: address, options)
            } catch {
                let isTimeout = error.category == .timedOut || error.errno == .timedOut || error.errno == .hostDown
                guard isTimeout else { throw error }
            }
            guard loop.time < start + pace.shortestAttempt else {
                pause = pace.firstPause
                continue
            }
            await sleep(pause, on: loop)
            pause = min(pause * 2, pace.turn)
        }
        throw .cancelled("cannot connect to \(target)")
    }

    /// Waits until a device is heard that accepts connections, or a turn is over.
    private func listen(for address: DeviceAddress) async {
        guard let hub else { return }
        let options = ScanOptions(
            mode: .passive, addresses: [address], connectableOnly: true, duration: pace.turn)
        // A radio that may not scan can still connect.
        do throws(CentralError) {
            for try await _ in Scan(hub: hub, options: options) { return }
        } catch {}
    }

    /// The address of the first advertiser that a scan tells of.
    private func find(_ options: ScanOptions, _ target: DeviceTarget) async throws(CentralError) -> DeviceAddress {
        _ = try radio(for: target)
        guard let hub else { throw .cancelled("cannot find \(target)") }
        phase.withLock { $0 = .finding }
        for try await result in Scan(hub: hub, options: options) {
            guard let address = result.address else { continue }
            phase.withLock { $0 = .connecting }
            return address
        }
        throw .cancelled("cannot find \(target)")
    }

    private func radio(for target: DeviceTarget) throws(CentralError) -> any Radio {
        guard let hub else {
            throw CentralError(
                .noAdapter, failure: "cannot connect to \(target)", reason: "this central has no radio",
                remedy: "choose an adapter")
        }
        return hub.radio
    }

    /// What it means that the time given for connecting is over.
    func timeoutError(_ target: DeviceTarget, after duration: Duration) -> CentralError {
        guard phase.withLock({ $0 }) == .finding else {
            return Self.notReached(.timedOut("cannot connect to \(target)", after: duration), target)
        }
        let remedy =
            switch target {
            case .addressOfUnknownType(let octets):
                "see that it is on, near and advertising; when it does not advertise, say \(octets)/public or /random"
            default: "see that it is on, near and advertising that very name; \"btatt scan\" shows what is heard"
            }
        return CentralError(
            .noConnection, failure: "cannot connect to \(target)",
            reason: "it was not heard within \(CentralError.seconds(duration))", remedy: remedy)
    }
}

/// The Unix socket as a bearer.
enum UnixLink {
    static func connect(
        to path: String, _ options: ConnectOptions, on loop: EventLoop
    ) async throws(CentralError) -> Bearer {
        let failure = "cannot connect to unix:\(path)"
        let promise = Promise<Result<SeqPacketSocket, Errno>>()
        do throws(Errno) {
            let address = try UnixAddress(path: path)
            SeqPacketSocket.connect(
                to: address, waiting: Int(clamping: options.timeout?.components.seconds ?? 120), on: loop,
                datagramCapacity: options.datagramCapacity
            ) { promise.fulfil($0) }
            let socket = try await promise.value(whenCancelled: .failure(.cancelled)).get()
            return Bearer(socket: socket, peer: address.description, identity: address.description)
        } catch {
            if error == .cancelled { throw .cancelled(failure) }
            throw CentralError(
                category(error), failure: failure, reason: error.description, remedy: advice(error), errno: error)
        }
    }

    private static func category(_ error: Errno) -> CentralError.Category {
        switch error {
        case .permissionDenied, .notPermitted: .missingRights
        case .invalidArgument, .nameTooLong: .invalid
        default: .noConnection
        }
    }

    private static func advice(_ error: Errno) -> String {
        switch error {
        case .noSuchFile: "start the server, or correct the path"
        case .connectionRefused: "nobody listens there any more: start the server again"
        case .wrongProtocolType: "the socket there is not of type SOCK_SEQPACKET"
        case .permissionDenied: "the socket file is not yours to write to"
        case .timedOut: "the server does not accept connections: too many are waiting"
        case .nameTooLong: "a socket's path has at most \(UnixAddress.maximumLength) octets"
        default: ""
        }
    }
}

extension DeviceAddress {
    /// The address as what names the device for good; `nil` for one that changes.
    var identity: String? { isStable ? description : nil }
}
