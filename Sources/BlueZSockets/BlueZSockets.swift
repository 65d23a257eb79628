// BlueZSockets: Bluetooth LE through the sockets of the Linux kernel, without bluetoothd.
//
// The kernel offers three sorts of Bluetooth socket (family AF_BLUETOOTH) that a central needs:
//
//     ┌──────────────────────────┬─────────────────────────────────────────┬──────────────────────────────────────────┐
//     │ HCI, raw channel         │ commands to and events from the         │ scanning, versions, features, RSSI       │
//     │                          │ controller, beside the kernel's own     │ (commands need CAP_NET_RAW)              │
//     │ HCI, control channel     │ the management interface                │ adapters that come, go, are switched     │
//     │ L2CAP, SEQPACKET, CID 4  │ the fixed ATT channel of one LE link:   │ the bearer of ATT                        │
//     │                          │ one datagram is one PDU                 │ (needs no rights)                        │
//     └──────────────────────────┴─────────────────────────────────────────┴──────────────────────────────────────────┘
//
// The kernel's host stack stays in charge: it makes the connections, pairs, fragments and reassembles. A raw HCI socket
// is a second voice on the same controller. Three consequences shape this module:
//
// - Everything the kernel says to the controller is heard here too, and answers are told apart by opcode only.
// - A scan that is started here collides with the kernel's own, which `connect` starts in order to find the device. A
//   scan is therefore paused around a connect (`ScanPauses`).
// - Nobody cleans up behind a raw scan. `Scanner` switches it off on every way out, and `CleanUp` on signals.
//
// Errors keep the kernel's error number or the controller's status, and say in words what failed, why, and what to try:
// `BluetoothSocketError`.
