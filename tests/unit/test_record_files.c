/* test_record_files.c: files of records: other keys, other builds, other versions of gtrav, odd names. */
#include "record_rows.h"

#include <fcntl.h>
#include <omp.h>
#include <sys/file.h>

#include "../../src/records/record_key.h"

/* The columns of another version of gtrav: its rows are left alone and not taken over, and new ones have a header of
 * their own. */
TEST(files_with_other_columns)
{
    static const struct {
        const char *column, *other;
    } cases[] = {{",tree_depth", ",height"}, {",date", ",date,smell"}, {",check", ""}};
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        remove(TRIALS);
        remove(SUMMARY);
        run_and_expect(&request, STATUS_OK, 2, 3);
        char *text = get_bytes(TRIALS, NULL), *column = strstr(text, cases[i].column), *others;
        assert_non_null(column);
        assert_true(asprintf(&others, "%.*s%s%s", (int)(column - text), text, cases[i].other,
                             column + strlen(cases[i].column)) > 0);
        put_text(TRIALS, others);
        run_and_expect(&request, STATUS_OK, 2, 3);
        assert_appended(TRIALS, others, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
        run_and_expect(&request, STATUS_OK, 2, 0);
        free(others);
        free(text);
    }
}

static const struct option_spec own_threads[] = {{"threads", 0, 0, 64, NULL, "its own"}, {0}};

/* Rows of other options, of another graph of that name, and of another version share the files and are left alone. */
TEST(several_keys_in_one_file)
{
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    GRAPH namesake = make_graph("path:7", 0);
    double other[MAX_OPTIONS];
    memcpy(other, options, sizeof other);
    other[0] = 5;
    free(namesake.name);
    namesake.name = strdup("path:10");
    run_and_expect(&request, STATUS_OK, 1, 2);
    request.options = other;
    run_and_expect(&request, STATUS_OK, 1, 2);
    request.graph = &namesake;
    request.graph_hash = 0xdef;
    run_and_expect(&request, STATUS_OK, 1, 2);
    static const char rows[] =
        TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n"
                     "path:10,10,18," HASH ",bfs,fake,size=5 policy=load-aware,fake,3,18,10,0.008000,"
                     "0.002000,0.004000,2.250,4.500,yes,6,0.000000000,,3\n"
                     "path:10,7,12,0000000000000def,bfs,fake,size=5 policy=load-aware,fake,3,12,7,0.008000,"
                     "0.002000,0.004000,1.500,3.000,yes,3,0.000000000,,3\n";
    assert_rows(TRIALS, rows);
    run_and_expect(&request, STATUS_OK, 1, 0);
    request.graph = &path_10;
    request.graph_hash = 0xabc;
    run_and_expect(&request, STATUS_OK, 1, 0);
    request.options = options;
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_rows(TRIALS, rows);
    TEXT summaries = get_bytes(SUMMARY, NULL);
    int lines = 0;
    for (const char *c = summaries; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + 3);
}

/* Nor do rows serve whose graph has the same name and size, but other edges. */
TEST(another_content)
{
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 2, 3);
    request.graph_hash++;
    run_and_expect(&request, STATUS_OK, 2, 3);
    run_and_expect(&request, STATUS_OK, 2, 0);
    request.graph_hash--;
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(TRIALS), 1 + 4);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* A summary with a damaged figure does not serve: the graph is prepared again. */
TEST(damaged_summary)
{
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 1, 2);
    put_damaged(SUMMARY, BUILD_FROM_END + 2, "2"); /* devices */
    fake.prepared = fake.released = 0;
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_int_equal(fake.prepared, 1);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* A file that is not gtrav's keeps its bytes, also where a link leads to it. */
TEST(files_without_a_header)
{
    static const char *const texts[] = {"my,own,table\n1,2,3\n", ROW3 "yes,6,0.000000000,,3\n", "\n"};
    static const struct {
        const char *path, *link;
    } cases[] = {{TRIALS, NULL}, {SUMMARY, NULL}, {TRIALS, "../../../own.csv"}, {SUMMARY, "../../own.csv"}};
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    for (size_t i = 0; i < COUNT(cases) * COUNT(texts); i++) {
        const char *path = cases[i / COUNT(texts)].path, *link = cases[i / COUNT(texts)].link;
        const char *text = texts[i % COUNT(texts)];
        RESULT result;
        remove(TRIALS);
        remove(SUMMARY);
        run_and_expect(&request, STATUS_OK, 1, 2);
        remove(path);
        if (link != NULL)
            assert_int_equal(symlink(link, path), 0);
        put_text(path, text);
        assert_fails(trials_run(&request, &result, &error), STATUS_INPUT, "line 1 is not a header");
        TEXT after = get_bytes(path, NULL);
        assert_string_equal(after, text);
    }
}

/* Who has the lock has it alone. */
TEST(the_lock_is_exclusive)
{
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    int lock = record_lock(&request, &error), other = open(RECORDS "/fake", O_RDONLY | O_DIRECTORY);
    assert_true(lock >= 0 && other >= 0);
    assert_int_equal(flock(other, LOCK_SH | LOCK_NB), -1);
    close(lock);
    assert_int_equal(flock(other, LOCK_SH | LOCK_NB), 0);
    close(other);
}

/* By another build, numbers are others: they do not serve. */
TEST(another_build)
{
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 1, 2);
    put_column(TRIALS, BUILD_FROM_END, "0123456789ab");
    run_and_expect(&request, STATUS_OK, 1, 2);
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_int_equal(fake.prepared, 2);
    put_column(SUMMARY, BUILD_FROM_END, "0123456789ab");
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_int_equal(fake.prepared, 3);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n");
    assert_summary(KEY "1,all,1.500,," OF_1 ",6.000,0.000000000" NO_BUILDING(LISTS_OF_1));
    assert_int_equal(lines_of(SUMMARY), 1 + 3);
}

/* With another number of threads, too; and here both summaries are valid. */
TEST(another_number_of_threads)
{
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 2, 3);
    omp_set_num_threads(NUM_THREADS + 1);
    run_and_expect(&request, STATUS_OK, 2, 3);
    run_and_expect(&request, STATUS_OK, 2, 0);
    omp_set_num_threads(NUM_THREADS);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(TRIALS), 1 + 4);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* What an algorithm runs on, as its rows tell it. */
TEST(threads)
{
    static const struct {
        enum device_kind device;
        bool serial;
        const struct option_spec *options;
        double value;
        const char *threads;
    } cases[] = {
        {DEVICE_CPU, false, NULL, 0, "3"},        {DEVICE_CPU, true, NULL, 0, "1"},
        {DEVICE_CPU, false, own_threads, 0, "3"}, {DEVICE_CPU, false, own_threads, 7, "7"},
        {DEVICE_GPU, false, NULL, 0, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct algorithm algorithm = {
            .device = cases[i].device, .serial = cases[i].serial, .options = cases[i].options};
        struct bench_request request = {.algorithm = &algorithm, .options = &cases[i].value};
        char threads[THREADS_BYTES];
        request_threads(&request, threads);
        assert_string_equal(threads, cases[i].threads);
    }
    assert_int_equal(strlen(build_id()), 12);
    assert_int_equal(strspn(build_id(), "0123456789abcdef"), 12);
}

/* Names that CSV, or a folder, would stumble over. */
TEST(odd_graph_names)
{
    static const struct {
        const char *name, *field, *file;
    } cases[] = {
        {"a,b", "\"a,b\"", "a,b"},
        {"say \"hi\"", "\"say \"\"hi\"\"\"", "say \"hi\""},
        {"\"", "\"\"\"\"", "\""},
        {"a/b", "a/b", "a_b"},
        {"two\nlines", "two_lines", "two_lines"},
        {"tab\there", "tab_here", "tab_here"},
        {" blank ", " blank ", " blank "},
        {"100%s", "100%s", "100%s"},
        {"Z\xc3\xbcrich", "Z\xc3\xbcrich", "Z\xc3\xbcrich"},
        {"..", "..", ".."},
        {"=1+1", "'=1+1", "=1+1"}, /* no formula, to a spreadsheet */
        {"-x", "'-x", "-x"},
        {"+b,c", "\"'+b,c\"", "+b,c"},
        {"@a", "'@a", "@a"},
        {"web+undirected", "web+undirected", "web+undirected"},
    };
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[256], expected[1024];
        free(path_10.name);
        path_10.name = strdup(cases[i].name);
        run_and_expect(&request, STATUS_OK, 2, 3);
        run_and_expect(&request, STATUS_OK, 2, 0);
        snprintf(path, sizeof path, RECORDS "/fake/trials/bfs_fake_%s.csv", cases[i].file);
        snprintf(expected, sizeof expected, TRIAL_HEADER "\n%s%s%syes,6,0.000000000,,3\n%s%s%syes,9,0.000000000,,3\n",
                 cases[i].field, strchr(KEY, ','), strstr(ROW3, ",fake,3") + strlen(",fake,"), cases[i].field,
                 strchr(KEY, ','), strstr(ROW0, ",fake,0") + strlen(",fake,"));
        assert_rows(path, expected);
    }
    char *summaries = get_bytes(SUMMARY, NULL);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_non_null(strstr(summaries, cases[i].field));
    free(summaries);
    char name[300];
    RESULT result;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    free(path_10.name);
    path_10.name = strdup(name);
    assert_fails(trials_run(&request, &result, &error), STATUS_INPUT,
                 "the graph's name is too long for a record; rename the file");
}

TEST(families_without_sources)
{
    struct bench_request request = request_of(NULL, 2, VERIFY_ALL);
    struct trials_result result;
    request.algorithm = &fake_topo;
    request.family = family_of("topo");
    request.graph = &dag_4;
    fake.source = NO_VERTEX;
    assert_ok(trials_run(&request, &result, &error));
    assert_int_equal(result.trials[1].source, NO_VERTEX);
    assert_int_equal(result.trials[1].reached, 4);
    assert_int_equal(result.trials[1].edges, 3);
    trials_release(&result);
    static const char path[] = RECORDS "/fake/trials/topo_fake_0>1 1>2 2>3.csv";
#define TOPO_ROW "0>1 1>2 2>3,4,3," HASH ",topo,fake,,fake,,3,4,1.000000,0.250000,0.500000,0.003,0.006,yes,,,,3\n"
    assert_rows(path, TRIAL_HEADER "\n" TOPO_ROW TOPO_ROW);
    run_and_expect(&request, STATUS_OK, 2, 0);
    request.num_sources = 3;
    run_and_expect(&request, STATUS_OK, 3, 2);
    assert_rows(path, TRIAL_HEADER "\n" TOPO_ROW TOPO_ROW TOPO_ROW);
}

TEST(records_that_cannot_be)
{
    static const struct {
        const char *folder, *message;
    } cases[] = {
        {"s.txt", "s.txt/fake: cannot make the folder for records: Not a directory"},
        {"s.txt/deeper", "s.txt/deeper: cannot make the folder for records: Not a directory"},
    };
    put_text("s.txt", "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bench_request request = request_of(sources, 1, VERIFY_ALL);
        RESULT result;
        request.records = cases[i].folder;
        assert_error(trials_run(&request, &result, &error), STATUS_INPUT, cases[i].message);
        assert_int_equal(fake.prepared, 0);
    }
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
