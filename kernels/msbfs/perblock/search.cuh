/* search.cuh: a block runs one whole BFS after another.
 *
 * Destinations. Between two barriers the block checks which destinations are reached: no bit of the next level is set
 * before all threads have checked. A destination is checked by the same thread in every level, and this thread alone
 * writes the length.
 *
 * Too deep. If levels are narrower than 32 bits, a level may need the value that stands for unreached. The search
 * then sets too_deep and ends, and every other block ends when it takes its next source. The host discards what the
 * batch has added to farness, widens the levels and repeats the batch. */
#pragma once

#include "level.cuh"

namespace BACKEND::perblock
{

/* Takes the next source and initialises a search that has reached nothing. Returns the number of the source;
 * num_sources or more if none is left. */
template <bool in_shared, typename level_t>
DEVICE uint32_t take_source(const struct batch &batch, struct shared *shared, struct search<level_t> *search)
{
    const uint4 zero = {0, 0, 0, 0};
    search->queues = (vertex_t *)(shared + 1);
    search->bitmap = in_shared ? search->queues + 2 * batch.room : batch.bitmaps + (size_t)blockIdx.x * batch.num_words;
    search->spare = search->queues + 2 * batch.room + (in_shared ? batch.num_words : 0) + lane_id();
    search->ring = batch.rings + (size_t)blockIdx.x * batch.ring_size;
    search->spilled = search->next = 0;
    search->level = search->filled = 0;
    search->taken = batch.room;
    __syncthreads(); /* the previous search has ended in all threads */
    if (threadIdx.x == 0)
        shared->which = load_volatile(&batch.progress->too_deep) ? UINT32_MAX : atomicAdd(&batch.progress->next, 1u);
    if (threadIdx.x < NUM_COUNTS) {
        shared->count[threadIdx.x] = shared->num_high_degree[threadIdx.x] = 0;
        shared->least[threadIdx.x] = UNREACHED;
    }
    for (uint32_t i = threadIdx.x; i < batch.num_words / UNIT; i += blockDim.x)
        ((uint4 *)search->bitmap)[i] = zero;
    if (threadIdx.x < WARP_SIZE)
        *search->spare = UINT32_MAX;
    __syncthreads();
    return shared->which;
}

/* Initialises a search that has reached only the next source. Returns false if no source is left. */
template <bool in_shared, typename level_t>
DEVICE bool begin_search(const struct batch &batch, struct shared *shared, struct search<level_t> *search)
{
    uint32_t which = take_source<in_shared>(batch, shared, search);
    if (which >= batch.num_sources)
        return false;
    search->levels = batch.level != NULL ? (level_t *)batch.level + (size_t)which * batch.num_vertices : NULL;
    if (threadIdx.x == 0) {
        vertex_t source = batch.sources[which];
        set_bit_of<in_shared>(batch, *search, source);
        enqueue(batch, *search, 0, source);
        if (batch.destinations != NULL) {
            shared->first_destination = batch.first_destination[which];
            shared->end_of_destinations = batch.first_destination[which + 1];
        }
    }
    __syncthreads();
    return true;
}

/* Writes the lengths of the destinations that the last level found. Returns whether any destination is left. All
 * threads must call it. */
template <typename level_t>
DEVICE bool has_open(const struct batch &batch, const struct shared *shared, const struct search<level_t> &search)
{
    bool open = false;
    for (uint64_t d = shared->first_destination + threadIdx.x; d < shared->end_of_destinations; d += blockDim.x) {
        if (batch.length[d] != UNREACHED)
            continue;
        if (is_reached(load_volatile(&search.bitmap[word_of(batch.destinations[d])]), batch.destinations[d]))
            batch.length[d] = search.level;
        else
            open = true;
    }
    return __syncthreads_or(open);
}

/* Finds level after level. Returns false if levels need more bits. */
template <unsigned units, bool has_long, bool in_shared, typename level_t>
DEVICE bool finish_search(const struct batch &batch, struct shared *shared, struct search<level_t> *search,
                          struct source_sums *sums)
{
    *sums = {1, 0, 0};
    for (uint32_t size = 1;;) {
        bool goes_on = batch.destinations == NULL || has_open(batch, shared, *search);
        begin_level(batch, search, size);
        if (!goes_on) {
            for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
                note_level(batch, *search, entry(batch, *search, i));
            return true;
        }
        if (search->levels != NULL && search->level == NO_LEVEL<level_t>)
            return false;
        visit_queue<units, has_long, in_shared>(batch, shared, *search, size);
        if (threadIdx.x == 0) {
            *count_of(shared->count, search->level + 1) = 0;
            *count_of(shared->num_high_degree, search->level + 1) = 0;
        }
        __syncthreads();
        uint32_t num_high_degree = has_long ? *count_of(shared->num_high_degree, search->level) : 0;
        if (num_high_degree > 0) {
            visit_high_degree<in_shared>(batch, shared, *search, num_high_degree);
            __syncthreads();
        }
        size = *count_of(shared->count, search->level);
        if (size == 0)
            return true;
        sums->reached += size;
        sums->level_sum += (uint64_t)size * search->level;
        sums->eccentricity = search->level;
    }
}

/* Writes NO_LEVEL for unreached vertices. A warp takes 32 words of the bitmap and handles the same bit of each
 * together, so that its stores are adjacent. */
template <typename level_t>
DEVICE void fill_unreached(const struct batch &batch, const struct search<level_t> &search)
{
    for (uint32_t base = threadIdx.x - lane_id(); base < batch.num_words; base += blockDim.x) {
        uint32_t missing = ~load_volatile(&search.bitmap[base + lane_id()]);
        for (uint32_t bits = __reduce_or_sync(WHOLE_WARP, missing); bits != 0; bits &= bits - 1) {
            unsigned bit = (unsigned)__ffs((int)bits) - 1;
            uint64_t vertex = ((uint64_t)base + bit) * WORD_BITS + (lane_id() ^ bit); /* inverse of word_of */
            if (missing >> bit & 1 && vertex < batch.num_vertices)
                search.levels[vertex] = NO_LEVEL<level_t>;
        }
    }
}

template <typename level_t, unsigned units, bool has_long, bool in_shared>
__global__ void __launch_bounds__(MOST_THREADS, 1) search_kernel(struct batch batch)
{
    struct shared *shared = block_shared<struct shared>();
    struct search<level_t> search;
    struct source_sums sums;
    while (begin_search<in_shared>(batch, shared, &search)) {
        bool right = finish_search<units, has_long, in_shared>(batch, shared, &search, &sums);
        if (threadIdx.x == 0) {
            batch.sums[shared->which] = sums;
            if (!right)
                store_volatile(&batch.progress->too_deep, 1u);
        }
        if (search.levels != NULL && sums.reached < batch.num_vertices)
            fill_unreached(batch, search);
    }
}

} // namespace BACKEND::perblock
