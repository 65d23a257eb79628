import GAP
import Glibc
import HCI
import L2CAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing
import Wire

@testable import BlueZSockets

/// A link to F0:F1:F2:F3:F4:F5 of hci0, over a table of system calls: the link's socket is descriptor 9, the raw HCI socket
/// that listens for reasons 7, the management socket 8. BT_SECURITY is option 4 of level 274.
final class PairingStage: Sendable {
    typealias Outcome = Result<SecurityLevel, BluetoothSocketError>

    static let peer = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)
    /// The device as management packets name it.
    static let device = "f5f4f3f2f1f0 02"

    let stage: Stage
    let pairing: LinkPairing
    let link: L2CAPLink
    /// What was to be kept.
    let kept: Locked<[PairingSettings.NewKey]>
    /// The questions that were asked, and the answers that a test gives.
    let person: Person

    /// - Parameter keys: those that the kernel was given before.
    init(
        _ capability: IOCapability = .noInputNoOutput, passkey: UInt32? = nil, acceptsJustWorks: Bool = true,
        owner: KeyOwner? = nil, keys: [LongTermKey] = [], isLoaded: Bool = true
    ) throws {
        stage = try Stage([])
        let (kept, person) = (Locked<[PairingSettings.NewKey]>([]), Person())
        (self.kept, self.person) = (kept, person)
        link = L2CAPLink(socket: SeqPacketSocket(adopting: 9, on: stage.loop), peer: Self.peer, handle: 0x40)
        pairing = LinkPairing(
            link: link, adapter: 0,
            settings: PairingSettings(
                capability: capability, passkey: passkey, acceptsJustWorks: acceptsJustWorks, owner: owner,
                keyring: Keyring(longTermKeys: keys), keyringIsLoaded: isLoaded, ask: { await person.ask($0) },
                keep: { key in kept.withLock { $0.append(key) } }), on: stage.loop)
    }

    /// Somebody who is asked, and answers when the test says so.
    final class Person: Sendable {
        private let state = Locked<
            (questions: [PairingQuestion], callers: [CheckedContinuation<PairingAnswer, Never>])
        >(
            ([], []))

        func ask(_ question: PairingQuestion) async -> PairingAnswer {
            await withCheckedContinuation { caller in
                state.withLock { state in
                    state.questions.append(question)
                    state.callers.append(caller)
                }
            }
        }

        /// Waits for the next question, which comes from another thread.
        func asked() -> PairingQuestion? {
            for _ in 0..<5000 {
                if let question = state.withLock({ $0.questions.isEmpty ? nil : $0.questions.removeFirst() }) {
                    return question
                }
                waitAMillisecond()
            }
            return nil
        }

        func answer(_ answer: PairingAnswer) {
            state.withLock { $0.callers.isEmpty ? nil : $0.callers.removeFirst() }?.resume(returning: answer)
        }

        var isAsked: Bool { state.withLock { !$0.questions.isEmpty || !$0.callers.isEmpty } }
    }

    /// Begins to raise the security.
    func raise(to level: SecurityLevel?) -> Performance<Outcome> {
        let pairing = pairing
        return stage.begin {
            do throws(BluetoothSocketError) {
                return .success(try await pairing.raise(to: level))
            } catch {
                return .failure(error)
            }
        }
    }

    func play(_ rows: [Row]) { stage.play(rows) }

    /// Has the person answer, from another thread, which wakes the loop.
    func answer(_ answer: PairingAnswer) {
        stage.system.expect([(.write(4, [1, 0, 0, 0, 0, 0, 0, 0]), .value(8))])
        person.answer(answer)
        for _ in 0..<5000 where !stage.system.remaining.isEmpty { waitAMillisecond() }
    }

    /// Closes what is open, and checks that the table was followed to its end.
    func close(watch: Bool = true, agent: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        let pairing = pairing
        let closing = stage.begin { await pairing.close() }
        play((watch ? Self.watchClosed : []) + (agent ? Self.agentClosed : []) + [Script.quiet])
        #expect(closing.result != nil, sourceLocation: sourceLocation)
        stage.expectDone(sourceLocation: sourceLocation)
        stage.system.expect([(.close(9), .done)])
        link.socket.close()
    }

    // MARK: Rows

    static let watchOpened = SecurityWatchTests.opening(7) + [(.epollControl(.add, 7, events: 1), .done)]
    static let watchClosed: [Row] = [(.epollControl(.remove, 7, events: 0), .done), (.close(7), .done)]
    static let agentOpened = Script.managementSocket(8)
    static let agentClosed: [Row] = [(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)]
    /// Pairing's packets are listened to, and no longer.
    static let attempt: [Row] = [(.setSocketOption(7, level: 0, name: 2, SecurityWatchTests.filter), .done)]
    static let attemptEnds: [Row] = [
        (.setSocketOption(7, level: 0, name: 2, SecurityWatchTests.quietFilter), .done), Script.quiet,
    ]
    /// What every raise begins with.
    static let begun = watchOpened + attempt + agentOpened
    static let timer: Row = (.setTimer(4_000_000_000), .done)

    static func security(_ octets: String) -> Row {
        (.socketOption(9, level: 274, name: 4), .octets(hex(octets)))
    }

    static func set(_ level: String) -> Row { (.setSocketOption(9, level: 274, name: 4, hex(level)), .done) }

    /// Powered, LE, bondable and Secure Connections.
    static let allSet: UInt32 = 0x0000_0A11

    /// Read Controller Information and its answer.
    static func information(_ current: UInt32 = allSet, supported: UInt32 = allSet) -> [Row] {
        func digits(_ value: UInt32) -> String {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }.hexadecimal
        }
        return [(.send(8, hex("0400 0000 0000")), .done), timer]
            + Script.heard(8, "0100 0000 1400 0400 00 000000aa0100 09 f105 \(digits(supported)) \(digits(current))")
    }

    /// A command without anything but its answer, a status.
    static func command(_ sent: String, _ opcode: String, _ status: String = "00") -> [Row] {
        [(.send(8, hex(sent)), .done)] + Script.heard(8, "0200 0000 0300 \(opcode) \(status)")
    }

    static func pairDevice(_ capability: String = "03") -> Row {
        (.send(8, hex("1900 0000 0800 \(device) \(capability)")), .done)
    }

    /// Pair Device is answered.
    static func paired(_ status: String = "00") -> String { "0100 0000 0a00 1900 \(status) \(device)" }

    /// New Long Term Key, of Secure Connections: `02` for Just Works, `03` for a passkey or a comparison.
    static func key(_ kind: String = "02", of device: String = device, isToBeKept: Bool = true) -> String {
        "0a00 0000 2500 \(isToBeKept ? "01" : "00") \(device) \(kind) 00 10 0000 0000000000000000 "
            + "000102030405060708090a0b0c0d0e0f"
    }

    static func longTermKey(_ kind: LongTermKey.Kind = .unauthenticatedP256) -> LongTermKey {
        LongTermKey(
            address: peer, kind: kind, isForCentral: false, size: 16, diversifier: 0, random: 0,
            value: 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100)
    }

    static func confirmation(_ number: String = "00000000", justWorks: Bool = true, of device: String = device)
        -> String
    {
        "0f00 0000 0c00 \(device) \(justWorks ? "01" : "00") \(number)"
    }

    static let confirmed: Row = (.send(8, hex("1c00 0000 0700 \(device)")), .done)
    static let notConfirmed: Row = (.send(8, hex("1d00 0000 0700 \(device)")), .done)

    /// What the socket that listens for reasons hears when it is asked at once.
    static func caughtUp(_ packets: String...) -> [Row] { [(.receiveMany(7), .datagrams(packets.map { hex($0) }))] }
    static let nothingNew: [Row] = [(.receiveMany(7), .error(.wouldBlock))]
}

/// A millisecond.
private func waitAMillisecond() {
    var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    // The structure is borrowed for the call.
    _ = unsafe nanosleep(&time, nil)
}
