// From lines to a description. Each kind of block has a function that knows its keywords; `block` walks through the lines
// of one and sees to indentation and to keywords that are written twice. `Fixtures/devices/README.md` describes the format
// for people.

import GAP
import GATT
import Wire

extension DeviceDescription {
    /// The device a device file describes.
    /// - Parameter text: The whole file.
    /// - Throws: The first thing that is wrong, where, and what was expected.
    public init(parsing text: String) throws(DeviceFileError) {
        var parser = DeviceFileParser(lines: try DeviceFileLine.lines(of: text))
        self = try parser.device()
    }
}

/// Reads the lines of a device file in order.
struct DeviceFileParser {
    typealias Word = DeviceFileLine.Word

    let lines: [DeviceFileLine]
    /// The next line to read.
    var index = 0

    var services: [ServiceDefinition] = []
    var behaviours: [DeviceDescription.Place: CharacteristicBehaviour] = [:]
    /// Names given to services by `as`.
    var labels: [String: Int] = [:]
    /// Includes whose service may come later in the file.
    var includes: [(service: Int, include: Int, line: DeviceFileLine, name: Word)] = []
    /// Echoes whose characteristic may come later in the file.
    var echoes: [(service: Int, uuid: BluetoothUUID, line: DeviceFileLine)] = []
    /// Where each definition stands, for what is found wrong with all of them together.
    var places: [DatabaseError.Place: DeviceFileLine] = [:]

    init(lines: [DeviceFileLine]) {
        self.lines = lines
    }

    /// Reads the lines that belong to a line with this indentation, one call of `read` for each.
    /// - Parameters:
    ///   - indentation: The indentation of the line they belong to; -1 for the whole file.
    ///   - repeatable: Keywords that may occur more than once.
    mutating func block(
        under indentation: Int, repeatable: Set<String> = [],
        _ read: (inout DeviceFileParser, inout DeviceFileLine, Word) throws(DeviceFileError) -> Void
    ) throws(DeviceFileError) {
        guard index < lines.count, lines[index].indentation > indentation else { return }
        let own = lines[index].indentation
        var seen: [String: Int] = [:]
        while index < lines.count, lines[index].indentation > indentation {
            var line = lines[index]
            guard line.indentation == own else {
                throw line.error(
                    "the line is indented by \(line.indentation) spaces",
                    expected: "\(own) like the lines around it: what stands above takes no lines of its own, or others")
            }
            index += 1
            let keyword = try line.word("a keyword")
            if !repeatable.contains(keyword.text), let first = seen.updateValue(line.number, forKey: keyword.text) {
                throw line.error(keyword, "\"\(keyword.text)\" was already given in line \(first)")
            }
            try read(&self, &line, keyword)
            try line.end()
        }
    }

    /// The error of a keyword that means nothing here.
    func unknown(_ keyword: Word, in line: DeviceFileLine, _ known: String) -> DeviceFileError {
        line.error(keyword, "\"\(keyword.text)\" is not known here", expected: known)
    }

    // MARK: The device

    mutating func device() throws(DeviceFileError) -> DeviceDescription {
        guard var first = lines.first else {
            throw DeviceFileError(line: 1, column: 1, problem: "the file says nothing", expected: "device NAME")
        }
        let keyword = try first.word("device NAME")
        guard keyword.text == "device", first.indentation == 0 else {
            throw first.error(keyword, "the file begins with \"\(keyword.text)\"", expected: "device NAME")
        }
        let name = try first.string("the device's name")
        try first.end()
        index = 1
        var device = DeviceDescription(
            name: name, address: DeviceAddress(value: 0xC0DE_0000_0001, type: .random), advertising: nil)
        var advertises: Bool?
        try block(under: 0) { parser, line, keyword throws(DeviceFileError) in
            switch keyword.text {
            case "address": device.address = try line.address()
            case "mtu": device.configuration.mtu = Int(try line.number("the server's MTU", in: 23...2048))
            case "prepare-queue":
                device.configuration.maximumPreparedWrites = Int(
                    try line.number("how many parts it holds", in: 0...4096))
            case "attribute-not-long": device.configuration.answersAttributeNotLong = true
            case "unsupported":
                repeat {
                    let opcode = try line.number("the opcode of a request", in: 0x02...0x20)
                    device.configuration.unsupportedRequests.insert(Opcode(rawValue: UInt8(clamping: opcode)))
                    _ = line.comma()
                } while !line.isAtEnd
            case "disconnect-after": device.disconnectsAfter = try line.duration()
            case "bonded": device.security.hasKey = true
            case "pairs": device.acceptsPairing = true
            case "csrk": device.signingKey = try line.signingKey()
            case "advertise":
                advertises = !line.takes("never")
                if advertises == true { device.advertising = try parser.advertising(line, name: name) }
            default:
                throw parser.unknown(
                    keyword, in: line,
                    "address, advertise, mtu, prepare-queue, attribute-not-long, unsupported, bonded, pairs, csrk or "
                        + "disconnect-after")
            }
        }
        if advertises == nil { device.advertising = try Self.usualAdvertising(first, name: name) }
        try block(under: -1, repeatable: ["service", "secondary"]) { parser, line, keyword throws(DeviceFileError) in
            switch keyword.text {
            case "service": try parser.service(&line, isPrimary: true)
            case "secondary": try parser.service(&line, isPrimary: false)
            default: throw parser.unknown(keyword, in: line, "service or secondary")
            }
        }
        try resolve()
        device.services = services
        device.behaviours = behaviours
        return device
    }

    /// What can only be known when the whole file was read.
    private mutating func resolve() throws(DeviceFileError) {
        for (service, include, line, name) in includes {
            services[service].includes[include].service = try included(name, line)
        }
        for (service, uuid, line) in echoes {
            guard !services[service].characteristics.contains(where: { $0.uuid == uuid }) else { continue }
            throw line.error("the service has no characteristic \(uuid)", expected: "one to send what was written")
        }
        do throws(DatabaseError) {
            _ = try AttributeDatabase(services: services)
        } catch {
            let line = places[error.place] ?? places[.init(service: error.place.service)]
            throw DeviceFileError(
                line: line?.number ?? 1, column: (line?.indentation ?? 0) + 1, problem: error.description)
        }
    }

    private func included(_ name: Word, _ line: DeviceFileLine) throws(DeviceFileError) -> Int {
        if let labelled = labels[name.text] { return labelled }
        guard let uuid = BluetoothUUID(name.text) else {
            throw line.error(
                name, "no service is called \"\(name.text)\"",
                expected: "the UUID of a service, or its name after \"as\"")
        }
        let matches = services.indices.filter { services[$0].uuid == uuid }
        guard let match = matches.first else {
            throw line.error(name, "there is no service \(uuid)", expected: "a service of this file")
        }
        guard matches.count == 1 else {
            throw line.error(
                name, "there are \(matches.count) services \(uuid)",
                expected: "the name of one, given by \"service \(uuid) as NAME\"")
        }
        return match
    }
}

extension DeviceFileLine {
    /// Text up to the end of the line or in quotation marks, as a string that is not empty.
    mutating func string(_ what: String) throws(DeviceFileError) -> String {
        skipSpaces()
        let start = self
        let text = String(decoding: try self.text(), as: UTF8.self)
        guard !text.isEmpty else { throw start.error("the line ends too early", expected: what) }
        return text
    }

    /// A key for signed writes, and the counter that was used last.
    mutating func signingKey() throws(DeviceFileError) -> DeviceDescription.SigningKey {
        let expected = "32 hexadecimal digits, least significant octet first"
        let word = try word(expected)
        guard let octets = [UInt8](hexadecimal: word.text), octets.count == 16 else {
            throw error(word, "\"\(word.text)\" is no key", expected: expected)
        }
        guard takes("after") else { return .init(octets: octets) }
        return .init(
            octets: octets,
            lastCounter: UInt32(clamping: try number("the counter of the last signed write", in: 0...Int64(UInt32.max)))
        )
    }

    /// A device address and its type.
    mutating func address() throws(DeviceFileError) -> DeviceAddress {
        let expected = "an address such as C0:DE:00:00:00:01, then public or random"
        let word = try word(expected)
        if let address = DeviceAddress(word.text) { return address }
        guard let octets = AddressOctets(word.text) else {
            throw error(word, "\"\(word.text)\" is not an address", expected: expected)
        }
        return DeviceAddress(octets, type: try choice("address type", ["public": .public, "random": .random]))
    }
}
