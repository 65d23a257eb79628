import Central
import Foundation
import VirtualPeripheral

/// Which radio a manager uses, as the program or whoever runs it said.
enum RadioChoice: Sendable {
    case adapter(AdapterSelection)
    /// A radio inside this process that the program made.
    case virtual(VirtualRadio)
    /// None, because what was said means nothing.
    case nonsense(String)

    /// From the option `CBCentralManagerOptionAdapterKey`, else from the environment variable `BLUETOOTH_ADAPTER`, else the
    /// first that can be used.
    init(option: Any?, environment: [String: String]) {
        switch option {
        case let radio as VirtualRadio: self = .virtual(radio)
        case let text as String: self.init(text)
        case nil: self.init(environment["BLUETOOTH_ADAPTER"] ?? "")
        default: self = .nonsense("\(option ?? "")")
        }
    }

    /// `hci1`, `1`, `virtual`, `virtual:NAME-or-FILE,…`; nothing for the first that can be used.
    private init(_ text: String) {
        if text.isEmpty {
            self = .adapter(.firstAvailable)
        } else if text == "virtual" {
            self = .adapter(.virtual([]))
        } else if text.hasPrefix("virtual:") {
            self = .adapter(.virtual(text.dropFirst(8).split(separator: ",").map(String.init)))
        } else if let index = UInt16(text.hasPrefix("hci") ? String(text.dropFirst(3)) : text) {
            self = .adapter(.hci(Int(index)))
        } else {
            self = .nonsense(text)
        }
    }

    /// Equal for those that share a radio.
    var key: String {
        switch self {
        case .adapter(let selection): "\(selection)"
        case .virtual(let radio): "\(ObjectIdentifier(radio))"
        case .nonsense(let text): "nonsense \(text)"
        }
    }
}
