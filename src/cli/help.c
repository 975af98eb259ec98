/* help.c: --help and --version, from the tables of options, generators and algorithms. */
#include "help.h"

#include "../algorithm_options.h"
#include "../graph/generate.h"
#include "../graph/reorder.h"
#include "../records/identity.h"
#include "report.h"
#include "results.h"

#define HELP_COLUMNS 100
#define TEXT_COLUMN  32 /* the column where explanations begin */

static const char *const synopses[] = {"gtrav FAMILY[:VARIANT] GRAPH... [OPTION...]",
                                       "gtrav GRAPH... --info | --write FILE", "gtrav --list [FAMILY] [--long]",
                                       "gtrav compare OLD NEW | -- COMMAND -- COMMAND", NULL};

static const struct {
    int status;
    const char *meaning;
} exit_statuses[] = {{STATUS_OK, "done"},
                     {STATUS_WRONG, "wrong result"},
                     {STATUS_INPUT, "bad input or usage"},
                     {STATUS_DEVICE, "no GPU or GPU failure"},
                     {STATUS_INTERRUPTED, "interrupted by Ctrl-C"},
                     {STATUS_TERMINATED, "by SIGTERM"},
                     {0}};

static const struct example examples[] = {
    {"gtrav bfs kron:20", "the family's default variant from 64 sources"},
    {"gtrav --algo bfs --variant all --graph web-Google.mtx --verify all", "every variant, every result checked"},
    {"gtrav --algo bfs --variant gap --set alpha=10 --graph road:14 --csv", "keep records under results/local"},
    {"gtrav --algo bfs --graph grid:1000x1000 --source 0 --output levels.npy", "one result as an array"},
    {"gtrav --algo msbfs --graph snb:1 --pairs pairs.csv --paths", "the path from each source to its destination"},
    {"gtrav --algo closeness --graph kron:14 --output closeness.npy", "of every vertex; resumes an interrupted run"},
    {"mpirun -n 4 gtrav --algo closeness --graph kron:22 --output c.npy",
     "one process per GPU; with --gpus all, one process uses all GPUs"},
    {"gtrav --info --graph web-Google.mtx --json", "properties of the graph, as JSON"},
    {"gtrav --graph rgg:20 --write rgg20.mtx", "generate or convert"},
    {"gtrav --algo bfs --graph road:17 --reorder rcm", "search the graph in another order"},
    {0},
};

static void print_heading(FILE *file, const char *title)
{
    fprintf(file, "\n%s:\n", title);
}

/* After a long label, the text starts on the next line. */
void print_entry(FILE *file, const char *label, const char *text)
{
    int column = fprintf(file, "  %s", label);
    bool is_long = column + 1 >= TEXT_COLUMN;
    fprintf(file, "%s%*s", is_long ? "\n" : "", TEXT_COLUMN - (is_long ? 0 : column), "");
    print_wrapped(file, text, HELP_COLUMNS, TEXT_COLUMN);
}

void print_options(FILE *file, const struct cli_option *table)
{
    for (const struct cli_option *option = table; option->name != NULL; option++) {
        char label[64], letter[8];
        if (option->group != NULL)
            print_heading(file, option->group);
        snprintf(letter, sizeof letter, option->letter != 0 ? "-%c, " : "", option->letter);
        if (option->kind == VALUE_OPTIONAL)
            snprintf(label, sizeof label, "--%s [%s]", option->name, option->value);
        else
            snprintf(label, sizeof label, "%s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
                     option->value != NULL ? option->value : "");
        print_entry(file, label, option->help);
    }
}

void write_options(FILE *file)
{
    print_options(file, cli_options);
}

void write_generators(FILE *file)
{
    print_heading(file, "Generators, for --graph");
    for (const struct generator *generator = generators; generator->name != NULL; generator++)
        print_entry(file, generator->syntax, generator->help);
}

void write_reorderings(FILE *file)
{
    print_heading(file, "Orders, for --reorder");
    for (const struct reordering *order = reorderings; order->name != NULL; order++)
        print_entry(file, order->syntax, order->help);
}

static void write_columns(FILE *file)
{
    print_heading(file, "Columns of the table of results");
    for (const struct result_column *column = result_columns; column->heading != NULL; column++) {
        if (column == wide_columns)
            print_heading(file, "Further columns, with --wide");
        print_entry(file, column->heading, column->help);
    }
}

void describe_option(const struct option_spec *option, char *text, size_t size)
{
    char paper[64] = "";
    if (option->paper != NULL)
        snprintf(paper, sizeof paper, ", %s with mode=paper", option->paper);
    if (option->choices == NULL) {
        snprintf(text, size, "%s (default %.15g%s; %.15g to %.15g)", option->help, option->default_value, paper,
                 option->minimum, option->maximum);
        return;
    }
    const char *word = option_word(option, option->default_value);
    snprintf(text, size, "%s (default %.*s%s; %s)", option->help, (int)strcspn(word, "|"), word, paper,
             option->choices);
}

void describe_algorithm(const struct algorithm *algorithm, char *text, size_t size)
{
    char outputs[64], on_request[64];
    list_outputs(algorithm->outputs, "", outputs, sizeof outputs);
    list_outputs(algorithm->on_request, "", on_request, sizeof on_request);
    snprintf(text, size, "%s. From: %s. On the %s; gives %s%s%s%s%s.", algorithm->title, algorithm->citation,
             device_titles[algorithm->device], outputs, algorithm->on_request != 0 ? ", on request " : "", on_request,
             algorithm->reorder != NULL ? "; takes the order " : "",
             algorithm->reorder != NULL ? algorithm->reorder : "");
}

static void print_orders_of_algorithms(FILE *file)
{
    for (int i = 0, found = 0; i < num_algorithms; i++) {
        if (algorithms[i]->reorder == NULL)
            continue;
        if (found++ == 0)
            print_heading(file, "Orders that algorithms choose if neither --reorder nor the file names one");
        fprintf(file, "  %s %s: %s\n", algorithms[i]->family, algorithms[i]->variant, algorithms[i]->reorder);
    }
}

static void print_algorithm_options(FILE *file)
{
    print_heading(file, "Options of the algorithms, for --set");
    for (int i = 0; i < num_algorithms; i++) {
        for (const struct option_spec *option = NULL; (option = options_next_shown(algorithms[i], option)) != NULL;) {
            char label[64], text[512];
            snprintf(label, sizeof label, "%s %s: %s", algorithms[i]->family, algorithms[i]->variant, option->name);
            describe_option(option, text, sizeof text);
            print_entry(file, label, text);
        }
    }
}

void print_usage(FILE *file)
{
    fputs("gtrav: graph traversal on GPU and CPU, measured and verified\n\n", file);
    for (int i = 0; synopses[i] != NULL; i++)
        fprintf(file, "%s%s\n", i == 0 ? "Usage: " : "       ", synopses[i]);
}

void print_help(FILE *file)
{
    print_usage(file);
    fprintf(file, "\nFAMILY:VARIANT is short for --algo FAMILY --variant VARIANT, GRAPH for --graph GRAPH.\n");
    write_options(file);
    write_generators(file);
    write_reorderings(file);
    write_columns(file);
    print_orders_of_algorithms(file);
    print_algorithm_options(file);
    fprintf(file, "\nExit status: ");
    for (int i = 0; exit_statuses[i].meaning != NULL; i++)
        fprintf(file, "%s%d %s",
                i == 0                                          ? ""
                : exit_statuses[i].status == STATUS_INTERRUPTED ? ",\n             "
                                                                : ", ",
                exit_statuses[i].status, exit_statuses[i].meaning);
    fprintf(file, ".\n");
    print_heading(file, "Examples");
    for (int i = 0; examples[i].command != NULL; i++)
        fprintf(file, "  # %s\n  %s\n", examples[i].meaning, examples[i].command);
}

static const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "no";
}

void print_version(FILE *file)
{
    bool cuda = false, openmp = false, mpi = false, nccl = false;
#ifdef GTRAV_CUDA
    cuda = true;
#endif
#ifdef _OPENMP
    openmp = true;
#endif
#ifdef GTRAV_MPI
    mpi = true;
#endif
#ifdef GTRAV_NCCL
    nccl = true;
#endif
    const char *release = build_release(), *version = build_version();
    bool same = strcmp(release, version) == 0; /* built without git */
    fprintf(file, "gtrav %s%s%s%s\nbuild %s\nbuilt with CUDA: %s, OpenMP: %s, MPI: %s, NCCL: %s\n", release,
            same ? "" : " (", same ? "" : version, same ? "" : ")", build_id(), yes_or_no(cuda), yes_or_no(openmp),
            yes_or_no(mpi), yes_or_no(nccl));
}
