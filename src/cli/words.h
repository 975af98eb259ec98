/* words.h: the meaning of a word on the command line: a family of algorithms, a file, a generator, an order. */
#ifndef GTRAV_WORDS_H
#define GTRAV_WORDS_H

#include <stdbool.h>

#include "../graph/reorder.h"

/* The option for which a plain word stands: "algo" for the name of a family, if none was named before; "graph" for
 * a generator's spec, a file, or "-". NULL: neither; the error suggests what was probably meant. */
const char *word_option(const char *word, bool has_family, struct error *error);

/* STATUS_INPUT if the word is not a valid --graph: an unknown generator, or a missing file whose name resembles a
 * generator ("kron10"). graph_load() checks whether a file can be read and whether a spec's numbers are valid. */
int check_graph_word(const char *word, struct error *error);

/* Reads the value of --reorder. STATUS_INPUT, with a suggestion, for an unknown order. */
int read_order_word(const char *word, struct reorder *reorder, struct error *error);

#endif
