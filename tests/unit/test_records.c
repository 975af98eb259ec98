/* test_records.c: what runs write, and what later runs take over from it. */
#include "record_rows.h"

#include <math.h>

TEST(rows_are_written)
{
    struct bench_request request = request_of(sources, 3, VERIFY_FIRST);
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n");
    assert_summary(KEY "3,first,1.500,," OF_3 ",6.000,0.000000000" NO_BUILDING(LISTS_OF_3));
    TEXT text = get_bytes(TRIALS, NULL);
    char *check = strrchr(text, ','), *date = last_columns(text, text + strlen(text), DATE_FROM_END);
    int year, month, day, hour, minute, second, used = 0;
    assert_int_equal(sscanf(date, ",%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute, &second, &used),
                     6);
    assert_int_equal(date[used], ',');
    assert_int_equal(strspn(check + 1, "0123456789abcdef"), 16);
    assert_string_equal(check + 1 + 16, "\n");
}

/* Runs that ask for the same again measure only what is missing. */
TEST(resume)
{
    struct bench_request two = request_of(sources, 2, VERIFY_FIRST), four = request_of(sources, 4, VERIFY_FIRST);
    struct trials_result result;
    run_and_expect(&two, STATUS_OK, 2, 3);
    run_and_expect(&four, STATUS_OK, 4, 3);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n" ROW5 "no,,,,3\n");
    fake.prepared = fake.released = 0;
    four.load_ms = 77;
    run_and_expect(&four, STATUS_OK, 4, 0);
    assert_int_equal(fake.prepared, 0);
    assert_ok(trials_run(&four, &result, &error));
    for (int i = 0; i < 4; i++) {
        assert_true(result.trials[i].resumed);
        assert_int_equal(result.trials[i].source, sources[i]);
        assert_int_equal(result.trials[i].edges, 18);
        assert_int_equal(result.trials[i].reached, 10);
        assert_int_equal(result.trials[i].verdict, i == 0 ? VERIFIED : NOT_VERIFIED);
        assert_true(fabs(result.trials[i].kernel_ms - (sources[i] + 1) * 1e-3) < 1e-9);
    }
    assert_true(result.setup.load_ms == 1.5); /* as recorded */
    assert_null(result.last.level);
    assert_int_equal(result.summary.trials, 4);
    trials_release(&result);
    run_and_expect(&two, STATUS_OK, 2, 0); /* the summary is then of two, and the other trials stay */
    assert_summary(KEY "2,first,1.500,," OF_2 ",6.000,0.000000000" NO_BUILDING(LISTS_OF_2));
    run_and_expect(&four, STATUS_OK, 4, 0);
}

/* A source asked for twice is measured twice, and both are taken over. */
TEST(resume_of_equal_sources)
{
    static const vertex_t twice[] = {3, 3, 0};
    struct bench_request request = request_of(twice, 3, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 3, 4);
    run_and_expect(&request, STATUS_OK, 3, 0);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n" ROW0
                                     "yes,9,0.000000000,,3\n");
}

/* Whatever ends a run, what was measured stays, and the next run does the rest. */
TEST(resume_after_a_failure)
{
    struct bench_request request = request_of(sources, 4, VERIFY_ALL);
    fake.failing = 4;
    run_and_expect(&request, STATUS_DEVICE, 2, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_int_equal(access(SUMMARY, F_OK), -1);
    fake.failing = 0;
    fake.interrupting = 2;
    run_and_expect(&request, STATUS_INTERRUPTED, 3, 2);
    ctrl_c_pressed = false;
    assert_int_equal(access(SUMMARY, F_OK), -1);
    fake.interrupting = 0;
    run_and_expect(&request, STATUS_OK, 4, 2);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n" ROW9
                                     "yes,9,0.000000000,,3\n" ROW5 "yes,5,0.000000000,,3\n");
    remove(SUMMARY); /* as if killed just before it was written */
    run_and_expect(&request, STATUS_OK, 4, 0);
    assert_int_equal(access(SUMMARY, F_OK), 0);
}

TEST(failed_rows_are_redone)
{
    struct bench_request request = request_of(sources, 3, VERIFY_ALL);
    fake.wrong[0] = true;
    run_and_expect(&request, STATUS_WRONG, 3, 4);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "FAILED,,,,3\n" ROW9 "yes,9,0.000000000,,3\n");
    assert_summary(KEY "3,FAILED,1.500,," OF_3 ",7.500,0.000000000" NO_BUILDING(LISTS_OF_3));
    run_and_expect(&request, STATUS_WRONG, 3, 2);
    request.verify = VERIFY_NONE; /* which does not make it right */
    run_and_expect(&request, STATUS_OK, 3, 2);
    run_and_expect(&request, STATUS_OK, 3, 0);
    request.verify = VERIFY_ALL;
    fake.wrong[0] = false;
    run_and_expect(&request, STATUS_OK, 3, 2);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "FAILED,,,,3\n" ROW9 "yes,9,0.000000000,,3\n" ROW0
                             "FAILED,,,,3\n" ROW0 "no,,,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_summary(KEY "3,all,1.500,," OF_3 ",8.000,0.000000000" NO_BUILDING(LISTS_OF_3));
}

TEST(verify_all_redoes_unverified)
{
    struct bench_request request = request_of(sources, 3, VERIFY_NONE);
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "no,,,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n");
    request.verify = VERIFY_FIRST;
    run_and_expect(&request, STATUS_OK, 3, 2);
    run_and_expect(&request, STATUS_OK, 3, 0);
    request.verify = VERIFY_ALL;
    run_and_expect(&request, STATUS_OK, 3, 3);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "no,,,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n" ROW3 "yes,6,0.000000000,,3\n" ROW0
                             "yes,9,0.000000000,,3\n" ROW9 "yes,9,0.000000000,,3\n");
    request.verify = VERIFY_NONE; /* what is verified serves those who do not ask for it, too */
    run_and_expect(&request, STATUS_OK, 3, 0);
    assert_summary(KEY "3,all,1.500,," OF_3 ",8.000,0.000000000" NO_BUILDING(LISTS_OF_3));
}

/* The newest rows are valid: of trials, of a source that is asked for twice, and of summaries. */
TEST(fresh)
{
    static const vertex_t twice[] = {3, 3, 0};
    struct bench_request request = request_of(twice, 3, VERIFY_ALL);
    RESULT result;
    run_and_expect(&request, STATUS_OK, 3, 4);
    put_column(TRIALS, DATE_FROM_END, "2020-01-02T03:04:05Z");
    TEXT first = get_bytes(TRIALS, NULL);
    request.fresh = true;
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_appended(TRIALS, first,
                    ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
    request.fresh = false;
    put_column(TRIALS, BUILD_FROM_END + 7, "9.000000000"); /* cross_share */
    put_column(TRIALS, BUILD_FROM_END + 5, "4.500000");    /* download_ms */
    assert_ok(trials_run(&request, &result, &error));
    assert_int_equal(num_resumed(&result), 3);
    assert_true(result.trials[2].quality.cross_share == 9);
    assert_true(result.trials[2].download_ms == 4.5);
    trials_release(&result);
    put_column(TRIALS, BUILD_FROM_END + 5, ""); /* it was not measured */
    assert_ok(trials_run(&request, &result, &error));
    assert_int_equal(num_resumed(&result), 3);
    assert_true(result.trials[2].download_ms == NOT_MEASURED);
    assert_true(result.summary.download_ms >= 0 && result.summary.download_ms < 4.5);
    assert_true(result.total_ms ==
                result.setup.prepare_ms + result.summary.time.median_ms + result.summary.download_ms);
}

/* An interrupted --fresh: trials that are newer than the summary make it outdated. */
TEST(outdated_summary)
{
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 2, 3);
    put_column(SUMMARY, DATE_FROM_END, "2020-01-02T03:04:05Z");
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* A run that was killed before it wrote the summary: the one before, of the same second, tells of other verdicts. */
TEST(summary_of_other_verdicts)
{
    struct bench_request request = request_of(sources, 2, VERIFY_NONE);
    run_and_expect(&request, STATUS_OK, 2, 3);
    put_column(SUMMARY, DATE_FROM_END, "2100-01-02T03:04:05Z");
    TEXT before = get_bytes(SUMMARY, NULL);
    request.verify = VERIFY_ALL;
    run_and_expect(&request, STATUS_OK, 2, 3);
    put_text(SUMMARY, before);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
    assert_summary(KEY "2,all,1.500,," OF_2 ",7.500,0.000000000" NO_BUILDING(LISTS_OF_2));
}

/* Who measured what was taken over: the newest row's version and date. */
TEST(origin_of_resumed_trials)
{
    struct bench_request one = request_of(sources, 1, VERIFY_NONE), three = request_of(sources, 3, VERIFY_NONE);
    RESULT result;
    assert_ok(trials_run(&one, &result, &error));
    assert_int_equal(num_resumed(&result), 0);
    assert_string_equal(result.resumed_version, "");
    trials_release(&result);
    put_column(TRIALS, DATE_FROM_END, "2020-01-02T03:04:05Z");
    put_column(TRIALS, VERSION_FROM_END, "v7");
    assert_ok(trials_run(&three, &result, &error));
    assert_int_equal(num_resumed(&result), 1);
    assert_string_equal(result.resumed_version, "v7");
    assert_string_equal(result.resumed_date, "2020-01-02T03:04:05Z");
    trials_release(&result);
    assert_ok(trials_run(&three, &result, &error));
    assert_int_equal(num_resumed(&result), 3);
    assert_string_equal(result.resumed_version, build_version());
}

/* How long what took, and how much memory is in use: written, and read back. */
TEST(what_preparing_built)
{
    static const char row[] = KEY "2,none,1.500,," OF_2 ",,,7.250,2.500,1200,1500,"
                                  "\"so big, \"\"so\"\" good\",\"{\"\"size\"\": 45287, \"\"share\"\": 0.25, "
                                  "\"\"way\"\": \"\"lazy\"\"}\",,,," LISTS_OF_2 ",,1,0,0,,,,,,,,0,3\n";
    struct bench_request request = request_of(sources, 2, VERIFY_NONE);
    RESULT result;
    request.reorder_ms = 7.25;
    fake.builds = true;
    run_and_expect(&request, STATUS_OK, 2, 3);
    assert_summary(row);
    request.reorder_ms = 8;
    assert_ok(trials_run(&request, &result, &error));
    assert_int_equal(fake.prepared, 1);
    assert_true(result.setup.reorder_ms == 7.25 && result.setup.build_ms == 2.5);
    assert_int_equal(result.setup.device_bytes, HELD + RUNNING);
    assert_int_equal(result.setup.peak_device_bytes, HELD + BUILDING);
    assert_string_equal(result.setup.note, "so big, \"so\" good");
    assert_string_equal(result.setup.facts, "{\"size\": 45287, \"share\": 0.25, \"way\": \"lazy\"}");
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
