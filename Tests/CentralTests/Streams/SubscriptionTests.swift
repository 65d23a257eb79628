import Central
import Sockets
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct SubscriptionTests {
    private let target = SubscriptionTarget(
        valueHandle: 0x0010, properties: [.notify], configurationHandle: 0x0011)

    private func subscribed(
        _ buffer: BufferOptions = BufferOptions()
    ) async throws -> (Connection, ScriptedPeer, Subscription) {
        let (connection, peer) = try await connected()
        async let subscribing = connection.subscribe(to: target, buffer: buffer)
        await peer.expect("12 11 00 01 00")
        try peer.send("13")
        return (connection, peer, try await subscribing)
    }

    @Test func theFirstValueIsThereEvenBeforeTheAnswer() async throws {
        let (connection, peer) = try await connected()
        async let subscribing = connection.subscribe(to: target)
        await peer.expect("12 11 00 01 00")
        try peer.send("1b 10 00 01")
        try peer.send("13")
        try peer.send("1b 10 00 02")
        let subscription = try await subscribing
        #expect(subscription.agreement?.indicates == false)
        var values: [[UInt8]] = []
        for try await update in subscription {
            values.append(update.value)
            #expect(update.handle == 0x0010)
            #expect(update.kind == .notification)
            if values.count == 2 { break }
        }
        #expect(values == [hex("01"), hex("02")])
    }

    @Test func indicationsAreConfirmed() async throws {
        let (connection, peer) = try await connected()
        async let subscribing = connection.subscribe(to: target, mode: .indicate)
        await peer.expect("12 11 00 02 00")
        try peer.send("13")
        let subscription = try await subscribing
        #expect(subscription.agreement?.indicates == true)
        try peer.send("1d 10 00 07")
        await peer.expect("1e")
        var iterator = subscription.makeAsyncIterator()
        let update = try await iterator.next()
        #expect(update?.kind == .indication)
        #expect(update?.value == hex("07"))
    }

    @Test func severalSubscribersShareOneConfiguration() async throws {
        let (connection, peer, first) = try await subscribed()
        let second = try await connection.subscribe(to: target)
        try peer.send("1b 10 00 05")
        for subscription in [first, second] {
            var iterator = subscription.makeAsyncIterator()
            #expect(try await iterator.next()?.value == hex("05"))
        }
        try await first.end()
        try peer.send("1b 10 00 06")
        var iterator = second.makeAsyncIterator()
        #expect(try await iterator.next()?.value == hex("06"))
        var ended = first.makeAsyncIterator()
        #expect(try await ended.next() == nil)
        async let ending: Void = second.end()
        await peer.expect("12 11 00 00 00")
        try peer.send("13")
        try await ending
        try await second.end()
    }

    @Test func lettingGoSwitchesNotificationsOff() async throws {
        let (connection, peer) = try await connected()
        let consumer = Task {
            for try await update in try await connection.subscribe(to: target) { return update.value }
            return []
        }
        await peer.expect("12 11 00 01 00")
        try peer.send("13")
        try peer.send("1b 10 00 2a")
        #expect(try await consumer.value == hex("2a"))
        await peer.expect("12 11 00 00 00")
        try peer.send("13")
        #expect(await connection.isConnected)
    }

    @Test func cancellingTheConsumerEndsItAtOnceAndSwitchesOff() async throws {
        let (connection, peer) = try await connected()
        let consumer = Task {
            for try await _ in try await connection.subscribe(to: target) {}
        }
        await peer.expect("12 11 00 01 00")
        try peer.send("13")
        // The connection answers once the subscription stands.
        while await connection.requestCount < 1 { await Task.yield() }
        consumer.cancel()
        _ = await consumer.result
        await peer.expect("12 11 00 00 00")
    }

    @Test func aRefusedSubscriptionThrowsAndLeavesNothing() async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { [target] () throws(CentralError) in
            try await connection.subscribe(to: target)
        }
        await peer.expect("12 11 00 01 00")
        try peer.send("01 12 11 00 03")
        let failed = await pending.value
        #expect(
            failed?.gattError == .attributeError(.writeNotPermitted, request: .writeRequest, handle: 0x0011))
        async let again = connection.subscribe(to: target)
        await peer.expect("12 11 00 01 00")
        try peer.send("13")
        _ = try await again
    }

    @Test func aLostLinkEndsWithAnErrorAfterTheValuesThatWait() async throws {
        let (_, peer, subscription) = try await subscribed()
        try peer.send("1b 10 00 01")
        try peer.send("1b 10 00 02")
        peer.close()
        var iterator = subscription.makeAsyncIterator()
        #expect(try await iterator.next()?.value == hex("01"))
        #expect(try await iterator.next()?.value == hex("02"))
        do {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch {
            #expect(error.category == .linkLost)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func aLocalDisconnectionEndsWithoutAnError() async throws {
        let (connection, peer, subscription) = try await subscribed()
        try peer.send("1b 10 00 01")
        var iterator = subscription.makeAsyncIterator()
        #expect(try await iterator.next()?.value == hex("01"))
        await connection.disconnect()
        #expect(try await iterator.next() == nil)
    }

    @Test func disconnectingCanWriteTheConfigurationBack() async throws {
        let (connection, peer, subscription) = try await subscribed()
        async let disconnecting: Void = connection.disconnect(writingBack: true)
        await peer.expect("12 11 00 00 00")
        try peer.send("13")
        await disconnecting
        await peer.expectEnd()
        withExtendedLifetime(subscription) {}
    }

    @Test func writingBackToASilentPeerCanBeCutShort() async throws {
        let (connection, peer, subscription) = try await subscribed()
        let disconnecting = Task { await connection.disconnect(writingBack: true) }
        await peer.expect("12 11 00 00 00")
        disconnecting.cancel()
        await disconnecting.value
        await peer.expectEnd()
        withExtendedLifetime(subscription) {}
    }

    @Test(arguments: [
        (OverflowRule.dropOldest, [UInt8](6...9), 6, false),
        (.dropNewest, [UInt8](0...3), 6, false),
        (.fail, [UInt8](0...3), 1, true),
    ])
    func overflowFollowsItsRule(
        rule: OverflowRule, expected: [UInt8], lost: Int, fails: Bool
    ) async throws {
        let (connection, peer, subscription) = try await subscribed(
            BufferOptions(capacity: 4, overflow: rule))
        for number in UInt8(0)..<10 { _ = try peer.send([0x1B, 0x10, 0x00, number]) }
        // What comes after the values has been handled after them.
        try peer.send("1d 99 00 01")
        await peer.expect("1e")
        #expect(subscription.lostCount == lost)
        var iterator = subscription.makeAsyncIterator()
        for value in expected {
            #expect(try await iterator.next()?.value == [value])
        }
        if fails {
            await #expect(throws: CentralError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        } else {
            try peer.send("1b 10 00 63")
            #expect(try await iterator.next()?.value == hex("63"))
        }
        #expect(await connection.isConnected)
    }

    @Test func multipleNotificationsAreTakenApart() async throws {
        let (_, peer, subscription) = try await subscribed()
        try peer.send("23 10 00 01 00 41 99 00 01 00 42 10 00 02 00 43 44 10 00 00 00")
        var iterator = subscription.makeAsyncIterator()
        for value in [hex("41"), hex("43 44"), []] {
            let update = try await iterator.next()
            #expect(update?.value == value)
            #expect(update?.kind == .multiple)
        }
    }

    @Test func listeningAsksThePeerForNothing() async throws {
        let (connection, peer) = try await connected()
        let all = await connection.values()
        let one = await connection.values(of: 0x0010)
        try peer.send("1b 99 00 01")
        try peer.send("1b 10 00 02")
        var iterator = all.makeAsyncIterator()
        #expect(try await iterator.next()?.handle == 0x0099)
        #expect(try await iterator.next()?.handle == 0x0010)
        var second = one.makeAsyncIterator()
        #expect(try await second.next()?.value == hex("02"))
        #expect(await connection.requestCount == 0)
    }

    @Test func manyValuesArriveInOrder() async throws {
        let (_, peer, subscription) = try await subscribed(BufferOptions(capacity: 100_000, overflow: .fail))
        let count = 20_000
        let sender = Task {
            for number in 0..<count {
                let octets: [UInt8] = [
                    0x1B, 0x10, 0x00, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
                ]
                while try peer.send(octets) == .wouldBlock { await Task.yield() }
            }
        }
        var next = 0
        for try await update in subscription {
            #expect(update.value == [UInt8(truncatingIfNeeded: next), UInt8(truncatingIfNeeded: next >> 8)])
            next += 1
            if next == count { break }
        }
        #expect(next == count)
        try await sender.value
        #expect(subscription.lostCount == 0)
    }
}
