// Measuring: medians over samples that alternate between the two sides, so that a machine that slows down slows both.

import CBenchmark

/// What one operation took.
struct Cost {
    var nanoseconds: Double
    /// Instructions in user space; `nil` where the machine does not count them.
    var instructions: Double?
    var allocations: Double
}

/// The instruction counter of this thread, when there is one.
let instructionCounter: Int32? = {
    let counter = benchmark_instructions_open()
    return counter >= 0 ? counter : nil
}()

/// Runs `body` once and gives what each of its `operations` took.
func measureOnce(operations: Int, _ body: () -> Void) -> Cost {
    let allocations = benchmark_allocations()
    let instructions = instructionCounter.map { benchmark_instructions_read($0) }
    let start = benchmark_cpu_time()
    body()
    let end = benchmark_cpu_time()
    let counted = instructionCounter.map { benchmark_instructions_read($0) }
    let made = benchmark_allocations() &- allocations
    let count = Double(operations)
    return Cost(
        nanoseconds: Double(end &- start) / count,
        instructions: instructions.flatMap { before in counted.map { Double($0 &- before) / count } },
        allocations: Double(made) / count)
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The median of each figure.
func median(_ costs: [Cost]) -> Cost {
    let instructions = costs.compactMap(\.instructions)
    return Cost(
        nanoseconds: median(costs.map(\.nanoseconds)),
        instructions: instructions.isEmpty ? nil : median(instructions),
        allocations: median(costs.map(\.allocations)))
}
