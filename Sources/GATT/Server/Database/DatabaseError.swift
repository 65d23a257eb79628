/// Why definitions of services make no database, and which of them it is about.
public struct DatabaseError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The handle asked for is not above the one before.
        case handleNotAscending(AttributeHandle, previous: AttributeHandle)
        /// No handle is left below 0x10000, or below the end that was asked for.
        case noHandleLeft
        /// The end asked for lies below the last attribute of the service.
        case endBelowLastAttribute(end: AttributeHandle, last: AttributeHandle)
        /// Two services share handles.
        case overlap(AttributeHandle, AttributeHandle)
        /// An include names a service that is not in the list.
        case noSuchService(Int)
        /// A value is longer than its maximum, or than the 512 octets an attribute may have.
        case valueTooLong(length: Int, maximum: Int)
    }

    /// Where it is: places in the lists of definitions, counted from 0.
    public struct Place: Hashable, Sendable {
        /// The service.
        public var service: Int
        /// The include in it.
        public var include: Int?
        /// The characteristic in it.
        public var characteristic: Int?
        /// The descriptor in the characteristic.
        public var descriptor: Int?

        public init(service: Int, include: Int? = nil, characteristic: Int? = nil, descriptor: Int? = nil) {
            self.service = service
            self.include = include
            self.characteristic = characteristic
            self.descriptor = descriptor
        }
    }

    /// What is wrong.
    public var kind: Kind
    /// Where it is.
    public var place: Place

    public init(_ kind: Kind, at place: Place) {
        self.kind = kind
        self.place = place
    }
}

extension DatabaseError: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .handleNotAscending(let handle, let previous):
            "handle \(handle) is not above \(previous), the handle before"
        case .noHandleLeft: "no handle is left for it"
        case .endBelowLastAttribute(let end, let last): "the end \(end) lies below the last attribute, \(last)"
        case .overlap(let first, let second): "the services at \(first) and \(second) share handles"
        case .noSuchService: "the included service does not exist"
        case .valueTooLong(let length, let maximum):
            "the value has \(length) octets, more than the \(maximum) it may have"
        }
    }
}
