import Foundation
import Sockets

/// What the framework has to say to who writes the program: misuse of the API, and why something was dropped. Apple's goes
/// to the system log, this to standard error.
enum Diagnostics {
    private static let listeners = Locked<[Int: @Sendable (String) -> Void]>([:])
    private static let counter = Locked(0)

    /// Says it.
    static func log(_ text: @autoclosure () -> String) {
        let text = text()
        for listener in listeners.withLock({ Array($0.values) }) { listener(text) }
        FileHandle.standardError.write(Data("[CoreBluetooth] \(text)\n".utf8))
    }

    /// A command that the state does not allow.
    static func misuse(_ object: NSObject, _ rule: String) {
        log("API MISUSE: \(object) \(rule)")
    }

    /// Lets somebody hear what is said, too; returns what `stopListening` needs.
    static func listen(_ listener: @escaping @Sendable (String) -> Void) -> Int {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        listeners.withLock { $0[number] = listener }
        return number
    }

    static func stopListening(_ number: Int) {
        listeners.withLock { $0[number] = nil }
    }
}
