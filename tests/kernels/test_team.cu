/* test_team.cu: kernels of several devices that meet and store into each other's memory. On a GPU it needs two. */
#include <string.h>

#include <algorithm>

#include "../../kernels/device/ids.cuh"
#include "../../kernels/device/team_barrier.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;

#define MOST_TESTED 4u  /* devices */
#define ROUNDS      12u /* of an exchange */
#define NUM_WORDS   40u /* that a device stores at each device in a round */
#define BUFFERS     3u

/* The buffers of a device, in turns by the rounds; in a buffer, the words of each device. */
struct buffers {
    uint32_t words[BUFFERS][MOST_TESTED][NUM_WORDS];
};

/* What a kernel gets. */
struct exchange {
    struct team_barrier *barrier;
    struct buffers *buffers[MOST_TESTED];
    uint32_t *errors;      /* on its own device */
    uint32_t num_buffers;  /* BUFFERS; fewer: turned too early */
    unsigned absent, from; /* the device that leaves, before this round */
};

static inline __host__ __device__ uint32_t word_of(uint32_t round, uint32_t device, uint32_t i)
{
    return round * 10000 + device * 1000 + i + 1;
}

/* Returns how many of a round's words are wrong among those that this thread looks at. */
DEVICE uint32_t wrong_words(const struct exchange &exchange, uint32_t round)
{
    uint32_t wrong = 0;
    for (uint32_t i = (uint32_t)thread_of_grid(); i < exchange.barrier->size * NUM_WORDS;
         i += (uint32_t)threads_of_grid()) {
        const uint32_t device = i / NUM_WORDS, place = (i + NUM_WORDS / 2) % NUM_WORDS;
        const struct buffers *own = exchange.buffers[exchange.barrier->rank];
        wrong += __ldcg(&own->words[round % exchange.num_buffers][device][place]) != word_of(round, device, place);
    }
    return wrong;
}

/* In each round every device stores words at all devices. After the meeting it checks the words of this round and of
 * the one before, which it may do until the next meeting. */
__global__ void exchange_words(struct exchange exchange)
{
    struct team_sums *broadcast = block_shared<struct team_sums>();
    const uint32_t size = exchange.barrier->size, rank = exchange.barrier->rank;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (rank == exchange.absent && round >= exchange.from)
            return;
        for (uint32_t i = (uint32_t)thread_of_grid(); i < size * NUM_WORDS; i += (uint32_t)threads_of_grid())
            exchange.buffers[i / NUM_WORDS]->words[round % exchange.num_buffers][rank][i % NUM_WORDS] =
                word_of(round, rank, i % NUM_WORDS);
        auto numbers = [&]() { return team_sums{round + rank, 1ull << 40 | blockIdx.x}; };
        const struct team_sums sums = team_wait(exchange.barrier, numbers, broadcast);
        if (sums.first == UINT64_MAX)
            return;
        const uint64_t blocks = (uint64_t)size * gridDim.x;
        uint32_t wrong = sums.first != round * blocks + size * (size - 1) / 2 * gridDim.x ||
                         sums.second != (blocks << 40) + blocks * (gridDim.x - 1) / 2;
        wrong += wrong_words(exchange, round);
        if (round > 0)
            wrong += wrong_words(exchange, round - 1);
        if (wrong > 0)
            atomicAdd(exchange.errors, wrong);
    }
}

/* Devices of a test, with what is in their memory. */
struct test_team {
    struct gpu_team team = {};
    struct exchange on[MOST_TESTED] = {};
    struct grid grid = {};
    struct error error = {};

    explicit test_team(unsigned size)
    {
        const int devices[MOST_TESTED] = {0, 1, 2, 3};
        check(gpu_open_team(&team, devices, size, &error), "gpu_open_team", error.text);
        for (unsigned i = size; i-- > 0;) {
            struct grid planned;
            gpu_check(cudaSetDevice((int)i), "selecting", &error);
            gpu_plan_grid((const void *)exchange_words, 64, 1, sizeof(struct team_sums), &planned, &error);
            grid = i == size - 1 || planned.blocks < grid.blocks ? planned : grid;
            gpu_allocate(&on[i].errors, 1, "the test", &error);
            gpu_allocate(&on[0].buffers[i], 1, "the test", &error);
        }
        for (unsigned i = 0; i < size; i++) {
            std::copy_n(on[0].buffers, size, on[i].buffers);
            on[i].barrier = team.barriers[i];
        }
    }

    ~test_team()
    {
        for (unsigned i = team.size; i-- > 0;) {
            cudaSetDevice((int)i);
            gpu_free(on[i].errors);
            gpu_free(on[0].buffers[i]);
        }
        gpu_close_team(&team);
    }

    /* Runs an exchange. Returns the number of errors that the kernels have found. */
    uint32_t run(uint32_t num_buffers = BUFFERS, unsigned absent = UINT32_MAX, unsigned from = 0)
    {
        uint32_t sum = 0;
        for (unsigned i = team.size; i-- > 0;) {
            gpu_check(cudaSetDevice((int)i), "selecting", &error);
            gpu_clear(on[i].errors, 1, &error);
            gpu_clear(on[0].buffers[i], 1, &error);
        }
        gpu_launch_team(&team, exchange_words, grid, sizeof(struct team_sums), &error, [&](unsigned i) {
            struct exchange mine = on[i];
            mine.num_buffers = num_buffers;
            mine.absent = absent;
            mine.from = from;
            return std::tuple(mine);
        });
        gpu_check_team(&team, "exchange_words", &error);
        for (unsigned i = team.size; i-- > 0;) {
            uint32_t errors = 0;
            gpu_check(cudaSetDevice((int)i), "selecting", &error);
            gpu_download(&errors, on[i].errors, 1, &error);
            sum += errors;
        }
        return sum;
    }
};

static void check_exchange(unsigned size)
{
    struct test_team team(size);
    char what[64];
    for (unsigned i = 0; i < 3; i++) { /* the barrier is used again */
        const uint32_t errors = team.run();
        snprintf(what, sizeof what, "team_wait: %u devices, run %u", size, i);
        check(team.error.status == STATUS_OK && errors == 0, what, "%u errors; %s", errors, team.error.text);
    }
}

static void check_all(struct device *)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    const unsigned most = (unsigned)count < MOST_TESTED ? (unsigned)count : MOST_TESTED;
    for (unsigned size = 1; size <= most; size++)
        check_exchange(size);
}

} // namespace BACKEND
