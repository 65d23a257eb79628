internal import CBlueZ
public import GAP
public import Sockets

/// The adapters of this machine, and what they are. Needs no rights.
public struct AdapterList: Sendable {
    private let system: any SystemCalls

    /// A list that asks the kernel.
    public init(system: any SystemCalls = LinuxSystemCalls()) {
        self.system = system
    }

    /// All adapters in order of their index, those that are down too; empty when there are none.
    /// - Throws: `noAdapter` when the kernel has no Bluetooth at all, `noRights` when it must not be asked.
    public func all() throws(BluetoothSocketError) -> [Adapter] {
        let failure = "cannot list the Bluetooth adapters"
        do throws(Errno) {
            return try withSocket { socket throws(Errno) in
                var adapters: [Adapter] = []
                for index in try indices(socket) {
                    do throws(Errno) {
                        adapters.append(try information(socket, index))
                    } catch .noDevice {
                        // Removed between the two questions.
                        continue
                    }
                }
                return adapters.sorted { $0.index < $1.index }
            }
        } catch {
            throw BluetoothSocketError(error, in: .listing, failure: failure)
        }
    }

    /// One adapter.
    /// - Throws: `noAdapter` when it is not there.
    public func adapter(_ index: UInt16) throws(BluetoothSocketError) -> Adapter {
        do throws(Errno) {
            return try withSocket { socket throws(Errno) in try information(socket, index) }
        } catch {
            throw BluetoothSocketError(
                error, in: .opening(adapter: "hci\(index)"), failure: "cannot use hci\(index)")
        }
    }

    /// The first adapter that is up and supports LE.
    /// - Throws: `noAdapter`, with the reason: none at all, all down, or none with LE.
    public func firstUsable() throws(BluetoothSocketError) -> Adapter {
        let adapters = try all()
        if let adapter = adapters.first(where: { $0.isUp && $0.supportsLE }) { return adapter }
        let failure = "cannot use a Bluetooth adapter"
        guard let first = adapters.first else {
            throw BluetoothSocketError(
                .noAdapter, .adapterAbsent, failure: failure, reason: "this machine has none",
                remedy: "plug one in, or use the virtual radio: \"--adapter virtual\"")
        }
        if let down = adapters.first(where: { !$0.isUp }) {
            throw BluetoothSocketError(
                .noAdapter, .adapterDown, failure: failure, reason: "\(down.name) is down",
                remedy: Remedy.switchOn(down.name))
        }
        throw BluetoothSocketError(
            .noAdapter, failure: failure, reason: "\(first.name) does not support Bluetooth LE",
            remedy: "plug in an adapter of Bluetooth 4.0 or later")
    }

    /// Whether an adapter has an LE link to a device, whoever made it; the kernel's list does not tell address types apart.
    public func hasLink(to peer: DeviceAddress, from index: UInt16) throws(BluetoothSocketError) -> Bool {
        do throws(Errno) {
            return try withSocket { (socket) throws(Errno) in
                var list = cbluez_connection_list()
                list.dev_id = index
                list.conn_num = UInt16(CBLUEZ_MAX_CONNECTIONS)
                _ = try system.ioctl(socket, request: cbluez_HCIGETCONNLIST(), &list)
                let count = UInt32(min(Int32(list.conn_num), CBLUEZ_MAX_CONNECTIONS))
                return (0..<count).contains { position in
                    // The shims check the position against the table's length, and read the six octets of the address.
                    var entry = unsafe cbluez_connection_list_entry(&list, position)
                    let octets = AddressOctets(value: unsafe cbluez_bdaddr_bits(&entry.bdaddr))
                    return entry.type == Self.leLink && octets == peer.octets
                }
            }
        } catch {
            throw BluetoothSocketError(
                error, in: .opening(adapter: "hci\(index)"), failure: "cannot list the connections of hci\(index)")
        }
    }

    /// `LE_LINK` of the kernel's `hci.h`, which libbluetooth's lacks.
    private static let leLink: UInt8 = 0x80

    private func withSocket<Result>(_ body: (Int32) throws(Errno) -> Result) throws(Errno) -> Result {
        let socket = try system.socket(
            domain: AF_BLUETOOTH, type: LinuxNumbers.raw | LinuxNumbers.closeOnExec, protocol: BTPROTO_HCI)
        defer { try? system.close(socket) }
        return try body(socket)
    }

    private func indices(_ socket: Int32) throws(Errno) -> [UInt16] {
        var list = cbluez_dev_list()
        list.dev_num = UInt16(CBLUEZ_MAX_ADAPTERS)
        _ = try system.ioctl(socket, request: cbluez_HCIGETDEVLIST(), &list)
        let count = UInt32(min(Int32(list.dev_num), CBLUEZ_MAX_ADAPTERS))
        // The shim checks the index against the table's length.
        return (0..<count).map { unsafe cbluez_dev_list_entry(&list, $0).dev_id }
    }

    private func information(_ socket: Int32, _ index: UInt16) throws(Errno) -> Adapter {
        var info = hci_dev_info()
        info.dev_id = index
        _ = try system.ioctl(socket, request: cbluez_HCIGETDEVINFO(), &info)
        // A field of eight octets, ended by a zero unless it is full.
        let name = unsafe withUnsafeBytes(of: info.name) { field in
            unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
        }
        let features = unsafe withUnsafeBytes(of: info.features) { field in
            unsafe field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return Adapter(
            index: index, name: name,
            // The shim reads the six octets of the address.
            addressOctets: AddressOctets(value: unsafe cbluez_bdaddr_bits(&info.bdaddr)),
            bus: Adapter.Bus(rawValue: info.type & 0x0F), flags: Adapter.Flags(rawValue: info.flags),
            lmpFeatures: features, aclOctets: info.acl_mtu, aclPackets: info.acl_pkts)
    }
}
