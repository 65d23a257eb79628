import Presentation
import Wire

/// A date and time as characteristics carry it: year, month, day, hours, minutes, seconds, without a time zone.
struct CalendarTime: Hashable, Sendable, CustomStringConvertible {
    var year: UInt16
    var month: UInt8
    var day: UInt8
    var hours: UInt8
    var minutes: UInt8
    var seconds: UInt8

    /// - Throws: when octets are missing, or a field is outside the calendar; 0 stands for "not known" in a date.
    init(_ reader: inout OctetReader) throws(MalformedError) {
        let start = reader.offset
        year = try reader.uint16()
        month = try reader.uint8()
        day = try reader.uint8()
        hours = try reader.uint8()
        minutes = try reader.uint8()
        seconds = try reader.uint8()
        guard year <= 9999, month <= 12, day <= 31, hours <= 23, minutes <= 59, seconds <= 59 else {
            throw MalformedError(.invalidValue, at: start)
        }
    }

    var description: String { "\(date) \(time)" }

    /// ISO 8601 without a time zone; fields that are not known stay 0.
    var iso8601: String { "\(date)T\(time)" }

    private var date: String { "\(zeros(year, 4))-\(zeros(month, 2))-\(zeros(day, 2))" }
    private var time: String { "\(zeros(hours, 2)):\(zeros(minutes, 2)):\(zeros(seconds, 2))" }
}

extension ValueLayout {
    static let dateTime = exact { (reader) throws(MalformedError) in
        let time = try CalendarTime(&reader)
        return DecodedValue(time.description, .string(time.iso8601))
    }

    static let dayOfWeek = exact { (reader) throws(MalformedError) in
        let day = try reader.uint8()
        return DecodedValue(code: day, dayName(day))
    }

    static let dayDateTime = exact { (reader) throws(MalformedError) in
        let time = try CalendarTime(&reader)
        let day = dayName(try reader.uint8())
        return DecodedValue(
            "\(time), \(day)", ["timestamp": .string(time.iso8601), "dayOfWeek": .string(day)])
    }

    static let exactTime256 = exact { (reader) throws(MalformedError) in try exactTime(&reader) }

    /// Current Time (Current Time Service, 3.1).
    static let currentTime = exact { (reader) throws(MalformedError) in
        var value = try exactTime(&reader)
        let reasons = DecodedValue(
            bits: try reader.unsigned(1), ["manual update", "external reference", "time zone change", "DST change"])
        if reasons.text != "none" { value.text += ", \(reasons.text)" }
        if case .object(var fields) = value.json {
            fields["adjustReason"] = reasons.json
            value.json = .object(fields)
        }
        return value
    }

    static let timeZone = exact { (reader) throws(MalformedError) in
        let zone = try timeZoneName(&reader)
        return DecodedValue(zone, .string(zone))
    }

    static let localTime = exact { (reader) throws(MalformedError) in
        let zone = try timeZoneName(&reader)
        let offset = try reader.uint8()
        let names: [UInt8: String] = [
            0: "standard time", 2: "DST +0:30", 4: "DST +1:00", 8: "DST +2:00", 255: "DST not known",
        ]
        let name = names[offset] ?? "reserved (\(offset))"
        return DecodedValue("\(zone), \(name)", ["timeZone": .string(zone), "dst": .string(name)])
    }

    private static func exactTime(_ reader: inout OctetReader) throws(MalformedError) -> DecodedValue {
        let time = try CalendarTime(&reader)
        let day = dayName(try reader.uint8())
        // Units of 1/256 s.
        let milliseconds = Int(try reader.uint8()) * 1_000 / 256
        return DecodedValue(
            "\(time).\(zeros(milliseconds, 3)), \(day)",
            ["timestamp": .string("\(time.iso8601).\(zeros(milliseconds, 3))"), "dayOfWeek": .string(day)])
    }

    /// Quarters of an hour from UTC.
    private static func timeZoneName(_ reader: inout OctetReader) throws(MalformedError) -> String {
        let quarters = Int(try reader.signed(1))
        guard quarters != -128 else { return "time zone not known" }
        guard (-48...56).contains(quarters) else { throw MalformedError(.invalidValue, at: 0) }
        let minutes = abs(quarters) * 15
        return "UTC\(quarters < 0 ? "-" : "+")\(minutes / 60):\(zeros(minutes % 60, 2))"
    }

    private static func dayName(_ day: UInt8) -> String {
        let names = ["day not known", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        return Int(day) < names.count ? names[Int(day)] : "day \(day)"
    }
}
