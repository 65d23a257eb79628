import Glibc

/// What the standard streams are attached to.
struct Terminal: Hashable, Sendable {
    /// Whether standard output is a terminal that can move its cursor.
    var outputIsTerminal: Bool
    /// Whether standard error is one: only then progress is shown.
    var errorIsTerminal: Bool
    /// Whether standard input and standard error are terminals: only then is anything asked.
    var isInteractive = false
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
        // The kernel's struct winsize: rows, columns, and the size in pixels.
        var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
        // The request fills the eight octets, whose address is valid for the call.
        var isKnown = unsafe ioctl(STDOUT_FILENO, windowSizeRequest, &size) == 0
        if !isKnown { isKnown = unsafe ioctl(STDERR_FILENO, windowSizeRequest, &size) == 0 }
        let columns = isKnown && size.columns > 0 ? Int(size.columns) : environment("COLUMNS").flatMap { Int($0) } ?? 80
        return Terminal(
            outputIsTerminal: isatty(STDOUT_FILENO) == 1 && !isDumb,
            errorIsTerminal: isatty(STDERR_FILENO) == 1 && !isDumb,
            isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
            noColour: environment("NO_COLOR").map { !$0.isEmpty } ?? false,
            width: max(40, columns), height: isKnown && size.rows > 0 ? Int(size.rows) : 24)
    }
}

/// `TIOCGWINSZ`.
private let windowSizeRequest: UInt = 0x5413

/// The value of an environment variable.
func environment(_ name: String) -> String? {
    // getenv returns a null pointer or a C string that nobody changes while the program only reads its environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
