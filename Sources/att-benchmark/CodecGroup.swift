// The codec beside its C reference.

/// Measures each case of the codec and its C reference, and checks that both did the same work.
func measureCodec(only filter: String, samples: Int, rounds: Int, into report: inout Report) -> Bool {
    var isSound = true
    for direction in CodecDirection.allCases {
        for benchmark in CodecBenchmark.all
        where benchmark.directions.contains(direction) && (filter.isEmpty || benchmark.name.contains(filter)) {
            let digests = CodecSide.allCases.map { benchmark.run($0, direction, 10_000) }
            if digests[0] == 0 || digests[0] != digests[1] {
                complain("\(direction.rawValue) of \(benchmark.name): the two codecs disagree")
                isSound = false
                continue
            }
            var costs: [CodecSide: [Cost]] = [:]
            var sink: UInt64 = 0
            for _ in 0..<samples {
                for side in CodecSide.allCases {
                    costs[side, default: []].append(
                        measureOnce(operations: rounds) { sink ^= benchmark.run(side, direction, rounds) })
                }
            }
            // The digests of both sides are equal, so an even number of them cancels out.
            if sink != 0 {
                complain("\(direction.rawValue) of \(benchmark.name): the digests of the samples differ")
                isSound = false
            }
            let swift = median(costs[.swift] ?? [])
            let c = median(costs[.c] ?? [])
            var figures = [
                ("ns", swift.nanoseconds), ("C ns", c.nanoseconds), ("ratio", swift.nanoseconds / c.nanoseconds),
            ]
            if let mine = swift.instructions, let theirs = c.instructions {
                figures += [("instr", mine), ("C instr", theirs), ("instr ratio", mine / theirs)]
            }
            figures.append(("allocations", swift.allocations))
            report.add(
                Row(
                    group: "codec, \(direction.rawValue)", name: benchmark.name,
                    figures: figures.map { (name: $0.0, value: $0.1) }))
        }
    }
    return isSound
}
