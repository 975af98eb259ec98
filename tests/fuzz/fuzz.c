/* fuzz.c: the table of targets, the readers of text, and what the targets share. */
#include "fuzz.h"

#include <ftw.h>
#include <omp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/graph/reorder.h"

/* ---- files ---- */

const char *file_of(const void *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        REQUIRE(file >= 0);
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    }
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

static char folder[64];

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *own_folder(void)
{
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%s/gtrav-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        REQUIRE(mkdtemp(folder) != NULL);
        atexit(remove_folder);
    }
    return folder;
}

char *text_of(const uint8_t *data, size_t size)
{
    static char *text;
    free(text);
    text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* ---- what must hold ---- */

void check_error(int status, const struct error *error)
{
    REQUIRE(status == error->status);
    REQUIRE(status == STATUS_OK || status == STATUS_INPUT);
    REQUIRE((status == STATUS_OK) == (error->text[0] == '\0'));
    for (const char *c = error->text; *c != '\0'; c++)
        REQUIRE((unsigned char)*c >= ' ');
}

void check_graph(int status, struct graph *graph, const struct error *error)
{
    struct error unused = {0};
    check_error(status, error);
    if (status == STATUS_OK) {
        bool permuted = true;
        REQUIRE(graph_validate(graph, "graph", &unused) == STATUS_OK);
        if (graph->permutation != NULL)
            test_permutation(graph->permutation, graph->num_vertices, &permuted, &unused);
        REQUIRE(permuted && is_reordering(graph->reordering) == (graph->permutation != NULL));
    } else {
        REQUIRE(graph->offsets == NULL && graph->targets == NULL && graph->name == NULL && graph->permutation == NULL &&
                graph->ids == NULL && graph->names == NULL);
    }
    graph_release(graph);
}

/* ---- readers ---- */

static void read_as(const struct reader *wanted, const char *path, const struct load_options *options)
{
    struct text_input input;
    const struct reader *picked = readers;
    struct graph graph = {0};
    struct error error = {0};
    int status = text_open(&input, path, &error);
    if (status == STATUS_OK) {
        pick_reader(&input, options, &picked, &error);
        /* The content has the first say; where it says nothing, the name would have led to any reader but two. */
        bool reported = error.status == STATUS_OK && picked->recognizes != NULL;
        if (reported ? picked == wanted : wanted->recognizes == NULL && strstr(error.text, "empty") == NULL) {
            error = (struct error){0};
            check_graph(wanted->read(&input, options, &graph, &error), &graph, &error);
        }
    }
    text_close(&input);
}

/* Reads the input with one of the readers, as far as the program would come to use it for such a text: directed and
 * undirected. */
static void fuzz_reader(const struct reader *reader, const uint8_t *data, size_t size)
{
    const char *path = file_of(data, size);
    for (int ids = IDS_AUTO; ids <= IDS_TEXT; ids++) {
        read_as(reader, path, &(struct load_options){.ids = ids});
        read_as(reader, path, &(struct load_options){.ids = ids, .undirected = true});
    }
}

/* ---- the targets ---- */

static const struct target {
    const char *name;   /* of its folder in corpus/ */
    const char *reader; /* the reader of text that it tries; NULL: run does all */
    fuzz_target *run;
} targets[] = {
    {"dimacs", "DIMACS", NULL},      {"edges", "edge list", NULL},    {"format", NULL, fuzz_format},
    {"gtrav", NULL, fuzz_gtrav},     {"gzip", NULL, fuzz_gzip},       {"metis", "METIS", NULL},
    {"mtx", "Matrix Market", NULL},  {"options", NULL, fuzz_options}, {"pairs", NULL, fuzz_pairs},
    {"records", NULL, fuzz_records}, {"sources", NULL, fuzz_sources}, {"spec", NULL, fuzz_spec},
};

void fuzz(const char *name, const uint8_t *data, size_t size)
{
    const struct target *target = targets;
    while (target < targets + sizeof targets / sizeof targets[0] && strcmp(target->name, name) != 0)
        target++;
    REQUIRE(target < targets + sizeof targets / sizeof targets[0]);
    const struct reader *reader = readers;
    while (target->reader != NULL && strcmp(reader->name, target->reader) != 0)
        reader++;
    omp_set_num_threads(1); /* the same input must take the same way */
    allocations_limited = true;
    if (target->reader != NULL)
        fuzz_reader(reader, data, size);
    else
        target->run(data, size);
    allocations_limited = false;
}

/* What libFuzzer calls. run.py names the target in the environment. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *target = getenv("FUZZ_TARGET");
    REQUIRE(target != NULL);
    fuzz(target, data, size);
    return 0;
}
