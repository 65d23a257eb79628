import Central

/// Finds the attributes that paths name, on one connection: among what was kept of an earlier discovery, when that still
/// holds, otherwise by as few requests as the paths need, each made once.
struct AttributeResolver {
    let connection: Connection
    /// What was kept; asked for once.
    private var kept: DiscoveredDatabase??
    private var services: [BluetoothUUID: [Service]] = [:]
    private var secondary: [Service]?
    private var characteristics: [HandleRange: [Characteristic]] = [:]

    init(_ connection: Connection) { self.connection = connection }

    /// The attribute; a handle is taken as it is, and nothing is asked for it.
    mutating func find(_ attribute: AttributeSyntax) async throws(Failure) -> FoundAttribute {
        switch attribute {
        case .handle(let handle): FoundAttribute(handle: AttributeHandle(handle))
        case .path(let path): try await find(path)
        }
    }

    private mutating func find(_ path: AttributePath) async throws(Failure) -> FoundAttribute {
        let connection = connection
        if kept == nil {
            kept = .some(try await attempt { () async throws(CentralError) in try await connection.provenAttributes() })
        }
        if let database = kept ?? nil { return try database.find(path) }
        var range = HandleRange.all
        if let step = path.service {
            range = try step.choose(try await services(of: step), "service") { $0.range.first }.range
        }
        let candidates = try await characteristics(in: range).filter { path.characteristic.uuids.contains($0.uuid) }
        let characteristic = try path.characteristic.choose(candidates, "characteristic") { $0.valueHandle }
        guard let step = path.descriptor else {
            return FoundAttribute(
                handle: characteristic.valueHandle, uuid: characteristic.uuid, characteristic: characteristic)
        }
        let descriptors = try await attempt { () async throws(CentralError) in
            try await connection.discoverDescriptors(of: characteristic)
        }
        let descriptor = try step.choose(descriptors.filter { step.uuids.contains($0.uuid) }, "descriptor") {
            $0.handle
        }
        return FoundAttribute(
            handle: descriptor.handle, uuid: descriptor.uuid, isDescriptor: true, characteristic: characteristic)
    }

    /// Primary services of a step's UUIDs; secondary ones where there is no primary one.
    private mutating func services(of step: AttributePath.Step) async throws(Failure) -> [Service] {
        let connection = connection
        var found: [Service] = []
        for uuid in step.uuids {
            if services[uuid] == nil {
                services[uuid] = try await attempt { () async throws(CentralError) in
                    try await connection.discoverServices(uuid, stopsEarly: true)
                }
            }
            found += services[uuid] ?? []
        }
        guard found.isEmpty else { return found }
        if secondary == nil {
            secondary = try await attempt { () async throws(CentralError) in
                try await connection.discoverSecondaryServices()
            }
        }
        return (secondary ?? []).filter { step.uuids.contains($0.uuid) }
    }

    private mutating func characteristics(in range: HandleRange) async throws(Failure) -> [Characteristic] {
        if let known = characteristics[range] { return known }
        let connection = connection
        let found = try await attempt { () async throws(CentralError) in
            try await connection.discoverCharacteristics(in: range, isWholeService: range != .all)
        }
        characteristics[range] = found
        return found
    }
}
