/* Counters: allocations (by standing in for malloc), CPU time, and marks for an instruction counter outside. */
#define _GNU_SOURCE
#include "CBenchmark.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <time.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAS_CALLGRIND 1
#else
#define HAS_CALLGRIND 0
#endif

static atomic_uint_fast64_t allocations;

/* glibc's own entry points: the functions below call them after counting. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static inline void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

uint64_t benchmark_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

uint64_t benchmark_allocated_octets(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t benchmark_cpu_time(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t benchmark_clock(void) { return nanoseconds(CLOCK_MONOTONIC); }

int benchmark_is_counted(void) {
#if HAS_CALLGRIND
    return RUNNING_ON_VALGRIND != 0;
#else
    return 0;
#endif
}

void benchmark_mark(const char *name) {
#if HAS_CALLGRIND
    CALLGRIND_DUMP_STATS_AT(name);
#else
    (void)name;
#endif
}
