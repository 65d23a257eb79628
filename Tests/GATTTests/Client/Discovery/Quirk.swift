import GATT

/// Servers that do not answer as the short plan would like.
enum Quirk: CaseIterable {
    /// Characteristics of more than one service at once: Request Not Supported.
    case refusesWideRanges
    /// The same, with an answer that is none.
    case garblesWideRanges
    /// Descriptors by type: Read Not Permitted.
    case refusesDescriptorsByType
    /// Descriptors by type: Insufficient Encryption.
    case wantsEncryptionForDescriptors
    /// Descriptors by type: as if there were none.
    case hidesDescriptorsByType
    /// Descriptors by type: nonsense.
    case garblesDescriptorsByType
    /// The MTU: Request Not Supported.
    case refusesMTU
    /// One entry in each answer.
    case answersOneByOne
    /// Entries in descending order.
    case answersBackwards

    /// The answer in place of the server's.
    func answer(to pdu: [UInt8], _ database: AttributeDatabase) -> [[UInt8]]? {
        func refuse(_ code: UInt8) -> [[UInt8]] { [[0x01, pdu[0], pdu[1], pdu[2], code]] }
        let isByType = pdu[0] == 0x08
        let type = isByType && pdu.count == 7 ? UInt16(pdu[5]) | UInt16(pdu[6]) << 8 : 0
        let isDescriptor = type >= 0x2900 && type < 0x2940
        let first = AttributeHandle(pdu.count > 2 ? UInt16(pdu[1]) | UInt16(pdu[2]) << 8 : 0)
        let last = AttributeHandle(pdu.count > 4 ? UInt16(pdu[3]) | UInt16(pdu[4]) << 8 : 0)
        let service = database.attributes.last { $0.type.isService && $0.handle <= first }
        let isWide = (type == 0x2803 || type == 0x2802) && (service?.groupEnd ?? 0) < last
        switch self {
        case .refusesWideRanges: return isWide ? refuse(0x06) : nil
        case .garblesWideRanges: return isWide ? [[0x09, 0x00]] : nil
        case .refusesDescriptorsByType: return isDescriptor ? refuse(0x02) : nil
        case .wantsEncryptionForDescriptors: return isDescriptor ? refuse(0x0F) : nil
        case .hidesDescriptorsByType: return isDescriptor ? refuse(0x0A) : nil
        case .garblesDescriptorsByType: return isDescriptor ? [[0x09, 0x04, 0x00, 0x00, 0x01]] : nil
        case .answersOneByOne, .answersBackwards: return nil
        case .refusesMTU: return pdu[0] == 0x02 ? [[0x01, 0x02, 0, 0, 0x06]] : nil
        }
    }

    /// What becomes of the server's answer.
    func change(_ answer: [UInt8], answering pdu: [UInt8]) -> [UInt8] {
        let header: Int
        let size: Int
        switch answer[0] {
        case 0x05: (header, size) = (2, answer[1] == 1 ? 4 : 18)
        case 0x07: (header, size) = (1, 4)
        case 0x09, 0x11: (header, size) = (2, Int(answer[1]))
        default: return answer
        }
        let entries = stride(from: header, to: answer.count, by: size).map { Array(answer[$0..<($0 + size)]) }
        switch self {
        case .answersOneByOne: return Array(answer[..<header]) + entries[0]
        case .answersBackwards: return Array(answer[..<header]) + entries.reversed().flatMap { $0 }
        default: return answer
        }
    }
}

extension BluetoothUUID {
    fileprivate var isService: Bool { self == .primaryService || self == .secondaryService }
}
