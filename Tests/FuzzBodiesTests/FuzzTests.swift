import Foundation
public import FuzzBodies
import TestSupport
public import Testing
import Wire

/// What fuzzing looks for, on inputs that are at hand: those that once broke something, the project's fixtures, and random
/// ones, of which a failure prints the seed that repeats it.
@Suite struct FuzzTests {
    private static let fixtures = Fixtures(
        at: URL(filePath: #filePath).appending(path: "../../../Fixtures").standardized.path)

    /// scripts/fuzz leaves its finds there; see docs/measuring.md.
    @Test(arguments: FuzzTarget.all)
    func regressions(_ target: FuzzTarget) {
        for (name, octets) in Self.fixtures.files(in: "regressions/fuzz/\(target.name)") {
            expectNothing(target, octets, "\(name)")
        }
    }

    @Test func everyRegressionBelongsToATarget() {
        let names = Set(FuzzTarget.all.map(\.name))
        for (name, _) in Self.fixtures.files(in: "regressions/fuzz") {
            let parts = name.split(separator: "/")
            #expect(parts.count == 4 && names.contains(String(parts[2])), "\(name)")
        }
    }

    @Test(arguments: FuzzTarget.all)
    func seeds(_ target: FuzzTarget) {
        let seeds = target.seeds(Self.fixtures)
        #expect(!seeds.isEmpty)
        for seed in seeds { expectNothing(target, seed, seed.hexadecimal) }
    }

    @Test(arguments: FuzzTarget.all)
    func randomOctets(_ target: FuzzTarget) {
        var generator = SeededGenerator.printingItsSeed(for: "randomOctets, \(target.name)")
        for round in 0..<100 {
            expectNothing(target, generator.octets(0...min(600, target.maximumLength)), "round \(round)")
        }
    }

    /// Seeds with some octets changed, taken out, put in or repeated: they get further than random octets.
    @Test(arguments: FuzzTarget.all)
    func changedSeeds(_ target: FuzzTarget) {
        var generator = SeededGenerator.printingItsSeed(for: "changedSeeds, \(target.name)")
        let seeds = target.seeds(Self.fixtures)
        for round in 0..<300 {
            guard var octets = seeds.randomElement(using: &generator) else { return }
            for _ in 0...Int.random(in: 0...3, using: &generator) { generator.change(&octets) }
            expectNothing(target, octets, "round \(round)")
        }
    }

    private func expectNothing(_ target: FuzzTarget, _ octets: [UInt8], _ input: String) {
        do throws(Finding) {
            try target.run(octets.octets)
        } catch {
            Issue.record("\(target.name), \(input): \(error)")
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension SeededGenerator {
    fileprivate mutating func change(_ octets: inout [UInt8]) {
        let place = Int.random(in: 0...octets.count, using: &self)
        let end = min(octets.count, place + Int.random(in: 0...8, using: &self))
        switch Int.random(in: 0..<4, using: &self) {
        case 0: octets.replaceSubrange(place..<end, with: self.octets((end - place)...(end - place)))
        case 1: octets.removeSubrange(place..<end)
        case 2: octets.insert(contentsOf: self.octets(1...8), at: place)
        default: octets.insert(contentsOf: octets[place..<end], at: place)
        }
    }
}
