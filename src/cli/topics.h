/* topics.h: --help TOPIC: the part of the help on one topic. */
#pragma once

#include <stdio.h>

#include "options.h"

/* Prints the help on "all", "brief", "options", "generators", "orders", a family ("bfs": its variants and their
 * options) or a variant ("bfs:auto"). Any other topic is STATUS_INPUT. */
int print_topic(FILE *file, const char *topic, struct error *error);
