/* compare.c: reads the command line of `gtrav compare`, and prints its comparisons as a table or as JSON. */
#include "compare.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <unistd.h>

#include "../compare/comparison.h"
#include "../compare/launches.h"
#include "../processes/ranks.h"
#include "../records/put_text.h"
#include "../request.h"
#include "../suggest.h"
#include "help.h"
#include "table.h"
#include "terminal.h"

#define USUAL_PAIRS   6
#define USUAL_REPEATS 3
#define USUAL_SAME    "2"
#define MOST_LAUNCHES 400
#define MOST_PERCENT  100
#define RATIO_BYTES   16

/* ---- the command line ---- */

struct wishes {
    int launches, repeats; /* 0 if not given */
    int fail_if;           /* 0 if given, else -1 */
    const char *same, *csv;
    bool json, help;
    const char *folders[2];     /* of records to compare */
    struct command commands[2]; /* to start */
    int num_folders, num_commands;
};

#define ROW(NAME, KIND, MEMBER) .name = NAME, .kind = KIND, .field = offsetof(struct wishes, MEMBER)
static const struct cli_option options[] = {
    {ROW("launches", VALUE_NUMBER, launches), .value = "P", .maximum = MOST_LAUNCHES,
     .help = "start each command P times, in turns (default: 6); fewer than 4 give no verdict"},
    {ROW("repeats", VALUE_NUMBER, repeats), .value = "R", .maximum = MAX_REPEATS,
     .help = "measure each trial R times in a launch, and take the median (default: 3)"},
    {ROW("csv", VALUE_TEXT, csv), .value = "DIR", .help = "keep the records in DIR/a and DIR/b"},
    {ROW("same", VALUE_TEXT, same), .value = "PERCENT",
     .help = "say 'same' if the interval lies within PERCENT of 1 (default: 2)"},
    {ROW("fail-if", VALUE_CHOICE, fail_if), .value = "slower", .help = "exit with status 1 if a row is slower"},
    {ROW("json", VALUE_NONE, json), .help = "print JSON on standard output"},
    {ROW("help", VALUE_NONE, help), .letter = 'h', .help = "show this page"},
    {0},
};

void compare_help(FILE *file)
{
    fputs("gtrav compare: whether one command, variant or build is faster than another\n\n"
          "Usage: gtrav compare [OPTION...] -- COMMAND -- COMMAND\n"
          "       gtrav compare [OPTION...] -- COMMAND --variant A,B\n"
          "       gtrav compare [OPTION...] OLD NEW\n\n"
          "The first two forms start two commands of gtrav in turns, and compare their launches. The last\n"
          "form compares records that --csv wrote. A ratio is the new side's time divided by the old\n"
          "side's, with its 95% interval (docs/records.md).\n\n",
          file);
    print_options(file, options);
    fputs("\nExamples:\n"
          "  gtrav compare -- bfs kron:20 --variant gap,serial\n"
          "  gtrav compare --launches 12 -- old/gtrav bfs kron:20 -- new/gtrav bfs kron:20\n"
          "  gtrav compare results/before results/after --fail-if slower\n",
          file);
}

/* Reads the commands, which begin with the "--" at words[next]. */
static int read_commands(int count, char *const words[], int next, struct wishes *wishes, struct error *error)
{
    for (next++; next < count; next++) {
        if (wishes->num_commands == 2)
            return error_set(error, STATUS_INPUT, "compare takes two commands; a third begins with '%s'", words[next]);
        struct command *command = &wishes->commands[wishes->num_commands++];
        command->words = &words[next];
        while (next < count && strcmp(words[next], "--") != 0) {
            if (index_of_word("--csv|--repeats", words[next], strcspn(words[next], "=")) >= 0)
                return error_set(error, STATUS_INPUT, "%s is for both commands; give it before the first '--'",
                                 words[next]);
            command->count++;
            next++;
        }
        if (command->count == 0)
            return error_set(error, STATUS_INPUT, "a command is missing between '--' and '--'");
    }
    return STATUS_OK;
}

static int read_words(int count, char *const words[], struct wishes *wishes, struct error *error)
{
    struct cursor cursor = {.table = options, .record = wishes, .argc = count, .next = 1, .argv = words};
    while (cursor.next < count && error->status == STATUS_OK) {
        const char *word = words[cursor.next];
        if (strcmp(word, "--") == 0)
            return read_commands(count, words, cursor.next, wishes, error);
        if (word[0] == '-')
            read_option(&cursor, error);
        else if (wishes->num_folders < 2)
            wishes->folders[wishes->num_folders++] = words[cursor.next++];
        else
            error_set(error, STATUS_INPUT, "compare takes two folders of records; '%s' is a third", word);
    }
    return error->status;
}

static int read_same(const char *text, double *same, struct error *error)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(percent >= 0 && percent <= MOST_PERCENT))
        return error_set(error, STATUS_INPUT, "--same takes a percentage from 0 to %d, not '%s'", MOST_PERCENT, text);
    *same = percent / 100;
    return STATUS_OK;
}

static int check_wishes(const struct wishes *wishes, struct error *error)
{
    bool starts = wishes->num_commands > 0;
    if (starts == (wishes->num_folders > 0) || (!starts && wishes->num_folders == 1))
        return error_set(error, STATUS_INPUT,
                         "compare takes two folders of records, or '--' and two commands; see gtrav compare --help");
    if (!starts && (wishes->launches > 0 || wishes->repeats > 0 || wishes->csv != NULL))
        return error_set(error, STATUS_INPUT,
                         "--launches, --repeats and --csv are for commands, which follow '--'; leave them out to "
                         "compare records");
    if (ranks()->size > 1)
        return error_set(error, STATUS_INPUT, "compare does not run under mpirun; put mpirun into its commands");
    return STATUS_OK;
}

/* ---- two variants of one command ---- */

/* Returns the variants that a word of a command names, as in `--variant A`, `--variant=A` or `bfs:A`; or NULL. */
static char *variants_of(const struct command *command, int at)
{
    static const char option[] = "--variant";
    char family[64], *word = command->words[at], *value = word + strcspn(word, "=:");
    snprintf(family, sizeof family, "%.*s", (int)(value - word), word);
    if (at > 0 && strcmp(command->words[at - 1], option) == 0)
        return word;
    bool names = *value == '=' ? strcmp(family, option) == 0 : *value == ':' && family_of(family) != NULL;
    return names ? value + 1 : NULL;
}

/* Splits a command with the variants A,B into two. *second: the word with B. The caller frees it and both `words`. */
static int split_variants(struct wishes *wishes, char **words[2], char **second, struct error *error)
{
    struct command whole = wishes->commands[0];
    int at = 0;
    char *variants = NULL;
    while (at < whole.count && (variants = variants_of(&whole, at)) == NULL)
        at++;
    char *comma = variants != NULL ? strchr(variants, ',') : NULL;
    if (comma == NULL || strchr(comma + 1, ',') != NULL)
        return error_set(error, STATUS_INPUT, "one command needs two variants: --variant A,B; or name two commands");
    if (asprintf(second, "%.*s%s", (int)(variants - whole.words[at]), whole.words[at], comma + 1) < 0)
        return error_set(error, STATUS_INPUT, "out of memory: the commands");
    *comma = '\0';
    for (int side = 0; side < 2; side++) {
        if (allocate(&words[side], (size_t)whole.count, sizeof *words[side], "the commands", error) != STATUS_OK)
            return error->status;
        memcpy(words[side], whole.words, (size_t)whole.count * sizeof *words[side]);
        wishes->commands[side] = (struct command){words[side], whole.count};
    }
    words[1][at] = *second;
    wishes->num_commands = 2;
    return STATUS_OK;
}

/* ---- starting commands ---- */

static int remove_entry(const char *path, UNUSED const struct stat *facts, UNUSED int kind, UNUSED struct FTW *walk)
{
    return remove(path);
}

/* Fails if the folder has launches of an earlier comparison. Adding to them until the verdict pleases is no test. */
static int check_folder(const char *folder, struct error *error)
{
    char path[SIDE_PATH_BYTES];
    for (int side = 0; side < 2; side++) {
        launches_path(folder, side, path);
        if (strlen(folder) + 2 >= sizeof path || access(path, F_OK) == 0)
            return error_set(error, STATUS_INPUT,
                             "%s has launches of an earlier comparison; name another folder, or compare %s/a %s/b",
                             folder, folder, folder);
    }
    return STATUS_OK;
}

static int start_and_read(const struct wishes *wishes, struct rows sides[2], struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    char made[4096] = "", path[SIDE_PATH_BYTES];
    struct launches launches = {.commands = {wishes->commands[0], wishes->commands[1]},
                                .folder = wishes->csv,
                                .pairs = wishes->launches > 0 ? wishes->launches : USUAL_PAIRS,
                                .repeats = wishes->repeats > 0 ? wishes->repeats : USUAL_REPEATS};
    if (wishes->csv != NULL && check_folder(wishes->csv, error) != STATUS_OK)
        return error->status;
    if (wishes->csv == NULL) {
        snprintf(made, sizeof made, "%s/gtrav-compare-XXXXXX", temporary != NULL ? temporary : "/tmp");
        if (mkdtemp(made) == NULL)
            return error_errno(error, "%s: cannot make a folder for the records", made);
        launches.folder = made;
    }
    launches_run(&launches, error);
    for (int side = 0; side < 2 && error->status == STATUS_OK; side++) {
        launches_path(launches.folder, side, path);
        rows_read(path, &sides[side], error);
    }
    if (made[0] != '\0' && nftw(made, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
        notice("%s: not removed: %s", made, strerror(errno));
    return error->status;
}

static int get_rows(struct wishes *wishes, struct rows sides[2], struct error *error)
{
    char **words[2] = {NULL, NULL}, *second = NULL;
    if (wishes->num_commands == 0) {
        for (int side = 0; side < 2 && error->status == STATUS_OK; side++)
            rows_read(wishes->folders[side], &sides[side], error);
    } else if (wishes->num_commands == 2 || split_variants(wishes, words, &second, error) == STATUS_OK) {
        start_and_read(wishes, sides, error);
    }
    free(words[0]);
    free(words[1]);
    free(second);
    return error->status;
}

/* ---- printing ---- */

static bool has_ratio(const struct comparison *comparison)
{
    return comparison->outcome != REFUSED;
}

static bool has_interval(const struct comparison *comparison)
{
    return has_ratio(comparison) && isfinite(comparison->shift.low) && isfinite(comparison->shift.high);
}

/* Writes a ratio with three decimals, or with four digits if it is far from 1. */
static const char *ratio_text(double ratio, char text[RATIO_BYTES])
{
    snprintf(text, RATIO_BYTES, ratio >= 0.1 && ratio < 1000 ? "%.3f" : "%.4g", ratio);
    return text;
}

static void fill_row(struct table *table, int row, const struct comparison *comparison)
{
    const char *const *old = comparison->row[0]->field, *const *new = comparison->row[1]->field;
    bool two = strcmp(old[VARIANT], new[VARIANT]) != 0;
    char spread[64] = "", ratio[RATIO_BYTES], other[RATIO_BYTES];
    table_cell(table, row, 0, "%s", old[GRAPH]);
    table_cell(table, row, 1, "%s %s%s%s", old[FAMILY], old[VARIANT], two ? " -> " : "", two ? new[VARIANT] : "");
    table_cell(table, row, 7, "%s", outcome_word(comparison->outcome));
    if (comparison->needed > 0)
        table_cell(table, row, 7, "unclear, needs %s%d launches",
                   comparison->needed > MOST_LAUNCHES ? "over " : "about ",
                   comparison->needed > MOST_LAUNCHES ? MOST_LAUNCHES : comparison->needed);
    if (has_ratio(comparison)) {
        table_cell(table, row, 2, "%d, %d", comparison->launches[0], comparison->launches[1]);
        table_cell(table, row, 3, "%.4g", comparison->ms[0]);
        table_cell(table, row, 4, "%.4g", comparison->ms[1]);
        table_cell(table, row, 5, "%s", ratio_text(exp(comparison->shift.estimate), ratio));
    }
    if (has_interval(comparison))
        table_cell(table, row, 6, "%s to %s", ratio_text(exp(comparison->shift.low), ratio),
                   ratio_text(exp(comparison->shift.high), other));
    if (comparison->quartiles[0] > 0)
        snprintf(spread, sizeof spread, "spread between sources %s to %s%s",
                 ratio_text(comparison->quartiles[0], ratio), ratio_text(comparison->quartiles[1], other),
                 comparison->remark[0] != '\0' ? "; " : "");
    table_cell(table, row, 8, "%s%s", spread, comparison->remark);
}

static int print_comparisons(const struct comparisons *found, struct error *error)
{
    static const char *const headings[] = {"graph", "algorithm",    "launches", "old ms", "new ms",
                                           "ratio", "95% interval", "verdict",  "remark"};
    struct table table;
    if (table_init(&table, found->count + 1, "lwrrrrlww", error) != STATUS_OK)
        return error->status;
    for (int column = 0; column < table.num_columns; column++)
        table_cell(&table, 0, column, "%s", headings[column]);
    for (int i = 0; i < found->count; i++)
        fill_row(&table, i + 1, &found->items[i]);
    table_print(stdout, &table, terminal_columns(STDOUT_FILENO));
    table_release(&table);
    return STATUS_OK;
}

static void json_side(const char *name, const struct comparison *comparison, int side)
{
    static const enum field texts[] = {VARIANT, OPTIONS, DEVICE, THREADS, BUILD};
    printf("   \"%s\": {", name);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        printf("\"%s\": ", field_name(texts[i]));
        json_string(stdout, comparison->row[side]->field[texts[i]]);
        fputs(", ", stdout);
    }
    printf("\"launches\": %d, \"ms\": %.6g},\n", comparison->launches[side], comparison->ms[side]);
}

static void json_comparison(const struct comparison *comparison)
{
    json_string_after(stdout, "  {\"graph\": ", comparison->row[0]->field[GRAPH]);
    json_string_after(stdout, ", \"family\": ", comparison->row[0]->field[FAMILY]);
    printf(", \"verdict\": \"%s\",\n", outcome_word(comparison->outcome));
    json_side("old", comparison, 0);
    json_side("new", comparison, 1);
    printf("   \"sources\": %d", comparison->num_sources);
    if (has_ratio(comparison))
        printf(", \"ratio\": %.7g, \"p\": %.6g", exp(comparison->shift.estimate), comparison->shift.p);
    if (has_interval(comparison))
        printf(", \"interval\": [%.7g, %.7g]", exp(comparison->shift.low), exp(comparison->shift.high));
    if (comparison->quartiles[0] > 0)
        printf(", \"spread_between_sources\": [%.7g, %.7g]", comparison->quartiles[0], comparison->quartiles[1]);
    if (comparison->needed > 0)
        printf(", \"launches_needed\": %d", comparison->needed);
    json_string_after(stdout, ", \"remark\": ", comparison->remark);
    printf("}");
}

static void json_comparisons(const struct comparisons *found)
{
    printf("[\n");
    for (int i = 0; i < found->count; i++) {
        json_comparison(&found->items[i]);
        printf(i + 1 < found->count ? ",\n" : "\n");
    }
    printf("]\n");
}

static int report(const struct wishes *wishes, const struct comparisons *found, struct error *error)
{
    int slower = 0, judged = 0;
    if (wishes->json)
        json_comparisons(found);
    else
        print_comparisons(found, error);
    if (found->unmatched[0] + found->unmatched[1] > 0)
        notice("not compared, since the other side has none or several of them: %d old runs, %d new runs",
               found->unmatched[0], found->unmatched[1]);
    for (int i = 0; i < found->count; i++) {
        slower += found->items[i].outcome == SLOWER;
        judged += found->items[i].outcome >= SAME;
    }
    if (wishes->fail_if >= 0 && slower > 0)
        error_set(error, STATUS_WRONG, "the new side is slower in %d of %d comparisons", slower, found->count);
    else if (wishes->fail_if >= 0 && judged == 0)
        error_set(error, STATUS_INPUT, "--fail-if slower: no comparison has a verdict; the table says why");
    return error->status;
}

int compare_main(int count, char *const words[], struct error *error)
{
    struct wishes wishes = {.fail_if = -1, .same = USUAL_SAME};
    struct rows sides[2] = {0};
    struct comparisons found = {0};
    if (read_words(count, words, &wishes, error) != STATUS_OK)
        return error->status;
    if (wishes.help) {
        compare_help(stdout);
        return STATUS_OK;
    }
    struct comparison_options how = {.of_commands = wishes.num_commands > 0};
    if (check_wishes(&wishes, error) == STATUS_OK && read_same(wishes.same, &how.same, error) == STATUS_OK &&
        get_rows(&wishes, sides, error) == STATUS_OK && compare_rows(sides, &how, &found, error) == STATUS_OK)
        report(&wishes, &found, error);
    comparisons_release(&found);
    rows_release(&sides[0]);
    rows_release(&sides[1]);
    return error->status;
}
