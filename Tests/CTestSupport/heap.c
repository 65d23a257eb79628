#include "heap.h"

#include <malloc.h>

/// Sanitizers have an allocator of their own, which can be asked.
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t allocated_octets(void) {
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}
