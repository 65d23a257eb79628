// The recorded captures of Fixtures/captures, cut-outs of public ones among them.

import Captures
import Foundation
import GAP
import Testing
import Wire

/// Every capture file below Fixtures/captures.
enum FixtureCaptures {
    static let folder = URL(filePath: #filePath).appending(path: "../../../Fixtures/captures").standardized

    static let names: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in ["btsnoop", "pcap", "pcapng"].contains { name.hasSuffix("." + $0) } }.sorted()
    }()

    static func octets(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: folder.appending(path: name)))
    }
}

@Suite struct FixtureCaptureTests {
    /// A capture that is cut at any octet gives the PDUs that are whole before the cut, and a summary of them.
    @Test(arguments: FixtureCaptures.names)
    func cutAnywhere(_ name: String) async throws {
        let file = try FixtureCaptures.octets(name)
        // Every offset of a small file; of a larger one some, which a prime keeps from always meeting the same place.
        let offsets = stride(from: 0, to: file.count, by: file.count < 3_000 ? 1 : 499)
        var last = 0
        for length in offsets {
            // Tests that wait for something must not wait for this one.
            await Task.yield()
            var parser = CaptureParser()
            var conversations = CapturedConversations()
            var pdus = 0
            var error: CaptureError?
            do throws(CaptureError) {
                _ = try parser.parse(Array(file.prefix(length)).octets, isLast: true) { record in
                    conversations.receive(record) { event in
                        if case .pdu = event { pdus += 1 }
                    }
                }
            } catch let problem {
                error = problem
            }
            #expect(pdus >= last)
            last = pdus
            if error == nil { #expect(parser.offset == length, "cut at \(length)") }
            if let error, length >= 16 { #expect(error.reason == .truncated, "cut at \(length): \(error)") }
        }
    }

    /// Any octet may be wrong: nothing traps, whatever is read of the rest.
    @Test(arguments: FixtureCaptures.names)
    func changedOctets(_ name: String) async throws {
        let file = try FixtureCaptures.octets(name)
        for index in stride(from: 16, to: file.count, by: file.count < 3_000 ? 7 : 251) {
            await Task.yield()
            for value in [0, 0xFF, file[index] ^ 0x80] {
                var changed = file
                changed[index] = value
                var parser = CaptureParser()
                var summary = CaptureSummary()
                do throws(CaptureError) {
                    _ = try parser.parse(changed.octets, isLast: true) { summary.add($0) }
                } catch {
                    // A length that is wrong ends the file there.
                    #expect(error.offset <= file.count)
                }
                #expect(summary.connections.count < 64)
            }
        }
    }

    /// The same device, discovered in PDUs of 23 octets and of 517: what the traffic told is the same.
    @Test func theMTUDoesNotChangeWhatIsDiscovered() throws {
        let tables = try ["recorded/discovery-mtu-23.btsnoop", "recorded/discovery-mtu-517.btsnoop"].map { name in
            let file = try FixtureCaptures.octets(name)
            var parser = CaptureParser()
            var summary = CaptureSummary()
            _ = try parser.parse(file.octets, isLast: true) { summary.add($0) }
            let connection = try #require(summary.connections.first)
            #expect(connection.mtu == (name.contains("517") ? 517 : 23))
            #expect(connection.connection.peer?.description == "F0:F1:F2:F3:F4:F5/random")
            #expect(connection.connection.isCentral == true)
            return connection.attributes.entries
        }
        #expect(tables[0].count == 200)
        #expect(tables[0] == tables[1])
    }
}
