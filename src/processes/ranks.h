/* ranks.h: the processes of one run, each a rank, on one machine or many. A process that was not started as one of
 * several is rank 0 of 1, and these functions are then no-ops (ranks_alone.c). Several processes need MPI
 * (ranks_mpi.c).
 *
 * "All" marks functions that every rank calls, from its main thread, in the same order. */
#pragma once

#include <stdbool.h>

#include "../device.h"

struct ranks {
    int rank, size;
    int host_rank, host_size; /* the same among the ranks of this machine */
};
const struct ranks *ranks(void);

/* ranks_open() comes before all other functions. Call ranks_close() in every case, with the exit status.
 * STATUS_INPUT if the process was started as one of several and this build has no MPI. */
int ranks_open(struct error *error);
void ranks_close(int status);

/* All: if any rank has an error, each gets the worst one, with the rank that had it. If ranks no longer answer,
 * that is an error of its own, and the functions below do nothing. */
int ranks_agree(struct error *error);

/* Whether some rank no longer answers. Any thread may call it. */
bool ranks_have_failed(void);

/* Sets the text that is printed at once when a signal to all ranks arrives, which mpirun sends when one of them has
 * died. NULL: none. The text must stay valid until the next call. */
void ranks_warn(const char *if_stopped);

/* All: every rank gets rank 0's value, the sum, or the maximum. */
void ranks_share(void *data, size_t bytes);
uint64_t ranks_sum(uint64_t value);
double ranks_most(double value);

/* All: whether every rank gave the same value. */
bool ranks_have_same(uint64_t value);

/* The first lets rank 0 use all processors of its machine while the other ranks wait for it; the second restores
 * its share. Nothing changes if the user has bound processes to processors or set OMP_NUM_THREADS. */
void ranks_borrow_processors(void);
void ranks_return_processors(void);

/* All: from now on the GPUs compute the sums within a machine (gpu_sum.h), if each of its ranks has a GPU of its
 * own. After ranks_leave_gpus() MPI computes them again, which is necessary when a GPU has failed. device is NULL
 * if this rank has no GPU or several; then no rank joins. */
void ranks_join_gpus(const struct device *device);
void ranks_leave_gpus(void);
bool ranks_have_joined_gpus(void);

/* All: rank 0 gets the sum, or the minimum, of each element; other ranks' arrays become undefined. */
void ranks_add_wide(uint64_t *values, size_t count);
void ranks_add(uint32_t *values, size_t count);
void ranks_least(uint32_t *values, size_t count);

/* All: on rank 0, *gathered becomes the data of all ranks in turn, which the caller frees; elsewhere NULL. */
int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error);

/* ---- communication while the ranks work ---- */

/* The data that rank 0 collects from the other ranks while all work, in rounds: in each round every other rank sends
 * one totals message. The functions are called by the main thread; unpack on rank 0, the others elsewhere. */
struct ranks_collection {
    void *context;
    size_t bytes; /* size of a totals message, the same on every rank */
    /* Whether the totals message of this round can be packed. It is called repeatedly until it returns true. */
    bool (*ready)(void *context, uint64_t round);
    const void *(*pack)(
        void *context); /* returns the totals message, which does not change until the next one is packed */
    void *incoming;     /* rank 0: bytes, where a totals message is received */
    void (*unpack)(void *context); /* called when a complete totals message is in incoming */
};

/* Numbers from 0 are handed out on demand: ranks_take() reserves `count` numbers, beginning with the one that it
 * returns, for its caller. Any thread of any rank may call it, from ranks_begin_work() (all) to
 * ranks_end_work() (all), which returns when all ranks have stopped taking numbers and every totals message has been
 * unpacked. When no work is left, callers get numbers beyond the end; ranks_stop() makes all later calls return
 * such numbers. collection must stay valid until the end; NULL: nothing is collected. */
void ranks_begin_work(const struct ranks_collection *collection);
void ranks_end_work(void);
uint64_t ranks_take(uint64_t count);
void ranks_stop(void);
void ranks_answer(void);    /* called repeatedly by the main thread while its workers take numbers */
uint64_t ranks_taken(void); /* how many numbers are taken, as far as rank 0 knows; 0 elsewhere */

/* The numbers are those of the thread that called ranks_begin_work(), so that several threads may hand out numbers
 * of their own (without MPI). A thread that it starts joins it, before it calls any of these functions: with what
 * ranks_work_counter() gave in the thread that it works for. */
struct work_counter *ranks_work_counter(void);
void ranks_join_work_counter(struct work_counter *taking);

/* Rank 0, any thread: begins the next round once the previous one is complete. Returns its number, from 1; 0 if it
 * is too late because the ranks have ended their work. */
uint64_t ranks_begin_round(void);
