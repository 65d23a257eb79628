/* What the benchmark needs of C: the reference codec it compares with, and counters. */
#ifndef CBENCHMARK_H
#define CBENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/* --- Counters -------------------------------------------------------------------------------------------------- */

/* Calls of malloc, calloc, realloc, memalign and their kin since the process began, by all threads. */
uint64_t benchmark_allocations(void);

/* How many octets are allocated now, what malloc needs for itself included. */
uint64_t benchmark_allocated_octets(void);

/* Nanoseconds of CPU time of this process. */
uint64_t benchmark_cpu_time(void);

/* Nanoseconds of a monotonic clock. */
uint64_t benchmark_clock(void);

/* Has the octets behind `pointer` looked at, as far as the compiler knows: what was stored there has to be there, and what
 * is read afterwards has to be read. Costs no instruction. Both sides of a comparison use it. */
static inline void benchmark_keep(const void *pointer) { __asm__ volatile("" : : "r"(pointer) : "memory"); }

/* Whether valgrind counts the instructions of this process, and this program was built to talk to it. */
int benchmark_is_counted(void);

/* Under callgrind: writes what was counted since the last mark to a file that carries `name`, and counts from 0. */
void benchmark_mark(const char *name);

/* --- The peer of the bearer benchmark --------------------------------------------------------------------------- */

/* Starts this program again as a server with `benchmark_peer`, and returns this side of the socket between the two; -1
 * with errno when that fails. */
int benchmark_start_peer(long *process, unsigned long count, unsigned long octets);

/* Waits until a peer has ended, which it does when the socket is closed. */
void benchmark_await_peer(long process);

/* Serves the socket it was started with until that is closed: answers reads with `octets` octets, counts write commands,
 * and answers a write of something else than 0 and then sends `count` notifications of `octets` octets. */
int benchmark_peer(unsigned long count, unsigned long octets);

/* --- The reference codec --------------------------------------------------------------------------------------- */

/* A case of the benchmark; the numbers are shared with the Swift side by these names. */
enum reference_case {
    REFERENCE_NOTIFICATION,
    REFERENCE_READ_BY_TYPE_RESPONSE,
    REFERENCE_READ_BY_GROUP_TYPE_RESPONSE,
    REFERENCE_FIND_INFORMATION_RESPONSE,
    REFERENCE_ERROR_RESPONSE,
    REFERENCE_WRITE_REQUEST,
    REFERENCE_PREPARE_WRITE_REQUEST,
    REFERENCE_READ_BY_TYPE_REQUEST,
    REFERENCE_ADVERTISING_REPORT,
    REFERENCE_EXTENDED_ADVERTISING_REPORT,
};

/* Decodes `rounds` packets out of a ring of `count` (a power of two) of `length` octets each, `stride` apart, and
 * returns a digest of every field; 0 stands for a packet that was refused. */
uint64_t reference_decode(enum reference_case which, const uint8_t *ring, size_t stride, size_t length, size_t count,
                          uint64_t rounds);

/* Encodes `rounds` packets from fields taken from a ring of values (`length` octets each), into `buffer` of `room`
 * octets, and returns a digest of what was written. */
uint64_t reference_encode(enum reference_case which, const uint8_t *ring, size_t stride, size_t length, size_t count,
                          uint64_t rounds, uint8_t *buffer, size_t room);

#endif
