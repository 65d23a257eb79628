#ifndef CLINUX_H
#define CLINUX_H
/* Parts of Linux that the Glibc module does not carry, and system calls whose C declarations Swift cannot import
   (variadic ioctl, recvmmsg behind _GNU_SOURCE). Thin: no logic lives here. */
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

/* One received datagram: where the kernel writes it, and what it reported. */
struct clinux_datagram {
    struct iovec place;
    uint32_t length;
    int32_t flags;
};

enum { CLINUX_BATCH_MAXIMUM = 32 };

/* Receives up to `count` (at most CLINUX_BATCH_MAXIMUM) datagrams: the number received, or -1 with errno set. */
int clinux_receive_many(int fd, struct clinux_datagram *datagrams, unsigned int count, int flags);

/* accept4 with flags; the peer's address is not asked for. */
int clinux_accept(int fd, int flags);

/* ioctl whose argument is an address, and ioctl whose argument is a number. */
int clinux_ioctl_pointer(int fd, unsigned long request, void *argument);
int clinux_ioctl_value(int fd, unsigned long request, long argument);

/* Arms a CLOCK_MONOTONIC timerfd at an absolute time in nanoseconds; 0 disarms it. */
int clinux_timer_set(int fd, uint64_t deadline_ns);
int clinux_timer_create(void);

/* Nanoseconds of CLOCK_MONOTONIC, and of CLOCK_REALTIME (since 1970, UTC). */
uint64_t clinux_monotonic_ns(void);
uint64_t clinux_realtime_ns(void);

/* Blocks every signal for the calling thread, so that handlers run on the program's own threads. */
int clinux_block_all_signals(void);
/* Catches `count` signals; the number of each that arrives is then read, as an int32_t, from the descriptor that this
   returns (non-blocking). The writing end stays open for the process's life: a handler may be running on any thread. */
int clinux_signal_descriptor(const int32_t *signals, unsigned int count);

int clinux_set_thread_name(const char *name);

/* POLLRDHUP, POLLHUP and the like of one descriptor without waiting: the events, or -1. */
int clinux_poll_now(int fd, int events);
#endif
