/* random.c: the two Mersenne Twisters. Constants as in the C++ standard, [rand.predef]. */
#include "random.h"

#define MT32_SHIFT      397u
#define MT32_LOWER      0x7fffffffu /* 31 low bits come from one word, the rest from its predecessor */
#define MT32_TWIST      0x9908b0dfu
#define MT32_MULTIPLIER 1812433253u

#define MT64_SHIFT      156u
#define MT64_LOWER      0x7fffffffu
#define MT64_TWIST      0xb5026f5aa96619e9u
#define MT64_MULTIPLIER 6364136223846793005u

void mt32_seed(struct mt32 *mt, uint32_t seed)
{
    mt->state[0] = seed;
    for (uint32_t i = 1; i < MT32_WORDS; i++)
        mt->state[i] = MT32_MULTIPLIER * (mt->state[i - 1] ^ mt->state[i - 1] >> 30) + i;
    mt->next = MT32_WORDS;
}

static inline void mt32_twist(uint32_t *state, unsigned i, unsigned after, unsigned source)
{
    uint32_t mixed = (state[i] & ~MT32_LOWER) | (state[after] & MT32_LOWER);
    state[i] = state[source] ^ mixed >> 1 ^ ((0u - (mixed & 1u)) & MT32_TWIST);
}

/* Computes the next state and all its draws, in three loops without a modulus, so that compilers vectorise them. */
void mt32_refill(struct mt32 *mt)
{
    unsigned i = 0;
    for (; i < MT32_WORDS - MT32_SHIFT; i++)
        mt32_twist(mt->state, i, i + 1, i + MT32_SHIFT);
    for (; i < MT32_WORDS - 1; i++)
        mt32_twist(mt->state, i, i + 1, i + MT32_SHIFT - MT32_WORDS);
    mt32_twist(mt->state, i, 0, MT32_SHIFT - 1);
    for (i = 0; i < MT32_WORDS; i++) {
        uint32_t y = mt->state[i];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        mt->draws[i] = y ^ y >> 18;
    }
    mt->next = 0;
}

void mt64_seed(struct mt64 *mt, uint64_t seed)
{
    mt->state[0] = seed;
    for (uint64_t i = 1; i < MT64_WORDS; i++)
        mt->state[i] = MT64_MULTIPLIER * (mt->state[i - 1] ^ mt->state[i - 1] >> 62) + i;
    mt->next = MT64_WORDS;
}

static void mt64_refill(struct mt64 *mt)
{
    for (unsigned i = 0; i < MT64_WORDS; i++) {
        uint64_t after = mt->state[(i + 1) % MT64_WORDS];
        uint64_t mixed = (mt->state[i] & ~(uint64_t)MT64_LOWER) | (after & MT64_LOWER);
        mt->state[i] = mt->state[(i + MT64_SHIFT) % MT64_WORDS] ^ mixed >> 1 ^ ((0u - (mixed & 1u)) & MT64_TWIST);
    }
    mt->next = 0;
}

uint64_t mt64_draw(struct mt64 *mt)
{
    if (mt->next == MT64_WORDS)
        mt64_refill(mt);
    uint64_t y = mt->state[mt->next++];
    y ^= y >> 29 & 0x5555555555555555u;
    y ^= y << 17 & 0x71d67fffeda60000u;
    y ^= y << 37 & 0xfff7eee000000000u;
    return y ^ y >> 43;
}
