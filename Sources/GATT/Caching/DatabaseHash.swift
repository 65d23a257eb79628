// The Database Hash (Core Specification, Vol 3, Part G, 7.3): sixteen octets that are the same as long as a server's
// attributes are. It is AES-CMAC, with a key of zero, over the handles, types and structural values of the declarations
// and the descriptors that the specification defines, in the order of their handles (7.3.1).
//
// For a client it is worth more than a comparison with what it heard before: whoever thinks to know all attributes can
// compute the hash of what he thinks, and when that is the server's hash, nothing is missing and nothing is wrong.

/// The hash of a server's attributes.
public struct DatabaseHash: Hashable, Sendable {
    /// The sixteen octets as the server sends them.
    public let octets: [UInt8]

    /// The value of a Database Hash characteristic; nil when it has not sixteen octets.
    public init?(octets: [UInt8]) {
        guard octets.count == 16 else { return nil }
        self.octets = octets
    }

    /// The hash of a server with these attributes: a number of 128 bits, its least significant octet first.
    public init(_ database: AttributeDatabase) {
        var message = HashMessage()
        for attribute in database.attributes { message.append(attribute.handle, attribute.type, attribute.value) }
        self.init(code: message.code)
    }

    /// The hash of a server that has what was discovered, and nothing else; nil where the value of a Characteristic
    /// Extended Properties descriptor is not known, which is part of the hash.
    public init?(_ database: DiscoveredDatabase) {
        guard let message = HashMessage(database) else { return nil }
        self.init(code: message.code)
    }

    private init(code: UInt128) {
        octets = (0..<16).map { UInt8(truncatingIfNeeded: code >> UInt128(8 * $0)) }
    }

    /// Whether this is the hash whose number is `code`. Some servers send the most significant octet first: a hash of
    /// that many bits is not met by chance in either order.
    func matches(_ code: UInt128) -> Bool {
        octets == (0..<16).map { UInt8(truncatingIfNeeded: code >> UInt128(8 * $0)) }
            || octets == (0..<16).map { UInt8(truncatingIfNeeded: code >> UInt128(120 - 8 * $0)) }
    }
}

extension DatabaseHash: CustomStringConvertible {
    /// The octets in hexadecimal, as they are sent.
    public var description: String { octets.hexadecimal }
}

/// What the Database Hash is computed over.
struct HashMessage: Sendable {
    /// The message so far.
    private(set) var octets: [UInt8] = []

    private static let authenticator = CMAC(key: 0)

    init() {}

    /// Sixteen octets as a number, the first one the most significant.
    var code: UInt128 { Self.authenticator.code(of: octets) }

    /// How many blocks of sixteen octets have to be encrypted for the code.
    var blockCount: Int { octets.count / 16 + 1 }

    /// Appends an attribute, as far as its type counts. Attributes have to come in the order of their handles.
    mutating func append(_ handle: AttributeHandle, _ type: BluetoothUUID, _ value: [UInt8]) {
        guard let number = type.uint16 else { return }
        switch number {
        case 0x2800, 0x2801, 0x2802, 0x2803, 0x2900:
            append(handle, number)
            octets += value
        case 0x2901...0x2905: append(handle, number)
        default: break
        }
    }

    private mutating func append(_ handle: AttributeHandle, _ type: UInt16) {
        octets += [handle.rawValue.low, handle.rawValue.high, type.low, type.high]
    }

    /// Sets the type of an attribute that was appended as 0x2901 to 0x2905, whose handle stands at `position`.
    mutating func setType(_ type: UInt16, at position: Int) {
        octets[position + 2] = type.low
        octets[position + 3] = type.high
    }
}

extension HashMessage {
    /// The message for what was discovered; nil where an extended property is not known.
    init?(_ database: DiscoveredDatabase) {
        guard let attributes = Self.attributes(of: database) else { return nil }
        self.init(attributes)
    }

    /// What of a database enters the hash; nil where an extended property is not known.
    static func attributes(of database: DiscoveredDatabase) -> [HashedAttribute]? {
        var attributes: [HashedAttribute] = []
        for node in database.services {
            attributes.append(HashedAttribute(node.service))
            attributes += node.includes.map { HashedAttribute($0) }
            for node in node.characteristics {
                attributes.append(HashedAttribute(node.characteristic))
                for descriptor in node.descriptors {
                    guard let attribute = HashedAttribute(descriptor, of: node.characteristic) else { return nil }
                    attributes.append(attribute)
                }
            }
        }
        return attributes
    }

    /// The message for attributes in any order.
    init(_ attributes: [HashedAttribute]) {
        var positions: [AttributeHandle: Int] = [:]
        self.init(attributes, positions: &positions)
    }

    /// The message for attributes in any order.
    /// - Parameter positions: gets where each attribute stands in the message.
    init(_ attributes: [HashedAttribute], positions: inout [AttributeHandle: Int]) {
        self.init()
        for attribute in attributes.sorted(by: { $0.handle < $1.handle }) {
            positions[attribute.handle] = octets.count
            append(attribute.handle, attribute.type, attribute.value)
        }
    }
}

/// An attribute as far as the hash needs it.
struct HashedAttribute: Sendable {
    var handle: AttributeHandle
    var type: BluetoothUUID
    var value: [UInt8]

    init(_ service: Service) {
        handle = service.handle
        type = service.isPrimary ? .primaryService : .secondaryService
        value = service.uuid.attributeOctets
    }

    init(_ include: IncludedService) {
        handle = include.handle
        type = .include
        let (first, last) = (include.range.first.rawValue, include.range.last.rawValue)
        value = [first.low, first.high, last.low, last.high]
        // A longer UUID does not stand in the declaration (Vol 3, Part G, 3.2).
        if include.uuid.width == .bits16 { value += include.uuid.attributeOctets }
    }

    init(_ characteristic: Characteristic) {
        handle = characteristic.declarationHandle
        type = .characteristic
        let valueHandle = characteristic.valueHandle.rawValue
        value =
            [characteristic.properties.rawValue, valueHandle.low, valueHandle.high]
            + characteristic.uuid.attributeOctets
    }

    /// Nil for extended properties that were not read.
    init?(_ descriptor: Descriptor, of characteristic: Characteristic) {
        handle = descriptor.handle
        type = descriptor.uuid
        value = []
        if type == .characteristicExtendedProperties {
            guard let bits = characteristic.extendedProperties?.rawValue else { return nil }
            value = [bits.low, bits.high]
        }
    }

    /// A descriptor of a type of which only the handle counts.
    init(guessed type: BluetoothUUID, at handle: AttributeHandle) {
        self.handle = handle
        self.type = type
        value = []
    }
}

extension BluetoothUUID {
    /// The octets of the UUID in the form in which it was received.
    fileprivate var attributeOctets: [UInt8] {
        let form = width == .bits32 ? expanded : self
        return [UInt8](capacity: form.width.octetCount) { (output: inout OutputRawSpan) in output.append(form) }
    }
}

extension UInt16 {
    /// The less significant octet.
    var low: UInt8 { UInt8(truncatingIfNeeded: self) }
    /// The more significant octet.
    var high: UInt8 { UInt8(truncatingIfNeeded: self >> 8) }
}
