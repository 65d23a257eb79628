import Foundation
import GAP
import Glibc
import Sockets

/// Gives each device of this machine an identifier that stays, and remembers the devices.
///
/// An identifier is a hash of the device's address with a secret of the machine. So programs that see a new device at the
/// same time give it the same identifier without asking each other, and the identifier tells nobody the address. The file
/// keeps the secret, and which devices there were, so that an identifier can be turned into a device again.
final class IdentifierStore: Sendable {
    /// What is known of a device.
    struct Record: Hashable, Sendable {
        var address: DeviceAddress
        /// The name that its attribute server told.
        var name: String?
        /// The name that it advertised last.
        var advertisedName: String?
        /// When it was last seen, in seconds since 1970.
        var seen: Int
    }

    fileprivate struct State {
        var hash: KeyedHash
        var records: [UUID: Record] = [:]
        /// Devices that the file does not know, or knows differently.
        var changed: Set<UUID> = []
        var isScheduled = false
        /// Whether the file can be written.
        var isUsable = true
    }

    private let file: StoreFile
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "CoreBluetooth.store")

    /// How long changes are gathered before they are written.
    private static let delay = DispatchTimeInterval.milliseconds(300)
    private static let stores = Locked<[String: IdentifierStore]>([:])
    /// Writes what is left when the program ends.
    private static let atExit: Void = {
        _ = atexit { IdentifierStore.saveAll() }
    }()

    /// The store of a folder, one for the whole program.
    static func shared(in directory: String) -> IdentifierStore {
        _ = atExit
        return stores.withLock { stores in
            if let store = stores[directory] { return store }
            let store = IdentifierStore(in: directory)
            stores[directory] = store
            return store
        }
    }

    /// The folder: of the option, of the environment, or `corebluetooth` in the user's state folder (XDG Base Directory
    /// Specification).
    static func directory(_ option: Any?, environment: [String: String]) -> String {
        if let path = option as? String, !path.isEmpty { return path }
        if let url = option as? URL { return url.path }
        if let path = environment["BLUETOOTH_STATE_DIRECTORY"], !path.isEmpty { return path }
        // The specification wants relative paths to be ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/corebluetooth" }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return home + "/.local/state/corebluetooth"
    }

    init(in directory: String) {
        file = StoreFile(directory: directory)
        do {
            let contents = try file.update { _ in }
            var state = State(hash: KeyedHash(key: StoreFile.key(contents.key) ?? (0, 0)))
            state.take(contents)
            self.state = Locked(state)
        } catch {
            Diagnostics.log("identifiers of devices will not last, because \(file.path) cannot be used: \(error)")
            let key = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
            state = Locked(State(hash: KeyedHash(key: key), isUsable: false))
        }
    }

    /// The identifier of a device.
    func identifier(of address: DeviceAddress) -> UUID {
        state.withLock { $0.identifier(of: address) }
    }

    /// The device of an identifier; `nil` when nobody has seen it.
    func record(of identifier: UUID) -> Record? {
        state.withLock { $0.records[identifier] }
    }

    /// What is known of a device.
    func record(of address: DeviceAddress) -> Record? {
        state.withLock { $0.records[$0.identifier(of: address)] }
    }

    /// A device was seen, with the name it advertised, if any.
    func saw(_ address: DeviceAddress, advertisedName: String?) {
        let now = Int(Date().timeIntervalSince1970)
        change(address) { record in
            if let advertisedName { record.advertisedName = advertisedName }
            // A minute more or less is not worth a write.
            if now - record.seen > 60 { record.seen = now }
        }
    }

    /// A device told its name.
    func named(_ address: DeviceAddress, _ name: String) {
        change(address) { $0.name = name }
    }

    private func change(_ address: DeviceAddress, _ body: (inout Record) -> Void) {
        let mustSchedule = state.withLock { state in
            let identifier = state.identifier(of: address)
            let old = state.records[identifier]
            var record = old ?? Record(address: address, seen: 0)
            body(&record)
            guard record != old else { return false }
            state.records[identifier] = record
            state.changed.insert(identifier)
            guard state.isUsable, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if mustSchedule { queue.asyncAfter(deadline: .now() + Self.delay) { self.save() } }
    }

    /// Writes what is new and takes over what other programs wrote.
    func save() {
        let changes = state.withLock { state in
            state.isScheduled = false
            defer { state.changed = [] }
            guard state.isUsable else { return [Record]() }
            return state.changed.compactMap { state.records[$0] }
        }
        guard !changes.isEmpty else { return }
        do {
            let contents = try file.update { $0.merge(changes) }
            state.withLock { $0.take(contents) }
        } catch {
            Diagnostics.log("devices are not remembered, because \(file.path) cannot be written: \(error)")
            state.withLock { $0.isUsable = false }
        }
    }

    static func saveAll() {
        for store in stores.withLock({ Array($0.values) }) { store.save() }
    }
}

extension IdentifierStore.State {
    func identifier(of address: DeviceAddress) -> UUID {
        let message = (0..<7).map { UInt8(truncatingIfNeeded: address.packed >> (8 * UInt64($0))) }
        let (high, low) = hash.hash(message)
        var octets = (0..<8).map { UInt8(truncatingIfNeeded: high >> (8 * UInt64($0))) }
        octets += (0..<8).map { UInt8(truncatingIfNeeded: low >> (8 * UInt64($0))) }
        // Version 8, "custom", and the variant of RFC 9562.
        octets[6] = octets[6] & 0x0F | 0x80
        octets[8] = octets[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                octets[0], octets[1], octets[2], octets[3], octets[4], octets[5], octets[6], octets[7], octets[8],
                octets[9], octets[10], octets[11], octets[12], octets[13], octets[14], octets[15]
            ))
    }

    /// Takes over what a file holds, where nothing newer is known here.
    mutating func take(_ contents: StoreFile.Contents) {
        for entry in contents.peripherals {
            guard let address = DeviceAddress(entry.address) else { continue }
            let identifier = identifier(of: address)
            if changed.contains(identifier) { continue }
            records[identifier] = IdentifierStore.Record(
                address: address, name: entry.name, advertisedName: entry.advertisedName, seen: entry.seen)
        }
    }
}

extension StoreFile.Contents {
    /// Takes over what is new.
    fileprivate mutating func merge(_ records: [IdentifierStore.Record]) {
        var places: [String: Int] = [:]
        for (index, entry) in peripherals.enumerated() { places[entry.address] = index }
        for record in records {
            let entry = StoreFile.Entry(
                address: record.address.description, name: record.name, advertisedName: record.advertisedName,
                seen: record.seen)
            if let index = places[entry.address] {
                peripherals[index] = entry
            } else {
                places[entry.address] = peripherals.count
                peripherals.append(entry)
            }
        }
    }
}
