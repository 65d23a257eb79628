import CommandLineParsing
import Testing

@testable import BtattCommands

@Suite struct ProgramTests {
    @Test func everyCommandExplainsItself() async {
        for command in Btatt.program.commands {
            let run = await btatt("help \(command.name)")
            #expect(run.status == .done)
            #expect(run.output.hasPrefix("btatt \(command.name): "))
            #expect(run.output.contains("Usage: btatt \(command.name)"))
        }
    }

    @Test func helpOfTheProgram() async {
        #expect(
            await btatt("--help").output == """
                btatt: a Bluetooth LE central for scripts and for people

                Usage: btatt [OPTION...] COMMAND [ARGUMENT...]

                Commands:
                  adapters         list the Bluetooth adapters
                  scan             listen to advertisements
                  discover         show all services, characteristics and descriptors
                  services         find services
                  includes         find included services
                  characteristics  find characteristics
                  descriptors      find the type of each attribute
                  read             read values
                  write            write values
                  subscribe        receive notifications and indications
                  mtu              agree on the MTU
                  shell            run commands on one connection
                  pair             pair with a device, and keep the keys
                  bonds            list the devices that were paired with
                  unpair           forget a device that was paired with
                  serve            be a peripheral
                  decode           show the ATT traffic of a capture
                  replay           play a capture or transcript back
                  record           write down what passes between host and controller
                  help             explain a command
                  completion       print a completion script for a shell

                Global options:
                  -i, --adapter hciN     The adapter to use: hci0, hci1 and so on, or virtual
                                         for the built-in radio; default the first that is up.
                  -d, --device TARGET    The device: AA:BB:CC:DD:EE:FF, better with /public or
                                         /random; name:TEXT, virtual:NAME-or-FILE, unix:PATH.
                      --mtu N            The MTU to ask for, in octets; default 517; 23 asks
                                         nothing.
                      --security LEVEL   The security of the link: low, medium, high, fips.
                      --no-elevate       Do not raise the security when the device asks for
                                         more.
                      --io CAPABILITY    What pairing can show and ask here: none, display,
                                         keyboard, yesno, keyboard-display.
                      --passkey N        The passkey of the device, six digits, for pairing.
                      --bonds FILE       The file of the keys; default /var/lib/btatt/bonds.
                      --timeout SECONDS  The longest wait to connect, and for each operation.
                      --json             Print one JSON object a line.
                      --trace            Show every PDU, decoded, on standard error.
                      --capture FILE     Write the session as btsnoop, for Wireshark, btmon and
                                         "btatt decode".
                  -q, --quiet            Say nothing but failures on standard error.
                  -v, --verbose          Say on standard error what is being done.
                  -h, --help             Show this help, or that of the command.
                      --version          Show the version.

                ATTRIBUTE:
                  0x0025, 37         a handle; nothing is discovered for it
                  180d/2a37          service and characteristic, by UUID or by assigned name
                                     (heart_rate/heart_rate_measurement)
                  180d[2]/2a37/2902  [n] is the n-th of equals; a third step is a descriptor
                  2a37               the only characteristic of this UUID

                Exit status:
                  0    done
                  1    the peer refused, or broke the protocol
                  2    wrong usage
                  3    no usable adapter
                  4    missing rights
                  5    device not found, or no connection
                  6    link lost
                  7    timed out
                  130  interrupted

                "btatt help COMMAND" explains a command.

                """)
    }

    /// Examples are what people copy: each has to be a command line that parses.
    @Test func examplesParse() throws {
        for example in Btatt.program.commands.flatMap(\.examples) {
            guard let start = example.line.firstRange(of: "btatt ")?.upperBound else { continue }
            let words = example.line[start...].prefix { $0 != ">" && $0 != ")" }.split(separator: " ").map(String.init)
            #expect(throws: Never.self, "\(example.line)") { try Btatt.program.parse(words) }
        }
    }

    @Test func namesOfOptionsAreUsedOnce() {
        for command in Btatt.program.commands {
            let options = command.options + Btatt.program.globalOptions
            #expect(Set(options.map(\.name)).count == options.count)
            #expect(Set(options.compactMap(\.short)).count == options.compactMap(\.short).count)
        }
    }

    @Test(arguments: Shell.allCases)
    func completionIsPrinted(_ shell: Shell) async {
        let run = await btatt("completion \(shell.rawValue)")
        #expect(run.status == .done)
        #expect(run.output.contains("subscribe"))
    }

    /// Without a stream the program does its work; nothing that was meant for the stream goes anywhere else.
    @Test(arguments: [
        ("<&-", "0x0014  57  87 %\n", 0), (">&-", "", 0), ("2>&-", "0x0014  57  87 %\n", 0), ("<&- >&- 2>&-", "", 0),
        (">/dev/full", "", ExitStatus.usage.rawValue),
    ])
    func streamsThatAreMissing(_ redirection: String, _ output: String, _ status: Int32) async throws {
        let ended = try await Programs().run("-d virtual:heart-rate read 180f/2a19", redirection: redirection)
        #expect(ended.output == output)
        #expect(ended.status == status)
        #expect(ended.errors.contains("No space left on device") == (status != 0))
    }

    @Test func versionIsPrinted() async {
        #expect(await btatt("--version").output == "btatt \(Btatt.version)\n")
    }

    @Test(arguments: [
        "raed 5", "read --ofset 3", "-x scan", "scan --duration abc", "write 1 0102", "-i hci read 3", "scan 3", "",
    ])
    func wrongUsageIsStatus2AndOneLine(_ line: String) async {
        let run = await btatt(line)
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("btatt: "))
        #expect(run.error.split(separator: "\n").count == 1)
    }
}
