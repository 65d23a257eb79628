#ifndef CTESTSUPPORT_HEAP_H
#define CTESTSUPPORT_HEAP_H

#include <stddef.h>

/// Octets of this process's heap that are allocated and not freed.
size_t allocated_octets(void);

#endif
