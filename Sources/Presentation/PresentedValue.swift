internal import AssignedNumbers

/// A value that was read by its presentation format.
public struct PresentedValue: Hashable, Sendable {
    /// What the octets say.
    public enum Content: Hashable, Sendable {
        /// True or false.
        case boolean(Bool)
        /// An integer with its power of ten, or a medical number.
        case decimal(DecimalNumber)
        /// A number without sign of 128 bits that is larger than `DecimalNumber` holds; the exponent is not applied.
        case large(UInt128)
        /// An IEEE 754 number of 32 bits.
        case float32(Float)
        /// An IEEE 754 number of 64 bits.
        case float64(Double)
        /// Two numbers of 16 bits.
        case pair(UInt16, UInt16)
        /// Text, as the device sent it: control characters may be in it.
        case text(String)
    }

    /// What the octets say.
    public var content: Content
    /// The format by which they were read.
    public var format: PresentationFormat

    public init(content: Content, format: PresentationFormat) {
        self.content = content
        self.format = format
    }

    /// The sign of the unit, or its name where it has no sign; empty for no unit.
    public var unit: String {
        AssignedNumbers.unitSymbol(format.unit) ?? format.unitName ?? ""
    }
}

extension PresentedValue: CustomStringConvertible {
    /// The value with its unit: `21.00 °C`.
    public var description: String {
        let number: String
        switch content {
        case .boolean(let value): return value ? "true" : "false"
        case .text(let text): return "\"\(text)\""
        case .pair(let first, let second): number = "\(first), \(second)"
        case .decimal(let decimal): number = decimal.description
        case .large(let large): number = format.exponent == 0 ? "\(large)" : "\(large)e\(format.exponent)"
        case .float32(let value): number = "\(value)"
        case .float64(let value): number = "\(value)"
        }
        return unit.isEmpty ? number : "\(number) \(unit)"
    }
}
