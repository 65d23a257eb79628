import Central
import CommandLineParsing

extension CommandContext {
    /// The adapter that was chosen.
    var adapter: AdapterSelection {
        switch arguments[GlobalOptions.adapter] {
        case nil: .firstAvailable
        case .hci(let index): .hci(index)
        case .virtual: .virtual([])
        }
    }

    /// The device that was chosen.
    func target() throws(Failure) -> DeviceTarget {
        guard let target = arguments[GlobalOptions.device] else {
            throw Failure(.usage, "no device was given: say which with --device, such as -d virtual:heart-rate")
        }
        switch target {
        case .address(let octets, let isRandom):
            let value = octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let isRandom else { return .addressOfUnknownType(AddressOctets(value: value)) }
            return .address(DeviceAddress(value: value, type: isRandom ? .random : .public))
        case .name(let name): return .name(name)
        case .virtual(let name): return .virtual(name)
        case .unix(let path): return .unix(path)
        }
    }

    /// The longest wait, where one was given.
    var timeout: Duration? {
        arguments[GlobalOptions.timeout].map { .milliseconds(Int64(($0 * 1_000).rounded())) }
    }

    /// The security that the link is to have.
    var security: SecurityLevel {
        switch arguments[GlobalOptions.security] {
        case "medium": .medium
        case "high": .high
        case "fips": .fips
        default: .low
        }
    }

    private func connectOptions(_ observer: PDUObserver?, security: SecurityLevel?) -> ConnectOptions {
        var options = ConnectOptions()
        if let mtu = arguments[GlobalOptions.mtu] { options.preferredMTU = mtu }
        if let timeout {
            options.timeout = timeout
            options.operationTimeout = timeout
        }
        options.security = security ?? self.security
        options.elevatesSecurity = !arguments[GlobalOptions.noElevate]
        options.pairing = pairing
        options.observer = observer
        options.attributeStore = Folders.attributes.map { AttributeStore(folder: $0) }
        if arguments[GlobalOptions.trace] {
            let console = console
            options.procedureObserver = { report in
                let count = report.requests == 1 ? "1 request" : "\(report.requests) requests"
                let moment = Moment(microseconds: Int64(report.time.unixNanoseconds / 1_000))
                console.trace("\(moment.clock) = \(report.action): \(count)" + (report.failure.map { "; \($0)" } ?? ""))
            }
        }
        return options
    }

    /// Writes each PDU to standard error, when `--trace` asks for it.
    private var tracer: PDUObserver? {
        guard arguments[GlobalOptions.trace] else { return nil }
        let console = console
        return { direction, time, octets in
            let moment = Moment(microseconds: Int64(time.unixNanoseconds / 1_000))
            console.trace("\(moment.clock) \(direction == .sent ? ">" : "<") \(printable(describe(octets)))")
        }
    }

    /// Connects, does the work, and leaves link and adapter as they were: also when the work fails or is interrupted. In a
    /// shell the work is done on its connection, which stays.
    /// - Parameters:
    ///   - also: sees every PDU, beside the trace.
    ///   - security: what the link is to have from the start, in place of what was asked for.
    func withConnection<Result: Sendable>(
        observer also: PDUObserver? = nil, security: SecurityLevel? = nil,
        _ work: (Connection) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if let session { return try await work(session.connection) }
        let target = try target()
        let central = try await central(for: target)
        capture(central)
        let session = capturedSession(to: target)
        let observer = together([also, tracer, session?.observer])
        console.note("connecting to \(target)")
        console.progress("connecting to \(target)")
        let connection: Connection
        do throws(CentralError) {
            connection = try await central.connect(to: target, options: connectOptions(observer, security: security))
        } catch {
            await leave(nil, central)
            session?.ended(nil)
            throw Failure(error)
        }
        console.clearProgress()
        console.note("connected, MTU \(await connection.mtu)")
        do throws(Failure) {
            let result = try await work(connection)
            await leave(connection, central)
            session?.ended(await connection.disconnection)
            return result
        } catch {
            await leave(connection, central)
            session?.ended(await connection.disconnection)
            throw error
        }
    }

    /// A central on the chosen adapter; devices that need no radio do without one.
    func central(for target: DeviceTarget) async throws(Failure) -> Central {
        do throws(CentralError) {
            switch target {
            case .virtual, .unix, .socket: return try await Central(adapter: .virtual([]))
            default: return try await Central(adapter: adapter)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Opens the chosen adapter for work without a connection.
    func withCentral<Result: Sendable>(
        _ work: (Central) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let central: Central
        do throws(CentralError) {
            central = try await Central(adapter: adapter)
        } catch {
            throw Failure(error)
        }
        capture(central)
        do throws(Failure) {
            let result = try await work(central)
            await leave(nil, central)
            return result
        } catch {
            await leave(nil, central)
            throw error
        }
    }

    /// Closes the link and gives the adapter back.
    private func leave(_ connection: Connection?, _ central: Central) async {
        await cleanUp {
            await connection?.disconnect(writingBack: true)
            withExtendedLifetime(central) {}
        }
    }
}

/// Undoes what a command did. An interrupted command's task is cancelled, and nothing can be awaited in it: the clean-up
/// has a task of its own, and two seconds, because the peer may not answer any more.
func cleanUp(_ work: @escaping @Sendable () async -> Void) async {
    let cleanUp = Task(operation: work)
    let limit = Task {
        try? await Task.sleep(for: .seconds(2))
        cleanUp.cancel()
    }
    await cleanUp.value
    limit.cancel()
}

extension Task where Failure == Never {
    /// The value, for a caller whose cancellation is the task's as well.
    var valueCancelledWithCaller: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}

/// Calls the library, and turns its errors into failures of the command.
func attempt<Result: Sendable>(
    _ work: () async throws(CentralError) -> Result
) async throws(Failure) -> Result {
    do throws(CentralError) {
        return try await work()
    } catch {
        throw Failure(error)
    }
}
