/// A characteristic that a server declares (Core Specification, Vol 3, Part G, 3.3).
public struct Characteristic: Hashable, Sendable {
    /// What the characteristic is.
    public var uuid: BluetoothUUID
    /// The handle of the declaration.
    public var declarationHandle: AttributeHandle
    /// The handle of the value: the one to read, write and subscribe to.
    public var valueHandle: AttributeHandle
    /// What the server says can be done with the value.
    public var properties: CharacteristicProperties
    /// The last handle of the definition: one before the next declaration, or the end of the service.
    public var endHandle: AttributeHandle
    /// The Characteristic Extended Properties descriptor (Vol 3, Part G, 3.3.3.1), once it was read.
    public var extendedProperties: ExtendedProperties?

    public init(
        uuid: BluetoothUUID, declarationHandle: AttributeHandle, valueHandle: AttributeHandle,
        properties: CharacteristicProperties, endHandle: AttributeHandle,
        extendedProperties: ExtendedProperties? = nil
    ) {
        self.uuid = uuid
        self.declarationHandle = declarationHandle
        self.valueHandle = valueHandle
        self.properties = properties
        self.endHandle = endHandle
        self.extendedProperties = extendedProperties
    }

    /// The handles in which its descriptors stand; `nil` when the definition ends with the value.
    public var descriptorRange: HandleRange? {
        guard valueHandle.rawValue < .max else { return nil }
        return HandleRange(first: AttributeHandle(rawValue: valueHandle.rawValue &+ 1), last: endHandle)
    }
}

/// A descriptor of a characteristic (Core Specification, Vol 3, Part G, 3.3.3).
public struct Descriptor: Hashable, Sendable {
    /// What the descriptor is.
    public var uuid: BluetoothUUID
    /// Its handle.
    public var handle: AttributeHandle

    public init(uuid: BluetoothUUID, handle: AttributeHandle) {
        self.uuid = uuid
        self.handle = handle
    }
}

/// What can be done with the value of a characteristic (Core Specification, Vol 3, Part G, 3.3.1.1).
///
/// It is what the server declares. Whether an access succeeds depends on permissions that only the attempt shows.
@frozen
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The octet of the declaration; all eight bits have a meaning.
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The value can be broadcast in advertising data (0x01).
    @inlinable public static var broadcast: Self { Self(rawValue: 0x01) }
    /// The value can be read (0x02).
    @inlinable public static var read: Self { Self(rawValue: 0x02) }
    /// The value can be written by Write Command (0x04).
    @inlinable public static var writeWithoutResponse: Self { Self(rawValue: 0x04) }
    /// The value can be written by Write Request (0x08).
    @inlinable public static var write: Self { Self(rawValue: 0x08) }
    /// The server can notify the value (0x10).
    @inlinable public static var notify: Self { Self(rawValue: 0x10) }
    /// The server can indicate the value (0x20).
    @inlinable public static var indicate: Self { Self(rawValue: 0x20) }
    /// The value can be written by Signed Write Command (0x40).
    @inlinable public static var authenticatedSignedWrites: Self { Self(rawValue: 0x40) }
    /// More properties stand in the Characteristic Extended Properties descriptor (0x80).
    @inlinable public static var extendedProperties: Self { Self(rawValue: 0x80) }
}

extension CharacteristicProperties: CustomStringConvertible {
    /// The names in the order of the bits, as in `read, notify`.
    public var description: String {
        let names: [(Self, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write-without-response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticated-signed-writes"), (.extendedProperties, "extended-properties"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// The bits of the Characteristic Extended Properties descriptor (Core Specification, Vol 3, Part G, 3.3.3.1).
@frozen
public struct ExtendedProperties: OptionSet, Hashable, Sendable {
    /// The value of the descriptor; bits 2 to 15 are reserved and kept as they came.
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reliable writes are permitted (0x0001).
    @inlinable public static var reliableWrite: Self { Self(rawValue: 0x0001) }
    /// The Characteristic User Description can be written (0x0002).
    @inlinable public static var writableAuxiliaries: Self { Self(rawValue: 0x0002) }
}
