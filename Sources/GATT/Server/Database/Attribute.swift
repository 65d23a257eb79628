// An attribute (Core Specification, Vol 3, Part F, 3.2): a handle, a type, a value and who may touch it. Everything a
// GATT server has, services and characteristics included, is a list of these.

/// One attribute of a server.
public struct Attribute: Hashable, Sendable {
    /// How long the value may be.
    public enum Length: Hashable, Sendable {
        /// The value always has the length it has now. A shorter write replaces its first octets and leaves the rest
        /// (Vol 3, Part F, 3.4.5.1); a longer one is answered by Invalid Attribute Value Length (0x0D).
        case fixed
        /// A write replaces the value, up to `maximum` octets; never more than 512 (Vol 3, Part F, 3.2.9).
        case variable(maximum: Int)
    }

    /// What the server itself has to know about an attribute.
    public enum Role: Hashable, Sendable {
        /// A primary or secondary service declaration; `end` is the last handle of the service, which may lie beyond
        /// its last attribute.
        case service(end: AttributeHandle)
        /// An include, characteristic or other declaration, or a descriptor the server only stores.
        case plain
        /// The value of a characteristic.
        case value(CharacteristicProperties)
        /// The Client Characteristic Configuration of the characteristic at `valueHandle`: one value per connection.
        case clientConfiguration(valueHandle: AttributeHandle, CharacteristicProperties)
        /// The Client Supported Features (0x2B29): one value per connection, bits can be set and never cleared.
        case clientFeatures
    }

    /// Its handle, 0x0001 to 0xFFFF.
    public var handle: AttributeHandle
    /// Its type.
    public var type: BluetoothUUID
    /// Who may read and write it.
    public var permissions: AttributePermissions
    /// Its value; of attributes that have one per connection, the value a new connection starts with.
    public var value: [UInt8]
    /// How long the value may be.
    public var length: Length
    /// What the server has to know about it.
    public var role: Role
    /// How the server answers for it apart from what the specification asks for.
    public var behaviour: AttributeBehaviour

    public init(
        handle: AttributeHandle, type: BluetoothUUID, permissions: AttributePermissions, value: [UInt8],
        length: Length = .fixed, role: Role = .plain, behaviour: AttributeBehaviour = .plain
    ) {
        self.handle = handle
        self.type = type
        self.permissions = permissions
        self.value = value
        self.length = length
        self.role = role
        self.behaviour = behaviour
    }

    /// The last handle of the group this attribute opens: the service's end, or its own handle.
    @inlinable
    public var groupEnd: AttributeHandle {
        if case .service(let end) = role { return end }
        return handle
    }

    /// The length no write may exceed, in octets.
    @inlinable
    public var maximumLength: Int {
        switch length {
        case .fixed: value.count
        case .variable(let maximum): maximum
        }
    }
}

/// How an attribute answers apart from what the specification asks for: what an application behind a server does.
public struct AttributeBehaviour: Hashable, Sendable {
    /// Every permitted read is answered by this error.
    public var readError: ErrorCode?

    /// Permitted writes are answered by this error; when `acceptedValues` is not empty, only those of other values.
    public var writeError: ErrorCode?

    /// The values a write may have; empty: every value. Others are answered by `writeError`, or by Value Not Allowed
    /// (0x13) when there is none.
    public var acceptedValues: [[UInt8]]

    /// How long the answer to a read waits. Reads of several attributes wait for the slowest. Must be below the 30 s
    /// after which the client gives up.
    public var readDelay: Duration

    /// Whether enabling notifications or indications in the characteristic's configuration sends the current value
    /// before the response to that write, as some devices do. Belongs to a characteristic's value.
    public var sendsValueBeforeWriteResponse: Bool

    public init(
        readError: ErrorCode? = nil, writeError: ErrorCode? = nil, acceptedValues: [[UInt8]] = [],
        readDelay: Duration = .zero, sendsValueBeforeWriteResponse: Bool = false
    ) {
        self.readError = readError
        self.writeError = writeError
        self.acceptedValues = acceptedValues
        self.readDelay = readDelay
        self.sendsValueBeforeWriteResponse = sendsValueBeforeWriteResponse
    }

    /// Nothing apart from the specification.
    public static let plain = AttributeBehaviour()

    /// Why a write of `value` is refused; `nil` when it is not.
    func refusal(ofWriting value: [UInt8]) -> ErrorCode? {
        if acceptedValues.isEmpty { return writeError }
        return acceptedValues.contains(value) ? nil : writeError ?? .valueNotAllowed
    }
}
