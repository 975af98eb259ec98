/* fuzz_gtrav.c: the binary form, with and without a permutation and ids, and whether the program can work with what
 * gets through. An input is a file; besides as it is, it is read with its checksums made right, since no made-up file
 * would get past them. */
#include <string.h>
#include <zlib.h>

#include "../../src/graph/reorder.h"
#include "../../src/graph/statistics.h"
#include "fuzz.h"

#define HEADER_BYTES 128u /* of which the last 8 are the checksums of the payload and of the header, binary.c */

static uint32_t checksum(const uint8_t *data, size_t size)
{
    return (uint32_t)crc32(crc32(0, NULL, 0), data, (unsigned)size);
}

static void load(const uint8_t *data, size_t size, bool undirected)
{
    struct graph graph;
    struct error error = {0};
    struct load_options options = {.undirected = undirected, .weights = size % 2 == 0 ? "auto" : NULL};
    int status = graph_load(file_of(data, size), &options, &graph, &error);
    if (status == STATUS_OK) {
        gtrav_info statistics;
        struct error unused = {0};
        check_error(graph_statistics(&graph, &statistics, &unused), &unused);
    }
    if (status == STATUS_OK && graph.permutation != NULL) {
        struct graph restored;
        struct error failure = {0};
        check_graph(graph_restore(&graph, &restored, &failure), &restored, &failure);
    }
    check_graph(status, &graph, &error);
}

void fuzz_gtrav(const uint8_t *data, size_t size)
{
    load(data, size, false);
    if (size < HEADER_BYTES)
        return;
    uint8_t *repaired = malloc(size);
    if (repaired == NULL)
        return;
    memcpy(repaired, data, size);
    memcpy(repaired, "GTRAVCSR\1\0\0", 12);
    memcpy(repaired + 12, (const uint8_t[]){data[12] % 32, 0, 0, 0}, 4); /* the flags */
    uint32_t payload = checksum(data + HEADER_BYTES, size - HEADER_BYTES);
    memcpy(repaired + HEADER_BYTES - 8, &payload, sizeof payload);
    uint32_t header = checksum(repaired, HEADER_BYTES - 4);
    memcpy(repaired + HEADER_BYTES - 4, &header, sizeof header);
    load(repaired, size, false);
    load(repaired, size, true);
    free(repaired);
}
