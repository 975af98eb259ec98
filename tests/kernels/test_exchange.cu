/* test_exchange.cu: how the blocks of a grid exchange numbers: the barrier that adds up, and messages. */
#include "../../kernels/device/ids.cuh"
#include "../../kernels/device/mailbox.cuh"
#include "../../kernels/device/summing_barrier.cuh"
#include "checks.h"

namespace BACKEND
{

#define THREADS 64u
#define KERNELS 2u

/* Runs the kernel several times on the same data. */
template <typename data_t>
static void run_kernels(void (*kernel)(data_t), data_t data, unsigned kernels, struct grid grid, struct error *error)
{
    for (unsigned i = 0; i < kernels; i++)
        gpu_launch_persistent(kernel, grid, sizeof(uint64_t), error, data);
}

/* ---- summing_barrier.cuh ---- */

#define ROUNDS 20u /* of a kernel: no multiple of NUM_COUNTS */

struct sum_test {
    struct summing_barrier barrier;
    uint32_t counts[NUM_COUNTS], errors, broken;
    uint32_t slots[1]; /* two per thread, for even and for odd rounds */
};

/* What a block adds in a round: the sum of all has more than 32 bits. */
static __device__ uint64_t number_of(uint32_t block, uint32_t round)
{
    return (uint64_t)(round + 1) << 36 | block;
}

/* In each round every block adds a number, and every thread counts and leaves a word. After the barrier it checks the
 * sum, the count, and a word of another block. Block 0 clears the count of round + 2 in take. */
__global__ void sum_in_rounds(struct sum_test *test)
{
    uint64_t *sum = block_shared<uint64_t>();
    const struct team team = grid_threads();
    const uint32_t first = __ldcg(&test->barrier.round), other = (team.rank + blockDim.x + 1) % team.size;
    const uint64_t blocks = gridDim.x;
    for (uint32_t round = first; round < first + ROUNDS; round++) {
        uint32_t *slots = test->slots + round % 2 * team.size;
        slots[team.rank] = round * 1000 + team.rank;
        atomicAdd(count_of(test->counts, round), 1u);
        sum_and_wait(
            &test->barrier, round, [&]() { return number_of(blockIdx.x, round); },
            [&](uint64_t all) {
                *sum = all;
                if (blockIdx.x == 0)
                    __stcg(count_of(test->counts, round + 2), 0u);
            });
        if (*sum == UINT64_MAX)
            return;
        if (*sum != blocks * number_of(0, round) + blocks * (blocks - 1) / 2 ||
            __ldcg(count_of(test->counts, round)) != team.size || __ldcg(&slots[other]) != round * 1000 + other)
            atomicAdd(&test->errors, 1u);
    }
    if (is_first_thread())
        keep_round(&test->barrier, first + ROUNDS);
}

/* Block 0 leaves, as after a wait that took too long: every other block must get out. */
__global__ void sum_at_broken(struct sum_test *test)
{
    uint64_t *sum = block_shared<uint64_t>();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            __stcg(&test->barrier.check.broken, 1u);
        return;
    }
    sum_and_wait(
        &test->barrier, 0, []() { return (uint64_t)1; }, [&](uint64_t all) { *sum = all; });
    if (threadIdx.x == 0 && *sum == UINT64_MAX)
        atomicAdd(&test->broken, 1u);
}

/* Runs a kernel several times on a test that begins with zeros. */
static struct sum_test run_sums(void (*kernel)(struct sum_test *), unsigned kernels, struct grid *grid,
                                struct test_memory *memory)
{
    gpu_plan_grid((const void *)sum_in_rounds, THREADS, 1, sizeof(uint64_t), grid, &memory->error);
    grid->blocks = grid->blocks < MOST_SUMMING_BLOCKS ? grid->blocks : MOST_SUMMING_BLOCKS;
    const size_t num_slots = 2 * (size_t)grid->blocks * grid->threads;
    char *test = memory->room<char>(sizeof(struct sum_test) + num_slots * sizeof(uint32_t));
    run_kernels(kernel, (struct sum_test *)test, kernels, *grid, &memory->error);
    return memory->get((struct sum_test *)test, 1)[0];
}

static void check_sums(void)
{
    struct grid grid;
    struct test_memory memory;
    struct sum_test now = run_sums(sum_in_rounds, KERNELS, &grid, &memory);
    memory.check(now.errors == 0 && now.barrier.round == KERNELS * ROUNDS % NUM_COUNTS && now.barrier.check.broken == 0,
                 "sum_and_wait: many rounds", "%u errors, next round %u", now.errors, now.barrier.round);
    now = run_sums(sum_at_broken, 1, &grid, &memory);
    memory.check(now.broken == grid.blocks - 1, "sum_and_wait: once broken, all blocks return", "%u of %u blocks",
                 now.broken, grid.blocks - 1);
}

/* ---- mailbox.cuh ---- */

#define EPOCHS      9u   /* of a kernel: odd, so that the next one begins with the other parity */
#define MAIL_BLOCKS 70u  /* small enough to run at once; a lane has up to three messages to receive */
#define FIRST_EPOCH 249u /* the last one before; tags begin again with epoch 256 */

struct mail_test {
    struct mailboxes mailboxes;
    uint32_t *errors, *returned; /* returned: blocks that have given up */
};

/* A half of a message. */
static __device__ uint64_t half_of(uint32_t from, uint32_t to, uint32_t epoch, uint32_t half)
{
    return (uint64_t)(from << 16 | to) << 32 | (epoch % 1024 << 1 | half) << TAG_BITS | tag_of(epoch);
}

static __device__ void send_all(const struct mail_test &test, uint32_t epoch)
{
    for (uint32_t to = threadIdx.x; to < gridDim.x; to += blockDim.x)
        store_pair(slot_of(test.mailboxes, epoch, to, blockIdx.x), half_of(blockIdx.x, to, epoch, 0),
                   half_of(blockIdx.x, to, epoch, 1));
}

/* A warp receives from all blocks, `number` of them at a time. Returns false if a message does not come. */
template <unsigned number>
static __device__ bool receive_all(const struct mail_test &test, uint32_t epoch)
{
    for (uint32_t first = 0; first < gridDim.x; first += number * WARP_SIZE) {
        uint64_t words[number][2];
        if (!wait_for_some(test.mailboxes, first + lane_id(), epoch, words))
            return false;
        for (unsigned k = 0; k < number; k++) {
            uint32_t from = first + k * WARP_SIZE + lane_id();
            if (from < gridDim.x && (words[k][0] != half_of(from, blockIdx.x, epoch, 0) ||
                                     words[k][1] != half_of(from, blockIdx.x, epoch, 1)))
                atomicAdd(test.errors, 1u);
        }
    }
    return true;
}

/* Both warps of a block receive all messages of several epochs. */
__global__ void exchange_messages(struct mail_test test)
{
    const uint32_t last = __ldcg(test.mailboxes.epoch);
    for (uint32_t epoch = last + 1; epoch <= last + EPOCHS; epoch++) {
        send_all(test, epoch);
        bool works = threadIdx.x < WARP_SIZE ? receive_all<1>(test, epoch) : receive_all<3>(test, epoch);
        if (__syncthreads_or(!works))
            return;
    }
    if (is_first_thread())
        *test.mailboxes.epoch = last + EPOCHS;
}

/* Block 0 sends nothing, and reports a wait that took too long: every other block must give up. */
__global__ void wait_for_silent_block(struct mail_test test)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            __stcg(&test.mailboxes.broken->broken, 1u);
        return;
    }
    send_all(test, 1);
    bool works = receive_all<2>(test, 1);
    if (threadIdx.x == 0 && !works)
        atomicAdd(test.returned, 1u);
}

static void check_messages(void)
{
    struct test_memory memory;
    const struct grid grid = {MAIL_BLOCKS, THREADS};
    const struct mail_test test = {take_mailboxes(&memory.arena, grid.blocks, &memory.error), memory.room<uint32_t>(1),
                                   memory.room<uint32_t>(1)};
    const uint32_t first = FIRST_EPOCH;
    gpu_upload(test.mailboxes.epoch, &first, 1, &memory.error);
    run_kernels(exchange_messages, test, KERNELS, grid, &memory.error);
    uint32_t errors = memory.get(test.errors, 1)[0], epoch = memory.get(test.mailboxes.epoch, 1)[0];
    memory.check(errors == 0 && epoch == FIRST_EPOCH + KERNELS * EPOCHS,
                 "wait_for_some: every block receives every message", "%u are wrong, epoch %u", errors, epoch);
    gpu_clear(test.mailboxes.slots, 4 * (size_t)grid.blocks * grid.blocks, &memory.error);
    run_kernels(wait_for_silent_block, test, 1, grid, &memory.error);
    uint32_t returned = memory.get(test.returned, 1)[0];
    memory.check(returned == grid.blocks - 1 && memory.get(test.mailboxes.broken, 1)[0].broken == 1,
                 "wait_for_some: once broken, all blocks give up", "%u of %u blocks", returned, grid.blocks - 1);
}

static void check_all(struct device *)
{
    check_sums();
    check_messages();
}

} // namespace BACKEND
