import Glibc

/// What the standard streams are attached to.
struct Terminal: Hashable, Sendable {
    /// Whether standard output is a terminal that can move its cursor.
    var outputIsTerminal: Bool
    /// Whether standard error is one: only then progress is shown.
    var errorIsTerminal: Bool
    /// Whether standard input and standard error are terminals: only then is anything asked.
    var isInteractive = false
    /// Whether standard input is a terminal, and something that is shown can be seen there.
    var canType = false
    /// Whether `NO_COLOR` forbids colours.
    var noColour: Bool
    /// How many columns the terminal has; 80 where it does not say.
    var width: Int
    /// How many lines it has; 24 where it does not say.
    var height = 24

    /// No terminal anywhere: a pipe, a file, a test.
    static let none = Terminal(outputIsTerminal: false, errorIsTerminal: false, noColour: true, width: 80)

    /// How standard output may be dressed.
    var outputStyle: Style { Style(isEnabled: outputIsTerminal && !noColour) }
    /// How standard error may be dressed.
    var errorStyle: Style { Style(isEnabled: errorIsTerminal && !noColour) }

    /// Looks at the process's standard streams and environment (https://no-color.org, `TERM`, `COLUMNS`).
    static func current() -> Terminal {
        let isDumb = environment("TERM").map { $0 == "dumb" } ?? true
        let size = size(of: STDOUT_FILENO) ?? size(of: STDERR_FILENO)
        let columns = size.flatMap { $0.columns > 0 ? $0.columns : nil }
        let (outputIsTerminal, errorIsTerminal) = (isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1)
        return Terminal(
            outputIsTerminal: outputIsTerminal && !isDumb, errorIsTerminal: errorIsTerminal && !isDumb,
            isInteractive: isatty(STDIN_FILENO) == 1 && errorIsTerminal,
            canType: isatty(STDIN_FILENO) == 1 && (outputIsTerminal || errorIsTerminal),
            noColour: environment("NO_COLOR").map { !$0.isEmpty } ?? false,
            width: max(40, columns ?? environment("COLUMNS").flatMap { Int($0) } ?? 80),
            height: size.flatMap { $0.rows > 0 ? $0.rows : nil } ?? 24)
    }

    /// How many columns the terminal of a descriptor has now; 80 where it does not say.
    static func columns(of descriptor: Int32) -> Int {
        size(of: descriptor).flatMap { $0.columns > 1 ? $0.columns : nil } ?? 80
    }

    /// How many rows it has now; 24 where it does not say.
    static func rows(of descriptor: Int32) -> Int {
        size(of: descriptor).flatMap { $0.rows > 0 ? $0.rows : nil } ?? 24
    }

    private static func size(of descriptor: Int32) -> (rows: Int, columns: Int)? {
        // The kernel's struct winsize: rows, columns, and the size in pixels.
        var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
        // The request fills the eight octets, whose address is valid for the call.
        guard unsafe ioctl(descriptor, windowSizeRequest, &size) == 0 else { return nil }
        return (Int(size.rows), Int(size.columns))
    }
}

/// `TIOCGWINSZ`.
private let windowSizeRequest: UInt = 0x5413

/// The value of an environment variable.
func environment(_ name: String) -> String? {
    // getenv returns a null pointer or a C string that nobody changes while the program only reads its environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
