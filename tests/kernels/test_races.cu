/* test_races.cu: planted races, which some of 200 schedules must bring to light, always in the same way, while the
 * right versions stay right under all of them. */
#include <string.h>

#include "../../kernels/device/grid_barrier.cuh"
#include "words.h"

namespace BACKEND
{

#define NUM_WORDS 64u /* of the memory that a kernel gets, and one more for each thread */

/* ---- planted races: a right and a wrong version of each; memory[0] counts what a thread sees go wrong ---- */

#define RACE_BLOCKS  2u
#define RACE_THREADS 32u
#define NUM_THREADS  (RACE_BLOCKS * RACE_THREADS)

/* A counter, by load and store. */
template <bool right>
__global__ void lost_update(uint32_t *memory)
{
    if (right)
        atomicAdd(&memory[1], 1u);
    else
        memory[1] = memory[1] + 1;
}

static void meet(bool in_warp)
{
    if (in_warp)
        __syncwarp();
    else
        __syncthreads();
}

/* Shared memory read while others, in the block or in the warp, may not have written it. */
template <bool right, bool in_warp>
__global__ void missing_wait(uint32_t *memory)
{
    uint32_t *shared = block_shared<uint32_t>(), other = blockDim.x - 1 - threadIdx.x;
    shared[threadIdx.x] = 0;
    meet(in_warp);
    shared[threadIdx.x] = threadIdx.x + 1;
    if (right)
        meet(in_warp);
    if (shared[other] != other + 1)
        atomicAdd(&memory[0], 1u);
}

/* The same, between blocks. memory: the barrier, a word that it reads, and a word for each thread. */
template <bool right>
__global__ void missing_grid_barrier(uint32_t *memory)
{
    uint32_t *slots = memory + 8, other = NUM_THREADS - 1 - thread_in_grid();
    slots[thread_in_grid()] = other;
    if (right)
        grid_wait((struct grid_barrier *)(memory + 2), &memory[1], block_shared<uint32_t>());
    else
        __syncthreads();
    if (__ldcg(&slots[other]) != thread_in_grid())
        atomicAdd(&memory[0], 1u);
}

/* Who finds a word 0 claims it: at most one may. */
template <bool right>
__global__ void claim(uint32_t *memory)
{
    for (unsigned i = 1; i < 8; i++) {
        bool mine = __ldcg(&memory[i]) == 0;
        if (right)
            mine = mine && atomicCAS(&memory[i], 0u, 1u) == 0;
        else if (mine)
            __stcg(&memory[i], 1u);
        if (mine && atomicAdd(&memory[i + 8], 1u) > 0)
            atomicAdd(&memory[0], 1u);
    }
}

/* A stack without locks: nodes 1..STACK_NODES linked by next; the right one counts changes beside the head, so that a
 * compare-and-swap fails when the head has been away and come back (ABA). */
#define STACK_NODES 6u
struct stack {
    uint32_t errors, unused;
    word_t head; /* node + changes << 32 */
    uint32_t next[STACK_NODES + 1], taken[STACK_NODES + 1];
};

template <bool right>
static void swap_head(word_t *head, uint32_t *node, bool push, uint32_t *next)
{
    for (;;) {
        word_t old = __ldcg(head), top = (uint32_t)old, above = push ? *node : 0;
        if (push)
            __stcg(&next[*node], (uint32_t)top);
        else if (top != 0)
            above = __ldcg(&next[top]);
        word_t changed = above + (right ? ((old >> 32) + 1) << 32 : 0);
        if (!push && top == 0) {
            *node = 0;
            return;
        }
        if (atomicCAS(head, old, changed) == old) {
            *node = push ? *node : (uint32_t)top;
            return;
        }
    }
}

template <bool right>
__global__ void aba_stack(uint32_t *memory)
{
    struct stack *stack = (struct stack *)memory;
    if (threadIdx.x == 0)
        for (uint32_t node = 1; node <= STACK_NODES; node++)
            swap_head<right>(&stack->head, &node, true, stack->next);
    __syncthreads();
    for (unsigned round = 0; round < 4; round++) {
        uint32_t node = 0;
        swap_head<right>(&stack->head, &node, false, stack->next);
        if (node == 0)
            continue;
        if (atomicExch(&stack->taken[node], 1u) != 0)
            atomicAdd(&stack->errors, 1u);
        atomicExch(&stack->taken[node], 0u);
        swap_head<right>(&stack->head, &node, true, stack->next);
    }
}

/* A queue: block 0 appends, block 1 reads as far as the count says. Right: the count follows the entries. */
template <bool right>
__global__ void early_count(uint32_t *memory)
{
    uint32_t *reserved = &memory[1], *count = &memory[2], *entries = &memory[8];
    if (blockIdx.x == 0) {
        uint32_t place = atomicAdd(right ? reserved : count, 1u);
        __stcg(&entries[place], threadIdx.x + 1);
        __threadfence();
        while (right && atomicCAS(count, place, place + 1) != place)
            ;
        return;
    }
    while (__ldcg(count) <= threadIdx.x)
        ;
    if (__ldcg(&entries[threadIdx.x]) == 0)
        atomicAdd(&memory[0], 1u);
}

/* ---- planted races: under 200 seeds ---- */

#define NUM_SEEDS 200u

/* The memory after a run; empty, with the message in error, if the kernel was stopped. */
static vector<uint32_t> run_race(void (*kernel)(uint32_t *), unsigned blocks, uint64_t seed, struct error *error)
{
    set_schedule(seed);
    return run_kernel(kernel, PERSISTENT, {blocks, RACE_THREADS}, NUM_WORDS * sizeof(uint32_t), NUM_WORDS + NUM_THREADS,
                      zeros(), error);
}

static void shows(const char *name, void (*wrong)(uint32_t *), void (*right)(uint32_t *),
                  bool (*is_right)(const vector<uint32_t> &), unsigned blocks = RACE_BLOCKS)
{
    unsigned found = 0, first = 0;
    char what[160];
    for (unsigned seed = 1; seed <= NUM_SEEDS; seed++) {
        struct error error = {}, again_error = {}, right_error = {};
        vector<uint32_t> result = run_race(wrong, blocks, seed, &error);
        if (result != run_race(wrong, blocks, seed, &again_error) || strcmp(error.text, again_error.text) != 0) {
            check(false, name, "seed %u does not give the same twice", seed);
            return;
        }
        if (error.status == STATUS_OK && !is_right(result)) {
            found++;
            first = first > 0 ? first : seed;
        }
        result = run_race(right, blocks, seed, &right_error);
        if (right_error.status != STATUS_OK || !is_right(result)) {
            check(false, name, "the right version is wrong under seed %u: %s", seed, right_error.text);
            return;
        }
    }
    snprintf(what, sizeof what, "%s: wrong under %u of %u seeds, first under %u", name, found, NUM_SEEDS, first);
    check(found > 0, what, "never found");
}

static void check_all(struct device *)
{
    auto no_errors = [](const vector<uint32_t> &memory) { return memory[0] == 0; };
    shows("lost update", lost_update<false>, lost_update<true>,
          [](const vector<uint32_t> &memory) { return memory[1] == NUM_THREADS; });
    shows("missing __syncthreads", missing_wait<false, false>, missing_wait<true, false>, no_errors);
    shows("missing __syncwarp", missing_wait<false, true>, missing_wait<true, true>, no_errors);
    shows("missing grid barrier", missing_grid_barrier<false>, missing_grid_barrier<true>, no_errors);
    shows("claim without compare-and-swap", claim<false>, claim<true>, no_errors);
    shows("ABA on a stack", aba_stack<false>, aba_stack<true>, no_errors, 1);
    shows("a queue's count before its entry", early_count<false>, early_count<true>, no_errors);
}

} // namespace BACKEND
