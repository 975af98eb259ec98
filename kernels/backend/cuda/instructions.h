/* cuda/instructions.h: functions for kernels that CUDA C does not have: launches, shared memory, and all inline PTX.
 * ../emulator/instructions.h defines the same names for the emulator.
 *
 * Clusters and bulk copies need Hopper (sm_90). On older GPUs a cluster is one block, and copies are plain stores. */
#pragma once

/* A wait gives up after this many polls, some tens of seconds. Time would not do as a limit: it also passes while
 * another process has the GPU. */
#define MOST_POLLS (1u << 26)

/* ---- launches ---- */

/* Starts a kernel. If it is persistent, all its blocks run at once, in clusters of grid.cluster blocks. */
template <typename... parameters>
static cudaError_t start_kernel(bool persistent, void (*kernel)(parameters...), struct grid grid, size_t shared_bytes,
                                parameters... arguments)
{
    if (!persistent) {
        kernel<<<grid.blocks, grid.threads, shared_bytes>>>(arguments...);
        return cudaGetLastError();
    }
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2] = {};
    config.gridDim = grid.blocks;
    config.blockDim = grid.threads;
    config.dynamicSmemBytes = shared_bytes;
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {grid.cluster, 1, 1};
    config.attrs = attributes;
    config.numAttrs = grid.cluster > 1 ? 2 : 1;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

static inline bool cluster_fits(const void *kernel, unsigned threads, size_t shared_bytes, unsigned size)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    int clusters = 0;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {size, 1, 1};
    config.gridDim = size;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) == cudaSuccess && clusters > 0;
}

/* Returns the largest power of two, up to `most`, of blocks that the device runs as one cluster of this kernel. More
 * than 8 blocks need the attribute, and not every device allows them. */
static inline unsigned largest_cluster(const void *kernel, unsigned threads, size_t shared_bytes, unsigned most)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    while (most > 1 && !cluster_fits(kernel, threads, shared_bytes, most))
        most /= 2;
    cudaGetLastError(); /* clears the error: the device is still usable */
    return most;
}

/* Does nothing: the hardware schedules the threads. */
static inline void set_schedule(uint64_t)
{
}

/* Does nothing: launches on several devices run at the same time anyway. */
static inline void start_together(unsigned)
{
}

/* ---- shared memory ---- */

template <typename type>
DEVICE type *block_shared(void)
{
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    return (type *)shared_bytes;
}

DEVICE unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* ---- ordered accesses ---- */

DEVICE uint64_t load_acquire(const uint64_t *address)
{
    uint64_t value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

DEVICE uint64_t add_acquire_release(uint64_t *address, uint64_t value)
{
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(address), "l"(value) : "memory");
    return old;
}

DEVICE uint32_t load_acquire(const uint32_t *address)
{
    uint32_t value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
}

DEVICE void store_release(uint32_t *address, uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

DEVICE void store_release(uint64_t *address, uint64_t value)
{
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/* The same for threads of other devices, too. The address may be in the memory of another device. */
DEVICE uint64_t load_acquire_system(const uint64_t *address)
{
    uint64_t value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

DEVICE void store_release_system(uint64_t *address, uint64_t value)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/* Words that other threads may access at the same time. Relaxed: the accesses do not order others. Four words are
 * four separate loads, which may see different moments. */
DEVICE uint32_t load_relaxed(const uint32_t *address)
{
    uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
}

DEVICE uint4 load_relaxed(const uint4 *address)
{
    uint4 value;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(address)
                 : "memory");
    return value;
}

DEVICE void store_relaxed(uint32_t *address, uint32_t value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

/* ---- atomics of 64 bits ---- */

/* CUDA's versions take unsigned long long, which is as wide as uint64_t but another type. */
using ::atomicAdd;
using ::atomicCAS;
using ::atomicExch;

DEVICE uint64_t atomicAdd(uint64_t *address, uint64_t value)
{
    return atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

DEVICE uint64_t atomicCAS(uint64_t *address, uint64_t expected, uint64_t value)
{
    return atomicCAS((unsigned long long *)address, (unsigned long long)expected, (unsigned long long)value);
}

DEVICE uint64_t atomicExch(uint64_t *address, uint64_t value)
{
    return atomicExch((unsigned long long *)address, (unsigned long long)value);
}

/* ---- two words at once ---- */

/* Accesses 16 aligned bytes that other blocks may access at the same time. No word is torn, but the two words may
 * come from different stores, so each word must itself say which store wrote it. The accesses are relaxed. */
DEVICE void load_pair(const uint64_t *address, uint64_t (&words)[2])
{
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(words[0]), "=l"(words[1])
                 : "l"(address)
                 : "memory");
}

DEVICE void store_pair(uint64_t *address, uint64_t first, uint64_t second)
{
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(first), "l"(second) : "memory");
}

/* ---- reductions ---- */

/* atomicOr without a result. The compiler would use an atomic and discard its result, which is slower. */
DEVICE void or_into(uint32_t *address, uint32_t bits)
{
    asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
}

/* ---- accesses by the lanes whose condition holds, without a branch ---- */

/* After a branch, the compiler waits for the first result before it starts the next access. With predicated
 * instructions, a claim and the loads after it are in flight together. Relaxed: they do not order other accesses. */

/* Compare-and-swap like atomicCAS. Returns 0 if the condition is false. */
DEVICE uint32_t compare_and_swap_if(bool condition, uint32_t *address, uint32_t expected, uint32_t value)
{
    uint32_t old;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; mov.u32 %0, 0;"
                 " @p atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3; }"
                 : "=&r"(old)
                 : "l"(address), "r"(expected), "r"(value), "r"((uint32_t)condition)
                 : "memory");
    return old;
}

/* Defines name(condition, address, value), which executes `opcode` and returns the old word, or returns `other` if
 * the condition is false. */
#define ATOMIC_IF(name, opcode, other)                                                                                 \
    DEVICE uint32_t name(bool condition, uint32_t *address, uint32_t value)                                            \
    {                                                                                                                  \
        uint32_t old;                                                                                                  \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.u32 %0, " #other ";"                                   \
                     " @p atom.relaxed.gpu.global." opcode " %0, [%1], %2; }"                                          \
                     : "=&r"(old)                                                                                      \
                     : "l"(address), "r"(value), "r"((uint32_t)condition)                                              \
                     : "memory");                                                                                      \
        return old;                                                                                                    \
    }
ATOMIC_IF(exchange_if, "exch.b32", 0)
ATOMIC_IF(or_if, "or.b32", 0xffffffff)
ATOMIC_IF(min_if, "min.u32", 0)
#undef ATOMIC_IF

/* Defines name(condition, address), which loads a word of `bits` bits by `opcode`, or returns `other` if the
 * condition is false. reg: the letter in asm for a register of that width. After `other`: what the load clobbers. */
#define LOAD_WORD_IF(name, opcode, bits, reg, other, ...)                                                              \
    DEVICE uint##bits##_t name(bool condition, const uint##bits##_t *address)                                          \
    {                                                                                                                  \
        uint##bits##_t value;                                                                                          \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u" #bits " %0, " #other ";"                            \
                     " @p " opcode ".u" #bits " %0, [%1]; }"                                                           \
                     : "=&" reg(value)                                                                                 \
                     : "l"(address), "r"((uint32_t)condition)                                                          \
                     : __VA_ARGS__);                                                                                   \
        return value;                                                                                                  \
    }

/* Loads words that other threads may write at the same time, from L2. */
LOAD_WORD_IF(load_relaxed_if, "ld.relaxed.gpu.global", 32, "r", 0xffffffff, "memory")
LOAD_WORD_IF(load_relaxed_or_zero_if, "ld.relaxed.gpu.global", 32, "r", 0, "memory")
/* The same, but from L1 if the line is there: then even an old write of another block may be invisible. */
LOAD_WORD_IF(load_cached_if, "ld.global.ca", 32, "r", 0xffffffff, "memory")
/* Loads words that no thread writes during the kernel. */
LOAD_WORD_IF(load_if, "ld.global.nc", 32, "r", 0xffffffff)
LOAD_WORD_IF(load_if, "ld.global.nc", 64, "l", 0xffffffffffffffff)
/* The same; L2 also fetches the 256 bytes around the word. */
LOAD_WORD_IF(load_wide_if, "ld.global.nc.L2::256B", 32, "r", 0xffffffff)
#undef LOAD_WORD_IF

/* Loads four words that no thread writes, 16-byte aligned. L2 also fetches the 256 bytes around them. */
DEVICE void load_four_if(bool condition, const uint32_t *address, uint32_t *words)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.u32 %0, 0xffffffff; mov.u32 %1, 0xffffffff;"
                 " mov.u32 %2, 0xffffffff; mov.u32 %3, 0xffffffff;"
                 " @p ld.global.nc.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "=&r"(words[0]), "=&r"(words[1]), "=&r"(words[2]), "=&r"(words[3])
                 : "l"(address), "r"((uint32_t)condition));
}

/* Loads four words that are read only once; L2 evicts them first. */
DEVICE uint4 stream_four_if(bool condition, const uint4 *address)
{
    uint4 words;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.u32 %0, 0xffffffff; mov.u32 %1, 0xffffffff;"
                 " mov.u32 %2, 0xffffffff; mov.u32 %3, 0xffffffff;"
                 " @p ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "=&r"(words.x), "=&r"(words.y), "=&r"(words.z), "=&r"(words.w)
                 : "l"(address), "r"((uint32_t)condition));
    return words;
}

/* ---- time ---- */

/* Returns the time in ns of a clock that all multiprocessors share. Its start is arbitrary. */
DEVICE uint64_t nanoseconds(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* ---- clusters ---- */

/* Defined in device code: 1 if clusters may have more than one block. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS 1
#else
#define HAS_CLUSTERS 0
#endif

DEVICE unsigned cluster_rank(void)
{
    unsigned rank = 0;
#if HAS_CLUSTERS
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}

DEVICE unsigned cluster_size(void)
{
    unsigned size = 1;
#if HAS_CLUSTERS
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
#endif
    return size;
}

/* A barrier of all threads of the cluster. Their writes before it, also to shared memory, are visible after it. */
DEVICE void cluster_wait(void)
{
#if HAS_CLUSTERS
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    __syncthreads();
#endif
}

/* Returns the counterpart of `own` in the shared memory of block `rank` of the cluster, which must not have ended. */
template <typename type>
DEVICE type *cluster_shared(type *own, unsigned rank)
{
#if HAS_CLUSTERS
    uint64_t address;
    asm("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(own), "r"(rank));
    return (type *)address;
#else
    return own;
#endif
}

/* ---- prefetching ---- */

/* Prefetches into L2. The address and the number of bytes must be multiples of 32. */
DEVICE void prefetch(const void *from, unsigned bytes)
{
#if HAS_CLUSTERS
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#else
    const unsigned line = 128, sector = 32;
    const char *first = (const char *)from;
    for (unsigned i = 0; i < bytes; i += line)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(first + i));
    if (bytes > 0)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(first + bytes - sector));
#endif
}

/* ---- bulk copies: addresses and lengths are multiples of 16 bytes ---- */

/* A barrier in shared memory that waits for bulk loads. Phases count from 0. One thread starts a phase's load. */
struct bulk_barrier {
    uint64_t word;
};

/* One thread calls this, before a block barrier that all threads pass. */
DEVICE void bulk_init(struct bulk_barrier *barrier)
{
#if HAS_CLUSTERS
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier->word)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#else
    barrier->word = 0;
#endif
}

/* Starts one phase's copy from global to shared memory. The copy comes after all earlier accesses to both places by
 * this thread, and by threads that it has met at a barrier of the warp or block since. A fence ensures this, because
 * a bulk copy need not wait for ordinary accesses. */
DEVICE void bulk_load(struct bulk_barrier *barrier, void *to, const void *from, unsigned bytes)
{
#if HAS_CLUSTERS
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier->word)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(&barrier->word))
                 : "memory");
#else
    for (unsigned i = 0; i < bytes / sizeof(uint4); i++)
        ((uint4 *)to)[i] = ((const uint4 *)from)[i];
    __threadfence_block();
    atomicAdd((unsigned long long *)&barrier->word, 1ull);
#endif
}

/* Waits for the copy of a phase, so that this thread may read it. Returns false after MOST_POLLS polls. */
DEVICE bool bulk_wait(struct bulk_barrier *barrier, unsigned phase)
{
    unsigned done = 0;
    for (uint32_t polls = 0; !done && polls < MOST_POLLS; polls++) {
#if HAS_CLUSTERS
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(&barrier->word)), "r"(phase & 1)
                     : "memory");
#else
        done = *(volatile uint64_t *)&barrier->word > phase;
#endif
    }
    return done;
}

/* Starts a copy from shared to global memory. It includes this thread's earlier writes to shared memory, and those of
 * threads that it has met at a barrier of the warp or block since. */
DEVICE void bulk_store(void *to, const void *from, unsigned bytes)
{
#if HAS_CLUSTERS
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
    for (unsigned i = 0; i < bytes / sizeof(uint4); i++)
        ((uint4 *)to)[i] = ((const uint4 *)from)[i];
#endif
}

/* Waits until the stores that this thread started are in global memory. */
DEVICE void bulk_store_wait(void)
{
#if HAS_CLUSTERS
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

/* ---- tensor cores ---- */

/* Adds popcount(row of A & column of B) to each of the warp's 8 x 8 sums. A has 8 rows and B has 8 columns, of 128
 * bits each. Lane i passes 32 bits, from bit 32 (i % 4) on, of row i / 4 of A and of column i / 4 of B. It holds
 * the sums of row i / 4 with columns 2 (i % 4) and 2 (i % 4) + 1. */
DEVICE void binary_mma(int (&sums)[2], uint32_t a, uint32_t b)
{
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(sums[0]), "+r"(sums[1])
                 : "r"(a), "r"(b));
}
