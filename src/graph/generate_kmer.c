/* generate_kmer.c: makes graphs like those of a genome's k-mers (substrings of length k), joined if they overlap.
 *
 * Where sequences agree, k-mers form chains; where they differ, chains branch. Branches have places on a circle, the
 * genome. A chain starts at a branch and ends at another one, at a distance of 2^(5d/4) or more on the circle with a
 * probability of 2^-d: sequences repeat nearby more often than far away. A quarter of the chains end nowhere. Most
 * chains are short, and the others are long. There are 1.06 edges per vertex; kmer_V1r has 1.087.
 *
 * First come the branches as vertices, in the order of their places, then the vertices of chains, chain by chain, in
 * another order. There are two chains per branch: one starts at each branch, and as many at random branches. */
#include "generators.h"

#include "random.h"

#define CHAINS_PER_BRANCH 2u
#define CHAIN_DRAWS       8u                  /* random numbers reserved for a chain */
#define CHAIN_BLOCK       ((uint64_t)1 << 12) /* chains in an item */
#define SHORT_OF_16       11u                 /* number of chains, of 16, that have no vertex of their own */
#define LAST_DIGIT        ((uint64_t)1 << 62) /* keeps a random number from being 0 */
#define CHAIN_VERTICES    2.35                /* 7.51 * 5 / 16 */

struct kmer {
    unsigned scale;
    uint64_t num_chains;
    uint64_t starts[]; /* for each block, the id of the first vertex of its chains; then the end of the last block */
};

struct chain {
    uint64_t from, to, length; /* the two branches, and the number of vertices between them */
    bool joined;               /* the chain ends at a branch */
};

static bool is_joined(uint64_t chain)
{
    return random_bits(chain * CHAIN_DRAWS + 2) % 4 != 0;
}

/* Returns the number of vertices on a chain: at least one if it ends nowhere. */
static uint64_t chain_length(uint64_t chain)
{
    uint64_t counter = chain * CHAIN_DRAWS;
    return (random_bits(counter) % 16 < SHORT_OF_16 ? 0 : random_length(counter + 1)) + !is_joined(chain);
}

static struct chain draw_chain(const struct kmer *kmer, uint64_t k)
{
    uint64_t counter = k * CHAIN_DRAWS, branches = (uint64_t)1 << kmer->scale;
    struct chain chain = {.length = chain_length(k), .joined = kmer->scale > 0 && is_joined(k)};
    chain.from = k < branches ? scatter_id((uint32_t)k, kmer->scale) : random_bits(counter + 3) % branches;
    if (chain.joined) {
        uint64_t draw = random_bits(counter + 4), most = kmer->scale - 1;
        uint64_t digits = 5 * (uint64_t)__builtin_ctzll(draw | LAST_DIGIT) / 4;
        uint64_t distance = (uint64_t)1 << (digits < most ? digits : most);
        distance |= random_bits(counter + 5) % distance;
        chain.to = (random_bits(counter + 6) & 1 ? chain.from + distance : chain.from - distance) % branches;
    }
    return chain;
}

static uint64_t block_end(const struct kmer *kmer, uint64_t block)
{
    uint64_t end = (block + 1) * CHAIN_BLOCK;
    return end < kmer->num_chains ? end : kmer->num_chains;
}

int prepare_kmer(struct generation *generation, struct error *error)
{
    uint64_t branches = (uint64_t)1 << generation->numbers[0], num_chains = CHAINS_PER_BRANCH * branches;
    uint64_t num_blocks = (num_chains + CHAIN_BLOCK - 1) / CHAIN_BLOCK;
    struct kmer *kmer;
    generation->num_vertices = (uint64_t)((double)branches * (1 + CHAINS_PER_BRANCH * CHAIN_VERTICES)); /* about */
    generation->num_edges = 2.2 * (double)generation->num_vertices;
    if (require_room(generation, 0, error) ||
        allocate_zeroed(&kmer, 1, sizeof *kmer + (num_blocks + 1) * sizeof *kmer->starts, "the k-mer graph", error))
        return error->status;
    generation->data = kmer;
    generation->release_data = free;
    kmer->scale = (unsigned)generation->numbers[0];
    kmer->num_chains = num_chains;
#pragma omp parallel for schedule(static)
    for (uint64_t b = 0; b < num_blocks; b++)
        for (uint64_t k = b * CHAIN_BLOCK; k < block_end(kmer, b); k++)
            kmer->starts[b + 1] += chain_length(k);
    kmer->starts[0] = branches;
    for (uint64_t b = 0; b < num_blocks; b++)
        kmer->starts[b + 1] += kmer->starts[b];
    generation->num_items = num_blocks;
    generation->num_vertices = kmer->starts[num_blocks];
    return STATUS_OK;
}

void push_kmer(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    const struct kmer *kmer = generation->data;
    uint64_t next = kmer->starts[block];
    for (uint64_t k = block * CHAIN_BLOCK; k < block_end(kmer, block); k++) {
        struct chain chain = draw_chain(kmer, k);
        uint64_t from = chain.from;
        for (; chain.length > 0; chain.length--, from = next++)
            push_undirected_edge(writer, (vertex_t)from, (vertex_t)next);
        if (chain.joined)
            push_undirected_edge(writer, (vertex_t)from, (vertex_t)chain.to);
    }
}
