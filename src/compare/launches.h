/* launches.h: starts two commands in turns, as processes of their own. */
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
    const char *folder; /* gets the records: of the first command in `a`, of the other in `b` */
};

/* Starts each command `pairs` times, one process after the other; chance decides which one of a pair comes first, so
 * that neither side gains from the order. Progress is reported. A failed launch ends all: the status is STATUS_INPUT,
 * or that of the launch if it is one of this program's. */
int launches_run(const struct launches *launches, struct error *error);
