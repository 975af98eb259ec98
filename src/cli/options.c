#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

#include "../cores.h"
#include "../families.h"
#include "../graph/specs.h"
#include "../new_file.h"
#include "../request.h"
#include "../session/choose.h"
#include "../suggest.h"

#define MAX_CHOICES    8
#define LONGEST_CHOICE 16
#define MAX_SOURCES    1000000
#define MAX_DEPTH      1000000000
#define MAX_SECONDS    1000000

#define FIELD(name) offsetof(struct settings, name)

/* Defines the fields that every row has. NEEDS: an option that must also be given, or NULL. */
#define ROW(NAME, KIND, MEMBER, NEEDS) .name = NAME, .kind = KIND, .field = FIELD(MEMBER), .needs = NEEDS

/* Turn rows of the table in load_options.h into rows of this table. */
#define LOAD_OPTION(NAME, MEMBER, HELP)        .name = NAME, .needs = "graph", .help = HELP, .field = FIELD(load.MEMBER)
#define LOAD_FLAG(NAME, MEMBER, HELP)          {.kind = VALUE_NONE, LOAD_OPTION(NAME, MEMBER, HELP)},
#define LOAD_CHOICE(NAME, MEMBER, WORDS, HELP) {.kind = VALUE_CHOICE, .value = WORDS, LOAD_OPTION(NAME, MEMBER, HELP)},
#define LOAD_TEXT(NAME, MEMBER, VALUE, HELP)   {.kind = VALUE_TEXT, .value = VALUE, LOAD_OPTION(NAME, MEMBER, HELP)},

const struct cli_option cli_options[] = {
    {ROW("algo", VALUE_TEXT, algo, "graph"), .group = "What to run", .value = "FAMILY",
     .help = "the kind of traversal; --list shows them all"},
    {ROW("variant", VALUE_LIST, variants, "algo"), .value = "NAME[,NAME...]|all",
     .help = "the implementation; all: every implementation that can run on this machine (default: the family's best)"},
    {ROW("set", VALUE_LIST, set, "algo"), .value = "NAME=VALUE",
     .help = "set an option of the algorithm, see below; repeatable (--list --json also has the options for tests)"},
    {ROW("device", VALUE_CHOICE, device, "algo"), .value = DEVICE_CHOICES, .detailed = "webgpu",
     .detail = FIELD(adapter),
     .help = "where to run (default: auto, the algorithm's kind of device); with --info, gpu also shows the memory "
             "that each GPU algorithm needs (with --gpus, on each GPU); webgpu: on any GPU with a Vulkan driver; "
             "webgpu:ADAPTER: on the GPU with this number or with these letters in its name (--list --long shows "
             "them)"},
    {ROW("gpus", VALUE_TEXT, gpus, "algo"), .value = "N|all|I,J[,...]",
     .help = "use several GPUs of this machine: a number of GPUs, all, or a list of their numbers (default: one; under "
             "mpirun one for each process); closeness and --pairs share their sources, bfs dobfs and graph500 split "
             "the graph"},
    {ROW("threads", VALUE_NUMBER, threads, NULL), .value = "N", .maximum = MAX_THREADS,
     .help =
         "CPU threads (default: one for each core available to gtrav, by its affinity mask and its cgroup's quota)"},

    {ROW("graph", VALUE_LIST, graphs, NULL), .group = "On which graph", .value = "FILE|SPEC",
     .help = "Matrix Market, edge list (CSV, SNAP, SNB, any table of ids), DIMACS .gr or METIS .graph, plain or "
             "gzip; .gtrav; - for standard input; or a generator, see below; repeatable: one graph after the other"},
    LOAD_OPTIONS(LOAD_FLAG, LOAD_CHOICE, LOAD_TEXT){
        ROW("reverse", VALUE_NONE, reverse, "graph"),
        .help = "reverse every edge; names and records of a directed graph then end with +reversed"},
    {ROW("reorder", VALUE_TEXT, reorder, "graph"), .value = "ORDER",
     .help = "renumber the vertices for the algorithm, see below; sources and results keep the graph's own ids; "
             "--write x.gtrav stores the order; needs memory for two graphs; natural overrides the order that an "
             "algorithm asks for"},

    {ROW("sources", VALUE_NUMBER, sources, "algo"), .group = "Sources and checks", .value = "K", .maximum = MAX_SOURCES,
     .help = "search from K sources, picked as in the GAP benchmark (default: 64); for closeness, estimate it from K "
             "random vertices (default: exact, from all)"},
    {ROW("source", VALUE_TEXT, source, "algo"), .value = "V[,V...]",
     .help = "start from these sources: numbers from 0 on, or ids of the graph's file (--ids); quote an id that has "
             "a comma"},
    {ROW("sources-file", VALUE_TEXT, sources_file, "algo"), .value = "FILE",
     .help = "read the sources from FILE, one in each line; - for standard input"},
    {ROW("max-depth", VALUE_NUMBER, max_depth, "algo"), .value = "N", .maximum = MAX_DEPTH,
     .help = "for bfs gap, serial and queue: reach no vertex beyond level N; merged tables leave such records out"},
    {ROW("targets", VALUE_TEXT, targets, "algo"), .value = "V[,V...]",
     .help = "for bfs gap, serial and queue: end each search at the level of the farthest target, and print the "
             "targets' levels"},
    {ROW("time-limit", VALUE_NUMBER, time_limit, "algo"), .value = "SECONDS", .maximum = MAX_SECONDS,
     .help = "for trials: begin no trial more than SECONDS after the first trial of a variant on a graph ended; the "
             "record has the trials that ran; for --pairs: fail if all pairs take longer, and begin no repeat more "
             "than SECONDS after the first (default: no limit)"},
    {ROW("pairs", VALUE_TEXT, pairs, "algo"), .value = "FILE.csv",
     .help = "instead of trials, compute the length of the shortest path for each source,destination in FILE (- for "
             "standard input); write CSV with the columns src,dst,length in FILE's order, -1 where there is no path "
             "or no such vertex, to standard output or --output, or JSON with --json; any bfs or msbfs variant; with "
             "--csv also several variants, which are only timed"},
    {ROW("pair-columns", VALUE_TEXT, pair_columns, "pairs"), .value = "A,B",
     .help = "the columns of sources and destinations in the file of --pairs, by their names in its first line or by "
             "number, from 1 on (default: columns with names such as src and dst, else the first two)"},
    {ROW("paths", VALUE_NONE, paths, "pairs"),
     .help = "add a column with the vertices of one shortest path, separated by blanks"},
    {ROW("repeats", VALUE_NUMBER, repeats, "algo"), .value = "R", .maximum = MAX_REPEATS,
     .help = "measure each trial, or all pairs, R times, and take the time of the median repeat (default: 1); if R "
             "is more than 1, measure recorded trials again"},
    {ROW("verify", VALUE_CHOICE, verify, "algo"), .value = "none|first|all",
     .help = "which trials' results to check (default: first)"},
    {ROW("cold", VALUE_NONE, cold, "algo"),
     .help = "for trials: empty the caches before each search, by writing twice the size of the last-level cache; "
             "each search then runs once, not twice"},
    {ROW("energy", VALUE_NONE, energy, "algo"),
     .help = "for trials on NVIDIA GPUs: then repeat all searches for at least 5 s, without checks, and report "
             "joules a search and MTEPS/W of the GPU alone"},

    {ROW("csv", VALUE_OPTIONAL, csv, "algo"), .group = "What to keep", .value = "DIR", .preset = "results/local",
     .help = "write records under DIR (default: results/local), and measure only what is not recorded there"},
    {ROW("fresh", VALUE_NONE, fresh, "csv"), .help = "measure again what is recorded already"},
    {ROW("profile", VALUE_NONE, profile, "csv"),
     .help = "for bfs, msbfs and topo kahn: also write a table to DIR/DEVICE/traces, with the direction, frontier "
             "and time (by the device's clock) of each level of each search; plot/draw.py profile draws it; --list "
             "--json shows which variants have profiles, and --variant all leaves out the others"},
    {ROW("output", VALUE_TEXT, output, "algo"), .letter = 'o', .value = "FILE",
     .help =
         "write the levels, order, parents or visited set of every source that --source, --sources or --sources-file "
         "names, or every vertex's closeness; the ending of the name chooses the format: .npy (several sources: a "
         "row for each), .txt (one value in each line), .csv (with vertex ids) or .graphalytics (as LDBC "
         "Graphalytics wants it, one source); - for standard output, as text (tables then go to standard error)"},
    {ROW("checkpoint", VALUE_TEXT, checkpoint, "algo"), .value = "FILE",
     .help = "for closeness: save the sums in FILE, and continue from FILE if it exists (default: the name of "
             "--output with .checkpoint appended)"},
    {ROW("checkpoint-every", VALUE_NUMBER, checkpoint_every, "algo"), .value = "SECONDS", .maximum = MAX_SECONDS,
     .help = "interval between checkpoints (default: 1); longer if writing them would take more than 1% of the time"},
    {ROW("output-parents", VALUE_NONE, output_parents, "algo"),
     .help = "also compute parents, if the algorithm gives levels (--list --long); measured times include this, and "
             "--output writes them"},
    {ROW("aggregates", VALUE_NONE, aggregates, "algo"),
     .help = "compute only sums over the levels of each source, not the levels themselves; for algorithms that take "
             "many sources"},
    {ROW("json", VALUE_NONE, json, NULL), .help = "print JSON, and nothing else, on standard output"},
    {ROW("trials", VALUE_NONE, trials, "algo"),
     .help = "below the table of results, print each trial: its source, the vertices reached, times and MTEPS"},
    {ROW("wide", VALUE_NONE, wide, "algo"), .help = "print all columns of the table of results, see below"},
    {ROW("quiet", VALUE_NONE, quiet, NULL), .help = "no progress bar and no notices; errors are still printed"},

    {ROW("list", VALUE_NONE, list, NULL), .group = "Other actions", .help = "show every algorithm"},
    {ROW("long", VALUE_NONE, is_long, "list"),
     .help = "with --list: also the outputs, title and paper of each algorithm, and the WebGPU adapters"},
    {ROW("info", VALUE_NONE, info, "graph"), .help = "show properties of the graph"},
    {ROW("write", VALUE_TEXT, write, "graph"), .value = "FILE",
     .help = "write the graph as .mtx or .gtrav, by the ending of the name; - for standard output, as .mtx (tables "
             "then go to standard error)"},
    {ROW("help", VALUE_OPTIONAL, help, NULL), .letter = 'h', .value = "TOPIC", .preset = TOPIC_ALL,
     .help = "show this page, or only a TOPIC: a family (bfs), a variant (bfs:auto), generators, orders or options; "
             "-h: the most common commands"},
    {ROW("version", VALUE_NONE, version, NULL), .letter = 'V', .help = "show the version and what is built in"},
    {0},
};

static const struct settings defaults = {.device = CHOICE_AUTO, .verify = 1 /* first */};

/* ---- reading ---- */

static int unknown_option(const struct cli_option *table, const char *argument, const char *name, size_t length,
                          struct error *error)
{
    const char *names[MAX_CLI_OPTIONS];
    int count = 0;
    for (const struct cli_option *option = table; option->name != NULL; option++)
        names[count++] = option->name;
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    const char *nearest = suggest(typed, names, count);
    int shown = (int)(name - argument + (ptrdiff_t)length);
    if (nearest != NULL)
        return error_set(error, STATUS_INPUT, "unknown option '%.*s'; did you mean '--%s'?", shown, argument, nearest);
    return error_set(error, STATUS_INPUT, "unknown option '%.*s'; --help lists all options", shown, argument);
}

/* Finds an option by its name or, if the name has one letter, by its letter. */
static const struct cli_option *find_option(const struct cli_option *table, const char *name, size_t length)
{
    for (const struct cli_option *option = table; option->name != NULL; option++)
        if (length == 1 ? option->letter == *name
                        : strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static int read_number(const char *option, const char *value, int most, int *number, struct error *error)
{
    char *end;
    errno = 0;
    long parsed = strtol(value, &end, 10);
    if (*end != '\0' || errno != 0 || parsed < 1 || parsed > most)
        return error_set(error, STATUS_INPUT, "--%s takes a whole number from 1 to %d, not '%s'", option, most, value);
    *number = (int)parsed;
    return STATUS_OK;
}

/* Returns the length of the choice in the value; stores the text after its colon, if any. */
static size_t read_detail(const struct cli_option *option, const char *value, void *record)
{
    size_t length = option->detailed != NULL ? strlen(option->detailed) : 0;
    if (length == 0 || strncmp(value, option->detailed, length) != 0 || value[length] != ':')
        return strlen(value);
    *(const char **)((char *)record + option->detail) = value + length + 1;
    return length;
}

static int read_choice(const struct cli_option *option, const char *value, size_t length, int *choice,
                       struct error *error)
{
    char words[MAX_CHOICES * LONGEST_CHOICE], *rest = words, *word;
    const char *names[MAX_CHOICES];
    int count = 0;
    if ((*choice = index_of_word(option->value, value, length)) >= 0)
        return STATUS_OK;
    snprintf(words, sizeof words, "%s", option->value);
    while (count < MAX_CHOICES && (word = strsep(&rest, "|")) != NULL)
        names[count++] = word;
    const char *nearest = suggest(value, names, count);
    if (nearest != NULL)
        return error_set(error, STATUS_INPUT, "--%s takes %s, not '%s'; did you mean '%s'?", option->name,
                         option->value, value, nearest);
    return error_set(error, STATUS_INPUT, "--%s takes %s, not '%s'", option->name, option->value, value);
}

static int store(struct cursor *cursor, const struct cli_option *option, const char *value, struct error *error)
{
    void *field = (char *)cursor->record + option->field;
    cursor->given[option - cursor->table] = true;
    switch (option->kind) {
    case VALUE_NONE:
        *(bool *)field = true;
        return STATUS_OK;
    case VALUE_TEXT:
    case VALUE_OPTIONAL:
        *(const char **)field = value;
        return STATUS_OK;
    case VALUE_LIST: {
        struct word_list *list = field;
        list->items[list->count++] = value;
        return STATUS_OK;
    }
    case VALUE_NUMBER:
        return read_number(option->name, value, option->maximum, field, error);
    case VALUE_CHOICE:
        return read_choice(option, value, read_detail(option, value, cursor->record), field, error);
    }
    return STATUS_OK;
}

/* The value of --name=value or --name value; NULL if there is none. */
static const char *take_value(struct cursor *cursor, const struct cli_option *option, const char *after_name)
{
    if (*after_name == '=')
        return after_name + 1;
    const char *next = cursor->next < cursor->argc ? cursor->argv[cursor->next] : NULL;
    if (option->kind == VALUE_OPTIONAL && (next == NULL || next[0] == '-'))
        return option->preset;
    /* A forgotten value must not swallow the option that follows it; "-5" may be meant, and is rejected later. */
    if (next == NULL || strncmp(next, "--", 2) == 0)
        return NULL;
    cursor->next++;
    return next;
}

/* Returns the family of FAMILY or FAMILY:VARIANT; NULL: no family has that name. A digit after the colon makes it a
 * generator: graph500 is a family, graph500:10 a graph. */
static const struct family *family_in(const char *word)
{
    char name[64];
    const char *colon = strchr(word, ':');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    return colon != NULL && isdigit((unsigned char)colon[1]) ? NULL : family_of(name);
}

/* Returns the option that a word without an option stands for: "algo" for a family, alone or with a variant, if none
 * was named before; "graph" for a generator's spec, a file, or "-". NULL: neither; the error suggests what the user
 * probably meant. */
static const char *word_option(const char *word, const char *algo, struct error *error)
{
    const char *names[MAX_FAMILIES];
    char meant[128], known[256] = "";
    bool has_family = algo != NULL;
    const struct family *of_algo = has_family ? family_in(algo) : NULL;
    const struct algorithm *variant;
    if (!has_family && family_in(word) != NULL)
        return "algo";
    bool meant_a_spec = suggest_spec(word, meant, sizeof meant), file_name = strpbrk(word, "./") != NULL;
    if (graph_spec_kind(word) != SPEC_NOTHING || (file_name && !meant_a_spec))
        return "graph"; /* loading reports a missing file; under mpirun only rank 0 needs to have it */
    int count = has_family ? 0 : family_names(names);
    const char *family = suggest(word, names, count);
    for (int i = 0; i < count; i++)
        append_name(known, sizeof known, names[i]);
    if (has_family && family_in(word) != NULL)
        error_set(error, STATUS_INPUT, "'%s' is a second family; a command runs only one", word);
    else if (of_algo != NULL && find_variant(of_algo, word, &variant, &(struct error){0}) == STATUS_OK)
        error_set(error, STATUS_INPUT, "'%s' is a variant of %s; write --variant %s", word, of_algo->name, word);
    else if (family != NULL)
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, family);
    else if (meant_a_spec)
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, meant);
    else if (has_family)
        error_set(error, STATUS_INPUT, "'%s' is neither a file nor a generator; see gtrav --help generators", word);
    else
        error_set(error, STATUS_INPUT, "'%s' is not a family (%s), a file or a generator", word, known);
    return NULL;
}

/* Reads a word without an option, which is short for --algo or --graph. */
static int read_word(struct cursor *cursor, const char *word, struct settings *settings, struct error *error)
{
    if (find_option(cli_options, word, strlen(word)) != NULL && family_of(word) == NULL &&
        graph_spec_kind(word) == SPEC_NOTHING)
        return error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '--%s'?", word, word);
    const char *name = word_option(word, settings->algo, error);
    if (name == NULL)
        return error->status;
    return store(cursor, find_option(cli_options, name, strlen(name)), word, error);
}

int read_option(struct cursor *cursor, struct error *error)
{
    const char *argument = cursor->argv[cursor->next++], *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const struct cli_option *option = find_option(cursor->table, name, length);
    if (option == NULL || (length == 1) != (argument[1] != '-')) /* -o or --output, but not --o or -output */
        return unknown_option(cursor->table, argument, name, length, error);
    if (option->kind == VALUE_NONE) {
        if (name[length] == '=')
            return error_set(error, STATUS_INPUT, "--%s takes no value", option->name);
        return store(cursor, option, NULL, error);
    }
    const char *value = take_value(cursor, option, name + length);
    if (value == NULL || *value == '\0')
        return error_set(error, STATUS_INPUT, "--%s needs a value: %s", option->name, option->value);
    return store(cursor, option, value, error);
}

static int read_argument(struct cursor *cursor, struct settings *settings, struct error *error)
{
    const char *argument = cursor->argv[cursor->next];
    if (argument[0] != '-' || argument[1] == '\0')
        return read_word(cursor, cursor->argv[cursor->next++], settings, error);
    if (read_option(cursor, error) == STATUS_OK && strcmp(argument, "-h") == 0 &&
        strcmp(settings->help, TOPIC_ALL) == 0)
        settings->help = TOPIC_BRIEF;
    return error->status;
}

/* ---- checking ---- */

static int check_needs(const struct cursor *cursor, const struct settings *settings, struct error *error)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        if (!cursor->given[option - cli_options] || option->needs == NULL ||
            (settings->info && (option->field == FIELD(device) || option->field == FIELD(gpus))))
            continue;
        const struct cli_option *needed = find_option(cli_options, option->needs, strlen(option->needs));
        bool is_named_alone = needed->kind == VALUE_NONE || needed->kind == VALUE_OPTIONAL;
        if (!cursor->given[needed - cli_options])
            return error_set(error, STATUS_INPUT, "--%s needs --%s%s%s", option->name, needed->name,
                             is_named_alone ? "" : " ", is_named_alone ? "" : needed->value);
    }
    return STATUS_OK;
}

/* --list shows algorithms, perhaps of one family, and runs none. */
static int check_list(const struct cursor *cursor, const struct settings *settings, struct error *error)
{
    if (settings->graphs.count > 0)
        return error_set(error, STATUS_INPUT, "--list shows algorithms; leave out --graph");
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (cursor->given[option - cli_options] && option->needs != NULL && strcmp(option->name, "algo") != 0 &&
            !(option->field == FIELD(is_long) && !settings->json))
            return error_set(error, STATUS_INPUT, "--list shows algorithms; leave out --%s", option->name);
    return STATUS_OK;
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

int check_rules(const struct rule *rules, const char *family, struct error *error)
{
    while (rules->problem != NULL && !rules->is_broken)
        rules++;
    return rules->problem != NULL ? error_set(error, STATUS_INPUT, rules->problem, family) : STATUS_OK;
}

static int check_combinations(const struct settings *settings, struct error *error)
{
    bool has_pairs = settings->pairs != NULL, runs = settings->algo != NULL;
    int lists = (settings->sources > 0) + (settings->source != NULL) + (settings->sources_file != NULL);
    const struct rule rules[] = {
        {settings->reorder != NULL && !runs && settings->write == NULL, "--reorder needs --algo or --write"},
        {settings->info && settings->gpus != NULL && settings->device != CHOICE_GPU &&
             settings->device != CHOICE_EMULATOR,
         "--info --gpus tells memory: it needs --device gpu"},
        {runs && settings->info, "--info describes graphs and --algo runs on them; give one of the two"},
        {lists > 1, "give one of --sources, --source and --sources-file"},
        {has_pairs && lists > 0, "--pairs names the sources; leave out --sources, --source and --sources-file"},
        {has_pairs && (settings->aggregates || settings->output_parents),
         "--pairs cannot be combined with --aggregates or --output-parents"},
        {settings->targets != NULL && settings->csv != NULL,
         "--targets cannot be combined with --csv, which has no column for its levels"},
        {settings->aggregates && (settings->output != NULL || settings->output_parents),
         "--aggregates computes no levels or parents that --output and --output-parents could write; leave one out"},
        {settings->energy && settings->cold, "--energy repeats searches, which warms the caches; leave out --cold"},
        {settings->wide && settings->json, "--wide is for the table of results; --json prints none"},
        {settings->trials && settings->json, "--json has every trial; leave out --trials"},
        {settings->wide && has_pairs, "--wide is for the table of results; --pairs prints none"},
        {settings->json && !runs && !settings->info, "--json needs --algo, --info or --list"},
        {0},
    };
    return check_rules(rules, settings->algo, error);
}

static int check_settings(const struct cursor *cursor, const struct settings *settings, struct error *error)
{
    if (settings->list)
        return check_list(cursor, settings, error);
    if (check_needs(cursor, settings, error) != STATUS_OK)
        return error->status;
    if (settings->graphs.count == 0)
        return error_set(error, STATUS_INPUT,
                         "nothing to do; try gtrav bfs kron:16 (short for --algo bfs --graph kron:16), or --help");
    const char *graph = settings->graphs.items[0];
    bool idle = settings->algo == NULL && !settings->info && settings->write == NULL && !settings->load.cache;
    if (idle && graph_spec_kind(graph) == SPEC_NOTHING)
        return error_set(error, STATUS_INPUT, "%s: no such file", graph);
    if (idle)
        return error_set(error, STATUS_INPUT,
                         "--graph %s alone does nothing; add --algo FAMILY (gtrav --list shows them), --info or "
                         "--write FILE",
                         graph);
    if (settings->csv != NULL && has_suffix(settings->csv, ".csv") && !is_folder(settings->csv))
        return error_set(
            error, STATUS_INPUT,
            "--csv %s: name a folder, which gets the records of many runs; --output FILE.csv writes one result",
            settings->csv);
    if (settings->write != NULL && settings->graphs.count > 1)
        return error_set(error, STATUS_INPUT, "--write takes one graph; %d are given", settings->graphs.count);
    return check_combinations(settings, error);
}

/* FAMILY:VARIANT is short for --algo FAMILY --variant VARIANT. */
static void split_algo(struct cursor *cursor, struct settings *settings)
{
    const struct family *family = settings->algo != NULL ? family_in(settings->algo) : NULL;
    const char *colon = family != NULL ? strchr(settings->algo, ':') : NULL;
    if (colon == NULL)
        return;
    cursor->given[find_option(cli_options, "variant", strlen("variant")) - cli_options] = true;
    settings->variants.items[settings->variants.count++] = colon + 1;
    settings->algo = family->name;
}

/* Whether --help or --version was read; then the rest of the arguments is ignored. */
static bool only_reports(const struct settings *settings)
{
    return settings->help != NULL || settings->version;
}

int settings_parse(int argc, char *const argv[], struct settings *settings, struct error *error)
{
    *settings = defaults;
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        struct word_list *list = (void *)((char *)settings + option->field);
        if (option->kind == VALUE_LIST &&
            allocate(&list->items, (size_t)argc, sizeof *list->items, "the command line", error) != STATUS_OK)
            return error->status;
    }
    struct cursor cursor = {.table = cli_options, .record = settings, .argc = argc, .next = 1, .argv = argv};
    while (cursor.next < argc && !only_reports(settings)) {
        int status = read_argument(&cursor, settings, error);
        if (status != STATUS_OK)
            return status;
    }
    split_algo(&cursor, settings);
    return only_reports(settings) ? STATUS_OK : check_settings(&cursor, settings, error);
}

void settings_release(struct settings *settings)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (option->kind == VALUE_LIST)
            free(((struct word_list *)((char *)settings + option->field))->items);
    *settings = defaults;
}
