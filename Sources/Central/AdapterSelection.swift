/// Which radio a central uses.
public enum AdapterSelection: Hashable, Sendable {
    /// The first adapter that is up and can do Bluetooth LE.
    case firstAvailable
    /// The adapter with this number: 0 for `hci0`.
    case hci(Int)
    /// The virtual radio in this process, reaching these peripherals: built-in names or paths of descriptions; all the
    /// built-in ones when the list is empty.
    case virtual([String] = [])
    /// None: only Unix sockets, given sockets and virtual peripherals can be connected to.
    case none
}
