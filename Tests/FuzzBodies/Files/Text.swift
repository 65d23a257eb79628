// What people write: values, attributes and targets on the command line, and descriptions of devices in files.

import BtattCommands
import CommandLineParsing
import GATT
import VirtualPeripheral
import Wire

extension FuzzTarget {
    static let values = FuzzTarget(
        "values", maximumLength: 256,
        seeds: { _ in
            [
                "0x0102ff", "hex:01 02 ff", "text:hello", "u8:5", "u16:300,0x12c", "i32:-1", "f32:1.5", "f64:-0.25,1e9",
                "file:/tmp/x", "-", "on", "0102", "u24:0xffffff", "i64:-9223372036854775808",
                "u64:18446744073709551615",
            ].map { Array($0.utf8) }
        },
        run: { (input) throws(Finding) in
            let text = input.text
            switch value(text) {
            case .success(.octets(let octets)):
                let again = "hex:\(octets.hexadecimal)"
                try check(value(again) == .success(.octets(octets)), "\(again) is another value")
            case .success: break
            case .failure(let error): try isInside(error, text)
            }
        })

    private static func value(_ text: String) -> Result<ValueSource, ValueError> {
        Result { () throws(ValueError) in try ValueSource(text) }
    }

    static let attributes = FuzzTarget(
        "attributes", maximumLength: 256,
        seeds: { _ in
            [
                "37", "0x0025", "2a37", "180d/2a37", "180d/2a37/2902", "180d[2]/2a37[1]",
                "heart_rate/heart_rate_measurement", "AA:BB:CC:DD:EE:FF/random", "name:x", "virtual:heart-rate",
                "unix:/run/x", "0000180d-0000-1000-8000-00805f9b34fb/2a37",
            ].map { Array($0.utf8) }
        },
        run: { (input) throws(Finding) in
            let text = input.text
            switch Result(catching: { () throws(ValueError) in try AttributeSyntax(text) }) {
            case .success(.handle(let handle)): try check(handle > 0, "the handle is 0")
            case .success(.path(let path)):
                for step in [path.service, path.characteristic, path.descriptor] {
                    guard let step else { continue }
                    try check(!step.uuids.isEmpty, "a step stands for nothing")
                    try check(step.index ?? 1 > 0, "a step counts from \(step.index ?? 1)")
                    try check(text.contains(step.text), "a step is not in the text")
                }
            case .failure(let error): try isInside(error, text)
            }
            switch Result(catching: { () throws(ValueError) in try TargetSyntax(text) }) {
            case .success(.address(let octets, _)):
                try check(octets.count == 6, "an address of \(octets.count) octets")
            case .success: break
            case .failure(let error): try isInside(error, text)
            }
        })

    /// An error says something, about a character that is there or the end.
    private static func isInside(_ error: ValueError, _ text: String) throws(Finding) {
        try check(!error.message.isEmpty, "an error says nothing")
        if let position = error.position {
            try check((0...text.count).contains(position), "position \(position) in a text of \(text.count)")
        }
    }

    static let devices = FuzzTarget(
        "devices", maximumLength: 2048,
        seeds: { fixtures in fixtures.files(in: "devices").filter { $0.name.hasSuffix(".device") }.map(\.octets) },
        run: { (input) throws(Finding) in
            let text = input.text
            switch Result(catching: { () throws(DeviceFileError) in try DeviceDescription(parsing: text) }) {
            case .failure(let error):
                let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                try check((1...max(1, lines.count)).contains(error.line), "line \(error.line) of \(lines.count)")
                try check(error.column >= 1, "column \(error.column)")
                try check(!error.description.isEmpty, "an error says nothing")
            case .success(let device):
                try check(device.advertising.map { $0.data.count <= 255 } ?? true, "the advertising data is too long")
                guard let database = try? AttributeDatabase(services: device.services) else {
                    throw Finding("a device that was read has no database")
                }
                try serves(database, device.configuration)
            }
        })

    /// A described device answers a discovery and every read.
    private static func serves(_ database: AttributeDatabase, _ configuration: ServerConfiguration) throws(Finding) {
        var server = ServerEngine(database: database, configuration: configuration)
        for handle in [UInt16(1), 2, 3, 0xFFFF] {
            let low = UInt8(truncatingIfNeeded: handle)
            let high = UInt8(truncatingIfNeeded: handle >> 8)
            for request in [
                [0x10, low, high, 0xFF, 0xFF, 0x00, 0x28], [0x08, low, high, 0xFF, 0xFF, 0x03, 0x28],
                [0x04, low, high, 0xFF, 0xFF], [0x0A, low, high],
            ] as [[UInt8]] {
                server.receive(request.octets, at: .zero)
                while let action = server.nextAction() {
                    guard case .send(let pdu) = action else { continue }
                    try check((1...server.mtu).contains(pdu.count), "an answer of \(pdu.count) octets")
                }
                server.advance(to: MonotonicTime(nanoseconds: .max))
                while server.nextAction() != nil {}
            }
        }
    }
}
