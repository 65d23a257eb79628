// Captured traffic played back, for tests of one's own client or server without a device.
//
//     let transcript = try Transcript(parsing: text)                   // or Transcript(capture: octets)
//     let peripheral = ReplayedPeripheral(transcript)
//     let central = try await Central(adapter: .none)
//     let connection = try await central.connect(to: .socket(try peripheral.connect()))
//     …                                                                // what the client under test does
//     try peripheral.verify()
//
// The peripheral answers as the one in the transcript did. What the client sends must be what the transcript's client
// sent: PDU by PDU in the exact order, or any request of it at any time in the tolerant one. The first difference is kept,
// with what came before it, and ends the connection.

@_exported public import Captures
