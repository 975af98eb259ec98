/* load_options.h: the options of loading a graph that users set by name: one table for the command line, --help and
 * the library. */
#ifndef GTRAV_LOAD_OPTIONS_H
#define GTRAV_LOAD_OPTIONS_H

#include "graph.h"

/* Rows by the kind of value. FLAG: a bool; CHOICE: an int, the index of one of the words; TEXT: a const char *. Each
 * has the option's name, its field in struct load_options, its value in --help (but for a flag), and its help. */
#define LOAD_OPTIONS(FLAG, CHOICE, TEXT)                                                                             \
    FLAG("undirected", undirected, "add the reverse of every arc")                                                   \
    FLAG("cache", cache, "store the graph in binary form beside its file, and read that next time")                  \
    CHOICE("ids", ids, "auto|any|dense",                                                                             \
           "meaning of the ids in an edge list. dense: vertex numbers, with a vertex for every number up to the "    \
           "largest; any: names, with a vertex for each id in the file, in ascending order; auto: dense, but a "     \
           "file is refused if it has more than 1,000,000 vertices and fewer than 1 in 16 of them is in the file")

/* Sets one option. value: as on the command line; NULL for a flag, which also takes yes and no. A text must live as
 * long as the options. STATUS_INPUT for an unknown name or a wrong value. */
int load_options_set(struct load_options *options, const char *name, const char *value, struct error *error);

/* A hash of all that users set. */
uint64_t load_options_hash(const struct load_options *options);

#endif
