public import GATT

extension Connection {
    /// Agrees on an MTU, once per connection: `mtu` afterwards. A second call asks nothing.
    /// - Throws: see `perform`.
    @discardableResult
    public func exchangeMTU() async throws(CentralError) -> Int {
        guard case .mtu(let mtu) = try await perform(.exchangeMTU) else { return mtu }
        return mtu
    }

    /// Everything the peer has: services, includes, characteristics, descriptors.
    /// - Throws: see `perform`.
    public func discoverAll(
        _ options: DiscoveryOptions = DiscoveryOptions(), progress: ProgressHandler? = nil
    ) async throws(CentralError) -> DiscoveredDatabase {
        let outcome = try await perform(.discoverAll(options), progress: progress)
        guard case .database(let database) = outcome else { return DiscoveredDatabase() }
        return database
    }

    /// Primary services, all or those with a UUID.
    /// - Parameters:
    ///   - uuid: the services to find; all of them when it is `nil`.
    ///   - range: the handles to look in.
    ///   - stopsEarly: with a UUID, whether a response with room for one more is taken for the last.
    /// - Throws: see `perform`.
    public func discoverServices(
        _ uuid: BluetoothUUID? = nil, in range: HandleRange = .all, stopsEarly: Bool = false
    ) async throws(CentralError) -> [Service] {
        let procedure: Procedure =
            if let uuid {
                .discoverPrimaryServicesByUUID(uuid, in: range, stopsEarly: stopsEarly)
            } else {
                .discoverPrimaryServices(in: range)
            }
        guard case .services(let services) = try await perform(procedure) else { return [] }
        return services
    }

    /// Secondary services.
    /// - Throws: see `perform`.
    public func discoverSecondaryServices(in range: HandleRange = .all) async throws(CentralError) -> [Service] {
        guard case .services(let services) = try await perform(.discoverSecondaryServices(in: range)) else {
            return []
        }
        return services
    }

    /// The services that the services of a range include.
    /// - Throws: see `perform`.
    public func discoverIncludedServices(
        in range: HandleRange = .all
    ) async throws(CentralError) -> [IncludedService] {
        guard case .includes(let includes) = try await perform(.findIncludedServices(in: range)) else { return [] }
        return includes
    }

    /// The characteristics of a range, all or those with a UUID.
    /// - Parameters:
    ///   - uuid: the characteristics to find; all of them when it is `nil`.
    ///   - range: the handles to look in.
    ///   - isWholeService: whether the range is all of a service, which saves a request where nothing can follow.
    /// - Throws: see `perform`.
    public func discoverCharacteristics(
        _ uuid: BluetoothUUID? = nil, in range: HandleRange = .all, isWholeService: Bool = false
    ) async throws(CentralError) -> [Characteristic] {
        let outcome = try await perform(
            .discoverCharacteristics(in: range, uuid: uuid, isWholeService: isWholeService))
        guard case .characteristics(let characteristics) = outcome else { return [] }
        return characteristics
    }

    /// The type of every attribute of a range.
    /// - Throws: see `perform`.
    public func discoverDescriptors(in range: HandleRange = .all) async throws(CentralError) -> [Descriptor] {
        guard case .descriptors(let descriptors) = try await perform(.discoverDescriptors(in: range)) else {
            return []
        }
        return descriptors
    }

    /// The descriptors of a characteristic; nothing is asked when no handle is left for one.
    /// - Throws: see `perform`.
    public func discoverDescriptors(of characteristic: Characteristic) async throws(CentralError) -> [Descriptor] {
        let value = characteristic.valueHandle.rawValue
        guard value < .max,
            let range = HandleRange(
                first: AttributeHandle(rawValue: value + 1), last: characteristic.endHandle)
        else { return [] }
        return try await discoverDescriptors(in: range)
    }
}
