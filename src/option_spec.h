/* option_spec.h: an option of an algorithm, which --set name=value sets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An option: a whole number, or a choice among words, whose value is the index of the word. */
struct option_spec {
    const char *name;
    double default_value, minimum, maximum;
    const char *choices; /* "random|load-aware", or NULL for a whole number */
    const char *help;
    const char *paper;        /* the default with mode=paper, in the form of --set; NULL: default_value */
    const char *named_device; /* the default if the user names the device: it keeps the algorithm there; or NULL */
    bool for_tests;           /* a hook for tests; help does not show it */
};
#define MAX_OPTIONS 16 /* the list of an algorithm's options ends with a NULL name */

/* Define an option: a whole number, or a choice among words. Other fields may follow the help: .paper = "32" */
#define NUMBER_OPTION(NAME, DEFAULT, MINIMUM, MAXIMUM, ...)                                                            \
    {                                                                                                                  \
        .name = NAME, .default_value = DEFAULT, .minimum = MINIMUM, .maximum = MAXIMUM, .help = __VA_ARGS__            \
    }
#define CHOICE_OPTION(NAME, DEFAULT, CHOICES, ...)                                                                     \
    {                                                                                                                  \
        .name = NAME, .default_value = DEFAULT, .choices = CHOICES, .help = __VA_ARGS__                                \
    }

/* A hook for tests: forces code on small graphs that otherwise needs large ones. The first choice is "nothing". */
#define FORCE_OPTION(CHOICES)                                                                                          \
    CHOICE_OPTION("force", 0, "nothing|" CHOICES, "code that tests force on small graphs", .for_tests = true)

/* Defines the option mode, whose value paper restores the settings of the paper. what: settings without an option. */
#define MODE_OPTION(what) CHOICE_OPTION("mode", MODE_BEST, "best|paper", "paper: as in the paper: " what)
enum option_mode { MODE_BEST, MODE_PAPER };
static inline bool is_paper_mode(double mode) /* the option's value */
{
    return (int)mode == MODE_PAPER;
}

/* How a run prepares that would not fit into the memory otherwise (run/memory.h). */
enum memory_step {
    MEMORY_SUFFICES,
    MEMORY_COMPRESSED,
    MEMORY_UNPREPARED,
    MEMORY_IN_HOST,
    MEMORY_OTHER_ENGINE,
    NUM_MEMORY_STEPS
};

/* The values of an option compress=auto|0|1, which run/memory.c sets where the lists would not fit otherwise. */
enum compression { COMPRESS_AUTO, COMPRESS_NO, COMPRESS_YES };

/* The values of an option host-memory: what is kept in host memory, each with all before it. run/memory.c sets the
 * first with which the rest fits, where nothing would otherwise. */
enum host_memory { HOST_AUTO, HOST_NONE, HOST_LISTS, HOST_QUEUES, HOST_OFFSETS, HOST_RESULTS };
#define HOST_MEMORY_WORDS "auto|none|lists|queues|offsets|results"
