/* test_cli_units.c: suggestions, the table of options, and what the parser makes of it. */
#include "support.h"

#include "../../src/cli/options.h"
#include "../../src/cli/table.h"
#include "../../src/suggest.h"

/* ---- suggest ---- */

static const char *const names[] = {"bfs", "dfs", "topo", "queue", "bitmap"};
#define NUM_NAMES (int)COUNT(names)

TEST(suggests_the_nearest)
{
    assert_string_equal(suggest("bsf", names, NUM_NAMES), "bfs");
    assert_string_equal(suggest("dfss", names, NUM_NAMES), "dfs");
    assert_string_equal(suggest("TOPO", names, NUM_NAMES), "topo");
    assert_string_equal(suggest("bitmpa", names, NUM_NAMES), "bitmap");
    assert_string_equal(suggest("quee", names, NUM_NAMES), "queue");
}

TEST(suggests_nothing_far_off)
{
    char long_word[200];
    memset(long_word, 'b', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    assert_null(suggest("pagerank", names, NUM_NAMES));
    assert_null(suggest("", names, NUM_NAMES));
    assert_null(suggest("x", names, NUM_NAMES));
    assert_null(suggest(long_word, names, NUM_NAMES));
    assert_null(suggest("bfs", names, 0));
}

TEST(unknown_name_is_reported)
{
    assert_error(error_unknown("algorithm", "bsf", names, NUM_NAMES, &error), STATUS_INPUT,
                 "unknown algorithm 'bsf'; did you mean 'bfs'?");
    assert_error(error_unknown("algorithm", "pagerank", names, 2, &error), STATUS_INPUT,
                 "unknown algorithm 'pagerank'; there are bfs, dfs");
}

/* ---- the table of options ---- */

TEST(table_of_options_is_whole)
{
    assert_non_null(cli_options[0].group);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        assert_non_null(option->help);
        assert_int_equal(option->kind == VALUE_NONE, option->value == NULL);
        assert_int_equal(option->kind == VALUE_OPTIONAL, option->preset != NULL);
        assert_int_equal(option->kind == VALUE_NUMBER, option->maximum > 0);
        int needed = option->needs == NULL;
        for (const struct cli_option *other = cli_options; other->name != NULL; other++) {
            needed += option->needs != NULL && strcmp(option->needs, other->name) == 0;
            if (other != option) {
                assert_string_not_equal(other->name, option->name);
                assert_int_not_equal(other->field, option->field);
            }
        }
        assert_int_equal(needed, 1);
    }
}

/* ---- parsing ---- */

#define MAX_ARGUMENTS 16

/* Splits a command line at its blanks and parses it; release the settings afterwards. */
static int parse(const char *line, struct settings *settings)
{
    static char text[256];
    char *argv[MAX_ARGUMENTS] = {"gtrav"}, *rest;
    int argc = 1;
    strncpy(text, line, sizeof text - 1);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return settings_parse(argc, argv, settings, &error);
}

TEST(reads_every_kind_of_option)
{
    struct settings settings;
    assert_ok(parse("--algo bfs --graph=a.mtx --graph kron:4 --sources=8 --verify all --device gpu --csv --json",
                    &settings));
    assert_string_equal(settings.algo, "bfs");
    assert_int_equal(settings.graphs.count, 2);
    assert_string_equal(settings.graphs.items[0], "a.mtx");
    assert_string_equal(settings.graphs.items[1], "kron:4");
    assert_int_equal(settings.sources, 8);
    assert_int_equal(settings.verify, 2);
    assert_int_equal(settings.device, CHOICE_GPU);
    assert_string_equal(settings.csv, "results/local");
    assert_true(settings.json);
    assert_false(settings.quiet);
    settings_release(&settings);
}

TEST(words_stand_for_options)
{
    static const char *const lines[] = {"bfs kron:4 path:3 --set a=1", "--set a=1 kron:4 bfs path:3",
                                        "--algo bfs kron:4 --set a=1 --graph path:3"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct settings settings;
        assert_ok(parse(lines[i], &settings));
        assert_string_equal(settings.algo, "bfs");
        assert_int_equal(settings.graphs.count, 2);
        assert_string_equal(settings.graphs.items[0], "kron:4");
        assert_string_equal(settings.graphs.items[1], "path:3");
        settings_release(&settings);
    }
}

TEST(defaults)
{
    struct settings settings;
    assert_ok(parse("--algo bfs --graph kron:4", &settings));
    assert_int_equal(settings.verify, 1);
    assert_int_equal(settings.device, CHOICE_AUTO);
    assert_int_equal(settings.sources, 0);
    assert_null(settings.csv);
    settings_release(&settings);
}

TEST(optional_value)
{
    static const char *const lines[][2] = {{"--algo bfs --graph g --csv out", "out"},
                                           {"--algo bfs --graph g --csv=out", "out"},
                                           {"--algo bfs --graph g --csv", "results/local"},
                                           {"--algo bfs --csv --graph g", "results/local"}};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct settings settings;
        assert_ok(parse(lines[i][0], &settings));
        assert_string_equal(settings.csv, lines[i][1]);
        settings_release(&settings);
    }
}

TEST(help_ends_the_reading)
{
    static const char *const lines[] = {"--help", "-h", "--algo bfs -h --nonsense", "--man --nonsense"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct settings settings;
        assert_ok(parse(lines[i], &settings));
        assert_true(settings.help || settings.manual);
        settings_release(&settings);
    }
}

/* Further ones are in tests/cli/test_command_line.py. */
TEST(mistakes_are_reported)
{
    static const char *const lines[][2] = {
        {"--varaint queue", "did you mean '--variant'?"},
        {"-graph g", "did you mean '--graph'?"},
        {"--vari queue", "unknown option '--vari'"},
        {"--graph= --info", "--graph needs a value"},
        {"--algo --graph g", "--algo needs a value: FAMILY"},
        {"--sources 0", "--sources takes a whole number from 1 to"},
        {"--sources 99999999999999999999", "--sources takes a whole number from 1 to"},
        {"--sources 8x", "not '8x'"},
        {"--verify al", "--verify takes none|first|all, not 'al'; did you mean 'all'?"},
        {"--device toaster", "--device takes auto|gpu|cpu|cpu-emulator|webgpu, not 'toaster'"},
        {"--graph g --variant queue", "--variant needs --algo"},
        {"--graph g --algo bfs --fresh", "--fresh needs --csv"},
        {"--graph g --algo bfs --info", "give one of the two"},
        {"--list bfs --variant gap", "leave out --variant"},
        {"--graph g --info --ids some", "--ids takes auto|any|dense"},
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct settings settings;
        assert_fails(parse(lines[i][0], &settings), STATUS_INPUT, lines[i][1]);
        settings_release(&settings);
    }
}

/* ---- tables ---- */

TEST(groups_digits)
{
    char text[GROUPED_BYTES];
    assert_string_equal(grouped(0, text), "0");
    assert_string_equal(grouped(999, text), "999");
    assert_string_equal(grouped(1000, text), "1,000");
    assert_string_equal(grouped(50912018, text), "50,912,018");
    assert_string_equal(grouped(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

/* A table of rows with '|' between their cells, as it is printed; the caller frees. */
static char *printed(const char *align, const char *rows, int columns)
{
    struct table table;
    TEXT copy = strdup(rows);
    char *text, *rest = copy;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_ok(table_init(&table, 8, align, &error));
    table.num_rows = 0;
    for (char *row; (row = strsep(&rest, "\n")) != NULL; table.num_rows++)
        for (int column = 0; row != NULL; column++)
            table_cell(&table, table.num_rows, column, "%s", strsep(&row, "|"));
    table_print(file, &table, columns);
    fclose(file);
    table_release(&table);
    return text;
}

TEST(tables_fit_the_columns)
{
    static const char small[] = "name|ms\ncafé|12.5\nb|"; /* four letters, five bytes */
    /* The second column may be wrapped, and then is as wide as "corner" at least: 17 in all. */
    static const char wide[] = "name|what it is|ms\na b c|the café at the corner|1\nb||23";
    static const struct {
        const char *align, *rows;
        int columns;
        const char *text;
    } cases[] = {
        {"lr", small, 0,
         "name    ms\n"
         "----------\n"
         "café  12.5\n"
         "b\n"},
        {"lwr", wide, 33,
         "name   what it is              ms\n"
         "---------------------------------\n"
         "a b c  the café at the corner   1\n"
         "b                              23\n"},
        {"lwr", wide, 19,
         "name   what it   ms\n"
         "       is\n"
         "-------------------\n"
         "a b c  the café   1\n"
         "       at the\n"
         "       corner\n"
         "b                23\n"},
        {"lr", small, 9,
         "name  caf\n"
         "      é\n"
         "ms    12.\n"
         "      5\n"
         "\n"
         "name  b\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        TEXT text = printed(cases[i].align, cases[i].rows, cases[i].columns);
        assert_string_equal(text, cases[i].text);
    }
}

TESTS(NULL, NULL)
