/* test_pairs.c: path lengths, and paths, of pairs. */
#include "many_sources.h"

#include "../../src/run/pairs.h"

TEST(reading_pairs)
{
    static const struct {
        const char *text;
        uint64_t count;
        struct pair pairs[3];
    } good[] = {
        {"1,2\n", 1, {{1, 2}}},
        {"src,dst\n1,2\n3,4", 2, {{1, 2}, {3, 4}}},
        {"Person1Id|Person2Id\r\n1|2\r\n\r\n3|4\r\n", 2, {{1, 2}, {3, 4}}},
        {"# comment\n\nsource destination\n 0\t9 \n# more\n9  0\n1 2", 3, {{0, 9}, {9, 0}, {1, 2}}},
        {"dst,weight,src\n1,\"2,5\",3\n\"4\",,5\n", 2, {{3, 1}, {5, 4}}},
        {"\xef\xbb\xbf"
         "1;2;3\n4 ; 5\n",
         2,
         {{1, 2}, {4, 5}}},
        {"5,5\n5,5\n", 2, {{5, 5}, {5, 5}}},
    };
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "pairs.csv: no pairs in the file"},
        {"src,dst\n", "pairs.csv: no pairs in the file"},
        {"src,dst\nagain,more\n1,2\n", "pairs.csv:2:1: expected a vertex id"},
        {"1,2\nsrc,dst\n", "pairs.csv:2:1: expected a vertex id"},
        {"1\n", "pairs.csv:1:2: the line ends after one id; expected two"},
        {"1,\n", "pairs.csv:1:3: expected a vertex id"},
        {"\n\n  1,2\n\n1,x\n", "pairs.csv:5:3: expected a vertex id"},
        {"1,2x\n3,4\n", "pairs.csv:1:3: expected a vertex id"},
        {"0 1\n9 ; 0\n", "pairs.csv:2:3: expected a vertex id"},
        {"0,\"1\n", "pairs.csv:1:3: this quote is not closed on its line"},
    };
    GRAPH graph = make_graph("path:10", 0);
    struct pair_list list;
    for (size_t i = 0; i < COUNT(good); i++) {
        put_text("pairs.csv", good[i].text);
        assert_ok(read_pairs(&graph, "pairs.csv", NULL, &list, &error));
        assert_int_equal(list.count, good[i].count);
        assert_int_equal(list.num_absent, 0);
        assert_memory_equal(list.pairs, good[i].pairs, list.count * sizeof *list.pairs);
        pair_list_release(&list);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        put_text("pairs.csv", bad[i].text);
        assert_error(read_pairs(&graph, "pairs.csv", NULL, &list, &error), STATUS_INPUT, bad[i].message);
        assert_null(list.pairs);
    }
    assert_error(read_pairs(&graph, "none.csv", NULL, &list, &error), STATUS_INPUT,
                 "none.csv: cannot open: No such file or directory");
}

/* What pairs_write gives for some pairs. */
static void assert_pairs(const struct bench_request *bench, bool paths, const struct pair *pairs, uint64_t count,
                         bool swapped, uint64_t num_sources, const char *expected)
{
    struct pairs_request request = {bench, pairs, count, paths};
    struct pairs_result result;
    assert_ok(pairs_run(&request, &result, &error));
    assert_int_equal(result.swapped, swapped);
    assert_int_equal(result.num_sources, num_sources);
    assert_ok(pairs_write(&request, &result, "lengths.csv", &error));
    pairs_release(&result);
    TEXT text = get_bytes("lengths.csv", NULL);
    assert_string_equal(text, expected);
}

static const char *const pair_variants[][2] = {{"msbfs", "serial"},   {"msbfs", "then"}, {"msbfs", "pbfs"},
                                               {"msbfs", "adaptive"}, {"bfs", "serial"}, {"bfs", "gap"}};

TEST(pairs)
{
    static const struct pair of_path[] = {{0, 3}, {3, 0}, {2, 2}, {0, 3}, {5, 6}};
    static const struct pair few_ends[] = {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {0, 4}};
    static const struct pair of_cycle[] = {{0, 4}, {4, 0}, {1, 0}};
    GRAPH path = make_graph("0>1 1>0 1>2 2>1 2>3 3>2 5>4 4>5", 7), cycle = make_graph("0>1 1>2 2>3 3>4 4>0", 5);
    GRAPH line = make_graph("path:5", 0);
    uint64_t ids[] = {10, 20, 30, 40, 50, 60, 70};
    for (size_t i = 0; i < COUNT(pair_variants); i++) {
        const struct algorithm *algorithm = find_algorithm(pair_variants[i][0], pair_variants[i][1]);
        struct bench_request bench = request_for(algorithm, &path, NULL, 0);
        assert_pairs(&bench, false, of_path, 5, false, 4, "src,dst,length\n0,3,3\n3,0,3\n2,2,0\n0,3,3\n5,6,-1\n");
        assert_pairs(&bench, true, of_path, 5, false, 4,
                     "src,dst,length,path\n0,3,3,0 1 2 3\n3,0,3,3 2 1 0\n2,2,0,2\n0,3,3,0 1 2 3\n5,6,-1,\n");
        path.ids = ids;
        assert_pairs(&bench, true, of_path, 1, false, 1, "src,dst,length,path\n10,40,3,10 20 30 40\n");
        path.ids = NULL;
        bench.graph = &cycle; /* directed: never from the other side */
        assert_pairs(&bench, true, of_cycle, 3, false, 3,
                     "src,dst,length,path\n0,4,4,0 1 2 3 4\n4,0,1,4 0\n1,0,4,1 2 3 4 0\n");
        bench.graph = &line;
        assert_pairs(&bench, true, few_ends, 5, true, 1,
                     "src,dst,length,path\n0,4,4,0 1 2 3 4\n1,4,3,1 2 3 4\n2,4,2,2 3 4\n3,4,1,3 4\n0,4,4,0 1 2 3 4\n");
    }
}

/* Batches whose times are recorded run twice, after a warm-up; others once. */
TEST(timed_batches)
{
    static const struct pair pairs[] = {{0, 1}, {2, 3}, {4, 7}, {6, 8}}; /* batches of three sources and of one */
    GRAPH graph = make_graph("path:10", 0);
    for (int recorded = 0; recorded < 2; recorded++) {
        struct bench_request bench = request_for(&fake_algorithm, &graph, NULL, 0);
        bench.records = recorded ? "records" : NULL;
        fake.traversals = 0;
        assert_pairs(&bench, false, pairs, COUNT(pairs), false, COUNT(pairs),
                     "src,dst,length\n0,1,1\n2,3,1\n4,7,3\n6,8,2\n");
        assert_int_equal(fake.traversals, recorded ? 1 + 2 * 2 : 2);
    }
}

TESTS(enter_with_cpu, leave_with_cpu)
