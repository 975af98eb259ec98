/* compressed_lists.cu: compresses neighbour lists, a piece at a time: counts the groups of each list, chooses the
 * piece's tables of lengths, measures the records, and writes the values. */
#include "compressed_lists.cuh"

#include <bit>

#include "../device/edge_queue.cuh"
#include "../device/edge_source.cuh"
#include "../device/ids.cuh"

namespace BACKEND::compressing
{

#define SHARED_BYTES (2 * NUM_LENGTHS * sizeof(uint32_t))

/* A piece that is being compressed. */
struct piece {
    struct built_lists lists;
    const edge_t *groups; /* lists.number + 1: the first group of each list */
    uint64_t first, end;  /* its groups; both are multiples of GROUPS_PER_RECORD, the last groups may be empty */
    struct code_lengths tables;
};

/* Writes the number of groups of each list. */
__global__ void count_groups(struct built_lists lists, edge_t *groups)
{
    for (uint64_t i = thread_of_grid(); i <= lists.number; i += threads_of_grid())
        groups[i] =
            i < lists.number ? (lists.offsets[i + 1] - lists.offsets[i] + GROUP_TARGETS - 1) / GROUP_TARGETS : 0;
}

__global__ void add_to_all(uint64_t *values, uint64_t number, uint64_t addend)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        values[i] += addend;
}

/* Calls use(group, values) for each group of the piece, with one group per lane. All lanes of a warp take part. */
DEVICE void for_each_group(const struct piece &piece, auto use)
{
    const struct built_lists &lists = piece.lists;
    const csr<edge_t> groups = {lists.number, piece.groups, NULL};
    auto at = [&](uint64_t list) { return piece.groups[list]; };
    for (uint64_t base = piece.first + thread_of_grid() - lane_id(); base < piece.end; base += threads_of_grid()) {
        const uint64_t group = base + lane_id();
        uint64_t low = last_up_to<uint64_t>(lists.number, base, at);
        uint64_t high = last_up_to<uint64_t>(lists.number, base + WARP_SIZE - 1, at);
        uint64_t list = source_between(groups, group, low, high);
        uint64_t next = lists.offsets[list] + (group - piece.groups[list]) * GROUP_TARGETS;
        const uint64_t end = lists.offsets[list + 1];
        vertex_t last = NO_VERTEX;
        uint32_t values[GROUP_TARGETS];
        for (unsigned i = 0; i < GROUP_TARGETS; i++, next++) {
            vertex_t target = group < piece.end && next < end ? lists.targets[next] : last;
            values[i] = target - last;
            last = target;
        }
        use(group, values);
    }
}

DEVICE unsigned bit_length(uint32_t value)
{
    return WARP_SIZE - (unsigned)__clz((int)value);
}

/* Counts the values of each length: numbers[0 .. 32] those that are first in a group, then the gaps. */
__global__ void count_lengths(struct piece piece, uint64_t *numbers)
{
    uint32_t *counts = block_shared<uint32_t>();
    for (unsigned i = threadIdx.x; i < 2 * NUM_LENGTHS; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();
    for_each_group(piece, [&](uint64_t group, const uint32_t(&values)[GROUP_TARGETS]) {
        for (unsigned i = 0; group < piece.end && i < GROUP_TARGETS; i++)
            atomicAdd(&counts[(i > 0 ? NUM_LENGTHS : 0) + bit_length(values[i])], 1u);
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2 * NUM_LENGTHS; i += blockDim.x)
        if (counts[i] > 0)
            atomicAdd(&numbers[i], (uint64_t)counts[i]);
}

/* Returns the code of a value: that of the shortest length that suffices. Lengths ascend. */
DEVICE unsigned code_of(uint32_t value, uint32_t table)
{
    unsigned length = bit_length(value);
    return (length > length_of(table, 0)) + (length > length_of(table, 1)) + (length > length_of(table, 2));
}

/* Writes the code of value `value` of a group to the record, whose codes are zero. */
DEVICE void set_code(struct list_record *record, unsigned group, unsigned value, unsigned code)
{
    if (code & 1)
        or_into(&record->codes[value], 1u << group);
    if (code & 2 && group < 8)
        or_into(&record->codes[value], 1u << (GROUPS_PER_RECORD + group));
    else if (code & 2)
        or_into(&record->codes[4 + value / 2], 1u << (16 * (value % 2) + group - 8));
}

/* Writes the codes of all groups to the records, which are zero, and adds up the bits of each record. */
__global__ void measure_records(struct piece piece, struct list_record *records, uint64_t *bits)
{
    for_each_group(piece, [&](uint64_t group, const uint32_t(&values)[GROUP_TARGETS]) {
        if (group >= piece.end)
            return;
        unsigned sum = 0;
        for (unsigned i = 0; i < GROUP_TARGETS; i++) {
            const uint32_t table = i == 0 ? piece.tables.first : piece.tables.gap;
            const unsigned code = code_of(values[i], table);
            set_code(&records[group / GROUPS_PER_RECORD], group % GROUPS_PER_RECORD, i, code);
            sum += length_of(table, code);
        }
        atomicAdd(&bits[(group - piece.first) / GROUPS_PER_RECORD], (uint64_t)sum);
    });
}

/* Writes the places of the records, and all values. number: of the piece. places: of the records' first bits. words:
 * zero. Groups share words, so bits are or'ed into them. */
__global__ void write_values(struct piece piece, uint64_t number, const uint64_t *places, struct list_record *records,
                             uint64_t *words)
{
    for_each_group(piece, [&](uint64_t group, const uint32_t(&values)[GROUP_TARGETS]) {
        if (group >= piece.end)
            return;
        struct list_record *record = &records[group / GROUPS_PER_RECORD];
        const unsigned before = group % GROUPS_PER_RECORD;
        const uint64_t place = places[(group - piece.first) / GROUPS_PER_RECORD];
        uint64_t bit = place + bits_before(record->codes, before, piece.tables);
        if (before == 0)
            record->place = number << PLACE_BITS | place;
        for (unsigned i = 0; i < GROUP_TARGETS; i++) {
            unsigned shift = bit % 64;
            unsigned long long *word = (unsigned long long *)&words[bit / 64];
            if (values[i] != 0)
                atomicOr(word, (unsigned long long)values[i] << shift);
            if (shift > 32 && (uint64_t)values[i] >> (64 - shift) != 0)
                atomicOr(word + 1, (unsigned long long)values[i] >> (64 - shift));
            bit += length_at(record->codes, before, i, piece.tables);
        }
    });
}

/* ---- host side ---- */

} // namespace BACKEND::compressing

namespace BACKEND
{

using namespace compressing;

uint32_t compressed_lists_table(const uint64_t *numbers, uint64_t *least)
{
    uint64_t up_to[NUM_LENGTHS] = {numbers[0]};
    uint32_t best = 0;
    unsigned longest = 0;
    *least = UINT64_MAX;
    for (unsigned length = 1; length < NUM_LENGTHS; length++) {
        up_to[length] = up_to[length - 1] + numbers[length];
        longest = numbers[length] > 0 ? length : longest;
    }
    for (unsigned a = 0; a <= longest; a++)
        for (unsigned b = a; b <= longest; b++)
            for (unsigned c = b; c <= longest; c++) {
                uint64_t bits = a * up_to[a] + b * (up_to[b] - up_to[a]) + c * (up_to[c] - up_to[b]) +
                                longest * (up_to[longest] - up_to[c]);
                if (bits < *least) {
                    *least = bits;
                    best = a | b << 8 | c << 16 | longest << 24;
                }
            }
    return best;
}

/* Sets the tables of the piece. */
static void choose_tables(struct piece *piece, const struct grid &grid, struct gpu_arena *scratch, struct error *error)
{
    uint64_t numbers[2 * NUM_LENGTHS], bits;
    uint64_t *counts = gpu_take_zeroed<uint64_t>(scratch, 2 * NUM_LENGTHS, "the lengths", error);
    gpu_launch(count_lengths, grid, SHARED_BYTES, error, *piece, counts);
    gpu_download(numbers, counts, 2 * NUM_LENGTHS, error);
    piece->tables = {compressed_lists_table(numbers, &bits), compressed_lists_table(numbers + NUM_LENGTHS, &bits)};
}

int compressed_lists_begin(vertex_t num_ids, edge_t most_targets, struct list_memory memory,
                           struct compressed_lists *lists, struct error *error)
{
    *lists = {};
    lists->memory = memory;
    lists->num_ids = num_ids;
    lists->most_groups = most_targets / GROUP_TARGETS + num_ids + MOST_PIECES * GROUPS_PER_RECORD;
    lists->most_groups -= lists->most_groups % GROUPS_PER_RECORD;
    lists->offsets = gpu_take_zeroed<edge_t>(memory.offsets, (size_t)num_ids + 1, "the lists' offsets", error);
    lists->records = gpu_take_zeroed<struct list_record>(memory.lists, lists->most_groups / GROUPS_PER_RECORD,
                                                         "the lists' records", error);
    lists->pieces = gpu_take<struct list_piece>(memory.device, MOST_PIECES, "the lists' pieces", error);
    return error->status;
}

/* Returns where kernels write `number` elements that will be at `to`: there, or in scratch memory on the device if
 * `to` is in host memory, which takes no atomics. The scratch memory is zero. */
template <typename type>
static type *written_at(type *to, const struct gpu_arena *owner, size_t number, struct gpu_arena *scratch,
                        struct error *error)
{
    return owner->in_host ? gpu_take_zeroed<type>(scratch, number, "a piece of the lists", error) : to;
}

/* Copies what kernels have written to its place, if that is elsewhere. */
template <typename type>
static void keep(type *to, const type *written, size_t number, struct error *error)
{
    if (to != written)
        gpu_fetch(to, written, number, error);
}

void compressed_lists_append(void *context, const struct built_lists *from, struct error *error)
{
    struct compressed_lists *lists = (struct compressed_lists *)context;
    struct gpu_arena scratch = {};
    const struct list_memory *memory = &lists->memory;
    const size_t number = (size_t)from->number + 1;
    edge_t *offsets = lists->offsets + from->first,
           *groups = written_at(offsets, memory->offsets, number, &scratch, error);
    struct piece piece = {*from, groups, lists->num_groups, 0, {}};
    gpu_launch(count_groups, gpu_wide_grid(number), 0, error, *from, groups);
    gpu_exclusive_scan(groups, number, error);
    gpu_launch(add_to_all, gpu_wide_grid(number), 0, error, groups, number, piece.first);
    gpu_download(&piece.end, groups + from->number, 1, error);
    piece.end = (piece.end + GROUPS_PER_RECORD - 1) / GROUPS_PER_RECORD * GROUPS_PER_RECORD;
    const size_t num_records = (piece.end - piece.first) / GROUPS_PER_RECORD;
    if (error->status == STATUS_OK && (piece.end > lists->most_groups || lists->num_pieces == MOST_PIECES))
        error_set(error, STATUS_DEVICE, "compressed lists: more targets or pieces than announced");
    if (error->status != STATUS_OK || num_records == 0) {
        keep(offsets, groups, number, error);
        gpu_arena_free(&scratch);
        return;
    }
    struct list_record *records = lists->records + piece.first / GROUPS_PER_RECORD;
    struct list_record *codes = written_at(records, memory->lists, num_records, &scratch, error);
    struct list_record *by_group = codes - piece.first / GROUPS_PER_RECORD; /* as if all records were there */
    const struct grid grid = gpu_wide_grid(piece.end - piece.first);
    uint64_t num_bits, *places = gpu_take_zeroed<uint64_t>(&scratch, num_records + 1, "the places of lists", error);
    choose_tables(&piece, grid, &scratch, error);
    gpu_launch(measure_records, grid, 0, error, piece, by_group, places);
    gpu_exclusive_scan(places, num_records + 1, error);
    gpu_download(&num_bits, places + num_records, 1, error);
    const size_t num_words = num_bits / 64 + 1;
    uint64_t *values = gpu_take<uint64_t>(memory->lists, num_words, "the compressed lists", error);
    uint64_t *words = written_at(values, memory->lists, num_words, &scratch, error);
    if (words == values)
        gpu_clear(values, num_words, error);
    const struct list_piece entry = {(uint64_t)values, (uint64_t)piece.tables.gap << 32 | piece.tables.first};
    gpu_upload(lists->pieces + lists->num_pieces, &entry, 1, error);
    gpu_launch(write_values, grid, 0, error, piece, lists->num_pieces, places, by_group, words);
    gpu_upload(groups + from->number, &piece.end, 1, error);
    keep(offsets, groups, number, error);
    keep(records, codes, num_records, error);
    keep(values, words, num_words, error);
    gpu_arena_free(&scratch);
    lists->num_groups = piece.end;
    lists->words[lists->num_pieces++] = num_words;
    lists->num_targets += from->num_targets;
    lists->value_bytes += num_words * sizeof *values;
}

int compressed_lists_move(struct compressed_lists *lists, uint64_t spare, struct error *error)
{
    for (unsigned i = 0; i < lists->num_pieces && error->status == STATUS_OK; i++) {
        struct list_piece *piece = lists->pieces + i, entry;
        const size_t number = lists->words[i];
        if (lists->moved_bytes + number * sizeof(uint64_t) > spare)
            break;
        uint64_t *values = gpu_take<uint64_t>(lists->memory.device, number, "the compressed lists", error);
        gpu_download(&entry, piece, 1, error);
        gpu_upload(values, (const uint64_t *)entry.values, number, error);
        entry.values = (uint64_t)values;
        gpu_upload(piece, &entry, 1, error);
        lists->moved_bytes += number * sizeof *values;
    }
    return error->status;
}

} // namespace BACKEND
