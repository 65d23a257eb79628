// The Generic Attribute Profile (Core Specification, Vol 3, Part G): what the attributes of ATT mean, and the procedures
// by which a client finds, reads, writes and watches them.
//
// A server's attributes form a tree. A *service* is a run of handles that starts with a service declaration; inside it
// stand *include* declarations, then *characteristics*: each a declaration, the value right after it, and descriptors up
// to the next declaration. Nothing on the wire says "tree": a client rebuilds it from lists of handles and types.
//
// This module does no I/O. `ClientEngine` and `ServerEngine` take PDUs and the time in and give actions out; the
// program around them owns the socket, the clock and the threads. The same engine therefore runs over a kernel socket,
// an in-process peripheral, a recorded transcript and a fuzzer, with the same results.

@_exported public import ATT
