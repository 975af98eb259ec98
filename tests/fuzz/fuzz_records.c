/* fuzz_records.c: records that are resumed from. An input is a file of trials and one of summaries, with a line "==="
 * between. What is taken over must be figures, and resuming must leave the files as they are. A row that is appended
 * must be taken over, and no line before it lost. Each line of an input gets the check that belongs to it. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "../../src/records/csv.h"
#include "../harness.h"
#include "fuzz.h"

#define SEPARATOR   "===\n"
#define NUM_SOURCES 4
#define ROOM        (1 << 19)

static char trials_path[256], summary_path[128];

static void make_folder(void)
{
    snprintf(summary_path, sizeof summary_path, "%s/cpu", own_folder());
    snprintf(trials_path, sizeof trials_path, "%s/trials", summary_path);
    REQUIRE(mkdir(summary_path, 0777) == 0 && mkdir(trials_path, 0777) == 0);
    strcat(trials_path, "/bfs_serial_path:9.csv");
    strcat(summary_path, "/bfs_serial_perf.csv");
}

/* Lines with a zero byte, or without an end, stay as they are. */
static void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    for (size_t length; size > 0; data += length, size -= length) {
        const uint8_t *end = memchr(data, '\n', size);
        length = end != NULL ? (size_t)(end - data) + 1 : size;
        char *line = strndup((const char *)data, length);
        REQUIRE(line != NULL);
        if (end != NULL && strlen(line) == length)
            csv_put_checked(file, line);
        else
            fwrite(data, 1, length, file);
        free(line);
    }
    REQUIRE(fclose(file) == 0);
}

static size_t read_file(const char *path, char text[ROOM])
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t size = fread(text, 1, ROOM - 1, file);
    text[size] = '\0';
    fclose(file);
    return size;
}

/* False if a file does not begin with a header. */
static bool resume(const struct bench_request *request, struct trial trials[NUM_SOURCES], struct trials_result *result,
                   bool *complete)
{
    struct error error = {0};
    *complete = false;
    memset(trials, 0, NUM_SOURCES * sizeof *trials);
    for (int i = 0; i < NUM_SOURCES; i++)
        trials[i].source = request->sources[i];
    *result = (struct trials_result){.trials = trials, .num_trials = NUM_SOURCES};
    check_error(records_resume(request, result, complete, &error), &error);
    REQUIRE(error.status == STATUS_OK || strstr(error.text, "line 1 is not a header") != NULL);
    return error.status == STATUS_OK;
}

static void check_trials(const struct trial *trials)
{
    for (int i = 0; i < NUM_SOURCES; i++) {
        const struct trial *trial = &trials[i];
        const double figures[] = {trial->time_ms, trial->reset_ms, trial->kernel_ms, trial->search_mteps, trial->mteps};
        for (size_t f = 0; f < sizeof figures / sizeof figures[0]; f++)
            REQUIRE(isfinite(figures[f]) && figures[f] >= 0);
        REQUIRE(isfinite(trial->quality.cross_share) && trial->quality.cross_share >= 0);
        REQUIRE(trial->verdict != VERIFY_FAILED);
    }
}

static void check_file(const char *path, const char *data, size_t size)
{
    static char text[ROOM];
    REQUIRE(read_file(path, text) == size && memcmp(text, data, size) == 0);
}

/* Every whole line of the data is still there, and the last row, too, is whole. */
static void check_grown(const char *path, const char *data, size_t size)
{
    static char text[ROOM];
    const char *end = size > 0 ? memrchr(data, '\n', size) : NULL;
    size_t whole = end != NULL ? (size_t)(end - data) + 1 : 0, grown = read_file(path, text);
    REQUIRE(grown > whole && memcmp(text, data, whole) == 0 && text[grown - 1] == '\n');
}

void fuzz_records(const uint8_t *data, size_t size)
{
    extern const struct algorithm bfs_serial;
    static const vertex_t sources[NUM_SOURCES] = {0, 1, 1, 5};
    static char name[] = "path:9", before[2][ROOM];
    const struct graph graph = {.name = name, .num_vertices = 9, .num_edges = 16};
    struct device device = {.slug = "cpu"};
    const double options[MAX_OPTIONS] = {0};
    if (trials_path[0] == '\0')
        make_folder();
    if (size > ROOM / 32)
        return;
    struct bench_request request = {.algorithm = &bfs_serial,
                                    .family = family_of("bfs"),
                                    .graph = &graph,
                                    .device = &device,
                                    .options = options,
                                    .sources = sources,
                                    .num_sources = NUM_SOURCES,
                                    .verify = (enum verify_mode)(size % 3),
                                    .records = own_folder()};
    const uint8_t *middle = size > 0 ? memmem(data, size, SEPARATOR, strlen(SEPARATOR)) : NULL;
    size_t trials_size = middle != NULL ? (size_t)(middle - data) : size;
    size_t skipped = middle != NULL ? trials_size + strlen(SEPARATOR) : size;
    write_file(trials_path, data, trials_size);
    write_file(summary_path, data + skipped, size - skipped);
    size_t sizes[2] = {read_file(trials_path, before[0]), read_file(summary_path, before[1])};

    struct trial trials[2][NUM_SOURCES];
    struct trials_result results[2];
    bool complete[2];
    for (int time = 0; time < 2; time++) {
        bool resumed = resume(&request, trials[time], &results[time], &complete[time]);
        check_file(trials_path, before[0], sizes[0]);
        check_file(summary_path, before[1], sizes[1]);
        check_trials(trials[time]);
        if (!resumed)
            return;
    }
    REQUIRE(complete[0] == complete[1]);
    for (int i = 0; i < NUM_SOURCES; i++)
        REQUIRE(trials[0][i].resumed == trials[1][i].resumed && trials[0][i].time_ms == trials[1][i].time_ms &&
                trials[0][i].edges == trials[1][i].edges && trials[0][i].verdict == trials[1][i].verdict);

    struct error error = {0}; /* and it can be written to */
    struct trial more = {.source = 5, .time_ms = 7, .kernel_ms = 1, .edges = 16, .reached = 9, .verdict = VERIFIED};
    more.mteps = mteps_of(more.edges, more.kernel_ms);
    more.search_mteps = mteps_of(more.edges, more.time_ms);
    check_error(records_begin(&request, &error), &error);
    check_error(records_append(&request, &more, 1, &error), &error);
    REQUIRE(error.status == STATUS_OK);
    check_grown(trials_path, before[0], sizes[0]);
    REQUIRE(resume(&request, trials[0], &results[0], &complete[0]));
    REQUIRE(trials[0][3].resumed && trials[0][3].time_ms == 7 && trials[0][3].verdict == VERIFIED);
}
