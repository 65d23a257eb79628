import Foundation
import TestSupport
import Testing

@testable import BtattCommands

/// `decode --html`: what is in the file. How it looks is seen with scripts/page-screenshots.
@Suite struct PageTests {
    private func page(_ words: String...) async throws -> String {
        let file = try TemporaryFile("")
        let run = await btatt(["decode", "--html", file.path] + words)
        #expect(run.status == .done)
        #expect(run.output.isEmpty)
        return try String(contentsOf: URL(filePath: file.path), encoding: .utf8)
    }

    /// The data that the page's script reads.
    private func data(_ page: String) throws -> [String: Any] {
        let start = try #require(page.range(of: #"<script type="application/json" id="data">"#)).upperBound
        let end = try #require(page[start...].range(of: "</script>")).lowerBound
        return try #require(try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
    }

    @Test func everyPDUIsInTheData() async throws {
        let page = try await page(fixture("captures/public/treadmill-session.btsnoop"))
        let data = try data(page)
        let connections = try #require(data["connections"] as? [[String: Any]])
        let rows = try #require(connections.first?["rows"] as? [[Any]])
        // The connection's beginning and 256 PDUs.
        #expect(connections.count == 1)
        #expect(rows.count == 257)
        #expect(rows[0][3] as? String == "connected")
        // Time, direction, opcode, text, octets, latency, the row of the request, kind.
        #expect(rows[2][0] as? Int == 196_207)
        #expect(rows[2][1] as? Int == 1)
        #expect(rows[2][2] as? Int == 0x11)
        #expect((rows[2][3] as? String)?.hasPrefix("0x0001…0x0001 1801 Generic Attribute;") == true)
        #expect(rows[2][4] as? String == "110601000100011802000800001809001900f0ff")
        #expect(rows[2][5] as? Int == 84_195)
        #expect(rows[2][6] as? Int == 1)
        #expect(rows[2][7] as? Int == 0)
        #expect(rows.dropFirst().allSatisfy { $0.count == 8 })
        #expect((data["names"] as? [String: String])?["17"] == "Read By Group Type Response")
    }

    @Test func nothingComesFromElsewhere() async throws {
        let page = try await page(fixture("captures/public/battery-monitor-values.btsnoop"))
        for word in ["http:", "https:", "src=", "href=", "@import", "url("] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("Content-Security-Policy"))
    }

    /// What a peer sends cannot end the data and begin a script, nor can a file's name.
    @Test func whatAPeerSendsIsNoMarkup() async throws {
        let capture = try TemporaryFile("")
        let device = try TemporaryFile(
            """
            device Evil
            service 1800
                characteristic 2A00
                    properties read
                    value text: </script><script>alert(1)</script><!--
            """)
        let run = await btatt(["-d", "virtual:\(device.path)", "--capture", capture.path, "discover", "--values"])
        #expect(run.status == .done)
        let page = try await page(capture.path)
        #expect(page.components(separatedBy: "</script>").count == 3)
        #expect(!page.contains("<script>alert"))
        let rows = try #require((try data(page)["connections"] as? [[String: Any]])?.first?["rows"] as? [[Any]])
        #expect(rows.contains { ($0[3] as? String)?.contains("</script><script>alert(1)</script><!--") == true })
        #expect(Page.escaped(#"a<b>&"c""#) == "a&lt;b&gt;&amp;&quot;c&quot;")
    }

    @Test func filtersHold() async throws {
        let page = try await page(fixture("captures/public/treadmill-session.btsnoop"), "--opcode", "0x1b")
        let rows = try #require((try data(page)["connections"] as? [[String: Any]])?.first?["rows"] as? [[Any]])
        #expect(rows.count == 86)
        #expect(rows.allSatisfy { $0[2] as? Int == 0x1B })
    }

    @Test func aCaptureWithoutTrafficIsAPageToo() async throws {
        let page = try await page(fixture("captures/public/treadmill-advertising.btsnoop"))
        #expect(page.contains("no ATT traffic"))
        #expect((try data(page)["connections"] as? [Any])?.isEmpty == true)
    }
}
