/* checkpoint.c: nothing is lost and nothing is counted twice, wherever a run is killed.
 *
 * The file holds totals and the set of sources that they cover. A new version is synced and then renamed over the old
 * one, so the file is consistent at all times. Three questions remain.
 *
 * Are the written totals consistent? They are a copy of rank 0's totals, made under the checkpoint writer's lock
 * (checkpoint_writer.c). Under the same lock a worker adds the sums of a batch and marks its sources, and rank 0 adds
 * a whole totals message of another rank. So a copy holds the sums of exactly the sources that it marks.
 *
 * Can a source be added twice? A run hands each source that is not done to one worker, once (ranks_take). The worker
 * adds it to the totals of its rank, once. When a rank copies its totals into a message, it clears them under its
 * lock, so each source is in one message of one rank, or in the final sum. Rank 0 receives each message once, and
 * adds it only after all of it has arrived.
 *
 * Can a source be lost? A process that dies loses the sums that it had not sent to rank 0; rank 0 loses those that it
 * had not written. No file marks their sources as done, so the next run hands them out again. If rank 0 dies, the
 * work since the last round is lost: one interval (--checkpoint-every), the batches in progress, and the writing. */
#include "checkpoint.h"

#include <errno.h>
#include <math.h>

#include "../graph/hash.h"
#include "../new_file.h"

#define MAGIC   "GTRAVCLO"
#define VERSION 3u

/* ---- totals ---- */

int totals_open(struct totals *totals, uint64_t num_sources, vertex_t num_vertices, struct error *error)
{
    size_t words = bit_words(num_sources), n = num_vertices;
    size_t bytes = sizeof *totals->head + (words + n) * sizeof(uint64_t) + n * sizeof(uint32_t);
    *totals = (struct totals){.num_sources = num_sources, .num_vertices = num_vertices};
    totals->bytes = (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    if (allocate_zeroed(&totals->head, totals->bytes, 1, "the sums of closeness", error) != STATUS_OK)
        return error->status;
    totals->done = (uint64_t *)(totals->head + 1);
    totals->farness = totals->done + words;
    totals->farness_count = (uint32_t *)(totals->farness + n);
    return STATUS_OK;
}

void totals_close(struct totals *totals)
{
    free(totals->head);
    *totals = (struct totals){0};
}

void totals_copy(struct totals *copy, const struct totals *totals)
{
    memcpy(copy->head, totals->head, totals->bytes);
}

void totals_add(struct totals *totals, const struct totals *others)
{
    for (uint64_t w = 0; w < bit_words(others->num_sources); w++)
        totals->done[w] |= others->done[w];
    for (vertex_t v = 0; v < others->num_vertices; v++) {
        totals->farness[v] += others->farness[v];
        totals->farness_count[v] += others->farness_count[v];
    }
    struct totals_head *head = totals->head;
    head->num_done += others->head->num_done;
    head->time_ms = fmax(head->time_ms, others->head->time_ms);
    head->kernel_ms = fmax(head->kernel_ms, others->head->kernel_ms);
}

void totals_clear(struct totals *totals)
{
    memset(totals->done, 0, totals->bytes - sizeof *totals->head);
    totals->head->num_done = 0;
}

/* ---- checks ---- */

static uint64_t hash_totals(const struct totals *totals)
{
    return hash_array(totals->head, sizeof(uint64_t), totals->bytes / sizeof(uint64_t));
}

static uint64_t count_bits(const uint64_t *bits, uint64_t num_bits)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < bit_words(num_bits); w++)
        count += (uint64_t)__builtin_popcountll(bits[w]);
    return count;
}

/* ---- the file ---- */

void checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph, uint64_t hash,
                     const vertex_t *sources, uint64_t num_sources)
{
    *checkpoint = (struct checkpoint){.name = name,
                                      .head = {.version = VERSION,
                                               .num_vertices = graph->num_vertices,
                                               .num_edges = graph->num_edges,
                                               .graph_hash = hash,
                                               .num_sources = num_sources}};
    struct checkpoint_head *head = &checkpoint->head;
    memcpy(head->magic, MAGIC, sizeof head->magic);
    head->sources_hash = hash_array(sources, sizeof *sources, num_sources);
}

/* ---- reading ---- */

/* Opens the file and reads its head. If it does not exist, *file is NULL and there is no error. */
static int read_head(const struct checkpoint *checkpoint, FILE **file, struct checkpoint_head *found,
                     struct error *error)
{
    const struct checkpoint_head *head = &checkpoint->head;
    const char *path = checkpoint->name;
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
    if (error->status == STATUS_OK)
        return STATUS_OK;
    fclose(*file);
    *file = NULL;
    return error->status;
}

int checkpoint_take_up(const struct checkpoint *checkpoint, struct totals *totals, struct error *error)
{
    struct checkpoint_head head;
    struct totals read;
    FILE *file;
    if (read_head(checkpoint, &file, &head, error) != STATUS_OK || file == NULL)
        return error->status;
    if (totals_open(&read, totals->num_sources, totals->num_vertices, error) == STATUS_OK) {
        if (fread(read.head, read.bytes, 1, file) != 1 || fgetc(file) != EOF ||
            hash_totals(&read) != head.totals_hash || count_bits(read.done, read.num_sources) != read.head->num_done)
            error_set(error, STATUS_INPUT, "%s: damaged checkpoint; remove it to begin anew", checkpoint->name);
        else
            totals_copy(totals, &read);
    }
    fclose(file);
    totals_close(&read);
    return error->status;
}

/* ---- writing ---- */

int checkpoint_save(const struct checkpoint *checkpoint, const struct totals *totals, struct error *error)
{
    const char *path = checkpoint->name;
    struct checkpoint_head head = checkpoint->head;
    struct new_file file;
    head.totals_hash = hash_totals(totals);
    if (file_create(&file, path, error) != STATUS_OK)
        return error->status;
    if (fwrite(&head, sizeof head, 1, file.file) != 1 || fwrite(totals->head, totals->bytes, 1, file.file) != 1)
        error_errno(error, "%s: cannot write", path);
    return file_commit(&file, error);
}
