public import GAP

/// A Bluetooth adapter as the kernel describes it at one moment (`HCIGETDEVINFO`).
public struct Adapter: Hashable, Sendable, Identifiable {
    /// The number in its name: 0 for `hci0`.
    public var index: UInt16
    /// The kernel's name: `hci0`.
    public var name: String
    /// The octets of its public address; zeros when it has none.
    public var addressOctets: AddressOctets
    /// How it is attached.
    public var bus: Bus
    /// What it is doing.
    public var flags: Flags
    /// The 64 LMP features (Core Specification, Vol 2, Part C, 3.3): bit 38 is LE.
    public var lmpFeatures: UInt64
    /// The longest data of an ACL packet, in octets, and how many such packets the controller holds; for LE these are
    /// shared with BR/EDR unless the controller has buffers of its own for LE.
    public var aclOctets: UInt16
    /// How many ACL packets the controller holds.
    public var aclPackets: UInt16

    /// An adapter of its parts.
    public init(
        index: UInt16, name: String, addressOctets: AddressOctets, bus: Bus, flags: Flags, lmpFeatures: UInt64,
        aclOctets: UInt16 = 0, aclPackets: UInt16 = 0
    ) {
        self.index = index
        self.name = name
        self.addressOctets = addressOctets
        self.bus = bus
        self.flags = flags
        self.lmpFeatures = lmpFeatures
        self.aclOctets = aclOctets
        self.aclPackets = aclPackets
    }

    public var id: UInt16 { index }

    /// The public address; `nil` when the adapter has none, or was never up.
    public var address: DeviceAddress? {
        addressOctets.value == 0 ? nil : DeviceAddress(addressOctets, type: .public)
    }

    /// Whether the controller supports LE. Known once the adapter was up.
    public var supportsLE: Bool { lmpFeatures >> 38 & 1 == 1 }

    /// Whether it is switched on and ready for commands.
    public var isUp: Bool { flags.contains(.up) }

    /// What a person wants to know first.
    public var state: State {
        if flags.contains(.raw) { return .raw }
        if flags.contains(.initialising) { return .initialising }
        return flags.contains(.up) ? .up : .down
    }

    /// The states of an adapter.
    public enum State: String, Hashable, Sendable, CustomStringConvertible {
        /// Switched on.
        case up
        /// Switched off.
        case down
        /// The kernel's host stack leaves it alone.
        case raw
        /// Just being switched on.
        case initialising

        public var description: String { rawValue }
    }

    /// What an adapter is doing: the bits that the kernel's `HCI_UP` … `HCI_RAW` number.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Switched on.
        public static let up = Flags(rawValue: 1 << 0)
        /// Being switched on.
        public static let initialising = Flags(rawValue: 1 << 1)
        /// The transport works.
        public static let running = Flags(rawValue: 1 << 2)
        /// Connectable by BR/EDR.
        public static let pageScan = Flags(rawValue: 1 << 3)
        /// Discoverable by BR/EDR.
        public static let inquiryScan = Flags(rawValue: 1 << 4)
        /// A BR/EDR inquiry is running.
        public static let inquiry = Flags(rawValue: 1 << 7)
        /// Left alone by the kernel's host stack.
        public static let raw = Flags(rawValue: 1 << 8)
    }

    /// How an adapter is attached: the kernel's `HCI_USB` and so on, open to those of later kernels.
    public struct Bus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A virtual controller (`/dev/vhci`).
        public static let virtual = Bus(rawValue: 0)
        /// USB.
        public static let usb = Bus(rawValue: 1)
        /// A serial line.
        public static let uart = Bus(rawValue: 3)

        private static let names = [
            "virtual", "USB", "PC card", "UART", "RS-232", "PCI", "SDIO", "SPI", "I2C", "SMD", "VIRTIO", "IPC",
        ]

        /// The usual name; `bus 42` for an unknown number.
        public var description: String {
            Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "bus \(rawValue)"
        }
    }
}
