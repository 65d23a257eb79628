#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int clinux_receive_many(int fd, struct clinux_datagram *datagrams, unsigned int count, int flags) {
    struct mmsghdr headers[CLINUX_BATCH_MAXIMUM];
    if (count > CLINUX_BATCH_MAXIMUM) count = CLINUX_BATCH_MAXIMUM;
    for (unsigned int i = 0; i < count; i++) {
        headers[i].msg_hdr = (struct msghdr){.msg_iov = &datagrams[i].place, .msg_iovlen = 1};
        headers[i].msg_len = 0;
    }
    int received = recvmmsg(fd, headers, count, flags, NULL);
    for (int i = 0; i < received; i++) {
        datagrams[i].length = headers[i].msg_len;
        datagrams[i].flags = headers[i].msg_hdr.msg_flags;
    }
    return received;
}

int clinux_accept(int fd, int flags) { return accept4(fd, NULL, NULL, flags); }

int clinux_ioctl_pointer(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

int clinux_ioctl_value(int fd, unsigned long request, long argument) { return ioctl(fd, request, argument); }

int clinux_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int clinux_timer_set(int fd, uint64_t deadline_ns) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = (time_t)(deadline_ns / 1000000000u);
    when.it_value.tv_nsec = (long)(deadline_ns % 1000000000u);
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clinux_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

uint64_t clinux_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

int clinux_block_all_signals(void) {
    sigset_t all;
    sigfillset(&all);
    return pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/* For each signal, one more than the descriptor that its number is written to; 0 for none. */
static _Atomic int signal_writers[_NSIG];

/* Runs on any thread, between any two instructions: async-signal-safe calls only. */
static void forward_signal(int number) {
    int saved = errno;
    int writer = atomic_load(&signal_writers[number]);
    int32_t value = number;
    /* A reader that is gone, or too slow for hundreds of signals, misses this one. */
    if (writer > 0) (void)send(writer - 1, &value, sizeof value, MSG_DONTWAIT | MSG_NOSIGNAL);
    errno = saved;
}

int clinux_signal_descriptor(const int32_t *signals, unsigned int count) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    for (unsigned int i = 0; i < count; i++) {
        struct sigaction action = {.sa_handler = forward_signal, .sa_flags = SA_RESTART}, before;
        if (signals[i] <= 0 || signals[i] >= _NSIG || sigaction(signals[i], NULL, &before) < 0) {
            close(ends[0]);
            close(ends[1]);
            errno = EINVAL;
            return -1;
        }
        /* What the program was started to ignore (nohup, a shell's background job) stays ignored. */
        if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN) continue;
        sigfillset(&action.sa_mask);
        atomic_store(&signal_writers[signals[i]], ends[1] + 1);
        sigaction(signals[i], &action, NULL);
    }
    return ends[0];
}

int clinux_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

int clinux_poll_now(int fd, int events) {
    struct pollfd item = {.fd = fd, .events = (short)events};
    int ready = poll(&item, 1, 0);
    return ready < 0 ? -1 : item.revents;
}
