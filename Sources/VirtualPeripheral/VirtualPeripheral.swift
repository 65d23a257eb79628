// Peripherals without hardware. A device file (`Fixtures/devices/README.md`) describes one: how it advertises, the
// attributes of its GATT server, and how it behaves. It is served in three ways:
//
// - by `VirtualRadio`, which advertises and connects devices inside this process;
// - by `UnixServer`, for clients on a Unix SEQPACKET socket;
// - by `VirtualDevice.serve`, on any connected socket that carries one PDU a datagram.
//
// What a client sees is a `ServerEngine` of the GATT module; the devices are the shell around it, on an event loop.

@_exported public import GAP
@_exported public import GATT
