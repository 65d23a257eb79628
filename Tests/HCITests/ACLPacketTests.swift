import HCI
import TestSupport
import Testing
import Wire

@Suite struct ACLPacketTests {
    @Test func flagsAreNotPartOfTheHandle() throws {
        let octets = hex("02 40 20 03 00 aa bb cc")
        guard case .acl(let packet) = try HCIPacket(parsing: octets.octets) else {
            Issue.record("no ACL packet")
            return
        }
        #expect(packet.handle == 0x0040)
        #expect(packet.boundary == .firstFlushable)
        #expect(packet.boundary.isFirst)
        #expect(packet.broadcast == 0)
        let data = packet.data.hexadecimal
        #expect(data == "aabbcc")
    }

    @Test func lengthAgainstBuffer() throws {
        let short = hex("40 20 04 00 aa bb cc")
        #expect(throws: MalformedError(.truncated, at: 4)) { _ = try ACLPacket(parsing: short.octets).handle }
        let long = hex("40 10 02 00 aa bb cc")
        let packet = try ACLPacket(parsing: long.octets)
        let data = packet.data.hexadecimal
        #expect(data == "aabb")
        #expect(packet.boundary == .continuing)
    }

    @Test func encoding() throws {
        let data = hex("03 00 04 00 02 05 02")
        let octets = try [UInt8](capacity: 11) { output throws(EncodeError) in
            let packet = ACLPacket(handle: 0x0EFF, boundary: .firstNonFlushable, data: data.octets)
            try packet.encode(into: &output)
        }
        #expect(octets == hex("ff 0e 07 00 03 00 04 00 02 05 02"))
        #expect(throws: EncodeError.noRoom(needed: 11, available: 10)) {
            _ = try [UInt8](capacity: 10) { output throws(EncodeError) in
                let packet = ACLPacket(handle: 1, boundary: .continuing, data: data.octets)
                try packet.encode(into: &output)
            }
        }
    }

    @Test func otherKindsAreKept() throws {
        let octets = hex("05 01 02")
        guard case .other(let type, let rest) = try HCIPacket(parsing: octets.octets) else {
            Issue.record("another kind")
            return
        }
        #expect(type == .isochronous)
        let left = rest.hexadecimal
        #expect(left == "0102")
        let command = hex("01 0c 20 02 01 00")
        guard case .command(let packet) = try HCIPacket(parsing: command.octets) else {
            Issue.record("no command")
            return
        }
        #expect(packet.opcode == .leSetScanEnable)
        let none: [UInt8] = []
        #expect(throws: MalformedError(.truncated, at: 0)) {
            guard case .acl = try HCIPacket(parsing: none.octets) else { return }
        }
    }
}
