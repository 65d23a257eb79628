// The attributes of a server in the order of their handles (Core Specification, Vol 3, Part F, 3.2 and Part G, 2.5.1).
// It holds the values as well; those that each connection has for itself are kept by the connection's engine.

/// The attributes of a GATT server.
public struct AttributeDatabase: Hashable, Sendable {
    /// The attributes, their handles ascending and all different.
    public private(set) var attributes: [Attribute]

    /// A database of these attributes. Of attributes with the same handle the first is kept.
    public init(attributes: [Attribute] = []) {
        var kept: [Attribute] = []
        kept.reserveCapacity(attributes.count)
        // A stable sort keeps the first of equals in front.
        for attribute in attributes.sorted(by: { $0.handle < $1.handle }) where kept.last?.handle != attribute.handle {
            kept.append(attribute)
        }
        self.attributes = kept
    }

    /// The place of the first attribute whose handle is `handle` or above; the number of attributes when there is none.
    @inlinable
    public func firstIndex(from handle: AttributeHandle) -> Int {
        var low = 0
        var high = attributes.count
        // Handles mostly follow each other without gaps, and then the first guess is right.
        if let first = attributes.first, handle >= first.handle {
            let guess = Int(handle.rawValue) - Int(first.handle.rawValue)
            if guess < high {
                if attributes[guess].handle == handle { return guess }
            }
        }
        while low < high {
            let middle = (low + high) / 2
            if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The place of the attribute at `handle`.
    @inlinable
    public func index(of handle: AttributeHandle) -> Int? {
        let index = firstIndex(from: handle)
        guard index < attributes.count, attributes[index].handle == handle else { return nil }
        return index
    }

    /// The attribute at `handle`.
    public subscript(handle: AttributeHandle) -> Attribute? {
        guard let index = index(of: handle) else { return nil }
        return attributes[index]
    }

    /// Gives the attribute at `handle` a value, as the application behind the server does: permissions, length and
    /// behaviour do not matter, except that no value exceeds 512 octets, where the rest is cut off.
    /// - Returns: Whether there is such an attribute.
    @discardableResult
    public mutating func setValue(_ value: [UInt8], at handle: AttributeHandle) -> Bool {
        guard let index = index(of: handle) else { return false }
        attributes[index].value =
            value.count <= Self.maximumValueLength ? value : [UInt8](value.prefix(Self.maximumValueLength))
        return true
    }

    /// The handle of the first attribute of type `type`.
    public func handle(of type: BluetoothUUID) -> AttributeHandle? {
        attributes.first { $0.type == type }?.handle
    }

    /// The longest value an attribute may have, in octets (Vol 3, Part F, 3.2.9).
    public static let maximumValueLength = 512
}
