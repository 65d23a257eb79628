// The PDUs of the codec: what is decoded and encoded, and how every field ends up in a digest that the C reference
// computes too. Equal digests show that both sides did the same work.

import ATT
import CBenchmark

/// Folds a field into a digest.
@inline(__always)
func fold(_ digest: inout UInt64, _ field: UInt64) {
    digest = (digest ^ field) &* 0x9E37_79B9_7F4A_7C15
}

/// Folds a value into a digest, by its length and its first and last octets.
@inline(__always)
func fold(_ digest: inout UInt64, _ value: RawSpan) {
    fold(&digest, UInt64(value.byteCount))
    if value.byteCount > 0 {
        // In bounds: there is an octet.
        let first = unsafe value.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt8.self)
        let last = unsafe value.unsafeLoadUnaligned(fromUncheckedByteOffset: value.byteCount &- 1, as: UInt8.self)
        fold(&digest, UInt64(first) << 8 | UInt64(last))
    }
}

/// One kind of packet.
protocol CodecCase: SendableMetatype {
    static var name: String { get }
    static var reference: reference_case { get }
    /// One packet, to be varied in the octets of its fields.
    static var packet: [UInt8] { get }
    /// The offsets of the octets that may be varied without making the packet malformed.
    static var variable: [Range<Int>] { get }
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError)
    /// The octets of the value that `encode` takes; `nil` where there is nothing to encode.
    static var valueLength: Int? { get }
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
}

extension CodecCase {
    static var valueLength: Int? { nil }
    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {}
}

func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) } }

protocol NotificationCase: CodecCase {}

extension NotificationCase {
    static var reference: reference_case { REFERENCE_NOTIFICATION }
    static var packet: [UInt8] { [0x1B, 0x10, 0x00] + counting(valueLength ?? 0) }
    static var variable: [Range<Int>] { [1..<packet.count] }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try HandleValueNotification(parsing: packet)
        fold(&digest, UInt64(pdu.handle.rawValue))
        fold(&digest, pdu.value)
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try HandleValueNotification(handle: AttributeHandle(rawValue: a), value: value).encode(into: &output)
    }
}

enum Notification20: NotificationCase {
    static let name = "notification 20 B"
    static var valueLength: Int? { 20 }
}

enum Notification244: NotificationCase {
    static let name = "notification 244 B"
    static var valueLength: Int? { 244 }
}

enum ReadByTypeResponse3x7: CodecCase {
    static let name = "Read By Type Response 3×7"
    static var reference: reference_case { REFERENCE_READ_BY_TYPE_RESPONSE }
    static var packet: [UInt8] { [0x09, 7] + counting(21) }
    static var variable: [Range<Int>] { [2..<23] }
    static var valueLength: Int? { 5 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try ReadByTypeResponse(parsing: packet)
        var entries = pdu.entries.makeIterator()
        while let entry = entries.next() {
            fold(&digest, UInt64(entry.handle.rawValue))
            fold(&digest, entry.value)
        }
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try ReadByTypeResponse.begin(entryLength: 2 &+ value.byteCount, into: &output)
        for index in 0..<UInt16(3) {
            try ReadByTypeResponse.append(handle: AttributeHandle(rawValue: a &+ index), value: value, into: &output)
        }
    }
}

enum ReadByGroupTypeResponse3x6: CodecCase {
    static let name = "Read By Group Type Response 3×6"
    static var reference: reference_case { REFERENCE_READ_BY_GROUP_TYPE_RESPONSE }
    static var packet: [UInt8] { [0x11, 6] + counting(18) }
    static var variable: [Range<Int>] { [2..<20] }
    static var valueLength: Int? { 2 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try ReadByGroupTypeResponse(parsing: packet)
        var entries = pdu.entries.makeIterator()
        while let entry = entries.next() {
            fold(&digest, UInt64(entry.handle.rawValue))
            fold(&digest, UInt64(entry.endGroup.rawValue))
            fold(&digest, entry.value)
        }
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try ReadByGroupTypeResponse.begin(entryLength: 4 &+ value.byteCount, into: &output)
        for index in 0..<UInt16(3) {
            try ReadByGroupTypeResponse.append(
                handle: AttributeHandle(rawValue: a &+ index), endGroup: AttributeHandle(rawValue: b &+ index),
                value: value, into: &output)
        }
    }
}

enum FindInformationResponse5x16: CodecCase {
    static let name = "Find Information Response 5×16-bit"
    static var reference: reference_case { REFERENCE_FIND_INFORMATION_RESPONSE }
    static var packet: [UInt8] { [0x05, 1] + counting(20) }
    static var variable: [Range<Int>] { [2..<22] }
    static var valueLength: Int? { 0 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try FindInformationResponse(parsing: packet)
        var entries = pdu.entries.makeIterator()
        while let entry = entries.next() {
            fold(&digest, UInt64(entry.handle.rawValue))
            fold(&digest, entry.uuid.high)
            fold(&digest, entry.uuid.low)
        }
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try FindInformationResponse.begin(format: .uuid16, into: &output)
        for index in 0..<UInt16(5) {
            try FindInformationResponse.append(
                handle: AttributeHandle(rawValue: a &+ index), uuid: BluetoothUUID(b &+ index), format: .uuid16,
                into: &output)
        }
    }
}

enum ErrorResponseCase: CodecCase {
    static let name = "Error Response"
    static var reference: reference_case { REFERENCE_ERROR_RESPONSE }
    static var packet: [UInt8] { [0x01, 0x0A, 0x10, 0x00, 0x05] }
    static var variable: [Range<Int>] { [1..<5] }
    static var valueLength: Int? { 0 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try ErrorResponse(parsing: packet)
        fold(&digest, UInt64(pdu.requestOpcode.rawValue))
        fold(&digest, UInt64(pdu.handle.rawValue))
        fold(&digest, UInt64(pdu.code.rawValue))
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try ErrorResponse(
            requestOpcode: Opcode(rawValue: UInt8(truncatingIfNeeded: b)), handle: AttributeHandle(rawValue: a),
            code: ErrorCode(rawValue: UInt8(truncatingIfNeeded: b >> 8))
        ).encode(into: &output)
    }
}

enum WriteRequest20: CodecCase {
    static let name = "Write Request 20 B"
    static var reference: reference_case { REFERENCE_WRITE_REQUEST }
    static var packet: [UInt8] { [0x12, 0x10, 0x00] + counting(20) }
    static var variable: [Range<Int>] { [1..<23] }
    static var valueLength: Int? { 20 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try WriteRequest(parsing: packet)
        fold(&digest, UInt64(pdu.handle.rawValue))
        fold(&digest, pdu.value)
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try WriteRequest(handle: AttributeHandle(rawValue: a), value: value).encode(into: &output)
    }
}

enum PrepareWrite18: CodecCase {
    static let name = "Prepare Write Request 18 B"
    static var reference: reference_case { REFERENCE_PREPARE_WRITE_REQUEST }
    static var packet: [UInt8] { [0x16, 0x10, 0x00, 0x12, 0x00] + counting(18) }
    static var variable: [Range<Int>] { [1..<23] }
    static var valueLength: Int? { 18 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try PrepareWriteRequest(parsing: packet)
        fold(&digest, UInt64(pdu.handle.rawValue))
        fold(&digest, UInt64(pdu.valueOffset))
        fold(&digest, pdu.value)
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try PrepareWriteRequest(handle: AttributeHandle(rawValue: a), valueOffset: b, value: value)
            .encode(into: &output)
    }
}

enum ReadByTypeRequestCase: CodecCase {
    static let name = "Read By Type Request"
    static var reference: reference_case { REFERENCE_READ_BY_TYPE_REQUEST }
    static var packet: [UInt8] { [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28] }
    static var variable: [Range<Int>] { [1..<7] }
    static var valueLength: Int? { 0 }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let pdu = try ReadByTypeRequest(parsing: packet)
        fold(&digest, UInt64(pdu.first.rawValue))
        fold(&digest, UInt64(pdu.last.rawValue))
        fold(&digest, pdu.attributeType.high)
        fold(&digest, pdu.attributeType.low)
    }

    @inline(__always)
    static func encode(_ a: UInt16, _ b: UInt16, _ value: RawSpan, into output: inout OutputRawSpan) throws(EncodeError)
    {
        try ReadByTypeRequest(
            first: AttributeHandle(rawValue: a), last: 0xFFFF, attributeType: BluetoothUUID(b)
        ).encode(into: &output)
    }
}
