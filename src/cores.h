/* cores.h: which share of the machine's processors this process has, and who else wants them.
 *
 * Every function that looks at the system takes the folder that stands for the root of its files: "" for the real
 * one, another in tests. A file that is missing or cannot be understood sets no limit. */
#ifndef GTRAV_CORES_H
#define GTRAV_CORES_H

#include <stdbool.h>
#include <stdint.h>

struct cores {
    int online;   /* processors of the machine */
    int affinity; /* of these, the ones that the process may run on */
    double quota; /* processors' worth of time that its cgroups grant it; 0: no limit */
};

/* Affinity mask and cgroup quota (v1 and v2, the tightest of all ancestors) of this process. */
struct cores cores_find(const char *root);

/* The cores that each of `processes` processes of ours on this machine can count on: at least 1. They share the
 * quota; a quota of 2.5 cores is 2, because a third thread would be stopped half of the time. */
int cores_free(const struct cores *cores, int processes);

/* Threads of the whole machine that want a processor right now, the caller included: the least of a few looks, a
 * millisecond apart, so that one that is about to sleep does not count. It stops looking once there are no more than
 * `ours`. 0: unknown. */
int cores_wanted(const char *root, int ours);

/* How often the kernel has stopped the process's cgroups because their quota was used up. */
uint64_t cores_throttled(const char *root);

/* Bounds how long OpenMP threads spin while they wait, unless the user's environment says how they wait: less where
 * other programs run. GCC's OpenMP reads that once, before main(), so this starts the program again, once; it returns
 * if there is nothing to change or if that fails. Call it first thing in main(). */
void cores_bound_spinning(char *const argv[]);

/* The user's environment sets the number of OpenMP threads. */
bool cores_threads_are_set(void);

#endif
