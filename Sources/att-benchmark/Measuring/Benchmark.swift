// What a benchmark is, and the two ways of running it: against a clock, and under an instruction counter.

import CBenchmark

/// One operation, as a loop of it.
struct Benchmark: Sendable {
    /// What it belongs to; a heading of the table.
    let group: String
    let name: String
    /// How many operations make a sample, unless the command line says it.
    let rounds: Int
    /// Does the operation so many times and gives a digest of what came out; 0 when it went wrong.
    let run: @Sendable (_ rounds: Int) -> UInt64
    /// The same work done by the C reference, with the same digest.
    let reference: (@Sendable (_ rounds: Int) -> UInt64)?

    init(
        _ group: String, _ name: String, rounds: Int, run: @escaping @Sendable (Int) -> UInt64,
        reference: (@Sendable (Int) -> UInt64)? = nil
    ) {
        self.group = group
        self.name = name
        self.rounds = rounds
        self.run = run
        self.reference = reference
    }

    /// The name by which the budgets know it.
    var path: String { "\(group)/\(name)" }
}

/// Measures each benchmark and, beside it, its reference; the samples of both alternate, so that a machine that slows
/// down slows both.
/// - Returns: whether both sides did the same work.
func measure(
    _ benchmarks: [Benchmark], samples: Int, rounds: Int?, instructions: [String: Count], into report: inout Report
) -> Bool {
    var isSound = true
    for benchmark in benchmarks {
        let rounds = rounds ?? benchmark.rounds
        let digest = benchmark.run(rounds)
        if digest == 0 || benchmark.reference.map({ $0(rounds) != digest }) ?? false {
            complain("\(benchmark.path): the digests differ, or something was refused")
            isSound = false
            continue
        }
        var mine: [Cost] = []
        var theirs: [Cost] = []
        for _ in 0..<samples {
            mine.append(
                measureOnce(operations: rounds) { isSound = benchmark.run(rounds) == digest && isSound })
            if let reference = benchmark.reference {
                theirs.append(measureOnce(operations: rounds) { isSound = reference(rounds) == digest && isSound })
            }
        }
        let cost = median(mine)
        var figures: [Figure] = [("ns", cost.nanoseconds)]
        if !theirs.isEmpty {
            let reference = median(theirs)
            figures += [("C ns", reference.nanoseconds), ("ratio", cost.nanoseconds / reference.nanoseconds)]
        }
        if let count = instructions[benchmark.path] {
            figures.append(("instr", count.instructions))
            if let reference = count.reference {
                figures += [("C instr", reference), ("instr ratio", count.instructions / reference)]
            }
        }
        figures.append(("allocations", cost.allocations))
        report.add(Row(group: benchmark.group, name: benchmark.name, figures: figures))
    }
    if !isSound { complain("the digest of some sample differed") }
    return isSound
}

/// Runs each benchmark between marks for the instruction counter this process runs under, and prints the numbers of
/// operations and of allocations that belong to them. The second stretch has twice the operations of the first, so that
/// their difference holds nothing but operations.
func count(_ benchmarks: [Benchmark], rounds: Int?) {
    for benchmark in benchmarks {
        let rounds = rounds ?? max(1, benchmark.rounds / 200)
        let sides = [("swift", benchmark.run)] + (benchmark.reference.map { [("c", $0)] } ?? [])
        for (side, run) in sides {
            let marks = ["once", "twice"].map { "\($0) \(side) \(benchmark.path)" }
            _ = run(rounds)
            unsafe benchmark_mark("")
            let start = benchmark_allocations()
            _ = run(rounds)
            let middle = benchmark_allocations()
            unsafe benchmark_mark(marks[0])
            let resumed = benchmark_allocations()
            _ = run(rounds * 2)
            let end = benchmark_allocations()
            unsafe benchmark_mark(marks[1])
            let made = Double(end &- resumed) - Double(middle &- start)
            print("\(side) \(rounds) \(shown(made / Double(rounds))) \(benchmark.path)")
        }
    }
}
