import BlueZSockets
import CommandLineParsing
import Sockets

/// `btatt record`
enum RecordCommand: BtattCommand {
    static let file = Positional("FILE", .file, help: "The file to write; - for standard output.")
    static let duration = Option("duration", "SECONDS", .decimal(in: 0.001...31_536_000), help: "Stop after this time.")
    static let count = Option("count", "N", .integer(in: 1...Int.max), help: "Stop after so many packets.")

    static let declaration = Command(
        "record", summary: "write down what passes between host and controller",
        discussion:
            "Listens to the kernel's Bluetooth monitor and writes everything as btsnoop (data link 2001, as btmon "
            + "does), until interrupted: commands, events and data of all connections and programs. Nothing is sent, and "
            + "nobody notices. With --adapter only of that adapter. Needs root or CAP_NET_RAW.",
        positionals: [file], options: [duration, count],
        examples: [
            Command.Example("btatt record session.btsnoop -i hci0", "until Ctrl-C"),
            Command.Example("btatt record -", "to a pipe, such as | btatt decode: the ATT traffic as it happens"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        guard let path = context.arguments[file] else { return }
        guard context.capture == nil else { throw Failure(.usage, "record writes FILE; it takes no --capture") }
        let adapter: UInt16?
        switch context.arguments[GlobalOptions.adapter] {
        case nil: adapter = nil
        case .hci(let index): adapter = UInt16(exactly: index)
        case .virtual: throw Failure(.noAdapter, "the virtual radio has no controller to listen to; use --capture")
        }
        let file = try CaptureFile(path)
        let (ends, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let packets = Locked(0)
        let most = context.arguments[count] ?? .max
        let console = context.console
        do throws(BluetoothSocketError) {
            try file.startMonitoring(adapter) { opcode in
                // Notes about adapters and programs are no packets.
                guard (2...7).contains(opcode) || opcode == 18 || opcode == 19 else { return }
                let number = packets.withLock { packets in
                    packets += 1
                    return packets
                }
                if number % 100 == 1 { console.progress("recording: \(number) packets") }
                if number >= most { continuation.finish() }
            }
        } catch {
            throw Failure(ExitStatus(rawValue: error.exitStatus) ?? .noAdapter, error.description)
        }
        console.note("recording to \(path)")
        let timer = context.arguments[duration].map { seconds in
            Task {
                guard (try? await Task.sleep(for: .milliseconds(Int64((seconds * 1_000).rounded())))) != nil else {
                    return
                }
                continuation.finish()
            }
        }
        for await _ in ends {}
        timer?.cancel()
        try file.finish()
        console.clearProgress()
        let number = packets.withLock { $0 }
        context.console.note("recorded \(number) packets, \(file.octetCount) octets")
    }
}
