#include "id_set.h"

#include <stddef.h>
#include <stdlib.h>

/* The leaf of an id, allocated if needed. If several threads allocate it at once, one succeeds. */
static uint64_t *leaf_of(struct id_set *set, uint32_t id)
{
    uint64_t **place = &set->leaves[id >> 16];
    uint64_t *leaf = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (leaf != NULL)
        return leaf;
    uint64_t *mine = calloc(ID_SET_LEAF_WORDS, sizeof *mine);
    if (mine == NULL)
        return NULL;
    if (__atomic_compare_exchange_n(place, &leaf, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return mine;
    free(mine);
    return leaf;
}

bool id_set_add(struct id_set *set, uint32_t id)
{
    uint64_t *leaf = leaf_of(set, id), bit = (uint64_t)1 << (id & 63);
    if (leaf == NULL)
        return false;
    uint64_t *word = &leaf[(id & 0xFFFF) >> 6];
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit) && !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit))
        __atomic_add_fetch(&set->count, 1, __ATOMIC_RELAXED);
    return true;
}

void id_set_release(struct id_set *set)
{
    for (uint32_t i = 0; i < ID_SET_LEAVES; i++)
        free(set->leaves[i]);
    *set = (struct id_set){0};
}
