/* help.c: --help and --version, from the tables of options, generators and algorithms. */
#include "help.h"

#include <string.h>

#include "../algorithm.h"
#include "../graph/generate.h"
#include "../graph/reorder.h"
#include "options.h"

#define HELP_COLUMNS 100
#define TEXT_COLUMN  32 /* where explanations begin */

static const char usage[] = "gtrav: graph traversal on GPU and CPU, measured and verified\n"
                            "\n"
                            "Usage: gtrav --algo FAMILY --graph FILE|SPEC [--graph ...] [OPTION...]\n"
                            "       gtrav --graph FILE|SPEC --info | --write FILE\n"
                            "       gtrav --list\n";

static const struct {
    const char *command, *meaning;
} examples[] = {
    {"gtrav --algo bfs --graph kron:20", "the family's default variant from 64 sources"},
    {"gtrav --algo bfs --variant all --graph web-Google.mtx --verify all", "all that run here, all checked"},
    {"gtrav --algo bfs --variant gap --set alpha=10 --graph road:14 --csv", "keep records under results/"},
    {"gtrav --algo bfs --graph grid:1000x1000 --source 0 --output levels.npy", "one result as an array"},
    {"gtrav --algo msbfs --graph snb:1 --pairs pairs.csv --paths", "the way from each source to its destination"},
    {"gtrav --algo closeness --graph kron:14 --output closeness.npy", "of every vertex; killed, it goes on again"},
    {"mpirun -n 4 gtrav --algo closeness --graph kron:22 --output c.npy", "a process a GPU; --gpus all: by one"},
    {"gtrav --info --graph web-Google.mtx --json", "what the graph is like, for a program"},
    {"gtrav --graph rgg:20 --write rgg20.mtx", "generate or convert"},
    {"gtrav --algo bfs --graph road:17 --reorder rcm", "on the graph in another order"},
    {0},
};

/* "  label   text", the text wrapped and indented; it starts on a line of its own under a label too long for one. */
static void print_entry(FILE *file, const char *label, const char *text)
{
    int column = fprintf(file, "  %s", label);
    if (column + 1 >= TEXT_COLUMN) {
        fputc('\n', file);
        column = 0;
    }
    const char *word;
    for (size_t length; (length = next_word(&text, &word, ' ')) > 0;) {
        if (column > TEXT_COLUMN && column + 1 + (int)length > HELP_COLUMNS) {
            fputc('\n', file);
            column = 0;
        }
        int blanks = column < TEXT_COLUMN ? TEXT_COLUMN - column : 1;
        column += fprintf(file, "%*s%.*s", blanks, "", (int)length, word);
    }
    fputc('\n', file);
}

static void print_options(FILE *file)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        char label[64];
        if (option->group != NULL)
            fprintf(file, "\n%s:\n", option->group);
        if (option->kind == VALUE_OPTIONAL)
            snprintf(label, sizeof label, "--%s [%s]", option->name, option->value);
        else
            snprintf(label, sizeof label, "--%s %s", option->name, option->value != NULL ? option->value : "");
        print_entry(file, label, option->help);
    }
}

static void print_generators(FILE *file)
{
    fprintf(file, "\nGenerators, for --graph:\n");
    for (const struct generator *generator = generators; generator->name != NULL; generator++)
        print_entry(file, generator->syntax, generator->help);
}

static void print_reorderings(FILE *file)
{
    fprintf(file, "\nOrders, for --reorder:\n");
    for (const struct reordering *how = reorderings; how->name != NULL; how++)
        print_entry(file, how->syntax, how->help);
    for (int i = 0, found = 0; i < num_algorithms; i++)
        if (algorithms[i]->reorder != NULL)
            fprintf(file, "%s  %s %s: %s\n",
                    found++ > 0 ? ""
                                : "\nOrders that algorithms choose where neither --reorder nor the file names one:\n",
                    algorithms[i]->family, algorithms[i]->variant, algorithms[i]->reorder);
}

/* "random (one of random, load-aware)", "15 (1 to 1000)" */
static void describe_values(const struct option_spec *option, char *text, size_t size)
{
    if (option->choices == NULL) {
        snprintf(text, size, "%s (default %.15g; %.15g to %.15g)", option->help, option->default_value,
                 option->minimum, option->maximum);
        return;
    }
    const char *rest = option->choices, *word = "";
    size_t length = 0;
    for (int i = 0; i <= (int)option->default_value; i++)
        length = next_word(&rest, &word, '|');
    snprintf(text, size, "%s (default %.*s; %s)", option->help, (int)length, word, option->choices);
}

static void print_algorithm_options(FILE *file)
{
    fprintf(file, "\nOptions of the algorithms, for --set:\n");
    for (int i = 0; i < num_algorithms; i++) {
        const struct option_spec *option = algorithms[i]->options;
        for (; option != NULL && option->name != NULL; option++) {
            char label[64], text[512];
            snprintf(label, sizeof label, "%s %s: %s", algorithms[i]->family, algorithms[i]->variant, option->name);
            describe_values(option, text, sizeof text);
            print_entry(file, label, text);
        }
    }
}

void print_help(FILE *file)
{
    fputs(usage, file);
    print_options(file);
    print_generators(file);
    print_reorderings(file);
    print_algorithm_options(file);
    fprintf(
        file,
        "\nExit status: %d done, %d wrong result, %d bad input or usage, %d no GPU or GPU failure, %d interrupted.\n",
        STATUS_OK, STATUS_WRONG, STATUS_INPUT, STATUS_DEVICE, STATUS_INTERRUPTED);
    fprintf(file, "\nExamples:\n");
    for (int i = 0; examples[i].command != NULL; i++)
        fprintf(file, "  # %s\n  %s\n", examples[i].meaning, examples[i].command);
}

static const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "no";
}

void print_version(FILE *file, const char *version)
{
    bool cuda = false, openmp = false, qhull = false, mpi = false, nccl = false;
#ifdef GTRAV_CUDA
    cuda = true;
#endif
#ifdef _OPENMP
    openmp = true;
#endif
#ifdef GTRAV_QHULL
    qhull = true;
#endif
#ifdef GTRAV_MPI
    mpi = true;
#endif
#ifdef GTRAV_NCCL
    nccl = true;
#endif
    fprintf(file, "gtrav %s\nbuilt with CUDA: %s, OpenMP: %s, qhull: %s, MPI: %s, NCCL: %s\n", version,
            yes_or_no(cuda), yes_or_no(openmp), yes_or_no(qhull), yes_or_no(mpi), yes_or_no(nccl));
}
