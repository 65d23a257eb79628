public import GAP
public import Sockets

/// What to connect to.
public enum DeviceTarget: Sendable {
    /// A device by its address with the type, as a scan gave it.
    case address(DeviceAddress)
    /// A device by its six octets; whether they are a public or a random address is found by a short scan.
    case addressOfUnknownType(AddressOctets)
    /// The first device that advertises this name and accepts connections.
    case name(String)
    /// A virtual peripheral in this process: a built-in name or the path of a description.
    case virtual(String)
    /// An ATT bearer over a Unix socket of type SOCK_SEQPACKET at this path.
    case unix(String)
    /// A connected socket of which each datagram is one PDU.
    case socket(SeqPacketSocket)
}

extension DeviceTarget: CustomStringConvertible {
    /// As one writes it on the command line.
    public var description: String {
        switch self {
        case .address(let address): address.description
        case .addressOfUnknownType(let octets): octets.description
        case .name(let name): "name:\(name)"
        case .virtual(let name): "virtual:\(name)"
        case .unix(let path): "unix:\(path)"
        case .socket: "a given socket"
        }
    }
}
