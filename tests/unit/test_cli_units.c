/* test_cli_units.c: the table of options, and tables as they are printed. */
#include "support.h"

#include "../../src/cli/options.h"
#include "../../src/cli/table.h"

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

/* ---- tables ---- */

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
