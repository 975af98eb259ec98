/* words.h: the meaning of a plain word on the command line: a family of algorithms, or a graph. */
#pragma once

#include <stdbool.h>

#include "../error.h"

/* The option for which a plain word stands: "algo" for the name of a family, if none was named before; "graph" for
 * a generator's spec, a file, or "-". NULL: neither; the error suggests what was probably meant. */
const char *word_option(const char *word, bool has_family, struct error *error);
