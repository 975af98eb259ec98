/* inject.h: makes the N'th allocation, or the N'th operation on a file, fail. For test builds only.
 *
 * Linked into gtrav, inject.c takes the place of malloc, mmap, open and their like for all of the process, its
 * libraries included, and forwards to the sanitizer's or the C library's own. Environment:
 *
 *   GTRAV_FAULT=memory:N    the N'th allocation fails, from 1          GTRAV_FAULT=memory:N+   and all after it
 *   GTRAV_FAULT=files:N     the N'th open, write, rename, ... fails
 *   GTRAV_FAULT=device:N    the N'th allocation of a device fails (whoever emulates one calls fault_due)
 *   GTRAV_FAULT_CLOCK=1     each reading of the clock is 1 ms after the one before: measured times, and so the bytes
 * that they take in records, are the same in every run GTRAV_FAULT_LOG=FILE    what failed, and who had asked for it,
 * is appended to FILE */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts one call that kind ("memory", "files", "device") could fail; true: it must fail now. function and caller, a
 * return address, are for the log. */
bool fault_due(const char *kind, const char *function, void *caller);

#ifdef __cplusplus
}
#endif
