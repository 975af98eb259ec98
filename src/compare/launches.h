/* launches.h: starts two commands in turns, each time as a new process. */
#pragma once

#include "../error.h"

/* A command of gtrav, without --csv, --repeats and the like. */
struct command {
    char *const *words; /* count; the first one is a program, or "gtrav" for this one */
    int count;
};

struct launches {
    struct command commands[2];
    int pairs;          /* launches of each command */
    int repeats;        /* for --repeats */
    const char *folder; /* for the records of both commands */
};

/* Writes the path of the records of command 0, `a` in the folder, or of command 1, `b`. Cuts off a path that is too
 * long. */
#define SIDE_PATH_BYTES 4096
void launches_path(const char *folder, int side, char path[SIDE_PATH_BYTES]);

/* Starts each command `pairs` times, one process after the other; chance decides which one of a pair comes first, so
 * that neither side gains from the order. Progress is reported. A failed launch ends all of them, with its status
 * if that is STATUS_WRONG or STATUS_DEVICE, otherwise with STATUS_INPUT. */
int launches_run(const struct launches *launches, struct error *error);
