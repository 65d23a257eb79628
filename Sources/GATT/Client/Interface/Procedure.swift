/// A GATT procedure a client can be asked for (Core Specification, Vol 3, Part G, 4).
public enum Procedure: Hashable, Sendable {
    /// Exchange MTU (4.3.1), once per connection; a second one sends nothing. Ends with `.mtu`.
    case exchangeMTU

    /// Discover All Primary Services (4.4.1). Ends with `.services`.
    case discoverPrimaryServices(in: HandleRange = .all)
    /// Discover Primary Service by Service UUID (4.4.2). Ends with `.services`. With `stopsEarly` a response that had room
    /// for one more is taken for the last; only a server that does not fill its responses has more.
    case discoverPrimaryServicesByUUID(BluetoothUUID, in: HandleRange = .all, stopsEarly: Bool = false)
    /// The secondary services, by the same request as the primary ones. Ends with `.services`.
    case discoverSecondaryServices(in: HandleRange = .all)
    /// Find Included Services (4.5.1). Ends with `.includes`.
    case findIncludedServices(in: HandleRange)
    /// Discover All Characteristics of a Service (4.6.1), or those with a UUID (4.6.2, compared on this side). Ends
    /// with `.characteristics`. When the range is all of a service nothing is asked for handles at its end that cannot hold
    /// a declaration and its value.
    case discoverCharacteristics(in: HandleRange, uuid: BluetoothUUID? = nil, isWholeService: Bool = false)
    /// Discover All Characteristic Descriptors (4.7.1): the type of every attribute in the range. Ends with
    /// `.descriptors`.
    case discoverDescriptors(in: HandleRange)
    /// Everything the server has, in as few requests as possible. Ends with `.database`.
    case discoverAll(DiscoveryOptions = DiscoveryOptions())

    /// Read a value or descriptor of any length up to 512 octets, from `offset` on (4.8.1, 4.8.3, 4.12.1, 4.12.2). Ends
    /// with `.value`.
    case read(AttributeHandle, offset: Int = 0)
    /// One Read Request, or one Read Blob Request when `offset` is above 0, and what it answers, complete or not. Ends
    /// with `.value`.
    case readOnce(AttributeHandle, offset: Int = 0)
    /// Read Using Characteristic UUID (4.8.2). Ends with `.handleValues`, which is never empty: a server without such
    /// an attribute answers Attribute Not Found. With `first` only the first response is asked for.
    case readByUUID(BluetoothUUID, in: HandleRange = .all, first: Bool = false)
    /// Read Multiple Characteristic Values (4.8.4), two or more of fixed length. Ends with `.value`: the values one
    /// after the other.
    case readMultiple([AttributeHandle])
    /// Read Multiple Variable Length Characteristic Values (4.8.5), two or more. Ends with `.values`, in the order
    /// asked for. What did not fit into the response is read by further requests.
    case readMultipleVariable([AttributeHandle])

    /// Write with response (4.9.3), as a long write (4.9.4) by itself when the value is longer than ATT_MTU − 3 or
    /// `offset` is above 0; up to 512 octets. Ends with `.done`.
    case write(AttributeHandle, [UInt8], offset: Int = 0)
    /// Write Without Response (4.9.1), up to ATT_MTU − 3 octets. Ends with `.done` once the PDU was handed over.
    case writeCommand(AttributeHandle, [UInt8])
    /// Signed Write Without Response (4.9.2), up to ATT_MTU − 15 octets, with the engine's `signer`; on an encrypted link
    /// Write Without Response instead, as `writeCommand`. Ends with `.done` once the PDU was handed over.
    case signedWriteCommand(AttributeHandle, [UInt8])
    /// Reliable Writes (4.9.5): all parts or none, each echoed by the server and compared. Ends with `.done`.
    case reliableWrite([ReliableWritePart])

    /// Tell the server what this client can do, by Client Supported Features (7.2); nothing is written when the server
    /// knows already. Ends with `.done`; a server without that characteristic answers Attribute Not Found.
    case announceFeatures(ClientFeatures)

    /// Switch notifications or indications on (4.10, 4.11). Ends with `.subscribed`.
    case subscribe(SubscriptionTarget, mode: SubscriptionMode = .automatic)
    /// End one subscription; the last one of a characteristic switches its notifications off. Ends with `.done`.
    case unsubscribe(valueHandle: AttributeHandle)
}

/// One value of a reliable write.
public struct ReliableWritePart: Hashable, Sendable {
    /// The attribute to write.
    public var handle: AttributeHandle
    /// Where in its value to begin.
    public var offset: Int
    /// What to write.
    public var value: [UInt8]

    public init(handle: AttributeHandle, offset: Int = 0, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

/// How and how much `discoverAll` asks.
public struct DiscoveryOptions: Hashable, Sendable {
    /// In what order a server is asked.
    public enum Plan: Hashable, Sendable {
        /// As few requests as possible: over the whole range, skipping what earlier answers rule out.
        case fewestRequests
        /// Service by service and characteristic by characteristic, as the specification describes it (Core
        /// Specification, Vol 3, Part G, 4.4 to 4.7); for servers that answer nothing else.
        case plain
    }

    /// In what order the server is asked.
    public var plan: Plan
    /// Whether secondary services are looked for.
    public var secondaryServices: Bool
    /// Whether includes are looked for.
    public var includes: Bool
    /// Whether the characteristics of the services are looked for.
    public var characteristics: Bool
    /// Whether the descriptors of the characteristics are looked for.
    public var descriptors: Bool
    /// The server's Database Hash, when it was read a moment ago: it is not read once more then.
    public var databaseHash: DatabaseHash?

    public init(
        plan: Plan = .fewestRequests, secondaryServices: Bool = true, includes: Bool = true,
        characteristics: Bool = true, descriptors: Bool = true, databaseHash: DatabaseHash? = nil
    ) {
        self.plan = plan
        self.secondaryServices = secondaryServices
        self.includes = includes
        self.characteristics = characteristics
        self.descriptors = descriptors
        self.databaseHash = databaseHash
    }

    /// Whether everything is looked for.
    var isComplete: Bool { secondaryServices && includes && characteristics && descriptors }
}

/// What a procedure found or did.
public enum Outcome: Hashable, Sendable {
    /// ATT_MTU of the bearer.
    case mtu(Int)
    /// Services in the order of their handles.
    case services([Service])
    /// Includes in the order of their handles.
    case includes([IncludedService])
    /// Characteristics in the order of their handles.
    case characteristics([Characteristic])
    /// Descriptors in the order of their handles.
    case descriptors([Descriptor])
    /// Everything the server has.
    case database(DiscoveredDatabase)
    /// One value, or several one after the other.
    case value([UInt8])
    /// Values and their handles.
    case handleValues([HandleValue])
    /// Several values in the order asked for.
    case values([[UInt8]])
    /// The subscription holds.
    case subscribed(ActiveSubscription)
    /// There is nothing to tell.
    case done
}

/// A value and the attribute it is of.
public struct HandleValue: Hashable, Sendable {
    /// The attribute.
    public var handle: AttributeHandle
    /// Its value.
    public var value: [UInt8]
    /// Whether the value may go on: a Read By Type Response cuts values at ATT_MTU − 4 and at 253 octets (Core
    /// Specification, Vol 3, Part F, 3.4.4.2). `Procedure.read` gets the rest.
    public var mayContinue: Bool

    public init(handle: AttributeHandle, value: [UInt8], mayContinue: Bool = false) {
        self.handle = handle
        self.value = value
        self.mayContinue = mayContinue
    }
}
