import Captures
import GATT

extension AttributeTable {
    /// The attributes as a database, as far as the traffic told, and those that belong to no service that it told of.
    var database: (tree: DiscoveredDatabase, loose: [Entry]) {
        var tree = DiscoveredDatabase()
        var loose: [Entry] = []
        for entry in entries {
            if case .service(let end, let isPrimary) = entry.role {
                guard let range = HandleRange(first: entry.handle, last: max(entry.handle, end)) else { continue }
                tree.services.append(
                    DiscoveredDatabase.ServiceNode(
                        service: Service(uuid: entry.uuid, range: range, isPrimary: isPrimary)))
                continue
            }
            // Entries are in order, so it is the last service that began before.
            guard let last = tree.services.indices.last, tree.services[last].service.range.contains(entry.handle)
            else {
                loose.append(entry)
                continue
            }
            if !tree.services[last].add(entry) { loose.append(entry) }
        }
        return (tree, loose)
    }
}

extension DiscoveredDatabase.ServiceNode {
    /// Puts an attribute of the service where it belongs; `false` when that is not known.
    fileprivate mutating func add(_ entry: AttributeTable.Entry) -> Bool {
        switch entry.role {
        case .service: return false
        case .include(let first, let last):
            guard let range = HandleRange(first: first, last: last) else { return false }
            includes.append(IncludedService(handle: entry.handle, range: range, uuid: entry.uuid))
        case .characteristic(let value, let properties):
            if let before = characteristics.indices.last {
                characteristics[before].characteristic.endHandle = AttributeHandle(
                    rawValue: entry.handle.rawValue &- 1)
            }
            characteristics.append(
                DiscoveredDatabase.CharacteristicNode(
                    characteristic: Characteristic(
                        uuid: entry.uuid, declarationHandle: entry.handle, valueHandle: value,
                        properties: CharacteristicProperties(rawValue: properties), endHandle: service.range.last)))
        case .value:
            // The declaration told of it.
            return characteristics.last?.characteristic.valueHandle == entry.handle
        case .other:
            // Find Information tells the types of declarations and values too.
            if [.primaryService, .secondaryService, .include, .characteristic].contains(entry.uuid) { return true }
            guard let last = characteristics.indices.last,
                characteristics[last].characteristic.valueHandle < entry.handle
            else { return false }
            characteristics[last].descriptors.append(Descriptor(uuid: entry.uuid, handle: entry.handle))
        }
        return true
    }
}
