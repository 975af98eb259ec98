/* dictionary.c: the hash of an id chooses one of 1,024 shards. A shard has a lock, a hash table, and its ids, each as
 * a record of bytes, one after the other. To number the ids, all are sorted by merging. */
#include "dictionary.h"

#include <omp.h>

#include "random.h"

#define SHARD_BITS  10u
#define NUM_SHARDS  (1u << SHARD_BITS)
#define FIRST_SLOTS 64u
#define OFFSET_BITS 40u /* a slot: the offset of the record in its shard, plus 1, and the other bits of the hash */
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
#define TASK_ITEMS  8192u /* fewer are not worth a task */
#define KEY_BYTES   8u

/* An id in a shard. The next record begins at a multiple of 4 bytes, after the NUL that ends the bytes. */
struct record {
    uint32_t length, number; /* bytes of the id; number of records before it in the shard */
    char bytes[];            /* the text, or the 8 bytes of a number */
};

struct shard {
    omp_lock_t lock;
    uint64_t *slots;
    size_t num_slots; /* a power of two; at most half of the slots are used */
    char *records;
    size_t bytes, capacity;
    uint32_t count;
    vertex_t *vertex; /* count: the vertex of each record, once the ids are numbered */
};

/* Returns the bytes by which an id is stored, and sets *length to their number. */
static const char *bytes_of(const struct id *id, size_t *length)
{
    *length = id->text != NULL ? id->length : sizeof id->number;
    return id->text != NULL ? id->text : (const char *)&id->number;
}

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = length, word = 0;
    for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = random_bits(hash ^ word);
    }
    word = 0;
    memcpy(&word, bytes, length);
    return random_bits(hash ^ word);
}

int dictionary_init(struct dictionary *dictionary, bool of_texts, struct error *error)
{
    *dictionary = (struct dictionary){.of_texts = of_texts};
    if (allocate_zeroed(&dictionary->shards, NUM_SHARDS, sizeof *dictionary->shards, "the ids", error) != STATUS_OK)
        return error->status;
    for (unsigned s = 0; s < NUM_SHARDS; s++)
        omp_init_lock(&dictionary->shards[s].lock);
    return STATUS_OK;
}

void dictionary_release(struct dictionary *dictionary)
{
    for (unsigned s = 0; dictionary->shards != NULL && s < NUM_SHARDS; s++) {
        struct shard *shard = &dictionary->shards[s];
        omp_destroy_lock(&shard->lock);
        free(shard->slots);
        free(shard->records);
        free(shard->vertex);
    }
    free(dictionary->shards);
    *dictionary = (struct dictionary){0};
}

/* ---- adding ---- */

static struct record *record_at(const struct shard *shard, uint64_t offset)
{
    return (struct record *)(shard->records + offset);
}

static size_t record_bytes(size_t length)
{
    return (sizeof(struct record) + length + 1 + 3) & ~(size_t)3;
}

/* Makes room in the hash table for more records. Returns false if memory is short. */
static bool reserve_slots(struct shard *shard, size_t more)
{
    size_t num_slots = shard->num_slots > 0 ? shard->num_slots : FIRST_SLOTS;
    while (2 * (shard->count + more) > num_slots)
        num_slots *= 2;
    if (num_slots == shard->num_slots)
        return true;
    uint64_t *slots = calloc(num_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint64_t at = 0; at < shard->bytes;) {
        const struct record *record = record_at(shard, at);
        uint64_t hash = hash_of(record->bytes, record->length);
        size_t slot = hash & (num_slots - 1);
        while (slots[slot] != 0)
            slot = (slot + 1) & (num_slots - 1);
        slots[slot] = (hash & ~OFFSET_MASK) | (at + 1);
        at += record_bytes(record->length);
    }
    free(shard->slots);
    shard->slots = slots;
    shard->num_slots = num_slots;
    return true;
}

static bool append_record(struct shard *shard, const char *bytes, size_t length)
{
    size_t size = record_bytes(length);
    if (shard->capacity - shard->bytes < size) {
        size_t capacity = shard->capacity + shard->capacity / 2 + size + 256;
        char *larger = realloc(shard->records, capacity);
        if (larger == NULL)
            return false;
        shard->records = larger;
        shard->capacity = capacity;
    }
    struct record *record = record_at(shard, shard->bytes);
    *record = (struct record){(uint32_t)length, shard->count++};
    memcpy(record->bytes, bytes, length);
    memset(record->bytes + length, 0, size - sizeof *record - length);
    shard->bytes += size;
    return true;
}

/* Finds the record of an id, or appends one, and sets *number to its number. Returns false if memory is short. */
static bool find_or_append(struct shard *shard, const struct id *id, uint32_t *number)
{
    size_t length;
    const char *bytes = bytes_of(id, &length);
    uint64_t hash = id->place;
    size_t slot = hash & (shard->num_slots - 1);
    for (; shard->slots[slot] != 0; slot = (slot + 1) & (shard->num_slots - 1)) {
        if ((shard->slots[slot] ^ hash) > OFFSET_MASK)
            continue;
        const struct record *record = record_at(shard, (shard->slots[slot] & OFFSET_MASK) - 1);
        if (record->length == length && memcmp(record->bytes, bytes, length) == 0) {
            *number = record->number;
            return true;
        }
    }
    shard->slots[slot] = (hash & ~OFFSET_MASK) | (shard->bytes + 1);
    *number = shard->count;
    return append_record(shard, bytes, length);
}

/* Fetches what find_or_append() will read, for many ids at once: the slots, then the records. order: see below. */
static void fetch_ahead(const struct shard *shard, const struct id *ids, const uint64_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&shard->slots[ids[(uint32_t)order[i]].place & (shard->num_slots - 1)]);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t slot = shard->slots[ids[(uint32_t)order[i]].place & (shard->num_slots - 1)];
        if (slot != 0)
            __builtin_prefetch(record_at(shard, (slot & OFFSET_MASK) - 1));
    }
}

/* Adds the ids whose indices are the low halves of order[0] .. order[count - 1]. The high halves are the shard. */
static bool add_to_shard(struct shard *shard, struct id *ids, const uint64_t *order, uint32_t count)
{
    omp_set_lock(&shard->lock);
    bool added = reserve_slots(shard, count);
    if (added)
        fetch_ahead(shard, ids, order, count);
    for (uint32_t i = 0; i < count && added; i++) {
        struct id *id = &ids[(uint32_t)order[i]];
        uint32_t number = 0;
        added = find_or_append(shard, id, &number);
        id->place = order[i] >> 32 << 32 | number;
    }
    omp_unset_lock(&shard->lock);
    return added;
}

bool dictionary_add(struct dictionary *dictionary, struct id *ids, uint32_t count, struct radix *radix)
{
    bool negative = false, huge = false;
    if (!radix_reserve(radix, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const char *bytes = bytes_of(&ids[i], &length);
        ids[i].place = hash_of(bytes, length);
        negative = negative || ids[i].negative;
        huge = huge || (!ids[i].negative && ids[i].number > INT64_MAX);
        /* The slots compare the highest bits of a hash, and the lowest bits choose the slot. */
        uint64_t shard = ids[i].place >> (OFFSET_BITS - SHARD_BITS) & (NUM_SHARDS - 1);
        radix->keys[i] = shard << 32 | i;
    }
    if (negative)
        __atomic_store_n(&dictionary->has_negative, true, __ATOMIC_RELAXED);
    if (huge)
        __atomic_store_n(&dictionary->has_huge, true, __ATOMIC_RELAXED);
    radix_sort(radix, count, 32, 32 + SHARD_BITS);
    const uint64_t *order = radix->keys;
    for (uint32_t first = 0, end; first < count; first = end) {
        uint64_t shard = order[first] >> 32;
        for (end = first + 1; end < count && order[end] >> 32 == shard; end++)
            continue;
        if (!add_to_shard(&dictionary->shards[shard], ids, order + first, end - first))
            return false;
    }
    return true;
}

uint64_t dictionary_count(const struct dictionary *dictionary)
{
    uint64_t count = 0;
    for (unsigned s = 0; s < NUM_SHARDS; s++)
        count += dictionary->shards[s].count;
    return count;
}

static uint64_t number_of(const struct record *record)
{
    uint64_t number;
    memcpy(&number, record->bytes, sizeof number);
    return number;
}

bool dictionary_is_below(const struct dictionary *dictionary, uint64_t bound)
{
    bool below = !dictionary->has_negative;
#pragma omp parallel for reduction(&& : below)
    for (unsigned s = 0; s < NUM_SHARDS; s++)
        for (uint64_t at = 0; at < dictionary->shards[s].bytes; at += record_bytes(sizeof(uint64_t)))
            below = below && number_of(record_at(&dictionary->shards[s], at)) < bound;
    return below;
}

vertex_t dictionary_vertex(const struct dictionary *dictionary, uint64_t place)
{
    return dictionary->shards[place >> 32].vertex[(uint32_t)place];
}

/* ---- numbering ---- */

struct item {
    uint64_t key; /* a number, or 8 bytes of a text after the bytes that all texts share; ascends with the ids */
    const struct record *record;
    uint32_t shard;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return strcmp(first->record->bytes, second->record->bytes);
}

static size_t count_same(const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] != '\0' && a[same] == b[same])
        same++;
    return same;
}

static uint64_t sign_bit(const struct dictionary *dictionary)
{
    return (uint64_t)dictionary->has_negative << 63;
}

/* Returns the key of a record. common: how many bytes all texts begin with. */
static uint64_t key_of(const struct dictionary *dictionary, const struct record *record, size_t common)
{
    uint64_t key = 0;
    if (!dictionary->of_texts)
        return number_of(record) ^ sign_bit(dictionary); /* so that numbers below 0 come first */
    for (size_t k = common; k < common + KEY_BYTES; k++)
        key = key << 8 | (k < record->length ? (unsigned char)record->bytes[k] : 0);
    return key;
}

/* Lists the ids of all shards, each with its key. */
static void list_items(const struct dictionary *dictionary, const uint64_t start[NUM_SHARDS], struct item *items,
                       uint64_t count)
{
    const struct shard *shards = dictionary->shards, *any = shards;
    size_t common = SIZE_MAX;
    while (any->count == 0)
        any++;
    const char *first = record_at(any, 0)->bytes;
#pragma omp parallel for schedule(dynamic, 8) reduction(min : common)
    for (unsigned s = 0; s < NUM_SHARDS; s++) {
        struct item *item = items + start[s];
        for (uint64_t at = 0; at < shards[s].bytes; at += record_bytes(item++->record->length)) {
            *item = (struct item){.record = record_at(&shards[s], at), .shard = s};
            size_t same = dictionary->of_texts ? count_same(first, item->record->bytes) : 0;
            common = same < common ? same : common;
        }
    }
#pragma omp parallel for
    for (uint64_t i = 0; i < count; i++)
        items[i].key = key_of(dictionary, items[i].record, common);
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

/* Gives the sorted ids to the graph. */
static int write_numbers(const struct dictionary *dictionary, const struct item *items, struct graph *graph,
                         struct error *error)
{
    if (allocate(&graph->ids, graph->num_vertices, sizeof *graph->ids, "the ids", error) != STATUS_OK)
        return error->status;
    graph->signed_ids = dictionary->has_negative;
#pragma omp parallel for
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        graph->ids[v] = items[v].key ^ sign_bit(dictionary);
    return STATUS_OK;
}

static int write_names(const struct item *items, struct graph *graph, struct error *error)
{
    const vertex_t n = graph->num_vertices;
    uint64_t *name_at, bytes = 0;
    if (allocate(&graph->name_at, (size_t)n + 1, sizeof *name_at, "the ids", error) != STATUS_OK)
        return error->status;
    name_at = graph->name_at;
    for (vertex_t v = 0; v < n; bytes += items[v++].record->length + 1)
        name_at[v] = bytes;
    name_at[n] = bytes;
    if (allocate(&graph->names, bytes, 1, "the ids", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for
    for (vertex_t v = 0; v < n; v++)
        memcpy(graph->names + name_at[v], items[v].record->bytes, items[v].record->length + 1);
    return STATUS_OK;
}

int dictionary_number(struct dictionary *dictionary, struct graph *graph, struct error *error)
{
    struct item *items = NULL, *spare = NULL;
    uint64_t start[NUM_SHARDS], count = 0;
    for (unsigned s = 0; s < NUM_SHARDS && error->status == STATUS_OK; s++) {
        struct shard *shard = &dictionary->shards[s];
        start[s] = count;
        count += shard->count;
        allocate(&shard->vertex, shard->count, sizeof *shard->vertex, "the ids", error);
        free(shard->slots); /* nothing is added any more */
        shard->slots = NULL;
    }
    if (error->status == STATUS_OK && count > 0 &&
        allocate(&items, count, sizeof *items, "the ids", error) == STATUS_OK &&
        allocate(&spare, count, sizeof *spare, "the ids", error) == STATUS_OK) {
        list_items(dictionary, start, items, count);
#pragma omp parallel
#pragma omp single
        sort_items(items, spare, count);
#pragma omp parallel for
        for (uint64_t i = 0; i < count; i++)
            dictionary->shards[items[i].shard].vertex[items[i].record->number] = (vertex_t)i;
        graph->num_vertices = (vertex_t)count;
        dictionary->of_texts ? write_names(items, graph, error) : write_numbers(dictionary, items, graph, error);
    }
    free(items);
    free(spare);
    return error->status;
}
