/* ranks.h: the processes of one run, each a rank, on one machine or many. A process that nobody started as one of
 * several is rank 0 of 1, and what is here is then as good as nothing (ranks_alone.c); several need MPI
 * (ranks_mpi.c).
 *
 * "All": every rank calls it, from its main thread, in the same order. */
#ifndef GTRAV_RANKS_H
#define GTRAV_RANKS_H

#include <stdbool.h>

#include "../device.h"

struct ranks {
    int rank, size;
    int host_rank, host_size; /* the same among those of this machine */
};
const struct ranks *ranks(void);

/* Before anything else; ranks_close() in every case, with the status to exit with. A process that was started as one
 * of several where this build has no MPI: STATUS_INPUT. */
int ranks_open(struct error *error);
void ranks_close(int status);

/* All: where any has an error, each gets the worst one, with who had it. Once ranks do not answer any more, that is
 * an error of its own, and what is below does nothing. */
int ranks_agree(struct error *error);

/* All: every one gets rank 0's, the sum, or the most. */
void ranks_share(void *data, size_t bytes);
uint64_t ranks_sum(uint64_t value);
double ranks_most(double value);

/* All: from now on sums go by the GPUs within a machine (gpu_sum.h), where each of its ranks has one of its own. */
void ranks_join_gpus(const struct device *device);
bool ranks_have_joined_gpus(void);

/* All: rank 0 gets of each place the sum, or the least; what the others have is undefined then. */
void ranks_add_wide(uint64_t *values, size_t count);
void ranks_add(uint32_t *values, size_t count);
void ranks_least(uint32_t *values, size_t count);

/* All: *gathered is on rank 0 what each rank gives, one after the other, for the caller to free; elsewhere NULL. */
int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error);

/* What is handed out on demand, numbered from 0: ranks_take() gives `count` numbers from the one that it returns on
 * to whoever calls, and to nobody else. Any thread of any rank may, after ranks_begin_taking() (all). Who finds
 * that there is no more gets numbers beyond the end; ranks_stop() makes it so for everyone from now on. if_stopped:
 * what is said at once when a signal comes that means all ranks, as mpirun sends it when one of them has died; it
 * must stay valid until ranks_end_taking(). */
void ranks_begin_taking(const char *if_stopped);
void ranks_end_taking(void);
uint64_t ranks_take(uint64_t count);
void ranks_stop(void);
void ranks_answer(void);    /* by the main thread, again and again, while its workers take: others may need it */
uint64_t ranks_taken(void); /* up to which number, as rank 0 knows; 0 elsewhere */

#endif
