/// A program that manages pairing and keys on this machine, and that nothing may be taken from: BlueZ's `bluetoothd`.
///
/// The kernel has one list of keys for each adapter, which is loaded as a whole, and asks every program with a management
/// socket at once when pairing needs an answer. While the daemon runs, the list and the answers are its own.
public struct KeyOwner: Hashable, Sendable {
    /// Its name and process number: `bluetoothd (412)`.
    public let name: String

    /// An owner of this name.
    public init(name: String) { self.name = name }

    /// The owner that runs now; `nil` when there is none.
    public static func current(_ holders: BluetoothSocketHolders = .system) -> KeyOwner? {
        holders.daemon().map { KeyOwner(name: $0) }
    }
}
