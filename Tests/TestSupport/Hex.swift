import Wire

/// Literal octets in tests: `hex("1b 10 00 0a")`. Stops the test on a typing error.
public func hex(_ text: String) -> [UInt8] {
    guard let octets = [UInt8](hexadecimal: text) else { fatalError("not hexadecimal: \(text)") }
    return octets
}
