import TestSupport
import Testing
import Wire

@testable import BtattCommands

@Suite struct DecodedValueTests {
    @Test(
        arguments: [
            // Heart Rate Measurement: 8 and 16 bits, contact, energy, RR intervals.
            (0x2A37, "00 48", "72 bpm", #"{"heartRate":72}"#),
            (0x2A37, "06 48", "72 bpm, contact", #"{"heartRate":72,"contact":true}"#),
            (0x2A37, "04 48", "72 bpm, no contact", #"{"heartRate":72,"contact":false}"#),
            (0x2A37, "01 2c 01", "300 bpm", #"{"heartRate":300}"#),
            (
                0x2A37, "1e 48 78 00 00 04 40 03", "72 bpm, contact, 120 kJ, RR 1.000 s 0.813 s",
                #"{"heartRate":72,"contact":true,"energyExpended":120,"rrIntervals":[1.000,0.813]}"#
            ),
            (0x2A38, "02", "wrist", #"{"code":2,"name":"wrist"}"#),
            (0x2A38, "09", "reserved (9)", #"{"code":9}"#),
            (0x2A19, "57", "87 %", "87"),
            // IEEE 11073 FLOAT: 0xFF00016E is 366 × 10^-1.
            (0x2A1C, "00 6e 01 00 ff", "36.6 °C", #"{"temperature":36.6,"unit":"°C"}"#),
            (
                0x2A1C, "07 d2 03 00 ff e9 07 03 01 0c 1e 05 02", "97.8 °F, 2025-03-01 12:30:05, body",
                #"{"temperature":97.8,"unit":"°F","timestamp":"2025-03-01T12:30:05","type":"body"}"#
            ),
            (0x2A1C, "00 ff ff 7f 00", "not a number °C", #"{"temperature":null,"unit":"°C"}"#),
            (0x2A1C, "00 00 00 80 00", "not at this resolution °C", #"{"temperature":null,"unit":"°C"}"#),
            (0x2A1C, "00 fe ff 7f 00", "infinity °C", #"{"temperature":null,"unit":"°C"}"#),
            (0x2A1C, "00 02 00 80 00", "-infinity °C", #"{"temperature":null,"unit":"°C"}"#),
            (0x2A1C, "00 9c ff ff ff", "-10.0 °C", #"{"temperature":-10.0,"unit":"°C"}"#),
            (0x2A1D, "06", "mouth", #"{"code":6,"name":"mouth"}"#),
            (
                0x2A35, "04 78 00 50 00 5d 00 3c 00", "120/80 mmHg, mean 93, 60 bpm",
                #"{"systolic":120,"diastolic":80,"mean":93,"unit":"mmHg","pulseRate":60}"#
            ),
            (
                0x2A35, "01 9b f0 ff 07 00 08", "15.5/not a number kPa, mean not at this resolution",
                #"{"systolic":15.5,"diastolic":null,"mean":null,"unit":"kPa"}"#
            ),
            (0x2A9D, "00 10 27", "50.000 kg", #"{"weight":50.000,"unit":"kg"}"#),
            // Device Information.
            (0x2A29, "41 63 6d 65 00", "\"Acme\"", "\"Acme\""),
            (0x2A29, "ff 41", "\"\u{FFFD}A\"", "\"\u{FFFD}A\""),
            (0x2A00, "1b 5b 32 4a", "\"\\u{1b}[2J\"", #""\u001b[2J""#),
            (
                0x2A50, "01 59 00 34 12 23 01", "Nordic Semiconductor ASA, product 0x1234, 1.2.3",
                #"{"source":"Bluetooth","vendor":89,"vendorName":"Nordic Semiconductor ASA","product":4660,"version":"1.2.3"}"#
            ),
            (
                0x2A50, "02 6d 04 17 c5 00 10", "USB vendor 0x046d, product 0xc517, 16.0.0",
                #"{"source":"USB","vendor":1133,"product":50455,"version":"16.0.0"}"#
            ),
            (
                0x2A23, "12 9a 00 00 00 ab cd ef", "manufacturer 0000009a12, organisation efcdab",
                #"{"manufacturer":"0000009a12","organisation":"efcdab"}"#
            ),
            (0x2A01, "41 03", "Heart Rate Belt", #"{"code":833,"name":"Heart Rate Belt"}"#),
            (
                0x2A04, "06 00 18 00 00 00 c8 00", "interval 7.50-30.00 ms, latency 0, timeout 2000 ms",
                #"{"minimumInterval":7.50,"maximumInterval":30.00,"latency":0,"timeout":2000}"#
            ),
            (
                0x2A04, "ff ff ff ff 00 00 ff ff", "interval any-any ms, latency 0, timeout any", #"{"latency":0}"#
            ),
            (0x2A05, "01 00 ff ff", "0x0001-0xffff", #"{"start":1,"end":65535}"#),
            (
                0x2B2A, "f1 ca 2d 48 ec f5 8b ac 8a 88 30 bb b9 fb a9 90", "90a9fbb9bb30888aac8bf5ec482dcaf1",
                "\"90a9fbb9bb30888aac8bf5ec482dcaf1\""
            ),
            (
                0x2B29, "05", "robust caching, multiple notifications",
                #"{"bits":5,"names":["robust caching","multiple notifications"]}"#
            ),
            // Time.
            (0x2A08, "e9 07 03 01 0c 1e 05", "2025-03-01 12:30:05", "\"2025-03-01T12:30:05\""),
            (
                0x2A2B, "e9 07 03 01 0c 1e 05 06 80 02", "2025-03-01 12:30:05.500, Saturday, external reference",
                #"{"timestamp":"2025-03-01T12:30:05.500","dayOfWeek":"Saturday","adjustReason":{"bits":2,"names":["external reference"]}}"#
            ),
            (0x2A0F, "f4 04", "UTC-3:00, DST +1:00", #"{"timeZone":"UTC-3:00","dst":"DST +1:00"}"#),
            // Environment and link.
            (0x2A6E, "34 08", "21.00 °C", "21.00"), (0x2A6E, "ce ff", "-0.50 °C", "-0.50"),
            (0x2A6E, "00 80", "not known", "null"), (0x2A6F, "88 13", "50.00 %", "50.00"),
            (0x2A6D, "cd 8b 0f 00", "101882.9 Pa", "101882.9"), (0x2A07, "f6", "-10 dBm", "-10"),
            // Descriptors and declarations.
            (0x2902, "01 00", "notification", #"{"bits":1,"names":["notification"]}"#),
            (0x2902, "03 00", "notification, indication", #"{"bits":3,"names":["notification","indication"]}"#),
            (0x2902, "00 00", "none", #"{"bits":0,"names":[]}"#),
            (0x2902, "00 80", "bit 15", #"{"bits":32768,"names":["bit 15"]}"#),
            (0x2901, "52 61 74 65", "\"Rate\"", "\"Rate\""),
            (
                0x2904, "0e fe 2f 27 01 00 00", "sint16 × 10^-2, Celsius temperature (degree Celsius)",
                #"{"format":"sint16","exponent":-2,"unit":10031,"unitName":"Celsius temperature (degree Celsius)","namespace":1,"description":0}"#
            ),
            (0x2908, "01 02", "report 1, output", #"{"report":1,"type":"output"}"#),
            (0x2905, "03 00 05 00", "0x0003, 0x0005", "[3,5]"),
            (0x2800, "0d 18", "180d Heart Rate", #"{"uuid":"180d","name":"Heart Rate"}"#),
            (
                0x2803, "12 03 00 37 2a", "0x0003, 2a37 Heart Rate Measurement, read, notify",
                #"{"handle":3,"uuid":"2a37","properties":["read","notify"]}"#
            ),
            (
                0x2802, "10 00 1f 00 0f 18", "0x0010-0x001f, 180f Battery Service",
                #"{"start":16,"end":31,"uuid":"180f"}"#
            ),
            (0x2802, "10 00 1f 00", "0x0010-0x001f", #"{"start":16,"end":31}"#),
        ] as [(UInt16, String, String, String)])
    func commonValuesAreExplained(_ uuid: UInt16, _ octets: String, _ text: String, _ json: String) throws {
        let value = try #require(decodeValue(BluetoothUUID(uuid), hex(octets)))
        #expect(value.text == text)
        let object: JSONObject = ["v": value.json]
        #expect(object.line == "{\"v\":\(json)}")
    }

    @Test(
        arguments: [
            (0x2A37, ""), (0x2A37, "01 48"), (0x2A37, "08 48 01"), (0x2A19, ""), (0x2A19, "57 00"),
            (0x2A1C, "00 6e 01 00"),
            (0x2A1C, "02 6e 01 00 ff e9 07 0d 01 0c 1e 05"), (0x2A08, "e9 07 03 20 0c 1e 05"), (0x2A50, "01 59 00"),
            (0x2A23, "00"), (0x2904, "0e fe 2f 27 01 00"), (0x2803, "12 03 00 37"), (0x2A04, "06 00"), (0xFFFE, "00"),
            (0x2905, "01"),
        ] as [(UInt16, String)])
    func whatHasAnotherLayoutStaysOctets(_ uuid: UInt16, _ octets: String) {
        #expect(decodeValue(BluetoothUUID(uuid), hex(octets)) == nil)
    }

    @Test func everyLayoutIsSafeOnAnyOctets() {
        var generator = SeededGenerator(seed: 0x5EED)
        for uuid in UInt16(0x2800)...0x2BFF {
            for length in 0...24 {
                let octets = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                _ = decodeValue(BluetoothUUID(uuid), octets)
            }
        }
    }
}
