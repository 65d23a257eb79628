import AssignedNumbers
import GATT

/// An attribute that a path led to.
struct FoundAttribute: Hashable, Sendable {
    /// The attribute's handle: of a value, or of a descriptor.
    var handle: AttributeHandle
    /// Its UUID; `nil` when it was given by handle, for which nothing is discovered.
    var uuid: BluetoothUUID?
    /// Whether it is a descriptor.
    var isDescriptor = false
    /// The characteristic it is, or belongs to.
    var characteristic: Characteristic?

    /// The handle of the characteristic's configuration, when its descriptors are known.
    var configuration: AttributeHandle?
    /// Whether they are.
    var descriptorsAreKnown = false

    /// What its UUID is a UUID of.
    var kind: AssignedNumbers.Kind { isDescriptor ? .descriptor : .characteristic }

    /// The attribute for people: `0x0010 2a37 Heart Rate Measurement`.
    var label: String {
        uuid.map { "\(handle) \($0.label(kind))" } ?? "\(handle)"
    }
}

extension DiscoveredDatabase {
    /// The attribute that a path names.
    /// - Throws: when there is none, or there are several and the path does not say which.
    func find(_ path: AttributePath) throws(Failure) -> FoundAttribute {
        var nodes = characteristics
        if let step = path.service {
            // Secondary services only where there is no primary one.
            let all = services.filter { step.uuids.contains($0.service.uuid) }
            let primary = all.filter(\.service.isPrimary)
            nodes = try step.choose(primary.isEmpty ? all : primary, "service") { $0.service.handle }.characteristics
        }
        let node = try path.characteristic.choose(
            nodes.filter { path.characteristic.uuids.contains($0.characteristic.uuid) }, "characteristic"
        ) { $0.characteristic.valueHandle }
        guard let step = path.descriptor else {
            return FoundAttribute(
                handle: node.characteristic.valueHandle, uuid: node.characteristic.uuid,
                characteristic: node.characteristic, configuration: node.clientConfigurationHandle,
                descriptorsAreKnown: true)
        }
        let descriptor = try step.choose(node.descriptors.filter { step.uuids.contains($0.uuid) }, "descriptor") {
            $0.handle
        }
        return FoundAttribute(
            handle: descriptor.handle, uuid: descriptor.uuid, isDescriptor: true, characteristic: node.characteristic)
    }
}

extension AttributePath.Step {
    /// The one of `candidates` that the step means: the `[n]`-th by handle, or the only one.
    /// - Throws: when there is none, or there are several and the step does not say which.
    func choose<Candidate>(
        _ candidates: [Candidate], _ what: String, handle: (Candidate) -> AttributeHandle
    ) throws(Failure) -> Candidate {
        let sorted = candidates.sorted { handle($0) < handle($1) }
        guard let first = sorted.first else { throw Failure(.refused, "the device has no \(what) \(text)") }
        if let index {
            guard index <= sorted.count else {
                let count = sorted.count == 1 ? "only one" : "only \(sorted.count)"
                throw Failure(.refused, "the device has \(count) \(what) \(name), not \(text)")
            }
            return sorted[index - 1]
        }
        guard sorted.count == 1 else {
            let list = sorted.map { "\(handle($0))" }.joined(separator: ", ")
            throw Failure(
                .usage, "the device has \(sorted.count) of \(what) \(text), at \(list): say which, as in \(text)[1]")
        }
        return first
    }

    /// The step without its `[n]`.
    private var name: Substring { text.prefix { $0 != "[" } }
}
