/* binary.c: the .gtrav file: a header of 128 bytes, then the graph's arrays. The header says which arrays the file
 * has (list_sections). Little-endian, like all supported machines. */
#include "binary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../progress.h"
#include "reorder.h"

#define MAGIC     "GTRAVCSR"
#define VERSION   1u                 /* of a file without weights */
#define WEIGHTED  2u                 /* version of a file with weights; older programs say that it is newer */
#define CRC_PIECE ((size_t)16 << 20) /* size of the pieces that threads checksum, in bytes */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a .gtrav file is little-endian");

/* Flags in the header. PERMUTED and the three about ids say which arrays the file has. */
enum {
    SYMMETRIC = 1,
    PERMUTED = 2,
    NUMBER_IDS = 4,
    SIGNED_IDS = 8,
    TEXT_IDS = 16,
    WEIGHTS_IGNORED = 32,
    ALL_FLAGS = 63
};

struct header {
    char magic[8];
    uint32_t version, flags;
    uint64_t num_vertices, num_edges;
    uint64_t self_loops_dropped, duplicates_dropped;
    struct file_stamp stamp;
    char origin[28];
    uint8_t weight_type, weight_source, symmetric_weights, unused; /* all 0 in a file without weights */
    char reordering[MAX_REORDERING];
    uint32_t payload_crc;
    uint32_t header_crc; /* checksum of all bytes before it */
};
_Static_assert(sizeof(struct header) == 128, "the header's size is part of the format");

bool stamp_file(const char *path, struct file_stamp *stamp)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return false;
    *stamp = (struct file_stamp){(uint64_t)facts.st_size,
                                 (int64_t)facts.st_mtim.tv_sec * 1000000000 + facts.st_mtim.tv_nsec};
    return true;
}

/* Reads a header without a stream, which would need memory. Returns the number of bytes read, or -1 with errno. */
static ssize_t peek_header(const char *path, struct header *header)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? pread(file, header, sizeof *header, 0) : -1;
    int failure = errno;
    if (file >= 0)
        close(file);
    errno = failure;
    return got;
}

bool is_binary_graph(const char *path)
{
    struct header header = {0};
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && /* opening a pipe could consume its text */
           peek_header(path, &header) >= (ssize_t)sizeof header.magic &&
           memcmp(header.magic, MAGIC, sizeof header.magic) == 0;
}

bool binary_may_replace(const char *path)
{
    static const struct file_stamp none;
    struct header header = {0};
    ssize_t got = peek_header(path, &header);
    if (got <= 0)
        return got == 0 || errno == ENOENT;
    bool whole = got == sizeof header && memcmp(&header.stamp, &none, sizeof none) == 0;
    return memcmp(header.magic, MAGIC, sizeof header.magic) == 0 && !whole;
}

/* Returns zlib's CRC-32 of a large block. Parallel. */
static uint32_t checksum(const void *data, size_t length)
{
    size_t pieces = (length + CRC_PIECE - 1) / CRC_PIECE;
    uint32_t crc = (uint32_t)crc32(0, NULL, 0);
#pragma omp parallel for ordered schedule(static, 1)
    for (size_t i = 0; i < pieces; i++) {
        size_t size = i + 1 < pieces ? CRC_PIECE : length - i * CRC_PIECE;
        uLong piece = crc32_z(crc32(0, NULL, 0), (const unsigned char *)data + i * CRC_PIECE, size);
#pragma omp ordered
        crc = (uint32_t)crc32_combine(crc, piece, (z_off_t)size);
    }
    return crc;
}

static uint32_t header_checksum(const struct header *header)
{
    return checksum(header, offsetof(struct header, header_crc));
}

#define MAX_SECTIONS 7

struct section {
    size_t member; /* offset of the array's pointer in struct graph */
    size_t bytes;
};

/* Lists the arrays in the order of the file. Returns their number. */
static int list_sections(const struct header *header, size_t text_bytes, struct section sections[MAX_SECTIONS])
{
    const size_t n = header->num_vertices;
#define MEMBER(name) offsetof(struct graph, name)
    const struct {
        unsigned flag; /* flag in the header that says whether the file has the array; 0: always */
        struct section section;
    } all[] = {
        {0, {MEMBER(offsets), (n + 1) * sizeof(edge_t)}},
        {NUMBER_IDS, {MEMBER(ids), n * sizeof(uint64_t)}},
        {TEXT_IDS, {MEMBER(name_at), (n + 1) * sizeof(uint64_t)}},
        {0, {MEMBER(targets), header->num_edges * sizeof(vertex_t)}},
        {PERMUTED, {MEMBER(permutation), n * sizeof(vertex_t)}},
        {TEXT_IDS, {MEMBER(names), text_bytes}},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((header->flags & all[i].flag) == all[i].flag)
            sections[count++] = all[i].section;
    if (header->weight_type != WEIGHTS_NONE)
        sections[count++] = (struct section){MEMBER(weights), header->num_edges * weight_bytes(header->weight_type)};
    return count;
}

/* Returns the bytes of the file without the text of ids. */
static size_t fixed_bytes(const struct header *header)
{
    struct section sections[MAX_SECTIONS];
    size_t bytes = sizeof *header;
    for (int i = list_sections(header, 0, sections) - 1; i >= 0; i--)
        bytes += sections[i].bytes;
    return bytes;
}

static int check_header(const struct header *header, size_t file_bytes, const char *path, struct error *error)
{
    unsigned ids = header->flags & (NUMBER_IDS | SIGNED_IDS | TEXT_IDS);
    bool known_ids = ids == 0 || ids == NUMBER_IDS || ids == (NUMBER_IDS | SIGNED_IDS) || ids == TEXT_IDS;
    if (header->header_crc != header_checksum(header) || header->flags > ALL_FLAGS || !known_ids)
        return error_set(error, STATUS_INPUT, "%s: damaged header; write the file anew", path);
    if (header->version < VERSION || header->version > WEIGHTED)
        return error_set(error, STATUS_INPUT, "%s: version %u of the .gtrav form; this program reads version %u", path,
                         header->version, WEIGHTED);
    if (header->weight_type > WEIGHTS_DOUBLE || header->weight_source > WEIGHTS_GRAPH500 ||
        header->symmetric_weights > 1 || (header->weight_type != WEIGHTS_NONE) != (header->version == WEIGHTED))
        return error_set(error, STATUS_INPUT, "%s: damaged header; write the file anew", path);
    if (header->num_vertices > MAX_VERTICES || header->num_edges > file_bytes / sizeof(vertex_t) ||
        (ids == TEXT_IDS ? fixed_bytes(header) >= file_bytes : fixed_bytes(header) != file_bytes))
        return error_set(error, STATUS_INPUT, "%s: truncated file; write it anew", path);
    return STATUS_OK;
}

static int check_permutation(const struct graph *graph, const struct header *header, const char *path,
                             struct error *error)
{
    if (graph->permutation == NULL)
        return STATUS_OK;
    if (header->reordering[MAX_REORDERING - 1] != '\0' || !is_reordering(header->reordering))
        return error_set(error, STATUS_INPUT, "%s: reordered in a way that is not known here; write it anew", path);
    bool valid = true;
    if (test_permutation(graph->permutation, graph->num_vertices, &valid, error) == STATUS_OK && !valid)
        error_set(error, STATUS_INPUT, "%s: not a valid graph (a vertex of the input is missing); write it anew", path);
    return error->status;
}

/* Checks, before any text is read, that all texts lie in the file and end with a NUL. */
static int check_names(const struct graph *graph, size_t text_bytes, const char *path, struct error *error)
{
    size_t n = graph->num_vertices;
    bool good = graph->name_at[0] == 0 && graph->name_at[n] == text_bytes;
    for (size_t v = 0; v < n && good; v++)
        good = graph->name_at[v] < graph->name_at[v + 1] && graph->name_at[v + 1] <= text_bytes &&
               graph->names[graph->name_at[v + 1] - 1] == '\0';
    return good ? STATUS_OK
                : error_set(error, STATUS_INPUT, "%s: truncated file, or its ids are damaged; write it anew", path);
}

static int check_ids(const struct graph *graph, const char *path, struct error *error)
{
    bool ascending = true;
    for (vertex_t v = 1; graph->ids != NULL && v < graph->num_vertices; v++)
        ascending = ascending && (graph->signed_ids ? (int64_t)graph->ids[v - 1] < (int64_t)graph->ids[v]
                                                    : graph->ids[v - 1] < graph->ids[v]);
    for (vertex_t v = 1; graph->names != NULL && v < graph->num_vertices; v++)
        ascending = ascending && strcmp(graph->names + graph->name_at[v - 1], graph->names + graph->name_at[v]) < 0;
    return ascending
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "%s: not a valid graph (its ids do not ascend); write it anew", path);
}

/* Reads a file's arrays one after the other. */
struct payload {
    const char *path;
    int descriptor;
    uint64_t at; /* where the next array begins */
    uLong crc;   /* checksum of the bytes before `at` */
};

/* Returns errno, ENODATA at the end of the file, or 0. */
static int read_piece(int descriptor, char *to, size_t bytes, uint64_t at)
{
    if (stop_requested())
        return EINTR;
    for (ssize_t got; bytes > 0; to += got, at += (uint64_t)got, bytes -= (size_t)got)
        if ((got = pread(descriptor, to, bytes, (off_t)at)) <= 0)
            return got < 0 ? errno : ENODATA;
    return 0;
}

/* Reads the next array into new memory and sets *array to it. Does nothing after an error. */
static void read_array(struct payload *payload, void *array, size_t bytes, struct error *error)
{
    char *to;
    int failure = 0;
    struct progress_listener *listener = progress_listener;
    if (error->status != STATUS_OK || allocate(&to, bytes, 1, payload->path, error) != STATUS_OK)
        return;
    memcpy(array, &to, sizeof to);
#pragma omp parallel reduction(max : failure)
    {
        progress_join(listener);
#pragma omp for ordered schedule(static, 1)
        for (size_t first = 0; first < bytes; first += CRC_PIECE) {
            size_t size = bytes - first < CRC_PIECE ? bytes - first : CRC_PIECE;
            int failed = read_piece(payload->descriptor, to + first, size, payload->at + first);
            uLong piece = failed ? 0 : crc32_z(crc32(0, NULL, 0), (const unsigned char *)to + first, size);
            failure = failed > failure ? failed : failure;
#pragma omp ordered
            payload->crc = crc32_combine(payload->crc, piece, (z_off_t)size);
        }
    }
    payload->at += bytes;
    if (failure == EINTR)
        error_set(error, STATUS_INTERRUPTED, "interrupted");
    else if (failure == ENODATA)
        error_set(error, STATUS_INPUT, "%s: truncated file; write it anew", payload->path);
    else if (failure != 0) {
        errno = failure;
        error_errno(error, "%s: cannot read", payload->path);
    }
}

static int read_arrays(struct payload *payload, const struct header *header, size_t text_bytes, struct graph *graph,
                       struct error *error)
{
    struct section sections[MAX_SECTIONS];
    int num_sections = list_sections(header, text_bytes, sections);
    graph->num_vertices = (vertex_t)header->num_vertices;
    graph->num_edges = header->num_edges;
    graph->symmetric = header->flags & SYMMETRIC;
    graph->signed_ids = header->flags & SIGNED_IDS;
    graph->weights_ignored = header->flags & WEIGHTS_IGNORED;
    graph->self_loops_dropped = header->self_loops_dropped;
    graph->duplicates_dropped = header->duplicates_dropped;
    graph->weight_type = header->weight_type;
    graph->weight_source = header->weight_source;
    graph->symmetric_weights = header->symmetric_weights;
    memcpy(graph->origin, header->origin, sizeof header->origin - 1);
    if (header->flags & PERMUTED)
        memcpy(graph->reordering, header->reordering, sizeof graph->reordering - 1);
    for (int i = 0; i < num_sections; i++)
        read_array(payload, (char *)graph + sections[i].member, sections[i].bytes, error);
    if (error->status == STATUS_OK && header->payload_crc != payload->crc)
        error_set(error, STATUS_INPUT, "%s: damaged file (its checksum is wrong); write it anew", payload->path);
    return error->status;
}

static int read_file(int descriptor, size_t bytes, const struct file_stamp *stamp, const char *path,
                     struct graph *graph, struct error *error)
{
    struct header header;
    struct payload payload = {path, descriptor, sizeof header, crc32(0, NULL, 0)};
    char what[512];
    snprintf(what, sizeof what, "%.500s", path);
    if (pread(descriptor, &header, sizeof header, 0) != sizeof header)
        return error_set(error, STATUS_INPUT, "%s: truncated file; write it anew", path);
    if (check_header(&header, bytes, path, error) != STATUS_OK ||
        require_memory((double)bytes, what, error) != STATUS_OK)
        return error->status;
    if (stamp != NULL && memcmp(stamp, &header.stamp, sizeof *stamp) != 0)
        return error_set(error, STATUS_INPUT, "%s: made from another state of the input", path);
    size_t text_bytes = bytes - fixed_bytes(&header);
    if (read_arrays(&payload, &header, text_bytes, graph, error) == STATUS_OK &&
        (graph->names == NULL || check_names(graph, text_bytes, path, error) == STATUS_OK) &&
        graph_validate(graph, path, error) == STATUS_OK && check_permutation(graph, &header, path, error) == STATUS_OK)
        check_ids(graph, path, error);
    return error->status;
}

int binary_read(const char *path, const struct file_stamp *stamp, struct graph *graph, struct error *error)
{
    *graph = (struct graph){0};
    struct stat facts;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &facts) != 0)
        error_errno(error, "%s: cannot open", path);
    else
        read_file(descriptor, (size_t)facts.st_size, stamp, path, graph, error);
    if (descriptor >= 0)
        close(descriptor);
    if (error->status != STATUS_OK)
        graph_release(graph);
    return error->status;
}

int binary_write(const struct graph *graph, const struct file_stamp *stamp, FILE *file, const char *path,
                 struct error *error)
{
    struct section sections[MAX_SECTIONS];
    const void *arrays[MAX_SECTIONS];
    struct header header = {.magic = MAGIC,
                            .version = graph->weights != NULL ? WEIGHTED : VERSION,
                            .num_vertices = graph->num_vertices,
                            .num_edges = graph->num_edges,
                            .self_loops_dropped = graph->self_loops_dropped,
                            .duplicates_dropped = graph->duplicates_dropped,
                            .weight_type = (uint8_t)graph->weight_type,
                            .weight_source = graph->weights != NULL ? (uint8_t)graph->weight_source : 0,
                            .symmetric_weights = graph->symmetric_weights};
    bool permuted = graph->permutation != NULL && strcmp(graph->reordering, "natural") != 0; /* no reordering */
    header.flags = (graph->symmetric ? SYMMETRIC : 0u) | (permuted ? PERMUTED : 0u) |
                   (graph->ids != NULL ? NUMBER_IDS : 0u) | (graph->signed_ids ? SIGNED_IDS : 0u) |
                   (graph->names != NULL ? TEXT_IDS : 0u) | (graph->weights_ignored ? WEIGHTS_IGNORED : 0u);
    if (stamp != NULL)
        header.stamp = *stamp;
    memcpy(header.origin, graph->origin, sizeof header.origin);
    memcpy(header.reordering, graph->reordering, sizeof header.reordering);
    size_t text_bytes = graph->names != NULL ? graph->name_at[graph->num_vertices] : 0;
    int num_sections = list_sections(&header, text_bytes, sections);
    uLong crc = crc32(0, NULL, 0);
    for (int i = 0; i < num_sections; i++) {
        memcpy(&arrays[i], (const char *)graph + sections[i].member, sizeof arrays[i]);
        crc = crc32_combine(crc, checksum(arrays[i], sections[i].bytes), (z_off_t)sections[i].bytes);
    }
    header.payload_crc = (uint32_t)crc;
    header.header_crc = header_checksum(&header);
    bool written = fwrite(&header, sizeof header, 1, file) == 1;
    for (int i = 0; i < num_sections; i++)
        written = written && fwrite(arrays[i], 1, sections[i].bytes, file) == sections[i].bytes;
    return written ? STATUS_OK : error_errno(error, "%s: cannot write", path);
}
