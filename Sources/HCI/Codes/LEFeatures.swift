/// What a controller or a peer's link layer can do: the first 64 bits of its LE features
/// (Core Specification, Vol 6, Part B, 4.6).
@frozen
public struct LEFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// LE Encryption (4.6.1).
    @inlinable public static var encryption: Self { Self(rawValue: 1 << 0) }
    /// Connection Parameters Request procedure (4.6.2).
    @inlinable public static var connectionParametersRequest: Self { Self(rawValue: 1 << 1) }
    /// Extended Reject Indication (4.6.3).
    @inlinable public static var extendedRejectIndication: Self { Self(rawValue: 1 << 2) }
    /// Peripheral-initiated Features Exchange (4.6.4).
    @inlinable public static var peripheralInitiatedFeaturesExchange: Self { Self(rawValue: 1 << 3) }
    /// LE Ping (4.6.5).
    @inlinable public static var ping: Self { Self(rawValue: 1 << 4) }
    /// LE Data Packet Length Extension (4.6.6).
    @inlinable public static var dataPacketLengthExtension: Self { Self(rawValue: 1 << 5) }
    /// LL Privacy (4.6.7).
    @inlinable public static var llPrivacy: Self { Self(rawValue: 1 << 6) }
    /// Extended Scanner Filter Policies (4.6.8).
    @inlinable public static var extendedScannerFilterPolicies: Self { Self(rawValue: 1 << 7) }
    /// LE 2M PHY (4.6.9).
    @inlinable public static var le2MPHY: Self { Self(rawValue: 1 << 8) }
    /// LE Coded PHY (4.6.11).
    @inlinable public static var leCodedPHY: Self { Self(rawValue: 1 << 11) }
    /// LE Extended Advertising (4.6.12): scan and connect with the extended commands.
    @inlinable public static var extendedAdvertising: Self { Self(rawValue: 1 << 12) }
    /// LE Periodic Advertising (4.6.13).
    @inlinable public static var periodicAdvertising: Self { Self(rawValue: 1 << 13) }
    /// Channel Selection Algorithm #2 (4.6.14).
    @inlinable public static var channelSelectionAlgorithm2: Self { Self(rawValue: 1 << 14) }
    /// LE Power Class 1 (4.6.15).
    @inlinable public static var powerClass1: Self { Self(rawValue: 1 << 15) }
    /// Connected Isochronous Stream, Central (4.6.27).
    @inlinable public static var connectedIsochronousStreamCentral: Self { Self(rawValue: 1 << 28) }
    /// Connected Isochronous Stream, Peripheral (4.6.27).
    @inlinable public static var connectedIsochronousStreamPeripheral: Self { Self(rawValue: 1 << 29) }
}

extension LEFeatures: CustomStringConvertible {
    /// The names of the set bits, and the bit numbers of those without a name.
    public var description: String { names.joined(separator: ", ") }

    /// The names of the set bits in order, `bit 37` for those without a name.
    public var names: [String] {
        (0..<64).filter { rawValue >> UInt64($0) & 1 == 1 }.map { bit in
            Self.bitNames[bit] ?? "bit \(bit)"
        }
    }

    private static let bitNames: [Int: String] = [
        0: "LE Encryption", 1: "Connection Parameters Request", 2: "Extended Reject Indication",
        3: "Peripheral-initiated Features Exchange", 4: "LE Ping", 5: "LE Data Packet Length Extension",
        6: "LL Privacy", 7: "Extended Scanner Filter Policies", 8: "LE 2M PHY",
        9: "Stable Modulation Index - Transmitter", 10: "Stable Modulation Index - Receiver", 11: "LE Coded PHY",
        12: "LE Extended Advertising", 13: "LE Periodic Advertising", 14: "Channel Selection Algorithm #2",
        15: "LE Power Class 1", 16: "Minimum Number of Used Channels Procedure", 17: "Connection CTE Request",
        18: "Connection CTE Response", 19: "Connectionless CTE Transmitter", 20: "Connectionless CTE Receiver",
        21: "Antenna Switching During CTE Transmission", 22: "Antenna Switching During CTE Reception",
        23: "Receiving Constant Tone Extensions", 24: "Periodic Advertising Sync Transfer - Sender",
        25: "Periodic Advertising Sync Transfer - Recipient", 26: "Sleep Clock Accuracy Updates",
        27: "Remote Public Key Validation", 28: "Connected Isochronous Stream - Central",
        29: "Connected Isochronous Stream - Peripheral", 30: "Isochronous Broadcaster",
        31: "Synchronized Receiver", 32: "Connected Isochronous Stream (Host Support)",
        33: "LE Power Control Request", 34: "LE Power Control Request (bit 34)", 35: "LE Path Loss Monitoring",
        36: "Periodic Advertising ADI support", 37: "Connection Subrating", 38: "Connection Subrating (Host Support)",
        39: "Channel Classification", 40: "Advertising Coding Selection",
        41: "Advertising Coding Selection (Host Support)", 43: "Periodic Advertising with Responses - Advertiser",
        44: "Periodic Advertising with Responses - Scanner",
    ]
}
