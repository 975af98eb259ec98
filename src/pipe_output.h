/* pipe_output.h: output into pipes and sockets, whose readers may be slow, or never come. Once the user wants to stop
 * (progress.h), writing fails with EINTR, which error_errno() reports as an interruption. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

bool is_pipe(int descriptor);

/* Opens a FIFO for writing, once it has a reader, or a device. Returns the descriptor; -1: see errno. */
int pipe_open(const char *path);

/* Returns a stream that writes into a pipe; fclose() closes the descriptor. NULL: out of memory. */
FILE *pipe_stream(int descriptor);
