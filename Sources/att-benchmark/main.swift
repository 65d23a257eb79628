// att-benchmark: what the codec and the engines cost, apart from any radio.

import CBenchmark
import CommandLineParsing
import Glibc

/// One sentence on standard error.
func complain(_ sentence: String) {
    let line = Array("att-benchmark: \(sentence)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
}

/// Ends the program with one sentence on standard error.
func fail(_ sentence: String, status: Int32 = 2) -> Never {
    complain(sentence)
    exit(status)
}

let json = Flag("json", help: "One JSON object a line instead of a table.")
let only = Option("only", "TEXT", .text, help: "Only the cases whose name holds TEXT.")
let samples = Option("samples", "N", .integer(in: 1...1000), help: "Samples per figure, the median counts; default 9.")
let rounds = Option("rounds", "N", .integer(in: 1...1_000_000_000), help: "Operations per sample.")
let instructions = Option("instructions", "FILE", .text, help: "Show the instructions that were counted into FILE.")

// The bearer group starts this program again as its peer, which is nothing that help has to know.
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "peer",
    let count = UInt(CommandLine.arguments[2]), let octets = UInt(CommandLine.arguments[3])
{
    exit(benchmark_peer(count, octets))
}

let program = Program(
    "att-benchmark", summary: "measure the protocol stack apart from any radio",
    globalOptions: [json, only, samples, rounds, instructions],
    commands: [
        Command("all", summary: "everything"),
        Command("codec", summary: "decode and encode every kind of PDU, beside a C reference"),
        Command("engine", summary: "the client engine alone: octets in, actions out"),
        Command("bearer", summary: "the whole path over a SEQPACKET socket, the peer in another process"),
        Command("scan", summary: "from HCI events to scan results, and what a device takes"),
        Command(
            "count", summary: "run every case between marks for callgrind",
            discussion: "Prints the side, the operations, the allocations of one operation and the name of each case. "
                + "scripts/check-budgets runs it under callgrind and works the instructions of one operation out."),
    ])

do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let command):
        print(program.help(command))
    case .version:
        print("att-benchmark")
    case .completion:
        fail("completion is made for btatt only")
    case .run(let command, let arguments):
        var report = Report(json: arguments[json])
        let filter = arguments[only] ?? ""
        func selected(_ benchmarks: [Benchmark]) -> [Benchmark] {
            benchmarks.filter { filter.isEmpty || $0.path.contains(filter) }
        }
        if command.name == "count" {
            count(selected(CodecGroup.all + EngineGroup.all + ScanGroup.counted), rounds: arguments[rounds])
            exit(0)
        }
        var counted: [String: Count] = [:]
        if let path = arguments[instructions] {
            guard let read = counts(inFile: path) else { fail("cannot read \(path)") }
            counted = read
        }
        let benchmarks: [Benchmark] =
            switch command.name {
            case "codec": CodecGroup.all
            case "engine": EngineGroup.all
            case "bearer", "scan": []
            default: CodecGroup.all + EngineGroup.all
            }
        var isSound = measure(
            selected(benchmarks), samples: arguments[samples] ?? 9, rounds: arguments[rounds], instructions: counted,
            into: &report)
        if command.name == "bearer" || command.name == "all" {
            isSound =
                await BearerGroup.measure(
                    only: filter, samples: arguments[samples] ?? 5, items: arguments[rounds], into: &report) && isSound
        }
        if command.name == "scan" || command.name == "all" {
            isSound =
                ScanGroup.measure(
                    only: filter, samples: arguments[samples] ?? 5, rounds: arguments[rounds], instructions: counted,
                    into: &report) && isSound
        }
        guard isSound else { exit(1) }
    }
} catch {
    fail(error.description)
}
