/* records.c: results as CSV, written so that a run cut off at any moment can go on where it stopped.
 *
 * A trial is one write() of one whole row to the end of its file; a write that fails half-way is cut off again. A
 * summary replaces its row in the summary file by way of a new file and rename. A run that starts reads both, takes
 * over what it would measure again, and drops rows that are torn, failed, or to be redone. Files of an older gtrav,
 * which had fewer columns, keep their rows: each line is read by the header that it stands under. While either file
 * changes, the device's folder is locked, so that several processes may write to one folder. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../graph/write.h"
#include "bench.h"
#include "identity.h"
#include "pairs.h"

/* The columns, named here and nowhere else. Every header begins with a row's key. Rows are of the same measurement if
 * their keys and their identities (identity.h: threads and build) agree. */
#define KEY_HEADER "graph,vertices,edges,family,variant,options,device,"
static const char trial_header[] =
    KEY_HEADER "source,trial_edges,reached,time_ms,kernel_ms,mteps,verified,tree_depth,cross_share,batch_sources,"
               "threads,build,version,date\n";
enum trial_column {
    T_KEY_END = 7,
    T_SOURCE = 7,
    T_EDGES,
    T_REACHED,
    T_TIME,
    T_KERNEL,
    T_MTEPS,
    T_VERIFIED,
    T_TREE_DEPTH,
    T_CROSS_SHARE,
    T_BATCH,
    T_THREADS,
    T_BUILD_ID,
    T_VERSION,
    T_DATE,
    T_COLUMNS
};
static const char summary_header[] = KEY_HEADER
    "sources,verified,load_ms,prepare_ms,mean_time_ms,mean_kernel_ms,median_kernel_ms,min_kernel_ms,"
    "max_kernel_ms,mean_mteps,harmonic_mean_mteps,mean_tree_depth,mean_cross_share,reorder_ms,build_ms,"
    "device_bytes,peak_device_bytes,note,batch_sources,batch_kernel_ms,devices,threads,build,version,date\n";
enum summary_column {
    S_KEY_END = 7,
    S_SOURCES = 7,
    S_VERIFIED,
    S_LOAD,
    S_PREPARE,
    S_REORDER = 20,
    S_BUILD,
    S_DEVICE_BYTES,
    S_PEAK_BYTES,
    S_NOTE,
    S_BATCH,
    S_THREADS = 28,
    S_BUILD_ID,
    S_COLUMNS = 32
};

#define MAX_ROW      2048
#define MAX_COLUMNS  48  /* of a header, an older gtrav's or this one's */
#define LONGEST_NAME 256 /* of a graph */

/* ---- rows ---- */

/* A field as CSV wants it (RFC 4180), without line ends. Returns the end of what it wrote, which fits in 2n + 3
 * bytes. */
static char *put_field(char *to, const char *field)
{
    bool quote = strpbrk(field, ",\"") != NULL;
    if (quote)
        *to++ = '"';
    for (; *field != '\0'; field++) {
        if (*field == '"')
            *to++ = '"';
        *to++ = (unsigned char)*field < ' ' ? '_' : *field;
    }
    if (quote)
        *to++ = '"';
    *to = '\0';
    return to;
}

/* Splits a line (without its end) in place into at most MAX_COLUMNS fields; returns how many there are. */
static int split_row(char *line, char *fields[MAX_COLUMNS])
{
    int count = 0;
    for (char *from = line; count < MAX_COLUMNS;) {
        char *to = from;
        bool quoted = *from == '"';
        fields[count++] = to;
        from += quoted;
        while (*from != '\0' && (quoted ? !(*from == '"' && from[1] != '"') : *from != ',')) {
            from += quoted && *from == '"'; /* a doubled quote is one */
            *to++ = *from++;
        }
        from += quoted && *from == '"';
        bool more = *from == ',';
        *to = '\0';
        if (!more)
            return count;
        from++;
    }
    return MAX_COLUMNS + 1;
}

static int check_name(const struct graph *graph, struct error *error)
{
    if (strlen(graph->name) > LONGEST_NAME)
        return error_set(error, STATUS_INPUT, "%.80s...: the graph's name is too long for a record; rename the file",
                         graph->name);
    return STATUS_OK;
}

/* Whose name the records bear. */
static const char *family_name(const struct bench_request *request)
{
    return request->family != NULL ? request->family->name : request->algorithm->family;
}

void request_options(const struct bench_request *request, char text[REQUEST_OPTIONS_BYTES])
{
    options_format(request->algorithm, request->options, text, 512);
    size_t length = strlen(text);
    if (request->reordered != NULL)
        snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%sreorder=%s", length > 0 ? " " : "",
                 request->reordered->reordering);
    length = strlen(text);
    if (request->parents && request->algorithm->on_request & OUTPUT_PARENT)
        snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%soutput=parents", length > 0 ? " " : "");
    length = strlen(text);
    if (num_devices(request) > 1)
        snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%sdevices=%d", length > 0 ? " " : "",
                 num_devices(request));
    length = strlen(text);
    if (request->paths)
        snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%soutput=paths", length > 0 ? " " : "");
    if (request->aggregates)
        snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%soutput=aggregates", length > 0 ? " " : "");
}

/* The fields that both kinds of row start with: graph .. device, each followed by a comma. */
static int put_key(const struct bench_request *request, char row[MAX_ROW], struct error *error)
{
    char options[REQUEST_OPTIONS_BYTES], number[2][24];
    request_options(request, options);
    snprintf(number[0], sizeof number[0], "%" PRIu32, request->graph->num_vertices);
    snprintf(number[1], sizeof number[1], "%" PRIu64, request->graph->num_edges);
    const char *fields[] = {
        request->graph->name, number[0], number[1], family_name(request), request->algorithm->variant, options,
        request->device->slug};
    if (check_name(request->graph, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        row = put_field(row, fields[i]);
        *row++ = ',';
    }
    *row = '\0';
    return STATUS_OK;
}

void put_date(char date[DATE_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* ---- files ---- */

struct paths {
    char folder[2048], trials_folder[2100], trials[3072], summary[2560];
};

static int make_folders(const char *path, struct error *error)
{
    char folder[2304];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder + 1;; slash++) {
        char end = *slash;
        if (end != '/' && end != '\0')
            continue;
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return error_errno(error, "%s: cannot make the folder for records", folder);
        if (end == '\0')
            return STATUS_OK;
        *slash = '/';
    }
}

/* The graph's name as a file's may be. */
static void file_name(const struct graph *graph, char name[LONGEST_NAME + 1])
{
    snprintf(name, LONGEST_NAME + 1, "%s", graph->name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '/' || (unsigned char)*c < ' ' ? '_' : *c;
}

static int find_folder(const struct bench_request *request, char *folder, size_t size, struct error *error)
{
    if (strlen(request->records) > 1024)
        return error_set(error, STATUS_INPUT, "--csv: the folder's name is too long");
    snprintf(folder, size, "%s/%s", request->records, request->device->slug);
    return STATUS_OK;
}

static int find_paths(const struct bench_request *request, struct paths *paths, struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    char name[LONGEST_NAME + 1];
    file_name(request->graph, name);
    if (find_folder(request, paths->folder, sizeof paths->folder, error) != STATUS_OK)
        return error->status;
    snprintf(paths->summary, sizeof paths->summary, "%s/%s_%s_perf.csv", paths->folder, family_name(request),
             algorithm->variant);
    snprintf(paths->trials_folder, sizeof paths->trials_folder, "%s/trials", paths->folder);
    snprintf(paths->trials, sizeof paths->trials, "%s/%s_%s_%s.csv", paths->trials_folder, family_name(request),
             algorithm->variant, name);
    return STATUS_OK;
}

/* Locks the device's folder; close() unlocks. */
static int lock_folder(const struct paths *paths, struct error *error)
{
    int lock = open(paths->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        error_errno(error, "%s: cannot lock", paths->folder);
        if (lock >= 0)
            close(lock);
        return -1;
    }
    return lock;
}

/* How the lines of a file come under the header that they shall have. */
struct layout {
    int num_columns;        /* of the header that they stand under now */
    int place[MAX_COLUMNS]; /* of each column that they shall have, among those; -1: they do not have it */
};

static bool is_header(const char *line)
{
    return strncmp(line, KEY_HEADER, sizeof KEY_HEADER - 1) == 0;
}

/* The layout of the lines under the header `present`. */
static int find_layout(const char *path, const char *header, const char *present, struct layout *layout,
                       struct error *error)
{
    char wanted_text[MAX_ROW], found_text[MAX_ROW], *wanted[MAX_COLUMNS], *found[MAX_COLUMNS];
    snprintf(wanted_text, sizeof wanted_text, "%.*s", (int)strcspn(header, "\r\n"), header);
    snprintf(found_text, sizeof found_text, "%.*s", (int)strcspn(present, "\r\n"), present);
    int num_wanted = split_row(wanted_text, wanted), num_found = split_row(found_text, found), num_placed = 0;
    *layout = (struct layout){.num_columns = num_found};
    for (int w = 0; w < num_wanted; w++) {
        layout->place[w] = -1;
        for (int f = 0; f < num_found && f < MAX_COLUMNS && layout->place[w] < 0; f++)
            if (strcmp(wanted[w], found[f]) == 0)
                layout->place[w] = f;
        num_placed += layout->place[w] >= 0;
    }
    if (num_placed < num_found)
        return error_set(error, STATUS_INPUT,
                         "%s: has columns that this version of gtrav does not know; give --csv another folder", path);
    return STATUS_OK;
}

/* A line under its layout as a row under the header, "" in columns that it does not have; false: it is torn. */
static bool arrange_row(const struct layout *layout, char *line, int num_columns, char *row[MAX_COLUMNS])
{
    static char none[] = "";
    char *fields[MAX_COLUMNS];
    if (split_row(line, fields) != layout->num_columns)
        return false;
    for (int i = 0; i < num_columns; i++)
        row[i] = layout->place[i] < 0 ? none : fields[layout->place[i]];
    return true;
}

/* room: what put_field needs for the longest of the fields. */
static void write_row(FILE *file, char *const *row, int num_columns, char *room)
{
    for (int i = 0; i < num_columns; i++) {
        put_field(room, row[i]);
        fprintf(file, "%s%s", room, i + 1 < num_columns ? "," : "\n");
    }
}

/* Rewrites a CSV file under the header, without the rows that keep() refuses and without torn lines, and with `last`
 * (NULL: none) appended. keep sees each row's fields in the order of the header; a row with another number of fields
 * than the header above it is torn. The file is left alone if nothing changes, if it cannot be read to its end, or if
 * it has columns that the header lacks. The caller holds the lock. */
typedef bool (*row_filter)(char *fields[MAX_COLUMNS], void *context);
static int filter_file(const char *path, const char *header, int num_columns, row_filter keep, void *context,
                       const char *last, struct error *error)
{
    char *line = NULL, *copy = NULL, *row[MAX_COLUMNS];
    size_t capacity = 0;
    bool changed = last != NULL, same = true; /* same: the lines are as they shall be, and copied as they are */
    struct layout layout;
    struct new_file rewritten;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno != ENOENT)
        return error_errno(error, "%s: cannot read", path);
    if (file == NULL && last == NULL)
        return STATUS_OK;
    if (file_create(&rewritten, path, error) != STATUS_OK)
        goto end;
    fputs(header, rewritten.file);
    find_layout(path, header, header, &layout, error);
    ssize_t length;
    for (bool first = true; file != NULL && (length = getline(&line, &capacity, file)) > 0; first = false) {
        bool whole = line[length - 1] == '\n' && strlen(line) == (size_t)length; /* bytes of 0 are no text */
        if (whole && is_header(line)) {
            same = strcmp(line, header) == 0;
            changed = changed || !first || !same; /* it stands here again, or is another */
            if (find_layout(path, header, line, &layout, error) != STATUS_OK)
                break;
            continue;
        }
        changed = changed || first; /* the header is missing */
        free(copy);
        if ((copy = malloc(2 * (size_t)length + 3)) == NULL)
            break;
        strcpy(copy, line);
        line[strcspn(line, "\r\n")] = '\0';
        if (!whole || !arrange_row(&layout, line, num_columns, row) || !keep(row, context))
            changed = true;
        else if (same)
            fputs(copy, rewritten.file);
        else
            write_row(rewritten.file, row, num_columns, copy);
    }
    if (last != NULL)
        fputs(last, rewritten.file);
    if (file != NULL && !feof(file))
        error_errno(error, "%s: cannot read", path);
    if (changed && error->status == STATUS_OK)
        file_commit(&rewritten, error);
    else
        file_discard(&rewritten);
end:
    free(line);
    free(copy);
    if (file != NULL)
        fclose(file);
    return error->status;
}

/* ---- resuming ---- */

struct resume {
    const struct bench_request *request;
    struct bench_result *result;
    char *key[MAX_COLUMNS]; /* this run's key fields */
    char threads[THREADS_BYTES];
    bool *stands; /* num_trials, for keep_resumed */
    bool has_summary;
};

static bool same_key(char *const *fields, int count, const struct resume *resume)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i], resume->key[i]) != 0)
            return false;
    return true;
}

static bool same_identity(const char *threads, const char *build, const struct resume *resume)
{
    return strcmp(threads, resume->threads) == 0 && strcmp(build, gtrav_build()) == 0;
}

/* A new row replaces an old one of any build. An older gtrav did not write how many threads there were. */
static bool replaces(const char *threads, const struct resume *resume)
{
    return threads[0] == '\0' || strcmp(threads, resume->threads) == 0;
}

static bool read_count(const char *text, uint64_t *count)
{
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool read_figure(const char *text, double *figure)
{
    char *end;
    *figure = strtod(text, &end);
    return *text >= '0' && *text <= '9' && *end == '\0' && isfinite(*figure);
}

/* A row's figures; false where one is none, as after a disk's error: such a row is measured anew. */
static bool read_trial(char *const *fields, struct trial *trial)
{
    uint64_t source = NO_VERTEX;
    if (fields[T_SOURCE][0] != '\0' && (!read_count(fields[T_SOURCE], &source) || source >= NO_VERTEX))
        return false;
    *trial = (struct trial){.source = (vertex_t)source, .resumed = true};
    if (fields[T_BATCH][0] != '\0') {
        uint64_t batch;
        if (!read_count(fields[T_BATCH], &batch) || batch == 0 || batch >= NO_VERTEX)
            return false;
        trial->batch = (uint32_t)batch;
    }
    if (fields[T_TREE_DEPTH][0] != '\0' || fields[T_CROSS_SHARE][0] != '\0') {
        uint64_t depth;
        if (!read_count(fields[T_TREE_DEPTH], &depth) || depth >= NO_VERTEX ||
            !read_figure(fields[T_CROSS_SHARE], &trial->quality.cross_share))
            return false;
        trial->quality.tree_depth = (uint32_t)depth;
        trial->quality.known = true;
    }
    return read_count(fields[T_EDGES], &trial->edges) && read_count(fields[T_REACHED], &trial->reached) &&
           read_figure(fields[T_TIME], &trial->time_ms) && read_figure(fields[T_KERNEL], &trial->kernel_ms) &&
           read_figure(fields[T_MTEPS], &trial->mteps);
}

/* The newest of the rows that are taken over is what the user is told of. */
static void note_origin(char *const *fields, struct bench_result *result)
{
    if (strcmp(fields[T_DATE], result->resumed_date) < 0)
        return;
    snprintf(result->resumed_version, sizeof result->resumed_version, "%s", fields[T_VERSION]);
    snprintf(result->resumed_date, sizeof result->resumed_date, "%s", fields[T_DATE]);
}

/* Takes a recorded trial over into the first trial of the same source that is still open and may use it. False: such
 * a trial is open but will be measured anew, so the row goes. A row that nobody asks for now stays. */
static bool take_over(char *const *fields, const struct resume *resume)
{
    struct trial recorded;
    bool verified = strcmp(fields[T_VERIFIED], "yes") == 0;
    if (!read_trial(fields, &recorded))
        return false;
    recorded.verdict = verified ? VERIFIED : NOT_VERIFIED;
    bool failed = strcmp(fields[T_VERIFIED], "FAILED") == 0, redone = false;
    for (int i = 0; i < resume->result->num_trials; i++) {
        struct trial *trial = &resume->result->trials[i];
        bool must_be_verified =
            resume->request->verify == VERIFY_ALL || (resume->request->verify == VERIFY_FIRST && i == 0);
        if (trial->resumed || trial->source != recorded.source)
            continue;
        if (failed || (must_be_verified && !verified)) {
            redone = true;
            continue;
        }
        *trial = recorded;
        note_origin(fields, resume->result);
        return true;
    }
    return !redone;
}

static bool keep_trial(char *fields[MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    if (!same_key(fields, T_KEY_END, resume) || !same_identity(fields[T_THREADS], fields[T_BUILD_ID], resume))
        return true;
    return !resume->request->fresh && take_over(fields, resume);
}

/* The trials were cut into batches of this size; 0: there are none. */
static bool has_batches_of(const struct bench_result *result, uint64_t size)
{
    for (uint64_t i = 0, count = (uint64_t)result->num_trials; i < count; i++) {
        uint64_t left = size > 0 ? count - i / size * size : 0;
        if (result->trials[i].batch != (left < size ? left : size))
            return false;
    }
    return true;
}

/* What preparing told; false where figures are missing, as in a row of an older gtrav, or are none. */
static bool read_preparation(char *const *fields, struct bench_result *result)
{
    struct bench_result found;
    if (!read_figure(fields[S_LOAD], &found.load_ms) || !read_figure(fields[S_PREPARE], &found.prepare_ms) ||
        !read_figure(fields[S_REORDER], &found.reorder_ms) || !read_figure(fields[S_BUILD], &found.build_ms) ||
        !read_count(fields[S_DEVICE_BYTES], &found.device_bytes) ||
        !read_count(fields[S_PEAK_BYTES], &found.peak_device_bytes))
        return false;
    result->load_ms = found.load_ms;
    result->prepare_ms = found.prepare_ms;
    result->reorder_ms = found.reorder_ms;
    result->build_ms = found.build_ms;
    result->device_bytes = found.device_bytes;
    result->peak_device_bytes = found.peak_device_bytes;
    snprintf(result->note, sizeof result->note, "%s", fields[S_NOTE]);
    return true;
}

/* A complete run's summary is kept and spares preparing anew; one of more or fewer trials, or a failed one, is not.
 */
static bool keep_summary(char *fields[MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    if (!same_key(fields, S_KEY_END, resume) || !same_identity(fields[S_THREADS], fields[S_BUILD_ID], resume))
        return true;
    const struct bench_result *result = resume->result;
    bool all_resumed = true;
    uint64_t sources, batch = 0;
    for (int i = 0; i < result->num_trials; i++)
        all_resumed = all_resumed && result->trials[i].resumed;
    if (all_resumed && read_count(fields[S_SOURCES], &sources) && sources == (uint64_t)result->num_trials &&
        strcmp(fields[S_VERIFIED], verified_word(result->trials, result->num_trials)) == 0 &&
        (fields[S_BATCH][0] == '\0' || read_count(fields[S_BATCH], &batch)) && has_batches_of(result, batch) &&
        read_preparation(fields, resume->result))
        resume->has_summary = true;
    return true; /* it stays until the new one replaces it */
}

/* Undoes put_key: the key as a reader of the file sees it. */
static int key_of(const struct bench_request *request, char row[MAX_ROW], struct resume *resume, struct error *error)
{
    *resume = (struct resume){.request = request};
    request_threads(request, resume->threads);
    if (put_key(request, row, error) == STATUS_OK)
        split_row(row, resume->key);
    return error->status;
}

int records_resume(const struct bench_request *request, struct bench_result *result, bool *complete,
                   struct error *error)
{
    struct paths paths;
    struct resume resume;
    char key[MAX_ROW];
    if (key_of(request, key, &resume, error) != STATUS_OK || find_paths(request, &paths, error) != STATUS_OK ||
        make_folders(paths.trials_folder, error) != STATUS_OK)
        return error->status;
    resume.result = result;
    int lock = lock_folder(&paths, error);
    if (lock < 0)
        return error->status;
    if (filter_file(paths.trials, trial_header, T_COLUMNS, keep_trial, &resume, NULL, error) == STATUS_OK)
        filter_file(paths.summary, summary_header, S_COLUMNS, keep_summary, &resume, NULL, error);
    close(lock);
    *complete = resume.has_summary;
    return error->status;
}

/* A row of a trial of this run stays if one that is marked resumed stands for it; each stands for one. */
static bool keep_resumed(char *fields[MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    struct trial recorded;
    bool asked_for = false;
    if (!same_key(fields, T_KEY_END, resume) || !same_identity(fields[T_THREADS], fields[T_BUILD_ID], resume))
        return true;
    if (!read_trial(fields, &recorded))
        return false;
    for (int i = 0; i < resume->result->num_trials; i++)
        if (resume->result->trials[i].source == recorded.source) {
            asked_for = true;
            if (resume->result->trials[i].resumed && !resume->stands[i])
                return resume->stands[i] = true;
        }
    return !asked_for;
}

int records_give_up(const struct bench_request *request, struct bench_result *result, struct error *error)
{
    struct paths paths;
    struct resume resume;
    char key[MAX_ROW];
    if (key_of(request, key, &resume, error) != STATUS_OK || find_paths(request, &paths, error) != STATUS_OK ||
        allocate_zeroed(&resume.stands, (size_t)result->num_trials, 1, "the trials", error) != STATUS_OK)
        return error->status;
    resume.result = result;
    int lock = lock_folder(&paths, error);
    if (lock >= 0) {
        filter_file(paths.trials, trial_header, T_COLUMNS, keep_resumed, &resume, NULL, error);
        close(lock);
    }
    free(resume.stands);
    return error->status;
}

/* ---- writing ---- */

/* Where the last whole row ends: a process that was killed within its write() may have left a torn one behind it. */
static off_t end_of_rows(int file, off_t size)
{
    char tail[MAX_ROW];
    off_t start = size > MAX_ROW ? size - MAX_ROW : 0;
    ssize_t length = pread(file, tail, sizeof tail, start);
    const char *last = length > 0 ? memrchr(tail, '\n', (size_t)length) : NULL;
    if (last != NULL)
        return start + (last - tail) + 1;
    return length == size ? 0 : size; /* a torn header; or nothing that a torn row explains */
}

/* Appends the whole text to the file, or leaves the file's rows as they were. */
static int append_text(const char *path, const char *header, const char *rows, struct error *error)
{
    char *text;
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return error_errno(error, "%s: cannot write", path);
    off_t size = lseek(file, 0, SEEK_END), before = end_of_rows(file, size);
    if (before < size && ftruncate(file, before) != 0)
        error_errno(error, "%s: cannot remove a torn row", path);
    int length = asprintf(&text, "%s%s", before == 0 ? header : "", rows);
    if (length < 0) {
        text = NULL;
        error_set(error, STATUS_INPUT, "out of memory: a record's rows");
    }
    errno = ENOSPC; /* what a short write without an error means */
    if (error->status == STATUS_OK && write(file, text, (size_t)length) != length) {
        error_errno(error, "%s: cannot write", path);
        if (ftruncate(file, before) != 0)
            error_set(error, STATUS_INPUT, "%s: cannot undo a torn row", path);
    }
    free(text);
    if (close(file) != 0)
        error_errno(error, "%s: cannot write", path);
    return error->status;
}

/* A trial's row after the key. */
static size_t put_trial(const struct trial *trial, const char *threads, const char *date, char row[MAX_ROW])
{
    static const char *const words[] = {[NOT_VERIFIED] = "no", [VERIFIED] = "yes", [VERIFY_FAILED] = "FAILED"};
    char source[16] = "", quality[32] = ",", batch[16] = "";
    if (trial->source != NO_VERTEX)
        snprintf(source, sizeof source, "%" PRIu32, trial->source);
    if (trial->quality.known)
        snprintf(quality, sizeof quality, "%" PRIu32 ",%.9f", trial->quality.tree_depth, trial->quality.cross_share);
    if (trial->batch > 0)
        snprintf(batch, sizeof batch, "%" PRIu32, trial->batch);
    return (size_t)snprintf(row, MAX_ROW, "%s,%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,%.3f,%s,%s,%s,%s,%s,%s,%s\n", source,
                            trial->edges, trial->reached, trial->time_ms, trial->kernel_ms, trial->mteps,
                            words[trial->verdict], quality, batch, threads, gtrav_build(), gtrav_version(), date);
}

int records_append(const struct bench_request *request, const struct trial *trials, uint32_t count,
                   struct error *error)
{
    struct paths paths;
    char key[MAX_ROW], threads[THREADS_BYTES], date[32], *rows, *end;
    if (find_paths(request, &paths, error) != STATUS_OK || put_key(request, key, error) != STATUS_OK ||
        allocate(&rows, count, (size_t)2 * MAX_ROW, "the records' rows", error) != STATUS_OK)
        return error->status;
    put_date(date);
    request_threads(request, threads);
    end = rows;
    for (uint32_t i = 0; i < count; i++) {
        end = stpcpy(end, key);
        end += put_trial(&trials[i], threads, date, end);
    }
    int lock = lock_folder(&paths, error);
    if (lock >= 0) {
        append_text(paths.trials, trial_header, rows, error);
        close(lock);
    }
    free(rows);
    return error->status;
}

static bool keep_other_summaries(char *fields[MAX_COLUMNS], void *context)
{
    const struct resume *resume = context;
    return !same_key(fields, S_KEY_END, resume) || !replaces(fields[S_THREADS], resume);
}

int records_summary(const struct bench_request *request, const struct bench_result *result, struct error *error)
{
    struct paths paths;
    struct resume resume;
    char key[MAX_ROW], row[MAX_ROW], date[32], quality[48] = ",", batch[48] = ",", note[2 * sizeof result->note + 3];
    const struct summary *s = &result->summary;
    if (find_paths(request, &paths, error) != STATUS_OK || make_folders(paths.folder, error) != STATUS_OK ||
        key_of(request, key, &resume, error) != STATUS_OK || put_key(request, row, error) != STATUS_OK)
        return error->status;
    if (s->trees > 0)
        snprintf(quality, sizeof quality, "%.3f,%.9f", s->mean_tree_depth, s->mean_cross_share);
    if (s->batch_sources > 0)
        snprintf(batch, sizeof batch, "%" PRIu32 ",%.6f", s->batch_sources, s->batch_kernel_ms);
    put_field(note, result->note);
    put_date(date);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%d,%s,%.3f,%.3f,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f,%.3f,%s,%.3f,%.3f,%" PRIu64 ",%" PRIu64
             ",%s,%s,%d,%s,%s,%s,%s\n",
             s->trials, s->verified, result->load_ms, result->prepare_ms, s->mean_time_ms, s->mean_kernel_ms,
             s->median_kernel_ms, s->min_kernel_ms, s->max_kernel_ms, s->mean_mteps, s->harmonic_mean_mteps, quality,
             result->reorder_ms, result->build_ms, result->device_bytes, result->peak_device_bytes, note, batch,
             num_devices(request), resume.threads, gtrav_build(), gtrav_version(), date);
    int lock = lock_folder(&paths, error);
    if (lock < 0)
        return error->status;
    filter_file(paths.summary, summary_header, S_COLUMNS, keep_other_summaries, &resume, row, error);
    close(lock);
    return error->status;
}

/* ---- pairs ---- */

static const char pairs_header[] =
    KEY_HEADER "pairs,sources,batches,batch_sources,verified,load_ms,prepare_ms,time_ms,"
               "kernel_ms,note,devices,threads,build,version,date\n";
enum pairs_column { P_KEY_END = 8, P_THREADS = 18, P_COLUMNS = 22 };

static bool keep_other_pairs(char *fields[MAX_COLUMNS], void *context)
{
    const struct resume *resume = context;
    return !same_key(fields, P_KEY_END, resume) || !replaces(fields[P_THREADS], resume);
}

int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    struct paths paths;
    struct resume resume;
    char key[MAX_ROW], row[MAX_ROW], count[24], date[32], note[2 * sizeof result->note + 3];
    if (find_paths(bench, &paths, error) != STATUS_OK || make_folders(paths.folder, error) != STATUS_OK ||
        key_of(bench, key, &resume, error) != STATUS_OK || put_key(bench, row, error) != STATUS_OK)
        return error->status;
    snprintf(paths.summary, sizeof paths.summary, "%s/%s_%s_pairs.csv", paths.folder, bench->algorithm->family,
             bench->algorithm->variant);
    snprintf(count, sizeof count, "%" PRIu64, request->num_pairs);
    resume.key[P_KEY_END - 1] = count;
    put_field(note, result->note);
    put_date(date);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%s,%.3f,%.3f,%.6f,%.6f,%s,%d,%s,%s,%s,%s\n", count,
             result->num_sources, result->num_batches, result->batch_sources, result->verified, bench->load_ms,
             result->prepare_ms, result->time_ms, result->kernel_ms, note, num_devices(bench), resume.threads,
             gtrav_build(), gtrav_version(), date);
    int lock = lock_folder(&paths, error);
    if (lock < 0)
        return error->status;
    filter_file(paths.summary, pairs_header, P_COLUMNS, keep_other_pairs, &resume, row, error);
    close(lock);
    return error->status;
}

/* ---- tasks ---- */

int records_tasks_begin(const struct bench_request *request, struct new_file *file, char path[TASKS_PATH_BYTES],
                        struct error *error)
{
    char device_folder[2048], folder[2304], name[LONGEST_NAME + 1];
    file_name(request->graph, name);
    if (check_name(request->graph, error) != STATUS_OK ||
        find_folder(request, device_folder, sizeof device_folder, error) != STATUS_OK)
        return error->status;
    snprintf(folder, sizeof folder, "%s/%.200s", device_folder, request->tasks);
    snprintf(path, TASKS_PATH_BYTES, "%s/balance_%s.csv", folder, name);
    if (make_folders(folder, error) != STATUS_OK || file_create(file, path, error) != STATUS_OK)
        return error->status;
    fputs("graph,source,block,tasks,version,date\n", file->file);
    return STATUS_OK;
}

void records_tasks(const struct bench_request *request, const struct traversal *result, vertex_t source, FILE *file)
{
    char name[2 * LONGEST_NAME + 3], date[32];
    put_field(name, request->graph->name);
    put_date(date);
    for (uint32_t block = 0; block < result->num_blocks; block++)
        fprintf(file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%s,%s\n", name, source, block, result->tasks[block],
                gtrav_version(), date);
}
