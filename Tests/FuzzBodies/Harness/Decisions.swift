import Wire

/// Takes an input apart into decisions. It never fails: where the input has ended, every decision is the first one, so
/// that any prefix of an input is an input.
struct Decisions: ~Escapable {
    private let octets: RawSpan
    private var offset = 0

    @_lifetime(copy octets)
    init(_ octets: RawSpan) { self.octets = octets }

    /// Whether nothing is left to decide by.
    var isAtEnd: Bool { offset >= octets.byteCount }

    mutating func octet() -> UInt8 {
        guard offset < octets.byteCount else { return 0 }
        // In bounds by the line above.
        let octet = unsafe octets.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
        offset += 1
        return octet
    }

    mutating func number16() -> UInt16 {
        let low = octet()
        return UInt16(low) | UInt16(octet()) << 8
    }

    /// A number below `limit`, which is 1 to 256.
    mutating func number(below limit: Int) -> Int { Int(octet()) % limit }

    /// Yes or no.
    mutating func flag() -> Bool { octet() & 1 == 1 }

    /// Up to `maximum` octets, as many as a decision says and the input has.
    mutating func octets(upTo maximum: Int) -> [UInt8] {
        let wanted = maximum < 256 ? Int(octet()) : Int(number16())
        return take(min(wanted, maximum))
    }

    /// The next octets, as far as there are so many.
    mutating func take(_ count: Int) -> [UInt8] {
        let taken = min(max(count, 0), octets.byteCount - offset)
        let slice = octets.extracting(offset..<(offset + taken))
        offset += taken
        return [UInt8](octets: slice)
    }

    /// Everything that is left.
    mutating func rest() -> [UInt8] { take(octets.byteCount) }
}

extension RawSpan {
    /// The octets as text; what is no UTF-8 is replaced.
    var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}
