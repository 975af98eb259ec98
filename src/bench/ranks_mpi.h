/* ranks_mpi.h: what the two files that implement ranks.h by MPI share: ranks_mpi.c has the collective calls,
 * ranks_mpi_taking.c what happens while the ranks work. Only the main thread calls MPI. */
#ifndef GTRAV_RANKS_MPI_H
#define GTRAV_RANKS_MPI_H

#include <stdbool.h>

#include "../error.h"

/* Waits until all ranks have come here. False: some will not; nothing can be exchanged any more. */
bool ranks_meet(void);

/* From now on ranks_have_failed(). The first reason stays: it becomes the error of this process. */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
void ranks_give_up(const char *format, ...);

/* Says what ranks_warn() left, once, when this process has been told to stop. */
void ranks_say_if_stopped(void);

/* The channel for messages while the ranks work: after MPI_Init_thread, and before MPI_Finalize. */
int ranks_taking_open(struct error *error);
void ranks_taking_close(void);

#endif
