/* id_set.h: a set of 32-bit ids that many threads may add to at once. It is a bitmap in leaves of 2^16 ids, allocated
 * with their first id, so memory depends on how many ids there are, not on how large they are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ID_SET_LEAVES     (1u << 16)
#define ID_SET_LEAF_WORDS (1u << 10) /* of 64 bits */

/* All zero: empty. id_set_release() frees it. */
struct id_set {
    uint64_t *leaves[ID_SET_LEAVES]; /* by the id's high 16 bits */
    uint64_t count;
};

/* Adds an id, which may already be in the set. Returns false if memory is short. */
bool id_set_add(struct id_set *set, uint32_t id);
void id_set_release(struct id_set *set);
