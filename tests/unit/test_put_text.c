/* test_put_text.c: ids that are text, in files that others read back: as CSV, in a list in a CSV field, as JSON. */
#include "support.h"

#include "../../src/records/put_text.h"

typedef void put_function(FILE *file, const struct graph *graph, vertex_t v);

/* Writes the id of vertex 0 of a graph. */
static void assert_put(put_function *put, const struct graph *graph, const char *expected)
{
    TEXT text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    put(file, graph, 0);
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(text)
{
    static const struct {
        char *id;
        const char *csv, *listed, *json;
    } cases[] = {
        {"ann", "ann", "ann", "\"ann\""},
        {"-7", "-7", "-7", "\"-7\""},
        {"a#b%c", "a#b%c", "a#b%c", "\"a#b%c\""},
        {"a b", "a b", "\"\"a b\"\"", "\"a b\""},
        {"a,b", "\"a,b\"", "\"\"a,b\"\"", "\"a,b\""},
        {"a;b", "\"a;b\"", "\"\"a;b\"\"", "\"a;b\""},
        {"a|b", "\"a|b\"", "\"\"a|b\"\"", "\"a|b\""},
        {"a\tb", "\"a\tb\"", "\"\"a\tb\"\"", "\"a\\u0009b\""},
        {"a\nb", "\"a\nb\"", "\"\"a\nb\"\"", "\"a\\u000ab\""},
        {"a\"b", "\"a\"\"b\"", "\"\"a\"\"\"\"b\"\"", "\"a\\\"b\""},
        {"a\\b", "a\\b", "a\\b", "\"a\\\\b\""},
        {"", "\"\"", "\"\"\"\"", "\"\""},
        /* Readers would take these for comments, or leave the blank out. */
        {"#a", "\"#a\"", "\"\"#a\"\"", "\"#a\""},
        {"%a", "\"%a\"", "\"\"%a\"\"", "\"%a\""},
        {" a", "\" a\"", "\"\" a\"\"", "\" a\""},
        {"a ", "\"a \"", "\"\"a \"\"", "\"a \""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t name_at[] = {0, strlen(cases[i].id) + 1};
        struct graph graph = {.num_vertices = 1, .names = cases[i].id, .name_at = name_at};
        assert_put(put_id_csv, &graph, cases[i].csv);
        assert_put(put_id_listed, &graph, cases[i].listed);
        assert_put(put_id_json, &graph, cases[i].json);
    }
}

TEST(numbers)
{
    uint64_t id = UINT64_MAX;
    struct graph graph = {.num_vertices = 1}, of_ids = {.num_vertices = 1, .ids = &id};
    put_function *const functions[] = {put_id_csv, put_id_listed, put_id_json};
    for (size_t i = 0; i < COUNT(functions); i++) {
        assert_put(functions[i], &graph, "0");
        of_ids.signed_ids = false;
        assert_put(functions[i], &of_ids, "18446744073709551615");
        of_ids.signed_ids = true;
        assert_put(functions[i], &of_ids, "-1");
    }
}

TESTS(NULL, NULL)
