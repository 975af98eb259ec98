/* conformance.c: every algorithm of the registry is correct for its family on every small graph, from several
 * sources, with every value of its options at the ends of their ranges, and, on the emulator, under many schedules.
 *
 *   conformance [--device cpu|gpu|emulator|webgpu] [--seeds N] [--from SEED] [--turns N] [--family NAME] [--variant
 * NAME] [--no-memory fail|skip]
 *
 * --turns N tries one option value in N on each graph, another one on the next graph. The default is 1: every value
 * on every graph. With --seeds 1, the emulator tries one mode (best, paper) on each graph, the other on the next.
 *
 * A run may end because the device has no memory for its settings. --no-memory says whether that is a failure, or
 * whether the run is skipped and counted in the last line. The default is skip on a GPU, since the ends of an
 * option's range may exceed its memory, and fail elsewhere. A run with the default settings always fails, and so does
 * a variant that never fits.
 *
 * No algorithm is named here: a new one is tested by its line in registry.c. A failure tells how to repeat it. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/run/closeness.h"
#include "../../src/run/pairs.h"
#include "../harness.h"
#include "graphs.h"

#define SEEDS_OF_OPTIONS 2  /* schedules for each value of an option */
#define BATCH_TURNS      4  /* times --turns for families with batches, whose runs are long */
#define MANY_ROUNDS      64 /* vertices of a graph with cycles */
#define NOT_RUN_BYTES    64
#define CPU_THREADS      4 /* of CPU algorithms: more than some machines have cores, so that they are preempted */

/* ---- options ---- */

/* The place of an option; -1: the algorithm does not have it. */
static int place_of(const char *name, const struct algorithm *algorithm)
{
    for (int i = 0; algorithm->options != NULL && algorithm->options[i].name != NULL; i++)
        if (strcmp(algorithm->options[i].name, name) == 0)
            return i;
    return -1;
}

static void set_defaults(const struct algorithm *algorithm, int mode, double values[MAX_OPTIONS])
{
    static const char *const paper[] = {"mode=paper"};
    struct error error = {0};
    int limit = place_of("limit-s", algorithm);
    options_parse(algorithm, paper, mode == MODE_PAPER ? 1 : 0, values, &error);
    if (limit >= 0)
        values[limit] = 0; /* a busy machine fails no search */
}

/* Whether all options have the values that set_defaults() gives them. */
static bool has_defaults(const struct algorithm *algorithm, const double *options)
{
    double values[MAX_OPTIONS];
    bool same = true;
    set_defaults(algorithm, MODE_BEST, values);
    for (int i = 0; algorithm->options != NULL && algorithm->options[i].name != NULL; i++)
        same = same && options[i] == values[i];
    return same;
}

/* ---- runs ---- */

#ifdef GTRAV_EMULATOR
size_t emulated_bytes_in_use(void);
#define device_bytes_in_use emulated_bytes_in_use
#else
static size_t device_bytes_in_use(void)
{
    return 0;
}
#endif

struct tally {
    uint64_t passed, failed, runs;
    uint64_t no_memory; /* runs that the device has no memory for */
};

/* The outputs that are requested, in turn, of an algorithm that takes many sources. */
enum question { LEVELS, SUMS, LENGTHS, PATHS, FARNESS, NUM_QUESTIONS };
static const char *const questions[] = {", levels", ", aggregates", ", pairs", ", paths", ", closeness"};

struct subject {
    const struct algorithm *algorithm;
    const struct family *family;
    struct device *device;
    bool skips_no_memory; /* --no-memory */
};

/* Whether a run ended because the device has no memory for its settings, and may. The messages are those of
 * kernels/backend/host: memory.cu, and launch.cu for shared memory. An allocation that failed although there was room
 * is no excuse. */
static bool is_too_large(const struct subject *subject, const double *options, const struct error *error)
{
    const struct option_spec *specs = subject->algorithm->options;
    bool own_settings = false;
    double needed, left;
    for (int i = 0; specs != NULL && specs[i].name != NULL; i++)
        own_settings = own_settings || options[i] != specs[i].default_value;
    return subject->skips_no_memory && own_settings && error->status == STATUS_DEVICE &&
           (sscanf(error->text, "GPU out of memory: %lf MB needed for %*[^,], %lf", &needed, &left) == 2 ||
            sscanf(error->text, "GPU: too little shared memory: a block needs %lf bytes, there are %lf", &needed,
                   &left) == 2) &&
           needed > left;
}

/* Counts a run that was not right, and prints it. Of runs without memory it prints only the first. */
static void report(const struct subject *subject, const struct graph *graph, const double *options,
                   const char *question, const struct error *error, struct tally *tally)
{
    char text[512];
    bool too_large = is_too_large(subject, options, error);
    uint64_t *count = too_large ? &tally->no_memory : &tally->failed;
    if (++*count > 1 && too_large)
        return;
    options_format(subject->algorithm, options, text, sizeof text);
    printf("%s %s %s%s on %s, %s, --set seed=%" PRIu64 ": %s\n", too_large ? "not run:" : "FAILED",
           subject->algorithm->family, subject->algorithm->variant, question, graph->name, text, subject->device->seed,
           error->text[0] != '\0' ? error->text : "not all trials were run, or a cycle was not noticed");
}

/* The next question that the algorithm can answer. Sums answer for closeness on symmetric graphs only. */
static enum question choose_question(const struct algorithm *algorithm, const struct graph *graph, uint64_t turn)
{
    unsigned all = algorithm->outputs | algorithm->on_request;
    bool can[NUM_QUESTIONS] = {[LEVELS] = true,
                               [SUMS] = all & (OUTPUT_SUMS | OUTPUT_FARNESS),
                               [LENGTHS] = all & OUTPUT_LEVEL,
                               [PATHS] = all & OUTPUT_LEVEL,
                               [FARNESS] = all & OUTPUT_FARNESS || (all & OUTPUT_SUMS && graph->symmetric)};
    while (!can[turn % NUM_QUESTIONS])
        turn++;
    return (enum question)(turn % NUM_QUESTIONS);
}

/* Pairs of each source and some vertices, including the source itself, and one vertex twice. */
static int ask_pairs(const struct bench_request *request, bool paths, struct error *error)
{
    enum { ENDS = 4 };
    struct pair pairs[BATCH_SOURCES * ENDS];
    struct pairs_request asked = {.bench = request, .pairs = pairs, .paths = paths};
    struct pairs_result result;
    vertex_t n = request->graph->num_vertices;
    for (int i = 0; i < request->num_sources; i++)
        for (vertex_t end = 0; end < ENDS; end++)
            pairs[asked.num_pairs++] =
                (struct pair){request->sources[i], (request->sources[i] + end % 3 * (n / 3 + 1)) % n};
    int status = pairs_run(&asked, &result, error);
    pairs_release(&result);
    return status;
}

/* Asks for the closeness of every vertex, from each of the sources once. */
static int ask_closeness(struct bench_request *request, struct error *error)
{
    vertex_t once[BATCH_SOURCES];
    struct closeness_request asked = {.bench = request};
    struct closeness_result result;
    int count = 0;
    for (int i = 0; i < request->num_sources; i++) {
        bool known = false;
        for (int j = 0; j < count; j++)
            known = known || once[j] == request->sources[i];
        if (!known)
            once[count++] = request->sources[i];
    }
    unsigned all = request->algorithm->outputs | request->algorithm->on_request;
    vertex_t *every = NULL;
    if (!(all & OUTPUT_FARNESS)) { /* with sums only, the sources must be all vertices */
        count = (int)request->graph->num_vertices;
        allocate(&every, (size_t)count, sizeof *every, "the sources", error);
        for (vertex_t v = 0; every != NULL && v < request->graph->num_vertices; v++)
            every[v] = v;
    }
    request->sources = every != NULL ? every : once;
    request->num_sources = count;
    int status = closeness_run(&asked, &result, error);
    closeness_release(&result);
    free(every);
    return status;
}

/* One prepare and a trial from each source; counts the trials. On the emulator, where there are many runs, from one
 * of the sources, each in its turn. */
static void run_on(const struct subject *subject, const struct graph *graph, bool acyclic, const double *options,
                   uint64_t seed, struct tally *tally)
{
    vertex_t sources[BATCH_SOURCES];
    struct trials_result result = {0};
    struct error error = {0};
    enum question question = LEVELS;
    uint64_t number = tally->runs++;
    struct bench_request request = {.algorithm = subject->algorithm,
                                    .family = family_of(subject->algorithm->family),
                                    .graph = graph,
                                    .device = subject->device,
                                    .options = options,
                                    .verify = VERIFY_ALL,
                                    .parents = tally->passed % 2 == 1, /* with and without */
                                    .num_sources = 2};
    if (subject->family->has_batches) {
        request.num_sources = choose_batch(graph, sources);
        request.sources = sources;
        question = choose_question(subject->algorithm, graph, number);
        request.aggregates = question == SUMS;
    } else if (subject->family->has_sources) {
        request.num_sources = choose_sources(graph, sources);
        request.sources = sources;
        if (subject->device->kind == DEVICE_EMULATOR && request.num_sources > 0) {
            request.sources += (tally->passed + tally->failed) % (uint64_t)request.num_sources;
            request.num_sources = 1;
        }
    }
    if (request.num_sources == 0) /* there is no source */
        return;
    subject->device->seed = seed;
    int num_sources = request.num_sources;
    int status = question == FARNESS                        ? ask_closeness(&request, &error)
                 : question == LENGTHS || question == PATHS ? ask_pairs(&request, question == PATHS, &error)
                                                            : trials_run(&request, &result, &error);
    bool orders =
        strcmp(subject->family->name, "topo") == 0 && !acyclic; /* an order of a graph with a cycle must be rejected */
    bool right = orders ? status == STATUS_INPUT && strstr(error.text, "cycle") != NULL
                        : status == STATUS_OK && (question >= LENGTHS || result.num_trials == num_sources);
    if (right && subject->algorithm->limited)
        right = check_limits(&request, tally->passed, &error) == STATUS_OK;
    if (right && !orders && has_defaults(subject->algorithm, options)) {
        request.sources = request.sources != NULL ? sources : NULL;
        right = check_subset(&request, number, &error) == STATUS_OK;
    }
    if (right)
        tally->passed += (uint64_t)num_sources;
    else
        report(subject, graph, options, subject->family->has_batches ? questions[question] : "", &error, tally);
    trials_release(&result);
    if (subject->device->kind == DEVICE_EMULATOR && device_bytes_in_use() > 0) {
        tally->failed++;
        printf("FAILED %s %s on %s: %zu bytes of device memory are not given back\n", subject->algorithm->family,
               subject->algorithm->variant, graph->name, device_bytes_in_use());
    }
}

/* The same; a family that needs weights gets others in each run. */
static void run(const struct subject *subject, const struct graph *graph, bool acyclic, const double *options,
                uint64_t seed, struct tally *tally)
{
    struct graph weighted = *graph;
    if (subject->family->weighted)
        weigh(&weighted, tally->runs);
    run_on(subject, &weighted, acyclic, options, seed, tally);
    if (subject->family->weighted)
        free(weighted.weights);
}

static int last_mode(const struct algorithm *algorithm)
{
    return place_of("mode", algorithm) >= 0 ? MODE_PAPER : MODE_BEST;
}

/* An algorithm with a limit of time takes a round for each level of the tree, on graphs with cycles: half a minute of
 * the emulator for some hundred vertices. Runs with one schedule, or with some of the options, leave these out. */
static bool takes_many_rounds(const struct algorithm *algorithm, const struct graph *graph, bool acyclic)
{
    return place_of("limit-s", algorithm) >= 0 && !acyclic && graph->num_vertices > MANY_ROUNDS;
}

/* Every option at the ends of its range, or at each of its words, with the others as the mode has them. */
static void run_options(const struct subject *subject, const struct graph *graph, bool acyclic, int mode, uint64_t turn,
                        uint64_t turns, struct tally *tally)
{
    const struct option_spec *specs = subject->algorithm->options;
    bool batches = subject->family->has_batches;
    if (turns > 1 && takes_many_rounds(subject->algorithm, graph, acyclic))
        return;
    turns *= batches ? BATCH_TURNS : 1;
    for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
        double values[MAX_OPTIONS], first = specs[i].minimum, last = specs[i].maximum, step = last - first;
        if (i == place_of("mode", subject->algorithm))
            continue;
        if (specs[i].choices != NULL) {
            first = 0, last = 0, step = 1;
            for (const char *c = specs[i].choices; *c != '\0'; c++)
                last += *c == '|';
        }
        for (double value = first; value <= last && step > 0; value += step, turn++) {
            if (turn % turns != 0)
                continue;
            set_defaults(subject->algorithm, mode, values);
            values[i] = value;
            for (uint64_t seed = 0; seed < (turns > 1 ? 1 : SEEDS_OF_OPTIONS); seed++)
                if (seed == 0 || subject->device->kind == DEVICE_EMULATOR)
                    run(subject, graph, acyclic, values, turn + seed, tally);
        }
    }
}

static void run_schedules(const struct subject *subject, const struct graph *graph, bool acyclic, int mode,
                          uint64_t from, uint64_t seeds, struct tally *tally)
{
    double values[MAX_OPTIONS];
    set_defaults(subject->algorithm, mode, values);
    uint64_t count = subject->device->kind == DEVICE_EMULATOR ? seeds : 1;
    if (subject->device->kind == DEVICE_EMULATOR && seeds == 1 && takes_many_rounds(subject->algorithm, graph, acyclic))
        return;
    int classes = place_of("class-width", subject->algorithm), prepared = place_of("prepare", subject->algorithm);
    for (uint64_t seed = from; seed < from + count; seed++) {
        if (classes >= 0) { /* sorts edges by weight in every second run, and in some has many classes in a step */
            values[prepared] = seed % 2 == 1;
            values[classes] = seed % 4 == 3 ? 1 : 4;
        }
        run(subject, graph, acyclic, values, seed, tally);
    }
}

/* ---- the command ---- */

struct wanted {
    const char *device, *family, *variant, *no_memory;
    uint64_t seeds, from, turns;
};

static void parse(int argc, char **argv, struct wanted *wanted)
{
    *wanted = (struct wanted){.seeds = 20, .turns = 1};
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value != NULL && strcmp(argv[i], "--device") == 0)
            wanted->device = value;
        else if (value != NULL && strcmp(argv[i], "--family") == 0)
            wanted->family = value;
        else if (value != NULL && strcmp(argv[i], "--variant") == 0)
            wanted->variant = value;
        else if (value != NULL && strcmp(argv[i], "--no-memory") == 0 &&
                 (strcmp(value, "fail") == 0 || strcmp(value, "skip") == 0))
            wanted->no_memory = value;
        else if (value != NULL && strcmp(argv[i], "--seeds") == 0)
            wanted->seeds = strtoull(value, NULL, 10);
        else if (value != NULL && strcmp(argv[i], "--from") == 0)
            wanted->from = strtoull(value, NULL, 10);
        else if (value != NULL && strcmp(argv[i], "--turns") == 0 && strtoull(value, NULL, 10) > 0)
            wanted->turns = strtoull(value, NULL, 10);
        else {
            fprintf(stderr,
                    "usage: conformance [--device cpu|gpu|emulator|webgpu] [--seeds N] [--from SEED] [--turns N] "
                    "[--family NAME] [--variant NAME] [--no-memory fail|skip]\n");
            exit(STATUS_INPUT);
        }
    }
}

static bool quiet; /* about missing devices */

/* The devices to test on: CPU algorithms on the CPU, GPU algorithms on the GPU if requested, otherwise on the
 * emulator; WebGPU's only if requested, since its library must not be loaded before a fork. */
static void open_devices(const struct wanted *wanted, struct device devices[NUM_DEVICES], bool open[NUM_DEVICES])
{
    for (int kind = 0; kind < NUM_DEVICES; kind++) {
        bool asked = wanted->device != NULL ? strcmp(wanted->device, device_words[kind]) == 0
                                            : kind != DEVICE_GPU && kind != DEVICE_WEBGPU;
        struct error error = {0};
        open[kind] = asked && device_open((enum device_kind)kind, &devices[kind], 0, &error) == STATUS_OK;
        if (asked && !open[kind] && !quiet)
            printf("left out: %s\n", error.text);
        if (asked && !open[kind] && wanted->device != NULL)
            exit(STATUS_DEVICE);
    }
}

static void close_devices(struct device devices[NUM_DEVICES], const bool open[NUM_DEVICES])
{
    for (int kind = 0; kind < NUM_DEVICES; kind++)
        if (open[kind])
            devices[kind].close(&devices[kind]);
}

static void add(struct tally *total, const struct tally *tally)
{
    total->passed += tally->passed;
    total->failed += tally->failed;
    total->no_memory += tally->no_memory;
}

/* "51 not run: no memory, ", or "" if the device had memory for all. */
static const char *not_run(const struct tally *tally, char text[NOT_RUN_BYTES])
{
    text[0] = '\0';
    if (tally->no_memory > 0)
        snprintf(text, NOT_RUN_BYTES, "%" PRIu64 " not run: no memory, ", tally->no_memory);
    return text;
}

static void test_algorithm(const struct subject *subject, const struct wanted *wanted, struct tally *total)
{
    char text[NOT_RUN_BYTES];
    struct tally tally = {0};
    struct graph graph;
    bool takes_turns =
        subject->device->kind == DEVICE_EMULATOR && wanted->seeds == 1 && last_mode(subject->algorithm) == MODE_PAPER;
    omp_set_num_threads(subject->device->kind == DEVICE_CPU ? CPU_THREADS : 1);
    for (size_t n = 0; make_graph(n, &graph); n++) {
        bool acyclic = is_acyclic(&graph);
        for (int mode = MODE_BEST; mode <= last_mode(subject->algorithm); mode++) {
            if (takes_turns && (int)(n % 2) != mode)
                continue;
            run_schedules(subject, &graph, acyclic, mode, wanted->from + n, wanted->seeds, &tally);
            run_options(subject, &graph, acyclic, mode, n, wanted->turns, &tally);
        }
        graph_release(&graph);
    }
    printf("%s %s on %s: %" PRIu64 " trials right, %" PRIu64 " runs failed, %s%.1f s of processor time\n",
           subject->algorithm->family, subject->algorithm->variant, subject->device->slug, tally.passed, tally.failed,
           not_run(&tally, text), (double)clock() / CLOCKS_PER_SEC);
    fflush(stdout);
    add(total, &tally);
}

#define OVERWRITTEN_BYTES ((size_t)1 << 16)

/* Overwrites what the last call has left on the stack, so that a pointer to it is noticed on every device. */
static __attribute__((noinline)) void overwrite_stack(void)
{
    volatile char left[OVERWRITTEN_BYTES];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = (char)0xa5;
}

static const struct algorithm *tested; /* by this process */

static int prepare(struct run *run)
{
    int status = tested->prepare(run);
    overwrite_stack();
    return status;
}

static int traverse(struct run *run, const struct query *query)
{
    int status = tested->traverse(run, query);
    overwrite_stack();
    return status;
}

static bool is_wanted(const struct algorithm *algorithm, const struct wanted *wanted)
{
    return (wanted->family == NULL || strcmp(wanted->family, algorithm->family) == 0) &&
           (wanted->variant == NULL || strcmp(wanted->variant, algorithm->variant) == 0);
}

/* The algorithm that can be tested here, and its device; NULL: it cannot be tested. */
static const struct algorithm *choose(const struct algorithm *algorithm, const bool open[NUM_DEVICES],
                                      enum device_kind *kind)
{
    *kind = algorithm->device;
    if (*kind == DEVICE_GPU && !open[DEVICE_GPU]) {
        *kind = DEVICE_EMULATOR;
        algorithm = emulated_algorithm(algorithm);
    }
    return open[*kind] ? algorithm : NULL;
}

static void test_one(const struct algorithm *algorithm, const struct wanted *wanted, struct tally *tally)
{
    struct device devices[NUM_DEVICES];
    bool open[NUM_DEVICES];
    enum device_kind kind;
    open_devices(wanted, devices, open);
    algorithm = choose(algorithm, open, &kind);
    if (algorithm != NULL) {
        bool skips = wanted->no_memory != NULL ? strcmp(wanted->no_memory, "skip") == 0 : kind == DEVICE_GPU;
        struct algorithm wrapped = *algorithm;
        struct subject subject = {&wrapped, family_of(algorithm->family), &devices[kind], skips};
        tested = algorithm;
        wrapped.prepare = prepare;
        wrapped.traverse = traverse;
        test_algorithm(&subject, wanted, tally);
    }
    close_devices(devices, open);
}

/* Waits for a process. One that did not exit normally counts as a failure. */
static void wait_for_one(struct tally *tally)
{
    int status;
    if (wait(&status) > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        printf("FAILED: a process ended with %s %d\n", WIFEXITED(status) ? "status" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        tally->failed++;
    }
}

/* Each algorithm in a process of its own, as many at once as there are processors, but on a GPU one by one. */
int main(int argc, char **argv)
{
    struct wanted wanted;
    struct device devices[NUM_DEVICES];
    bool open[NUM_DEVICES];
    struct tally total = {0};
    char text[NOT_RUN_BYTES];
    struct tally *tallies =
        mmap(NULL, (size_t)num_algorithms * sizeof *tallies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long at_once = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    if (tallies == MAP_FAILED) {
        perror("conformance");
        return STATUS_INPUT;
    }
    parse(argc, argv, &wanted);
    if (wanted.device != NULL && (strcmp(wanted.device, "gpu") == 0 || strcmp(wanted.device, "webgpu") == 0))
        at_once = 1;
    else { /* report once which algorithms are left out */
        open_devices(&wanted, devices, open);
        close_devices(devices, open);
        quiet = true;
    }
    for (int i = 0; i < num_algorithms; i++) {
        if (!is_wanted(algorithms[i], &wanted))
            continue;
        for (; running >= at_once; running--)
            wait_for_one(&total);
        fflush(stdout);
        pid_t process = fork();
        if (process == 0) {
            test_one(algorithms[i], &wanted, &tallies[i]);
            return STATUS_OK;
        }
        if (process < 0) {
            perror("conformance");
            return STATUS_INPUT;
        }
        running++;
    }
    for (; running > 0; running--)
        wait_for_one(&total);
    for (int i = 0; i < num_algorithms; i++)
        add(&total, &tallies[i]);
    if (total.passed + total.failed == 0)
        printf("no such algorithm can run here: %s %s\n", wanted.family != NULL ? wanted.family : "",
               wanted.variant != NULL ? wanted.variant : "");
    printf("%" PRIu64 " passed, %s%" PRIu64 " failed\n", total.passed, not_run(&total, text), total.failed);
    return total.failed > 0 || total.passed == 0 ? STATUS_WRONG : STATUS_OK;
}
