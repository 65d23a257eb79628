import BlueZSockets
import Captures
import Central
import CommandLineParsing

extension CommandContext {
    /// Does the work with `--capture` in place, and closes the file whatever comes of it.
    func capturing(_ work: (CommandContext) async throws(Failure) -> Void) async throws(Failure) {
        // A shell captures its whole session.
        guard session == nil, let path = arguments[GlobalOptions.capture] else { return try await work(self) }
        guard path != "-" else {
            throw Failure(.usage, "--capture needs a file, because standard output has the results; \"record\" takes -")
        }
        var context = self
        let file = try CaptureFile(path)
        context.capture = file
        do throws(Failure) {
            try await work(context)
        } catch {
            do throws(Failure) {
                try file.finish()
            } catch let problem {
                console.warn(problem.message)
            }
            throw error
        }
        try file.finish()
    }

    /// Begins to capture what a central does: what crosses the host controller interface, where that can be had.
    func capture(_ central: Central) {
        guard let capture, let name = central.radioName, name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3))
        else { return }
        do throws(BluetoothSocketError) {
            try capture.startMonitoring(index)
        } catch {
            console.note("the capture has the ATT PDUs only: \(error)")
        }
    }

    /// The capture of a connection that is to be made; `nil` where nothing has to be dressed up.
    func capturedSession(to target: DeviceTarget) -> CapturedSession? {
        guard let capture, !capture.isMonitoring else { return nil }
        return CapturedSession(capture, to: target)
    }

    /// An advertisement that was heard.
    func captured(_ result: ScanResult) {
        guard let capture, !capture.isMonitoring else { return }
        let time = CaptureTime(nanoseconds: Int64(clamping: result.time.unixNanoseconds))
        capture.append { $0.advertisement(result.advertisement, at: time) }
    }
}

/// Calls all observers that there are; `nil` for none.
func together(_ observers: [PDUObserver?]) -> PDUObserver? {
    let observers = observers.compactMap { $0 }
    guard let first = observers.first else { return nil }
    guard observers.count > 1 else { return first }
    return { direction, time, octets in
        for observer in observers { observer(direction, time, octets) }
    }
}
