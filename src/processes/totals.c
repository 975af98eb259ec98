/* totals.c: copying, adding and clearing totals. */
#include "totals.h"

#include <stdlib.h>
#include <string.h>

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
