import GAP
import GATT
import Sockets
import Testing
import VirtualPeripheral
import Wire

/// Devices on a virtual radio of their own, with a loop of their own.
final class Air: Sendable {
    let radio: VirtualRadio
    let devices: [VirtualDevice]
    /// The requests and commands of clients, in order: opcode and the rest in hexadecimal digits.
    let traffic: Traffic
    /// Is told what happens on the devices, on the loop, before it happens.
    let trap = Locked<(@Sendable (ServingEvent) -> Void)?>(nil)

    final class Traffic: Sendable {
        private let pdus = Locked<[String]>([])
        var all: [String] { pdus.withLock { $0 } }
        func note(_ pdu: [UInt8]) { pdus.withLock { $0.append(pdu.hexadecimal) } }
        func clear() { pdus.withLock { $0 = [] } }
    }

    /// - Parameter devices: descriptions as in device files.
    init(_ descriptions: [String], adjust: (inout DeviceDescription) -> Void = { _ in }) async throws {
        let (traffic, trap) = (Traffic(), trap)
        let loop = try EventLoop(name: "test")
        radio = try VirtualRadio([], on: loop)
        var devices: [VirtualDevice] = []
        for description in descriptions {
            var description = try DeviceDescription(parsing: description)
            adjust(&description)
            let device = try VirtualDevice(description, on: loop) { event in
                if case .received(_, let pdu) = event { traffic.note(pdu) }
                trap.withLock { $0 }?(event)
            }
            devices.append(device)
            await radio.add(device)
        }
        self.devices = devices
        self.traffic = traffic
    }

    deinit {
        // It may hold a device, which holds it.
        let former = trap.withLock { trap in
            defer { trap = nil }
            return trap
        }
        withExtendedLifetime(former) {}
    }

    /// Does something, once, on the loop when a client's PDU with this opcode arrives, before the device answers it.
    func onRequest(_ opcode: UInt8, _ body: @escaping @Sendable () -> Void) {
        trap.withLock {
            $0 = { [trap] event in
                guard case .received(_, let pdu) = event, pdu.first == opcode else { return }
                // This very closure is let go of after it has run.
                let isFirst = trap.withLock { trap in
                    defer { trap = nil }
                    return trap != nil
                }
                if isFirst { body() }
            }
        }
    }
}

/// Waits until something is so, as long as the test may take; fails the test when it is given up.
func eventually(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
) async rethrows {
    while try await !isSo() {
        do {
            try await Task.sleep(for: .milliseconds(5))
        } catch {
            Issue.record("never came true: \(what)", sourceLocation: sourceLocation)
            return
        }
    }
}
