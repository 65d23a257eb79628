// Events of a controller that lies: nothing traps, and the accounts of commands and buffers stay balanced.

import HCI
import Wire

extension FuzzTarget {
    static let hostControllerEvents = FuzzTarget(
        "hci", maximumLength: 1024,
        seeds: { _ in
            [
                "040e0401030c00", "040f0400010304", "0405040040 0013", "0413050140000100",
                "043e130100400000010203040506000100",
                "04080400400001", "043e0c03004000060000000a00", "0430030040 00", "04100101",
            ].compactMap { [UInt8](hexadecimal: $0.filter { $0 != " " }) }.map { [UInt8($0.count)] + $0 }
        },
        run: { (input) throws(Finding) in
            var decisions = Decisions(input)
            var commands = CommandFlow(maximumQueueCount: 4)
            var data = ACLFlow(dataLength: 27, packetCount: 3, maximumWaitingOctets: 200)
            while !decisions.isAtEnd {
                let packet = decisions.octets(upTo: 255)
                guard let kind = packet.first else { continue }
                let octets = Array(packet.dropFirst())
                switch kind {
                case 0x01: _ = try? CommandPacket(parsing: octets.octets)
                case 0x02: try readsBack(octets)
                case 0x04: try receive(octets, &commands, &data)
                case 0x10:
                    let before = commands.waitingCount
                    let id = commands.enqueue(ResetCommand())
                    try check((id == nil) == (before == commands.maximumQueueCount), "a queue that is full takes more")
                case 0x11: while commands.nextPacket() != nil {}
                case 0x20: data.connected(ConnectionHandle(rawValue: UInt16(octets.first ?? 0) % 3))
                case 0x21:
                    let handle = ConnectionHandle(rawValue: UInt16(octets.first ?? 0) % 3)
                    try? data.enqueue(octets, on: handle)
                case 0x22:
                    while let packet = data.nextPacket() {
                        try check(packet.count <= 5 + 27, "an ACL packet is too long")
                    }
                default: break
                }
                try areBalanced(commands, data)
            }
        })

    private static func readsBack(_ octets: [UInt8]) throws(Finding) {
        guard let packet = try? ACLPacket(parsing: octets.octets) else { return }
        let again = [UInt8](capacity: packet.encodedByteCount) { output in try? packet.encode(into: &output) }
        try check(octets.starts(with: again), "an ACL packet does not encode to what it was decoded from")
    }

    private static func receive(
        _ octets: [UInt8], _ commands: inout CommandFlow, _ data: inout ACLFlow
    ) throws(Finding) {
        do throws(MalformedError) {
            let packet = try EventPacket(parsing: octets.octets)
            _ = (packet.code.description, packet.leSubevent?.description)
            if let outcome = commands.receive(packet) { _ = (outcome.opcode.description, outcome.status.description) }
            switch try HCIEvent(packet) {
            case .numberOfCompletedPackets(let completed): _ = data.completed(completed)
            case .disconnectionComplete(let event): _ = data.disconnected(event)
            case .hardwareError:
                _ = commands.reset()
                _ = data.reset()
            case .le(.advertisingReport(var reports)), .le(.extendedAdvertisingReport(var reports)),
                .le(.directedAdvertisingReport(var reports)):
                while let report = reports.next() { _ = touch(report.data.octets) }
            default: break
            }
        } catch {
            try check((0...octets.count).contains(error.offset), "malformed at \(error.offset) of \(octets.count)")
        }
    }

    private static func areBalanced(
        _ commands: borrowing CommandFlow, _ data: borrowing ACLFlow
    ) throws(Finding) {
        try check(commands.waitingCount <= commands.maximumQueueCount, "\(commands.waitingCount) commands wait")
        try check((0...data.packetCount).contains(data.freeCount), "\(data.freeCount) buffers are free")
        var outstanding = 0
        for handle in data.handles {
            outstanding += data.outstandingCount(handle)
            try check(data.waitingOctetCount(handle) <= data.maximumWaitingOctets, "too much waits")
        }
        try check(outstanding + data.freeCount == data.packetCount, "\(outstanding) and \(data.freeCount) buffers")
    }
}
