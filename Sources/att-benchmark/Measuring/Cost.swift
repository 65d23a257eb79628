// Measuring: CPU time and allocations of this process, and medians of them.

import CBenchmark

/// What one operation took.
struct Cost {
    var nanoseconds: Double
    var allocations: Double
}

/// Runs `body` once and gives what each of its `operations` took.
func measureOnce(operations: Int, _ body: () -> Void) -> Cost {
    let allocations = benchmark_allocations()
    let start = benchmark_cpu_time()
    body()
    let end = benchmark_cpu_time()
    let made = benchmark_allocations() &- allocations
    let count = Double(operations)
    return Cost(nanoseconds: Double(end &- start) / count, allocations: Double(made) / count)
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The median of each figure.
func median(_ costs: [Cost]) -> Cost {
    Cost(nanoseconds: median(costs.map(\.nanoseconds)), allocations: median(costs.map(\.allocations)))
}
