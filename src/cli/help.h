/* help.h: --help and --version. */
#pragma once

#include "../algorithm.h"
#include "options.h"

/* Prints the help on "all", "brief", "options", "generators", "orders", a family ("bfs": its variants and their
 * options) or a variant ("bfs:auto"). Any other topic is STATUS_INPUT. In topics.c. */
int print_topic(FILE *file, const char *topic, struct error *error);

void print_help(FILE *file);
void print_usage(FILE *file); /* what gtrav is, and the synopses */
void print_version(FILE *file);

/* Each prints one table. */
void print_options(FILE *file, const struct cli_option *table);
void write_options(FILE *file);
void write_generators(FILE *file);
void write_reorderings(FILE *file);

/* "threads of a block (default 512; 32 to 1024)", "which BFS (default auto; auto|khop|dobfs)" */
void describe_option(const struct option_spec *option, char *text, size_t size);

/* "Blest, full. From: Elbek and Kaya 2025. On the GPU; gives level, on request parent." */
void describe_algorithm(const struct algorithm *algorithm, char *text, size_t size);

/* "  label   text", with the text wrapped and indented. */
void print_entry(FILE *file, const char *label, const char *text);

struct example {
    const char *command, *meaning;
};
