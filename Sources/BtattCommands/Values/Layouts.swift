import AssignedNumbers
import GATT
import Presentation
import Wire

/// The layout of the values under a 16-bit UUID; `nil` for those that are not explained.
func layout(of uuid: UInt16) -> ValueLayout? {
    switch uuid {
    // Declarations (Core Specification, Vol 3, Part G, 3.1 to 3.3.1).
    case 0x2800, 0x2801: .serviceDeclaration
    case 0x2802: .includeDeclaration
    case 0x2803: .characteristicDeclaration
    // Descriptors (3.3.3).
    case 0x2900: .bits(2, ["reliable write", "writable auxiliaries"])
    case 0x2901: .text
    case 0x2902: .bits(2, ["notification", "indication"])
    case 0x2903: .bits(2, ["broadcast"])
    case 0x2904: .presentationFormat
    case 0x2905: .handles
    case 0x2907: .uuid
    case 0x2908: .reportReference
    case 0x2909: .unsigned(1, "")
    // Generic Access and Generic Attribute.
    case 0x2A00: .text
    case 0x2A01: .appearance
    case 0x2A02: .code(["privacy disabled", "privacy enabled"])
    case 0x2A04: .connectionParameters
    case 0x2A05: .handleRange
    case 0x2AA6: .code(["not supported", "supported"])
    case 0x2AC9: .code(["only resolvable private addresses"])
    case 0x2B29: .bits(8, ["robust caching", "EATT", "multiple notifications"])
    case 0x2B2A: .hash
    case 0x2B3A: .bits(8, ["EATT"])
    // Device Information.
    case 0x2A23: .systemID
    case 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29: .text
    case 0x2A50: .pnpID
    // Time.
    case 0x2A08: .dateTime
    case 0x2A09: .dayOfWeek
    case 0x2A0A: .dayDateTime
    case 0x2A0C: .exactTime256
    case 0x2A0D: .code(["standard time", "reserved (1)", "half an hour", "reserved (3)", "daylight time"])
    case 0x2A0E: .timeZone
    case 0x2A0F: .localTime
    case 0x2A2B: .currentTime
    // Alerts and link.
    case 0x2A06: .code(["no alert", "mild alert", "high alert"])
    case 0x2A07: .signed(1, "dBm")
    case 0x2A19: .unsigned(1, "%")
    // Health and sport.
    case 0x2A1C, 0x2A1E: .temperatureMeasurement
    case 0x2A1D: .temperatureType
    case 0x2A21: .unsigned(2, "s")
    case 0x2A35, 0x2A36: .bloodPressure
    case 0x2A37: .heartRate
    case 0x2A38: .code(["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"])
    case 0x2A39: .code(["reserved (0)", "reset energy expended"])
    case 0x2A53: .runningSpeed
    case 0x2A5B: .cyclingSpeed
    case 0x2A5D: .code(sensorLocations)
    case 0x2A5E, 0x2A5F: .pulseOximetry
    case 0x2A98: .unsigned(2, exponent: -3, "kg")
    case 0x2A9D: .weight
    // Environment.
    case 0x2A6C: .signed(3, exponent: -2, "m")
    case 0x2A6D: .unsigned(4, exponent: -1, "Pa")
    case 0x2A6E: .signed(2, exponent: -2, "°C", unknown: -0x8000)
    case 0x2A6F: .unsigned(2, exponent: -2, "%", unknown: 0xFFFF)
    case 0x2A70: .unsigned(2, exponent: -2, "m/s")
    case 0x2A71: .unsigned(2, exponent: -2, "°")
    case 0x2A76: .unsigned(1, "")
    case 0x2A77: .unsigned(2, exponent: -1, "W/m²")
    case 0x2A79: .signed(1, "°C")
    case 0x2A7A: .signed(1, "°C")
    case 0x2A7B: .signed(1, "°C")
    case 0x2AFB: .unsigned(3, exponent: -2, "lx", unknown: 0xFF_FFFF)
    case 0x2B18: .voltage
    case 0x2B8C: .unsigned(2, "ppm", unknown: 0xFFFF)
    default: nil
    }
}

private let sensorLocations = [
    "other", "top of shoe", "in shoe", "hip", "front wheel", "left crank", "right crank", "left pedal", "right pedal",
    "front hub", "rear dropout", "chainstay", "rear wheel", "rear hub", "chest", "spider", "chain ring",
]

extension ValueLayout {
    static let serviceDeclaration = exact { (reader) throws(MalformedError) in
        named(try reader.uuid(octetCount: reader.remaining), as: .service)
    }

    static let includeDeclaration = exact { (reader) throws(MalformedError) in
        let start = try reader.uint16()
        let end = try reader.uint16()
        let uuid = reader.isAtEnd ? nil : try reader.uuid(octetCount: 2)
        let name = uuid.map { ", \(named($0, as: .service).text)" } ?? ""
        return DecodedValue(
            "\(hexadecimal(start))-\(hexadecimal(end))\(name)",
            ["start": .integer(Int(start)), "end": .integer(Int(end)), "uuid": uuid.map { .string("\($0)") }])
    }

    static let characteristicDeclaration = exact { (reader) throws(MalformedError) in
        let properties = CharacteristicProperties(rawValue: try reader.uint8())
        let handle = try reader.uint16()
        let uuid = try reader.uuid(octetCount: reader.remaining)
        return DecodedValue(
            "\(hexadecimal(handle)), \(named(uuid, as: .characteristic).text), \(properties)",
            [
                "handle": .integer(Int(handle)), "uuid": .string("\(uuid.shortened)"),
                "properties": properties.json,
            ])
    }

    static let uuid = exact { (reader) throws(MalformedError) in
        named(try reader.uuid(octetCount: reader.remaining), as: .characteristic)
    }

    static let handles = exact { (reader) throws(MalformedError) in
        var handles: [UInt16] = []
        while !reader.isAtEnd { handles.append(try reader.uint16()) }
        return DecodedValue(
            handles.map(hexadecimal).joined(separator: ", "), .array(handles.map { .integer(Int($0)) }))
    }

    static let reportReference = exact { (reader) throws(MalformedError) in
        let identifier = try reader.uint8()
        let type = try reader.uint8()
        let names: [UInt8: String] = [1: "input", 2: "output", 3: "feature"]
        let name = names[type] ?? "reserved type \(type)"
        return DecodedValue(
            "report \(identifier), \(name)", ["report": .integer(Int(identifier)), "type": .string(name)])
    }

    static let presentationFormat = exact { (reader) throws(MalformedError) in
        guard let format = PresentationFormat([UInt8](octets: reader.rest())) else {
            throw MalformedError(.invalidLength, at: 0)
        }
        return DecodedValue(format.description, format.json)
    }

    static let appearance = exact { (reader) throws(MalformedError) in
        let value = try reader.uint16()
        let name = AssignedNumbers.appearanceName(value)
        return DecodedValue(
            name ?? "unknown (\(hexadecimal(value)))",
            ["code": .integer(Int(value)), "name": name.map { .string($0) }])
    }

    static let connectionParameters = exact { (reader) throws(MalformedError) in
        // Intervals count 1.25 ms, the timeout 10 ms; 0xFFFF is "no specific value".
        func interval(_ value: UInt16) -> DecimalNumber? {
            value == 0xFFFF ? nil : .finite(mantissa: Int128(value) * 125, exponent: -2)
        }
        let minimum = interval(try reader.uint16())
        let maximum = interval(try reader.uint16())
        let latency = try reader.uint16()
        let timeout = try reader.uint16()
        let milliseconds = timeout == 0xFFFF ? nil : Int(timeout) * 10
        let range = "\(minimum?.description ?? "any")-\(maximum?.description ?? "any") ms"
        return DecodedValue(
            "interval \(range), latency \(latency), timeout \(milliseconds.map { "\($0) ms" } ?? "any")",
            [
                "minimumInterval": minimum.map { .decimal($0) }, "maximumInterval": maximum.map { .decimal($0) },
                "latency": .integer(Int(latency)), "timeout": milliseconds.map { .integer($0) },
            ])
    }

    static let handleRange = exact { (reader) throws(MalformedError) in
        let start = try reader.uint16()
        let end = try reader.uint16()
        return DecodedValue(
            "\(hexadecimal(start))-\(hexadecimal(end))", ["start": .integer(Int(start)), "end": .integer(Int(end))])
    }

    static let hash = exact { (reader) throws(MalformedError) in
        // AES-CMAC gives the hash most significant octet last, as everything on the wire.
        let octets = [UInt8](octets: try reader.octets(16))
        let text = [UInt8](octets.reversed()).hexadecimal
        return DecodedValue(text, .string(text))
    }

    static let systemID = exact { (reader) throws(MalformedError) in
        let manufacturer = try reader.unsigned(5)
        let organisation = try reader.unsigned(3)
        return DecodedValue(
            "manufacturer \(digits(manufacturer, 10)), organisation \(digits(organisation, 6))",
            [
                "manufacturer": .string(digits(manufacturer, 10)), "organisation": .string(digits(organisation, 6)),
            ])
    }

    static let pnpID = exact { (reader) throws(MalformedError) in
        let source = try reader.uint8()
        let vendor = try reader.uint16()
        let product = try reader.uint16()
        let version = try reader.uint16()
        let name = source == 1 ? AssignedNumbers.companyName(vendor) : nil
        let sourceName = source == 1 ? "Bluetooth" : source == 2 ? "USB" : "source \(source)"
        // The version is a binary-coded decimal number JJ.M.N.
        let release = "\(version >> 8).\(version >> 4 & 0xF).\(version & 0xF)"
        return DecodedValue(
            "\(name ?? "\(sourceName) vendor \(hexadecimal(vendor))"), product \(hexadecimal(product)), \(release)",
            [
                "source": .string(sourceName), "vendor": .integer(Int(vendor)), "vendorName": name.map { .string($0) },
                "product": .integer(Int(product)), "version": .string(release),
            ])
    }

    static let voltage = exact { (reader) throws(MalformedError) in
        let value = try reader.uint16()
        guard value != 0xFFFF else { return DecodedValue("not known", .null) }
        // Units of 1/64 V.
        return DecodedValue(.finite(mantissa: (Int128(value) * 1000 + 32) / 64, exponent: -3), "V")
    }

    private static func named(_ uuid: BluetoothUUID, as kind: AssignedNumbers.Kind) -> DecodedValue {
        var json: JSONObject = [:]
        json.append(uuid, as: kind)
        return DecodedValue(uuid.label(kind), json)
    }
}

/// `0x0025`.
func hexadecimal(_ number: UInt16) -> String { "0x" + digits(Int128(number), 4) }

/// Lower-case hexadecimal digits, at least `count` of them.
func digits(_ number: Int128, _ count: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, count - text.count)) + text
}
