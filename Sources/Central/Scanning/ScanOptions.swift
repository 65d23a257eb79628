public import GAP

/// Which names a scan lets through.
public enum NameMatch: Hashable, Sendable {
    /// The whole name, letter by letter.
    case exactly(String)
    /// Names that begin with the text.
    case beginning(String)
    /// Names that hold the text, in whatever case.
    case containing(String)

    /// Whether `name` is let through.
    public func matches(_ name: String) -> Bool {
        switch self {
        case .exactly(let text): name == text
        case .beginning(let text): name.hasPrefix(text)
        case .containing(let text): text.isEmpty || name.lowercased().contains(text.lowercased())
        }
    }
}

/// How often a scan tells of the same advertiser.
@frozen
public enum DuplicateRule: Hashable, Sendable {
    /// Once.
    case once
    /// Once, and again when its data or its properties changed: when the scan response came, for one.
    case changes
    /// Each time it is heard, which is what signal strength over time needs.
    case all
}

/// How a scan listens.
@frozen
public enum ScanMode: Hashable, Sendable, CaseIterable {
    /// Asks advertisers for their scan response, where names often are.
    case active
    /// Sends nothing.
    case passive
    /// Starts no scan, and hears what the adapter reports for somebody else's.
    case listen
}

/// What a scan listens for, and how.
public struct ScanOptions: Sendable {
    /// How the radio listens. Scans of one central share it: it is active as soon as one of them is.
    public var mode: ScanMode
    /// Services of which an advertiser has to list at least one; empty for any.
    public var services: [BluetoothUUID]
    /// The name an advertiser has to have; `nil` for any or none.
    public var name: NameMatch?
    /// The least signal strength in dBm; an unknown one passes.
    public var minimumRSSI: Int8?
    /// Addresses of which the advertiser has to have one; `nil` for any.
    public var addresses: Set<DeviceAddress>?
    /// Whether only advertisers are told of that accept connections.
    public var connectableOnly: Bool
    /// How often the same advertiser is told of.
    public var duplicates: DuplicateRule
    /// How long to scan; `nil` until the consumer stops.
    public var duration: Duration?
    /// How many results wait for the consumer at most.
    public var bufferCapacity: Int
    /// What is lost when more come.
    public var overflow: OverflowRule
    /// How many advertisers are remembered to tell repeats from news.
    public var rememberedDevices: Int

    /// Options; by default every advertiser, actively, again when it changes, until the consumer stops.
    public init(
        mode: ScanMode = .active, services: [BluetoothUUID] = [], name: NameMatch? = nil, minimumRSSI: Int8? = nil,
        addresses: Set<DeviceAddress>? = nil, connectableOnly: Bool = false, duplicates: DuplicateRule = .changes,
        duration: Duration? = nil, bufferCapacity: Int = 1024, overflow: OverflowRule = .dropOldest,
        rememberedDevices: Int = 16_384
    ) {
        self.mode = mode
        self.services = services
        self.name = name
        self.minimumRSSI = minimumRSSI
        self.addresses = addresses
        self.connectableOnly = connectableOnly
        self.duplicates = duplicates
        self.duration = duration
        self.bufferCapacity = bufferCapacity
        self.overflow = overflow
        self.rememberedDevices = rememberedDevices
    }
}
