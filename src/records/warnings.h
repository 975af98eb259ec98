/* warnings.h: reasons not to trust a run's times, each one line. */
#pragma once

#include <stdint.h>

#define MAX_WARNINGS  5 /* the number of kinds below */
#define WARNING_BYTES 240

struct warnings {
    int count;
    char text[MAX_WARNINGS][WARNING_BYTES];
};

/* Warns if more threads are used than cores are available. Both are per process: see cores_free() in cores.h. */
void warn_of_threads(struct warnings *warnings, int threads, int free_cores);

/* Warns if other programs use the cores that this run needs. wanted: the result of cores_wanted(). processes: the
 * number of gtrav processes in `wanted`, with `threads` threads each. cores: those of the machine. */
void warn_of_load(struct warnings *warnings, int wanted, int processes, int threads, int cores);

/* Warns if times > 0: how often the kernel stopped the measurement because its cgroup's quota was used up. */
void warn_of_throttling(struct warnings *warnings, uint64_t times);

/* Warns if a GPU lowered its clocks. limits: why, as in struct machine_state. */
void warn_of_clocks(struct warnings *warnings, const char *limits);

/* Warns if the first trial took much longer than all others, or if the slowest took much longer than similar
 * trials. Times from different sources differ anyway, so only trials that traversed about the same number of edges
 * are compared. Resumed trials are left out, and a batch counts as one time. */
struct trial;
void warn_of_trials(struct warnings *warnings, const struct trial *trials, int num_trials);
