import BlueZSockets
import HCI
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@Suite struct HCISocketTests {
    typealias Answer = Result<CommandReply, BluetoothSocketError>

    /// Opens the socket, sends Read Local Version Information and closes.
    private func ask(_ stage: Stage, timeout: Duration = .seconds(3)) throws -> Answer {
        let performance = stage.begin { () -> Answer in
            do throws(BluetoothSocketError) {
                let socket = try await HCISocket.open(adapter: 0, on: stage.loop)
                let answer: Answer
                do throws(BluetoothSocketError) {
                    answer = .success(
                        try await socket.send(.readLocalVersionInformation, parameters: [], timeout: timeout))
                } catch {
                    answer = .failure(error)
                }
                await socket.close()
                return answer
            } catch {
                return .failure(error)
            }
        }
        stage.system.expect([Script.quiet])
        stage.playOut()
        return try #require(performance.result)
    }

    private static let timer: Row = (.setTimer(4_000_000_000), .done)

    @Test func aCommandIsAnsweredByItsOpcode() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                // An event, an answer to another command, one that only gives credit, then the answer.
                + Script.heard(
                    7, "04 3e 02 0a 00", "04 0e 04 01 0310 00", "04 0f 04 00 01 0000",
                    "04 0e 0c 01 0110 00 09 0000 09 f105 0000")
                + Script.hciClosed)
        let reply = try ask(stage).get()
        #expect(reply.status == .success)
        #expect(reply.returnParameters == hex("00 09 0000 09 f105 0000"))
        stage.expectDone()
    }

    @Test func aCommandStatusAnswersToo() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + Script.heard(7, "04 0f 04 0c 01 0110") + Script.hciClosed)
        let reply = try ask(stage).get()
        #expect(reply.status == .commandDisallowed)
        #expect(reply.returnParameters == [])
        stage.expectDone()
    }

    @Test func theAnswerToAnotherProgramsCommandIsNotOurs() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + Script.heard(
                    7, "01 0110 00", "04 0e 0c 01 0110 00 06 0000 06 0a00 0000",
                    "04 0e 0c 01 0110 00 09 0000 09 f105 0000") + Script.hciClosed)
        #expect(try ask(stage).get().returnParameters == hex("00 09 0000 09 f105 0000"))
        stage.expectDone()
    }

    @Test func nonsenseIsPassedOver() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + Script.heard(
                    7, "", "04", "04 0e", "04 0e ff 01", "04 0e 02 01 01", "04 0f 01 00", "02 2a00 0000", "77",
                    "04 0e 04 01 0110 00") + Script.hciClosed)
        #expect(try ask(stage).get().returnParameters == hex("00"))
        stage.expectDone()
    }

    @Test func noAnswerIsATimeout() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer, Script.quiet])
        let performance = stage.begin { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                let socket = try await HCISocket.open(adapter: 0, on: stage.loop)
                do throws(BluetoothSocketError) {
                    _ = try await socket.send(.readLocalVersionInformation, parameters: [])
                } catch {
                    await socket.close()
                    return error
                }
                return nil
            } catch {
                return error
            }
        }
        stage.playOut()
        stage.system.setNow(4_000_000_000)
        // The timer's descriptor is 5.
        stage.play([(.epollWait(waits: true), .events([(5, .readable)]))] + Script.hciClosed + [Script.quiet])
        let error = try #require(performance.result ?? nil)
        #expect(error.category == .timedOut)
        #expect(error.reason == "hci0 did not answer Read Local Version Information (0x1001)")
        stage.expectDone()
    }

    @Test(
        arguments: [
            (.notPermitted, .noRights), (.networkDown, .noAdapter), (.noDevice, .noAdapter), (.radioKilled, .noAdapter),
            (.resourceBusy, .noAdapter), (.noBufferSpace, .protocolError), (.brokenPipe, .noAdapter),
        ] as [(Errno, BluetoothSocketError.Category)])
    func aCommandThatTheKernelRefusesFails(errno: Errno, category: BluetoothSocketError.Category) throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .error(.interrupted))]
                + [(.send(7, hex("01 0110 00")), .error(errno))] + Script.hciClosed)
        let error = #expect(throws: BluetoothSocketError.self) { try ask(stage).get() }
        #expect(error?.category == category)
        #expect(error?.errno == errno)
        #expect(error?.failure == "cannot send Read Local Version Information (0x1001) to hci0")
        stage.expectDone()
    }

    @Test(arguments: 0..<10)
    func whatWasOpenedIsClosedWhenAStepFails(step: Int) throws {
        var rows = Script.hciSocket
        rows[step].1 = .error(.noDevice)
        rows.removeSubrange((step + 1)...)
        switch step {
        case 0: break
        case 1...3: rows.append((.close(7), .done))
        case 4: rows.append((.close(7), .done))
        case 5...8: rows += [(.close(8), .done), (.close(7), .done)]
        default: rows += [(.close(7), .done), (.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)]
        }
        let stage = try Stage(rows)
        let error = #expect(throws: BluetoothSocketError.self) { try ask(stage).get() }
        #expect(error?.situation == .adapterAbsent)
        stage.expectDone()
    }

    @Test(
        arguments: [
            ("04 fd 06 0100 0400 0000", .adapterDown), ("04 fd 06 0100 0200 0000", .adapterAbsent),
        ] as [(String, BluetoothSocketError.Situation)])
    func whoWaitsIsToldWhenTheAdapterGoes(event: String, situation: BluetoothSocketError.Situation) throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                // Another adapter's change does not matter.
                + Script.heard(8, "04 fd 06 0100 0400 0100", event)
                + Script.hciClosed)
        let error = #expect(throws: BluetoothSocketError.self) { try ask(stage).get() }
        #expect(error?.situation == situation)
        #expect(error?.category == .noAdapter)
        stage.expectDone()
    }

    @Test(
        arguments: [
            (.brokenPipe, .adapterAbsent), (.networkDown, .adapterDown), (.ioError, .adapterDown),
        ] as [(Errno, BluetoothSocketError.Situation)])
    func whoWaitsIsToldWhenReadingFails(errno: Errno, situation: BluetoothSocketError.Situation) throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + [
                    (.epollWait(waits: true), .events([(7, [.error, .hangUp])])),
                    (.receiveMany(7), .error(.interrupted)), (.receiveMany(7), .error(errno)),
                ] + Script.hciClosed)
        let error = #expect(throws: BluetoothSocketError.self) { try ask(stage).get() }
        #expect(error?.situation == situation)
        #expect(error?.errno == errno)
        stage.expectDone()
    }

    @Test func aCancelledCallersAnswerDoesNotReachTheNext() throws {
        let stage = try Stage(Script.hciSocket + [Script.quiet])
        let opening = stage.begin { () -> HCISocket? in
            try? await HCISocket.open(adapter: 0, on: stage.loop)
        }
        stage.playOut()
        let socket = try #require(opening.result ?? nil)
        #expect(socket.isPrivileged)

        let first = stage.begin { () -> Answer in
            do throws(BluetoothSocketError) {
                return .success(try await socket.send(.readLocalVersionInformation, parameters: []))
            } catch {
                return .failure(error)
            }
        }
        stage.play([(.send(7, hex("01 0110 00")), .done), Self.timer, Script.quiet])
        first.task.cancel()
        stage.play([Script.quiet])
        #expect(first.result?.failure?.category == .cancelled)

        let second = stage.begin { () -> Answer in
            do throws(BluetoothSocketError) {
                return .success(try await socket.send(.readLocalVersionInformation, parameters: []))
            } catch {
                return .failure(error)
            }
        }
        stage.play(
            [(.send(7, hex("01 0110 00")), .done)]
                + Script.heard(7, "04 0e 04 01 0110 11", "04 0e 04 01 0110 00") + [Script.quiet])
        #expect(try second.result?.get().returnParameters == hex("00"))
        stage.expectDone()
        let closing = stage.begin { await socket.close() }
        stage.play(Script.hciClosed + [Script.quiet])
        #expect(closing.result != nil)
        stage.expectDone()
    }

    @Test func longParametersAreRefused() throws {
        let stage = try Stage(Script.hciSocket + Script.hciClosed)
        let error = try stage.perform { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                let socket = try await HCISocket.open(adapter: 0, on: stage.loop)
                do throws(BluetoothSocketError) {
                    _ = try await socket.send(.reset, parameters: [UInt8](repeating: 0, count: 256))
                } catch {
                    await socket.close()
                    return error
                }
            } catch {
                return error
            }
            return nil
        }
        #expect(error?.category == .protocolError)
        stage.expectDone()
    }

    @Test func typedCommandsGiveTypedAnswersAndErrors() throws {
        let stage = try Stage(
            Script.hciSocket
                + [(.send(7, hex("01 0514 02 2a00")), .done), Self.timer]
                + Script.heard(7, "04 0e 07 01 0514 00 2a00 d6")
                + [(.send(7, hex("01 0514 02 2b00")), .done)] + Script.heard(7, "04 0e 07 01 0514 02 2b00 00")
                + [(.send(7, hex("01 0604 03 2a00 13")), .done)] + Script.heard(7, "04 0f 04 00 01 0604")
                + [(.send(7, hex("01 0514 02 2a00")), .done)] + Script.heard(7, "04 0e 04 01 0514 00")
                + Script.hciClosed)
        let outcome = try stage.perform { () -> (Int8?, [BluetoothSocketError]) in
            var rssi: Int8?
            var errors: [BluetoothSocketError] = []
            do throws(BluetoothSocketError) {
                let socket = try await HCISocket.open(adapter: 0, on: stage.loop)
                rssi = try await socket.rssi(of: 0x2A)
                do throws(BluetoothSocketError) { _ = try await socket.rssi(of: 0x2B) } catch { errors.append(error) }
                try await socket.disconnect(0x2A)
                do throws(BluetoothSocketError) { _ = try await socket.rssi(of: 0x2A) } catch { errors.append(error) }
                await socket.close()
            } catch {
                errors.append(error)
            }
            return (rssi, errors)
        }
        #expect(outcome.0 == -42)
        #expect(outcome.1.map(\.category) == [.linkLost, .protocolError])
        #expect(outcome.1.first?.status == .unknownConnection)
        stage.expectDone()
    }

    private static let disconnecting: [Row] =
        [(.send(7, hex("01 0604 03 2a00 13")), .done), timer] + Script.heard(7, "04 0f 04 00 01 0604")

    private func endLink(_ stage: Stage) -> Performance<BluetoothSocketError?> {
        stage.begin { () -> BluetoothSocketError? in
            do throws(BluetoothSocketError) {
                let socket = try await HCISocket.open(adapter: 0, on: stage.loop)
                defer { Task(executorPreference: stage.loop.taskExecutor) { await socket.close() } }
                try await socket.endLink(0x2A)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func aLinkHasEndedWhenTheControllerSaysSo() throws {
        let stage = try Stage(
            Script.hciSocket + Self.disconnecting + [(.setTimer(2_000_000_000), .done)]
                // The end of another link; then nonsense, and the end of this.
                + Script.heard(7, "04 05 04 00 2b00 13") + Script.heard(7, "04 05 01 00", "04 05 04 00 2a00 16")
                + Script.hciClosed + [Script.quiet])
        let performance = endLink(stage)
        stage.playOut()
        #expect(performance.result == .some(nil))
        stage.expectDone()
    }

    @Test func theEndOfALinkIsNotWaitedForLongerThanASecond() throws {
        let stage = try Stage(
            Script.hciSocket + Self.disconnecting + [(.setTimer(2_000_000_000), .done), Script.quiet])
        let performance = endLink(stage)
        stage.playOut()
        #expect(performance.result == nil)
        stage.system.setNow(2_000_000_000)
        // The timer's descriptor is 5.
        stage.play([(.epollWait(waits: true), .events([(5, .readable)]))] + Script.hciClosed + [Script.quiet])
        #expect(performance.result == .some(nil))
        stage.expectDone()
    }

    @Test func aLinkThatIsGoneAlreadyIsNotWaitedFor() throws {
        let stage = try Stage(
            Script.hciSocket + [(.send(7, hex("01 0604 03 2a00 13")), .done), Self.timer]
                + Script.heard(7, "04 0f 04 02 01 0604") + Script.hciClosed + [Script.quiet])
        let performance = endLink(stage)
        stage.playOut()
        #expect((performance.result ?? nil)?.category == .linkLost)
        stage.expectDone()
    }

    @Test func detailsOfAnAdapterComeFromTheController() throws {
        let adapter = try AdapterList(system: ScriptedSystemCalls(Script.adapter())).adapter(0)
        let stage = try Stage(
            Script.hciSocket
                + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + Script.heard(7, "04 0e 0c 01 0110 00 09 0000 09 f105 0000")
                + [(.send(7, hex("01 0320 00")), .done)]
                + Script.heard(7, "04 0e 0c 01 0320 00 4039 00f0 0100 0000") + Script.hciClosed)
        let details = try stage.perform { await adapter.details(on: stage.loop) }
        #expect(details.coreVersion == "5.0")
        #expect(details.version?.company == 0x05F1)
        #expect(details.supportsExtendedAdvertising == true)
        #expect(details.missing == nil)
        stage.expectDone()
    }

    @Test func withoutRightsOnlyTheVersionIsKnown() throws {
        let adapter = try AdapterList(system: ScriptedSystemCalls(Script.adapter())).adapter(0)
        let stage = try Stage(
            Script.rawSocket(7, privileged: false) + Script.unprivilegedMonitor(8)
                + [(.epollControl(.add, 7, events: 1), .done)]
                + [(.send(7, hex("01 0110 00")), .done), Self.timer]
                + Script.heard(7, "04 0e 0c 01 0110 00 0c 0000 0c f105 0000")
                + [(.send(7, hex("01 0320 00")), .error(.notPermitted))] + Script.hciClosed)
        let details = try stage.perform { await adapter.details(on: stage.loop) }
        #expect(details.coreVersion == "5.3")
        #expect(details.leFeatures == nil)
        #expect(details.supportsExtendedAdvertising == nil)
        #expect(details.missing?.category == .noRights)
        stage.expectDone()
    }

    @Test func anAdapterThatIsDownIsNotAsked() throws {
        let adapter = try AdapterList(system: ScriptedSystemCalls(Script.adapter(flags: 0))).adapter(0)
        let stage = try Stage([])
        let details = try stage.perform { await adapter.details(on: stage.loop) }
        #expect(details.missing?.situation == .adapterDown)
        #expect(details.version == nil)
        stage.expectDone()
    }

    @Test(arguments: [(5, "3.0"), (6, "4.0"), (9, "5.0"), (12, "5.3"), (14, "6.0"), (200, nil)] as [(UInt8, String?)])
    func versionNumbersHaveNames(number: UInt8, name: String?) {
        #expect(AdapterDetails.coreVersion(number) == name)
    }
}
