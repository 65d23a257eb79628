import ATT

/// The octets that a PDU encodes to.
func encoded(_ pdu: some PDU & ~Escapable) throws(EncodeError) -> [UInt8] {
    try [UInt8](capacity: 600) { output throws(EncodeError) in try pdu.encode(into: &output) }
}

/// The error of parsing octets as a type; `nil` when they are valid.
func malformation<P: PDU & ~Escapable>(_: P.Type, _ octets: [UInt8]) -> MalformedError? {
    do throws(MalformedError) {
        _ = try P(parsing: octets.octets)
        return nil
    } catch {
        return error
    }
}
