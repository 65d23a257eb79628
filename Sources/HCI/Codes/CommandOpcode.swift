/// Which command: OGF in the high 6 bits, OCF in the low 10 (Core Specification, Vol 4, Part E, 5.4.1). Open: commands
/// this module has no type for keep their number.
@frozen
public struct CommandOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable
    init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// The opcode group field.
    @inlinable
    public var ogf: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 10) }

    /// The opcode command field.
    @inlinable
    public var ocf: UInt16 { rawValue & 0x03FF }

    /// Whether it is a vendor's own command.
    @inlinable
    public var isVendorSpecific: Bool { ogf == 0x3F }

    /// The specification's name; `nil` for a command this module has no name for.
    public var name: String? { Self.names[rawValue] }
}

extension CommandOpcode: CustomStringConvertible {
    /// Name and number: `LE Set Scan Enable (0x200c)`; the number alone where there is no name.
    public var description: String {
        let number = "0x\([UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hexadecimal)"
        return name.map { "\($0) (\(number))" } ?? "command \(number)"
    }
}

// Sections are of the Core Specification, Vol 4, Part E.
extension CommandOpcode {
    /// NOP, 4.4.
    @inlinable public static var nop: Self { Self(0x0000) }
    /// Disconnect, 7.1.6.
    @inlinable public static var disconnect: Self { Self(0x0406) }
    /// Read Remote Version Information, 7.1.23.
    @inlinable public static var readRemoteVersionInformation: Self { Self(0x041D) }
    /// Set Event Mask, 7.3.1.
    @inlinable public static var setEventMask: Self { Self(0x0C01) }
    /// Reset, 7.3.2.
    @inlinable public static var reset: Self { Self(0x0C03) }
    /// Set Event Mask Page 2, 7.3.69.
    @inlinable public static var setEventMaskPage2: Self { Self(0x0C63) }
    /// Read Local Version Information, 7.4.1.
    @inlinable public static var readLocalVersionInformation: Self { Self(0x1001) }
    /// Read Local Supported Commands, 7.4.2.
    @inlinable public static var readLocalSupportedCommands: Self { Self(0x1002) }
    /// Read Local Supported Features, 7.4.3.
    @inlinable public static var readLocalSupportedFeatures: Self { Self(0x1003) }
    /// Read Buffer Size, 7.4.5.
    @inlinable public static var readBufferSize: Self { Self(0x1005) }
    /// Read BD_ADDR, 7.4.6.
    @inlinable public static var readBDADDR: Self { Self(0x1009) }
    /// Read RSSI, 7.5.4.
    @inlinable public static var readRSSI: Self { Self(0x1405) }
    /// LE Set Event Mask, 7.8.1.
    @inlinable public static var leSetEventMask: Self { Self(0x2001) }
    /// LE Read Buffer Size [v1], 7.8.2.
    @inlinable public static var leReadBufferSize: Self { Self(0x2002) }
    /// LE Read Local Supported Features, 7.8.3.
    @inlinable public static var leReadLocalSupportedFeatures: Self { Self(0x2003) }
    /// LE Set Random Address, 7.8.4.
    @inlinable public static var leSetRandomAddress: Self { Self(0x2005) }
    /// LE Set Scan Parameters, 7.8.10.
    @inlinable public static var leSetScanParameters: Self { Self(0x200B) }
    /// LE Set Scan Enable, 7.8.11.
    @inlinable public static var leSetScanEnable: Self { Self(0x200C) }
    /// LE Create Connection, 7.8.12.
    @inlinable public static var leCreateConnection: Self { Self(0x200D) }
    /// LE Create Connection Cancel, 7.8.13.
    @inlinable public static var leCreateConnectionCancel: Self { Self(0x200E) }
    /// LE Read Filter Accept List Size, 7.8.14.
    @inlinable public static var leReadFilterAcceptListSize: Self { Self(0x200F) }
    /// LE Clear Filter Accept List, 7.8.15.
    @inlinable public static var leClearFilterAcceptList: Self { Self(0x2010) }
    /// LE Add Device To Filter Accept List, 7.8.16.
    @inlinable public static var leAddDeviceToFilterAcceptList: Self { Self(0x2011) }
    /// LE Connection Update, 7.8.18.
    @inlinable public static var leConnectionUpdate: Self { Self(0x2013) }
    /// LE Read Remote Features, 7.8.21.
    @inlinable public static var leReadRemoteFeatures: Self { Self(0x2016) }
    /// LE Enable Encryption, 7.8.24.
    @inlinable public static var leEnableEncryption: Self { Self(0x2019) }
    /// LE Long Term Key Request Reply, 7.8.25.
    @inlinable public static var leLongTermKeyRequestReply: Self { Self(0x201A) }
    /// LE Long Term Key Request Negative Reply, 7.8.26.
    @inlinable public static var leLongTermKeyRequestNegativeReply: Self { Self(0x201B) }
    /// LE Read Supported States, 7.8.27.
    @inlinable public static var leReadSupportedStates: Self { Self(0x201C) }
    /// LE Remote Connection Parameter Request Reply, 7.8.31.
    @inlinable public static var leRemoteConnectionParameterRequestReply: Self { Self(0x2020) }
    /// LE Remote Connection Parameter Request Negative Reply, 7.8.32.
    @inlinable public static var leRemoteConnectionParameterRequestNegativeReply: Self { Self(0x2021) }
    /// LE Set Data Length, 7.8.33.
    @inlinable public static var leSetDataLength: Self { Self(0x2022) }
    /// LE Read Suggested Default Data Length, 7.8.34.
    @inlinable public static var leReadSuggestedDefaultDataLength: Self { Self(0x2023) }
    /// LE Write Suggested Default Data Length, 7.8.35.
    @inlinable public static var leWriteSuggestedDefaultDataLength: Self { Self(0x2024) }
    /// LE Read Maximum Data Length, 7.8.46.
    @inlinable public static var leReadMaximumDataLength: Self { Self(0x202F) }
    /// LE Read PHY, 7.8.47.
    @inlinable public static var leReadPHY: Self { Self(0x2030) }
    /// LE Set Default PHY, 7.8.48.
    @inlinable public static var leSetDefaultPHY: Self { Self(0x2031) }
    /// LE Set PHY, 7.8.49.
    @inlinable public static var leSetPHY: Self { Self(0x2032) }
    /// LE Set Extended Scan Parameters, 7.8.64.
    @inlinable public static var leSetExtendedScanParameters: Self { Self(0x2041) }
    /// LE Set Extended Scan Enable, 7.8.65.
    @inlinable public static var leSetExtendedScanEnable: Self { Self(0x2042) }
    /// LE Extended Create Connection [v1], 7.8.66.
    @inlinable public static var leExtendedCreateConnection: Self { Self(0x2043) }
    /// LE Read Buffer Size [v2], 7.8.2.
    @inlinable public static var leReadBufferSizeV2: Self { Self(0x2060) }

    private static let names: [UInt16: String] = [
        0x0000: "NOP",
        0x0406: "Disconnect",
        0x041D: "Read Remote Version Information",
        0x0C01: "Set Event Mask",
        0x0C03: "Reset",
        0x0C63: "Set Event Mask Page 2",
        0x1001: "Read Local Version Information",
        0x1002: "Read Local Supported Commands",
        0x1003: "Read Local Supported Features",
        0x1005: "Read Buffer Size",
        0x1009: "Read BD_ADDR",
        0x1405: "Read RSSI",
        0x2001: "LE Set Event Mask",
        0x2002: "LE Read Buffer Size [v1]",
        0x2003: "LE Read Local Supported Features",
        0x2005: "LE Set Random Address",
        0x200B: "LE Set Scan Parameters",
        0x200C: "LE Set Scan Enable",
        0x200D: "LE Create Connection",
        0x200E: "LE Create Connection Cancel",
        0x200F: "LE Read Filter Accept List Size",
        0x2010: "LE Clear Filter Accept List",
        0x2011: "LE Add Device To Filter Accept List",
        0x2013: "LE Connection Update",
        0x2016: "LE Read Remote Features",
        0x2019: "LE Enable Encryption",
        0x201A: "LE Long Term Key Request Reply",
        0x201B: "LE Long Term Key Request Negative Reply",
        0x201C: "LE Read Supported States",
        0x2020: "LE Remote Connection Parameter Request Reply",
        0x2021: "LE Remote Connection Parameter Request Negative Reply",
        0x2022: "LE Set Data Length",
        0x2023: "LE Read Suggested Default Data Length",
        0x2024: "LE Write Suggested Default Data Length",
        0x202F: "LE Read Maximum Data Length",
        0x2030: "LE Read PHY",
        0x2031: "LE Set Default PHY",
        0x2032: "LE Set PHY",
        0x2041: "LE Set Extended Scan Parameters",
        0x2042: "LE Set Extended Scan Enable",
        0x2043: "LE Extended Create Connection [v1]",
        0x2060: "LE Read Buffer Size [v2]",
    ]
}
