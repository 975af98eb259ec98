/* test_dictionary.c: the dictionary of ids, finding ids, and the options of loading by name. */
#include "support.h"

#include <omp.h>

#include "../../src/graph/dictionary.h"
#include "../../src/graph/load_options.h"

#define NUM_TEXTS 20000u

/* Text number i of NUM_TEXTS: of many lengths, most with a long common start, some the start of others. */
static const char *text_of(unsigned i, char text[64])
{
    snprintf(text, 64, "%s%.*s%u", i % 7 == 0 ? "" : "http://example.org/", (int)(i % 5), "\xffz/0",
             i * 2654435761u % NUM_TEXTS);
    return text;
}

/* Adds each text three times, `batch` of them together. */
static struct graph number_texts(int threads, unsigned stride, unsigned batch)
{
    struct dictionary dictionary;
    struct graph graph = {0};
    bool added = true;
    omp_set_num_threads(threads);
    assert_ok(dictionary_init(&dictionary, true, &error));
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : added)
    for (unsigned first = 0; first < 3 * NUM_TEXTS; first += batch) {
        char text[256][64];
        struct id ids[256];
        struct radix radix = {0};
        for (unsigned i = 0; i < batch; i++) {
            text_of((first + i) * stride % NUM_TEXTS, text[i]);
            ids[i] = (struct id){text[i], strlen(text[i])};
        }
        added = dictionary_add(&dictionary, ids, batch, &radix) && added;
        radix_release(&radix);
    }
    assert_true(added);
    assert_ok(dictionary_number(&dictionary, &graph, &error));
    assert_int_equal(graph.num_vertices, dictionary_count(&dictionary));
    dictionary_release(&dictionary);
    return graph;
}

TEST(texts_are_numbered_in_order)
{
    GRAPH graph = number_texts(1, 1, 1), again = number_texts(4, 7919, 250);
    char text[64], copy[64];
    for (vertex_t v = 0; v < graph.num_vertices; v++) {
        const char *name = graph_id(&graph, v, text);
        assert_string_equal(name, graph_id(&again, v, copy));
        assert_true(v == 0 || strcmp(graph_id(&graph, v - 1, text), name) < 0);
    }
    assert_int_equal(graph.num_vertices, again.num_vertices);
    for (unsigned i = 0; i < NUM_TEXTS; i++) {
        vertex_t v;
        const char *name = text_of(i, text);
        assert_true(graph_find_text(&graph, name, strlen(name), &v));
        assert_string_equal(graph_id(&graph, v, copy), name);
    }
}

/* Numbers above 2^63 come last, and numbers below 0 first. */
TEST(numbers_are_numbered_in_order)
{
    static const uint64_t huge[] = {UINT64_MAX, 0, 7, UINT64_C(1) << 63, 7}, negative[] = {5, (uint64_t)-1, 0, 5};
    static const uint64_t sorted[2][4] = {{0, 7, UINT64_C(1) << 63, UINT64_MAX}, {(uint64_t)-1, 0, 5}};
    for (int sign = 0; sign < 2; sign++) {
        const uint64_t *numbers = sign ? negative : huge;
        unsigned count = sign ? COUNT(negative) : COUNT(huge), distinct = sign ? 3 : 4;
        struct dictionary dictionary;
        struct radix radix = {0};
        struct id ids[5];
        GRAPH graph = {0};
        assert_ok(dictionary_init(&dictionary, false, &error));
        for (unsigned i = 0; i < count; i++)
            ids[i] = (struct id){.number = numbers[i], .negative = sign && (int64_t)numbers[i] < 0};
        assert_true(dictionary_add(&dictionary, ids, count, &radix));
        assert_false(dictionary_is_below(&dictionary, sign ? 6 : UINT64_MAX));
        assert_ok(dictionary_number(&dictionary, &graph, &error));
        assert_int_equal(graph.num_vertices, distinct);
        assert_memory_equal(graph.ids, sorted[sign], distinct * sizeof *graph.ids);
        for (unsigned i = 0; i < count; i++)
            assert_true(graph.ids[dictionary_vertex(&dictionary, ids[i].place)] == numbers[i]);
        dictionary_release(&dictionary);
        radix_release(&radix);
    }
}

TEST(finding)
{
    static char names[] = "a\0ab\0b c\0\xc3\xa9";
    static uint64_t name_at[] = {0, 2, 5, 9, 12}, numbers[] = {(uint64_t)INT64_MIN, (uint64_t)-3, 0, 7};
    struct graph text = {.num_vertices = 4, .names = names, .name_at = name_at};
    struct graph signs = {.num_vertices = 4, .ids = numbers, .signed_ids = true}, plain = {.num_vertices = 4};
    static const struct {
        const char *id;
        int of_text, of_signs, of_plain; /* the vertex; -1: none */
    } ids[] = {{"a", 0, -1, -1},
               {"ab", 1, -1, -1},
               {"abc", -1, -1, -1},
               {"b c", 2, -1, -1},
               {"b", -1, -1, -1},
               {"\xc3\xa9", 3, -1, -1},
               {"", -1, -1, -1},
               {"-", -1, -1, -1},
               {"-3", -1, 1, -1},
               {"3", -1, -1, 3},
               {"003", -1, -1, 3},
               {"4", -1, -1, -1},
               {"-0", -1, 2, 0},
               {"7", -1, 3, -1},
               {"+3", -1, -1, -1},
               {"3 ", -1, -1, -1},
               {"-9223372036854775808", -1, 0, -1},
               {"9223372036854775808", -1, -1, -1},
               {"18446744073709551613", -1, -1, -1}, /* the bits of -3 */
               {"18446744073709551619", -1, -1, -1}, /* 2^64 + 3 */
               {"-9223372036854775809", -1, -1, -1}};
    const struct graph *const graphs[] = {&text, &signs, &plain};
    for (size_t i = 0; i < COUNT(ids); i++)
        for (int g = 0; g < 3; g++) {
            int expected = g == 0 ? ids[i].of_text : g == 1 ? ids[i].of_signs : ids[i].of_plain;
            vertex_t v;
            bool found = graph_find_text(graphs[g], ids[i].id, strlen(ids[i].id), &v);
            assert_int_equal(found, expected >= 0);
            assert_true(!found || v == (vertex_t)expected);
        }
    char id[8];
    vertex_t v;
    assert_false(graph_find_text(&text, "a\0", 2, &v));
    assert_int_equal(graph_put_id(&signs, 0, id, sizeof id), 20);
    assert_string_equal(id, "-922337");
    assert_int_equal(graph_put_id(&text, 2, id, sizeof id), 3);
    assert_string_equal(id, "b c");
    assert_int_equal(graph_put_id(&plain, 4, id, sizeof id), 0);
    assert_string_equal(id, "");
}

TEST(options_by_name)
{
    static const struct {
        const char *name, *value, *message;
    } cases[] = {
        {"directed", NULL, ""},
        {"undirected", "yes", ""},
        {"undirected", "no", ""},
        {"ids", "text", ""},
        {"header-counts", "no", ""},
        {"vertices", "v.csv", ""},
        {"colums", "a,b", "unknown option 'colums' of loading a graph"},
        {"ids", "texts", "ids takes auto|any|dense|text, not 'texts'"},
        {"ids", NULL, "ids needs a value: auto|any|dense|text"},
        {"directed", "maybe", "directed takes yes|no, not 'maybe'"},
        {"columns", "", "columns takes A,B, not ''"},
    };
    struct load_options options = {0};
    uint64_t before = load_options_hash(&options);
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_error(load_options_set(&options, cases[i].name, cases[i].value, &error),
                     cases[i].message[0] != '\0' ? STATUS_INPUT : STATUS_OK, cases[i].message);
    }
    assert_true(options.directed && !options.undirected && options.ids == IDS_TEXT &&
                options.header_counts == COUNTS_NO);
    assert_string_equal(options.vertices, "v.csv");
    assert_true(load_options_hash(&options) != before);
}

TESTS(NULL, NULL)
