import CommandLineParsing
import Testing

@Suite struct HelpTests {
    @Test func ofTheProgram() {
        #expect(
            Sample.program.help(nil, width: 72) == """
                sample: a program that shows everything

                Usage: sample [OPTION...] COMMAND [ARGUMENT...]

                Commands:
                  read        read attributes
                  scan        listen to advertisements
                  serve       be a peripheral
                  help        explain a command
                  completion  print a completion script for a shell

                Global options:
                  -i, --adapter hciN     Which adapter to use; the default is the first
                                         that is up.
                      --timeout SECONDS  How long to wait for each step.
                      --json             Print one JSON object a line.
                  -q, --quiet            Say less.
                  -v, --verbose          Say more.
                  -h, --help             Show this help, or that of the command.
                      --version          Show the version.

                Exit status:
                  0  done
                  2  usage

                "sample help COMMAND" explains a command.

                """)
    }

    @Test func ofACommand() {
        #expect(
            Sample.program.help(Sample.program.command("read"), width: 72) == """
                sample read: read attributes

                Usage: sample read [OPTION...] ATTRIBUTE...

                Reads go on past one MTU by themselves, which is something that a
                sentence can explain if it is long enough to be wrapped.

                A second paragraph.

                Arguments:
                  ATTRIBUTE  A handle or a path.

                Options:
                      --offset N   Where to begin, in octets.
                  -u, --uuid UUID  Only these. May be given several times.

                Global options:
                  -i, --adapter hciN     Which adapter to use; the default is the first
                                         that is up.
                      --timeout SECONDS  How long to wait for each step.
                      --json             Print one JSON object a line.
                  -q, --quiet            Say less.
                  -v, --verbose          Say more.
                  -h, --help             Show this help, or that of the command.
                      --version          Show the version.

                Examples:
                  sample read 0x0025
                      one attribute by its handle

                """)
    }

    @Test func anArgumentsArityShows() {
        #expect(Sample.program.help(Sample.program.command("scan")).contains("sample scan [OPTION...] [COUNT]\n"))
        #expect(Sample.program.help(Sample.program.command("serve")).contains("sample serve [OPTION...] FILE\n"))
    }

    @Test(arguments: [40, 60, 80, 120])
    func linesKeepToTheWidth(_ width: Int) {
        for command in [nil] + Sample.program.commands.map(Optional.some) {
            // Command lines of examples are not broken.
            let text = Sample.program.help(command, width: width).split(separator: "\n")
            for line in text where !line.contains("completion") {
                #expect(line.count <= width, "\(line)")
                #expect(line.last != " ", "\(line)")
            }
        }
    }
}
