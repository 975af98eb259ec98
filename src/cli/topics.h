/* topics.h: --help TOPIC: what of the help concerns one thing. */
#ifndef GTRAV_TOPICS_H
#define GTRAV_TOPICS_H

#include <stdio.h>

#include "../error.h"

#define TOPIC_ALL   "all"
#define TOPIC_BRIEF "brief" /* the commonest commands: one screen of 80 columns and 24 lines */

/* Prints the help on "all", "brief", "options", "generators", "orders", a family ("bfs": its variants and their
 * options) or a variant ("bfs:auto"). Any other topic is STATUS_INPUT. */
int print_topic(FILE *file, const char *topic, struct error *error);

#endif
