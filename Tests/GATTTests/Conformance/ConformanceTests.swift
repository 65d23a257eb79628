import Foundation
import Testing

/// The page of docs/conformance.md is what the transcripts and tests are.
@Suite struct ConformanceTests {
    static let project = TranscriptScript.fixtures.appending(path: "..").standardized

    @Test func thePageIsCurrent() throws {
        let page = try ConformanceTable(project: Self.project).page
        let path = Self.project.appending(path: "docs/conformance.md")
        if ProcessInfo.processInfo.environment["BTATT_GENERATE_CONFORMANCE"] != nil {
            try page.write(to: path, atomically: true, encoding: .utf8)
        }
        let present = try String(contentsOf: path, encoding: .utf8)
        #expect(present == page, "run scripts/generate/conformance")
    }

    /// No case is left out without a word.
    @Test func everyApplicableCaseIsHeld() throws {
        let table = try ConformanceTable(project: Self.project)
        #expect(table.missing.isEmpty)
        #expect(table.strangers.isEmpty, "not in Fixtures/conformance-cases.txt, or named and described differently")
        #expect(table.cases.filter { $0.section == "client" }.count == 85)
        #expect(Set(table.cases.map(\.id)).count == table.cases.count)
        // What does not apply has no transcript: then it would.
        #expect(table.cases.allSatisfy { $0.reason == nil || !$0.isHeld })
    }

    /// At the least MTU and at a larger one.
    @Test func everyClientCaseIsPlayedAtSeveralMTUs() throws {
        let table = try ConformanceTable(project: Self.project)
        for entry in table.cases where !entry.transcripts.isEmpty {
            #expect(entry.mtus.count > 1, "\(entry.id)")
        }
    }
}
