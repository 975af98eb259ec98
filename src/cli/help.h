/* help.h: --help, --man and --version, and the code that they share with the manual page: one function
 * for each table, independent of the page's format. */
#pragma once

#include <stdio.h>

#include "../algorithm.h"
#include "options.h"

/* Prints the help on "all", "brief", "options", "generators", "orders", a family ("bfs": its variants and their
 * options) or a variant ("bfs:auto"). Any other topic is STATUS_INPUT. In topics.c. */
int print_topic(FILE *file, const char *topic, struct error *error);

/* Prints the manual page of this build in roff's man macros, as ASCII. In manual.c. */
void print_manual(FILE *file, const char *version);

void print_help(FILE *file);
void print_usage(FILE *file); /* what gtrav is, and the synopses */
void print_version(FILE *file);

/* How a page prints a heading, and an entry of a table: its label and an explanation. */
struct page {
    void (*heading)(FILE *file, const char *title);
    void (*entry)(FILE *file, const char *label, const char *text);
};
extern const struct page plain_page; /* --help's */
void write_options(FILE *file, const struct page *page);
void write_generators(FILE *file, const struct page *page);
void write_reorderings(FILE *file, const struct page *page);
void write_columns(FILE *file, const struct page *page);

/* "threads of a block (default 512; 32 to 1024)", "which BFS (default auto; auto|khop|dobfs)" */
void describe_option(const struct option_spec *option, char *text, size_t size);

/* "Blest, full. From: Elbek and Kaya 2025. On the GPU; gives level, on request parent." */
void describe_algorithm(const struct algorithm *algorithm, char *text, size_t size);

extern const char what_it_is[];
extern const char *const synopses[]; /* ends with NULL */
extern const struct exit_status {
    int status;
    const char *meaning;
} exit_statuses[]; /* ends with a NULL meaning */
extern const struct example {
    const char *command, *meaning;
} examples[]; /* ends with a NULL command */
