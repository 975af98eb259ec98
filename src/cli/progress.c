/* progress.c: the progress bar, notices and errors on stderr, and Ctrl-C.
 *
 * The work only stores a number (set_done); a separate thread reads it ten times a second and draws the bar. So hot
 * loops may report often, a phase that reports nothing still shows the elapsed time, and a phase that ends within a
 * tenth of a second is not shown. The thread exists only if there is a bar to draw. */
#include "../progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../device.h"
#include "../pipe_output.h"
#include "terminal.h"

#define REDRAW_NS     100000000L
#define SHORTEST_BAR  10
#define LONGEST_BAR   40
#define LONGEST_PHASE 40
#define LINE_BYTES    256
#define NOTICE_BYTES  8192 /* longer notices are cut */
#define ERASE_LINE    "\r\x1b[K"

static bool quiet;

/* ---- Ctrl-C ---- */

static atomic_int stopping; /* the signal that arrived, or 0; lock-free, so that the handler may set it */

static void ask_to_stop(int signal_number)
{
    atomic_store(&stopping, signal_number);
}

static bool stops(UNUSED struct progress_listener *self)
{
    return atomic_load_explicit(&stopping, memory_order_relaxed) != 0;
}

int terminal_status(int status)
{
    return status == STATUS_INTERRUPTED && atomic_load(&stopping) == SIGTERM ? STATUS_TERMINATED : status;
}

/* SA_RESETHAND restores the default action, so that the second Ctrl-C kills the process. */
static void listen_for_signals(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* under ulimit -f writing then fails with an error, as on a full disk */
}

/* ---- the current phase; lock guards everything but phase_done ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* signalled when a phase begins or ends, or drawing must end; monotonic clock */
static bool has_bar, closing, phase_on, line_drawn;
static char phase_name[LONGEST_PHASE];
static uint64_t phase_total;
static double phase_began_ms;
static _Atomic uint64_t phase_done;
static pthread_t drawer;

int terminal_columns(int descriptor)
{
    struct winsize size;
    if (!isatty(descriptor))
        return 0;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void format_duration(double seconds, char *text, size_t size)
{
    unsigned whole = (unsigned)(seconds + 0.5);
    if (whole < 60)
        snprintf(text, size, "%u s", whole);
    else if (whole < 3600)
        snprintf(text, size, "%u min %u s", whole / 60, whole % 60);
    else
        snprintf(text, size, "%u h %u min", whole / 3600, whole / 60 % 60);
}

/* "reading  [######--------------]  31%  12 s left", or "preparing  3 s" if the total is unknown. */
static void format_line(char *line, size_t size, int columns)
{
    double seconds = (now_ms() - phase_began_ms) / 1e3;
    uint64_t done = atomic_load_explicit(&phase_done, memory_order_relaxed);
    const char *phase = stop_requested() ? "stopping (Ctrl-C again: at once)" : phase_name;
    char duration[32];
    if (phase_total == 0) {
        format_duration(seconds, duration, sizeof duration);
        snprintf(line, size, "%s  %s", phase, duration);
        return;
    }
    double fraction = done < phase_total ? (double)done / (double)phase_total : 1.0;
    if (fraction > 0) {
        format_duration(seconds * (1 - fraction) / fraction, duration, sizeof duration);
        strncat(duration, " left", sizeof duration - strlen(duration) - 1);
    } else {
        format_duration(seconds, duration, sizeof duration);
    }
    int room = columns - (int)strlen(phase) - (int)strlen("  []  100%  59 min 59 s left") - 1;
    int length = room > LONGEST_BAR ? LONGEST_BAR : room;
    char bar[LONGEST_BAR + 1] = "";
    if (length >= SHORTEST_BAR) {
        int filled = (int)(fraction * length);
        memset(bar, '#', (size_t)filled);
        memset(bar + filled, '-', (size_t)(length - filled));
        bar[length] = '\0';
    }
    snprintf(line, size, "%s  %s%s%s%3.0f%%  %s", phase, bar[0] != '\0' ? "[" : "", bar, bar[0] != '\0' ? "]  " : "",
             fraction * 100, duration);
}

static void draw(void)
{
    char line[LINE_BYTES];
    int columns = terminal_columns(STDERR_FILENO);
    format_line(line, sizeof line, columns);
    if (columns > 0 && columns <= (int)strlen(line))
        line[columns - 1] = '\0'; /* a line that wraps could not be erased */
    fprintf(stderr, ERASE_LINE "%s", line);
    line_drawn = true;
}

static void *draw_while_open(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!closing) {
        if (!phase_on) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        struct timespec when = time_after(CLOCK_MONOTONIC, REDRAW_NS);
        int woken_early = pthread_cond_timedwait(&changed, &lock, &when) == 0;
        if (!woken_early && phase_on && !closing)
            draw();
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void begin_phase(UNUSED struct progress_listener *self, const char *phase, uint64_t total)
{
    if (!has_bar)
        return;
    pthread_mutex_lock(&lock);
    snprintf(phase_name, sizeof phase_name, "%s", phase);
    phase_total = total;
    phase_began_ms = now_ms();
    phase_on = true;
    atomic_store_explicit(&phase_done, 0, memory_order_relaxed);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void set_done(UNUSED struct progress_listener *self, uint64_t done)
{
    atomic_store_explicit(&phase_done, done, memory_order_relaxed);
}

static void end_phase(UNUSED struct progress_listener *self)
{
    if (!has_bar)
        return;
    pthread_mutex_lock(&lock);
    phase_on = false;
    if (line_drawn)
        fputs(ERASE_LINE, stderr);
    line_drawn = false;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void say(struct progress_listener *self, const char *text)
{
    end_phase(self);
    fprintf(stderr, "gtrav: %s\n", text);
}

static struct progress_listener terminal = {
    .begin = begin_phase, .set = set_done, .end = end_phase, .say = say, .stops = stops};

/* ---- opening, closing, messages ---- */

/* The drawing thread blocks all signals, so that the working thread receives Ctrl-C. Without it there is no bar. */
static void start_drawing(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    has_bar = pthread_create(&drawer, NULL, draw_while_open, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Lets Ctrl-C end the program even if the reader of its output is stuck. */
static void end_waits_for_a_reader(FILE **stream, int descriptor)
{
    FILE *into_pipe = is_pipe(descriptor) ? pipe_stream(descriptor) : NULL;
    if (into_pipe == NULL)
        return;
    fflush(*stream);
    *stream = into_pipe;
}

void terminal_open(bool be_quiet)
{
    quiet = be_quiet;
    progress_of_process = &terminal;
    listen_for_signals();
    end_waits_for_a_reader(&stdout, STDOUT_FILENO);
    end_waits_for_a_reader(&stderr, STDERR_FILENO);
    setvbuf(stderr, NULL, _IONBF, 0);
    if (!quiet && terminal_columns(STDERR_FILENO) > 0)
        start_drawing();
}

void terminal_close(void)
{
    end_phase(&terminal);
    if (!has_bar)
        return;
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(drawer, NULL);
    pthread_cond_destroy(&changed);
    has_bar = false;
}

void notice(const char *format, ...)
{
    if (quiet)
        return;
    end_phase(&terminal); /* work that failed may not have ended its phase */
    char text[NOTICE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_clean(text, '?');
    fprintf(stderr, "%s\n", text);
}

void report_error(const struct error *error)
{
    say(&terminal, error->text);
}
