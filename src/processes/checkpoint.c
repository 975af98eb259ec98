/* checkpoint.c: nothing is lost and nothing is counted twice, wherever a run is killed.
 *
 * The file holds totals and the set of sources that they cover. A new version replaces it by rename after a sync, so
 * the file is consistent at all times. Four questions remain.
 *
 * Are the written totals consistent? They are a copy of rank 0's totals, made under the checkpoint writer's lock
 * (checkpoint_writer.c). Under the same lock a worker adds the sums of a batch and marks its sources, and rank 0 adds
 * a whole totals message of another rank. So a copy holds the sums of exactly the sources that it marks.
 *
 * Can a source be added twice? A run hands each open source to one worker, once (ranks_take). The worker adds it to
 * the totals of its rank, once. When a rank copies its totals into a message, it clears them under its lock, so each
 * source is in one message of one rank, or in the final sum. Rank 0 receives each message once, and adds it only
 * after all of it has arrived.
 *
 * Can a source be lost? A process that dies loses what it had not sent to rank 0; rank 0 loses what it had not
 * written. No file marks these sources, so the next run hands them out again. If rank 0 dies, the loss is the work
 * since the last round: one interval (--checkpoint-every), the batches in progress, and the time that writing took.
 *
 * What if there are several files? Older builds wrote a file NAME.r for each rank r. The sets of sources of these
 * files were disjoint, or one was a subset of another whose rank had merged it and was killed before it could remove
 * it. Rank 0 ignores and removes subsets, adds up the rest, and removes the other files once their union is on disk
 * under NAME. If it is killed in between, the next run finds subsets of NAME. Files that overlap in any other way
 * come from two simultaneous runs, or were copied. That is an error, because the common sources cannot be subtracted
 * from either file. */
#include "checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/random.h"
#include "../new_file.h"

#define MAGIC    "GTRAVCLO"
#define VERSION  2u     /* in version 1, payload_hash left the head out */
#define MAX_RANK 99999u /* temporary names end in six characters */

/* ---- hashes: sums, so that threads can add to them in any order ---- */

static uint64_t hash_words(const uint64_t *words, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(words[i]) + i);
    return hash;
}

static uint64_t hash_vertices(const vertex_t *vertices, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(vertices[i]) + i);
    return hash;
}

/* The hash of the head, except the hash itself, and of the arrays that follow it in the file. */
static uint64_t hash_payload(const struct checkpoint_head *head, const struct totals *totals)
{
    uint64_t words[offsetof(struct checkpoint_head, payload_hash) / sizeof(uint64_t)];
    memcpy(words, head, sizeof words);
    return hash_words(totals->done, bit_words(head->num_sources)) ^
           random_bits(hash_words(totals->farness, head->num_vertices)) ^
           random_bits(hash_vertices(totals->farness_count, head->num_vertices) + 1) ^
           random_bits(hash_words(words, sizeof words / sizeof *words) + 2);
}

static uint64_t count_bits(const uint64_t *bits, uint64_t num_bits)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < bit_words(num_bits); w++)
        count += (uint64_t)__builtin_popcountll(bits[w]);
    return count;
}

/* ---- names ---- */

/* Builds the name of a rank's file; the caller frees it. */
static int file_name(const char *name, uint32_t rank, char **path, struct error *error)
{
    int length = rank == 0 ? asprintf(path, "%s", name) : asprintf(path, "%s.%u", name, rank);
    if (length >= 0)
        return STATUS_OK;
    *path = NULL;
    return error_set(error, STATUS_INPUT, "out of memory: the checkpoint's name");
}

void checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph,
                     const vertex_t *sources, uint64_t num_sources)
{
    *checkpoint = (struct checkpoint){.name = name,
                                      .head = {.version = VERSION,
                                               .num_vertices = graph->num_vertices,
                                               .num_edges = graph->num_edges,
                                               .num_sources = num_sources}};
    struct checkpoint_head *head = &checkpoint->head;
    memcpy(head->magic, MAGIC, sizeof head->magic);
    head->graph_hash = hash_words(graph->offsets, (uint64_t)graph->num_vertices + 1) ^
                       hash_vertices(graph->targets, graph->num_edges);
    head->sources_hash = hash_vertices(sources, num_sources);
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    free(checkpoint->merged);
    *checkpoint = (struct checkpoint){0};
}

/* Returns r if the entry is NAME.r, else 0. */
static uint32_t rank_in(const char *entry, const char *name)
{
    size_t length = strlen(name);
    char *end;
    if (strncmp(entry, name, length) != 0 || entry[length] != '.' || entry[length + 1] < '1' ||
        entry[length + 1] > '9')
        return 0;
    unsigned long rank = strtoul(entry + length + 1, &end, 10);
    return *end == '\0' && rank <= MAX_RANK ? (uint32_t)rank : 0;
}

/* Calls visit(rank, context) for each file NAME.rank. A missing folder contains none. */
static int visit_files(const char *name, void (*visit)(uint32_t rank, void *context), void *context,
                       struct error *error)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    char *folder = slash != NULL ? strndup(name, (size_t)(base - name)) : strdup(".");
    DIR *entries = folder != NULL ? opendir(folder) : NULL;
    if (folder == NULL)
        error_set(error, STATUS_INPUT, "out of memory: the checkpoint's folder");
    else if (entries == NULL && errno != ENOENT)
        error_errno(error, "%s: cannot look for checkpoints of other ranks", folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;)
        if (rank_in(entry->d_name, base) > 0)
            visit(rank_in(entry->d_name, base), context);
    if (entries != NULL)
        closedir(entries);
    free(folder);
    return error->status;
}

/* Allocates nothing, so that removing a finished checkpoint cannot fail for lack of memory. */
static void remove_file(uint32_t rank, void *context)
{
    const char *name = context;
    char path[PATH_MAX];
    if (rank == 0)
        unlink(name);
    else if (snprintf(path, sizeof path, "%s.%u", name, rank) < (int)sizeof path)
        unlink(path);
}

void checkpoint_forget(const char *name)
{
    struct error ignored = {0};
    remove_file(0, (void *)(uintptr_t)name);
    visit_files(name, remove_file, (void *)(uintptr_t)name, &ignored);
}

/* ---- reading ---- */

static int damaged(const char *path, struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s: damaged checkpoint; remove it to begin anew", path);
}

/* Opens a file and reads its head and its set of sources. If the file does not exist, *file is NULL and there is no
 * error. */
static int read_head(const struct checkpoint *checkpoint, const char *path, FILE **file,
                     struct checkpoint_head *found, uint64_t *done, struct error *error)
{
    const struct checkpoint_head *head = &checkpoint->head;
    uint64_t words = bit_words(head->num_sources);
    *file = fopen(path, "rb");
    if (*file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(error, "%s: cannot open", path);
    bool whole = fread(found, sizeof *found, 1, *file) == 1 && memcmp(found->magic, MAGIC, sizeof found->magic) == 0;
    if (!whole || found->version != VERSION)
        error_set(error, STATUS_INPUT, "%s: not a checkpoint of this gtrav; name another file, or remove it", path);
    else if (found->num_vertices != head->num_vertices || found->num_edges != head->num_edges ||
             found->graph_hash != head->graph_hash || found->num_sources != head->num_sources ||
             found->sources_hash != head->sources_hash)
        error_set(error, STATUS_INPUT,
                  "%s: checkpoint of another graph, or of other sources; name another file, or remove it", path);
    else if (fread(done, sizeof *done, words, *file) != words ||
             count_bits(done, head->num_sources) != found->num_done)
        damaged(path, error);
    if (error->status == STATUS_OK)
        return STATUS_OK;
    fclose(*file);
    *file = NULL;
    return error->status;
}

/* A file that exists. */
struct part {
    uint32_t rank;
    uint64_t *done;
    struct checkpoint_head head;
    bool stale; /* its sources are a subset of another file's */
};

struct parts {
    struct part *parts;
    uint32_t count, capacity;
    bool lacks_memory;
};

static void append_part(uint32_t rank, void *context)
{
    struct parts *found = context;
    if (found->count == found->capacity) {
        uint32_t capacity = 2 * found->capacity + 8;
        struct part *larger = realloc(found->parts, capacity * sizeof *larger);
        if (larger == NULL) {
            found->lacks_memory = true;
            return;
        }
        found->parts = larger;
        found->capacity = capacity;
    }
    found->parts[found->count++] = (struct part){.rank = rank};
}

static int read_parts(const struct checkpoint *checkpoint, struct parts *found, struct error *error)
{
    uint64_t words = bit_words(checkpoint->head.num_sources);
    uint32_t kept = 0;
    append_part(0, found);
    visit_files(checkpoint->name, append_part, found, error);
    if (found->lacks_memory)
        error_set(error, STATUS_INPUT, "out of memory: the checkpoint's files");
    if (error->status != STATUS_OK) {
        found->count = 0;
        return error->status;
    }
    for (uint32_t i = 0; i < found->count && error->status == STATUS_OK; i++) {
        struct part part = found->parts[i];
        char *path = NULL;
        FILE *file = NULL;
        if (file_name(checkpoint->name, part.rank, &path, error) == STATUS_OK &&
            allocate(&part.done, words, sizeof *part.done, "the checkpoint", error) == STATUS_OK)
            read_head(checkpoint, path, &file, &part.head, part.done, error);
        free(path);
        if (file == NULL) { /* gone, or an error */
            free(part.done);
            continue;
        }
        fclose(file);
        found->parts[kept++] = part;
    }
    found->count = kept;
    return error->status;
}

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    if (a->head.num_done != b->head.num_done)
        return a->head.num_done > b->head.num_done ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool is_subset(const uint64_t *inner, const uint64_t *outer, uint64_t words)
{
    for (uint64_t w = 0; w < words; w++)
        if (inner[w] & ~outer[w])
            return false;
    return true;
}

static bool has_common(const uint64_t *a, const uint64_t *b, uint64_t words)
{
    for (uint64_t w = 0; w < words; w++)
        if (a[w] & b[w])
            return true;
    return false;
}

/* Marks files that are subsets of others as stale, and makes all_done the union of the rest. Sorts the files by size,
 * the largest first. */
static int sift_parts(const struct checkpoint *checkpoint, struct parts *found, uint64_t *all_done,
                      struct error *error)
{
    uint64_t words = bit_words(checkpoint->head.num_sources);
    qsort(found->parts, found->count, sizeof *found->parts, compare_parts);
    for (uint32_t i = 0; i < found->count; i++) {
        struct part *part = &found->parts[i];
        bool overlaps = has_common(part->done, all_done, words);
        for (uint32_t j = 0; j < i && overlaps && !part->stale; j++)
            part->stale = !found->parts[j].stale && is_subset(part->done, found->parts[j].done, words);
        if (overlaps && !part->stale)
            return error_set(
                error, STATUS_INPUT,
                "%s: two of its files have sources in common, as if two runs had kept theirs there at once; "
                "remove %s and %s.*",
                checkpoint->name, checkpoint->name, checkpoint->name);
        for (uint64_t w = 0; w < words && !part->stale; w++)
            all_done[w] |= part->done[w];
    }
    return STATUS_OK;
}

/* Adds the sums of one file to the totals. */
static int take_part(struct checkpoint *checkpoint, uint32_t rank, struct totals *totals, struct error *error)
{
    uint64_t n = checkpoint->head.num_vertices, words = bit_words(checkpoint->head.num_sources);
    struct totals read = {.num_sources = checkpoint->head.num_sources, .num_vertices = (vertex_t)n};
    struct checkpoint_head found;
    FILE *file = NULL;
    char *path = NULL;
    if (file_name(checkpoint->name, rank, &path, error) != STATUS_OK ||
        allocate(&read.done, words, sizeof *read.done, "the checkpoint", error) != STATUS_OK ||
        allocate(&read.farness, n, sizeof *read.farness, "the checkpoint", error) != STATUS_OK ||
        allocate(&read.farness_count, n, sizeof *read.farness_count, "the checkpoint", error) != STATUS_OK ||
        read_head(checkpoint, path, &file, &found, read.done, error) != STATUS_OK)
        goto end;
    if (file == NULL) {
        error_set(error, STATUS_INPUT, "%s: another run has just removed it", path);
        goto end;
    }
    if (fread(read.farness, sizeof *read.farness, n, file) != n ||
        fread(read.farness_count, sizeof *read.farness_count, n, file) != n || fgetc(file) != EOF ||
        hash_payload(&found, &read) != found.payload_hash) {
        damaged(path, error);
        goto end;
    }
    read.num_done = found.num_done;
    read.time_ms = found.time_ms;
    read.kernel_ms = found.kernel_ms;
    totals_add(totals, &read);
    totals->batch_sources = found.batch_sources;
end:
    if (file != NULL)
        fclose(file);
    free(path);
    free(read.done);
    free(read.farness);
    free(read.farness_count);
    return error->status;
}

int checkpoint_take_up(struct checkpoint *checkpoint, struct totals *totals, struct error *error)
{
    uint64_t *all_done = NULL;
    struct parts found = {0};
    allocate_zeroed(&all_done, bit_words(checkpoint->head.num_sources), sizeof *all_done, "the checkpoint", error);
    if (error->status != STATUS_OK || read_parts(checkpoint, &found, error) != STATUS_OK ||
        sift_parts(checkpoint, &found, all_done, error) != STATUS_OK ||
        allocate(&checkpoint->merged, found.count, sizeof *checkpoint->merged, "the checkpoint", error) != STATUS_OK)
        goto end;
    for (uint32_t i = 0; i < found.count; i++) {
        const struct part *part = &found.parts[i];
        if (!part->stale && take_part(checkpoint, part->rank, totals, error) == STATUS_OK && part->rank > 0)
            checkpoint->merged[checkpoint->num_merged++] = part->rank;
    }
    for (uint32_t i = 0; i < found.count && error->status == STATUS_OK; i++)
        if (found.parts[i].stale)
            remove_file(found.parts[i].rank, (void *)(uintptr_t)checkpoint->name);
end:
    for (uint32_t i = 0; i < found.count; i++)
        free(found.parts[i].done);
    free(found.parts);
    free(all_done);
    return error->status;
}

/* ---- writing ---- */

int checkpoint_save(struct checkpoint *checkpoint, const struct totals *totals, struct error *error)
{
    const char *path = checkpoint->name;
    struct checkpoint_head head = checkpoint->head;
    uint64_t n = head.num_vertices, words = bit_words(head.num_sources);
    struct new_file file;
    head.num_done = totals->num_done;
    head.batch_sources = totals->batch_sources;
    head.time_ms = totals->time_ms;
    head.kernel_ms = totals->kernel_ms;
    head.payload_hash = hash_payload(&head, totals);
    if (file_create(&file, path, error) != STATUS_OK)
        return error->status;
    if (fwrite(&head, sizeof head, 1, file.file) != 1 ||
        fwrite(totals->done, sizeof *totals->done, words, file.file) != words ||
        fwrite(totals->farness, sizeof *totals->farness, n, file.file) != n ||
        fwrite(totals->farness_count, sizeof *totals->farness_count, n, file.file) != n)
        error_errno(error, "%s: cannot write", path);
    if (file_commit(&file, error) != STATUS_OK)
        return error->status;
    while (checkpoint->num_merged > 0)
        remove_file(checkpoint->merged[--checkpoint->num_merged], (void *)(uintptr_t)checkpoint->name);
    return STATUS_OK;
}
