import Central
import CommandLineParsing

/// The options that every command takes.
enum GlobalOptions {
    static let adapter = Option(
        "adapter", short: "i", "hciN", .adapter,
        help:
            "The adapter to use: hci0, hci1 and so on, or virtual for the built-in radio; default the first that is up."
    )
    static let device = Option(
        "device", short: "d", "TARGET", .target,
        help:
            "The device: AA:BB:CC:DD:EE:FF, better with /public or /random; name:TEXT, virtual:NAME-or-FILE, unix:PATH."
    )
    static let mtu = Option(
        "mtu", "N", .integer(in: 23...0xFFFF), help: "The MTU to ask for, in octets; default 517; 23 asks nothing.")
    static let security = Option(
        "security", "LEVEL", .oneOf(["low", "medium", "high", "fips"]),
        help: "The security of the link: low, medium, high, fips.")
    static let noElevate = Flag("no-elevate", help: "Do not raise the security when the device asks for more.")
    static let io = Option(
        "io", "CAPABILITY", .oneOf(PairingCapability.allCases.map(\.rawValue)),
        help: "What pairing can show and ask here: none, display, keyboard, yesno, keyboard-display.")
    static let passkey = Option(
        "passkey", "N", .passkey, help: "The passkey of the device, six digits, for pairing.")
    static let bonds = Option(
        "bonds", "FILE", .file, help: "The file of the keys; default \(BondStore.standardPath).")
    static let timeout = Option(
        "timeout", "SECONDS", .decimal(in: 0.001...86_400), help: "The longest wait to connect, and for each operation."
    )
    static let json = Flag("json", help: "Print one JSON object a line.")
    static let trace = Flag("trace", help: "Show every PDU, decoded, on standard error.")
    static let capture = Option(
        "capture", "FILE", .file, help: "Write the session as btsnoop, for Wireshark, btmon and \"btatt decode\".")
    static let quiet = Flag("quiet", short: "q", help: "Say nothing but failures on standard error.")
    static let verbose = Flag("verbose", short: "v", help: "Say on standard error what is being done.")

    static let all: [any OptionDeclaration] = [
        adapter, device, mtu, security, noElevate, io, passkey, bonds, timeout, json, trace, capture, quiet, verbose,
    ]
}

/// An adapter as it was given on the command line.
enum AdapterSyntax: Hashable, Sendable {
    /// The kernel's adapter of this index.
    case hci(Int)
    /// The built-in radio with its virtual peripherals.
    case virtual
}

extension ValueType<AdapterSyntax> {
    /// `hci0`, or `virtual`.
    static var adapter: Self {
        ValueType(completion: .words(["virtual", "hci0", "hci1"])) { (text) throws(ValueError) in
            if text == "virtual" { return .virtual }
            let digits = text.hasPrefix("hci") ? text.dropFirst(3) : ""
            guard let index = UInt16(digits), !digits.hasPrefix("+") else {
                throw ValueError("is no adapter: hci0, hci1 and so on, or virtual")
            }
            return .hci(Int(index))
        }
    }
}

extension ValueType<Int> {
    /// A passkey: up to six digits, zeros in front included.
    static var passkey: Self {
        ValueType { (text) throws(ValueError) in
            let isPlain = (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isPlain, let number = Int(text) else { throw ValueError("is no passkey of six digits") }
            return number
        }
    }
}
