/* warnings.h: reasons not to trust a run's times, each told in one line and only where it is true. */
#ifndef GTRAV_WARNINGS_H
#define GTRAV_WARNINGS_H

#include <stdint.h>

#define MAX_WARNINGS  6 /* as many kinds as there are below */
#define WARNING_BYTES 240

struct warnings {
    int count;
    char text[MAX_WARNINGS][WARNING_BYTES];
};

/* More threads than cores are free to this process; threads: of one process, as cores.h has `free_cores`. */
void warn_of_threads(struct warnings *warnings, int threads, int free_cores);

/* Warns if other programs need the cores that this run wants. wanted: what cores_wanted() says; our own processes are
 * in it, and are about to run so many threads each, on `cores` cores of the machine. */
void warn_of_load(struct warnings *warnings, int wanted, int processes, int threads, int cores);

/* The kernel has stopped the process so often while it was measured, because its cgroup's quota was used up. */
void warn_of_throttling(struct warnings *warnings, uint64_t times);

/* The first trial took much longer than all others; or the slowest did, compared with trials like it. Times from
 * different sources differ by themselves, so only trials are compared that have traversed about the same number of
 * edges; resumed ones are left out, and of a batch there is one time. */
struct trial;
void warn_of_trials(struct warnings *warnings, const struct trial *trials, int num_trials);

#endif
