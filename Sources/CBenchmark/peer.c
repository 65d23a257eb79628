/* The peer of the bearer benchmark: a server on a SEQPACKET socket that does as little as it can, in a process of its own,
 * so that what is measured is the client. */
#define _GNU_SOURCE
#include "CBenchmark.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the peer finds its end of the socket pair. */
enum { PEER_DESCRIPTOR = 3, BATCH = 32 };

extern char **environ;

int benchmark_start_peer(long *process, unsigned long count, unsigned long octets) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    char counts[24], lengths[24];
    snprintf(counts, sizeof counts, "%lu", count);
    snprintf(lengths, sizeof lengths, "%lu", octets);
    char *arguments[] = {"att-benchmark", "peer", counts, lengths, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], PEER_DESCRIPTOR);
    pid_t child = -1;
    int error = posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        errno = error;
        return -1;
    }
    /* The event loop wants its end not to block; the peer's end does. */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *process = child;
    return ends[0];
}

void benchmark_await_peer(long process) {
    while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR) {}
}

/* Sends `count` notifications of the value at handle 0x0010, as many a system call as it takes. */
static bool notify(unsigned long count, unsigned long octets) {
    static uint8_t packets[BATCH][3 + 512];
    static struct iovec places[BATCH];
    static struct mmsghdr messages[BATCH];
    for (int i = 0; i < BATCH; i++) {
        memset(packets[i], i, sizeof packets[i]);
        memcpy(packets[i], "\x1b\x10\x00", 3);
        places[i].iov_base = packets[i];
        places[i].iov_len = 3 + octets;
        messages[i].msg_hdr.msg_iov = &places[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    while (count > 0) {
        unsigned now = count < BATCH ? (unsigned)count : BATCH;
        int sent = sendmmsg(PEER_DESCRIPTOR, messages, now, 0);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) count -= (unsigned long)sent;
    }
    return true;
}

static bool answer(const void *octets, size_t length) {
    return send(PEER_DESCRIPTOR, octets, length, MSG_NOSIGNAL) == (ssize_t)length;
}

int benchmark_peer(unsigned long count, unsigned long octets) {
    static uint8_t value[1 + 512] = {0x0B};
    uint8_t request[2048];
    unsigned long commands = 0;
    ssize_t length;
    if (octets > 512) return 1;
    while ((length = recv(PEER_DESCRIPTOR, request, sizeof request, 0)) > 0) {
        bool sent = true;
        switch (request[0]) {
        case 0x02: sent = answer("\x03\x05\x02", 3); break;          /* Exchange MTU: 517 */
        case 0x0A:                                                   /* Read: how many commands came, then the value */
            memcpy(value + 1, &commands, sizeof commands);
            sent = answer(value, 1 + octets);
            break;
        case 0x52: commands++; break;                                /* Write Command */
        case 0x12:                                                   /* Write: whatever it is, notifications follow */
            sent = answer("\x13", 1) && (length < 4 || request[3] == 0 || notify(count, octets));
            break;
        default: {
            uint8_t refusal[5] = {0x01, request[0], 0, 0, 0x06};
            sent = answer(refusal, sizeof refusal);
        }
        }
        if (!sent) return 1;
    }
    return 0;
}
