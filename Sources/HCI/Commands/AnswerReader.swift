/// Reads the status and the fields of return parameters. After a status that is no success, fields that are missing
/// read as zero: some controllers send only the status then (Core Specification, Vol 4, Part E, 7.7.14).
struct AnswerReader: ~Escapable {
    let status: StatusCode
    private var reader: OctetReader

    @_lifetime(copy octets)
    init(_ octets: RawSpan) throws(MalformedError) {
        reader = OctetReader(octets)
        status = StatusCode(rawValue: try reader.uint8())
    }

    private func isMissing(_ count: Int) -> Bool { !status.isSuccess && reader.remaining < count }

    mutating func uint8() throws(MalformedError) -> UInt8 { isMissing(1) ? 0 : try reader.uint8() }

    mutating func uint16() throws(MalformedError) -> UInt16 { isMissing(2) ? 0 : try reader.uint16() }

    mutating func uint64() throws(MalformedError) -> UInt64 { isMissing(8) ? 0 : try reader.uint64() }

    mutating func address() throws(MalformedError) -> AddressOctets {
        isMissing(6) ? AddressOctets(value: 0) : try reader.addressOctets()
    }

    mutating func octets(_ count: Int) throws(MalformedError) -> [UInt8] {
        if isMissing(count) { return [UInt8](repeating: 0, count: count) }
        return [UInt8](octets: try reader.octets(count))
    }
}
