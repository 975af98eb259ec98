/* cores.h: this process's share of the machine's processors and memory, and the demand of other processes.
 *
 * Every function that reads the system's files takes a root folder: "" for the real one, another in tests. A file
 * that is missing or cannot be understood sets no limit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_THREADS 4096 /* largest number of threads that the user may set */

struct cores {
    int online;   /* processors of the machine */
    int affinity; /* processors on which this process may run */
    double quota; /* processor time per second that its cgroups allow, in seconds; 0: no limit */
};

/* Reads this process's affinity mask, and the lowest quota of its cgroups (v1 and v2) and their ancestors. */
struct cores cores_find(const char *root);

/* The number of cores, at least 1, available to each of `processes` gtrav processes on this machine. They share the
 * quota. A quota of 2.5 cores counts as 2, because a third thread would be stopped half of the time. */
int cores_free(const struct cores *cores, int processes);

/* The number of runnable threads on the whole machine, the caller included: the minimum of a few samples a
 * millisecond apart, so that a thread about to sleep does not count. Stops once it is at most `ours`. 0: unknown. */
int cores_wanted(const char *root, int ours);

/* Returns the clock of the processors in MHz: the mean from the kernel's driver, or else that of the first processor
 * in /proc/cpuinfo. 0: unknown. */
unsigned cores_mhz(const char *root);

/* Returns the size of all caches of the last level together, in bytes; 0: unknown. */
size_t cores_cache_bytes(const char *root);

/* Writes a hash of /etc/machine-id, since the id itself is confidential; "" if the machine has no id. */
void machine_hash(const char *root, char *text, size_t size);

/* How often the kernel has stopped the process's cgroups because their quota was used up. */
uint64_t cores_throttled(const char *root);

/* Returns how many more bytes the process can use: the least of the free memory of the machine, the free memory of
 * its cgroups (v2), and the limit of its address space. */
double memory_free(const char *root);

/* Limits how long OpenMP threads spin while they wait; the limit is lower if other programs run. A setting in the
 * user's environment wins. GCC's OpenMP reads the limit before main(), so this function restarts the program once. It
 * returns if there is nothing to change or the restart fails. Call it first in main(). */
void cores_bound_spinning(char *const argv[]);

/* Returns the number of threads for each of `processes` gtrav processes: OpenMP's if the user's environment sets it
 * to at most MAX_THREADS, else at most the free cores. */
int cores_default_threads(int processes);
