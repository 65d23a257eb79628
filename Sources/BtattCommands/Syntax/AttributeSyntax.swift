// How an ATTRIBUTE is written on the command line.
//
// A number is a handle, decimal or hexadecimal after `0x`: 37, 0x0025. Nothing is discovered for it.
// Anything else is a path, of which every step is a UUID or an assigned name:
//
//   2a37                  the only characteristic 2A37 of the device
//   180d/2a37             service, characteristic
//   180d/2a37/2902        service, characteristic, descriptor
//   180d[2]/2a37[1]       the second service 180D, its first characteristic 2A37; counted from 1 by handle
//   heart_rate/heart_rate_measurement

import AssignedNumbers
package import CommandLineParsing
import GATT
package import Wire

/// An attribute as it was given on the command line.
package enum AttributeSyntax: Hashable, Sendable {
    /// An attribute handle, 0x0001 to 0xFFFF.
    case handle(UInt16)
    /// A path to be looked up among what the device has.
    case path(AttributePath)
}

/// A path to a characteristic or to one of its descriptors.
package struct AttributePath: Hashable, Sendable {
    /// One step of a path.
    package struct Step: Hashable, Sendable {
        /// The step as it was written.
        package var text: String
        /// The UUIDs that the step may stand for: one, or several that share a name.
        package var uuids: [BluetoothUUID]
        /// Which one of equals, counted from 1; `nil` when there should be only one.
        package var index: Int?
    }

    /// The service; `nil` for any.
    package var service: Step?
    /// The characteristic.
    package var characteristic: Step
    /// The descriptor; `nil` for the characteristic's value.
    package var descriptor: Step?
}

extension AttributeSyntax {
    /// Reads an ATTRIBUTE.
    /// - Throws: what is wrong, and at which character.
    package init(_ text: String) throws(ValueError) {
        if let handle = try readHandle(text) {
            self = .handle(handle)
            return
        }
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        let kinds: [AssignedNumbers.Kind]
        switch words.count {
        case 1: kinds = [.characteristic]
        case 2: kinds = [.service, .characteristic]
        case 3: kinds = [.service, .characteristic, .descriptor]
        default: throw ValueError("has \(words.count) steps; service/characteristic/descriptor are at most three")
        }
        var steps: [AttributePath.Step] = []
        var position = 0
        for (word, kind) in zip(words, kinds) {
            steps.append(try AttributePath.Step(word, as: kind, at: position))
            position += word.count + 1
        }
        switch steps.count {
        case 1: self = .path(AttributePath(characteristic: steps[0]))
        case 2: self = .path(AttributePath(service: steps[0], characteristic: steps[1]))
        default: self = .path(AttributePath(service: steps[0], characteristic: steps[1], descriptor: steps[2]))
        }
    }
}

extension AttributeSyntax {
    /// The attribute as it can be written.
    var text: String {
        switch self {
        case .handle(let handle): "\(AttributeHandle(handle))"
        case .path(let path):
            [path.service, path.characteristic, path.descriptor].compactMap { $0?.text }.joined(separator: "/")
        }
    }
}

/// The handle that `text` is; `nil` when it is not meant as one.
/// - Throws: when it is a number, but no handle.
func readHandle(_ text: String) throws(ValueError) -> UInt16? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHexadecimal ? text.dropFirst(2) : text[...]
    guard isHexadecimal || (!digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }) else { return nil }
    guard let number = UInt16(digits, radix: isHexadecimal ? 16 : 10), number > 0, digits.first != "+" else {
        throw ValueError("is no handle: 0x0001 to 0xffff, or 1 to 65535")
    }
    return number
}

extension AttributePath.Step {
    init(_ word: Substring, as kind: AssignedNumbers.Kind, at position: Int) throws(ValueError) {
        var name = word
        var index: Int?
        if let bracket = word.firstIndex(of: "[") {
            name = word[..<bracket]
            let place = position + name.count
            guard word.last == "]", let number = Int(word[word.index(after: bracket)...].dropLast()) else {
                throw ValueError("has \"\(word[bracket...])\" where [1], [2] and so on are expected", at: place)
            }
            guard number > 0 else { throw ValueError("counts from [1]", at: place) }
            index = number
        }
        guard !name.isEmpty else { throw ValueError("has an empty step", at: position) }
        self.init(text: String(word), uuids: try readUUIDs(String(name), as: kind, at: position), index: index)
    }
}

/// The UUIDs that a word stands for: itself, or those of an assigned name.
/// - Throws: when it is neither, with the nearest name.
func readUUIDs(_ word: String, as kind: AssignedNumbers.Kind, at position: Int? = nil) throws(ValueError)
    -> [BluetoothUUID]
{
    if let uuid = BluetoothUUID(word) { return [uuid] }
    let found = AssignedNumbers.uuids(named: word, as: kind)
    guard found.isEmpty else { return found }
    let isDigits = word.allSatisfy { $0.isHexDigit || $0 == "-" }
    guard !isDigits else {
        throw ValueError("has \"\(word)\", which is no UUID: 4, 8 or 32 digits", at: position)
    }
    let wanted = AssignedNumbers.identifier(word)
    let near = nearest(to: wanted, among: AssignedNumbers.identifiers(of: kind))
    throw ValueError(
        "has \"\(word)\", which is no UUID and no name of a \(kind)" + (near.map { "; did you mean \"\($0)\"?" } ?? ""),
        at: position)
}

extension ValueType<BluetoothUUID> {
    /// A UUID, or the assigned name of a kind of thing.
    static func uuid(of kind: AssignedNumbers.Kind) -> Self {
        // Characteristics are too many for a completion script.
        ValueType(
            completion: kind == .service
                ? .words(AssignedNumbers.identifiers(of: kind)) : .known(KnownWords.characteristic)
        ) {
            (text) throws(ValueError) in
            let found = try readUUIDs(text, as: kind)
            guard found.count == 1, let uuid = found.first else {
                let list = found.map(\.description).joined(separator: ", ")
                throw ValueError("is the name of several UUIDs (\(list)): give one of them")
            }
            return uuid
        }
    }
}

extension ValueType<UInt16> {
    /// An attribute handle.
    static var handle: Self {
        ValueType { (text) throws(ValueError) in
            guard let handle = try readHandle(text) else {
                throw ValueError("is no handle: 0x0001 to 0xffff, or 1 to 65535")
            }
            return handle
        }
    }
}

extension ValueType<AttributeSyntax> {
    /// An ATTRIBUTE.
    static var attribute: Self {
        ValueType(completion: .known(KnownWords.attribute)) { (text) throws(ValueError) in try AttributeSyntax(text) }
    }
}

extension ValueType<ValueSource> {
    /// A VALUE.
    static var value: Self { ValueType { (text) throws(ValueError) in try ValueSource(text) } }
}

extension ValueType<TargetSyntax> {
    /// A TARGET.
    static var target: Self {
        ValueType(
            completion: .words(["virtual:heart-rate", "virtual:thermometer", "virtual:torture", "name:", "unix:"])
        ) {
            (text) throws(ValueError) in try TargetSyntax(text)
        }
    }
}
