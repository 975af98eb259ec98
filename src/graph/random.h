/* random.h: random numbers for generators and for picking sources; the same on every machine. */
#pragma once

#include <stdint.h>

/* GAP Benchmark Suite's seed, for generators and sources alike. */
#define GAP_SEED 27491095u

/* Mersenne Twisters (Matsumoto and Nishimura 1998, 2000), as std::mt19937 and std::mt19937_64. */
#define MT32_WORDS 624u
#define MT64_WORDS 312u

struct mt32 {
    uint32_t state[MT32_WORDS];
    uint32_t draws[MT32_WORDS]; /* the next draws, computed from the state */
    unsigned next;              /* index of the next draw; MT32_WORDS: all draws are used */
};
void mt32_seed(struct mt32 *mt, uint32_t seed);
void mt32_refill(struct mt32 *mt);

/* Inline: kron:27 makes 58 billion draws. */
static inline uint32_t mt32_draw(struct mt32 *mt)
{
    if (mt->next == MT32_WORDS)
        mt32_refill(mt);
    return mt->draws[mt->next++];
}

struct mt64 {
    uint64_t state[MT64_WORDS];
    unsigned next;
};
void mt64_seed(struct mt64 *mt, uint64_t seed);
uint64_t mt64_draw(struct mt64 *mt);

/* Returns number `counter` of a random stream without state, for parallel generators. */
static inline uint64_t random_bits(uint64_t counter)
{
    uint64_t z = counter + 0x9e3779b97f4a7c15u; /* splitmix64 (Steele, Lea, Flood 2014) */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns number `counter` of a stream of uniform numbers in [0, 1), with 53 random bits. */
static inline double random_unit(uint64_t counter)
{
    return (double)(random_bits(counter) >> 11) * 0x1p-53;
}

/* Returns floor(-8 ln(1 - u)) for u = random_unit(counter): 0, 1, 2, ... with mean 1 / (exp(1/8) - 1) = 7.51.
 * Compares powers of exp(-1/8) instead of using log, which may round differently on other machines. */
static inline uint64_t random_length(uint64_t counter)
{
    const double step = 0.88249690258459540286;
    double x = 1 - random_unit(counter);
    uint64_t length = 0;
    for (double power = step; x <= power; power *= step)
        length++;
    return length;
}

/* Permutes the ids of `bits` bits, so that a new id says nothing about the old one. Each step is invertible. */
static inline uint32_t scatter_id(uint32_t id, unsigned bits)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    unsigned half = (bits + 1) / 2;
    id = (id * 0x9e3779b1u) & mask;
    id ^= id >> half;
    id = (id * 0x85ebca6bu) & mask;
    id ^= id >> half;
    id = (id * 0xc2b2ae35u) & mask;
    return id ^ id >> half;
}
