/* id_set.h: a set of 32-bit ids that many threads may add to, in memory by how many there are, not by how large they
 * are: a bitmap in leaves of 2^16 ids, each made when its first id comes. */
#ifndef GTRAV_ID_SET_H
#define GTRAV_ID_SET_H

#include <stdbool.h>
#include <stdint.h>

#define ID_SET_LEAVES     (1u << 16)
#define ID_SET_LEAF_WORDS (1u << 10) /* of 64 bits */

/* All zero: empty. id_set_release() frees it. */
struct id_set {
    uint64_t *leaves[ID_SET_LEAVES]; /* by the id's high 16 bits */
    uint64_t count;
};

/* Adds an id, whether it is there or not; false: out of memory. */
bool id_set_add(struct id_set *set, uint32_t id);
void id_set_release(struct id_set *set);

#endif
