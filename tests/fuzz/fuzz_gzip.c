/* fuzz_gzip.c: text packed by gzip. An input is a gzip file; and it is a plain text that is packed, whole or damaged
 * at a place that its first bytes name. Packed whole, it must read as it does plain. */
#include <string.h>

#include "fuzz.h"

#define KNOBS 4u /* bytes: how to damage, where (two), with what */
enum { WHOLE, CUT, CHANGED, LONGER, TWO_MEMBERS, NUM_DAMAGES };

static int load(const void *data, size_t size, struct graph *graph, struct error *error)
{
    struct load_options options = {.undirected = false};
    *error = (struct error){0};
    return graph_load(file_of(data, size), &options, graph, error);
}

static void load_and_check(const void *data, size_t size)
{
    struct graph graph;
    struct error error;
    int status = load(data, size, &graph, &error);
    check_graph(status, &graph, &error);
}

/* One gzip member; returns its length, 0 where it does not fit. */
static size_t pack(const uint8_t *text, size_t size, uint8_t *packed, size_t room)
{
    z_stream stream = {0};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16 /* gzip */, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (uint8_t *)(uintptr_t)text;
    stream.avail_in = (unsigned)size;
    stream.next_out = packed;
    stream.avail_out = (unsigned)room;
    bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    size_t length = room - stream.avail_out;
    deflateEnd(&stream);
    return whole ? length : 0;
}

/* What is packed twice is unpacked once, and the binary form is not packed. */
static bool is_text(const uint8_t *text, size_t size)
{
    return !(size >= 2 && text[0] == 0x1f && text[1] == 0x8b) && !(size >= 8 && memcmp(text, "GTRAVCSR", 8) == 0);
}

static void compare(const uint8_t *text, size_t size, const uint8_t *packed, size_t length)
{
    if (!is_text(text, size))
        return;
    struct graph plain, unpacked;
    struct error plain_error, unpacked_error;
    load(text, size, &plain, &plain_error);
    load(packed, length, &unpacked, &unpacked_error);
    REQUIRE(strcmp(plain_error.text, unpacked_error.text) == 0);
    REQUIRE(plain.num_vertices == unpacked.num_vertices && plain.num_edges == unpacked.num_edges);
    check_graph(plain_error.status, &plain, &plain_error);
    check_graph(unpacked_error.status, &unpacked, &unpacked_error);
}

void fuzz_gzip(const uint8_t *data, size_t size)
{
    load_and_check(data, size);
    if (size < KNOBS)
        return;
    const uint8_t *text = data + KNOBS;
    size_t text_size = size - KNOBS, room = 2 * size + 256, length;
    uint8_t *packed = malloc(room);
    if (packed == NULL)
        return;
    size_t half = data[0] % NUM_DAMAGES == TWO_MEMBERS ? text_size / 2 : text_size;
    length = pack(text, half, packed, room);
    REQUIRE(length > 0);
    size_t place = (data[1] | (size_t)data[2] << 8) % length;
    switch (data[0] % NUM_DAMAGES) {
    case TWO_MEMBERS:
        length += pack(text + half, text_size - half, packed + length, room - length);
        compare(text, text_size, packed, length);
        break;
    case WHOLE:
        compare(text, text_size, packed, length);
        break;
    case CUT:
        load_and_check(packed, place);
        break;
    case CHANGED:
        packed[place] ^= data[3];
        load_and_check(packed, length);
        break;
    case LONGER:
        packed[length] = data[3];
        load_and_check(packed, length + 1);
        break;
    }
    free(packed);
}
