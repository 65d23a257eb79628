internal import GATT

extension Procedure {
    /// What failed, on whom, as the beginning of a sentence.
    func failure(on peer: String) -> String { "cannot \(verb) on \(peer)" }

    /// What it does, as in `read 0x0025`.
    var verb: String {
        switch self {
        case .exchangeMTU: "agree on an MTU"
        case .discoverPrimaryServices, .discoverPrimaryServicesByUUID: "discover services"
        case .discoverSecondaryServices: "discover secondary services"
        case .findIncludedServices: "discover included services"
        case .discoverCharacteristics: "discover characteristics"
        case .discoverDescriptors: "discover descriptors"
        case .discoverAll: "discover the attributes"
        case .read(let handle, _), .readOnce(let handle, _): "read \(handle)"
        case .readByUUID(let uuid, _, _): "read \(uuid)"
        case .readMultiple(let handles), .readMultipleVariable(let handles):
            "read \(handles.map(\.description).joined(separator: ", "))"
        case .write(let handle, _, _), .writeCommand(let handle, _), .signedWriteCommand(let handle, _):
            "write \(handle)"
        case .reliableWrite(let parts):
            "write \(parts.map(\.handle.description).joined(separator: ", "))"
        case .announceFeatures: "announce features"
        case .subscribe(let target, _): "subscribe to \(target.valueHandle)"
        case .unsubscribe(let handle): "unsubscribe from \(handle)"
        }
    }
}
