import GATT

/// Results and events in the words of transcripts.
extension Outcome {
    var transcript: String {
        switch self {
        case .mtu(let mtu): "mtu \(mtu)"
        case .services(let services): list("services", services.map(\.transcript))
        case .includes(let includes): list("includes", includes.map(\.transcript))
        case .characteristics(let found): list("characteristics", found.map(\.transcript))
        case .descriptors(let found): list("descriptors", found.map(\.transcript))
        case .database(let database): list("database", database.services.map(\.transcript))
        case .value(let value): list("value", value.isEmpty ? [] : [value.hexadecimal])
        case .handleValues(let values):
            list("values", values.map { "\($0.handle)=\($0.value.hexadecimal)\($0.mayContinue ? "…" : "")" })
        case .values(let values): list("values", values.map { $0.isEmpty ? "-" : $0.hexadecimal })
        case .subscribed(let subscription):
            "subscribed " + (subscription.indicates ? "indicate" : "notify")
                + (subscription.configurationHandle.map { " cccd \($0)" } ?? " without cccd")
        case .done: "done"
        }
    }
}

private func list(_ name: String, _ items: [String]) -> String {
    items.isEmpty ? name : name + " " + items.joined(separator: ", ")
}

extension HandleRange {
    var transcript: String { "\(first)-\(last)" }
}

extension Service {
    var transcript: String { "\(uuid) \(range.transcript)" + (isPrimary ? "" : " secondary") }
}

extension IncludedService {
    var transcript: String { "\(handle)=\(uuid) \(range.transcript)" }
}

extension Characteristic {
    /// UUID, declaration/value-end, properties in hexadecimal.
    var transcript: String {
        "\(uuid) \(declarationHandle)/\(valueHandle)-\(endHandle) \([properties.rawValue].hexadecimal)"
            + (extendedProperties.map { "+\($0.rawValue)" } ?? "")
    }
}

extension Descriptor {
    var transcript: String { "\(handle)=\(uuid)" }
}

extension DiscoveredDatabase.ServiceNode {
    var transcript: String {
        let inside =
            includes.map(\.transcript)
            + characteristics.map { node in
                node.characteristic.transcript
                    + (node.descriptors.isEmpty
                        ? "" : " [" + node.descriptors.map(\.transcript).joined(separator: " ") + "]")
            }
        return service.transcript + (inside.isEmpty ? "" : " {" + inside.joined(separator: "; ") + "}")
    }
}

extension GATTError {
    var transcript: String {
        switch self {
        case .attributeError(let code, _, _): "failed 0x\([code.rawValue].hexadecimal)"
        case .malformedResponse(let opcode, let error):
            "failed malformed 0x\([opcode.rawValue].hexadecimal) at \(error.offset)"
        case .timedOut: "failed timed out"
        case .bearerClosed(let reason): "failed closed, \(reason.transcript)"
        case .cancelled: "cancelled"
        case .valueTooLong(let length, let maximum): "failed too long \(length) of \(maximum)"
        case .prepareWriteMismatch(let handle, let offset): "failed mismatch \(handle) at \(offset)"
        case .serverDoesNotAdvance(_, let handle): "failed not advancing \(handle)"
        case .tooManyRounds(let maximum): "failed rounds \(maximum)"
        case .tooManyAttributes(let maximum): "failed attributes \(maximum)"
        case .cannotSubscribe(let handle): "failed cannot subscribe \(handle)"
        case .notSubscribed(let handle): "failed not subscribed \(handle)"
        case .invalidArgument: "failed invalid argument"
        }
    }
}

extension BearerCloseReason {
    var transcript: String {
        switch self {
        case .requestTimedOut: "timed out"
        case .oversizedPDU(let length, let maximum): "oversized \(length) of \(maximum)"
        case .requestBeforeResponse: "request before response"
        case .closedLocally: "locally"
        case .disconnected(let reason): "disconnected 0x\([reason].hexadecimal)"
        case .transportFailed(let text): "failed \(text)"
        }
    }
}
