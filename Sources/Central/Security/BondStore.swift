internal import BlueZSockets
public import GAP
internal import Sockets

/// The file in which keys are kept between connections: its owner's alone, safe against several processes, replaced as a
/// whole.
///
/// The kernel holds keys only until it is shut down or given others, so they are given to it again before a connection.
public struct BondStore: Sendable {
    /// Where the file is.
    public var path: String { file.path }

    private let file: StateFile

    /// Where `btatt` keeps keys.
    public static let standardPath = "/var/lib/btatt/bonds"
    /// The store that `btatt` uses.
    public static let standard = BondStore(path: standardPath)

    /// A store in a file, which need not exist; the folder that it is in is made when it is missing.
    public init(path: String) { file = StateFile(path: path) }

    /// All bonds, in the order in which they were made.
    /// - Throws: `missingRights` when the file is not this user's; `refused` when it is damaged or not private.
    public func all() throws(CentralError) -> [Bond] {
        try contents("cannot read the bonds").records.map(\.bond)
    }

    /// Takes the bonds with a device out, those of one adapter or of all.
    /// - Parameters:
    ///   - address: its identity address.
    ///   - adapter: the adapter whose bonds are meant; `nil` means all.
    /// - Returns: Those that were there.
    /// - Throws: as `all`; `timedOut` when another process does not let go of the file.
    public func remove(
        _ address: DeviceAddress, adapter: AddressOctets? = nil
    ) async throws(CentralError) -> [Bond] {
        var removed: [Bond] = []
        try await change("cannot forget \(address)") { contents in
            let isMeant = { (record: BondRecord) in
                record.address == address && (adapter == nil || record.adapter == adapter)
            }
            removed = contents.records.filter(isMeant).map(\.bond)
            contents.records.removeAll(where: isMeant)
            return !removed.isEmpty
        }
        return removed
    }

    /// The bonds of an adapter.
    func records(of adapter: AddressOctets) throws(CentralError) -> [BondRecord] {
        try contents("cannot read the bonds").records.filter { $0.adapter == adapter }
    }

    /// Keeps keys that pairing made.
    func add(
        _ keys: [(address: DeviceAddress, key: PairingSettings.NewKey)], adapter: AddressOctets
    ) async throws(CentralError) {
        let seconds = Int64(LinuxSystemCalls().realTimeNow() / 1_000_000_000)
        try await change("cannot keep the keys") { contents in
            for (address, key) in keys {
                let isMeant = { (record: BondRecord) in record.adapter == adapter && record.address == address }
                let index: Int
                if let known = contents.records.firstIndex(where: isMeant) {
                    index = known
                } else {
                    index = contents.records.count
                    contents.records.append(BondRecord(adapter: adapter, address: address, unixSeconds: seconds))
                }
                contents.records[index].unixSeconds = seconds
                contents.records[index].add(key)
            }
            return true
        }
    }

    private func contents(_ failure: String) throws(CentralError) -> BondFile {
        let octets: [UInt8]?
        do throws(StateFileError) {
            octets = try file.read()
        } catch {
            throw CentralError(error, failure: failure)
        }
        guard let octets else { return BondFile() }
        do throws(BondFile.FormatError) {
            return try BondFile(parsing: octets)
        } catch {
            throw CentralError(
                .refused, failure: failure, reason: "\(path) cannot be used: \(error)",
                remedy: "correct it, or move it away and pair again")
        }
    }

    private func change(_ failure: String, _ body: (inout BondFile) -> Bool) async throws(CentralError) {
        let lock = try await lock(failure)
        var contents = try contents(failure)
        guard body(&contents) else { return }
        do throws(StateFileError) {
            try lock.replace(with: contents.octets)
        } catch {
            throw CentralError(error, failure: failure)
        }
    }

    private func lock(_ failure: String) async throws(CentralError) -> StateFileLock {
        do throws(StateFileError) {
            return try await file.lock()
        } catch {
            throw CentralError(error, failure: failure)
        }
    }
}

extension CentralError {
    /// The file of bonds cannot be used.
    init(_ error: StateFileError, failure: String) {
        var (category, remedy, errno) = (Category.refused, "", Errno?.none)
        switch error.cause {
        case .system(let number):
            errno = number
            if number == .permissionDenied || number == .notPermitted {
                (category, remedy) = (.missingRights, "run as the user whose file it is, usually root")
            }
        case .foreign: (category, remedy) = (.missingRights, "run as the user whose file it is")
        case .readableByOthers, .damaged: break
        case .busy: (category, remedy) = (.timedOut, "try again")
        }
        self.init(category, failure: failure, reason: error.description, remedy: remedy, errno: errno)
    }
}
