/* ranks_mpi_work_counter.c: hands out numbers while the ranks work (ranks_take), and collects their totals on rank 0.
 *
 * Every rank has a main thread, which alone calls MPI, and workers. A worker of rank 0 takes numbers by an atomic
 * addition to `next`. A worker of another rank queues a request (struct ask) and sleeps until its main thread has the
 * answer. That main thread sends rank 0 one report at a time: how many numbers its workers want in all, whether they
 * have ended, and whether ranks_stop() was called. Rank 0 replies with the first of the numbers, the current round,
 * and whether the work is over. After the reply the rank sends its next report: at once if workers wait, otherwise
 * after a pause. A rank whose workers have added their sums to the round sends its totals message. The main threads
 * poll for messages every NAP_NS, or at once when a worker rings the bell.
 *
 * Each number is handed out once. Only atomic additions on rank 0 change `next`, so the ranges that two additions
 * return are disjoint. MPI delivers each report once, so rank 0 makes one addition for it. The main thread marks the
 * requests that a report covers as sent, and divides the numbers of the reply among them.
 *
 * The phase terminates. Every rank reports to rank 0 that its workers have ended. Once all have, no round begins
 * (ranks_begin_round), and rank 0 waits for the totals messages of the last round, which no longer depend on a
 * worker. Then its replies say that the work is over. A rank that reads this sends nothing more, and all its reports
 * have been answered. So no message is in transit that could reach the next phase or the end of MPI.
 *
 * A dead rank is noticed. Every rank reports at least every BEAT_MS, and rank 0 replies. A rank that has heard
 * nothing from the other side for SILENCE_MS gives up: it hands out no more numbers, its workers end after their
 * batch, and the caller gets the error from ranks_agree(). So every wait is bounded by the batch in progress and
 * SILENCE_MS. MPI_Fetch_and_op would still need reports and polls: it never returns if its target has died. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "ranks.h"
#include "ranks_mpi.h"

#define NO_MORE       (1ull << 48) /* exceeds every number that is handed out */
#define NAP_NS        200000L
#define SHORT_NAP_NS  20000L /* while a totals message is in transit */
#define BEAT_MS       100.0
#define LAST_BEAT_MS  2.0 /* time between reports of a rank whose workers have ended */
#define SILENCE_MS    30000.0
#define STANDSTILL_MS 1000.0
#define CHUNK_BYTES   ((size_t)1 << 26) /* bytes of a totals message */

enum tag { TAG_REPORT = 1, TAG_REPLY, TAG_TOTALS };

struct report {
    uint64_t wanted; /* how many numbers the workers want */
    bool stopped;    /* ranks_stop() was called: hand out nothing more */
    bool left;       /* the workers have ended */
};

struct reply {
    uint64_t first; /* the first of the numbers */
    uint64_t round; /* the current round */
    bool over;      /* all ranks have left, and rank 0 has all totals */
};

/* A worker's request. It lies on the worker's stack, and is in the list `asks` until it is answered. */
struct ask {
    uint64_t number; /* how many numbers are wanted; after the answer, the first of them */
    bool sent, answered;
    struct ask *next;
};

/* What rank 0 knows about another rank; on another rank, what that rank knows about rank 0. */
struct peer {
    double heard_ms;
    uint64_t round;      /* round of the last totals message from or to this peer */
    bool left;           /* rank 0: the peer's workers have ended; other ranks: this rank's workers have */
    struct reply reply;  /* the last reply between the two */
    MPI_Request replied; /* the sending, or the receiving, of that reply */
};

static MPI_Comm notes = MPI_COMM_NULL;
static struct peer *peers;    /* ranks()->size */
static bool working;          /* between ranks_begin_work() and ranks_end_work() */
static _Atomic uint64_t next; /* rank 0: the first number not handed out */
static bool over;             /* rank 0: all ranks have left, and all totals have arrived */
static double looked_ms;      /* when this rank last checked for silent ranks */
static pthread_t main_thread;
static const struct ranks_collection *collection;

/* Only in ranks other than 0: */
static atomic_bool stopped; /* workers take no more numbers */
static struct report report;
static MPI_Request reported;
static bool awaits_reply;
static double beat_ms; /* when the last report was sent */

/* Guards asks, round_number and closing. `bell` wakes the main thread, `answers` wakes the workers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER, answers = PTHREAD_COND_INITIALIZER;
static struct ask *asks;
static uint64_t round_number; /* rank 0: the last round that began; other ranks: the last round known */
static bool closing;          /* rank 0: no more rounds begin */

/* The totals message that is being received (rank 0) or sent, one at a time. */
static struct {
    bool active;
    int peer;
    const char *at; /* the current chunk */
    size_t left;    /* bytes, including this chunk */
    size_t chunk;
    MPI_Request request;
} transfer;

static bool is_first(void)
{
    return ranks()->rank == 0;
}

/* The first rank with which this one exchanges messages: rank 0 with all others, the others with rank 0 alone. */
static int first_peer(void)
{
    return is_first() ? 1 : 0;
}
static int end_of_peers(void)
{
    return is_first() ? ranks()->size : 1;
}

int ranks_work_counter_open(struct error *error)
{
    main_thread = pthread_self();
    MPI_Comm_dup(MPI_COMM_WORLD, &notes);
    MPI_Comm_set_errhandler(notes, MPI_ERRORS_RETURN); /* a broken connection means a dead rank */
    return allocate_zeroed(&peers, (size_t)ranks()->size, sizeof *peers, "the ranks", error);
}

void ranks_work_counter_close(void)
{
    if (notes != MPI_COMM_NULL)
        MPI_Comm_free(&notes);
    free(peers);
    peers = NULL;
}

/* Gives up if a call of MPI has failed. Returns whether it succeeded. */
static bool succeeds(int result, int rank)
{
    if (result != MPI_SUCCESS)
        ranks_give_up("the connection to rank %d broke: it has died, or its machine cannot be reached", rank);
    return result == MPI_SUCCESS;
}

/* Whether the sending or receiving of a message to or from the rank is complete. */
static bool is_done(MPI_Request *request, int rank)
{
    int done = 0;
    return succeeds(MPI_Test(request, &done, MPI_STATUS_IGNORE), rank) && done;
}

/* Returns a rank from which a message with this tag has arrived; -1: none. */
static int sender_of(enum tag tag)
{
    MPI_Status status;
    int is_there = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, notes, &is_there, &status) != MPI_SUCCESS)
        ranks_give_up("no message can be received: a rank has died, or its machine cannot be reached");
    return is_there ? status.MPI_SOURCE : -1;
}

/* ---- reports and replies ---- */

/* Rank 0: answers a report. The last reply's buffer is free: the rank reports only once it has that reply. */
static void reply_to(int rank, const struct report *received)
{
    struct peer *peer = &peers[rank];
    if (received->stopped)
        ranks_stop();
    pthread_mutex_lock(&lock);
    uint64_t round = round_number;
    pthread_mutex_unlock(&lock);
    peer->left = received->left;
    if (!succeeds(MPI_Wait(&peer->replied, MPI_STATUS_IGNORE), rank))
        return;
    peer->reply = (struct reply){.first = atomic_fetch_add(&next, received->wanted), .round = round, .over = over};
    succeeds(MPI_Isend(&peer->reply, (int)sizeof peer->reply, MPI_BYTE, rank, TAG_REPLY, notes, &peer->replied), rank);
}

static void read_reports(void)
{
    for (int rank; !ranks_have_failed() && (rank = sender_of(TAG_REPORT)) >= 0;) {
        struct report received;
        if (!succeeds(MPI_Recv(&received, (int)sizeof received, MPI_BYTE, rank, TAG_REPORT, notes, MPI_STATUS_IGNORE),
                      rank))
            return;
        peers[rank].heard_ms = now_ms();
        reply_to(rank, &received);
    }
}

/* Divides the numbers of a reply among the requests that the report covered. */
static void take_reply(const struct reply *reply)
{
    uint64_t first = reply->first;
    awaits_reply = false;
    peers[0].heard_ms = now_ms();
    pthread_mutex_lock(&lock);
    round_number = reply->round;
    for (struct ask **at = &asks; *at != NULL;) {
        struct ask *ask = *at;
        if (!ask->sent) {
            at = &ask->next;
            continue;
        }
        *at = ask->next;
        uint64_t count = ask->number;
        ask->number = first;
        ask->answered = true;
        first += count;
    }
    pthread_cond_broadcast(&answers);
    pthread_mutex_unlock(&lock);
}

/* Sends a report if there is something to report, or if the last one was sent long enough ago. */
static void send_report(bool left)
{
    struct report now = {.stopped = atomic_load(&stopped), .left = left};
    pthread_mutex_lock(&lock);
    for (struct ask *ask = asks; ask != NULL; ask = ask->next) {
        now.wanted += ask->number;
        ask->sent = true;
    }
    pthread_mutex_unlock(&lock);
    bool has_news = now.wanted > 0 || now.stopped != report.stopped || now.left != report.left;
    if (!has_news && now_ms() - beat_ms < (left ? LAST_BEAT_MS : BEAT_MS))
        return;
    report = now;
    beat_ms = now_ms();
    awaits_reply = true;
    if (succeeds(
            MPI_Irecv(&peers[0].reply, (int)sizeof peers[0].reply, MPI_BYTE, 0, TAG_REPLY, notes, &peers[0].replied),
            0))
        succeeds(MPI_Isend(&report, (int)sizeof report, MPI_BYTE, 0, TAG_REPORT, notes, &reported), 0);
}

static void report_to_first(void)
{
    if (awaits_reply && is_done(&reported, 0) && is_done(&peers[0].replied, 0))
        take_reply(&peers[0].reply);
    if (!awaits_reply && !peers[0].reply.over && !ranks_have_failed())
        send_report(peers[0].left);
}

/* ---- totals messages ---- */

static void move_chunk(void)
{
    transfer.chunk = transfer.left < CHUNK_BYTES ? transfer.left : CHUNK_BYTES;
    int bytes = (int)transfer.chunk;
    succeeds(is_first() ? MPI_Irecv((void *)(uintptr_t)transfer.at, bytes, MPI_BYTE, transfer.peer, TAG_TOTALS, notes,
                                    &transfer.request)
                        : MPI_Isend(transfer.at, bytes, MPI_BYTE, transfer.peer, TAG_TOTALS, notes, &transfer.request),
             transfer.peer);
}

static void begin_transfer(int peer, const void *message)
{
    transfer.active = true;
    transfer.peer = peer;
    transfer.at = message;
    transfer.left = collection->bytes;
    move_chunk();
}

static void go_on_with_transfer(void)
{
    if (!is_done(&transfer.request, transfer.peer))
        return;
    peers[transfer.peer].heard_ms = now_ms();
    transfer.at += transfer.chunk;
    transfer.left -= transfer.chunk;
    if (transfer.left > 0) {
        move_chunk();
        return;
    }
    transfer.active = false;
    peers[transfer.peer].round++;
    if (is_first())
        collection->unpack(collection->context);
}

/* On ranks other than 0 peers[0].round is the round of the last totals message that was sent. */
static void exchange_totals(void)
{
    int rank;
    if (transfer.active)
        go_on_with_transfer();
    else if (is_first() && (rank = sender_of(TAG_TOTALS)) >= 0)
        begin_transfer(rank, collection->incoming);
    else if (!is_first() && peers[0].round < round_number && collection->ready(collection->context, round_number))
        begin_transfer(0, collection->pack(collection->context));
}

/* ---- the main thread ---- */

/* Gives up if the other side is silent for too long. Time in which this process was suspended does not count. */
static void notice_silence(void)
{
    double now = now_ms(), still_ms = now - looked_ms > STANDSTILL_MS ? now - looked_ms : 0;
    looked_ms = now;
    for (int rank = 0; rank < ranks()->size; rank++)
        peers[rank].heard_ms += still_ms;
    for (int rank = first_peer(); rank < end_of_peers(); rank++)
        if (now - peers[rank].heard_ms > SILENCE_MS) {
            ranks_give_up("no word from rank %d for %.0f s: it has died, or its machine cannot be reached", rank,
                          1e-3 * SILENCE_MS);
            return;
        }
}

static void exchange(void)
{
    ranks_say_if_stopped();
    if (ranks_have_failed())
        return;
    if (is_first())
        read_reports();
    else
        report_to_first();
    if (collection != NULL)
        exchange_totals();
    notice_silence();
}

/* Waits until a worker rings the bell, or until a nap has passed. */
static void nap(void)
{
    struct timespec until = time_after(CLOCK_REALTIME, transfer.active ? SHORT_NAP_NS : NAP_NS);
    pthread_mutex_lock(&lock);
    bool asked = asks != NULL && !asks->sent && !awaits_reply; /* the newest request is first in the list */
    if (!asked)
        pthread_cond_timedwait(&bell, &lock, &until);
    pthread_mutex_unlock(&lock);
}

void ranks_answer(void)
{
    if (working)
        exchange();
    else
        ranks_say_if_stopped();
    nap();
}

/* ---- handing out ---- */

/* With MPI the counter belongs to the process, so threads need not join it. */
struct work_counter *ranks_work_counter(void)
{
    return NULL;
}

void ranks_join_work_counter(UNUSED struct work_counter *of)
{
}

void ranks_begin_work(const struct ranks_collection *what)
{
    atomic_store(&next, 0);
    atomic_store(&stopped, false);
    round_number = 0;
    closing = over = awaits_reply = false;
    report = (struct report){0};
    collection = what;
    if (ranks()->size == 1 || !ranks_meet())
        return;
    looked_ms = now_ms();
    for (int rank = 0; rank < ranks()->size; rank++)
        peers[rank] = (struct peer){.heard_ms = looked_ms, .replied = MPI_REQUEST_NULL};
    beat_ms = 0;
    working = true;
}

static bool has_left(int rank)
{
    return peers[rank].left;
}

static bool has_sent_totals(int rank)
{
    return collection == NULL || peers[rank].round == round_number;
}

/* Rank 0: whether the rank has received the reply that the work is over. */
static bool is_told(int rank)
{
    return peers[rank].reply.over && is_done(&peers[rank].replied, rank);
}

static bool has_told(int first)
{
    return !awaits_reply && peers[first].reply.over && !transfer.active;
}

/* Answers reports until holds() is true for all peers. */
static void answer_until(bool (*holds)(int rank))
{
    for (int rank = first_peer(); rank < end_of_peers(); rank++)
        while (!ranks_have_failed() && !holds(rank))
            ranks_answer();
}

void ranks_end_work(void)
{
    if (working && is_first())
        answer_until(has_left);
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_mutex_unlock(&lock);
    if (working && is_first()) {
        answer_until(has_sent_totals);
        over = true;
        answer_until(is_told);
    } else if (working) {
        peers[0].left = true;
        answer_until(has_told);
    }
    working = false;
}

/* Takes numbers for a worker on a rank other than 0. */
static uint64_t ask_for(uint64_t count)
{
    struct ask ask = {.number = count};
    bool is_main = pthread_equal(pthread_self(), main_thread); /* the main thread itself is the worker */
    pthread_mutex_lock(&lock);
    ask.next = asks;
    asks = &ask;
    pthread_cond_signal(&bell);
    while (!ask.answered && !ranks_have_failed() && !atomic_load(&stopped)) {
        struct timespec until = time_after(CLOCK_REALTIME, (long)(1e6 * BEAT_MS));
        if (!is_main) {
            pthread_cond_timedwait(&answers, &lock, &until);
            continue;
        }
        pthread_mutex_unlock(&lock);
        ranks_answer();
        pthread_mutex_lock(&lock);
    }
    for (struct ask **at = &asks; *at != NULL && !ask.answered; at = &(*at)->next)
        if (*at == &ask) {
            *at = ask.next;
            break;
        }
    pthread_mutex_unlock(&lock);
    return ask.answered ? ask.number : NO_MORE;
}

uint64_t ranks_take(uint64_t count)
{
    if (ranks_have_failed())
        return NO_MORE;
    if (is_first())
        return atomic_fetch_add(&next, count);
    return working && !atomic_load(&stopped) ? ask_for(count) : NO_MORE;
}

/* Only sets a flag; the main thread tells rank 0 at its next poll. */
void ranks_stop(void)
{
    if (is_first())
        atomic_fetch_add(&next, NO_MORE);
    else
        atomic_store(&stopped, true);
}

uint64_t ranks_taken(void)
{
    return is_first() ? atomic_load(&next) : 0;
}

uint64_t ranks_begin_round(void)
{
    pthread_mutex_lock(&lock);
    uint64_t round = closing ? 0 : ++round_number;
    pthread_mutex_unlock(&lock);
    return round;
}
