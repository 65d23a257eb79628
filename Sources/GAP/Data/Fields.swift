// The data of single AD structures as values (Supplement to the Core Specification, Part A).

/// What an advertiser says about its discoverability and its BR/EDR side (CSS, Part A, 1.3).
@frozen
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LE limited discoverable mode: findable for a short while.
    @inlinable public static var limitedDiscoverable: Self { Self(rawValue: 0x01) }
    /// LE general discoverable mode.
    @inlinable public static var generalDiscoverable: Self { Self(rawValue: 0x02) }
    /// BR/EDR is not supported.
    @inlinable public static var noBREDR: Self { Self(rawValue: 0x04) }
    /// The controller does LE and BR/EDR to the same device at once.
    @inlinable public static var simultaneousController: Self { Self(rawValue: 0x08) }
    /// The host does LE and BR/EDR to the same device at once (previously used).
    @inlinable public static var simultaneousHost: Self { Self(rawValue: 0x10) }
}

extension AdvertisingFlags: CustomStringConvertible {
    /// The names of the set bits, and the number of those without a name.
    public var description: String {
        let names: [(AdvertisingFlags, String)] = [
            (.limitedDiscoverable, "LE Limited Discoverable"), (.generalDiscoverable, "LE General Discoverable"),
            (.noBREDR, "BR/EDR Not Supported"), (.simultaneousController, "Simultaneous LE and BR/EDR (Controller)"),
            (.simultaneousHost, "Simultaneous LE and BR/EDR (Host)"),
        ]
        var parts = names.filter { contains($0.0) }.map(\.1)
        if rawValue & 0xE0 != 0 { parts.append("0x\([rawValue & 0xE0].hexadecimal)") }
        return parts.joined(separator: ", ")
    }
}

/// How a device looks to people: a category and a subcategory (CSS, Part A, 1.12; Assigned Numbers, 2.6).
@frozen
public struct Appearance: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The category, 10 bits.
    @inlinable
    public var category: UInt16 { rawValue >> 6 }

    /// The subcategory, 6 bits.
    @inlinable
    public var subcategory: UInt8 { UInt8(truncatingIfNeeded: rawValue) & 0x3F }
}

/// Which LE roles a device has and prefers (CSS, Part A, 1.17).
@frozen
public struct LERole: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Only the peripheral role.
    @inlinable public static var peripheralOnly: Self { Self(rawValue: 0x00) }
    /// Only the central role.
    @inlinable public static var centralOnly: Self { Self(rawValue: 0x01) }
    /// Both; peripheral is preferred when a connection is made.
    @inlinable public static var peripheralPreferred: Self { Self(rawValue: 0x02) }
    /// Both; central is preferred when a connection is made.
    @inlinable public static var centralPreferred: Self { Self(rawValue: 0x03) }
}

extension LERole: CustomStringConvertible {
    /// The specification's words.
    public var description: String {
        switch self {
        case .peripheralOnly: "Only Peripheral Role supported"
        case .centralOnly: "Only Central Role supported"
        case .peripheralPreferred: "Peripheral and Central Role supported, Peripheral Role preferred"
        case .centralPreferred: "Peripheral and Central Role supported, Central Role preferred"
        default: "LE role 0x\([rawValue].hexadecimal)"
        }
    }
}

/// Which connection intervals a peripheral likes (CSS, Part A, 1.9).
@frozen
public struct ConnectionIntervalRange: Hashable, Sendable {
    /// The smallest, in units of 1.25 ms; `nil` when the peripheral names none (0xFFFF).
    public let minimum: UInt16?
    /// The largest, in units of 1.25 ms; `nil` when the peripheral names none (0xFFFF).
    public let maximum: UInt16?

    @inlinable
    init(minimum: UInt16, maximum: UInt16) {
        self.minimum = minimum == 0xFFFF ? nil : minimum
        self.maximum = maximum == 0xFFFF ? nil : maximum
    }
}

/// A URI whose scheme is one code point (CSS, Part A, 1.18; Assigned Numbers, 2.7).
@frozen
public struct AdvertisedURI: Hashable, Sendable {
    /// The code point that stands for the scheme.
    public let scheme: Unicode.Scalar
    /// Everything after the scheme.
    public let rest: String

    @inlinable
    init(scheme: Unicode.Scalar, rest: String) {
        self.scheme = scheme
        self.rest = rest
    }
}

extension AdvertisedURI: CustomStringConvertible {
    /// The URI as text where the scheme is well known (`http`, `https`, none), else its scheme number in angle brackets.
    public var description: String {
        switch scheme.value {
        case 0x0001: rest
        case 0x0016: "http:" + rest
        case 0x0017: "https:" + rest
        default: "<scheme 0x\(String(scheme.value, radix: 16))>:" + rest
        }
    }
}

/// Manufacturer specific data (CSS, Part A, 1.4).
@frozen
public struct ManufacturerData: ~Escapable {
    /// The company identifier.
    public let company: UInt16
    /// What the company put after it; may be empty.
    public let data: RawSpan

    @inlinable
    @_lifetime(copy data)
    init(company: UInt16, data: RawSpan) {
        self.company = company
        self.data = data
    }
}

/// Service data (CSS, Part A, 1.11).
@frozen
public struct ServiceData: ~Escapable {
    /// The service, in the width it was sent in.
    public let uuid: BluetoothUUID
    /// What the service put after it; may be empty.
    public let data: RawSpan

    @inlinable
    @_lifetime(copy data)
    init(uuid: BluetoothUUID, data: RawSpan) {
        self.uuid = uuid
        self.data = data
    }
}
