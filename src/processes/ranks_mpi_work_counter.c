/* ranks_mpi_work_counter.c: what happens while the ranks work: numbers are handed out, and rank 0 collects totals.
 *
 * Every rank has a main thread, which alone calls MPI, and workers. A worker of rank 0 takes numbers by an atomic
 * addition to `next`. A worker of another rank queues a request (struct ask) for its main thread and sleeps until the
 * answer has arrived. The main threads exchange notes of one size (struct note), and totals. They poll for messages
 * every NAP_NS, or at once when a worker rings the bell.
 *
 * From other ranks to rank 0:
 *
 *   ASK     give me `number` numbers
 *   STOP    hand out nothing more
 *   BEAT    I am alive
 *   LEAVE   my workers have ended
 *   TOTALS  my totals of the round follow
 *   END     I send nothing more
 *
 * From rank 0 to the others:
 *
 *   ANSWER  the first of your numbers
 *   BEAT    I am alive, and this is the current round
 *   END     all ranks have left
 *
 * Each number is handed out once. Only atomic additions on rank 0 change `next`, so the ranges that two additions
 * return are disjoint. A request is sent once: its worker waits, and the main thread marks the request as sent before
 * it looks at the list again. MPI delivers each message once, so rank 0 makes one addition for each request and sends
 * one answer, which names the request.
 *
 * The phase terminates. A rank sends LEAVE after its workers have ended, and messages between two ranks stay in
 * order, so rank 0 has received every request of a rank before its LEAVE. Rank 0 answers until all ranks have left.
 * From then on no round begins (ranks_begin_round), and rank 0 waits for the totals messages of the last round, which
 * no longer depend on a worker. Then it sends END. The other ranks stop sending BEAT, wait for the answers to theirs,
 * and reply with END. Now no message is under way, so none reaches the next phase or the end of MPI.
 *
 * A dead rank is noticed. The other ranks send BEAT every BEAT_MS, and rank 0 answers each. A rank that has heard
 * nothing from the other side for SILENCE_MS gives up: it hands out no more numbers, its workers end after their
 * batch, and the caller gets the error from ranks_agree(). So every wait is bounded by the batch in progress and
 * SILENCE_MS.
 *
 * MPI's own counter, MPI_Fetch_and_op, would replace ASK and ANSWER alone. It cannot replace BEAT: a one-sided
 * operation on a rank that has died, or whose machine is unreachable, never returns. And over TCP it makes progress
 * only while the target calls MPI, so rank 0's main thread would have to poll all the same.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "../progress.h"
#include "ranks.h"
#include "ranks_mpi.h"

#define NO_MORE       (1ull << 48) /* numbers: more than are ever handed out */
#define NAP_NS        200000L
#define SHORT_NAP_NS  20000L /* while a totals message is in transit */
#define BEAT_MS       100.0
#define SILENCE_MS    30000.0
#define STANDSTILL_MS 1000.0
#define CHUNK_BYTES   ((size_t)1 << 26) /* of a totals message */

enum kind { ASK, STOP, BEAT, LEAVE, TOTALS, ANSWER, END };
enum tag { TAG_NOTE = 1, TAG_TOTALS };

struct note {
    enum kind kind;
    uint64_t ask, number; /* which request; how many numbers, the first of them, or the round */
};

/* A worker's request: on the worker's stack, and in the list until it is answered. */
struct ask {
    uint64_t id, number; /* number: how many, then the first of them */
    bool sent, answered;
    struct ask *next;
};

/* A note that is being sent. */
struct letter {
    struct note note;
    MPI_Request request;
    struct letter *next;
};

/* What rank 0 knows of each other rank, and each other rank of rank 0. */
struct peer {
    double heard_ms;
    bool left, ended;
    bool totals_wait; /* announced, and not received yet */
    uint64_t round;   /* of the last totals message between the two */
};

static MPI_Comm notes = MPI_COMM_NULL;
static struct peer *peers;     /* ranks()->size */
static bool working;           /* between begin and end */
static _Atomic uint64_t next;  /* rank 0: the first number not handed out */
static atomic_bool stopped;    /* other ranks: workers take no more numbers */
static bool stop_sent;         /* other ranks: STOP was sent */
static struct letter *letters; /* being sent */
static double beat_ms;         /* other ranks: when the last BEAT was sent */
static double looked_ms;       /* when this rank last checked for silent ranks */
static uint64_t unanswered;    /* other ranks: BEATs that rank 0 has not answered yet */
static pthread_t main_thread;
static const struct ranks_collection *collection;

/* Guards asks, next_id, round_number and closing. The bell wakes the main thread, `answers` the workers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER, answers = PTHREAD_COND_INITIALIZER;
static struct ask *asks;
static uint64_t next_id;
static uint64_t round_number; /* rank 0: the last that began; other ranks: the last known */
static bool closing;          /* rank 0: no more rounds begin */

/* The totals message that is being received (rank 0) or sent, one at a time. */
static struct {
    bool active;
    int peer;
    const char *at; /* of the current chunk */
    size_t left;    /* bytes, including this chunk */
    size_t chunk;
    MPI_Request request;
} transfer;

static bool is_first(void)
{
    return ranks()->rank == 0;
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

/* ---- notes ---- */

static void lost(int rank)
{
    ranks_give_up("the connection to rank %d broke: it has died, or its machine cannot be reached", rank);
}

static void send_note(int rank, struct note note)
{
    struct letter *letter = malloc(sizeof *letter);
    if (letter == NULL) {
        ranks_give_up("out of memory: a message to rank %d", rank);
        return;
    }
    *letter = (struct letter){.note = note, .next = letters};
    if (MPI_Isend(&letter->note, (int)sizeof letter->note, MPI_BYTE, rank, TAG_NOTE, notes, &letter->request) !=
        MPI_SUCCESS) {
        lost(rank);
        free(letter);
        return;
    }
    letters = letter;
}

/* Frees the letters that were sent. */
static void clear_letters(void)
{
    for (struct letter **at = &letters; *at != NULL;) {
        struct letter *letter = *at;
        int gone = 0;
        if (MPI_Test(&letter->request, &gone, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            ranks_give_up("a message could not be sent: a rank has died, or its machine cannot be reached");
            return;
        }
        if (gone) {
            *at = letter->next;
            free(letter);
        } else {
            at = &letter->next;
        }
    }
}

static void take_answer(const struct note *note)
{
    pthread_mutex_lock(&lock);
    for (struct ask **at = &asks; *at != NULL; at = &(*at)->next)
        if ((*at)->id == note->ask) {
            struct ask *ask = *at;
            *at = ask->next;
            ask->number = note->number;
            ask->answered = true;
            pthread_cond_broadcast(&answers);
            break;
        }
    pthread_mutex_unlock(&lock);
}

static void act_on(const struct note *note, int from)
{
    struct peer *peer = &peers[from];
    switch (note->kind) {
    case ASK:
        send_note(from, (struct note){ANSWER, note->ask, atomic_fetch_add(&next, note->number)});
        break;
    case STOP:
        ranks_stop();
        break;
    case BEAT:
        pthread_mutex_lock(&lock);
        if (!is_first())
            round_number = note->number;
        uint64_t round = round_number;
        pthread_mutex_unlock(&lock);
        if (is_first())
            send_note(from, (struct note){.kind = BEAT, .number = round});
        else
            unanswered--;
        break;
    case LEAVE:
        peer->left = true;
        break;
    case TOTALS:
        peer->totals_wait = true;
        break;
    case ANSWER:
        take_answer(note);
        break;
    case END:
        peer->ended = true;
        break;
    }
}

static void read_notes(void)
{
    while (!ranks_have_failed()) {
        MPI_Status status;
        struct note note;
        int is_there = 0;
        if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_NOTE, notes, &is_there, &status) != MPI_SUCCESS) {
            ranks_give_up("no message can be received: a rank has died, or its machine cannot be reached");
            return;
        }
        if (!is_there)
            return;
        int from = status.MPI_SOURCE;
        if (MPI_Recv(&note, (int)sizeof note, MPI_BYTE, from, TAG_NOTE, notes, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            lost(from);
            return;
        }
        peers[from].heard_ms = now_ms();
        act_on(&note, from);
    }
}

/* Sends the requests of this rank's workers. */
static void send_asks(void)
{
    pthread_mutex_lock(&lock);
    for (struct ask *ask = asks; ask != NULL; ask = ask->next)
        if (!ask->sent) {
            ask->sent = true;
            send_note(0, (struct note){.kind = ASK, .ask = ask->id, .number = ask->number});
        }
    pthread_mutex_unlock(&lock);
}

/* ---- totals messages ---- */

static void move_chunk(void)
{
    transfer.chunk = transfer.left < CHUNK_BYTES ? transfer.left : CHUNK_BYTES;
    int bytes = (int)transfer.chunk;
    int result = is_first()
                     ? MPI_Irecv((void *)(uintptr_t)transfer.at, bytes, MPI_BYTE, transfer.peer, TAG_TOTALS, notes,
                                 &transfer.request)
                     : MPI_Isend(transfer.at, bytes, MPI_BYTE, transfer.peer, TAG_TOTALS, notes, &transfer.request);
    if (result != MPI_SUCCESS)
        lost(transfer.peer);
}

static void begin_transfer(int peer, const void *message)
{
    transfer.active = true;
    transfer.peer = peer;
    transfer.at = message;
    transfer.left = collection->bytes;
    move_chunk();
}

static void end_transfer(void)
{
    struct peer *peer = &peers[transfer.peer];
    transfer.active = false;
    peer->round++;
    if (is_first()) {
        peer->totals_wait = false;
        collection->unpack(collection->context);
    }
}

static void go_on_with_transfer(void)
{
    int done = 0;
    if (MPI_Test(&transfer.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        lost(transfer.peer);
        return;
    }
    if (!done)
        return;
    peers[transfer.peer].heard_ms = now_ms();
    transfer.at += transfer.chunk;
    transfer.left -= transfer.chunk;
    if (transfer.left > 0)
        move_chunk();
    else
        end_transfer();
}

/* On ranks other than 0 peers[0].round is the round of the last totals message that was sent. */
static void exchange_totals(void)
{
    if (transfer.active) {
        go_on_with_transfer();
    } else if (is_first()) {
        for (int rank = 1; rank < ranks()->size && !transfer.active; rank++)
            if (peers[rank].totals_wait)
                begin_transfer(rank, collection->incoming);
    } else if (peers[0].round < round_number && collection->ready(collection->context, round_number)) {
        send_note(0, (struct note){.kind = TOTALS});
        begin_transfer(0, collection->pack(collection->context));
    }
}

/* ---- the main thread ---- */

/* Gives up if the other side is silent for too long. Time in which this process itself was suspended does not count.
 */
static void notice_silence(void)
{
    double now = now_ms(), still_ms = now - looked_ms > STANDSTILL_MS ? now - looked_ms : 0;
    looked_ms = now;
    for (int rank = 0; rank < ranks()->size; rank++)
        peers[rank].heard_ms += still_ms;
    for (int rank = is_first() ? 1 : 0; rank < (is_first() ? ranks()->size : 1); rank++)
        if (now - peers[rank].heard_ms > SILENCE_MS) {
            ranks_give_up("no word from rank %d for %.0f s: it has died, or its machine cannot be reached", rank,
                          1e-3 * SILENCE_MS);
            return;
        }
}

static void send_beat(void)
{
    if (atomic_load(&stopped) && !stop_sent) {
        stop_sent = true;
        send_note(0, (struct note){.kind = STOP});
    }
    if (peers[0].ended || now_ms() - beat_ms < BEAT_MS)
        return;
    beat_ms = now_ms();
    unanswered++;
    send_note(0, (struct note){.kind = BEAT});
}

static void exchange(void)
{
    ranks_say_if_stopped();
    if (ranks_have_failed())
        return;
    read_notes();
    clear_letters();
    if (!is_first())
        send_beat();
    send_asks();
    if (collection != NULL)
        exchange_totals();
    notice_silence();
}

/* Waits for the bell, or for a nap. */
static void nap(void)
{
    struct timespec until = time_after(CLOCK_REALTIME, transfer.active ? SHORT_NAP_NS : NAP_NS);
    pthread_mutex_lock(&lock);
    bool asked = asks != NULL && !asks->sent; /* the list begins with the newest */
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

/* The numbers are those of the process, so threads need not join. */
struct work_counter *ranks_work_counter(void)
{
    return NULL;
}

void ranks_join_work_counter(struct work_counter *of)
{
    (void)of;
}

void ranks_begin_work(const struct ranks_collection *what)
{
    atomic_store(&next, 0);
    atomic_store(&stopped, false);
    round_number = 0;
    closing = stop_sent = false;
    unanswered = 0;
    collection = what;
    if (ranks()->size == 1)
        return;
    for (int rank = 0; rank < ranks()->size; rank++)
        peers[rank] = (struct peer){0};
    if (!ranks_meet())
        return;
    looked_ms = now_ms();
    for (int rank = 0; rank < ranks()->size; rank++)
        peers[rank].heard_ms = looked_ms;
    beat_ms = 0;
    working = true;
}

/* Whether rank 0 has received from all others what it waits for. */
static bool all_have_left(void)
{
    bool all = true;
    for (int rank = 1; rank < ranks()->size; rank++)
        all = all && peers[rank].left;
    return all;
}

static bool round_is_complete(void)
{
    bool complete = true;
    for (int rank = 1; collection != NULL && rank < ranks()->size; rank++)
        complete = complete && peers[rank].round == round_number;
    return complete;
}

static bool all_have_ended(void)
{
    bool all = true;
    for (int rank = 1; rank < ranks()->size; rank++)
        all = all && peers[rank].ended;
    return all;
}

static bool rank_0_has_ended(void)
{
    return peers[0].ended && unanswered == 0;
}

static bool nothing_is_sent(void)
{
    return letters == NULL;
}

static void answer_until(bool (*done)(void))
{
    while (!ranks_have_failed() && !done())
        ranks_answer();
}

void ranks_end_work(void)
{
    if (working && is_first()) {
        answer_until(all_have_left);
    } else if (working) {
        send_note(0, (struct note){.kind = LEAVE});
        answer_until(rank_0_has_ended);
        send_note(0, (struct note){.kind = END});
    }
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_mutex_unlock(&lock);
    if (working && is_first()) {
        answer_until(round_is_complete);
        for (int rank = 1; rank < ranks()->size && !ranks_have_failed(); rank++)
            send_note(rank, (struct note){.kind = END});
        answer_until(all_have_ended);
    }
    if (working)
        answer_until(nothing_is_sent);
    working = false;
}

/* Takes numbers for a worker of a rank other than 0. */
static uint64_t ask_for(uint64_t count)
{
    struct ask ask = {.number = count};
    bool is_main = pthread_equal(pthread_self(), main_thread); /* this worker could not get a thread */
    pthread_mutex_lock(&lock);
    ask.id = next_id++;
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

/* The main thread tells rank 0 when it polls next. */
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
