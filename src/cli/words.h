/* words.h: what a word on the command line names: a family of algorithms, a file, a generator, an order. */
#ifndef GTRAV_WORDS_H
#define GTRAV_WORDS_H

#include <stdbool.h>

#include "../graph/reorder.h"

/* The option that a word without one is short for: "algo" for the name of a family, while none is named yet; "graph"
 * for a generator's spec, a file, or "-". NULL: neither, and the error says what was probably meant. */
const char *word_option(const char *word, bool has_family, struct error *error);

/* STATUS_INPUT for what --graph cannot name: a generator that does not exist, or no file where a generator was
 * probably meant ("kron10"). Whether a file can be read, or a spec's numbers are right, is for graph_load() to find
 * out. */
int check_graph_word(const char *word, struct error *error);

/* What --reorder names; an unknown order is STATUS_INPUT, with a suggestion. */
int read_order_word(const char *word, struct reorder *reorder, struct error *error);

#endif
