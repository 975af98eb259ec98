/* test_checkpoint_writer.c: totals on their way from place to place, and the rounds that write them while workers
 * work. */
#include <unistd.h>

#include "../../src/graph/hash.h"
#include "../../src/processes/checkpoint_writer.h"
#include "support.h"

#define SOURCES 100
#define TOTALS  __attribute__((cleanup(totals_close))) struct totals
#define WAIT_MS 600000.0 /* longer than any wait here, however busy the machine is */

static struct totals no_totals(void)
{
    struct totals totals;
    assert_ok(totals_open(&totals, SOURCES, SOURCES, &error));
    return totals;
}

/* The sums of one source. */
static void add_source(struct totals *totals, uint32_t source)
{
    set_bit(totals->done, source);
    totals->head->num_done++;
    for (uint32_t v = 0; v < SOURCES; v++) {
        totals->farness[v] += source * v;
        totals->farness_count[v]++;
    }
}

/* Totals in totals messages arrive once, whatever the order. */
TEST(totals_messages)
{
    TOTALS first = no_totals(), second = no_totals(), all = no_totals(), message = no_totals();
    for (uint32_t source = 0; source < SOURCES; source++) {
        add_source(source % 3 == 0 ? &first : &second, source);
        add_source(&all, source);
        if (source % 10 != 7 && source != SOURCES - 1)
            continue;
        all.head->kernel_ms = second.head->kernel_ms = source;
        totals_copy(&message, &second);
        totals_clear(&second);
        assert_int_equal(second.head->num_done, 0);
        totals_add(&first, &message);
    }
    assert_int_equal(first.head->num_done, SOURCES);
    assert_memory_equal(first.head, all.head, all.bytes);
}

TEST(pauses)
{
    assert_true(checkpoint_writer_pause_ms(1000, 0) == 1000);
    assert_true(checkpoint_writer_pause_ms(1000, 4.9) == 1000);
    assert_true(checkpoint_writer_pause_ms(1000, 50) == 10000); /* half a percent of it */
    assert_true(checkpoint_writer_pause_ms(60000, 50) == 60000);
}

/* Until the worker is asked to add. */
static void wait_until_wanted(struct checkpoint_writer *writer, int worker)
{
    double began_ms = now_ms();
    while (!checkpoint_writer_wants(writer, worker)) {
        assert_true(now_ms() - began_ms < WAIT_MS);
        usleep(1000);
    }
}

static uint64_t kept(const struct graph *graph, const vertex_t *sources)
{
    TOTALS found = no_totals(), sums = no_totals();
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, "rounds", graph, graph_hash(graph), sources, SOURCES);
    assert_ok(checkpoint_take_up(&checkpoint, &found, &error));
    for (uint32_t source = 0; source < SOURCES; source++)
        if (has_bit(found.done, source))
            add_source(&sums, source);
    sums.head->time_ms = found.head->time_ms;
    assert_memory_equal(found.head, sums.head, sums.bytes); /* only the sums of the sources that it marks */
    return found.head->num_done;
}

/* A round is written when both workers have added, and while they go on; then with one that has ended. */
TEST(rounds)
{
    TOTALS totals = no_totals();
    GRAPH graph = make_graph("path:100", 0);
    struct checkpoint checkpoint;
    struct checkpoint_writer writer;
    vertex_t sources[SOURCES];
    for (vertex_t v = 0; v < SOURCES; v++)
        sources[v] = v;
    checkpoint_open(&checkpoint, "rounds", &graph, graph_hash(&graph), sources, SOURCES);
    assert_ok(checkpoint_writer_open(&writer, &totals, &checkpoint, true, 2, &error));
    assert_ok(checkpoint_writer_begin(&writer, 1, &error));
    assert_false(checkpoint_writer_wants(&writer, 0)); /* not before a second is over */
    for (int worker = 0; worker < 2; worker++) {
        assert_int_equal(kept(&graph, sources), 0);
        wait_until_wanted(&writer, worker);
        pthread_mutex_lock(&writer.lock);
        add_source(&writer.totals, (uint32_t)worker);
        pthread_mutex_unlock(&writer.lock);
        checkpoint_writer_has_added(&writer, worker, 0);
        assert_false(checkpoint_writer_wants(&writer, worker)); /* once a round */
    }
    double began_ms = now_ms();
    while (kept(&graph, sources) != 2)
        assert_true(now_ms() - began_ms < WAIT_MS);
    checkpoint_writer_worker_ends(&writer, 1);
    wait_until_wanted(&writer, 0);
    pthread_mutex_lock(&writer.lock);
    add_source(&writer.totals, 7);
    pthread_mutex_unlock(&writer.lock);
    checkpoint_writer_has_added(&writer, 0, 0);
    while (kept(&graph, sources) != 3)
        assert_true(now_ms() - began_ms < WAIT_MS);
    checkpoint_writer_worker_ends(&writer, 0);
    assert_ok(checkpoint_writer_end(&writer, &error));
    checkpoint_writer_close(&writer);
    remove("rounds");
}

/* The time of the runs before is in the checkpoint, and this run's is added to it. */
TEST(time_of_several_runs)
{
    TOTALS totals = no_totals();
    struct checkpoint_writer writer;
    totals.head->time_ms = 5000;
    assert_ok(checkpoint_writer_open(&writer, &totals, NULL, false, 1, &error));
    assert_ok(checkpoint_writer_begin(&writer, 0, &error));
    usleep(2000);
    checkpoint_writer_take_time(&writer);
    assert_true(totals.head->time_ms >= 5002 && totals.head->time_ms < 5000 + WAIT_MS);
    assert_ok(checkpoint_writer_end(&writer, &error));
    checkpoint_writer_close(&writer);
}

/* A failed write ends the run with an error, and no more work is given out. */
TEST(no_room_for_a_round)
{
    TOTALS totals = no_totals();
    GRAPH graph = make_graph("path:100", 0);
    struct checkpoint checkpoint;
    struct checkpoint_writer writer;
    vertex_t sources[SOURCES] = {0};
    checkpoint_open(&checkpoint, "no/such/folder", &graph, graph_hash(&graph), sources, SOURCES);
    assert_ok(checkpoint_writer_open(&writer, &totals, &checkpoint, true, 1, &error));
    assert_ok(checkpoint_writer_begin(&writer, 1, &error));
    assert_true(ranks_take(1) < SOURCES);
    wait_until_wanted(&writer, 0);
    checkpoint_writer_has_added(&writer, 0, 0);
    double began_ms = now_ms();
    while (ranks_take(0) < SOURCES)
        assert_true(now_ms() - began_ms < WAIT_MS);
    checkpoint_writer_worker_ends(&writer, 0);
    assert_fails(checkpoint_writer_end(&writer, &error), STATUS_INPUT, "no/such/folder: cannot write");
    checkpoint_writer_close(&writer);
}

TESTS(enter_folder, leave_folder)
