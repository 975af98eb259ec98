/* text_ids.c: the dictionary is split by the hash of a text into shards, each with a lock, a hash table, and the
 * texts one behind the other. To number them, all are sorted by merging. */
#include "text_ids.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define SHARD_BITS  10u
#define NUM_SHARDS  (1u << SHARD_BITS)
#define FIRST_SLOTS 64u
#define OFFSET_BITS                                                                                                  \
    40u /* bits for the place of the text in its shard, plus 1; the other bits of a slot are the hash's */
#define TASK_ITEMS 8192u /* fewer are not worth a task */
#define KEY_BYTES  8u

/* A text in a shard; the next one begins at a multiple of 4 bytes behind its NUL. */
struct record {
    uint32_t length, number; /* number: of the shard's records before it */
    char text[];
};

struct text_shard {
    omp_lock_t lock;
    uint64_t *slots;
    size_t num_slots; /* a power of two, at most half of them are used */
    char *records;
    size_t bytes, capacity;
    uint32_t count;
    vertex_t *vertex; /* count: the vertex of each record, once they are numbered */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length ^ UINT64_C(0x9e3779b97f4a7c15);
    for (; length >= sizeof hash; text += sizeof hash, length -= sizeof hash) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        hash = mix(hash ^ word, UINT64_C(0xd6e8feb86659fd93));
    }
    uint64_t rest = 0;
    memcpy(&rest, text, length);
    return mix(hash ^ rest, UINT64_C(0xa0761d6478bd642f) ^ hash);
}

int text_ids_init(struct text_ids *ids, struct error *error)
{
    if (allocate_zeroed(&ids->shards, NUM_SHARDS, sizeof *ids->shards, "the ids", error) != STATUS_OK)
        return error->status;
    for (unsigned s = 0; s < NUM_SHARDS; s++)
        omp_init_lock(&ids->shards[s].lock);
    return STATUS_OK;
}

void text_ids_release(struct text_ids *ids)
{
    for (unsigned s = 0; ids->shards != NULL && s < NUM_SHARDS; s++) {
        struct text_shard *shard = &ids->shards[s];
        omp_destroy_lock(&shard->lock);
        free(shard->slots);
        free(shard->records);
        free(shard->vertex);
    }
    free(ids->shards);
    *ids = (struct text_ids){0};
}

/* ---- adding ---- */

static struct record *record_at(const struct text_shard *shard, uint64_t offset)
{
    return (struct record *)(shard->records + offset);
}

static size_t record_bytes(size_t length)
{
    return (sizeof(struct record) + length + 1 + 3) & ~(size_t)3;
}

static bool grow_slots(struct text_shard *shard)
{
    size_t num_slots = shard->num_slots > 0 ? 2 * shard->num_slots : FIRST_SLOTS;
    uint64_t *slots = calloc(num_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint64_t at = 0; at < shard->bytes;) {
        const struct record *record = record_at(shard, at);
        uint64_t hash = hash_of(record->text, record->length);
        size_t slot = hash & (num_slots - 1);
        while (slots[slot] != 0)
            slot = (slot + 1) & (num_slots - 1);
        slots[slot] = hash >> OFFSET_BITS << OFFSET_BITS | (at + 1);
        at += record_bytes(record->length);
    }
    free(shard->slots);
    shard->slots = slots;
    shard->num_slots = num_slots;
    return true;
}

static bool append_record(struct text_shard *shard, const char *text, size_t length)
{
    size_t bytes = record_bytes(length);
    if (shard->capacity - shard->bytes < bytes) {
        size_t capacity = shard->capacity + shard->capacity / 2 + bytes + 256;
        char *larger = realloc(shard->records, capacity);
        if (larger == NULL)
            return false;
        shard->records = larger;
        shard->capacity = capacity;
    }
    struct record *record = record_at(shard, shard->bytes);
    record->length = (uint32_t)length;
    record->number = shard->count++;
    memcpy(record->text, text, length);
    memset(record->text + length, 0, bytes - sizeof *record - length);
    shard->bytes += bytes;
    return true;
}

/* Finds the number of the text's record, or appends a record. Returns false if memory is short. */
static bool find_or_append(struct text_shard *shard, uint64_t hash, const char *text, size_t length, uint32_t *number)
{
    if (2 * (size_t)shard->count >= shard->num_slots && !grow_slots(shard))
        return false;
    size_t slot = hash & (shard->num_slots - 1);
    for (; shard->slots[slot] != 0; slot = (slot + 1) & (shard->num_slots - 1)) {
        if (shard->slots[slot] >> OFFSET_BITS != hash >> OFFSET_BITS)
            continue;
        uint64_t offset = (shard->slots[slot] & ((UINT64_C(1) << OFFSET_BITS) - 1)) - 1;
        const struct record *record = record_at(shard, offset);
        if (record->length == length && memcmp(record->text, text, length) == 0) {
            *number = record->number;
            return true;
        }
    }
    uint64_t offset = shard->bytes;
    *number = shard->count;
    if (!append_record(shard, text, length))
        return false;
    shard->slots[slot] = hash >> OFFSET_BITS << OFFSET_BITS | (offset + 1);
    return true;
}

/* The highest bits of a hash are compared in the slots, the lowest ones choose the slot. */
static uint64_t shard_of(uint64_t hash)
{
    return hash >> (OFFSET_BITS - SHARD_BITS) & (NUM_SHARDS - 1);
}

bool text_ids_add(struct text_ids *ids, const char *text, size_t length, uint64_t *place)
{
    uint64_t hash = hash_of(text, length), s = shard_of(hash);
    uint32_t number = 0;
    omp_set_lock(&ids->shards[s].lock);
    bool added = find_or_append(&ids->shards[s], hash, text, length, &number);
    omp_unset_lock(&ids->shards[s].lock);
    *place = s << 32 | number;
    return added;
}

uint64_t text_ids_count(const struct text_ids *ids)
{
    uint64_t count = 0;
    for (unsigned s = 0; s < NUM_SHARDS; s++)
        count += ids->shards[s].count;
    return count;
}

vertex_t text_ids_vertex(const struct text_ids *ids, uint64_t place)
{
    return ids->shards[place >> 32].vertex[(uint32_t)place];
}

/* ---- numbering ---- */

struct item {
    uint64_t key; /* KEY_BYTES of the text, the first one highest, after what all texts begin with */
    const struct record *record;
    uint32_t shard;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return strcmp(first->record->text, second->record->text);
}

static size_t count_same(const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] != '\0' && a[same] == b[same])
        same++;
    return same;
}

/* Lists the texts of all shards, each with its key. */
static void list_items(const struct text_ids *ids, const uint64_t start[NUM_SHARDS], struct item *items,
                       uint64_t count)
{
    unsigned any = 0;
    size_t common = SIZE_MAX; /* bytes that all texts begin with */
    while (ids->shards[any].count == 0)
        any++;
    const char *first = record_at(&ids->shards[any], 0)->text;
#pragma omp parallel for schedule(dynamic, 8) reduction(min : common)
    for (unsigned s = 0; s < NUM_SHARDS; s++) {
        struct item *item = items + start[s];
        for (uint64_t at = 0; at < ids->shards[s].bytes; at += record_bytes(item++->record->length)) {
            *item = (struct item){.record = record_at(&ids->shards[s], at), .shard = s};
            size_t same = count_same(first, item->record->text);
            common = same < common ? same : common;
        }
    }
#pragma omp parallel for
    for (uint64_t i = 0; i < count; i++) {
        const struct record *record = items[i].record;
        for (size_t k = common; k < common + KEY_BYTES; k++)
            items[i].key = items[i].key << 8 | (k < record->length ? (unsigned char)record->text[k] : 0);
    }
}

/* Sorts halves, in tasks, and merges them. spare: room for count items. */
static void sort_items(struct item *items, struct item *spare, uint64_t count) // NOLINT(misc-no-recursion)
{
    if (count <= TASK_ITEMS) {
        qsort(items, count, sizeof *items, compare_items);
        return;
    }
    uint64_t half = count / 2, left = 0, right = half;
#pragma omp task
    sort_items(items, spare, half);
    sort_items(items + half, spare + half, count - half);
#pragma omp taskwait
    memcpy(spare, items, half * sizeof *items);
    for (struct item *to = items; left < half; to++)
        *to = right < count && compare_items(&items[right], &spare[left]) < 0 ? items[right++] : spare[left++];
}

/* Numbers the sorted items, and copies their texts. */
static int write_names(const struct text_ids *ids, const struct item *items, uint64_t count, struct graph *graph,
                       struct error *error)
{
    uint64_t *name_at, bytes = 0;
    char *names;
    if (allocate(&name_at, count + 1, sizeof *name_at, "the ids", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; i < count; i++) {
        name_at[i] = bytes;
        bytes += items[i].record->length + 1;
    }
    name_at[count] = bytes;
    if (allocate(&names, bytes, 1, "the ids", error) != STATUS_OK) {
        free(name_at);
        return error->status;
    }
#pragma omp parallel for
    for (uint64_t i = 0; i < count; i++) {
        const struct record *record = items[i].record;
        ids->shards[items[i].shard].vertex[record->number] = (vertex_t)i;
        memcpy(names + name_at[i], record->text, record->length + 1);
    }
    graph->num_vertices = (vertex_t)count;
    graph->name_at = name_at;
    graph->names = names;
    return STATUS_OK;
}

int text_ids_number(struct text_ids *ids, struct graph *graph, struct error *error)
{
    struct item *items = NULL, *spare = NULL;
    uint64_t start[NUM_SHARDS], count = 0;
    for (unsigned s = 0; s < NUM_SHARDS && error->status == STATUS_OK; s++) {
        struct text_shard *shard = &ids->shards[s];
        start[s] = count;
        count += shard->count;
        allocate(&shard->vertex, shard->count, sizeof *shard->vertex, "the ids", error);
        free(shard->slots); /* nothing is added any more */
        shard->slots = NULL;
    }
    if (error->status == STATUS_OK && count > 0 &&
        allocate(&items, count, sizeof *items, "the ids", error) == STATUS_OK &&
        allocate(&spare, count, sizeof *spare, "the ids", error) == STATUS_OK) {
        list_items(ids, start, items, count);
#pragma omp parallel
#pragma omp single
        sort_items(items, spare, count);
        write_names(ids, items, count, graph, error);
    }
    free(items);
    free(spare);
    return error->status;
}
