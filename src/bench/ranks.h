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

/* Whether some rank does not answer any more. Any thread may ask. */
bool ranks_have_failed(void);

/* What is said at once when a signal comes that means all ranks, as mpirun sends it when one of them has died. NULL:
 * nothing. The text must stay valid until the next call. */
void ranks_warn(const char *if_stopped);

/* All: every one gets rank 0's, the sum, or the most. */
void ranks_share(void *data, size_t bytes);
uint64_t ranks_sum(uint64_t value);
double ranks_most(double value);

/* All: whether every rank gave the same value. */
bool ranks_have_same(uint64_t value);

/* Rank 0 may use all processors of its machine while the other ranks wait for it, and its own share again after
 * that. Nothing changes where the user has bound processes to processors or set OMP_NUM_THREADS. */
void ranks_borrow_processors(void);
void ranks_return_processors(void);

/* All: from now on sums go by the GPUs within a machine (gpu_sum.h), if each rank of it has one of its own; after
 * ranks_leave_gpus() they go by MPI again, as they must when a GPU has failed. device: NULL: this rank has none or
 * several, so no rank joins. */
void ranks_join_gpus(const struct device *device);
void ranks_leave_gpus(void);
bool ranks_have_joined_gpus(void);

/* All: rank 0 gets of each place the sum, or the least; what the others have is undefined then. */
void ranks_add_wide(uint64_t *values, size_t count);
void ranks_add(uint32_t *values, size_t count);
void ranks_least(uint32_t *values, size_t count);

/* All: *gathered is on rank 0 what each rank gives, one after the other, for the caller to free; elsewhere NULL. */
int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error);

/* ---- taking: what happens while the ranks work ---- */

/* What rank 0 collects from the other ranks while all work, round by round: in each round every other rank gives one
 * parcel. The functions are called by the main thread; pack and ready on ranks other than 0, unpack on rank 0. */
struct ranks_collection {
    void *context;
    size_t bytes; /* of a parcel, the same on every rank */
    /* Whether the parcel of this round can be packed. It is asked again and again until it can. */
    bool (*ready)(void *context, uint64_t round);
    const void *(*pack)(void *context); /* the parcel, which stays as it is until the next one is packed */
    void *incoming;                     /* rank 0: bytes; a parcel is received here */
    void (*unpack)(void *context);      /* a whole parcel is in incoming */
};

/* Numbers from 0 are handed out on demand: ranks_take() gives `count` numbers, from the one that it returns on, to
 * its caller and to nobody else. Any thread of any rank may call it, from ranks_begin_taking() (all) to
 * ranks_end_taking() (all), which returns once no rank takes any more and every parcel has been unpacked. When
 * nothing is left, a caller gets numbers beyond the end; ranks_stop() makes it so for everyone from now on.
 * collection: NULL: nothing is collected; it must stay valid until the end. */
void ranks_begin_taking(const struct ranks_collection *collection);
void ranks_end_taking(void);
uint64_t ranks_take(uint64_t count);
void ranks_stop(void);
void ranks_answer(void);    /* by the main thread, again and again, while its workers take */
uint64_t ranks_taken(void); /* up to which number, as rank 0 knows; 0 elsewhere */

/* Rank 0, any thread: begins the next round once the last is complete, and returns its number, from 1; 0: it is too
 * late, the ranks have ended their work. */
uint64_t ranks_begin_round(void);

#endif
