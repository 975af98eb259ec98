/* manual.c: --man, the manual page gtrav(1) in roff (man macros), from the tables that --help shows.
 *
 * Characters with a meaning in roff are escaped: backslashes, quotes, accents, a dot at the beginning of a line.
 * Every '-' is a minus sign, so that commands copied from the page work. */
#include "help.h"

#include <string.h>

#include "../algorithm_options.h"

#define LINE_COLUMNS 66 /* escapes add to them */

static const struct {
    char plain;
    const char *roff;
} escapes[] = {{'\\', "\\(rs"}, {'-', "\\-"},   {'"', "\\(dq"}, {'\'', "\\(aq"},
               {'`', "\\(ga"},  {'^', "\\(ha"}, {'~', "\\(ti"}};

static void write_escaped(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t row = 0;
        while (row < sizeof escapes / sizeof escapes[0] && escapes[row].plain != text[i])
            row++;
        if (row < sizeof escapes / sizeof escapes[0])
            fputs(escapes[row].roff, file);
        else
            fputc(text[i], file);
    }
}

/* ".MACRO text" */
static void write_macro(FILE *file, const char *macro, const char *text)
{
    fprintf(file, ".%s ", macro);
    write_escaped(file, text, strlen(text));
    fputc('\n', file);
}

static void write_text(FILE *file, const char *text)
{
    int column = 0;
    const char *word;
    for (size_t length; (length = next_word(&text, &word, ' ')) > 0; column += (int)length + 1) {
        if (column > 0 && column + (int)length > LINE_COLUMNS) {
            fputc('\n', file);
            column = 0;
        }
        fputs(column > 0 ? " " : word[0] == '.' ? "\\&" : "", file);
        write_escaped(file, word, length);
    }
    fputc('\n', file);
}

static void write_heading(FILE *file, const char *title)
{
    write_macro(file, "SS", title);
}

static void write_entry(FILE *file, const char *label, const char *text)
{
    fputs(".TP\n", file);
    write_macro(file, "B", label);
    write_text(file, text);
}

/* ---- sections that only the manual has ---- */

static const char *const description[] = {
    "gtrav loads or generates a graph, runs a traversal algorithm from the literature over many sources on a GPU or "
    "a CPU, checks the results, and prints the throughput in millions of traversed edges per second (MTEPS); --csv "
    "keeps records.",
    "A word without an option stands for one: the name of a family for --algo FAMILY; a file, a generator's spec or "
    "- (standard input) for --graph.",
    "The time of a trial, time_ms, is that of the whole search, from a graph on the device to the finished result. "
    "Of it, reset_ms is what resetting the state of the last search took before the traversal (0: the traversal does "
    "it), and kernel_ms the traversal alone, as its variant brackets it. Preparation (upload, orders, formats) is "
    "timed separately. If a result fails its check, the first bad vertex is named, the records mark it, and the exit "
    "status is 1.",
    "Without --variant, the family's default runs, which gtrav --list marks with a star. GPU algorithms run in the "
    "emulator if there is no GPU and a GPU variant is named, or with --device cpu-emulator: for their answers, not "
    "their times. --set seed=N then draws a random schedule, the same one for the same seed.",
    "--device webgpu runs the WebGPU variants on any GPU with a Vulkan driver, or on the CPU with Mesa's; gtrav "
    "--list names the adapters, of which --device webgpu:ADAPTER takes one. Environment: GTRAV_WEBGPU_LIBRARY names "
    "the library, GTRAV_WEBGPU_TIMEOUT the seconds after which a GPU counts as lost.",
    NULL};

struct entry {
    const char *label, *text; /* a NULL label ends a list */
};

static const struct entry environment[] = {
    {"OMP_NUM_THREADS", "CPU threads, at most 4096, unless --threads is given; OpenMP's other variables apply too"},
    {"OMP_WAIT_POLICY, GOMP_SPINCOUNT", "how CPU threads wait; without either they spin briefly, then sleep"},
    {"CUDA_VISIBLE_DEVICES", "the GPUs that gtrav can use, as for every CUDA program"},
    {"GTRAV_GRAPHS", "a folder in which generated graphs are kept, and read again by the same build"},
    {"GTRAV_EMULATOR_MB", "device memory of the emulator, in MB"},
    {0}};

static const struct entry files[] = {
    {"DIR/<device>/<family>_<variant>_perf.csv", "records of --csv: a row per run"},
    {"DIR/<device>/trials/<family>_<variant>_<graph>.csv", "the same, a row per trial"},
    {"DIR/<device>/<family>_<variant>_pairs.csv",
     "records of --csv with --pairs: a row per graph and number of pairs"},
    {"GRAPH.gtrav, GRAPH+undirected.gtrav, GRAPH+renumbered.gtrav", "the graph in binary form, by --cache"},
    {"OUTPUT.checkpoint", "the sums of closeness so far, until OUTPUT is written"},
    {0}};

static void write_entries(FILE *file, const char *section, const struct entry *entries)
{
    write_macro(file, "SH", section);
    for (; entries->label != NULL; entries++)
        write_entry(file, entries->label, entries->text);
}

static void write_algorithm(FILE *file, const struct algorithm *algorithm)
{
    char name[64], text[512];
    snprintf(name, sizeof name, "%s %s", algorithm->family, algorithm->variant);
    describe_algorithm(algorithm, text, sizeof text);
    write_entry(file, name, text);
    if (algorithm->options == NULL)
        return;
    fputs(".RS\n", file);
    for (const struct option_spec *option = NULL; (option = options_next_shown(algorithm, option)) != NULL;) {
        describe_option(option, text, sizeof text);
        write_entry(file, option->name, text);
    }
    fputs(".RE\n", file);
}

void print_manual(FILE *file, const char *version)
{
    static const struct page roff = {write_heading, write_entry};
    /* The header has no date, which would differ from build to build. Words are not broken at hyphens. */
    fputs(".TH GTRAV 1 \"\" \"gtrav ", file);
    write_escaped(file, version, strlen(version));
    fputs("\" \"User Commands\"\n.nh\n.SH NAME\ngtrav \\- ", file);
    write_text(file, what_it_is);
    fputs(".SH SYNOPSIS\n.nf\n", file);
    for (int i = 0; synopses[i] != NULL; i++)
        write_macro(file, "B", synopses[i]);
    fputs(".fi\n.SH DESCRIPTION\n", file);
    for (int i = 0; description[i] != NULL; i++) {
        fputs(i > 0 ? ".PP\n" : "", file);
        write_text(file, description[i]);
    }
    write_macro(file, "SH", "OPTIONS");
    write_options(file, &roff);
    write_generators(file, &roff);
    write_reorderings(file, &roff);
    write_columns(file, &roff);
    write_macro(file, "SH", "ALGORITHMS");
    write_text(file, "Each has its own options, for --set. An order that it takes is taken where neither "
                     "--reorder nor the file names one.");
    for (int i = 0; i < num_algorithms; i++)
        write_algorithm(file, algorithms[i]);
    write_macro(file, "SH", "EXIT STATUS");
    for (int i = 0; exit_statuses[i].meaning != NULL; i++) {
        char status[16];
        snprintf(status, sizeof status, "%d", exit_statuses[i].status);
        write_entry(file, status, exit_statuses[i].meaning);
    }
    write_entries(file, "ENVIRONMENT", environment);
    write_entries(file, "FILES", files);
    write_macro(file, "SH", "EXAMPLES");
    for (int i = 0; examples[i].command != NULL; i++)
        write_entry(file, examples[i].command, examples[i].meaning);
    fputs(".SH SEE ALSO\n.BR mpirun (1)\n", file);
    fputs(".PP\n", file);
    write_text(file, "README.md and docs/ of the source: what the algorithms are, and what was measured.");
}
