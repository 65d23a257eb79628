import Presentation
import Wire

extension ValueLayout {
    /// Heart Rate Measurement (Heart Rate Service, 3.1).
    static let heartRate = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        let rate = flags & 0x01 == 0 ? UInt16(try reader.uint8()) : try reader.uint16()
        var text = "\(rate) bpm"
        var json: JSONObject = ["heartRate": .integer(Int(rate))]
        // Bit 2: contact is detected at all; bit 1: there is contact.
        if flags & 0x04 != 0 {
            let hasContact = flags & 0x02 != 0
            text += hasContact ? ", contact" : ", no contact"
            json["contact"] = .boolean(hasContact)
        }
        if flags & 0x08 != 0 {
            let energy = try reader.uint16()
            text += ", \(energy) kJ"
            json["energyExpended"] = .integer(Int(energy))
        }
        if flags & 0x10 != 0 {
            var intervals: [DecimalNumber] = []
            while reader.remaining >= 2 {
                // Units of 1/1024 s.
                let interval = Int128(try reader.uint16())
                intervals.append(.finite(mantissa: (interval * 1_000 + 512) / 1_024, exponent: -3))
            }
            text += ", RR " + intervals.map { "\($0) s" }.joined(separator: " ")
            json["rrIntervals"] = .array(intervals.map { .decimal($0) })
        }
        return DecodedValue(text, json)
    }

    /// Temperature Measurement and Intermediate Temperature (Health Thermometer Service, 3.1).
    static let temperatureMeasurement = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        let unit = flags & 0x01 == 0 ? "°C" : "°F"
        let temperature = try reader.medicalFloat32()
        var text = "\(temperature) \(unit)"
        var json: JSONObject = ["temperature": .decimal(temperature), "unit": .string(unit)]
        if flags & 0x02 != 0 { try appendTime(&reader, &text, &json) }
        if flags & 0x04 != 0 {
            let type = temperatureTypeName(try reader.uint8())
            text += ", \(type)"
            json["type"] = .string(type)
        }
        return DecodedValue(text, json)
    }

    static let temperatureType = exact { (reader) throws(MalformedError) in
        let code = try reader.uint8()
        return DecodedValue(
            temperatureTypeName(code), ["code": .integer(Int(code)), "name": .string(temperatureTypeName(code))])
    }

    private static func temperatureTypeName(_ code: UInt8) -> String {
        let names = [
            "armpit", "body", "ear", "finger", "gastro-intestinal tract", "mouth", "rectum", "toe", "tympanum",
        ]
        return (1...names.count).contains(Int(code)) ? names[Int(code) - 1] : "reserved (\(code))"
    }

    /// Blood Pressure Measurement and Intermediate Cuff Pressure (Blood Pressure Service, 3.1).
    static let bloodPressure = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        let unit = flags & 0x01 == 0 ? "mmHg" : "kPa"
        let systolic = try reader.medicalFloat16()
        let diastolic = try reader.medicalFloat16()
        let mean = try reader.medicalFloat16()
        var text = "\(systolic)/\(diastolic) \(unit), mean \(mean)"
        var json: JSONObject = [
            "systolic": .decimal(systolic), "diastolic": .decimal(diastolic), "mean": .decimal(mean),
            "unit": .string(unit),
        ]
        if flags & 0x02 != 0 { try appendTime(&reader, &text, &json) }
        if flags & 0x04 != 0 {
            let rate = try reader.medicalFloat16()
            text += ", \(rate) bpm"
            json["pulseRate"] = .decimal(rate)
        }
        if flags & 0x08 != 0 { json["user"] = .integer(Int(try reader.uint8())) }
        if flags & 0x10 != 0 {
            let status = DecodedValue(
                bits: try reader.unsigned(2),
                [
                    "body moved", "cuff too loose", "irregular pulse", "pulse too fast", "pulse too slow",
                    "wrong position",
                ])
            if status.text != "none" { text += ", \(status.text)" }
            json["status"] = status.json
        }
        return DecodedValue(text, json)
    }

    /// PLX Spot-check and Continuous Measurement (Pulse Oximeter Service, 3.1 and 3.2): saturation and pulse rate.
    static let pulseOximetry = open { (reader) throws(MalformedError) in
        _ = try reader.uint8()
        let saturation = try reader.medicalFloat16()
        let rate = try reader.medicalFloat16()
        return DecodedValue(
            "SpO2 \(saturation) %, \(rate) bpm", ["saturation": .decimal(saturation), "pulseRate": .decimal(rate)])
    }

    /// Weight Measurement (Weight Scale Service, 3.2).
    static let weight = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        let isImperial = flags & 0x01 != 0
        let raw = try reader.uint16()
        let number: DecimalNumber =
            isImperial
            ? .finite(mantissa: Int128(raw), exponent: -2) : .finite(mantissa: Int128(raw) * 5, exponent: -3)
        let unit = isImperial ? "lb" : "kg"
        var text = raw == 0xFFFF ? "measurement failed" : "\(number) \(unit)"
        var json: JSONObject = ["weight": raw == 0xFFFF ? .null : .decimal(number), "unit": .string(unit)]
        if flags & 0x02 != 0 { try appendTime(&reader, &text, &json) }
        return DecodedValue(text, json)
    }

    /// RSC Measurement (Running Speed and Cadence Service, 3.1).
    static let runningSpeed = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        // Units of 1/256 m/s.
        let speed = DecimalNumber.finite(mantissa: (Int128(try reader.uint16()) * 1_000 + 128) / 256, exponent: -3)
        let cadence = try reader.uint8()
        var text = "\(speed) m/s, \(cadence) steps/min"
        var json: JSONObject = ["speed": .decimal(speed), "cadence": .integer(Int(cadence))]
        if flags & 0x01 != 0 {
            json["strideLength"] = .decimal(.finite(mantissa: Int128(try reader.uint16()), exponent: -2))
        }
        if flags & 0x02 != 0 {
            let distance = DecimalNumber.finite(mantissa: Int128(try reader.uint32()), exponent: -1)
            text += ", \(distance) m"
            json["distance"] = .decimal(distance)
        }
        text += flags & 0x04 != 0 ? ", running" : ", walking"
        json["running"] = .boolean(flags & 0x04 != 0)
        return DecodedValue(text, json)
    }

    /// CSC Measurement (Cycling Speed and Cadence Service, 3.1).
    static let cyclingSpeed = open { (reader) throws(MalformedError) in
        let flags = try reader.uint8()
        var parts: [String] = []
        var json: JSONObject = [:]
        if flags & 0x01 != 0 {
            let revolutions = try reader.uint32()
            let time = try reader.uint16()
            parts.append("wheel \(revolutions) revolutions")
            json["wheelRevolutions"] = .integer(Int(revolutions))
            json["wheelTime"] = .integer(Int(time))
        }
        if flags & 0x02 != 0 {
            let revolutions = try reader.uint16()
            let time = try reader.uint16()
            parts.append("crank \(revolutions) revolutions")
            json["crankRevolutions"] = .integer(Int(revolutions))
            json["crankTime"] = .integer(Int(time))
        }
        return DecodedValue(parts.isEmpty ? "nothing measured" : parts.joined(separator: ", "), json)
    }

    private static func appendTime(
        _ reader: inout OctetReader, _ text: inout String, _ json: inout JSONObject
    ) throws(MalformedError) {
        let time = try CalendarTime(&reader)
        text += ", \(time)"
        json["timestamp"] = .string(time.iso8601)
    }
}
