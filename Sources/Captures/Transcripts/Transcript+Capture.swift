// Transcripts straight from a capture, for tests that keep captures as fixtures.

import HCI

/// Why a capture gives no transcript.
public enum CaptureTranscriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read, or not to its end.
    case damaged(CaptureError)
    /// There are no ATT PDUs in it, or none of that connection.
    case noConnection
    /// There are several connections with ATT PDUs: say which, by its number.
    case severalConnections([Int])

    public var description: String {
        switch self {
        case .damaged(let error): error.description
        case .noConnection: "the capture has no ATT traffic of that connection"
        case .severalConnections(let numbers):
            "the capture has several connections with ATT traffic: \(numbers.map(String.init).joined(separator: ", "))"
        }
    }
}

extension Transcript {
    /// The ATT traffic of one connection of a capture.
    /// - Parameters:
    ///   - capture: a whole btsnoop, pcap or pcapng file.
    ///   - connection: its number in the capture, counted from 1; `nil` for the only one that has ATT traffic.
    public init(capture: [UInt8], connection: Int? = nil) throws(CaptureTranscriptError) {
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var builders: [Int: TranscriptBuilder] = [:]
        do throws(CaptureError) {
            _ = try parser.parse(capture.octets, isLast: true) { record in
                decoder.receive(record) { Self.gather($0, connection, &builders) }
            }
        } catch {
            throw .damaged(error)
        }
        let numbers = builders.keys.sorted()
        guard let number = numbers.first, let builder = builders[number] else { throw .noConnection }
        guard numbers.count == 1 else { throw .severalConnections(numbers) }
        self = builder.transcript()
    }

    private static func gather(
        _ event: borrowing CaptureDecoder.Event, _ wanted: Int?, _ builders: inout [Int: TranscriptBuilder]
    ) {
        switch event {
        case .pdu(let pdu):
            let number = pdu.connection.number
            guard wanted == nil || wanted == number else { return }
            builders[number, default: TranscriptBuilder()].isCentral = pdu.connection.isCentral
            builders[number]?.add(pdu.octets, pdu.direction, at: pdu.time)
        case .disconnected(let connection, let reason, let time): builders[connection.number]?.end(reason, at: time)
        case .connected, .advertising: break
        }
    }
}
