// The whole path: a peer in a process of its own sends datagrams over a Unix SEQPACKET socket, and what arrives goes
// through the event loop, the engine and the connection to somebody who uses it. CPU time is this process's, the kernel's
// work for it included.

import CBenchmark
import Central
import Sockets

/// One way of using a connection, as often as it is asked to.
struct BearerBenchmark: Sendable {
    let name: String
    /// How many items make a sample, unless the command line says it.
    let items: Int
    /// How many octets the peer's values have.
    let octets: Int
    /// Whether the values are used on the thread where they arrive.
    var isOnLoop = true
    /// Uses the connection `items` times; whether all came through.
    let run: @Sendable (Connection, _ items: Int) async throws -> Bool
}

enum BearerGroup {
    /// The value that the peer notifies and answers.
    private static let handle: AttributeHandle = 0x0010

    static let all: [BearerBenchmark] =
        [20, 244, 512].map { octets in
            BearerBenchmark(
                name: "notifications \(octets) B", items: 300_000, octets: octets, run: receiveNotifications)
        } + [
            BearerBenchmark(name: "reads 20 B, one after the other", items: 50_000, octets: 20, run: read),
            BearerBenchmark(name: "write commands 20 B", items: 100_000, octets: 20, run: writeCommands),
            BearerBenchmark(
                name: "notifications 20 B, another thread", items: 300_000, octets: 20, isOnLoop: false,
                run: receiveNotifications),
            BearerBenchmark(
                name: "reads 20 B, another thread", items: 20_000, octets: 20, isOnLoop: false, run: read),
            BearerBenchmark(
                name: "write commands 20 B, another thread", items: 50_000, octets: 20, isOnLoop: false,
                run: writeCommands),
        ]

    private static func receiveNotifications(_ connection: Connection, _ items: Int) async throws -> Bool {
        let target = SubscriptionTarget(valueHandle: handle, properties: .notify, configurationHandle: 0x0011)
        // The peer sends as fast as it can, faster than any radio, and never waits for an answer.
        let values = try await connection.subscribe(
            to: target, buffer: BufferOptions(capacity: items, overflow: .fail))
        var digest: UInt64 = 1
        var count = 0
        for try await update in values {
            fold(&digest, update.value.octets)
            count += 1
            if count == items { break }
        }
        return count == items && digest != 0
    }

    private static func read(_ connection: Connection, _ items: Int) async throws -> Bool {
        for _ in 0..<items {
            guard try await connection.read(handle).count == 20 else { return false }
        }
        return true
    }

    private static func writeCommands(_ connection: Connection, _ items: Int) async throws -> Bool {
        let value = [UInt8](repeating: 7, count: 20)
        for _ in 0..<items { try await connection.writeWithoutResponse(value, to: handle) }
        // The peer says how many it has had.
        let answer = try await connection.read(handle)
        return answer.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == items
    }

    /// Measures each benchmark over several connections, one a sample.
    /// - Returns: whether everything that was sent came through.
    static func measure(
        only filter: String, samples: Int, items: Int?, into report: inout Report
    ) async -> Bool {
        var isSound = true
        for benchmark in all where filter.isEmpty || "whole path/\(benchmark.name)".contains(filter) {
            let items = items ?? benchmark.items
            var costs: [Cost] = []
            var rates: [Double] = []
            for _ in 0..<samples {
                guard let (cost, rate) = await sample(benchmark, items) else {
                    complain("\(benchmark.name): not everything came through")
                    isSound = false
                    break
                }
                costs.append(cost)
                rates.append(rate)
            }
            guard !costs.isEmpty else { continue }
            let cost = median(costs)
            report.add(
                Row(
                    group: "whole path over SEQPACKET", name: benchmark.name,
                    figures: [
                        ("CPU µs", cost.nanoseconds / 1000), ("items/s", median(rates)),
                        ("allocations", cost.allocations),
                    ]))
        }
        return isSound
    }

    /// One connection to a new peer.
    private static func sample(_ benchmark: BearerBenchmark, _ items: Int) async -> (Cost, itemsPerSecond: Double)? {
        var process = 0
        let descriptor = unsafe benchmark_start_peer(&process, UInt(items), UInt(benchmark.octets))
        guard descriptor >= 0 else { return nil }
        defer { benchmark_await_peer(process) }
        do {
            let central = try await Central(adapter: .none)
            let connection = try await central.connect(to: .socket(SeqPacketSocket(adopting: descriptor)))
            let allocations = benchmark_allocations()
            let start = benchmark_cpu_time()
            let began = benchmark_clock()
            let user = Task(executorPreference: benchmark.isOnLoop ? central.loop.taskExecutor : nil) {
                try await benchmark.run(connection, items)
            }
            let isComplete = try await user.value
            let seconds = Double(benchmark_clock() &- began) / 1e9
            let nanoseconds = Double(benchmark_cpu_time() &- start) / Double(items)
            let made = Double(benchmark_allocations() &- allocations) / Double(items)
            await connection.disconnect()
            guard isComplete else { return nil }
            return (Cost(nanoseconds: nanoseconds, allocations: made), Double(items) / seconds)
        } catch {
            complain("\(benchmark.name): \(error)")
            return nil
        }
    }
}
