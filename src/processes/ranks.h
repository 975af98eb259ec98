/* ranks.h: the processes of one run, called ranks, on one machine or many. Several processes need MPI (ranks_mpi.c).
 * A process that was started alone is rank 0 of 1, and has nothing to exchange (ranks_alone.c).
 *
 * "All" marks functions that every rank calls, from its main thread, in the same order. */
#pragma once

#include "../device.h"

struct ranks {
    int rank, size;
    int host_rank, host_size; /* rank and size among the ranks of this machine */
};
const struct ranks *ranks(void);

/* ranks_open() comes before all other functions. Call ranks_close() in every case, with the exit status.
 * STATUS_INPUT if the process was started as one of several and this build has no MPI. */
int ranks_open(struct error *error);
void ranks_close(int status);

/* All: if any rank has an error, every rank gets the worst one, which then names its rank. If ranks no longer answer,
 * that is the error, and the functions below do nothing. */
int ranks_agree(struct error *error);

/* Whether some rank no longer answers. Any thread may call it. */
bool ranks_have_failed(void);

/* Sets a text to print at once when mpirun signals all ranks to stop, as it does when one of them has died. NULL:
 * none. The text must stay valid until the next call. */
void ranks_warn(const char *if_stopped);

/* All: every rank gets rank 0's value, the sum, or the maximum. */
void ranks_share(void *data, size_t bytes);
uint64_t ranks_sum(uint64_t value);
double ranks_most(double value);

/* All: whether every rank gave the same value. */
bool ranks_have_same(uint64_t value);

/* all: lets rank 0 use all processors of its machine while the other ranks wait for it. Otherwise rank 0 gets only
 * its share again. Nothing changes if the user has bound processes to processors or set OMP_NUM_THREADS. */
void ranks_borrow_processors(bool all);

/* All: from now on GPUs add up within a machine (gpu_sum.h), if each of its ranks has a GPU of its own. device: NULL if
 * this rank has none or several; then no rank joins. After ranks_leave_gpus(), as when a GPU failed, MPI adds up. */
void ranks_join_gpus(const struct device *device);
void ranks_leave_gpus(void);
bool ranks_have_joined_gpus(void);

/* All: rank 0 gets the sum, or the minimum, of each element; other ranks' arrays become undefined. */
void ranks_add(void *values, size_t count, size_t size); /* unsigned integers of 4 or 8 bytes */
void ranks_least(uint32_t *values, size_t count);

/* All: on rank 0, *gathered becomes the data of all ranks in turn, which the caller frees; elsewhere NULL. */
int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error);

/* ---- communication while the ranks work ---- */

/* Data that rank 0 collects while all ranks work. Each round, every other rank sends rank 0 one totals message. The
 * main threads call the functions: rank 0's calls unpack, the others' call ready and pack. */
struct ranks_collection {
    void *context;
    size_t bytes; /* size of a totals message, the same on every rank */
    /* Whether the totals message of this round can be packed. Called repeatedly until it returns true. */
    bool (*ready)(void *context, uint64_t round);
    const void *(*pack)(void *context); /* returns the totals message, which stays unchanged until the next call */
    void *incoming;                     /* rank 0: `bytes` bytes, into which a totals message is received */
    void (*unpack)(void *context);      /* takes the complete totals message in `incoming` */
};

/* Hands out work as numbers 0, 1, 2, ... ranks_take() reserves `count` consecutive numbers for its caller and returns
 * the first. Any thread of any rank may call it between ranks_begin_work() (all) and ranks_end_work() (all).
 * ranks_end_work() returns when all ranks have stopped taking numbers and every totals message has been unpacked. A
 * number past the last piece of work means that none is left; ranks_stop() makes all later calls return such numbers.
 * collection must stay valid until the end; NULL: nothing is collected. */
void ranks_begin_work(const struct ranks_collection *collection);
void ranks_end_work(void);
uint64_t ranks_take(uint64_t count);
void ranks_stop(void);
void ranks_answer(void);    /* called repeatedly by the main thread while its workers take numbers */
uint64_t ranks_taken(void); /* how many numbers are taken, as far as rank 0 knows; 0 elsewhere */

/* Without MPI each thread that calls ranks_begin_work() has its own counter. A worker thread first calls
 * ranks_join_work_counter(), with the value of ranks_work_counter() in the thread that created it. */
struct work_counter *ranks_work_counter(void);
void ranks_join_work_counter(struct work_counter *taking);

/* Rank 0, any thread: begins the next round once the previous one is complete. Returns the round's number, from 1; 0
 * if the ranks have already ended their work. */
uint64_t ranks_begin_round(void);

/* ---- in share_graph.c: so that only one process reads or generates a graph ---- */

struct graph;
/* All, if none has an error. On ranks other than 0, *graph must be empty, and becomes a copy of rank
 * 0's graph in memory of its own, even if rank 0 has mapped a .gtrav file. graph_release() frees it. If memory is
 * short on any rank, all get that error, and *graph stays empty on ranks other than 0. */
int share_graph(struct graph *graph, struct error *error);
