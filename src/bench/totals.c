/* totals.c: copying, adding and clearing totals. */
#include "totals.h"

#include <stdlib.h>
#include <string.h>

/* The beginning of a block. */
struct parcel_head {
    uint64_t num_done;
    double time_ms, kernel_ms, held_ms;
};

int parcel_open(struct parcel *parcel, const struct totals *like, struct error *error)
{
    size_t words = bit_words(like->num_sources), n = like->num_vertices;
    *parcel = (struct parcel){.totals = *like};
    parcel->bytes = sizeof(struct parcel_head) + words * sizeof(uint64_t) + n * (sizeof(uint64_t) + sizeof(uint32_t));
    if (allocate(&parcel->block, parcel->bytes, 1, "a copy of the sums", error) != STATUS_OK)
        return error->status;
    parcel->totals.done = (uint64_t *)((char *)parcel->block + sizeof(struct parcel_head));
    parcel->totals.far = parcel->totals.done + words;
    parcel->totals.far_count = (uint32_t *)(parcel->totals.far + n);
    return STATUS_OK;
}

void parcel_close(struct parcel *parcel)
{
    free(parcel->block);
    *parcel = (struct parcel){0};
}

void parcel_fill(struct parcel *parcel, const struct totals *totals, double held_ms)
{
    struct totals *copy = &parcel->totals;
    struct parcel_head head = {totals->num_done, totals->time_ms, totals->kernel_ms, held_ms};
    memcpy(parcel->block, &head, sizeof head);
    memcpy(copy->done, totals->done, bit_words(totals->num_sources) * sizeof *copy->done);
    memcpy(copy->far, totals->far, totals->num_vertices * sizeof *copy->far);
    memcpy(copy->far_count, totals->far_count, totals->num_vertices * sizeof *copy->far_count);
    copy->num_done = totals->num_done;
    copy->batch_sources = totals->batch_sources;
    copy->time_ms = totals->time_ms;
    copy->kernel_ms = totals->kernel_ms;
    parcel->held_ms = held_ms;
}

void parcel_read(struct parcel *parcel)
{
    struct parcel_head head;
    memcpy(&head, parcel->block, sizeof head);
    parcel->totals.num_done = head.num_done;
    parcel->totals.time_ms = head.time_ms;
    parcel->totals.kernel_ms = head.kernel_ms;
    parcel->held_ms = head.held_ms;
}

void totals_add(struct totals *totals, const struct totals *others)
{
    for (uint64_t w = 0; w < bit_words(others->num_sources); w++)
        totals->done[w] |= others->done[w];
    for (vertex_t v = 0; v < others->num_vertices; v++) {
        totals->far[v] += others->far[v];
        totals->far_count[v] += others->far_count[v];
    }
    totals->num_done += others->num_done;
    totals->time_ms = others->time_ms > totals->time_ms ? others->time_ms : totals->time_ms;
    totals->kernel_ms = others->kernel_ms > totals->kernel_ms ? others->kernel_ms : totals->kernel_ms;
}

void totals_clear(struct totals *totals)
{
    memset(totals->done, 0, bit_words(totals->num_sources) * sizeof *totals->done);
    memset(totals->far, 0, totals->num_vertices * sizeof *totals->far);
    memset(totals->far_count, 0, totals->num_vertices * sizeof *totals->far_count);
    totals->num_done = 0;
}
