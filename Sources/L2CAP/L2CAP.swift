// The Logical Link Control and Adaptation Protocol on LE (Core Specification, Vol 3, Part A).
//
// Everything on an LE connection is an L2CAP frame: a 16-bit length, a 16-bit channel identifier, and the payload. The
// length counts the payload only. Three channels are always there: 4 for ATT, 5 for L2CAP's own signalling, 6 for the
// Security Manager (3.1; 2.1, Table 2.2).
//
//     ┌────────┬─────┬──────────────────────┐         one frame
//     │ length │ CID │ payload              │
//     └────────┴─────┴──────────────────────┘
//     ├─ first fragment ──┤├ continuing ┤├─┤         as ACL packets, cut anywhere
//
// The controller carries a frame in ACL packets, cut where it likes, even within the four octets of the header; only the
// first is marked as such, and a continuing one has no header (7.2). A first one before the frame is whole, or octets
// beyond the declared length, mean that something was lost: the broken frame is thrown away and the next one is good.
//
// A signalling command has a code, an identifier that its answer repeats, and a 16-bit length (4). A central must answer
// what it does not understand with Command Reject, and a peripheral's wish for other connection parameters with yes or no.

@_exported public import Wire
