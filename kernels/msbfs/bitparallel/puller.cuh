/* puller.cuh: what all pulls share: a lane's words of a row, and the totals of the grid. */
#pragma once

#include "schedule.cuh"

namespace BACKEND::bitparallel
{

/* How a warp processes rows: `rows` rows at once, `lanes` lanes per row, `words` words per lane. */
template <unsigned num_words>
struct shape {
    static constexpr unsigned words = num_words < 4 ? num_words : 4;
    static constexpr unsigned lanes = num_words / words;
    static constexpr unsigned rows = WARP_SIZE / lanes;
};

/* A lane's words of a row. */
template <unsigned words>
struct bits {
    uint32_t word[words];
};

template <bool streaming, typename type>
DEVICE type load_once(const uint32_t *address)
{
    return streaming ? __ldcs((const type *)address) : *(const type *)address;
}

template <bool streaming, typename type>
DEVICE void store_once(uint32_t *address, type value)
{
    if (streaming)
        __stcs((type *)address, value);
    else
        *(type *)address = value;
}

template <bool streaming = false, unsigned words>
DEVICE void load_bits(const uint32_t *address, struct bits<words> *bits)
{
    if constexpr (words == 4) {
        uint4 loaded = load_once<streaming, uint4>(address);
        bits->word[0] = loaded.x, bits->word[1] = loaded.y, bits->word[2] = loaded.z, bits->word[3] = loaded.w;
    } else if constexpr (words == 2) {
        uint2 loaded = load_once<streaming, uint2>(address);
        bits->word[0] = loaded.x, bits->word[1] = loaded.y;
    } else {
        bits->word[0] = load_once<streaming, uint32_t>(address);
    }
}

template <bool streaming = false, unsigned words>
DEVICE void store_bits(uint32_t *address, const struct bits<words> &bits)
{
    if constexpr (words == 4)
        store_once<streaming, uint4>(address, {bits.word[0], bits.word[1], bits.word[2], bits.word[3]});
    else if constexpr (words == 2)
        store_once<streaming, uint2>(address, {bits.word[0], bits.word[1]});
    else
        store_once<streaming, uint32_t>(address, bits.word[0]);
}

struct pull_shared {
    struct shared_words words;
    uint32_t alive_next[MOST_WORDS];
    uint64_t found, remaining;
};

/* What a lane needs for a pull, and what it has found. */
template <unsigned num_words>
struct puller {
    static constexpr unsigned words = shape<num_words>::words;
    const uint32_t *seen; /* the top plane, beginning at the lane's words of row 0 */
    uint32_t *next;       /* the next plane, from the same words on */
    const uint32_t *filled;
    struct bits<words> alive, alive_next;
    uint32_t found, remaining;

    /* Returns a value other than 0 if the lane's words of the row lack bits of alive searches. */
    __device__ __forceinline__ uint32_t missing(const struct bits<words> &row) const
    {
        uint32_t any = 0;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            any |= alive.word[w] & ~row.word[w];
        return any;
    }

    /* Ors the rows of `number` neighbours into the row. For a missing neighbour, callers may pass the row itself. */
    template <bool filtered, unsigned number>
    __device__ __forceinline__ void gather(const vertex_t (&neighbours)[number], struct bits<words> *row) const
    {
        struct bits<words> rows[number];
        uint32_t looks[number];
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            looks[i] = filtered ? has_bit(__ldg(bitmap_word(filled, neighbours[i])), neighbours[i]) : 1;
#pragma unroll
        for (unsigned i = 0; i < number; i++) {
            rows[i] = {};
            if (looks[i])
                load_bits(&seen[(size_t)neighbours[i] * num_words], &rows[i]);
        }
#pragma unroll
        for (unsigned i = 0; i < number; i++)
#pragma unroll
            for (unsigned w = 0; w < words; w++)
                row->word[w] |= rows[i].word[w];
    }

    /* Counts the row's new bits. */
    __device__ __forceinline__ void tally(const struct bits<words> &was, const struct bits<words> &now)
    {
#pragma unroll
        for (unsigned w = 0; w < words; w++) {
            uint32_t fresh = now.word[w] & ~was.word[w];
            alive_next.word[w] |= fresh;
            found += (uint32_t)__popc(fresh);
        }
    }

    /* Returns the old bits together with the gathered bits of alive searches. */
    __device__ __forceinline__ struct bits<words> merge(const struct bits<words> &was,
                                                        const struct bits<words> &gathered) const {
        struct bits<words> now;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            now.word[w] = was.word[w] | (gathered.word[w] & alive.word[w]);
        return now;
    }

    /* Writes the row in the next plane and counts its new bits. */
    __device__ __forceinline__ void
    settle(vertex_t row, const struct bits<words> &was, const struct bits<words> &gathered)
    {
        struct bits<words> now = merge(was, gathered);
        store_bits(&next[(size_t)row * num_words], now);
        tally(was, now);
        remaining += missing(now) != 0;
    }
};

/* Returns whether this kernel must run now. If so, initialises the lane's puller. All threads must call it. */
template <unsigned num_words>
DEVICE bool begin_pull(const struct search &search, const struct rules &rules, uint32_t mode,
                       struct pull_shared *shared, struct puller<num_words> *puller)
{
    if (threadIdx.x == 0)
        shared->found = shared->remaining = 0;
    if (threadIdx.x < num_words)
        shared->alive_next[threadIdx.x] = 0;
    const struct control &control = read_control(search, &shared->words);
    if (control.phase != PHASE_SEARCH || control.mode != mode)
        return false;
    unsigned first = lane_id() % shape<num_words>::lanes * puller->words;
    *puller = {plane_of(search, rules, control, control.top) + first,
               plane_of(search, rules, control, control.top + 1) + first, search.filled};
#pragma unroll
    for (unsigned w = 0; w < puller->words; w++)
        puller->alive.word[w] = control.alive[first + w];
    return true;
}

/* Adds up the totals of the grid. Returns true in all threads of the last block. */
template <unsigned num_words>
DEVICE bool end_pull(const struct search &search, struct pull_shared *shared, const struct puller<num_words> &puller)
{
    constexpr unsigned lanes = shape<num_words>::lanes;
#pragma unroll
    for (unsigned w = 0; w < puller.words; w++) {
        uint32_t any = puller.alive_next.word[w];
#pragma unroll
        for (unsigned step = lanes; step < WARP_SIZE; step *= 2)
            any |= __shfl_xor_sync(WHOLE_WARP, any, (int)step);
        if (lane_id() < lanes && any != 0)
            atomicOr(&shared->alive_next[lane_id() * puller.words + w], any);
    }
    uint32_t found = __reduce_add_sync(WHOLE_WARP, puller.found);
    uint32_t remaining = __reduce_add_sync(WHOLE_WARP, puller.remaining);
    if (lane_id() == 0) {
        atomicAdd(&shared->found, found);
        atomicAdd(&shared->remaining, remaining);
    }
    __syncthreads();
    if (threadIdx.x < num_words && shared->alive_next[threadIdx.x] != 0)
        atomicOr(&search.control->alive_next[threadIdx.x], shared->alive_next[threadIdx.x]);
    if (threadIdx.x == 0) {
        atomicAdd(&search.control->found, shared->found);
        atomicAdd(&search.control->remaining, shared->remaining);
    }
    return is_last_block(search.control, &shared->words.last);
}

/* Ends a level. One thread of the last block calls it. */
DEVICE void close_pull(const struct search &search, const struct rules &rules, uint64_t num_rows, uint32_t step)
{
    struct control *control = search.control;
    uint64_t found = __ldcg(&control->found), remaining = __ldcg(&control->remaining);
    uint32_t alive[MOST_WORDS];
#pragma unroll
    for (unsigned w = 0; w < MOST_WORDS; w++)
        alive[w] = __ldcg(&control->alive_next[w]);
#pragma unroll
    for (unsigned w = 0; w < MOST_WORDS; w++) {
        control->alive[w] = alive[w];
        control->alive_next[w] = 0;
    }
    control->incomplete = remaining;
    control->found = control->remaining = 0;
    control->arrived = 0;
    note_step(search, control, step);
    choose_after_pull(control, rules, found, num_rows);
}

} // namespace BACKEND::bitparallel
