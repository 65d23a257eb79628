import BlueZSockets
import GAP
import HCI
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

/// A scan from start to end, as a table of what goes to the kernel and what comes back.
@Suite struct ScannerTests {
    private static let timer: Row = (.setTimer(4_000_000_000), .done)

    private static let legacyParameters = "01 0b20 07 01 6000 6000 00 00"
    private static let legacyOn = "01 0c20 02 01 00"
    private static let legacyOff = "01 0c20 02 00 00"
    private static let extendedParameters = "01 4120 08 00 00 01 01 6000 6000"
    private static let extendedOn = "01 4220 06 01 00 0000 0000"
    private static let extendedOff = "01 4220 06 00 00 0000 0000"

    /// LE Read Local Supported Features: with extended advertising, or without.
    private static func features(extended: Bool) -> [Row] {
        [(.send(7, hex("01 0320 00")), .done), timer]
            + Script.heard(7, "04 0e 0c 01 0320 00 \(extended ? "0010" : "0100") 0000 0000 0000")
    }

    private static let opening = Script.adapter() + Script.hciSocket

    private static let legacyStart =
        opening + features(extended: false) + Script.command(legacyParameters, "04 0e 04 01 0b20 00")
        + Script.command(legacyOn, "04 0e 04 01 0c20 00")

    private static let legacyStop = Script.off(legacyOff, "04 0e 04 01 0c20 00") + Script.hciClosed

    /// An ADV_IND of C0:01:02:03:04:05 with the name "AB", RSSI −60.
    private static let report = "04 3e 10 02 01 00 01 050403 0201c0 04 03 09 41 42 c4"

    @Test func aLegacyControllerGetsLegacyCommands() throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        #expect(scan.started)
        scan.hear(Self.report, Self.report, "04 3e 10 02 01 04 01 050403 0201c0 04 03 09 41 43 c4")
        #expect(scan.names == ["AB", "AB"])
        #expect(scan.records.first?.address == DeviceAddress("C0:01:02:03:04:05/random"))
        #expect(scan.records.first?.rssi == -60)
        #expect(scan.cleanUp.pending == ["switch off the scan on hci0"])
        scan.stop(Self.legacyStop)
        #expect(scan.ends == [nil])
        #expect(scan.cleanUp.pending == [])
        scan.expectDone()
    }

    @Test func anExtendedControllerGetsExtendedCommands() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: true)
                + Script.command(Self.extendedParameters, "04 0e 04 01 4120 00")
                + Script.command(Self.extendedOn, "04 0e 04 01 4220 00"))
        scan.begin()
        #expect(scan.started)
        // Two fragments of one advertisement.
        scan.hear(
            "04 3e 1e 0d 01 2100 01 050403 0201c0 01 00 02 7f c4 0000 00 000000 000000 04 05 09 41 42",
            "04 3e 1c 0d 01 0100 01 050403 0201c0 01 00 02 7f c4 0000 00 000000 000000 02 43 44")
        #expect(scan.names == ["ABCD"])
        #expect(scan.records.first?.advertisingSID == 2)
        scan.stop(Script.off(Self.extendedOff, "04 0e 04 01 4220 00") + Script.hciClosed)
        scan.expectDone()
    }

    @Test func aPassiveScanSendsNothingOnTheAir() throws {
        let options = ScanOptions(mode: .passive, interval: 0x20, window: 0x40, scansCodedPHY: true)
        let scan = try Scan(
            Self.opening + [(.send(7, hex("01 0320 00")), .done), Self.timer]
                // Extended advertising and the coded PHY.
                + Script.heard(7, "04 0e 0c 01 0320 00 0018 0000 0000 0000")
                + Script.command("01 4120 0d 00 00 05 00 2000 2000 00 2000 2000", "04 0e 04 01 4120 00")
                + Script.command(Self.extendedOn, "04 0e 04 01 4220 00"), options)
        scan.begin()
        #expect(scan.started)
        scan.stop(Script.off(Self.extendedOff, "04 0e 04 01 4220 00") + Script.hciClosed)
        scan.expectDone()
    }

    @Test func repeatsAreHandedOutOnRequest() throws {
        let scan = try Scan(Self.legacyStart, ScanOptions(reportsRepeats: true))
        scan.begin()
        scan.hear(Self.report, Self.report, Self.report)
        #expect(scan.batches == [3])
        scan.stop(Self.legacyStop)
        scan.expectDone()
    }

    @Test func aMalformedReportEndsOnlyItsEvent() throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        scan.hear("04 3e 03 02 01 00", "04 3e 00", "04 3e 02 02", Self.report)
        #expect(scan.names == ["AB"])
        scan.stop(Self.legacyStop)
        scan.expectDone()
    }

    @Test func theOtherFamilyIsTriedWhenOneIsDisallowed() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: true)
                + Script.command(Self.extendedParameters, "04 0e 04 01 4120 0c")
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 00")
                + Script.command(Self.legacyOn, "04 0e 04 01 0c20 00"))
        scan.begin()
        #expect(scan.started)
        scan.stop(Self.legacyStop)
        scan.expectDone()
    }

    @Test func aScanThatIsRunningAlreadyIsLeftAloneAndItsHolderNamed() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: true)
                + Script.command(Self.extendedParameters, "04 0e 04 01 4120 0c")
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 0c") + Script.hciClosed,
            holders: ["bluetoothd (412)"])
        scan.begin()
        #expect(scan.error?.situation == .scanAlreadyRunning)
        #expect(scan.error?.exitStatus == 3)
        #expect(
            scan.error?.description == """
                cannot scan on hci0: a scan is already running on hci0, started most likely by bluetoothd (412) \
                (HCI status Command Disallowed (0x0c)); end that, or listen to what its scan hears \
                ("btatt scan --listen")
                """)
        #expect(scan.ends == [])
        scan.expectDone()
    }

    @Test func aLegacyControllerWithARunningScanDoesNotKnowTheOtherFamily() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: false)
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 0c")
                + Script.command(Self.extendedParameters, "04 0f 04 01 01 4120") + Script.hciClosed)
        scan.begin()
        #expect(scan.error?.situation == .scanAlreadyRunning)
        #expect(scan.error?.reason.contains("bluetoothd, hcitool") == true)
        scan.expectDone()
    }

    @Test func aRefusedEnableIsNotFollowedByADisable() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: false)
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 00")
                + Script.command(Self.legacyOn, "04 0e 04 01 0c20 0c") + Script.hciClosed)
        scan.begin()
        #expect(scan.error?.situation == .scanAlreadyRunning)
        #expect(scan.cleanUp.pending == [])
        scan.expectDone()
    }

    @Test func parametersThatTheControllerRefusesEndTheStart() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: false)
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 12") + Script.hciClosed)
        scan.begin()
        #expect(scan.error?.status == .invalidCommandParameters)
        scan.expectDone()
    }

    @Test func aControllerWithoutLECannotScan() throws {
        let scan = try Scan(
            Self.opening + [(.send(7, hex("01 0320 00")), .done), Self.timer]
                + Script.heard(7, "04 0f 04 01 01 0320")
                + Script.command(Self.legacyParameters, "04 0f 04 01 01 0b20")
                + Script.command(Self.extendedParameters, "04 0f 04 01 01 4120") + Script.hciClosed)
        scan.begin()
        #expect(scan.error?.category == .noAdapter)
        #expect(scan.error?.situation == .unknownCommand)
        scan.expectDone()
    }

    @Test func anEnableWithoutAnswerIsTakenBack() throws {
        let scan = try Scan(
            Self.opening + Self.features(extended: false)
                + Script.command(Self.legacyParameters, "04 0e 04 01 0b20 00")
                + [(.send(7, hex(Self.legacyOn)), .done), Script.quiet])
        scan.begin()
        #expect(scan.error == nil)
        scan.stage.system.setNow(4_000_000_000)
        scan.stage.play(
            [(.epollWait(waits: true), .events([(5, .readable)])), (.send(7, hex(Self.legacyOff)), .done)]
                + Script.hciClosed + [Script.quiet])
        #expect(scan.error?.category == .timedOut)
        #expect(scan.cleanUp.pending == [])
        scan.expectDone()
    }

    @Test func withoutRightsNothingIsSent() throws {
        let scan = try Scan(
            Script.adapter() + Script.rawSocket(7, privileged: false) + Script.unprivilegedMonitor(8)
                + [(.epollControl(.add, 7, events: 1), .done)] + Script.hciClosed)
        scan.begin()
        #expect(scan.error?.exitStatus == 4)
        #expect(scan.error?.description.contains("CAP_NET_RAW") == true)
        scan.expectDone()
    }

    @Test func anAdapterThatIsDownIsNotOpened() throws {
        let scan = try Scan(Script.adapter(flags: 0))
        scan.begin()
        #expect(scan.error?.situation == .adapterDown)
        #expect(scan.error?.exitStatus == 3)
        scan.expectDone()
    }

    @Test(
        arguments: [
            (8, ["04 fd 06 0100 0400 0000"], .adapterDown), (8, ["04 fd 06 0100 0200 0000"], .adapterAbsent),
        ] as [(Int32, [String], BluetoothSocketError.Situation)])
    func anAdapterThatGoesEndsTheScan(
        fd: Int32, packets: [String], situation: BluetoothSocketError.Situation
    ) throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        scan.stage.play(
            [
                (.epollWait(waits: true), .events([(fd, .readable)])),
                (.receiveMany(fd), .datagrams(packets.map { hex($0) })),
            ]
                + Script.hciClosed + [Script.quiet])
        #expect(scan.ends.count == 1)
        #expect(scan.ends.first??.situation == situation)
        #expect(scan.cleanUp.pending == [])
        scan.stop([])
        #expect(scan.ends.count == 1)
        scan.expectDone()
    }

    @Test(arguments: [Errno.networkDown, .ioError, .brokenPipe])
    func anErrorOfReadingEndsTheScan(errno: Errno) throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        scan.stage.play(
            [(.epollWait(waits: true), .events([(7, .readable)])), (.receiveMany(7), .error(errno))]
                + Script.hciClosed + [Script.quiet])
        #expect(scan.ends.first??.errno == errno)
        #expect(scan.ends.first??.category == .noAdapter)
        scan.expectDone()
    }

    @Test func stoppingAnAdapterThatWentDownFailsQuietly() throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        scan.stop([(.send(7, hex(Self.legacyOff)), .error(.networkDown))] + Script.hciClosed)
        #expect(scan.ends == [nil])
        scan.expectDone()
    }

    @Test func aSignalSwitchesTheScanOff() throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        let done = Locked(false)
        scan.cleanUp.run { done.withLock { $0 = true } }
        scan.stage.play([(.send(7, hex(Self.legacyOff)), .done), Script.quiet])
        #expect(done.withLock { $0 })
        // It is off already, and may be somebody else's next.
        scan.stop(Script.hciClosed)
        scan.expectDone()
    }

    @Test func lettingGoSwitchesTheScanOff() throws {
        let scan = try Scan(Self.legacyStart)
        scan.begin()
        scan.letGo()
        scan.stage.play([(.send(7, hex(Self.legacyOff)), .done)] + Script.hciClosed + [Script.quiet])
        #expect(scan.cleanUp.pending == [])
        scan.expectDone()
    }

    @Test func listeningSendsNothing() throws {
        let scan = try Scan(Self.opening, ScanOptions(mode: .listen))
        scan.begin()
        #expect(scan.started)
        scan.hear(Self.report)
        #expect(scan.names == ["AB"])
        scan.stop(Script.hciClosed)
        scan.expectDone()
    }
}

/// A scan on a stage.
final class Scan: Sendable {
    let stage: Stage
    let cleanUp: CleanUp
    let pauses = ScanPauses()

    private let environment: Scanner.Environment
    private let options: ScanOptions
    private let outputs = Locked<[Scanner.Output]>([])
    private let scanner = Locked<Scanner?>(nil)
    private let failure = Locked<BluetoothSocketError?>(nil)

    init(_ rows: [Row], _ options: ScanOptions = ScanOptions(), holders: [String] = []) throws {
        stage = try Stage(rows)
        cleanUp = CleanUp(on: stage.loop)
        self.options = options
        environment = Scanner.Environment(
            pauses: pauses, cleanUp: cleanUp, holders: BluetoothSocketHolders { holders })
    }

    /// Plays the start.
    func begin() {
        let performance = stage.begin { [self] in
            do throws(BluetoothSocketError) {
                let started = try await Scanner.start(
                    adapter: 0, options: options, on: stage.loop, environment: environment
                ) { [outputs] output in
                    outputs.withLock { $0.append(output) }
                }
                scanner.withLock { $0 = started }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        _ = performance
        stage.play([Script.quiet])
    }

    /// Plays packets that come together, and a turn.
    func hear(_ packets: String...) {
        stage.play([
            (.epollWait(waits: true), .events([(7, .readable)])),
            (.receiveMany(7), .datagrams(packets.map { TestSupport.hex($0) })),
        ])
    }

    /// Stops over `rows`.
    func stop(_ rows: [Row]) {
        guard let scanner = scanner.withLock({ $0 }) else { return }
        _ = stage.begin { await scanner.stop() }
        stage.play(rows + [Script.quiet])
    }

    /// Lets go of the scanner.
    func letGo() { scanner.withLock { $0 = nil } }

    var started: Bool { scanner.withLock { $0 != nil } }
    var error: BluetoothSocketError? { failure.withLock { $0 } }

    var records: [AdvertisementRecord] {
        outputs.withLock { outputs in
            outputs.flatMap { output -> [AdvertisementRecord] in
                if case .advertisements(let records) = output { records } else { [] }
            }
        }
    }

    var names: [String?] { records.map(\.name) }

    /// How many records each batch held.
    var batches: [Int] {
        outputs.withLock { outputs in
            outputs.compactMap { output in
                if case .advertisements(let records) = output { records.count } else { nil }
            }
        }
    }

    /// The ends that were told.
    var ends: [BluetoothSocketError?] {
        outputs.withLock { outputs in
            outputs.compactMap { output -> BluetoothSocketError?? in
                if case .ended(let error) = output { .some(error) } else { nil }
            }
        }
    }

    /// What was told apart from advertisements and the end.
    var notices: [String] {
        outputs.withLock { outputs in
            outputs.compactMap { output in
                switch output {
                case .interrupted: "interrupted"
                case .resumed: "resumed"
                default: nil
                }
            }
        }
    }

    func expectDone(sourceLocation: SourceLocation = #_sourceLocation) {
        stage.expectDone(sourceLocation: sourceLocation)
    }
}
