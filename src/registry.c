/* registry.c: the one table of algorithms. To add one, write its file and add its line here. */
#include "algorithm.h"

/* The order of --list. Without --variant, --algo FAMILY runs the family's first algorithm that can run here, unless
 * families.c names another; so algorithms for WebGPU come last. The file of a GPU algorithm is compiled for the
 * emulator and, if nvcc is available, for the GPU. */
#define ALGORITHMS(GPU, CPU, WEBGPU)                                                                                   \
    GPU(bfs_auto)                                                                                                      \
    GPU(bfs_queue)                                                                                                     \
    GPU(bfs_bitmap)                                                                                                    \
    GPU(bfs_warp)                                                                                                      \
    GPU(bfs_blest)                                                                                                     \
    GPU(bfs_blest_abcd)                                                                                                \
    GPU(bfs_blest_abc)                                                                                                 \
    GPU(bfs_blest_ab)                                                                                                  \
    GPU(bfs_blest_a)                                                                                                   \
    GPU(bfs_berrybees)                                                                                                 \
    GPU(bfs_khop)                                                                                                      \
    GPU(bfs_slices)                                                                                                    \
    GPU(bfs_dobfs)                                                                                                     \
    GPU(bfs_xbfs)                                                                                                      \
    GPU(bfs_enterprise)                                                                                                \
    GPU(msbfs_auto)                                                                                                    \
    GPU(msbfs_blest)                                                                                                   \
    GPU(msbfs_blest_ab)                                                                                                \
    GPU(msbfs_blest_a)                                                                                                 \
    GPU(msbfs_blest_naive)                                                                                             \
    GPU(msbfs_ibfs_auto)                                                                                               \
    GPU(msbfs_ibfs_workgroup)                                                                                          \
    GPU(msbfs_ibfs_coalesced)                                                                                          \
    GPU(msbfs_ibfs_bottomup)                                                                                           \
    GPU(topo_kahn)                                                                                                     \
    GPU(betweenness_perblock)                                                                                          \
    GPU(wcc_hooking)                                                                                                   \
    GPU(sssp_auto)                                                                                                     \
    GPU(sssp_stepping)                                                                                                 \
    GPU(sssp_nearfar)                                                                                                  \
    GPU(dfs_auto)                                                                                                      \
    GPU(dfs_v1)                                                                                                        \
    GPU(dfs_v2)                                                                                                        \
    GPU(dfs_v3)                                                                                                        \
    GPU(dfs_v4)                                                                                                        \
    GPU(dfs_handoff)                                                                                                   \
    GPU(dfs_nvg)                                                                                                       \
    GPU(msbfs_bitparallel)                                                                                             \
    GPU(msbfs_perblock)                                                                                                \
    CPU(bfs_gap)                                                                                                       \
    CPU(bfs_serial)                                                                                                    \
    CPU(sssp_delta)                                                                                                    \
    CPU(sssp_serial)                                                                                                   \
    CPU(dfs_serial)                                                                                                    \
    CPU(dfs_ckl)                                                                                                       \
    CPU(dfs_acr)                                                                                                       \
    CPU(topo_serial)                                                                                                   \
    CPU(wcc_afforest)                                                                                                  \
    CPU(wcc_serial)                                                                                                    \
    CPU(scc_serial)                                                                                                    \
    CPU(msbfs_adaptive)                                                                                                \
    CPU(msbfs_pbfs)                                                                                                    \
    CPU(msbfs_then)                                                                                                    \
    CPU(msbfs_serial)                                                                                                  \
    CPU(betweenness_brandes)                                                                                           \
    WEBGPU(bfs_webgpu)                                                                                                 \
    WEBGPU(msbfs_webgpu_bottomup)                                                                                      \
    WEBGPU(msbfs_webgpu_coalesced)                                                                                     \
    WEBGPU(msbfs_webgpu_workgroup)
#define DECLARE(name)          extern const struct algorithm name;
#define DECLARE_EMULATED(name) extern const struct algorithm name##_emulated;
#define NOTHING(name)
#define ADDRESS(name)          &name,
#define ADDRESS_EMULATED(name) &name##_emulated,

ALGORITHMS(DECLARE, DECLARE, DECLARE)
ALGORITHMS(DECLARE_EMULATED, NOTHING, NOTHING)

#ifdef GTRAV_WEBGPU
#define WEBGPU_ADDRESS ADDRESS
#else
#define WEBGPU_ADDRESS NOTHING
#endif

/* Both tables begin with the same GPU algorithms. */
#if defined(GTRAV_CUDA)
const struct algorithm *const algorithms[] = {ALGORITHMS(ADDRESS, ADDRESS, WEBGPU_ADDRESS)};
#elif defined(GTRAV_EMULATOR)
const struct algorithm *const algorithms[] = {ALGORITHMS(ADDRESS_EMULATED, ADDRESS, WEBGPU_ADDRESS)};
#else
const struct algorithm *const algorithms[] = {ALGORITHMS(NOTHING, ADDRESS, WEBGPU_ADDRESS)};
#endif
const int num_algorithms = sizeof algorithms / sizeof algorithms[0];

#ifdef GTRAV_EMULATOR
static const struct algorithm *const emulated[] = {ALGORITHMS(ADDRESS_EMULATED, NOTHING, NOTHING)};
#endif

const struct algorithm *emulated_algorithm(UNUSED const struct algorithm *algorithm)
{
#ifdef GTRAV_EMULATOR
    for (size_t i = 0; i < sizeof emulated / sizeof emulated[0]; i++)
        if (algorithms[i] == algorithm)
            return emulated[i];
#endif
    return NULL;
}
