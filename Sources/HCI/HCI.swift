// The Host Controller Interface: what a host and its Bluetooth controller say to each other
// (Core Specification, Vol 4).
//
// Five kinds of packet, told apart on a transport by one octet before them (H4, Vol 4, Part A, 2):
//
//     01 command   host → controller    opcode (OGF << 10 | OCF), length, parameters
//     02 ACL data  both ways            handle and flags, 16-bit length, a fragment of an L2CAP frame
//     03 SCO data                       not used by LE
//     04 event     controller → host    code, length, parameters
//     05 ISO data  both ways            not used here
//
// A command is answered by Command Complete with its result, or, when the work takes longer, by Command Status at once
// and an event of its own later. Both carry Num_HCI_Command_Packets: how many commands the controller takes now.
// The answer's opcode may be 0x0000, which answers nothing and only says how many commands may be sent (4.4).
// Data flows by another credit: a host sends as many ACL packets as the controller has buffers and waits for Number Of
// Completed Packets; a connection's end gives back what was on its way (4.1.1). LE events come as one event code, 0x3E,
// with a subevent code in the first parameter (7.7.65).
//
// This module has those packets as views and encoders, names for the codes, and the two credit accounts. It opens
// nothing and waits for nothing.

@_exported public import GAP
@_exported public import Wire
