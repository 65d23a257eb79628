import GAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing
import Wire

@testable import BlueZSockets

/// The management socket over a table of system calls. It is descriptor 8, of adapter 0; answers are Command Complete
/// (0x0001) and Command Status (0x0002) events as BlueZ's `doc/mgmt-api.txt` lays them out.
@Suite struct ManagementSocketTests {
    typealias Answer = Result<ManagementReply, BluetoothSocketError>

    static let bondableOn = "0900 0000 0100 01"
    static let bondableOff = "0900 0000 0100 00"
    static let timer: Row = (.setTimer(4_000_000_000), .done)
    static let closed: [Row] = [(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)]

    /// A stage on which a socket was opened, and what its listener was told.
    private final class Opened: Sendable {
        let stage: Stage
        let socket: ManagementSocket
        let events: Locked<[ManagementEvent]>

        init() throws {
            let stage = try Stage(Script.managementSocket(8) + [Script.quiet])
            let events = Locked<[ManagementEvent]>([])
            let opening = stage.begin {
                try? await ManagementSocket.open(adapter: 0, on: stage.loop) { event in
                    events.withLock { $0.append(event) }
                }
            }
            stage.playOut()
            self.stage = stage
            self.events = events
            socket = try #require(opening.result ?? nil)
        }

        /// Sends a command; the answer comes in a later turn.
        func send(_ command: ManagementCommand, _ failure: String = "cannot do it") -> Performance<Answer> {
            let socket = socket
            return stage.begin {
                do throws(BluetoothSocketError) {
                    return .success(try await socket.send(command, failure: failure))
                } catch {
                    return .failure(error)
                }
            }
        }

        func close() {
            let socket = socket
            let closing = stage.begin { await socket.close() }
            stage.play(ManagementSocketTests.closed + [Script.quiet])
            #expect(closing.result != nil)
            stage.expectDone()
        }
    }

    @Test func aCommandIsAnsweredByItsOpcode() throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        // An event, the answer to another command, an answer about another adapter, and ours with the settings.
        opened.stage.play(
            [(.send(8, hex(Self.bondableOn)), .done), Self.timer]
                + Script.heard(
                    8, "0600 0000 0400 11020000", "0200 0000 0300 1900 0a", "0100 0100 0700 0900 00 11020000",
                    "0100 0000 0700 0900 00 11020000") + [Script.quiet])
        let reply = try #require(try sending.result?.get())
        #expect(reply == ManagementReply(status: .success, parameters: hex("11020000")))
        #expect(opened.events.withLock { $0 } == [.newSettings([.powered, .bondable, .lowEnergy])])
        opened.close()
    }

    @Test func whatIsMalformedOrAboutOthersIsPassedOver() throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        opened.stage.play(
            [(.send(8, hex(Self.bondableOn)), .done), Self.timer]
                // Nothing, half a header, more announced than there is, an answer without a status, one that says less
                // than it has, events of another adapter and of none, keys and questions that are cut short.
                + Script.heard(
                    8, "", "01", "0100 0000", "0100 0000 ffff 0900", "0100 0000 0200 0900", "0200 0000 0000 0900 00",
                    "0500 0100 0000", "0f00 ffff 0c00 f5f4f3f2f1f0 02 01 00000000")
                + [(.receiveMany(8), .error(.wouldBlock))]
                + Script.heard(8, "0a00 0000 2500 01 f5f4", "0f00 0000 0700 f5f4f3f2f1f0 02", "ffff ffff ffff")
                + Script.heard(8, "0200 0000 0300 0900 0b") + [Script.quiet])
        #expect(try sending.result?.get() == ManagementReply(status: .rejected, parameters: []))
        #expect(opened.events.withLock { $0 } == [])
        opened.close()
    }

    /// More octets than are read of an event, and more packets than come by one call.
    @Test func aFloodIsReadInParts() throws {
        let opened = try Opened()
        let connected = "0b00 0000 1004 f5f4f3f2f1f0 02 00000000 0304" + String(repeating: "00", count: 1_027)
        let flood = [hex(connected)] + (0..<7).map { _ in hex("0600 0000 0400 11020000") }
        let sending = opened.send(.setBondable(true))
        opened.stage.play(
            [
                (.send(8, hex(Self.bondableOn)), .done), Self.timer,
                (.epollWait(waits: true), .events([(8, .readable)])), (.receiveMany(8), .datagrams(flood)),
                (.receiveMany(8), .error(.interrupted)), (.receiveMany(8), .datagrams([hex("0200 0000 0300 0900 00")])),
                Script.quiet,
            ])
        #expect(try sending.result?.get().status == .success)
        #expect(opened.events.withLock { $0 }.count == 7, "what is cut off is no event, and the rest is")
        opened.close()
    }

    @Test func twoCommandsAtOnce() throws {
        let opened = try Opened()
        let first = opened.send(.setBondable(true))
        let second = opened.send(.setBondable(false))
        let third = opened.send(.readControllerInformation)
        opened.stage.play(
            [
                (.send(8, hex(Self.bondableOn)), .done), (.send(8, hex(Self.bondableOff)), .done),
                (.send(8, hex("0400 0000 0000")), .done), Self.timer,
            ] + Script.heard(8, "0100 0000 0500 0400 00 aabb", "0200 0000 0300 0900 0a") + [Script.quiet])
        #expect(try third.result?.get().parameters == hex("aabb"))
        #expect(try first.result?.get().status == .busy)
        #expect(second.result == nil)
        // Once more: nobody waits for it any longer, and it reaches nobody.
        opened.stage.play(
            Script.heard(8, "0200 0000 0300 0900 00", "0200 0000 0300 0900 0d", "0200 0000 0300 0400 0d")
                + [Script.quiet])
        #expect(try second.result?.get().status == .success)
        opened.close()
    }

    @Test(
        arguments: [
            (0x00, nil, 0), (0x01, .protocolError, 1), (0x02, .linkLost, 6), (0x03, .protocolError, 1),
            (0x04, .linkLost, 6), (0x05, .protocolError, 1), (0x06, .protocolError, 1), (0x07, .protocolError, 1),
            (0x08, .protocolError, 1), (0x09, .protocolError, 1), (0x0A, .protocolError, 1),
            (0x0B, .protocolError, 1), (0x0C, .protocolError, 1), (0x0D, .protocolError, 1), (0x0E, .linkLost, 6),
            (0x0F, .noAdapter, 3), (0x10, .protocolError, 1), (0x11, .noAdapter, 3), (0x12, .noAdapter, 3),
            (0x13, .protocolError, 1), (0x14, .noRights, 4), (0x42, .protocolError, 1), (0xFF, .protocolError, 1),
        ] as [(UInt8, BluetoothSocketError.Category?, Int32)])
    func aStatusIsAnError(status: UInt8, category: BluetoothSocketError.Category?, exitStatus: Int32) throws {
        let opened = try Opened()
        let socket = opened.socket
        let performing = opened.stage.begin { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                try await socket.perform(.setBondable(true), failure: "cannot pair with X")
                return nil
            } catch {
                return error
            }
        }
        opened.stage.play(
            [(.send(8, hex(Self.bondableOn)), .done), Self.timer]
                + Script.heard(8, "0200 0000 0300 0900 " + [status].hexadecimal) + [Script.quiet])
        let error = try #require(performing.result)
        #expect(error?.category == category)
        #expect((error?.exitStatus ?? 0) == exitStatus)
        if let error {
            #expect(error.failure == "cannot pair with X")
            let name = ManagementStatus(rawValue: status).description
            #expect(category != .protocolError || error.reason.contains(name), "\(error)")
        }
        opened.close()
    }

    @Test func noAnswerIsATimeout() throws {
        let opened = try Opened()
        let first = opened.send(.setBondable(true))
        opened.stage.play([(.send(8, hex(Self.bondableOn)), .done), Self.timer, Script.quiet])
        opened.stage.system.setNow(3_000_000_000)
        // Its three seconds begin later.
        let second = opened.send(.readControllerInformation)
        opened.stage.play([(.send(8, hex("0400 0000 0000")), .done), Script.quiet])
        opened.stage.system.setNow(4_000_000_000)
        // The timer's descriptor is 5.
        opened.stage.play([
            (.epollWait(waits: true), .events([(5, .readable)])), (.setTimer(6_000_000_000), .done), Script.quiet,
        ])
        let error = try #require(first.result?.failure)
        #expect(error.category == .timedOut)
        #expect(error.description == "cannot do it: the kernel did not answer Set Bondable")
        #expect(second.result == nil)
        opened.stage.play(Script.heard(8, "0200 0000 0300 0400 00") + [Script.quiet])
        #expect(try second.result?.get().status == .success)
        opened.close()
    }

    /// What was sent is answered, and the answer belongs to who sent it: cancelling its task changes nothing.
    @Test func cancellationDoesNotEndTheWaiting() throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        opened.stage.play([(.send(8, hex(Self.bondableOn)), .done), Self.timer, Script.quiet])
        sending.task.cancel()
        opened.stage.play([Script.quiet])
        #expect(sending.result == nil)
        opened.stage.play(Script.heard(8, "0200 0000 0300 0900 10") + [Script.quiet])
        #expect(try sending.result?.get().status == .cancelled)
        opened.close()
    }

    @Test func closingEndsTheWaiting() throws {
        let opened = try Opened()
        let (first, second) = (opened.send(.setBondable(true), "cannot pair"), opened.send(.setBondable(false)))
        opened.stage.play([
            (.send(8, hex(Self.bondableOn)), .done), (.send(8, hex(Self.bondableOff)), .done), Self.timer, Script.quiet,
        ])
        opened.close()
        opened.stage.play([Script.quiet])
        #expect(first.result?.failure?.category == .cancelled)
        #expect(first.result?.failure?.failure == "cannot pair")
        #expect(second.result?.failure?.failure == "cannot do it")
        let late = opened.send(.setBondable(true), "cannot pair later")
        opened.stage.play([Script.quiet])
        #expect(late.result?.failure?.category == .cancelled)
        #expect(late.result?.failure?.failure == "cannot pair later")
        let socket = opened.socket
        _ = opened.stage.begin { await socket.post(.setBondable(true)) }
        opened.stage.play([Script.quiet])
        opened.stage.expectDone()
    }

    @Test func theEndOfTheAdapterEndsEverything() throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        opened.stage.play(
            [(.send(8, hex(Self.bondableOn)), .done), Self.timer]
                + Script.heard(8, "0500 0100 0000", "0500 0000 0000") + Self.closed + [Script.quiet])
        #expect(sending.result?.failure?.situation == .adapterAbsent)
        #expect(sending.result?.failure?.exitStatus == 3)
        #expect(opened.events.withLock { $0 } == [.indexRemoved])
        let late = opened.send(.setBondable(true))
        opened.stage.play([Script.quiet])
        #expect(late.result?.failure?.situation == .adapterAbsent)
        opened.stage.expectDone()
    }

    @Test func whoWaitsIsToldWhenReadingFails() throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        opened.stage.play(
            [
                (.send(8, hex(Self.bondableOn)), .done), Self.timer,
                (.epollWait(waits: true), .events([(8, [.error, .hangUp])])), (.receiveMany(8), .error(.noDevice)),
            ] + Self.closed + [Script.quiet])
        #expect(sending.result?.failure?.category == .noAdapter)
        #expect(sending.result?.failure?.errno == .noDevice)
        opened.stage.expectDone()
    }

    @Test(
        arguments: [
            (.notPermitted, .noRights), (.noDevice, .noAdapter), (.networkDown, .noAdapter),
            (.noMemory, .protocolError), (.invalidArgument, .protocolError),
        ] as [(Errno, BluetoothSocketError.Category)])
    func aCommandThatTheKernelDoesNotTake(errno: Errno, category: BluetoothSocketError.Category) throws {
        let opened = try Opened()
        let sending = opened.send(.setBondable(true))
        opened.stage.play([
            (.send(8, hex(Self.bondableOn)), .error(.interrupted)), (.send(8, hex(Self.bondableOn)), .error(errno)),
            Script.quiet,
        ])
        #expect(sending.result?.failure?.category == category)
        #expect(sending.result?.failure?.errno == errno)
        opened.close()
    }

    @Test(arguments: 0..<3)
    func whatWasOpenedIsClosedWhenAStepFails(step: Int) throws {
        var rows = Script.managementSocket(8)
        rows[step].1 = .error(.addressFamilyNotSupported)
        rows.removeSubrange((step + 1)...)
        if step > 0 { rows.append((.close(8), .done)) }
        let stage = try Stage(rows)
        let error = try stage.perform { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                _ = try await ManagementSocket.open(adapter: 0, on: stage.loop)
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.category == .noAdapter)
        #expect(error?.failure == "cannot manage hci0")
        stage.expectDone()
    }

    /// Nobody holds it any more: nothing stays open.
    @Test func lettingGoCloses() throws {
        var opened: Opened? = try Opened()
        let stage = try #require(opened?.stage)
        stage.system.expect(Self.closed)
        opened = nil
        stage.expectDone()
    }

    /// The keys are given to the kernel, the identities first.
    @Test func aKeyringIsLoaded() throws {
        let opened = try Opened()
        let socket = opened.socket
        let keyring = Keyring(
            longTermKeys: [ManagementCodecTests.key],
            identities: [.init(address: ManagementCodecTests.peripheral, key: .init(value: 0x0102))])
        let loading = opened.stage.begin { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                try await keyring.load(by: socket)
                return nil
            } catch {
                return error
            }
        }
        opened.stage.play(
            [
                (
                    .send(8, hex("3000 0000 1900 0100 01000101aa00 01 0201 0000000000000000000000000000")), .done
                ), Self.timer,
            ] + Script.heard(8, "0100 0000 0300 3000 00")
                + [
                    (
                        .send(
                            8,
                            hex(
                                "1300 0000 2600 0100 f5f4f3f2f1f0 02 03 00 10 0000 0000000000000000 "
                                    + "000102030405060708090a0b0c0d0e0f")), .done
                    )
                ] + Script.heard(8, "0200 0000 0300 1300 0d") + [Script.quiet])
        let error = try #require(loading.result)
        #expect(error?.reason == "the kernel answered Load Long Term Keys with Invalid Parameters (0x0d)")
        #expect(error?.failure == "cannot load the keys of hci0")
        opened.close()
    }
}
