// Sockets: the one place that calls the system, and the one thread that waits for it.
//
// A *bearer* of the Attribute Protocol is, in this project, a connected socket of type SOCK_SEQPACKET: one datagram is
// one PDU, in order, without loss, and the end of the connection is an event of the socket. The kernel's L2CAP sockets
// of Bluetooth LE have that type, and so have Unix domain sockets, which carry the same PDUs between two processes (or
// two ends in one process) on a machine without any radio.
//
// Layers, from below:
//
// - `SystemCalls` is the seam: every system call of the project goes through it, so that a test can put a table of
//   expected calls, results and error numbers in its place. `LinuxSystemCalls` is the kernel.
// - `EventLoop` is one thread that waits in epoll for descriptors, a timerfd for the next deadline and an eventfd for
//   work from other threads. It never polls and never sleeps. It is the executor of the actors that own sockets, so
//   their state needs no locks.
// - `SeqPacketSocket` owns a non-blocking descriptor: batches of datagrams in, single datagrams out, back-pressure and
//   the end of the connection as events.
