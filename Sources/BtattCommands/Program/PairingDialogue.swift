import Central
import CommandLineParsing
import Glibc
import Sockets

extension CommandContext {
    /// Where the keys of pairing are kept.
    var bonds: BondStore { arguments[GlobalOptions.bonds].map { BondStore(path: $0) } ?? .standard }

    /// How pairing goes: as the options say, and else by asking on a terminal, where there is one.
    var pairing: PairingOptions {
        let terminal = console.terminal
        let capability: PairingCapability =
            if let word = arguments[GlobalOptions.io], let capability = PairingCapability(rawValue: word) {
                capability
            } else if arguments[GlobalOptions.passkey] != nil {
                .keyboard
            } else {
                terminal.isInteractive ? .keyboardDisplay : .none
            }
        return PairingOptions(
            capability: capability, passkey: arguments[GlobalOptions.passkey].map { UInt32($0) }, bonds: bonds
        ) { question, peer in
            await PairingDialogue(context: self).answer(question, peer)
        }
    }
}

/// Asks the person at the terminal what pairing needs to know.
///
/// A passkey to be entered on the device is said anywhere. What needs an answer is asked on a terminal only; without one
/// the answer is no.
struct PairingDialogue: Sendable {
    let context: CommandContext

    func answer(_ question: PairingQuestion, _ peer: String) async -> PairingAnswer {
        switch question {
        case .passkeyDisplay(let passkey):
            let digits = Self.digits(passkey)
            context.console.warn("enter the passkey \(digits) on \(peer)")
            show(["kind": "passkey", "action": "enter", "passkey": .string(digits)])
            return .yes
        case .comparison(let number):
            let digits = Self.digits(number)
            show(["kind": "passkey", "action": "compare", "passkey": .string(digits)])
            guard context.console.isInteractive else {
                context.console.warn("\(peer) shows the number \(digits), or should; nobody is there to compare it")
                return .no
            }
            context.console.ask("Does \(peer) show the number \(digits)? [y/N]")
            let answer = await line()?.lowercased()
            return answer == "y" || answer == "yes" ? .yes : .no
        case .passkeyEntry:
            guard context.console.isInteractive else { return .no }
            context.console.ask("Passkey that \(peer) shows, or that is printed on it:")
            while let answer = await line(), !answer.isEmpty {
                if let passkey = Self.passkey(answer) { return .passkey(passkey) }
                context.console.ask("It has six digits:")
            }
            return .no
        }
    }

    /// Six digits.
    static func digits(_ passkey: UInt32) -> String {
        let digits = String(passkey)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// The passkey that somebody typed, spaces allowed.
    static func passkey(_ text: String) -> UInt32? {
        let digits = text.filter { $0 != " " }
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt32(digits)
    }

    private func show(_ object: JSONObject) {
        guard context.isJSON else { return }
        // A reader that has gone ends the command by itself.
        try? context.console.line(object)
    }

    /// A line that is typed, without its end; `nil` at the end of the input, and when the task is cancelled.
    private func line() async -> String? {
        let text = await ReadableWait().wait(for: STDIN_FILENO) ? Self.typed() : nil
        if text == nil { context.console.endLine() }
        return text
    }

    /// What the terminal gives at once is a line.
    private static func typed() -> String? {
        var octets = [UInt8](repeating: 0, count: 256)
        // The call writes no more than the array holds.
        let count = unsafe octets.withUnsafeMutableBytes { unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        let text = String(decoding: octets[..<count], as: UTF8.self)
        return String(text.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
    }
}
