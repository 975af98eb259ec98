/* options.h: the table of the command line's options, which the parser, --help and the tests read.
 *
 * options.c also checks which options may be combined. It does not check that families, variants or files exist. */
#pragma once

#include "../device.h" /* enum device_choice */
#include "../graph/load_options.h"

/* How an option's value is read, and the type of its field in struct settings. */
enum value_kind {
    VALUE_NONE,     /* bool */
    VALUE_TEXT,     /* const char * */
    VALUE_OPTIONAL, /* const char *: the next argument unless it begins with '-', else the row's preset */
    VALUE_LIST,     /* struct word_list: each occurrence of the option adds a word */
    VALUE_NUMBER,   /* int, 1 to the row's maximum */
    VALUE_CHOICE    /* int, the index of one of the words in the row's value */
};

struct cli_option {
    const char *group; /* heading before this option in --help; NULL: no new heading */
    const char *name;  /* without the dashes */
    char letter;       /* 'o': -o is short for the name; 0: nothing is */
    enum value_kind kind;
    const char *value; /* the value's name in --help; for a choice its words: "auto|gpu|cpu" */
    const char *needs; /* an option that must also be given, or NULL */
    const char *help;
    const char *preset;   /* VALUE_OPTIONAL only */
    int maximum;          /* VALUE_NUMBER only */
    size_t field;         /* offset in the record that the table fills, such as struct settings */
    const char *detailed; /* VALUE_CHOICE: the word after which ":TEXT" may stand, or NULL */
    size_t detail;        /* offset of a const char * for that TEXT */
};
extern const struct cli_option cli_options[]; /* fill a struct settings; ends with a NULL name */
#define MAX_CLI_OPTIONS 56                    /* of a table */

/* A rule about which options fit together. */
struct rule {
    bool is_broken;
    const char *problem; /* "%s" in it stands for the family */
};
/* STATUS_INPUT with the problem of the first broken rule. The rules end with a NULL problem. */
int check_rules(const struct rule *rules, const char *family, struct error *error);

/* The parser's position in the arguments. */
struct cursor {
    const struct cli_option *table; /* ends with a NULL name */
    void *record;                   /* that the table fills; the items of a VALUE_LIST have room for argc words */
    int argc, next;
    char *const *argv;
    bool given[MAX_CLI_OPTIONS]; /* whether each row of the table was given */
};

/* Reads the option at argv[next], which begins with '-', and its value, and moves `next` past them. */
int read_option(struct cursor *cursor, struct error *error);

struct word_list {
    const char **items; /* owned; the words are argv's */
    int count;
};

/* Topics of --help besides tables and families (help.h). */
#define TOPIC_ALL   "all"
#define TOPIC_BRIEF "brief" /* the most common commands: one screen of 80 columns and 24 lines */

/* The command line's settings. Texts that were not given are NULL, numbers 0. */
struct settings {
    const char *algo;
    struct word_list variants, set;
    int device;          /* enum device_choice */
    const char *adapter; /* the ADAPTER of --device webgpu:ADAPTER */
    const char *gpus;
    int threads;

    struct word_list graphs;
    struct load_options load;
    const char *reorder;
    bool reverse;

    int sources, time_limit, max_depth; /* time_limit: seconds */
    const char *source, *sources_file, *targets, *pairs, *pair_columns;
    bool paths;
    int repeats;
    int verify; /* enum verify_mode */

    const char *csv, *output, *checkpoint, *write;
    int checkpoint_every; /* seconds */
    bool cold, energy, fresh, profile, output_parents, aggregates, json, trials, wide, quiet;

    bool list, is_long, info, version;
    const char *help; /* the topic, as print_topic() takes it */
};

/* Reads the arguments and checks that they fit together; stops at --help or --version. A word without an option is a
 * family or a graph. An error is STATUS_INPUT. Call settings_release() in every case. */
int settings_parse(int argc, char *const argv[], struct settings *settings, struct error *error);
void settings_release(struct settings *settings);

/* In streams.c: checks that no option writes to a file or standard stream that another one reads or writes. */

/* STATUS_INPUT in four cases: two options would read standard input; two would write data to standard output; the
 * checkpoint, which must be read again, is no regular file; an option would write to another's file or over records. */
int streams_check(const struct settings *settings, struct error *error);

/* Returns how many options read standard input. */
int streams_of_stdin(const struct settings *settings);

/* Returns the stream for tables: standard output, unless a graph or a result goes there; then standard error. */
FILE *streams_report(const struct settings *settings);
