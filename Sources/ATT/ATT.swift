// The Attribute Protocol (Core Specification, Vol 3, Part F): every PDU as a type, over octets that somebody else owns.
//
// A server keeps a table of *attributes*. Each has a *handle* (0x0001–0xFFFF), a *type* (a UUID), a *value* of at most
// 512 octets and permissions. A client asks for them and a server answers; the two talk in PDUs over a *bearer*, which
// delivers whole PDUs in order (an L2CAP channel, for instance). Both devices of a link may play both roles at once.
//
// A PDU is one *opcode* octet and its parameters, least significant octet first. Bit 6 of the opcode is the Command
// Flag, bit 7 the Authentication Signature Flag. Six kinds of PDU exist:
//
//     request       client → server   answered by exactly one response or by an Error Response
//     response      server → client
//     command       client → server   never answered
//     notification  server → client   never answered
//     indication    server → client   answered by exactly one confirmation
//     confirmation  client → server
//
// How long a PDU may be is agreed per bearer (ATT_MTU, at least 23 octets on LE). The parsers here do not know it: the
// bearer's owner compares lengths, and gives an `OutputRawSpan` of ATT_MTU octets to the encoders.
//
// Every type parses one whole PDU, opcode included, or throws; it keeps borrowed spans and copies nothing. Lists are
// views that decode one entry at a time. Nothing in this module allocates, apart from the text of `describe(_:)` and
// of the descriptions.

@_exported public import Wire
