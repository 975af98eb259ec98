/* test_torn_records.c: whatever another process left at the end of a file of trials, and wherever the disk is full,
 * the file has whole rows only, and each that was there. */
#include "record_rows.h"

#include "../../src/records/record_key.h"

static const struct trial trials[] = {
    {.source = 3,
     .edges = 18,
     .reached = 10,
     .time_ms = 2,
     .reset_ms = 0.5,
     .kernel_ms = 1,
     .search_mteps = 0.009,
     .mteps = 0.018},
    {.source = 4, .edges = 18, .reached = 10, .time_ms = 4, .kernel_ms = 3, .search_mteps = 0.0045, .mteps = 0.006}};

/* Appends so many trials; the message, "" if all is well, is to be freed. */
static char *append(uint32_t count)
{
    struct bench_request request = request_of(sources, 1, VERIFY_NONE);
    int status = records_append(&request, trials, count, &error);
    char *message = strdup(error.text);
    assert_fails(status, error.status, "");
    return message;
}

static void append_well(uint32_t count)
{
    TEXT message = append(count);
    assert_string_equal(message, "");
}

/* The file when it holds one trial, and then what it is to begin with is put there. */
static char *start_with(const char *tail)
{
    remove(TRIALS);
    append_well(1);
    char *whole = get_bytes(TRIALS, NULL);
    FILE *file = fopen(TRIALS, "a");
    assert_non_null(file);
    fputs(tail, file);
    fclose(file);
    return whole;
}

TEST(torn_row_before)
{
    static const char *const tails[] = {"", "p", "path:10,10,18," HASH ",bfs,fake,,fake,9,18", "\"a,\"\"b"};
    for (size_t i = 0; i < COUNT(tails); i++) {
        TEXT whole = start_with(tails[i]);
        append_well(2);
        TEXT after = get_bytes(TRIALS, NULL);
        assert_int_equal(strncmp(after, whole, strlen(whole)), 0);
        assert_int_equal(strncmp(after + strlen(whole), "path:10,10,18,", strlen("path:10,10,18,")), 0);
        assert_int_equal(lines_of(TRIALS), 4);
    }
}

/* The end of a long file is looked for from behind, a block at a time: no row before the torn one is lost. */
TEST(torn_row_of_a_long_file)
{
    enum { ROWS = 40 }; /* 7 kB */
    for (size_t torn = 1; torn < CSV_ROW_BYTES; torn += 700) {
        char *tail = calloc(torn + 1, 1);
        memset(tail, 'p', torn);
        free(start_with(""));
        for (int i = 1; i < ROWS; i++)
            append_well(1);
        TEXT whole = get_bytes(TRIALS, NULL);
        FILE *file = fopen(TRIALS, "a");
        assert_non_null(file);
        fputs(tail, file);
        fclose(file);
        append_well(1);
        TEXT after = get_bytes(TRIALS, NULL);
        assert_int_equal(strncmp(after, whole, strlen(whole)), 0);
        assert_int_equal(lines_of(TRIALS), 1 + ROWS + 1);
        free(tail);
    }
}

/* A torn header is written again. */
TEST(torn_header)
{
    TEXT whole = start_with("");
    const size_t cuts[] = {0, 1, 20, (size_t)(strchr(whole, '\n') - whole)};
    for (size_t i = 0; i < COUNT(cuts); i++) {
        put_bytes(TRIALS, whole, cuts[i]);
        append_well(1);
        TEXT after = get_bytes(TRIALS, NULL);
        assert_int_equal(strncmp(after, whole, strcspn(whole, "\n") + 1), 0);
        assert_int_equal(lines_of(TRIALS), 2);
    }
}

/* The disk is full after so many bytes of what is appended: of two rows, nothing stays, nor of the torn one before.
 */
TEST(full_disk)
{
    static const char *const tails[] = {"", "path:10,10,18," HASH ",bfs"};
    const size_t room[] = {0, 1, 30, 130, 200}; /* a row has about 170 bytes */
    for (size_t t = 0; t < COUNT(tails); t++)
        for (size_t i = 0; i < COUNT(room); i++) {
            TEXT whole = start_with(tails[t]);
            struct rlimit before = limit_file_size(strlen(whole) + room[i]);
            TEXT message = append(2);
            setrlimit(RLIMIT_FSIZE, &before);
            TEXT after = get_bytes(TRIALS, NULL);
            assert_string_equal(message, TRIALS ": cannot write: File too large");
            assert_string_equal(after, whole);
        }
}

/* Whether the trial of source 3 is taken from the file. */
static bool resumes(void)
{
    struct bench_request request = request_of(sources, 1, VERIFY_NONE);
    struct trial trial = {.source = 3};
    struct trials_result result = {.trials = &trial, .num_trials = 1};
    bool complete;
    assert_ok(records_resume(&request, &result, &complete, &error));
    return trial.resumed;
}

/* A row that lacks its end, or has a zero byte, is ignored, even if all its columns are there. */
TEST(rows_that_are_not_whole)
{
    TEXT whole = start_with("");
    size_t length = strlen(whole);
    put_bytes(TRIALS, whole, length - 1);
    assert_false(resumes());
    whole[length - 3] = '\0'; /* in the check */
    put_bytes(TRIALS, whole, length);
    assert_false(resumes());
}

/* A row is kept as it is. One with a figure that was damaged or edited is ignored, whichever it is. */
TEST(figures_that_are_none)
{
    static const struct {
        const char *part, *spoilt; /* of the row: fake,SOURCE,EDGES,REACHED,TIME_MS,RESET_MS,... */
    } cases[] = {
        {"fake,3,", "fake,3,"},
        {"fake,3,", "fake,4294967296,"},
        {"fake,3,", "fake,03,"},
        {"fake,3,18,10,", "fake,3,18,9,"},
        {"fake,3,18,10,", "fake,3,17,10,"},
        {"2.000000,0.5", "2.000001,0.5"},
        {"2.000000,0.5", "2.000000,0.6"},
        {"fake,3,18,", "fake,3,18446744073709551616,"},
        {"2.000000,0.5", "2.000000,1e999"},
        {"2.000000,0.5", "2.000000,-0.5"},
        {"2.000000,0.5", "2.000000,nan"},
        {"0.009,0.018", "0.009,999.000"},
        {"0.009,0.018", "0.008,0.018"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *whole = start_with(""), *part = strstr(whole, cases[i].part), *spoilt;
        assert_non_null(part);
        assert_true(asprintf(&spoilt, "%.*s%s%s", (int)(part - whole), whole, cases[i].spoilt,
                             part + strlen(cases[i].part)) > 0);
        put_text(TRIALS, spoilt);
        assert_int_equal(resumes(), i == 0);
        TEXT after = get_bytes(TRIALS, NULL);
        assert_string_equal(after, spoilt);
        free(spoilt);
        free(whole);
    }
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
