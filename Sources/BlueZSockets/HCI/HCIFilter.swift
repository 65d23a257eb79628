internal import CBlueZ
internal import GAP
internal import Sockets

/// Which packets the kernel gives to a raw HCI socket. It is set once, wide, when the socket is opened: a filter that is
/// changed for each command loses the reports that arrive in between.
struct HCIFilter: Hashable {
    /// A bit for each packet type.
    var types: UInt32
    /// A bit for each event code, modulo 64.
    var events: UInt64

    /// Every event, and the commands that others send: the kernel and other programs.
    static let everything = HCIFilter(
        types: 1 << UInt32(HCI_EVENT_PKT) | 1 << UInt32(HCI_COMMAND_PKT), events: .max)

    /// The kernel's events about adapters.
    static let stackEvents = HCIFilter(
        types: 1 << UInt32(HCI_EVENT_PKT), events: 1 << UInt64(EVT_STACK_INTERNAL & HCI_FLT_EVENT_BITS))

    /// The octets of a `struct hci_filter`: types, events, an opcode that is not asked for, and padding, which the
    /// structure in Swift would leave to chance.
    private var octets: [UInt8] {
        var octets: [UInt8] = []
        octets.append(littleEndian: types)
        octets.append(littleEndian: events)
        return octets + [0, 0, 0, 0]
    }

    /// Has the kernel give a socket these packets.
    /// - Throws: What the kernel says.
    func set(on descriptor: Int32, _ system: any SystemCalls) throws(Errno) {
        try system.setSocketOption(descriptor, level: SOL_HCI, name: HCI_FILTER, to: octets.octets)
    }

    /// Opens a non-blocking HCI socket and binds it.
    ///
    /// The kernel silently takes bits out of the filter of a process without CAP_NET_RAW, so reading it back tells
    /// whether the process has that right, in the kernel's own view, in containers too.
    ///
    /// - Returns: The descriptor, and whether the filter that was asked for is the one that works.
    /// - Throws: What the kernel says; nothing stays open then.
    static func openSocket(
        _ system: any SystemCalls, adapter: UInt16, channel: Int32, filter: HCIFilter?
    ) throws(Errno) -> (descriptor: Int32, filterIsWhole: Bool) {
        let descriptor = try system.socket(
            domain: AF_BLUETOOTH, type: LinuxNumbers.raw | LinuxNumbers.nonBlocking, protocol: BTPROTO_HCI)
        do throws(Errno) {
            let address = [cbluez_hci_address(adapter, UInt16(channel))]
            var whole = true
            if let filter {
                try filter.set(on: descriptor, system)
                var got = try system.socketOption(
                    descriptor, level: SOL_HCI, name: HCI_FILTER, initial: cbluez_hci_filter(0, 0))
                // The shim reads the filter's own fields.
                let events = unsafe cbluez_hci_filter_events(&got)
                whole = got.type_mask == filter.types && events == filter.events
            }
            // The octets of the address are borrowed for the call only.
            unsafe try system.bind(descriptor, to: address.span.bytes)
            return (descriptor, whole)
        } catch {
            // Linux has closed the descriptor even when it reports an error.
            try? system.close(descriptor)
            throw error
        }
    }
}
