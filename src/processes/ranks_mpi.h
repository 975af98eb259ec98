/* ranks_mpi.h: functions shared by the two files that implement ranks.h by MPI. ranks_mpi.c has the collective calls,
 * ranks_mpi_work_counter.c the communication while the ranks work. Only the main thread calls MPI. */
#pragma once

#include "../error.h"

/* A barrier. Returns false if a rank has failed; after that nothing can be exchanged. */
bool ranks_meet(void);

/* Makes ranks_have_failed() true. The text of the first call becomes the error of this process. */
__attribute__((format(printf, 1, 2))) void ranks_give_up(const char *format, ...);

/* Prints the text of ranks_warn(), once, if this process has been told to stop. */
void ranks_say_if_stopped(void);

/* Open and close the channel for messages while the ranks work, between MPI_Init_thread and MPI_Finalize. */
int ranks_work_counter_open(struct error *error);
void ranks_work_counter_close(void);
