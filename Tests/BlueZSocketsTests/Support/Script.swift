import Sockets
import SocketsTestSupport
import TestSupport

/// Rows of system call tables, as the kernel's interfaces number them: AF_BLUETOOTH is 31, BTPROTO_L2CAP 0,
/// BTPROTO_HCI 1; SOL_HCI 0 with HCI_FILTER 2; SOL_L2CAP 6 with L2CAP_CONNINFO 2; SOL_BLUETOOTH 274 with BT_SECURITY 4.
typealias Row = (SystemCall, SystemReply)

enum Script {
    /// Every event, and the commands of others.
    static let wideFilter = hex("12000000 ffffffff ffffffff 0000 0000")
    /// What the kernel leaves of it without CAP_NET_RAW.
    static let narrowFilter = hex("10000000 fed90010 0cb00000 0000 0000")
    /// The kernel's events about adapters: event 0xFD, bit 61.
    static let stackFilter = hex("10000000 00000000 00000020 0000 0000")

    static let listRequest: UInt = 0x8004_48D2
    static let informationRequest: UInt = 0x8004_48D3

    /// A raw HCI socket, bound: `privileged` says what the filter reads back as.
    static func rawSocket(_ fd: Int32, adapter: UInt8 = 0, privileged: Bool = true) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.setSocketOption(fd, level: 0, name: 2, wideFilter), .done),
            (.socketOption(fd, level: 0, name: 2), .octets(privileged ? wideFilter : narrowFilter)),
            (.bind(fd, [0x1F, 0, adapter, 0, 0, 0]), .done),
        ]
    }

    /// The monitor's socket with CAP_NET_RAW, and its place in epoll.
    static func monitor(_ fd: Int32) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.setSocketOption(fd, level: 0, name: 2, stackFilter), .done),
            (.socketOption(fd, level: 0, name: 2), .octets(stackFilter)),
            (.bind(fd, hex("1f00 ffff 0000")), .done),
            (.epollControl(.add, fd, events: 1), .done),
        ]
    }

    /// The monitor's two sockets without CAP_NET_RAW, the second on the control channel.
    static func unprivilegedMonitor(_ fd: Int32) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.setSocketOption(fd, level: 0, name: 2, stackFilter), .done),
            (.socketOption(fd, level: 0, name: 2), .octets(hex("10000000 00000000 00000000 0000 0000"))),
            (.bind(fd, hex("1f00 ffff 0000")), .done),
            (.close(fd), .done),
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.bind(fd, hex("1f00 ffff 0300")), .done),
        ] + list(socket: fd + 20, [0]) + [(.epollControl(.add, fd, events: 1), .done)]
    }

    /// `ManagementSocket.open`: a socket of the control channel, bound to no adapter.
    static func managementSocket(_ fd: Int32) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.bind(fd, hex("1f00 ffff 0300")), .done), (.epollControl(.add, fd, events: 1), .done),
        ]
    }

    /// `HCISocket.open`: the socket is 7, its monitor 8.
    static let hciSocket =
        rawSocket(7) + monitor(8) + [(.epollControl(.add, 7, events: 1), .done)]

    /// What closing both does.
    static let hciClosed: [Row] = [
        (.epollControl(.remove, 7, events: 0), .done),
        (.close(7), .done),
        (.epollControl(.remove, 8, events: 0), .done),
        (.close(8), .done),
    ]

    /// One turn of the loop in which `fd` gives `packets`.
    static func heard(_ fd: Int32, _ packets: String...) -> [Row] {
        [
            (.epollWait(waits: true), .events([(fd, .readable)])),
            (.receiveMany(fd), .datagrams(packets.map { hex($0) })),
        ]
    }

    /// A command, and one turn in which its answer comes.
    static func command(_ sent: String, _ answer: String) -> [Row] {
        [(.send(7, hex(sent)), .done)] + heard(7, answer)
    }

    /// The command that switches a scan off, whose answer is waited for one second only, and its answer. The timer is
    /// armed for that unless it is already.
    static func off(_ sent: String, _ answer: String, timer: UInt64? = 2_000_000_000) -> [Row] {
        [(.send(7, hex(sent)), .done)] + (timer.map { [(.setTimer($0), .done)] } ?? []) + heard(7, answer)
    }

    /// `hci_dev_info` of 92 octets; the flags are 5 for up and running, 0 for down.
    static func information(index: UInt8, flags: UInt8 = 5, bus: UInt8 = 0, features: String = "a70808c6d81f7b83")
        -> [UInt8]
    {
        var octets = [UInt8](repeating: 0, count: 92)
        func put(_ values: [UInt8], at offset: Int) {
            for (place, value) in values.enumerated() { octets[offset + place] = value }
        }
        put([index, 0], at: 0)
        put([UInt8]("hci\(index)".utf8), at: 2)
        put([0, 0, 0, index, 0xAA, 0], at: 10)
        put([flags], at: 16)
        put([bus], at: 20)
        put(hex(features), at: 21)
        put(hex("c000 0100"), at: 44)
        return octets
    }

    /// The question for `information`.
    static func informationQuestion(_ index: UInt8) -> [UInt8] {
        [index, 0] + [UInt8](repeating: 0, count: 90)
    }

    static let listQuestion: [UInt8] = [64] + [UInt8](repeating: 0, count: 515)

    /// `AdapterList.all` with adapters that are up.
    static func list(socket fd: Int32, _ indices: [UInt8]) -> [Row] {
        var answer: [UInt8] = [UInt8(indices.count), 0, 0, 0]
        for index in indices { answer += [index, 0, 0, 0, 5, 0, 0, 0] as [UInt8] }
        var rows: [Row] = [
            (.socket(domain: 31, type: 0x80003, protocol: 1), .value(Int(fd))),
            (.ioctl(fd, request: listRequest, listQuestion), .octets(answer)),
        ]
        for index in indices {
            let question = SystemCall.ioctl(fd, request: informationRequest, informationQuestion(index))
            rows.append((question, .octets(information(index: index))))
        }
        rows.append((.close(fd), .done))
        return rows
    }

    /// `AdapterList.adapter` of hci0 on descriptor 6.
    static func adapter(flags: UInt8 = 5) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80003, protocol: 1), .value(6)),
            (
                .ioctl(6, request: informationRequest, informationQuestion(0)),
                .octets(information(index: 0, flags: flags))
            ),
            (.close(6), .done),
        ]
    }

    /// One turn in which nothing happens.
    static let quiet: Row = (.epollWait(waits: true), .events([]))
}
