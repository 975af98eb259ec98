/* load_options.h: the options for loading a graph that users set by name, for command line, --help and library. */
#pragma once

#include "graph.h"

/* Rows by the kind of value. FLAG: a bool; CHOICE: an int, the index of one of the words; TEXT: a const char *. Each
 * has the option's name, its field in struct load_options, its value in --help (except a flag), and its help. */
#define LOAD_OPTIONS(FLAG, CHOICE, TEXT)                                                                               \
    FLAG("undirected", undirected, "add the reverse of every edge")                                                    \
    FLAG("directed", directed,                                                                                         \
         "take every row as one directed edge, even if the format's default is undirected (an SNB table of "           \
         "persons); a format that declares its graph undirected is refused")                                           \
    FLAG("cache", cache, "store the graph in binary form beside its file, and read that next time")                    \
    CHOICE("ids", ids, "auto|any|dense|text",                                                                          \
           "meaning of the ids in an edge list. dense: vertex numbers, with a vertex for every number up to the "      \
           "largest; any: whole numbers of 64 bits as names, with a vertex for each id in the file, in ascending "     \
           "order; text: the same with any text; auto: by the first lines, dense if possible; a file is then "         \
           "refused if dense means more than 1,000,000 vertices, of which under 1 in 16 occur in the file")            \
    TEXT("columns", columns, "A,B",                                                                                    \
         "the columns of sources and targets in an edge list, by their names in its first line or by number, from "    \
         "1 on (default: columns with names such as src and dst, else the first two)")                                 \
    CHOICE("header", header, "auto|yes|no",                                                                            \
           "whether the first row of an edge list names the columns (auto: if its ids are not numbers, but all "       \
           "other ids are, or if both are names such as src and dst and neither occurs below)")                        \
    CHOICE("header-counts", header_counts, "auto|yes|no",                                                              \
           "whether the first line of an edge list holds the numbers of vertices and edges (auto: if these "           \
           "numbers are right)")                                                                                       \
    TEXT("vertices", vertices, "FILE",                                                                                 \
         "a table of vertices for an edge list, so that vertices without edges are in the graph; their ids are in "    \
         "the first column, or in one with a name such as id")                                                         \
    TEXT("vertex-column", vertex_column, "A", "the column of the ids in the file of --vertices, by name or number")    \
    TEXT("weights", weights, "COLUMN|auto",                                                                            \
         "keep the edges' weights, which are ignored by default; an input without weights gets a hash of each edge's " \
         "ends, 1 to 255")

/* Sets one option. value: as on the command line; NULL for a flag, which also takes yes and no. A text must live as
 * long as the options. STATUS_INPUT for an unknown name or a wrong value. */
int load_options_set(struct load_options *options, const char *name, const char *value, struct error *error);

/* Returns a hash of all options that users set. */
uint64_t load_options_hash(const struct load_options *options);
