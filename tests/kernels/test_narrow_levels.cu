/* test_narrow_levels.cu: levels in 1, 2 or 4 bytes (kernels/device/narrow_levels.cuh), against the host. */
#include <stdlib.h>

#include <vector>

#include "../../kernels/device/narrow_levels.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;

#define NUM_SEARCHES 3u
#define NUM_VERTICES 200u

static void check_width(uint64_t level, uint32_t bytes)
{
    char what[64];
    snprintf(what, sizeof what, "bytes_for_level(%llu)", (unsigned long long)level);
    check(bytes_for_level(level) == bytes, what, "%u, not %u", bytes_for_level(level), bytes);
}

/* Copies the levels of each search: 0, the highest that fit, unreached, and others. */
template <typename from_t, typename to_t>
static void check_copies(const char *what)
{
    const uint32_t most = highest_level(sizeof(from_t));
    vector<from_t> levels(NUM_SEARCHES * NUM_VERTICES);
    vector<to_t> copies(NUM_VERTICES);
    uint32_t wrong = 0;
    for (size_t i = 0; i < levels.size(); i++)
        levels[i] = i % 5 == 0 ? NO_LEVEL<from_t> : (from_t)(i % 5 == 1 ? most - i % 7 : i % 5 == 2 ? 0 : i % 99);
    struct gpu_arena arena = {};
    struct error error = {};
    from_t *from = gpu_take<from_t>(&arena, levels.size(), "the levels", &error);
    to_t *to = gpu_take<to_t>(&arena, copies.size(), "the copies", &error);
    gpu_upload(from, levels.data(), levels.size(), &error);
    for (uint32_t search = 0; search < NUM_SEARCHES; search++) {
        int status = with_levels(from, sizeof(from_t), [&]<typename level_t>(const level_t *typed) {
            return gpu_launch(copy_levels<level_t, to_t, strided>, gpu_wide_grid(NUM_VERTICES), 0, &error, typed,
                              NUM_VERTICES, {search, NUM_SEARCHES}, to);
        });
        gpu_download(copies.data(), to, copies.size(), &error);
        for (uint32_t v = 0; v < NUM_VERTICES; v++) {
            from_t level = levels[v * NUM_SEARCHES + search];
            uint64_t right = level == (from_t)~0ull ? (to_t)~0ull : level;
            wrong += status != STATUS_OK || copies[v] != right;
        }
    }
    check(wrong == 0, what, "%u of %zu are wrong; %s", wrong, levels.size(), error.text);
    gpu_arena_free(&arena);
}

static void check_all(struct device *)
{
    check_width(0, 1);
    check_width(254, 1);
    check_width(255, 2);
    check_width(65534, 2);
    check_width(65535, 4);
    check_width(UNREACHED - 1, 4);
    check_copies<uint8_t, uint16_t>("copy_levels: 1 byte to 2");
    check_copies<uint8_t, uint32_t>("copy_levels: 1 byte to 4");
    check_copies<uint16_t, uint32_t>("copy_levels: 2 bytes to 4");
    check_copies<uint32_t, uint32_t>("copy_levels: 4 bytes to 4");
}

} // namespace BACKEND
