/* pipe_output.h: output into pipes and sockets, whose readers may be slow, or never come. It ends when the user wants
 * to stop (progress.h): then what is written fails with EINTR, which error_errno() reports as an interruption. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

bool is_pipe(int descriptor);

/* A descriptor of a FIFO, opened for writing as soon as it has a reader, or of a device; -1: see errno. */
int pipe_open(const char *path);

/* A stream into a pipe; fclose() closes the descriptor. NULL: no memory. */
FILE *pipe_stream(int descriptor);
