import Captures
import GATT

/// What the user of the engine can be told to do in a transcript.
enum TranscriptCommand {
    case start(Procedure)
    case cancel(String)
    case security(SecurityResult)
    case disconnect(UInt8)
    case encrypted
    case full
    case ready
    case knowServiceChanged(AttributeHandle)

    /// Reads `read 0x0003 from 20` and the like; nil when it is none of them.
    init?(_ text: String) {
        var words = text.split(separator: " ").map(String.init)[...]
        func next() -> String? { words.popFirst() }
        /// Takes the word after `key`, wherever that stands.
        func option(_ key: String) -> String? {
            guard let index = words.firstIndex(of: key), index + 1 < words.endIndex else { return nil }
            let value = words[index + 1]
            words.removeSubrange(index...(index + 1))
            return value
        }
        func flag(_ key: String) -> Bool {
            guard let index = words.firstIndex(of: key) else { return false }
            words.remove(at: index)
            return true
        }
        let parsed: TranscriptCommand?
        switch next() {
        case "exchange": parsed = next() == "mtu" ? .start(.exchangeMTU) : nil
        case "discover":
            let limits: HandleRange? = option("in").flatMap { range($0) }
            let isWhole = flag("whole")
            let isEarly = flag("early")
            switch next() {
            case "services": parsed = .start(.discoverPrimaryServices(in: limits ?? .all))
            case "service":
                parsed = next().flatMap { BluetoothUUID($0) }
                    .map { .start(.discoverPrimaryServicesByUUID($0, in: limits ?? .all, stopsEarly: isEarly)) }
            case "secondary": parsed = .start(.discoverSecondaryServices(in: limits ?? .all))
            case "includes": parsed = limits.map { .start(.findIncludedServices(in: $0)) }
            case "characteristics":
                let uuid = next().flatMap { BluetoothUUID($0) }
                parsed = limits.map { .start(.discoverCharacteristics(in: $0, uuid: uuid, isWholeService: isWhole)) }
            case "descriptors": parsed = limits.map { .start(.discoverDescriptors(in: $0)) }
            case "all":
                parsed = .start(.discoverAll(DiscoveryOptions(plan: flag("plain") ? .plain : .fewestRequests)))
            default: parsed = nil
            }
        case "read":
            let offset = option("from").flatMap { Int($0) } ?? 0
            let limits: HandleRange? = option("in").flatMap { range($0) }
            let first = flag("first")
            switch words.first {
            case "once":
                _ = next()
                parsed = next().flatMap { handle($0) }.map { .start(.readOnce($0, offset: offset)) }
            case "uuid":
                _ = next()
                parsed = next().flatMap { BluetoothUUID($0) }
                    .map { .start(.readByUUID($0, in: limits ?? .all, first: first)) }
            case "multiple", "variable":
                let isVariable = next() == "variable"
                let handles = words.compactMap { handle($0) }
                words = []
                parsed = .start(isVariable ? .readMultipleVariable(handles) : .readMultiple(handles))
            default: parsed = next().flatMap { handle($0) }.map { .start(.read($0, offset: offset)) }
            }
        case "write", "command", "signed":
            let kind = text.prefix { $0 != " " }
            let offset = option("at").flatMap { Int($0) } ?? 0
            let target = next().flatMap { handle($0) }
            let value = Transcript.octets(words.joined(separator: " "))
            words = []
            if let target, let value {
                parsed = .start(
                    kind == "command"
                        ? .writeCommand(target, value)
                        : kind == "signed" ? .signedWriteCommand(target, value) : .write(target, value, offset: offset))
            } else {
                parsed = nil
            }
        case "reliable":
            // `reliable 0x0003@0=0102 0x0005@2=03`
            parsed = .start(
                .reliableWrite(
                    words.compactMap { word in
                        guard let at = word.firstIndex(of: "@"), let equals = word.firstIndex(of: "="),
                            let target = handle(String(word[..<at])),
                            let offset = Int(word[word.index(after: at)..<equals]),
                            let value = Transcript.octets(word[word.index(after: equals)...])
                        else { return nil }
                        return ReliableWritePart(handle: target, offset: offset, value: value)
                    }))
            words = []
        case "subscribe":
            let mode: SubscriptionMode = flag("notify") ? .notify : flag("indicate") ? .indicate : .automatic
            let properties = option("properties").flatMap { [UInt8](hexadecimal: $0)?.first }
            let configuration = option("cccd").flatMap { handle($0) }
            let end = option("end").flatMap { handle($0) }
            parsed = next().flatMap { handle($0) }
                .map {
                    .start(
                        .subscribe(
                            SubscriptionTarget(
                                valueHandle: $0, properties: properties.map { CharacteristicProperties(rawValue: $0) },
                                configurationHandle: configuration, endHandle: end), mode: mode))
                }
        case "announce":
            let bits: [String: ClientFeatures] = [
                "robust-caching": .robustCaching, "enhanced-bearer": .enhancedBearer,
                "multiple-notifications": .multipleNotifications,
            ]
            let features = words.compactMap { bits[$0] }
            parsed = features.count == words.count ? .start(.announceFeatures(ClientFeatures(features))) : nil
            words = []
        case "unsubscribe": parsed = next().flatMap { handle($0) }.map { .start(.unsubscribe(valueHandle: $0)) }
        case "cancel": parsed = next().map { .cancel($0) }
        case "security": parsed = next().map { .security($0 == "raised" ? .raised : .refused) }
        case "disconnect": parsed = next().flatMap { [UInt8](hexadecimal: $0)?.first }.map { .disconnect($0) }
        case "encrypted": parsed = .encrypted
        case "full": parsed = .full
        case "ready": parsed = .ready
        case "service-changed": parsed = next().flatMap { handle($0) }.map { .knowServiceChanged($0) }
        default: parsed = nil
        }
        guard let parsed, words.isEmpty else { return nil }
        self = parsed
    }
}

/// `0x0003`
private func handle(_ text: String) -> AttributeHandle? {
    guard text.hasPrefix("0x") else { return nil }
    return UInt16(text.dropFirst(2), radix: 16).map { AttributeHandle($0) }
}

/// `0x0003-0x0009`
private func range(_ text: String) -> HandleRange? {
    let ends = text.split(separator: "-").compactMap { handle(String($0)) }
    guard ends.count == 2 else { return nil }
    return HandleRange(first: ends[0], last: ends[1])
}
