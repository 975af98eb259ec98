/* checkpoint.c: nothing is lost and nothing is counted twice, wherever a run is killed.
 *
 * The file holds totals and the set of sources that they cover. A new version replaces it by rename after a sync, so
 * the file is consistent at all times. Three questions remain.
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
 */
#include "checkpoint.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/random.h"
#include "../new_file.h"

#define MAGIC   "GTRAVCLO"
#define VERSION 2u

/* ---- totals ---- */

/* The beginning of a block. */
struct totals_message_head {
    uint64_t num_done;
    double time_ms, kernel_ms, held_ms;
};

int totals_message_open(struct totals_message *message, const struct totals *like, struct error *error)
{
    size_t words = bit_words(like->num_sources), n = like->num_vertices;
    *message = (struct totals_message){.totals = *like};
    message->bytes =
        sizeof(struct totals_message_head) + words * sizeof(uint64_t) + n * (sizeof(uint64_t) + sizeof(uint32_t));
    if (allocate(&message->block, message->bytes, 1, "a copy of the sums", error) != STATUS_OK)
        return error->status;
    message->totals.done = (uint64_t *)((char *)message->block + sizeof(struct totals_message_head));
    message->totals.farness = message->totals.done + words;
    message->totals.farness_count = (uint32_t *)(message->totals.farness + n);
    return STATUS_OK;
}

void totals_message_close(struct totals_message *message)
{
    free(message->block);
    *message = (struct totals_message){0};
}

void totals_message_fill(struct totals_message *message, const struct totals *totals, double held_ms)
{
    struct totals *copy = &message->totals;
    struct totals_message_head head = {totals->num_done, totals->time_ms, totals->kernel_ms, held_ms};
    memcpy(message->block, &head, sizeof head);
    memcpy(copy->done, totals->done, bit_words(totals->num_sources) * sizeof *copy->done);
    memcpy(copy->farness, totals->farness, totals->num_vertices * sizeof *copy->farness);
    memcpy(copy->farness_count, totals->farness_count, totals->num_vertices * sizeof *copy->farness_count);
    copy->num_done = totals->num_done;
    copy->batch_sources = totals->batch_sources;
    copy->time_ms = totals->time_ms;
    copy->kernel_ms = totals->kernel_ms;
    message->held_ms = held_ms;
}

void totals_message_read(struct totals_message *message)
{
    struct totals_message_head head;
    memcpy(&head, message->block, sizeof head);
    message->totals.num_done = head.num_done;
    message->totals.time_ms = head.time_ms;
    message->totals.kernel_ms = head.kernel_ms;
    message->held_ms = head.held_ms;
}

void totals_add(struct totals *totals, const struct totals *others)
{
    for (uint64_t w = 0; w < bit_words(others->num_sources); w++)
        totals->done[w] |= others->done[w];
    for (vertex_t v = 0; v < others->num_vertices; v++) {
        totals->farness[v] += others->farness[v];
        totals->farness_count[v] += others->farness_count[v];
    }
    totals->num_done += others->num_done;
    totals->time_ms = others->time_ms > totals->time_ms ? others->time_ms : totals->time_ms;
    totals->kernel_ms = others->kernel_ms > totals->kernel_ms ? others->kernel_ms : totals->kernel_ms;
}

void totals_clear(struct totals *totals)
{
    memset(totals->done, 0, bit_words(totals->num_sources) * sizeof *totals->done);
    memset(totals->farness, 0, totals->num_vertices * sizeof *totals->farness);
    memset(totals->farness_count, 0, totals->num_vertices * sizeof *totals->farness_count);
    totals->num_done = 0;
}

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

/* ---- the file ---- */

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

void checkpoint_forget(const char *name)
{
    unlink(name);
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

/* Reads what follows the head. */
static int read_sums(const char *path, FILE *file, const struct checkpoint_head *head, struct totals *read,
                     struct error *error)
{
    uint64_t n = head->num_vertices, words = bit_words(head->num_sources);
    if (allocate(&read->done, words, sizeof *read->done, "the checkpoint", error) != STATUS_OK ||
        allocate(&read->farness, n, sizeof *read->farness, "the checkpoint", error) != STATUS_OK ||
        allocate(&read->farness_count, n, sizeof *read->farness_count, "the checkpoint", error) != STATUS_OK)
        return error->status;
    if (fread(read->done, sizeof *read->done, words, file) != words ||
        count_bits(read->done, head->num_sources) != head->num_done ||
        fread(read->farness, sizeof *read->farness, n, file) != n ||
        fread(read->farness_count, sizeof *read->farness_count, n, file) != n || fgetc(file) != EOF ||
        hash_payload(head, read) != head->payload_hash)
        return error_set(error, STATUS_INPUT, "%s: damaged checkpoint; remove it to begin anew", path);
    return STATUS_OK;
}

int checkpoint_take_up(const struct checkpoint *checkpoint, struct totals *totals, struct error *error)
{
    struct checkpoint_head head;
    FILE *file;
    if (read_head(checkpoint, &file, &head, error) != STATUS_OK || file == NULL)
        return error->status;
    struct totals read = {.num_sources = head.num_sources,
                          .num_vertices = (vertex_t)head.num_vertices,
                          .num_done = head.num_done,
                          .time_ms = head.time_ms,
                          .kernel_ms = head.kernel_ms};
    if (read_sums(checkpoint->name, file, &head, &read, error) == STATUS_OK) {
        totals_add(totals, &read);
        totals->batch_sources = head.batch_sources;
    }
    fclose(file);
    free(read.done);
    free(read.farness);
    free(read.farness_count);
    return error->status;
}

/* ---- writing ---- */

int checkpoint_save(const struct checkpoint *checkpoint, const struct totals *totals, struct error *error)
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
    return file_commit(&file, error);
}
