/* test_team.cu: kernels of several devices that meet and store into each other's memory. On a GPU it needs two. */
#include <stdlib.h>
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
    uint32_t *errors;      /* on its own device, like the next */
    uint64_t *arrivals;    /* threads that came to a meeting, summed over all rounds */
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
        atomicAdd(exchange.arrivals, (uint64_t)1);
        auto numbers = [&]() { return team_sums{round + rank, __ldcg(exchange.arrivals)}; };
        const struct team_sums sums = team_wait(exchange.barrier, numbers, broadcast);
        if (sums.first == UINT64_MAX)
            return;
        uint32_t wrong = sums.first != round * size + size * (size - 1) / 2 ||
                         sums.second != (uint64_t)size * threads_of_grid() * (round + 1);
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
        check(gpu_open_team(&team, devices, size, &error), "gpu_open_team", "%s", error.text);
        for (unsigned i = size; i-- > 0;) {
            struct grid planned;
            gpu_check(cudaSetDevice((int)i), "selecting", &error);
            gpu_plan_grid((const void *)exchange_words, 64, 1, sizeof(struct team_sums), &planned, &error);
            grid = i == size - 1 || planned.blocks < grid.blocks ? planned : grid;
            gpu_allocate(&on[i].errors, 1, "the test", &error);
            gpu_clear(on[i].errors, 1, &error);
            gpu_allocate(&on[i].arrivals, 1, "the test", &error);
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
            gpu_free(on[i].arrivals);
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
            gpu_clear(on[i].arrivals, 1, &error);
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

/* ---- errors ---- */

static bool says(const struct error &error, int status, const char *what)
{
    return error.status == status && strstr(error.text, what) != NULL;
}

/* A device leaves: the others stop, and the message names it. */
static void check_absent(unsigned size, unsigned absent, unsigned from)
{
    struct test_team team(size);
    const uint64_t patience = DEVICE_KIND == DEVICE_GPU ? 300000000 : 300000; /* ns, or ticks of the emulator */
    char what[96];
    for (unsigned i = size; i-- > 0;) {
        gpu_check(cudaSetDevice((int)i), "selecting", &team.error);
        gpu_upload(&team.team.barriers[i]->patience, &patience, 1, &team.error);
    }
    team.run(BUFFERS, absent, from);
    snprintf(what, sizeof what, "device %u did not come", absent);
    const bool named = says(team.error, STATUS_DEVICE, what);
    snprintf(what, sizeof what, "device %u of %u leaves before round %u", absent, size, from);
    check(named, what, "status %d: %s", team.error.status, team.error.text);
}

/* The last device may not have as much shared memory, so its launch fails, or that of the first one: then the others
 * have started and are told to stop. */
static void check_failed_launch(unsigned failing)
{
    const size_t bytes = (size_t)64 << 10; /* more than allowed unless it is planned */
    struct test_team team(2);
    struct grid grid;
    char what[32];
    gpu_check(cudaSetDevice(1 - (int)failing), "selecting", &team.error);
    gpu_plan_grid((const void *)exchange_words, 64, 1, bytes, &grid, &team.error);
    gpu_check(cudaSetDevice((int)failing), "selecting", &team.error);
    gpu_check(cudaFuncSetAttribute((const void *)exchange_words, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 10),
              "sizing", &team.error);
    gpu_launch_team(&team.team, exchange_words, {1, 64}, bytes, &team.error, [&](unsigned i) {
        struct exchange mine = team.on[i];
        mine.num_buffers = BUFFERS;
        mine.absent = UINT32_MAX;
        return std::tuple(mine);
    });
    struct error error = {};
    gpu_check_team(&team.team, "exchange_words", &error); /* the other device's kernel ends */
    snprintf(what, sizeof what, "launching on device %u", failing);
    check(says(team.error, STATUS_DEVICE, what), "a launch fails on one device", "status %d: %s", team.error.status,
          team.error.text);
}

/* ---- atomics on one word of the first device ---- */

#define ADDITIONS 20u

__global__ void add_together(struct team_barrier *barrier, uint32_t *word)
{
    for (uint32_t i = 0; i < ADDITIONS; i++)
        atomicAdd_system(word, 1u);
    team_wait(
        barrier,
        []() {
            return team_sums{0, 0};
        },
        block_shared<struct team_sums>());
}

static void check_atomics(unsigned size)
{
    struct test_team team(size);
    uint32_t sum = 0;
    gpu_launch_team(&team.team, add_together, team.grid, sizeof(struct team_sums), &team.error,
                    [&](unsigned i) { return std::tuple(team.team.barriers[i], team.on[0].errors); });
    gpu_download(&sum, team.on[0].errors, 1, &team.error);
    check(team.error.status == STATUS_OK && sum == size * team.grid.blocks * team.grid.threads * ADDITIONS,
          "atomicAdd_system: all devices add", "%u; %s", sum, team.error.text);
}

/* ---- what only the emulator finds ---- */

#ifdef EMULATED

#define NUM_SEEDS 20u

enum release { RELEASE_SYSTEM, RELEASE_DEVICE, NO_RELEASE };

/* The first device stores a number at the second one and then tells it, in one of these ways. */
template <enum release release>
__global__ void send_number(struct exchange exchange)
{
    struct buffers *buffers = exchange.buffers[1];
    uint32_t *number = &buffers->words[0][0][threadIdx.x];
    uint64_t *flag = (uint64_t *)buffers->words[1][0] + threadIdx.x;
    if (exchange.barrier->rank == 0) {
        *number = threadIdx.x + 1;
        if (release == RELEASE_SYSTEM)
            store_release_system(flag, (uint64_t)1);
        else if (release == RELEASE_DEVICE)
            store_release(flag, (uint64_t)1);
        else
            atomicExch_system(flag, (uint64_t)1);
        return;
    }
    while (load_acquire_system(flag) == 0)
        ;
    if (__ldcg(number) != threadIdx.x + 1)
        atomicAdd(exchange.errors, 1u);
}

/* Returns under how many seeds the number is not there, or never comes. */
static unsigned count_lost(void (*kernel)(struct exchange), unsigned num_seeds)
{
    struct test_team team(2);
    unsigned lost = 0;
    for (unsigned seed = 0; seed < num_seeds; seed++) {
        struct error error = {};
        uint32_t errors = 0;
        cudaSetDevice(1);
        gpu_clear(team.on[1].errors, 1, &error);
        gpu_clear(team.on[0].buffers[1], 1, &error);
        cudaSetDevice(0);
        set_schedule(seed);
        gpu_launch_team(&team.team, kernel, {1, WARP_SIZE / 2}, 0, &error,
                        [&](unsigned i) { return std::tuple(team.on[i]); });
        gpu_download(&errors, team.on[1].errors, 1, &error);
        lost += error.status != STATUS_OK || errors > 0;
    }
    return lost;
}

static void check_releases(void)
{
    unsigned lost = count_lost(send_number<RELEASE_SYSTEM>, NUM_SEEDS);
    check(lost == 0, "after a release of system scope a store is visible", "not under %u seeds", lost);
    lost = count_lost(send_number<RELEASE_DEVICE>, 3);
    check(lost > 1, "a release of gpu scope is found", "under %u seeds", lost);
    lost = count_lost(send_number<NO_RELEASE>, NUM_SEEDS);
    check(lost > 1, "a message without a release is found", "under %u seeds", lost);
}

/* Two buffers instead of three: some schedules overwrite words that are still looked at. */
static void check_early_turn(unsigned size)
{
    struct test_team team(size);
    unsigned wrong = 0;
    char what[96];
    for (unsigned seed = 1; seed <= NUM_SEEDS && team.error.status == STATUS_OK; seed++) {
        cudaSetDevice(0);
        set_schedule(seed);
        if (const uint32_t errors = team.run(); errors > 0)
            check(false, "three buffers", "%u errors under seed %u", errors, seed);
        wrong += team.run(BUFFERS - 1) > 0;
    }
    snprintf(what, sizeof what, "%u devices, %u seeds: three buffers are right, two are wrong under %u", size,
             NUM_SEEDS, wrong);
    check(team.error.status == STATUS_OK && wrong > 0, what, "%s", team.error.text);
}

__global__ void store_word(uint32_t *word)
{
    *word = 1;
}

/* Must come first, since access that is enabled stays so. */
static void check_no_access(void)
{
    struct test_memory memory;
    uint32_t *word = memory.room<uint32_t>(1);
    struct error error = {};
    cudaSetDevice(1);
    gpu_launch(store_word, {1, 1}, 0, &error, word);
    cudaSetDevice(0);
    check(says(error, STATUS_DEVICE, "write of 4 bytes of another device"), "no peer access", "%s", error.text);
}

static void check_refusals(void)
{
    struct gpu_team team;
    struct error error = {};
    const int devices[2] = {0, 1}, twice[2] = {1, 1};
    bool opened = gpu_open_team(&team, twice, 2, &error);
    check(!opened && error.status == STATUS_OK, "no team has a device twice", "%s", error.text);
    setenv("GTRAV_EMULATOR_PEERS", "0", 1);
    opened = gpu_open_team(&team, devices, 2, &error);
    check(!opened && error.status == STATUS_OK && team.size == 0, "GTRAV_EMULATOR_PEERS=0: no team", "%s", error.text);
    unsetenv("GTRAV_EMULATOR_PEERS");
}
#endif

static void check_all(struct device *)
{
#ifdef EMULATED
    check_no_access();
#endif
    int count = 0;
    cudaGetDeviceCount(&count);
    const unsigned most = (unsigned)count < MOST_TESTED ? (unsigned)count : MOST_TESTED;
    for (unsigned size = 1; size <= most; size++) {
        check_exchange(size);
        check_atomics(size);
    }
    for (unsigned size = 2; size <= most; size++) {
        check_absent(size, size - 1, 0);
        check_absent(size, 0, ROUNDS / 2);
    }
    for (unsigned failing = 0; failing < (most > 1 ? 2u : 0u); failing++)
        check_failed_launch(failing);
#ifdef EMULATED
    for (unsigned size = 2; size <= most; size++)
        check_early_turn(size);
    check_releases();
    check_refusals();
#endif
}

} // namespace BACKEND
