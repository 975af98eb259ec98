/* registry.c: the one table of algorithms. To add one, write its file and add its line here. */
#include "algorithm.h"

#ifdef GTRAV_CUDA
#define GPU_ALGORITHMS(ENTRY) ENTRY(bfs_queue) ENTRY(bfs_bitmap) ENTRY(bfs_warp) ENTRY(topo_kahn)
#else
#define GPU_ALGORITHMS(ENTRY) /* built without nvcc */
#endif

/* Listed in this order; the first of a family that can run here is what --algo FAMILY alone runs, unless families.c
 * says otherwise. */
#define ALGORITHMS(ENTRY)                                                                                            \
    GPU_ALGORITHMS(ENTRY)                                                                                            \
    ENTRY(bfs_gap)                                                                                                   \
    ENTRY(bfs_serial)                                                                                                \
    ENTRY(dfs_serial)                                                                                                \
    ENTRY(topo_serial)

#define DECLARE(name) extern const struct algorithm name;
ALGORITHMS(DECLARE)

#define ADDRESS(name) &name,
const struct algorithm *const algorithms[] = {ALGORITHMS(ADDRESS)};
const int num_algorithms = sizeof algorithms / sizeof algorithms[0];
