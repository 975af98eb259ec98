/* materialise.cuh: computes levels and sums from the planes and the list. Runs when searches end, or when planes,
 * list or level numbers run out.
 *
 * All levels are written to the array of levels and added to the aggregates. The top plane then becomes plane 0,
 * whose bits are settled, and searches continue, to any depth. Levels are bytes until bytes do not suffice; then the
 * host widens them. */
#pragma once

#include "puller.cuh"

namespace BACKEND::bitparallel
{

#define WRITE_THREADS 512u
#define WRITE_BLOCKS  4
#define COUNTER_BITS  8u /* bits of a vertical counter */

/* Spreads eight bits over the nibbles of a word, one bit per nibble. */
DEVICE uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 12) & 0x000f000fu;
    bits = (bits | bits << 6) & 0x03030303u;
    return (bits | bits << 3) & 0x11111111u;
}

/* Returns the levels of a vertex for 16 searches, from the bits that each plane lacks. The number of planes that lack
 * a bit is the index into the table of levels. Planes are nested, so the binary digits of that number are parities:
 * over all planes, over every second plane, and over every fourth plane. */
DEVICE uint4 decode_levels(const uint32_t (&lacking)[MOST_PLANES], const uint32_t (&table)[2])
{
    uint32_t ones = 0, twos = 0, fours = 0, levels[4];
#pragma unroll
    for (unsigned i = 0; i < MOST_PLANES; i++) {
        ones ^= lacking[i];
        twos ^= i % 2 == 1 ? lacking[i] : 0;
        fours ^= i % 4 == 3 ? lacking[i] : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        uint32_t places =
            spread(ones >> 8 * i & 0xff) | spread(twos >> 8 * i & 0xff) << 1 | spread(fours >> 8 * i & 0xff) << 2;
        levels[2 * i] = __byte_perm(table[0], table[1], places & 0xffff);
        levels[2 * i + 1] = __byte_perm(table[0], table[1], places >> 16);
    }
    return {levels[0], levels[1], levels[2], levels[3]};
}

/* Writes all levels as bytes, in the first materialising step of a query. Listed bits first get the level of their
 * plane; materialise_pair corrects them. A thread writes the levels of 16 searches at a vertex. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(WRITE_THREADS, WRITE_BLOCKS)
    write_levels(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    constexpr unsigned pieces = 2 * num_words;
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (control.phase != PHASE_MATERIALISE || control.materialised)
        return;
    const uint32_t top = control.top;
    const uint16_t *planes[MOST_PLANES];
    uint32_t table[2] = {UINT32_MAX, UINT32_MAX}; /* every byte is the last byte of UNREACHED */
#pragma unroll
    for (unsigned i = 0; i < MOST_PLANES; i++) {
        planes[i] = (const uint16_t *)plane_of(search, rules, control, min(i, top));
        if (i <= top)
            table[i / 4] ^= (uint32_t)(uint8_t)~control.plane_level[i] << 8 * (i % 4);
    }
    for (uint64_t at = thread_of_grid(); at < (uint64_t)graph.num_vertices * pieces; at += threads_of_grid()) {
        uint32_t lacking[MOST_PLANES] = {};
        bool present = at < (uint64_t)graph.num_rows * pieces;
#pragma unroll
        for (unsigned i = 0; i < MOST_PLANES; i++)
            if (i <= top)
                lacking[i] = present ? (uint16_t)~__ldg(&planes[i][at]) : 0xffffu;
        size_t vertex = input_of_row(graph.input_of, at / pieces);
        __stcg(&((uint4 *)search.levels)[vertex * pieces + at % pieces], decode_levels(lacking, table));
    }
}

/* Adds the levels found since the last materialising step. */
template <unsigned num_words, typename offset_t, typename level_t>
__global__ void merge_levels(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (control.phase != PHASE_MATERIALISE || !control.materialised || control.top == 0)
        return;
    const uint64_t end = (uint64_t)graph.num_rows * num_words;
    for (uint64_t at = thread_of_grid(); at < end; at += threads_of_grid()) {
        uint32_t before = plane_of(search, rules, control, 0)[at];
        uint32_t left = plane_of(search, rules, control, control.top)[at] & ~before;
        level_t *levels = NULL;
        if (left != 0)
            levels = (level_t *)search.levels +
                     (size_t)input_of_row(graph.input_of, at / num_words) * num_words * WARP_SIZE +
                     at % num_words * WARP_SIZE;
        for (uint32_t i = 1; left != 0; i++) {
            uint32_t fresh = left & plane_of(search, rules, control, i)[at];
            for (left &= ~fresh; fresh != 0; fresh &= fresh - 1)
                levels[__ffs((int)fresh) - 1] = (level_t)control.plane_level[i];
        }
    }
}

/* Adds each vertex's levels to its sum, and their number to its count. Listed bits first count with the level of
 * their plane; materialise_pair corrects them. */
template <unsigned num_words, typename offset_t>
__global__ void add_farness(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    constexpr unsigned words = shape<num_words>::words, lanes = shape<num_words>::lanes;
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (control.phase != PHASE_MATERIALISE)
        return;
    for (uint64_t base = thread_of_grid() - lane_id(); base < (uint64_t)graph.num_rows * lanes;
         base += threads_of_grid()) {
        uint64_t at = base + lane_id();
        bool present = at < (uint64_t)graph.num_rows * lanes;
        uint64_t sum = 0;
        uint32_t count = 0;
        bits<words> before = {};
#pragma unroll
        for (unsigned i = 0; i < MOST_PLANES; i++) {
            bits<words> now = {};
            if (i > control.top || !present)
                continue;
            load_bits(&plane_of(search, rules, control, i)[at * words], &now);
            uint32_t fresh = 0;
#pragma unroll
            for (unsigned w = 0; w < words; w++)
                fresh += (uint32_t)__popc(now.word[w] & ~before.word[w]);
            before = now;
            if (i > 0 || !control.materialised) {
                sum += (uint64_t)fresh * control.plane_level[i];
                count += fresh;
            }
        }
        sum = warp_sum<lanes>(sum);
        count = warp_sum<lanes>(count);
        if (present && at % lanes == 0 && count > 0) {
            search.farness[at / lanes] += sum;
            search.farness_count[at / lanes] += count;
        }
    }
}

struct count_shared {
    struct shared_words words;
    uint32_t counts[MOST_WORDS * WARP_SIZE];
};

/* Counts the set bits of each plane for every search, with vertical counters: bit b of counter[k] is bit k of the
 * number of rows that have bit b. A thread reads the same word of many rows. */
template <unsigned num_words, typename offset_t>
__global__ void count_planes(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    struct count_shared *shared = block_shared<struct count_shared>();
    const struct control &control = read_control(search, &shared->words);
    if (control.phase != PHASE_MATERIALISE)
        return;
    const uint32_t word = (uint32_t)(thread_of_grid() % num_words); /* the grid has a multiple of 32 threads */
    const uint64_t end = (uint64_t)graph.num_rows * num_words;
    for (uint32_t plane = control.materialised; plane <= control.top; plane++) {
        const uint32_t *now = plane_of(search, rules, control, plane);
        const uint32_t *before = plane_of(search, rules, control, plane > 0 ? plane - 1 : 0);
        for (unsigned s = threadIdx.x; s < num_words * WARP_SIZE; s += blockDim.x)
            shared->counts[s] = 0;
        __syncthreads();
        for (uint64_t at = thread_of_grid(); at < end;) {
            uint32_t counter[COUNTER_BITS] = {};
            for (unsigned added = 0; added < (1u << COUNTER_BITS) - 1 && at < end; added++, at += threads_of_grid()) {
                uint32_t carry = plane > 0 ? now[at] & ~before[at] : now[at];
#pragma unroll
                for (unsigned k = 0; k < COUNTER_BITS; k++) {
                    uint32_t bits = counter[k];
                    counter[k] ^= carry;
                    carry &= bits;
                }
            }
            for (unsigned i = 0; i < WARP_SIZE; i++) {
                unsigned bit = (i + lane_id()) % WARP_SIZE, sum = 0; /* so that lanes add to different words */
#pragma unroll
                for (unsigned k = 0; k < COUNTER_BITS; k++)
                    sum |= (counter[k] >> bit & 1) << k;
                if (sum > 0)
                    atomicAdd(&shared->counts[word * WARP_SIZE + bit], sum);
            }
        }
        __syncthreads();
        for (unsigned s = threadIdx.x; s < num_words * WARP_SIZE; s += blockDim.x)
            if (shared->counts[s] > 0)
                atomicAdd(&search.plane_counts[plane * num_words * WARP_SIZE + s], shared->counts[s]);
        __syncthreads();
    }
}

/* Replaces the level of the plane by the listed pair's level. counted: add_farness and count_planes have already
 * counted the bit with the plane's level. */
template <typename level_t>
DEVICE void materialise_pair(const struct search &search, const struct control &control, uint32_t num_searches,
                             uint4 pair, vertex_t num_rows, vertex_t vertex)
{
    uint32_t source = pair.y & ((1u << SOURCE_BITS) - 1), plane = pair.y >> SOURCE_BITS & ((1u << PLANE_BITS) - 1);
    uint32_t level = control.base + (pair.y >> (SOURCE_BITS + PLANE_BITS));
    bool counted = pair.x < num_rows && (plane > 0 || !control.materialised);
    if (search.levels != NULL)
        ((level_t *)search.levels)[(size_t)vertex * num_searches + source] = (level_t)level;
    if (search.farness != NULL) {
        uint64_t too_much = counted ? control.plane_level[plane] : 0; /* modulo 2^64 */
        if (level != too_much)
            atomicAdd(&search.farness[pair.x], (level - too_much));
        if (!counted)
            atomicAdd(&search.farness_count[pair.x], 1u);
    }
    if (search.sums != NULL) {
        struct source_sums *sums = &search.sums[source];
        if (counted)
            atomicAdd(&search.plane_counts[plane * num_searches + source], ~0ull);
        atomicAdd(&sums->reached, 1ull);
        atomicAdd(&sums->level_sum, level);
        atomicMax(&sums->eccentricity, level);
    }
}

/* Adds the counts of the planes, without those of listed pairs, to the sums. All threads of one block call it. */
DEVICE void close_sums(const struct search &search, const struct control &control, uint32_t num_searches)
{
    for (uint32_t s = threadIdx.x; s < num_searches; s += blockDim.x)
        for (uint32_t plane = 0; plane <= control.top; plane++) {
            uint64_t *counter = &search.plane_counts[plane * num_searches + s], count = __ldcg(counter);
            uint32_t level = control.plane_level[plane];
            if (count == 0)
                continue;
            __stcg(counter, 0ull);
            struct source_sums *sums = &search.sums[s];
            __stcg(&sums->reached, __ldcg(&sums->reached) + count);
            __stcg(&sums->level_sum, __ldcg(&sums->level_sum) + count * level);
            __stcg(&sums->eccentricity, max(__ldcg(&sums->eccentricity), level));
        }
}

/* Materialises the listed pairs, after the planes. Ends the materialising step. */
template <unsigned num_words, typename offset_t, typename level_t>
__global__ void materialise_list(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    struct shared_words *shared = block_shared<struct shared_words>();
    const struct control &now = read_control(search, shared);
    if (now.phase != PHASE_MATERIALISE)
        return;
    for (uint64_t i = now.tail + thread_of_grid(); i < now.head; i += threads_of_grid()) {
        uint4 pair = search.list[i & (rules.list_capacity - 1)];
        materialise_pair<level_t>(search, now, num_words * WARP_SIZE, pair, graph.num_rows,
                                  input_of_row(graph.input_of, pair.x));
    }
    struct control *control = search.control;
    if (!is_last_block(control, &shared->last))
        return;
    if (search.sums != NULL)
        close_sums(search, now, num_words * WARP_SIZE);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    control->arrived = 0;
    control->base = control->level;
    control->tail = control->head;
    control->materialised = 1;
    control->first = (control->first + control->top) % rules.num_planes;
    control->top = 0;
    control->phase = control->mode == MODE_ENDED              ? PHASE_FINISHED
                     : control->level + 1 > rules.level_limit ? PHASE_WIDEN
                                                              : PHASE_SEARCH;
    note_step(search, control, STEP_MATERIALISE);
}

} // namespace BACKEND::bitparallel
