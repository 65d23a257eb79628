// What is fuzzed. Each target takes octets nobody would send and checks what has to hold whatever they are. The same bodies
// run in two places: under libFuzzer, which looks for octets that break them (scripts/fuzz), and in the tests, which replay
// every input that ever did (Fixtures/regressions/fuzz) and some random ones.

/// Something that did not hold.
public struct Finding: Error, Hashable, Sendable, CustomStringConvertible {
    /// What should have held, and what was.
    public var description: String

    init(_ description: String) { self.description = description }
}

/// Checks what has to hold.
func check(_ condition: Bool, _ text: @autoclosure () -> String) throws(Finding) {
    guard condition else { throw Finding(text()) }
}

/// One thing that is fuzzed.
public struct FuzzTarget: Sendable {
    /// The name on the command line and of the folders of its inputs.
    public let name: String
    /// The longest input worth trying, in octets.
    public let maximumLength: Int
    /// Takes an input: returns when everything held, throws what did not.
    public let run: @Sendable (RawSpan) throws(Finding) -> Void
    /// Inputs to begin with, made of the project's own fixtures.
    public let seeds: @Sendable (_ fixtures: Fixtures) -> [[UInt8]]

    init(
        _ name: String, maximumLength: Int = 4096, seeds: @escaping @Sendable (Fixtures) -> [[UInt8]] = { _ in [] },
        run: @escaping @Sendable (RawSpan) throws(Finding) -> Void
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.seeds = seeds
        self.run = run
    }

    /// Every target.
    public static let all = [
        attributeProtocol, advertisingData, advertisingReports, hostControllerEvents, reassembly, signalling,
        captures, transcripts, values, attributes, devices, client, server,
    ]

    /// The target of that name.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
