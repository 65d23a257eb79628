import Sockets
import Testing

@testable import Central

@Suite(.timeLimit(.minutes(1))) struct BoundedQueueTests {
    private func queue(_ capacity: Int, _ rule: OverflowRule) -> BoundedQueue<Int> {
        BoundedQueue(capacity: capacity, rule: rule) { .overflow("cannot test", capacity: $0) }
    }

    @Test func wakesAWaiterOnceForManyElements() async throws {
        let queue = queue(10, .fail)
        let consumer = Task { () -> [Int] in
            var all: [Int] = []
            while let next = try await queue.next(isolation: nil) { all.append(next) }
            return all
        }
        await Task.yield()
        queue.append(contentsOf: [1, 2, 3])
        queue.wake()
        queue.append(4)
        queue.finish()
        #expect(try await consumer.value == [1, 2, 3, 4])
    }

    @Test(arguments: [
        (OverflowRule.dropOldest, [3, 4], 2), (.dropNewest, [1, 2], 2),
    ])
    func dropsByTheRule(rule: OverflowRule, kept: [Int], lost: Int) async throws {
        let queue = queue(2, rule)
        queue.append(contentsOf: [1, 2, 3, 4])
        queue.finish()
        var all: [Int] = []
        while let next = try await queue.next(isolation: nil) { all.append(next) }
        #expect(all == kept)
        #expect(queue.lostCount == lost)
    }

    @Test func failsAfterWhatItHolds() async throws {
        let queue = queue(2, .fail)
        queue.append(contentsOf: [1, 2, 3, 4])
        #expect(try await queue.next(isolation: nil) == 1)
        #expect(try await queue.next(isolation: nil) == 2)
        await #expect(throws: CentralError.self) { try await queue.next(isolation: nil) }
        #expect(try await queue.next(isolation: nil) == nil)
        #expect(queue.isEnded)
    }

    @Test func aHundredWaitersAndACancellationEach() async throws {
        let queue = queue(1000, .fail)
        let consumers = (0..<100).map { _ in Task { try await queue.next(isolation: nil) } }
        for (index, consumer) in consumers.enumerated() where index.isMultiple(of: 2) { consumer.cancel() }
        for (index, consumer) in consumers.enumerated() where index.isMultiple(of: 2) {
            #expect(try await consumer.value == nil)
        }
        queue.append(contentsOf: Array(0..<50))
        queue.wake()
        var all: Set<Int?> = []
        for (index, consumer) in consumers.enumerated() where !index.isMultiple(of: 2) {
            all.insert(try await consumer.value)
        }
        #expect(all.count == 50)
    }

    @Test func theRingGrowsAndGoesRound() {
        var ring = RingBuffer<Int>()
        var next = 0
        var expected = 0
        for round in 0..<200 {
            for _ in 0..<(round % 17) {
                ring.append(next)
                next += 1
            }
            for _ in 0..<(round % 13) {
                guard let value = ring.popFirst() else { break }
                #expect(value == expected)
                expected += 1
            }
        }
        while let value = ring.popFirst() {
            #expect(value == expected)
            expected += 1
        }
        #expect(expected == next)
    }
}
