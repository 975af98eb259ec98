/* compressed_lists.h: neighbour lists in half of their memory or less, and still with access to any place of a list.
 *
 * A list is cut into groups of four neighbours; the last group may have fewer. A group is four values: its first
 * neighbour plus 1, then the gaps to the next ones. A missing neighbour has value 0. A value takes as many bits as its
 * code of two bits says; codes and values are apart (as in Stream VByte: Lemire et al., Information Processing Letters
 * 130, 2018). A piece of the lists has two tables of four lengths each, one for first values and one for gaps: those
 * that make it smallest.
 *
 * Groups are numbered through all lists, so `offsets` counts groups where a CSR counts edges. A record of 32 bytes has
 * the place of GROUPS_PER_RECORD groups and their codes. So a thread finds and decodes a group by itself. */
#pragma once

#include "build_lists.h"

namespace BACKEND
{

#define GROUP_TARGETS     4u
#define GROUPS_PER_RECORD 24u
#define PLACE_BITS        48u /* of record.place; the bits above are the number of the piece */
#define MOST_PIECES       1024u
#define NUM_LENGTHS       33u /* a value has 0 to 32 bits */

struct __align__(32) list_record
{
    uint64_t place;    /* piece << PLACE_BITS | first bit of the first group in the piece's values */
    uint32_t codes[6]; /* of all values, as planes: a word of bits for each value's number (compressed_lists.cuh) */
};

/* Two tables of lengths in bits, a byte for each of the four codes. */
struct code_lengths {
    uint32_t first, gap;
};

struct list_piece {
    uint64_t values;  /* the address of the piece's values, words of 64 bits */
    uint64_t lengths; /* the tables: gap << 32 | first */
};

/* The lists as kernels see them, in place of the targets of a CSR. */
struct compressed_targets {
    const struct list_record *records;
    const struct list_piece *pieces;
};

/* In place of a csr<offset_t>. */
struct compressed_csr {
    typedef edge_t offset_t;
    vertex_t num_vertices;
    const edge_t *offsets;
    struct compressed_targets targets;
};

/* The arenas that own compressed lists. Those but the first may be in host memory. */
struct list_memory {
    struct gpu_arena *device, *offsets, *lists; /* lists: values and records */
};

/* Compressed lists on the device, or for the most part in host memory. */
struct compressed_lists {
    struct list_memory memory;
    vertex_t num_ids;
    uint64_t num_groups, most_groups; /* groups so far; those for which there are records */
    edge_t num_targets;
    uint64_t value_bytes, moved_bytes; /* moved_bytes: of the values that compressed_lists_move() has moved */
    unsigned num_pieces;
    edge_t *offsets; /* num_ids + 1 */
    struct list_record *records;
    struct list_piece *pieces;
    uint64_t words[MOST_PIECES]; /* of the values of each piece */
};

static inline struct compressed_csr compressed_csr_of(const struct compressed_lists *lists)
{
    return {lists->num_ids, lists->offsets, {lists->records, lists->pieces}};
}

/* Allocates lists of num_ids vertices and at most so many targets, which pieces then fill. */
int compressed_lists_begin(vertex_t num_ids, edge_t most_targets, struct list_memory memory,
                           struct compressed_lists *lists, struct error *error);

/* Appends a piece to the struct compressed_lists `context`: a list_sink. Pieces come in the order of ids. Allocates
 * the piece's values. */
void compressed_lists_append(void *context, const struct built_lists *piece, struct error *error);

/* Moves the values of pieces from host memory to the device, in the order of ids, as long as they take at most
 * `spare` bytes there. */
int compressed_lists_move(struct compressed_lists *lists, uint64_t spare, struct error *error);

/* Returns the bytes of values and records so far. */
static inline uint64_t compressed_lists_bytes(const struct compressed_lists *lists)
{
    return lists->value_bytes + lists->num_groups / GROUPS_PER_RECORD * sizeof(struct list_record);
}

/* Returns more bytes than the values of a Kronecker graph take: 5/8 of an id's bits for each target. */
static inline uint64_t compressed_lists_guess(vertex_t num_ids, edge_t num_targets)
{
    unsigned bits = 0;
    for (; bits < 32 && num_ids >> bits != 0; bits++)
        ;
    return num_targets / 8 * bits * 5 / 8;
}

/* Returns the table with which values take the fewest bits, and sets *bits to their number. numbers: NUM_LENGTHS, how
 * many values have each length. */
uint32_t compressed_lists_table(const uint64_t *numbers, uint64_t *bits);

/* ---- from a graph in host memory (compress_graph.cu) ---- */

/* Like degree_order_find(), from the degrees alone. reverse: the graph with all edges reversed; NULL: symmetric. The
 * degrees are copied to where the lists' offsets will be. */
int compressed_order_find(const struct graph *graph, const struct graph *reverse,
                          const struct relabelling_policy *policy, const struct list_memory *memory,
                          struct degree_order *order, struct error *error);

/* Compresses all lists in the order. Uploads pieces of them, so the plain lists are never on the device together.
 * While the device only counts memory, an estimate from some lists stands for the size of the values. */
int compressed_lists_upload(const struct graph *graph, const struct graph *reverse, const struct degree_order *order,
                            struct list_memory memory, struct compressed_lists *lists, struct error *error);

} // namespace BACKEND
