/// Advertising or scan response data: a lazy view over the received octets as a row of AD structures
/// (Core Specification, Vol 3, Part C, 11).
///
/// Nothing is copied and nothing is parsed before it is asked for. Every structure is kept, also of unknown type. A
/// structure that runs past the end stops the walk; `malformation` says where, and what came before stays good.
@frozen
public struct AdvertisingData: ~Escapable {
    /// All the octets, padding and malformed tail included.
    public let octets: RawSpan

    /// A view over `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
    }

    /// Whether there are no octets at all.
    @inlinable
    public var isEmpty: Bool { octets.isEmpty }

    /// A walk over the AD structures, in order of transmission.
    @inlinable
    @_lifetime(copy self)
    public func makeIterator() -> Iterator { Iterator(octets) }

    /// The number of whole AD structures.
    public var count: Int {
        var iterator = makeIterator()
        var count = 0
        while iterator.next() != nil { count &+= 1 }
        return count
    }

    /// Where and how the data is malformed; `nil` when it is well formed.
    public var malformation: Malformation? {
        var iterator = makeIterator()
        while iterator.next() != nil {}
        return iterator.malformation
    }

    /// How many octets the early termination covers: the zero length octet and everything after it, whatever it holds.
    public var paddingOctetCount: Int {
        var iterator = makeIterator()
        while iterator.next() != nil {}
        return iterator.paddingOctetCount
    }

    /// The data of the first structure of `type`; `nil` when there is none.
    @inlinable
    @_lifetime(copy self)
    public func first(_ type: ADType) -> RawSpan? {
        var iterator = makeIterator()
        while let structure = iterator.next() {
            if structure.type == type { return structure.data }
        }
        return nil
    }

    /// Whether some structure is of `type`.
    @inlinable
    public func contains(_ type: ADType) -> Bool { first(type) != nil }
}

extension AdvertisingData {
    /// A structure whose length runs past the end of the data.
    @frozen
    public struct Malformation: Hashable, Sendable {
        /// The offset of the length octet, from the start of the data.
        public let offset: Int
        /// What the length octet says: the octets that should follow it.
        public let declaredLength: Int
        /// The octets that do follow it.
        public let available: Int

        @inlinable
        public init(offset: Int, declaredLength: Int, available: Int) {
            self.offset = offset
            self.declaredLength = declaredLength
            self.available = available
        }
    }

    /// One AD structure.
    @frozen
    public struct Structure: ~Escapable {
        /// What it carries.
        public let type: ADType
        /// The octets after the type; may be empty.
        public let data: RawSpan
        /// The offset of its length octet, from the start of the advertising data.
        public let offset: Int

        @inlinable
        @_lifetime(copy data)
        init(type: ADType, data: RawSpan, offset: Int) {
            self.type = type
            self.data = data
            self.offset = offset
        }
    }

    /// A walk over AD structures. Ends at the end of the data, at an early termination or at a malformed structure.
    @frozen
    public struct Iterator: ~Escapable {
        @usableFromInline let octets: RawSpan
        @usableFromInline var offset = 0

        @usableFromInline var end: Malformation?
        @usableFromInline var padding = 0

        /// Where and how the data is malformed; known once `next()` has returned `nil`.
        @inlinable
        public var malformation: Malformation? { end }
        /// The octets of the early termination; known once `next()` has returned `nil`.
        @inlinable
        public var paddingOctetCount: Int { padding }

        @inlinable
        @_lifetime(copy octets)
        init(_ octets: RawSpan) {
            self.octets = octets
        }

        /// The next AD structure, or `nil` when there are no more.
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        public mutating func next() -> Structure? {
            guard offset < octets.byteCount else { return nil }
            // In bounds: `offset < byteCount`.
            let length = Int(unsafe octets.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
            let available = octets.byteCount &- offset &- 1
            guard length > 0 else {
                padding = octets.byteCount &- offset
                offset = octets.byteCount
                return nil
            }
            guard length <= available else {
                end = Malformation(offset: offset, declaredLength: length, available: available)
                offset = octets.byteCount
                return nil
            }
            let start = offset
            offset = start &+ 1 &+ length
            // In bounds: `1 <= length <= available`, hence `start + 2 <= start + 1 + length <= byteCount`.
            let type = unsafe octets.unsafeLoad(fromUncheckedByteOffset: start &+ 1, as: UInt8.self)
            let data = unsafe octets.slice(uncheckedFrom: start &+ 2, count: length &- 1)
            return Structure(type: ADType(rawValue: type), data: data, offset: start)
        }
    }
}

extension AdvertisingData.Malformation: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        "the AD structure at offset \(offset) declares \(declaredLength) octets, \(available) are left"
    }
}

/// Advertising data as an owned value, for keeping: the octets and nothing else.
public struct StoredAdvertisingData: Hashable, Sendable {
    /// The octets.
    public var octets: [UInt8]

    /// Keeps `octets`.
    public init(_ octets: [UInt8] = []) {
        self.octets = octets
    }

    /// A copy of the octets of `data`.
    public init(copying data: AdvertisingData) {
        octets = [UInt8](octets: data.octets)
    }

    /// The octets as AD structures.
    public var view: AdvertisingData {
        @_lifetime(borrow self)
        get { AdvertisingData(octets.octets) }
    }
}
