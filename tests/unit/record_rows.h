/* record_rows.h: the records of runs of fake_bfs.h, and what is in them. */
#pragma once

#include "../../src/records/csv.h"
#include "fake_bfs.h"

static const vertex_t sources[] = {3, 0, 9, 5};

#define TRIALS  RECORDS "/fake/trials/bfs_fake_path:10.csv"
#define SUMMARY RECORDS "/fake/bfs_fake_perf.csv"
#define TRIAL_HEADER                                                                                                   \
    "graph,vertices,edges,graph_hash,family,variant,options,device,source,trial_edges,reached,time_ms,"                \
    "reset_ms,kernel_ms,search_mteps,mteps,verified,tree_depth,cross_share,batch_sources,threads"
/* The last columns of a row of one that builds nothing; lists: of its trials. */
#define NO_BUILDING(lists) ",0.000,0.000,0,0,,,,,," lists ",,1,0,0,,,,,,,,0,3\n"
#define LISTS_OF_1         "0.008,0.004,18,3,"
#define LISTS_OF_2         "0.008 0.002,0.004 0.001,18*2,3 0,"
#define LISTS_OF_3         "0.008 0.002 0.02,0.004 0.001 0.01,18*3,3 0 9,"
/* The figures of summaries, from mean_time_ms to harmonic_mean_mteps: of the first source, the first two, three. */
#define OF_1                                                                                                           \
    "0.008000,0.008000,0.008000,0.008000,0.002000,0.002000,0.004000,0.004000,0.004000,0.004000,2.250,2.250,4.500,"     \
    "4.500"
#define OF_2                                                                                                           \
    "0.005000,0.005000,0.002000,0.008000,0.001250,0.001250,0.002500,0.002500,0.001000,0.004000,5.625,3.600,11.250,"    \
    "7.200"
#define OF_3                                                                                                           \
    "0.010000,0.008000,0.002000,0.020000,0.002500,0.002000,0.005000,0.004000,0.001000,0.010000,4.050,1.800,8.100,"     \
    "3.600"
#define HASH "0000000000000abc"
#define KEY  "path:10,10,18," HASH ",bfs,fake,size=4 policy=load-aware,fake,"
#define ROW3 KEY "3,18,10,0.008000,0.002000,0.004000,2.250,4.500,"
#define ROW0 KEY "0,18,10,0.002000,0.000500,0.001000,9.000,18.000,"
#define ROW9 KEY "9,18,10,0.020000,0.005000,0.010000,0.900,1.800,"
#define ROW5 KEY "5,18,10,0.012000,0.003000,0.006000,1.500,3.000,"

/* The last columns of a row are threads, build, version, date, launch, turn, repeat or repeats, check. */
#define BUILD_FROM_END   7
#define VERSION_FROM_END 6
#define DATE_FROM_END    5

/* Where the last `count` columns of a line begin, with the comma before them. */
static inline char *last_columns(char *line, const char *end, int count)
{
    char *cut = (char *)end;
    for (; count > 0 && cut != NULL; count--)
        cut = memrchr(line, ',', (size_t)(cut - line));
    assert_non_null(cut);
    return cut;
}

/* A CSV file from byte `start` on, without the last `cut_off` columns of every line; the caller frees. */
static inline char *rows_from(const char *path, size_t start, int cut_off)
{
    char *text = get_bytes(path, NULL), *to = text;
    memmove(text, text + start, strlen(text + start) + 1);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *cut = last_columns(line, end, cut_off);
        memmove(to, line, (size_t)(cut - line));
        to += cut - line;
        *to++ = '\n';
    }
    *to = '\0';
    return text;
}

/* Removes download_ms, whose values are measured, and the empty columns of the machine before the last column. */
static inline char *without_downloads(char *rows)
{
    for (char *line = rows; *line != '\0'; line = strchr(line, '\n') + 1) {
        char *download = last_columns(line, strchr(line, '\n'), 5),
             *threads = last_columns(line, strchr(line, '\n'), 1);
        bool header = strncmp(line, "graph,", strlen("graph,")) == 0;
        assert_true(header ? strncmp(download, ",download_ms,", strlen(",download_ms,")) == 0
                           : download[1] >= '0' && download[1] <= '9');
        memmove(download, threads, strlen(threads) + 1);
    }
    return rows;
}

/* The columns of trials, without download_ms and those of the machine. */
static inline void assert_rows(const char *path, const char *expected)
{
    char *rows = without_downloads(rows_from(path, 0, BUILD_FROM_END));
    assert_string_equal(rows, expected);
    free(rows);
}

/* The file of trials has grown by these rows. */
static inline void assert_appended(const char *path, const char *before, const char *expected)
{
    char *after = get_bytes(path, NULL), *rows = without_downloads(rows_from(path, strlen(before), BUILD_FROM_END));
    assert_int_equal(strncmp(after, before, strlen(before)), 0);
    assert_string_equal(rows, expected);
    free(rows);
    free(after);
}

/* The newest summary, without the header. How long loading took is known here; prepare_ms is empty, and upload_ms,
 * download_ms and total_ms are left out. */
static inline void assert_summary(const char *expected)
{
    static const char load_ms[] = ",1.500,";
    char *rows = rows_from(SUMMARY, 0, BUILD_FROM_END);
    char *row = (char *)memrchr(rows, '\n', strlen(rows) - 1) + 1, *prepare_ms = strstr(row, load_ms);
    assert_non_null(prepare_ms);
    prepare_ms += sizeof load_ms - 1;
    const char *rest = prepare_ms + strcspn(prepare_ms, ",");
    for (int more = 0; more < 3; more++)
        rest += 1 + strcspn(rest + 1, ",");
    memmove(prepare_ms, rest, strlen(rest) + 1);
    assert_string_equal(row, expected);
    free(rows);
}

/* Replaces one of the last columns of the file's last row, number `from_end` from the end (1: the last). */
static inline void put_damaged(const char *path, int from_end, const char *value)
{
    char *text = get_bytes(path, NULL), *end = text + strlen(text), *changed;
    char *column = last_columns(text, end, from_end), *rest = column + 1 + strcspn(column + 1, ",\n");
    assert_true(asprintf(&changed, "%.*s,%s%s", (int)(column - text), text, value, rest) > 0);
    put_text(path, changed);
    free(changed);
    free(text);
}

/* The same, with the check of what is there then. */
static inline void put_column(const char *path, int from_end, const char *value)
{
    put_damaged(path, from_end, value);
    char *text = get_bytes(path, NULL), *row = (char *)memrchr(text, '\n', strlen(text) - 1) + 1;
    char *check = last_columns(row, row + strlen(row), 1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(row - text), file);
    memcpy(check, "\n", 2);
    csv_put_checked(file, row);
    fclose(file);
    free(text);
}

static inline int lines_of(const char *path)
{
    char *text = get_bytes(path, NULL);
    int lines = 0;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}
