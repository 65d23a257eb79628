import Glibc

/// Where the program keeps what it finds out, by the XDG Base Directory Specification.
enum Folders {
    /// Attributes of devices, which can be discovered again: `~/.cache/btatt/attributes` unless `XDG_CACHE_HOME` is set.
    static var attributes: String? { base("XDG_CACHE_HOME", "/.cache").map { "\($0)/btatt/attributes" } }

    /// The file of the counters of signing keys, which must not be lost: in `~/.local/state/btatt` unless
    /// `XDG_STATE_HOME` is set.
    static var signingCounters: String? {
        base("XDG_STATE_HOME", "/.local/state").map { "\($0)/btatt/signing-counters" }
    }

    /// The lines that were typed in shells, which is state too.
    static var shellHistory: String? {
        base("XDG_STATE_HOME", "/.local/state").map { "\($0)/btatt/shell-history" }
    }

    /// The folder that a variable names, which has to be absolute, or one in the home folder; `nil` without a home.
    private static func base(_ variable: String, _ inHome: String) -> String? {
        if let path = environment(variable), path.hasPrefix("/") { return path }
        return environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + inHome : nil }
    }

    private static func environment(_ name: String) -> String? {
        // A C string, which is copied at once.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
