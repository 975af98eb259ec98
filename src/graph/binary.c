/* binary.c: the .gtrav file: a header of 128 bytes, the offsets, the ids (if they are numbers) or where the text of
 * each id begins (if they are text), the targets, the permutation (if the graph is reordered), and the text of the
 * ids. Little-endian, like all supported machines. */
#include "binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../progress.h"
#include "reorder.h"

#define MAGIC     "GTRAVCSR"
#define VERSION   1u                 /* in the input's order; older programs can still read it */
#define REORDERED 2u                 /* version with a permutation after the targets */
#define WITH_IDS  3u                 /* version with ids; reordered if header.reordering is set */
#define WITH_TEXT 4u                 /* the same with ids that are text, or of which some are negative */
#define SYMMETRIC 1u                 /* flags */
#define TEXT_IDS  2u                 /* the ids of version 4 are text, not signed numbers */
#define CRC_PIECE ((size_t)16 << 20) /* bytes a thread checksums at a time */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a .gtrav file is little-endian");

struct header {
    char magic[8];
    uint32_t version, flags;
    uint64_t num_vertices, num_edges;
    uint64_t self_loops_dropped, duplicates_dropped;
    struct file_stamp stamp;
    char origin[32];
    char reordering[MAX_REORDERING]; /* zeros in version 1 */
    uint32_t payload_crc;
    uint32_t header_crc; /* of all bytes before it */
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

bool is_binary_graph(const char *path)
{
    char magic[8];
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) /* opening a pipe would take it from the readers */
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC); /* no stream, which needs memory */
    bool is = file >= 0 && pread(file, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, MAGIC, 8) == 0;
    if (file >= 0)
        close(file);
    return is;
}

bool binary_may_replace(const char *path)
{
    static const struct file_stamp none;
    struct header header = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? pread(file, &header, sizeof header, 0) : -1;
    bool absent = file < 0 && errno == ENOENT;
    if (file >= 0)
        close(file);
    if (got <= 0)
        return absent || got == 0;
    bool whole = got == sizeof header && memcmp(&header.stamp, &none, sizeof none) == 0;
    return memcmp(header.magic, MAGIC, sizeof header.magic) == 0 && !whole;
}

/* zlib's CRC-32 of a large block, in parallel. */
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

static size_t offset_bytes(uint64_t num_vertices)
{
    return (num_vertices + 1) * sizeof(edge_t);
}

#define MAX_SECTIONS 5

/* A graph's arrays in the order of the file. */
struct section {
    const void *data;
    size_t bytes;
};

static int list_sections(const struct graph *graph, struct section sections[MAX_SECTIONS])
{
    size_t n = graph->num_vertices;
    int count = 0;
    sections[count++] = (struct section){graph->offsets, offset_bytes(n)};
    if (graph->ids != NULL)
        sections[count++] = (struct section){graph->ids, n * sizeof *graph->ids};
    if (graph->name_at != NULL)
        sections[count++] = (struct section){graph->name_at, offset_bytes(n)};
    sections[count++] = (struct section){graph->targets, graph->num_edges * sizeof *graph->targets};
    if (graph->permutation != NULL)
        sections[count++] = (struct section){graph->permutation, n * sizeof *graph->permutation};
    if (graph->names != NULL)
        sections[count++] = (struct section){graph->names, graph->name_at[n]};
    return count;
}

static uint32_t payload_checksum(const struct graph *graph)
{
    struct section sections[MAX_SECTIONS];
    int count = list_sections(graph, sections);
    uLong crc = crc32(0, NULL, 0);
    for (int i = 0; i < count; i++)
        crc = crc32_combine(crc, checksum(sections[i].data, sections[i].bytes), (z_off_t)sections[i].bytes);
    return (uint32_t)crc;
}

static bool is_permuted(const struct header *header)
{
    return header->version == REORDERED || (header->version >= WITH_IDS && header->reordering[0] != '\0');
}

static bool has_text(const struct header *header)
{
    return header->version == WITH_TEXT && header->flags & TEXT_IDS;
}

/* Bytes of the ids' numbers, or of the places of their texts. */
static size_t id_bytes(const struct header *header)
{
    if (has_text(header))
        return offset_bytes(header->num_vertices);
    return header->version >= WITH_IDS ? header->num_vertices * sizeof(uint64_t) : 0;
}

/* Bytes of the file without the ids' text. */
static size_t fixed_bytes(const struct header *header)
{
    uint64_t permuted = is_permuted(header) ? header->num_vertices : 0;
    return sizeof *header + offset_bytes(header->num_vertices) + id_bytes(header) +
           (header->num_edges + permuted) * sizeof(vertex_t);
}

static int check_header(const struct header *header, size_t file_bytes, const char *path, struct error *error)
{
    if (header->header_crc != header_checksum(header))
        return error_set(error, STATUS_INPUT, "%s: damaged header; write the file anew", path);
    if (header->version < VERSION || header->version > WITH_TEXT)
        return error_set(error, STATUS_INPUT,
                         "%s: version %u of the .gtrav form; this program reads versions %u to %u", path,
                         header->version, VERSION, WITH_TEXT);
    if (header->num_vertices > MAX_VERTICES || header->num_edges > file_bytes / sizeof(vertex_t) ||
        (has_text(header) ? fixed_bytes(header) >= file_bytes : fixed_bytes(header) != file_bytes))
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
        error_set(error, STATUS_INPUT, "%s: not a valid graph (a vertex of the input is missing); write it anew",
                  path);
    return error->status;
}

/* Checks that each text lies in the file and ends with a NUL, before any is read. */
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

/* A file's arrays, which are read one after the other. */
struct payload {
    const char *path;
    int descriptor;
    uint64_t at; /* where the next array begins */
    uLong crc;   /* of those before it */
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

/* Reads the next array into new memory, to which *array will point. Does nothing after an error. */
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
    size_t n = header->num_vertices;
    graph->num_vertices = (vertex_t)n;
    graph->num_edges = header->num_edges;
    graph->symmetric = header->flags & SYMMETRIC;
    graph->self_loops_dropped = header->self_loops_dropped;
    graph->duplicates_dropped = header->duplicates_dropped;
    memcpy(graph->origin, header->origin, sizeof graph->origin - 1);
    read_array(payload, &graph->offsets, offset_bytes(n), error);
    if (has_text(header))
        read_array(payload, &graph->name_at, id_bytes(header), error);
    else if (id_bytes(header) > 0)
        read_array(payload, &graph->ids, id_bytes(header), error);
    graph->signed_ids = graph->ids != NULL && header->version == WITH_TEXT;
    read_array(payload, &graph->targets, header->num_edges * sizeof(vertex_t), error);
    if (is_permuted(header)) {
        read_array(payload, &graph->permutation, n * sizeof(vertex_t), error);
        memcpy(graph->reordering, header->reordering, sizeof graph->reordering - 1);
    }
    if (has_text(header))
        read_array(payload, &graph->names, text_bytes, error);
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
        (!has_text(&header) || check_names(graph, text_bytes, path, error) == STATUS_OK) &&
        graph_validate(graph, path, error) == STATUS_OK &&
        check_permutation(graph, &header, path, error) == STATUS_OK)
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
    int num_sections = list_sections(graph, sections);
    struct header header = {.magic = MAGIC,
                            .version = graph->names != NULL || graph->signed_ids ? WITH_TEXT
                                       : graph->ids != NULL                      ? WITH_IDS
                                       : graph->permutation != NULL              ? REORDERED
                                                                                 : VERSION,
                            .flags = (graph->symmetric ? SYMMETRIC : 0) | (graph->names != NULL ? TEXT_IDS : 0),
                            .num_vertices = graph->num_vertices,
                            .num_edges = graph->num_edges,
                            .self_loops_dropped = graph->self_loops_dropped,
                            .duplicates_dropped = graph->duplicates_dropped};
    if (stamp != NULL)
        header.stamp = *stamp;
    memcpy(header.origin, graph->origin, sizeof header.origin);
    memcpy(header.reordering, graph->reordering, sizeof header.reordering);
    header.payload_crc = payload_checksum(graph);
    header.header_crc = header_checksum(&header);
    bool written = fwrite(&header, sizeof header, 1, file) == 1;
    for (int i = 0; i < num_sections; i++)
        written = written && fwrite(sections[i].data, 1, sections[i].bytes, file) == sections[i].bytes;
    return written ? STATUS_OK : error_errno(error, "%s: cannot write", path);
}
