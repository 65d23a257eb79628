// att-benchmark: what the codec and the engines cost, apart from any radio.

import CommandLineParsing
import Glibc

/// One sentence on standard error.
func complain(_ sentence: String) {
    let line = Array("att-benchmark: \(sentence)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
}

let json = Flag("json", help: "One JSON object a line instead of a table.")
let only = Option("only", "TEXT", .text, help: "Only the cases whose name holds TEXT.")
let samples = Option("samples", "N", .integer(in: 1...1000), help: "Samples per figure, the median counts; default 9.")
let rounds = Option("rounds", "N", .integer(in: 1...1_000_000_000), help: "Operations per sample; default 200000.")
let caseName = Positional("CASE", .text, help: "The name of a case, or a part of it.")
let direction = Positional("DIRECTION", .oneOf(CodecDirection.allCases.map(\.rawValue)), help: "decode or encode.")
let side = Positional("SIDE", .oneOf(CodecSide.allCases.map(\.rawValue)), help: "swift or c.")

let program = Program(
    "att-benchmark", summary: "measure the protocol stack apart from any radio",
    globalOptions: [json, only, samples, rounds],
    commands: [
        Command("codec", summary: "decode and encode every kind of PDU, beside a C reference"),
        Command(
            "loop", summary: "run one loop of the codec, for an instruction counter outside",
            discussion: "Two runs with different rounds under a counter give the instructions of one operation.",
            positionals: [caseName, direction, side]),
    ])

do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let command):
        print(program.help(command))
    case .version:
        print("att-benchmark")
    case .completion:
        complain("completion is made for btatt only")
        exit(2)
    case .run(let command, let arguments):
        var report = Report(json: arguments[json])
        let filter = arguments[only] ?? ""
        switch command.name {
        case "codec":
            let count = (arguments[samples] ?? 9)
            guard
                measureCodec(only: filter, samples: count, rounds: arguments[rounds] ?? 200_000, into: &report)
            else { exit(1) }
        default:
            guard let name = arguments[caseName],
                let benchmark = CodecBenchmark.all.first(where: { $0.name.contains(name) }),
                let direction = arguments[direction].flatMap(CodecDirection.init(rawValue:)),
                let side = arguments[side].flatMap(CodecSide.init(rawValue:))
            else {
                complain("no case has that name")
                exit(2)
            }
            print(benchmark.run(side, direction, arguments[rounds] ?? 200_000))
        }
    }
} catch {
    complain(error.description)
    exit(2)
}
