import CBlueZ
import TestSupport
import Testing

/// The kernel's structures as Swift sees them, and the numbers of its interfaces.
@Suite struct StructureTests {
    private func octets<Value>(_ value: Value) -> [UInt8] {
        unsafe withUnsafeBytes(of: value) { unsafe [UInt8]($0) }
    }

    @Test func structuresHaveTheSizesOfTheKernel() {
        #expect(MemoryLayout<hci_filter>.size == 16)
        #expect(MemoryLayout<sockaddr_hci>.size == 6)
        #expect(MemoryLayout<sockaddr_l2>.size == 14)
        #expect(MemoryLayout<hci_dev_info>.size == 92)
        #expect(MemoryLayout<hci_dev_req>.size == 8)
        #expect(MemoryLayout<cbluez_dev_list>.size == 4 + 64 * 8)
        #expect(MemoryLayout<cbluez_connection_list>.size == 4 + 64 * 16)
        #expect(MemoryLayout<l2cap_conninfo>.size == 6)
        #expect(MemoryLayout<bt_security>.size == 2)
    }

    @Test func fieldsAreWhereTheKernelHasThem() {
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.name) == 2)
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.bdaddr) == 10)
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.flags) == 16)
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.type) == 20)
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.features) == 21)
        #expect(MemoryLayout<hci_dev_info>.offset(of: \.acl_mtu) == 44)
        #expect(MemoryLayout<sockaddr_l2>.offset(of: \.l2_bdaddr) == 4)
        #expect(MemoryLayout<sockaddr_l2>.offset(of: \.l2_cid) == 10)
        #expect(MemoryLayout<sockaddr_l2>.offset(of: \.l2_bdaddr_type) == 12)
        #expect(MemoryLayout<cbluez_dev_list>.offset(of: \.dev_req) == 4)
        #expect(MemoryLayout<cbluez_connection_list>.offset(of: \.conn_info) == 4)
    }

    @Test func numbersAreThoseOfTheKernel() {
        #expect(cbluez_HCIGETDEVLIST() == 0x8004_48D2)
        #expect(cbluez_HCIGETDEVINFO() == 0x8004_48D3)
        #expect(cbluez_HCIGETCONNLIST() == 0x8004_48D4)
        #expect(cbluez_HCIDEVUP() == 0x4004_48C9)
        #expect(cbluez_HCIDEVDOWN() == 0x4004_48CA)
        #expect(AF_BLUETOOTH == 31)
        #expect(BTPROTO_L2CAP == 0)
        #expect(BTPROTO_HCI == 1)
        #expect(HCI_CHANNEL_RAW == 0)
        #expect(HCI_CHANNEL_USER == 1)
        #expect(HCI_CHANNEL_CONTROL == 3)
        #expect(HCI_DEV_NONE == 0xFFFF)
        #expect(SOL_HCI == 0)
        #expect(HCI_FILTER == 2)
        #expect(SOL_L2CAP == 6)
        #expect(L2CAP_CONNINFO == 2)
        #expect(SOL_BLUETOOTH == 274)
        #expect(BT_SECURITY == 4)
        #expect(BDADDR_LE_PUBLIC == 1)
        #expect(BDADDR_LE_RANDOM == 2)
        #expect(EVT_STACK_INTERNAL == 0xFD)
    }

    @Test func theFilterIsPadded() {
        #expect(octets(cbluez_hci_filter(0x12, 0x2000_0000_0000_4000)) == hex("12000000 00400000 00000020 00000000"))
        var filter = cbluez_hci_filter(0x12, 0x2000_0000_0000_4000)
        #expect(unsafe cbluez_hci_filter_events(&filter) == 0x2000_0000_0000_4000)
    }

    @Test func addressesAreLittleEndianAndHaveNoPSM() {
        #expect(octets(cbluez_hci_address(1, 3)) == hex("1f00 0100 0300"))
        #expect(
            octets(cbluez_l2cap_le_address(0xF0F1_F2F3_F4F5, 2, 4)) == hex("1f00 0000 f5f4f3f2f1f0 0400 02 00"))
        #expect(octets(cbluez_l2cap_le_address(0, 1, 4)) == hex("1f00 0000 000000000000 0400 01 00"))
    }

    @Test func addressesAreRead() {
        var address = bdaddr_t()
        address.b = (0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0)
        #expect(unsafe cbluez_bdaddr_bits(&address) == 0xF0F1_F2F3_F4F5)
    }

    @Test func anEntryBeyondTheListIsNoAdapter() {
        var list = cbluez_dev_list()
        #expect(unsafe cbluez_dev_list_entry(&list, 63).dev_id == 0)
        #expect(unsafe cbluez_dev_list_entry(&list, 64).dev_id == 0xFFFF)
    }
}
