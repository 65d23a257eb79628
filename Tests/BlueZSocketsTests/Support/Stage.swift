import Sockets
import SocketsTestSupport
import Testing

/// An event loop on the test's own thread over a table of system calls: asynchronous code runs in its turns, so that the
/// order of everything is the table's.
final class Stage: Sendable {
    let system: ScriptedSystemCalls
    let loop: EventLoop

    /// A stage whose table begins with `rows`, after those that make the loop.
    init(_ rows: [Row]) throws {
        system = ScriptedSystemCalls(ScriptedSystemCalls.loopCreation + rows)
        loop = try EventLoop(manualWith: system)
    }

    /// Begins to run `body` on the loop; its result comes in a later turn.
    func begin<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Performance<Result> {
        let result = Locked<Result?>(nil)
        let task = Task(executorPreference: loop.taskExecutor) {
            let value = await body()
            result.withLock { $0 = value }
        }
        return Performance(task: task, outcome: result)
    }

    /// Turns the loop `count` times.
    func turn(_ count: Int = 1) {
        for _ in 0..<count { loop.turn() }
    }

    /// Turns the loop until the table is used up, at most `limit` times.
    func playOut(limit: Int = 60) {
        var turns = 0
        while !system.remaining.isEmpty, system.mismatches.isEmpty, turns < limit {
            loop.turn()
            turns += 1
        }
    }

    /// Adds rows to the table and plays them.
    func play(_ rows: [Row]) {
        system.expect(rows)
        playOut()
    }

    /// Runs `body` and plays the table to its end, to which one quiet turn is added in which the result arrives.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) throws -> Result {
        let performance = begin(body)
        system.expect([Script.quiet])
        playOut()
        return try #require(performance.result)
    }

    /// Checks that the table was followed to its end.
    func expectDone(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(system.mismatches == [], sourceLocation: sourceLocation)
        #expect(system.remaining == [], sourceLocation: sourceLocation)
    }
}

/// Something that runs on a stage.
struct Performance<Result: Sendable>: Sendable {
    let task: Task<Void, Never>
    let outcome: Locked<Result?>

    /// The result, once it is there.
    var result: Result? { outcome.withLock { $0 } }
}

extension Result {
    /// The error; `nil` for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
