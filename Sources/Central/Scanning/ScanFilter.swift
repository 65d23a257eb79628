internal import GAP

/// Decides, for one scan, which advertisements are told of.
struct ScanFilter {
    private let options: ScanOptions
    /// Advertising sets already told of: the address with its type, and the set identifier in the highest octet.
    private var told: Set<UInt64> = []

    init(_ options: ScanOptions) { self.options = options }

    /// Whether to tell of it; `nil` for no, otherwise whether it is for the first time.
    mutating func admit(_ advertisement: AdvertisementRecord) -> Bool? {
        let key = advertisement.address.map { $0.packed | UInt64(advertisement.advertisingSID ?? 0xFF) << 56 }
        let isNew = key.map { !told.contains($0) } ?? true
        switch options.duplicates {
        case .once: guard isNew else { return nil }
        case .changes: guard isNew || !advertisement.changes.isEmpty else { return nil }
        case .all: break
        }
        guard matches(advertisement) else { return nil }
        if isNew, let key { remember(key) }
        return isNew
    }

    private func matches(_ advertisement: AdvertisementRecord) -> Bool {
        if options.connectableOnly, !advertisement.properties.contains(.connectable) { return false }
        if let minimum = options.minimumRSSI, let rssi = advertisement.rssi, rssi < minimum { return false }
        if let addresses = options.addresses {
            guard let address = advertisement.address, addresses.contains(address) else { return false }
        }
        if !options.services.isEmpty {
            let (data, response) = (advertisement.advertisingData, advertisement.scanResponse)
            let isListed = options.services.contains {
                data.view.advertises($0) || response.view.advertises($0)
            }
            guard isListed else { return false }
        }
        if let match = options.name {
            guard let name = advertisement.name, match.matches(name) else { return false }
        }
        return true
    }

    /// Memory is bounded: at the limit an arbitrary other one is forgotten, and would be told of once more.
    private mutating func remember(_ key: UInt64) {
        if told.count >= max(options.rememberedDevices, 1), let other = told.first { told.remove(other) }
        told.insert(key)
    }
}
