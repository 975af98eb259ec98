/* test_warnings.c: each warning is given when it is true, and only then. */
#include "support.h"

#include "../harness.h"

#define NUM_TRIALS 16

/* Trials with 1000 edges and 1 ms each, but for small differences. */
static void make_trials(struct trial trials[NUM_TRIALS])
{
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i] = (struct trial){.source = (vertex_t)i, .edges = 1000 + (uint64_t)i, .time_ms = 1 + 0.05 * (i % 7)};
}

/* The text of the warning; "" if there is none. */
static const char *warning_of(const struct trial *trials, int num_trials)
{
    static struct warnings warnings;
    warnings = (struct warnings){0};
    warn_of_trials(&warnings, trials, num_trials);
    assert_true(warnings.count <= 1);
    return warnings.count > 0 ? warnings.text[0] : "";
}

static void assert_begins(const char *text, const char *beginning)
{
    if (strncmp(text, beginning, strlen(beginning)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, beginning);
}

TEST(usual_trials)
{
    struct trial trials[NUM_TRIALS];
    make_trials(trials);
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
    assert_string_equal(warning_of(trials, 0), "");
    assert_string_equal(warning_of(trials, 1), "");
    trials[5].time_ms = 4.5; /* a source may take longer */
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i].time_ms = 0;
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
}

TEST(outlier)
{
    struct trial trials[NUM_TRIALS];
    make_trials(trials);
    trials[5].time_ms = 40;
    assert_begins(warning_of(trials, NUM_TRIALS), "the slowest trial took 40 ms, 35.6 times the median of 16 trials");
    assert_non_null(strstr(warning_of(trials, NUM_TRIALS), "take the median"));
    assert_begins(warning_of(trials, 8), "the slowest trial took 40 ms"); /* 8 trials are enough */
    assert_string_equal(warning_of(trials, 7), "");                       /* 7 are too few */
    trials[5].edges = 5000;                                               /* it had more to do */
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
    trials[5].edges = 1000;
    trials[5].resumed = true; /* it was warned of when it was measured */
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
}

TEST(slow_first)
{
    struct trial trials[NUM_TRIALS];
    make_trials(trials);
    trials[0].time_ms = 13;
    assert_begins(warning_of(trials, NUM_TRIALS), "the first timed trial took 13 ms, 10.0 times as long");
    trials[3].time_ms = 12; /* so it was not only the first */
    assert_begins(warning_of(trials, NUM_TRIALS), "the slowest trial took 13 ms");
    make_trials(trials);
    trials[0].time_ms = 13;
    trials[0].edges = 1; /* the first differs from the others, and the second is not the first */
    trials[1].time_ms = 4;
    assert_string_equal(warning_of(trials, NUM_TRIALS), "");
    make_trials(trials);
    trials[0].resumed = true; /* the first that is timed now is the second */
    trials[1].time_ms = 13;
    assert_begins(warning_of(trials, NUM_TRIALS), "the first timed trial took 13 ms");
}

/* All trials of a batch have the same time, which counts once. */
TEST(batches)
{
    enum { SIZE = 4 };
    struct trial trials[SIZE * NUM_TRIALS], each[NUM_TRIALS];
    make_trials(each);
    each[7].time_ms = 100;
    for (int i = 0; i < SIZE * NUM_TRIALS; i++) {
        trials[i] = each[i / SIZE];
        trials[i].batch = SIZE;
    }
    assert_begins(warning_of(trials, SIZE * NUM_TRIALS), "the slowest trial took 100 ms");
    assert_non_null(strstr(warning_of(trials, SIZE * NUM_TRIALS), "of 16 trials"));
    assert_string_equal(warning_of(trials, SIZE * 7), ""); /* 28 trials, but 7 times */
}

TEST(machine)
{
    struct warnings warnings = {0};
    warn_of_threads(&warnings, 4, 4);
    warn_of_load(&warnings, 1, 1, 4, 4); /* this process alone */
    warn_of_load(&warnings, 0, 1, 4, 4); /* unknown */
    warn_of_load(&warnings, 3, 1, 4, 8); /* enough cores for the two others */
    warn_of_load(&warnings, 2, 2, 4, 8); /* both processes are ours */
    warn_of_load(&warnings, 4, 2, 3, 8); /* enough cores for two others and for both of ours */
    warn_of_throttling(&warnings, 0);
    assert_int_equal(warnings.count, 0);
    warn_of_threads(&warnings, 5, 4);
    warn_of_load(&warnings, 3, 1, 7, 8);
    warn_of_load(&warnings, 100, 1, 2, 8);
    warn_of_throttling(&warnings, 12);
    warn_of_load(&warnings, 3, 2, 4, 8); /* both of our processes have 4 threads */
    assert_int_equal(warnings.count, 5);
    assert_begins(warnings.text[0], "5 threads share 4 cores;");
    assert_begins(warnings.text[1], "other programs keep 2 of this machine's 8 cores busy and this run uses 7;");
    assert_begins(warnings.text[2], "other programs keep 8 of this machine's 8 cores busy and this run uses 2;");
    assert_begins(warnings.text[3], "the kernel stopped this run 12 times");
    assert_begins(warnings.text[4], "other programs keep 1 of this machine's 8 cores busy and this run uses 8;");
    for (int i = 0; i < 2 * MAX_WARNINGS; i++)
        warn_of_throttling(&warnings, 1);
    assert_int_equal(warnings.count, MAX_WARNINGS);
}

TESTS(enter_folder, leave_folder)
