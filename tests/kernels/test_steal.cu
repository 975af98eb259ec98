/* test_steal.cu: how many entries of another block's ColdSeg a leader of DiggerBees takes, and which ones. */
#pragma GCC diagnostic ignored "-Wunused-function" /* refill, which no thief calls */
#include "../../kernels/dfs/diggerbees/steal.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;
using namespace diggerbees;

#define HOT_SIZE  64u
#define COLD_SIZE 256u

/* What block 1 has after it has tried to steal from block 0, which stands still. */
struct stolen {
    uint32_t taken, number; /* number: of entries, by the word of its HotRing */
    uint64_t entries[HOT_SIZE];
};

__global__ void steal_once(struct search search, struct tuning tuning, struct stolen *result)
{
    struct shared *shared = block_shared<struct shared>();
    uint32_t random = 1;
    if (blockIdx.x == 0)
        return;
    shared->hot_state[lane_id()] = 0;
    bulk_init(&shared->loaded[lane_id()]);
    if (is_first_lane())
        shared->active = shared->done = 0;
    __syncthreads();
    stack<true> stack = {};
    stack.hot_state = &shared->hot_state[LEADER];
    stack.hot_size = tuning.hot_size;
    stack.hot = (uint64_t *)(shared + 1);
    stack.cold_state = &search.cold_state[1];
    stack.cold = &search.cold[tuning.cold_size];
    bool taken = steal_between_blocks(search, tuning, shared, &stack, &random);
    __syncwarp(); /* after lane 0 has published */
    uint32_t number = hot_word<true>::count(load_volatile(stack.hot_state));
    for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
        result->entries[i] = load_volatile(&stack.hot[i]);
    if (is_first_lane())
        result->taken = taken, result->number = number;
}

/* Of a ColdSeg that holds `count` entries from place `bottom` on. Entry i is i + 1. */
static void check_steal(uint32_t count, uint32_t bottom, uint32_t cutoff, bool bulk, uint32_t wanted)
{
    struct test_memory memory;
    vector<uint64_t> cold(2 * COLD_SIZE), states = {(uint64_t)(bottom + count) << 24 | bottom, 0};
    for (uint32_t i = 0; i < count; i++)
        cold[(bottom + i) % COLD_SIZE] = i + 1;
    struct search search = {};
    search.cold = memory.put(cold);
    search.cold_state = memory.put(states);
    search.control = memory.room<struct control>(1);
    struct tuning tuning = {};
    tuning.hot_size = HOT_SIZE, tuning.cold_size = COLD_SIZE, tuning.cold_cutoff = cutoff, tuning.bulk_steals = bulk;
    struct stolen *result = memory.room<struct stolen>(1);
    gpu_launch_persistent(steal_once, {2, WARP_SIZE}, sizeof(struct shared) + HOT_SIZE * sizeof(uint64_t),
                          &memory.error, search, tuning, result);
    struct stolen stolen = memory.get(result, 1)[0];
    uint64_t left = memory.get(search.cold_state, 1)[0];
    uint32_t outstanding = memory.get(search.control, 1)[0].outstanding, in_order = 0;
    while (in_order < stolen.number && stolen.entries[in_order] == in_order + 1)
        in_order++;
    bool right = stolen.taken == (wanted > 0) && stolen.number == wanted && in_order == wanted &&
                 left == states[0] + wanted && outstanding == stolen.taken;
    memory.check(right, "a steal between blocks", "of %u entries, cutoff %u%s: %u taken, not %u, %u of them in order",
                 count, cutoff, bulk ? ", in bulk" : "", stolen.number, wanted, in_order);
}

static void check_all(struct device *)
{
    for (bool bulk : {false, true}) {
        check_steal(31, 0, 32, bulk, 0);
        check_steal(32, 0, 32, bulk, 16);
        check_steal(100, 6, 32, bulk, 16);
        check_steal(3, COLD_SIZE - 1, 3, bulk, 1);            /* around the end of the ring, an odd cutoff */
        check_steal(COLD_SIZE, 2, COLD_SIZE, bulk, HOT_SIZE); /* a full ring; half of it is more than the thief's */
    }
}

} // namespace BACKEND
