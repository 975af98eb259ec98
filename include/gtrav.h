/* gtrav.h: the public interface of libgtrav: load a graph, traverse it on a GPU or a CPU, get arrays back.
 *
 *     gtrav_error error = {0};
 *     gtrav_context *context;
 *     gtrav_graph *graph;
 *     uint32_t *level = malloc(...);
 *     if (gtrav_context_new(&context, "auto", 0, &error) == GTRAV_OK &&
 *         gtrav_graph_load(context, "kron:16", NULL, &graph, &error) == GTRAV_OK &&
 *         gtrav_bfs(graph, NULL, 0, level, NULL, &error) == GTRAV_OK)
 *         ...
 *
 * Errors. A function that can fail returns a status and fills the gtrav_error: one line that says what failed, where,
 * and what to do. The library prints nothing and never ends the process. Zero the error before the first call. If the
 * error already has a message, a function does nothing and returns the error's status, so that one test may follow
 * several calls. Pass NULL if you do not want the message. A handle that could not be made is NULL. Any call that
 * makes, reads or searches may also end with GTRAV_INPUT for lack of memory, and with GTRAV_INTERRUPTED.
 *
 * NULL. An argument may be NULL where its function says so, and where an array has no entries. Any other NULL is
 * GTRAV_INPUT ("gtrav_bfs needs graph != NULL"); functions that return no status must not get any other NULL.
 *
 * Ownership. A handle that a function makes belongs to the caller, who frees it with the function named there; all of
 * these accept NULL. Result arrays are the caller's; pass NULL for a result that you do not want. A function does not
 * keep its arguments, unless it says so. Strings and arrays that a graph returns belong to the graph and live as long
 * as it does. A graph keeps its context alive, so the two may be freed in any order.
 *
 * Threads. Any number of contexts and graphs may exist at once. A context and a graph may be used from any number of
 * threads at the same time; searches on a CPU run side by side, those on one GPU one after the other. A query is used
 * by one thread at a time, except gtrav_query_cancel(). A handle must not be in use when it is freed.
 *
 * Processes. After fork() the child has none of the threads that searches need. A call with a context of the parent,
 * or on a thread that used the library before the fork, is GTRAV_INPUT. The child may make contexts for the CPU on
 * new threads, and may call exec(). It must not free handles of its parent.
 *
 * Vertices are numbered 0 to n - 1 in the order of the input. If the input names them otherwise (sparse numbers,
 * text), gtrav_graph_find() and gtrav_graph_id() translate. All times are in milliseconds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GTRAV_API __attribute__((visibility("default")))

/* ---- errors ---- */

enum gtrav_status {
    GTRAV_OK = 0,
    GTRAV_WRONG = 1,        /* verification found a wrong result */
    GTRAV_INPUT = 2,        /* bad input or usage, or no memory or permission on the host */
    GTRAV_DEVICE = 3,       /* the GPU is missing, too small, or failed */
    GTRAV_INTERRUPTED = 130 /* the query was cancelled */
};

typedef struct gtrav_error {
    int status;      /* enum gtrav_status */
    char text[1024]; /* one line, without the program's name or a full stop */
} gtrav_error;

/* ---- the library ---- */

/* Returns the version, such as "1.4.0". */
GTRAV_API const char *gtrav_version(void);

/* An algorithm that this build has. All strings are static. */
typedef struct gtrav_variant {
    const char *family, *variant; /* "bfs", "gap" */
    const char *title, *citation; /* where it comes from */
    const char *device;           /* "cpu" or "gpu" */
} gtrav_variant;

/* Describes variant number `index`, from 0 on. False: there are fewer. */
GTRAV_API bool gtrav_variant_at(int index, gtrav_variant *variant);

/* Finds the columns of sources and targets, from 0 on, in the first row of an edge list: "src,weight,dst". Returns
 * false, and does not change columns, if the row names none. */
GTRAV_API bool gtrav_edge_columns(const char *header, unsigned columns[2]);

/* ---- contexts: the devices ---- */

typedef struct gtrav_context gtrav_context;

/* Opens the devices that queries run on unless they name another. device: "auto" (the first GPU, or else the CPU),
 * "cpu", "gpu", "gpu:1", "webgpu" or "emulator" (the GPU's kernels on the CPU, for tests); NULL: "auto". threads: of
 * the CPU, at most 4096; 0: one for each free core. Free with gtrav_context_free(). GTRAV_INPUT: no such device, or
 * number of threads; GTRAV_DEVICE: it cannot be opened. */
GTRAV_API int gtrav_context_new(gtrav_context **context, const char *device, int threads, gtrav_error *error);
GTRAV_API void gtrav_context_free(gtrav_context *context);

/* The library calls this function now and then, on the thread that called the library, with the current phase and how
 * much of it is done (total 0: unknown). If it returns true, the call is cancelled. */
typedef bool gtrav_progress(void *context, const char *phase, uint64_t done, uint64_t total);

/* Sets the function that is told of the progress of calls that make, write or examine a graph, and of searches whose
 * query has no such function. NULL: none. */
GTRAV_API void gtrav_context_on_progress(gtrav_context *context, gtrav_progress *report, void *with);

/* Cancels all running calls of the context, from any thread or signal handler. They end with GTRAV_INTERRUPTED as
 * soon as they can, after a kernel in flight. Later calls are not cancelled. */
GTRAV_API void gtrav_context_cancel(gtrav_context *context);

/* Returns the name of the context's device: "NVIDIA H200". It lives as long as the context. */
GTRAV_API const char *gtrav_context_device(const gtrav_context *context);

/* ---- graphs ----
 * A graph is directed: an edge leads from its source to its target. An undirected edge is stored as two edges, one
 * each way, and counts as two wherever edges are counted. Self-loops and duplicate edges are dropped.
 *
 * A graph keeps its copy on the device and the formats that variants prepared, until it is freed or
 * gtrav_graph_forget() is called; so a second query of the same kind starts at once. */

typedef struct gtrav_graph gtrav_graph;

enum gtrav_graph_flags {
    GTRAV_DIRECTED = 0,
    GTRAV_UNDIRECTED = 1u << 0, /* add the reverse of every edge */
    GTRAV_BORROW = 1u << 1      /* do not copy 64-bit offsets and 32-bit targets, if each row ascends without duplicates
                                   and self-loops (otherwise all is copied). The caller must not change or free the
                                   arrays before the graph is freed */
};

/* Makes a graph of arrays in compressed sparse rows. offsets: num_vertices + 1 entries of offset_bits (32 or 64);
 * targets: offsets[num_vertices] entries of target_bits (32 or 64). Entries are integers, signed or not; a negative
 * or too large one is GTRAV_INPUT, as are offsets that do not ascend from 0. flags: enum gtrav_graph_flags, or'ed;
 * others are GTRAV_INPUT. Free with gtrav_graph_free(). */
GTRAV_API int gtrav_graph_from_csr(gtrav_context *context, uint64_t num_vertices, const void *offsets, int offset_bits,
                                   const void *targets, int target_bits, unsigned flags, gtrav_graph **graph,
                                   gtrav_error *error);

/* Makes a graph of num_edges edges sources[i] -> targets[i], both of id_bits (32 or 64). num_vertices 0: the largest
 * number + 1. The context's GPU builds 4 million edges and more. The arrays are copied, also with GTRAV_BORROW; errors
 * and freeing as above. */
GTRAV_API int gtrav_graph_from_edges(gtrav_context *context, uint64_t num_vertices, const void *sources,
                                     const void *targets, int id_bits, uint64_t num_edges, unsigned flags,
                                     gtrav_graph **graph, gtrav_error *error);

/* The types of weights. Weights of a graph are GTRAV_UINT32 if all are whole numbers below 2^32. */
enum gtrav_weight_type { GTRAV_NO_WEIGHTS, GTRAV_UINT32, GTRAV_FLOAT, GTRAV_DOUBLE };

/* The same with a weight of each edge, in floats of 32 or doubles of 64 bits (weight_bits). A weight that is negative,
 * infinite or NaN is GTRAV_INPUT. Of several edges between the same vertices the smallest weight counts; with
 * GTRAV_UNDIRECTED that of both directions. gtrav_graph_write() and the functions that make graphs of graphs keep
 * weights. */
GTRAV_API int gtrav_graph_from_weighted_edges(gtrav_context *context, uint64_t num_vertices, const void *sources,
                                              const void *targets, int id_bits, const void *weights, int weight_bits,
                                              uint64_t num_edges, unsigned flags, gtrav_graph **graph,
                                              gtrav_error *error);

/* Loads a file or generates a graph; spec: as the program's --graph. options: NULL, or the program's options for
 * graphs, each "name=value" or "name", ended by NULL: "undirected", "directed", "cache", "ids=any", ...; also
 * "stored", which keeps the order of a reordered graph's .gtrav, as after gtrav_graph_reorder(). GTRAV_INPUT: no such
 * file, generator or option, or bad content, with its file, line and column. Free with gtrav_graph_free(). */
GTRAV_API int gtrav_graph_load(gtrav_context *context, const char *spec, const char *const *options,
                               gtrav_graph **graph, gtrav_error *error);

/* Makes the same graph in another order; spec: as the program's --reorder. Vertex k of the new graph is vertex
 * gtrav_graph_permutation()[k] of the old one. A reordered graph takes only "natural", which restores the order of
 * its input. Any other order, or an unknown one, is GTRAV_INPUT. Free with gtrav_graph_free(). */
GTRAV_API int gtrav_graph_reorder(gtrav_graph *graph, const char *spec, gtrav_graph **reordered, gtrav_error *error);

/* Makes the graph with all edges reversed, and the same vertices, ids and order. A symmetric graph is copied. Free
 * with gtrav_graph_free(). */
GTRAV_API int gtrav_graph_reverse(gtrav_graph *graph, gtrav_graph **reversed, gtrav_error *error);

/* Writes the graph; the name's ending selects the format, .gtrav or .mtx. The file appears when it is complete. "-"
 * is standard output, as .mtx, which has no ids. GTRAV_INPUT: another ending, or the file cannot be written. */
GTRAV_API int gtrav_graph_write(const gtrav_graph *graph, const char *path, gtrav_error *error);
/* Does the same for a graph without ids, with the caller's ids, one for each vertex in the graph's order: numbers
 * (int64_t if are_signed) or texts; the other array is NULL. The file's vertices are numbered in ascending order of
 * their ids. GTRAV_INPUT also if two ids are equal. */
GTRAV_API int gtrav_graph_write_ids(const gtrav_graph *graph, const char *path, const uint64_t *numbers,
                                    bool are_signed, const char *const *texts, gtrav_error *error);

/* Frees the graph's copies on devices and all that queries prepared. The graph stays. This call and the next do nothing
 * in a process that was forked after the graph was made, as it lacks what the graph uses on devices. */
GTRAV_API void gtrav_graph_forget(gtrav_graph *graph);
GTRAV_API void gtrav_graph_free(gtrav_graph *graph);

GTRAV_API const char *gtrav_graph_name(const gtrav_graph *graph);
/* What the reader assumed about the input, in one line: "directed, comma, columns src,dst"; NULL: nothing. */
GTRAV_API const char *gtrav_graph_read_as(const gtrav_graph *graph);
/* Where the graph comes from: "generated", "symmetric file". */
GTRAV_API const char *gtrav_graph_origin(const gtrav_graph *graph);
/* The order of the graph's vertices: "jaccard:65536"; NULL: that of the input. */
GTRAV_API const char *gtrav_graph_reordering(const gtrav_graph *graph);
GTRAV_API uint32_t gtrav_graph_num_vertices(const gtrav_graph *graph);
GTRAV_API uint64_t gtrav_graph_num_edges(const gtrav_graph *graph);
GTRAV_API uint32_t gtrav_graph_weight_type(const gtrav_graph *graph); /* enum gtrav_weight_type */
GTRAV_API const void *gtrav_graph_weights(const gtrav_graph *graph);  /* of that type, beside targets; NULL: none */
/* Whether the graph has the reverse of every edge. */
GTRAV_API bool gtrav_graph_is_symmetric(const gtrav_graph *graph);
/* How many self-loops and duplicate edges of the input were dropped. */
GTRAV_API uint64_t gtrav_graph_self_loops_dropped(const gtrav_graph *graph);
GTRAV_API uint64_t gtrav_graph_duplicates_dropped(const gtrav_graph *graph);
/* Whether the input's edges have weights that are not all equal. The graph does not keep them: every edge counts
 * as 1. Weights are the values of a Matrix Market file, the weights of DIMACS and Graphalytics, the edge weights of
 * METIS, and in an edge list a column with a name such as "weight" or, without a header, the column after the ids if
 * it holds numbers. A .gtrav file and a cache keep this fact. */
GTRAV_API bool gtrav_graph_weights_ignored(const gtrav_graph *graph);
/* The arrays in compressed sparse rows: num_vertices + 1 offsets, num_edges targets. */
GTRAV_API const uint64_t *gtrav_graph_offsets(const gtrav_graph *graph);
GTRAV_API const uint32_t *gtrav_graph_targets(const gtrav_graph *graph);
/* Returns for each vertex its number before the graph was reordered; NULL if it was not. */
GTRAV_API const uint32_t *gtrav_graph_permutation(const gtrav_graph *graph);

/* Writes the input's id of a vertex to text, at most size bytes including the final zero; longer ids are cut. Returns
 * the length of the whole id without the zero, or 0 if there is no such vertex. */
GTRAV_API size_t gtrav_graph_id(const gtrav_graph *graph, uint32_t vertex, char *text, size_t size);
/* Finds the vertex with an id. Returns false if there is none. */
GTRAV_API bool gtrav_graph_find(const gtrav_graph *graph, const char *id, uint32_t *vertex);
/* Returns all vertices' ids as numbers, negative ones as int64_t; NULL if they are the vertex numbers, or text. */
GTRAV_API const uint64_t *gtrav_graph_ids(const gtrav_graph *graph);

#define GTRAV_DEGREE_BINS 34 /* bin 0: degree 0; bin k: degrees 2^(k-1) to 2^k - 1 */

/* Statistics of a graph. size: the caller sets it to sizeof(gtrav_info), so that later versions can add fields. */
typedef struct gtrav_info {
    size_t size;
    uint64_t num_vertices, num_edges, bytes; /* bytes: size of the two arrays */
    uint64_t self_loops_dropped, duplicates_dropped;
    uint64_t max_degree, isolated; /* largest out-degree; vertices without any edge */
    uint64_t components, largest_component;
    uint64_t pseudo_diameter; /* a lower bound of the largest component's diameter */
    bool symmetric, acyclic, scale_free;
    uint64_t sum_squared_degrees;                 /* over out-degrees */
    uint64_t degree_histogram[GTRAV_DEGREE_BINS]; /* vertices by out-degree */
    double top1_share, top10_share; /* share of all edges at the top 1% and 10% of the vertices, by out- or in-degree,
                                       whichever is larger */
    double fit_slope, fit_r2;       /* log-log fit of the histogram of out- or in-degrees from 5 on, whichever fits
                                       better; 0 if there are fewer than three such degrees */
} gtrav_info;
GTRAV_API int gtrav_graph_info(const gtrav_graph *graph, gtrav_info *info, gtrav_error *error);

/* The memory that a variant needs for a graph. size: the caller sets it to sizeof(gtrav_memory). */
typedef struct gtrav_memory {
    size_t size;
    uint64_t prepared_bytes;   /* of device memory, at the peak of preparing and searching for what the variant gives
                                  unasked; parents, pairs and results on the device take more */
    uint64_t unprepared_bytes; /* the same if it prepares as little as it can (options prepare and index-mb: 0) */
    uint64_t device_free;      /* bytes that can be taken now: those free, or fewer with GTRAV_GPU_MEMORY=BYTES */
    uint64_t host_bytes;       /* the graph, its copy in the order that the variant wants, and one result */
    bool prepared_known, unprepared_known; /* false: the bytes are the least; what it finds in the graph decides */
    bool compressed_known;
    uint64_t compressed_bytes; /* the same if it prepares compressed neighbour lists; 0: it cannot */
} gtrav_memory;

/* Tells the needs of variant number `index` (gtrav_variant_at()) on the context's GPU, and takes no memory there.
 * GTRAV_INPUT: no such variant, or not for GPUs or this graph; GTRAV_DEVICE: no GPU, or it cannot run the variant. */
GTRAV_API int gtrav_estimate(gtrav_graph *graph, int index, gtrav_memory *memory, gtrav_error *error);

/* ---- queries: how to search ---- */

typedef struct gtrav_query gtrav_query;

/* Makes a query with the defaults: the context's device and the best variant for it. For a search, NULL is the same.
 * Free with gtrav_query_free(). */
GTRAV_API int gtrav_query_new(gtrav_query **query, gtrav_error *error);
GTRAV_API void gtrav_query_free(gtrav_query *query);

/* Sets "variant" ("gap", or "bfs:gap" for a call that several families can answer), "device" (as for
 * gtrav_context_new()), "reorder" ("rcm"), "verify" ("yes" or "no": check the result against a search on the CPU; a
 * wrong one is GTRAV_WRONG), "bytes" or "on-device" ("yes" or "no": see gtrav_bfs()), "count-edges" ("yes" or "no":
 * without it, the calls on lengths and numbers of shortest paths, which are counted in edges, refuse a graph with
 * weights: gtrav_lengths(), gtrav_paths(), gtrav_count_paths() and the centralities), "optional" ("order":
 * gtrav_dfs() leaves out the order, and *num_ordered is 0, if the named variant gives none), or "set" ("alpha=14": an
 * option of the variant; more calls set more options). value NULL restores the default. name and value are copied.
 * GTRAV_INPUT: no such name. The search checks the values, since only the search determines the family. */
GTRAV_API int gtrav_query_set(gtrav_query *query, const char *name, const char *value, gtrav_error *error);

/* Sets the function that is told of the progress of the query's searches; NULL: the context's. */
GTRAV_API void gtrav_query_on_progress(gtrav_query *query, gtrav_progress *report, void *context);

/* Cancels the query's running search, from any thread or signal handler. The search ends with GTRAV_INTERRUPTED as
 * soon as it can, after a kernel in flight. If no search is running, the next one is cancelled. */
GTRAV_API void gtrav_query_cancel(gtrav_query *query);

/* The times of a query's last search. size: the caller sets it to sizeof(gtrav_times). */
typedef struct gtrav_times {
    size_t size;
    double upload_ms;   /* copying the graph to the device; 0: it was there */
    double prepare_ms;  /* all preparation, upload_ms included; 0: the graph was prepared */
    double kernel_ms;   /* the searches alone */
    double download_ms; /* copying results to the caller's arrays */
    double total_ms;    /* the whole call */
} gtrav_times;
GTRAV_API void gtrav_query_times(const gtrav_query *query, gtrav_times *times);

/* Return what the last search ran, such as "bfs gap on cpu", and a note in words of what it chose for the graph, or
 * "". The texts live until the query's next search. */
GTRAV_API const char *gtrav_query_ran(const gtrav_query *query);
GTRAV_API const char *gtrav_query_note(const gtrav_query *query);

/* ---- searches ----
 * query may be NULL. An array of n entries has one for each vertex. GTRAV_INPUT: no such vertex, variant, option or
 * order, or the variant does not give a result that the caller wants; GTRAV_DEVICE: the GPU is missing, too small, or
 * failed; GTRAV_WRONG: verification found a wrong result. After an error, the contents of arrays are undefined. */

#define GTRAV_UNREACHED UINT32_MAX /* the level of a vertex that is not reached; the length if there is no path */
#define GTRAV_NO_VERTEX UINT32_MAX /* the parent of a vertex that is not reached */

/* Allocates memory to use for many results, one after another: memory of the context's GPU, or pinned memory of the
 * host, to which a GPU copies several times as fast. On the emulator both are host memory. Pinning takes
 * milliseconds. GTRAV_INPUT: the context has no GPU. gtrav_memory_free() waits for a running search on that GPU, so
 * do not call it in a progress callback. Call it before gtrav_context_free(); the graph may be freed before. */
GTRAV_API int gtrav_memory_new(gtrav_context *context, size_t bytes, bool on_device, void **memory, gtrav_error *error);
GTRAV_API void gtrav_memory_free(gtrav_context *context, void *memory, bool on_device);

/* Copies from any memory of the context's GPU to the host, after all work on that GPU. */
GTRAV_API int gtrav_download(gtrav_context *context, void *to, const void *from, size_t bytes, gtrav_error *error);

/* Breadth-first search. level, parent: n each. The source is its own parent.
 *
 * With "bytes" in the query, level has n entries of uint8_t; 255 means not reached, and a level above 254 is
 * GTRAV_INPUT. With "on-device", the arrays are memory of the GPU that searches, or of the emulator. They are written
 * after all work on that GPU, and complete when the call returns. GTRAV_INPUT if the query verifies, reorders or runs
 * on a CPU.
 *
 * The library does not know how many searches will follow. So a variant that can prepare in steps ("auto" on GPUs)
 * begins with few. It takes the next step once the calls so far have taken as long as all steps including that one.
 * gtrav_query_note() tells what was tried and when the next step is due, gtrav_times.prepare_ms how long it took. */
GTRAV_API int gtrav_bfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *level, uint32_t *parent,
                        gtrav_error *error);

/* The limits of a search. size: the caller sets it to sizeof(gtrav_limits). A field that is 0 or NULL sets no limit.
 * Vertices and edges have the graph's own order, as in gtrav_graph_targets(); an undirected edge is two edges. */
typedef struct gtrav_limits {
    size_t size;
    const uint32_t *sources; /* num_sources, at least 1: all are on level 0 of one search; duplicates are allowed */
    uint64_t num_sources;
    const uint32_t *targets; /* num_targets: the search ends with the level of the last target that it reaches */
    uint64_t num_targets;
    uint64_t num_levels;     /* the search ends after this many levels, the sources' level included */
    const uint8_t *vertices; /* n; 0: left out, with its edges */
    const uint8_t *edges;    /* gtrav_graph_num_edges(); 0: left out */
} gtrav_limits;

/* Breadth-first search within limits. level, parent: as for gtrav_bfs(). reached: the vertices that are reached, in
 * no particular order; it needs room for n. *num_reached: their number. Each may be NULL. Without level and parent,
 * the time on a CPU depends on the vertices that are reached, not on n.
 *
 * GTRAV_INPUT also if the named variant does not support limits, if a mask leaves out a source, if the query reorders
 * the graph and there are masks or several sources, or if reached or num_reached is not NULL with "bytes" or
 * "on-device". */
GTRAV_API int gtrav_bfs_within(gtrav_graph *graph, gtrav_query *query, const gtrav_limits *limits, uint32_t *level,
                               uint32_t *parent, uint32_t *reached, uint64_t *num_reached, gtrav_error *error);

/* Counts the shortest paths from a source to each vertex: 0 if there is none, 1 for the source. level: n, as from
 * gtrav_bfs(); count: n. Either may be NULL. Counts above 2^53 are rounded, counts above 1.8e308 infinite. A query
 * that verifies checks only the levels. Results are never bytes or on the device. */
GTRAV_API int gtrav_count_paths(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *level, double *count,
                                gtrav_error *error);

/* Depth-first search. parent: n. order: n, of which the first *num_ordered are set: the vertices in the order of
 * their discovery. Each of the three may be NULL. A GPU variant may give another tree than a serial search. It gives
 * no order: GTRAV_INPUT unless order is NULL. */
GTRAV_API int gtrav_dfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *parent, uint32_t *order,
                        uint64_t *num_ordered, gtrav_error *error);

/* Shortest paths by the weights of edges, from one source. distance: n, the sum of the weights on a shortest path;
 * INFINITY: not reached. parent: n. Either may be NULL. Each sum is rounded to the type of the weights, so all variants
 * give the distances of Dijkstra's algorithm to the last bit. GTRAV_INPUT also if the graph has no weights, or if a
 * distance does not fit into their type. */
GTRAV_API int gtrav_sssp(gtrav_graph *graph, gtrav_query *query, uint32_t source, double *distance, uint32_t *parent,
                         gtrav_error *error);

/* Finds which vertices a source reaches. visited: n, each 1 or 0; *num_reached: their number. Either may be NULL. */
GTRAV_API int gtrav_reach(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint8_t *visited,
                          uint64_t *num_reached, gtrav_error *error);

/* Finds a topological order. order: n. GTRAV_INPUT if the graph has a cycle. */
GTRAV_API int gtrav_topo(gtrav_graph *graph, gtrav_query *query, uint32_t *order, gtrav_error *error);

/* Finds components. label: n, the smallest vertex of each vertex's component; *num_components: their number.
 * Either may be NULL. strong: the vertices of a component reach each other. Otherwise edges join them, in any
 * direction. In a symmetric graph both are the same. */
GTRAV_API int gtrav_components(gtrav_graph *graph, gtrav_query *query, bool strong, uint32_t *label,
                               uint64_t *num_components, gtrav_error *error);

/* The sums over the levels of one source. */
typedef struct gtrav_sums {
    uint64_t reached, level_sum; /* vertices, the source included; the sum of their levels */
    uint32_t eccentricity;       /* the highest level */
} gtrav_sums;

/* Breadth-first searches from many sources. level: num_sources rows of n; sums: num_sources. Either may be NULL. */
GTRAV_API int gtrav_msbfs(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                          uint32_t *level, gtrav_sums *sums, gtrav_error *error);

/* Finds the lengths of the shortest paths between num_pairs pairs. length: num_pairs. */
GTRAV_API int gtrav_lengths(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources,
                            const uint32_t *destinations, uint64_t num_pairs, uint32_t *length, gtrav_error *error);

/* A shortest path for each pair. The path of pair i is vertices[offsets[i]] to vertices[offsets[i + 1] - 1], both
 * ends included; it is empty if there is no path. */
typedef struct gtrav_path_list {
    uint64_t num_paths;
    uint64_t *offsets;  /* num_paths + 1 */
    uint32_t *vertices; /* offsets[num_paths] */
} gtrav_path_list;

/* Finds the paths and fills *paths, even if it fails. Free the arrays with gtrav_path_list_free(). */
GTRAV_API int gtrav_paths(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, const uint32_t *destinations,
                          uint64_t num_pairs, gtrav_path_list *paths, gtrav_error *error);
GTRAV_API void gtrav_path_list_free(gtrav_path_list *paths);

/* Computes the closeness centrality of every vertex from the distances to it; in a graph of several components, by
 * the formula of Wasserman and Faust (1994). sources: estimate it by searches from these num_sources distinct
 * vertices; NULL: from num_sources random ones, always the same. num_sources 0: exact, from all. closeness: n. */
GTRAV_API int gtrav_closeness(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                              double *closeness, gtrav_error *error);

/* Computes the harmonic centrality of every vertex: the sum of the reciprocals of the distances from all vertices
 * that reach it. sources, num_sources: as above, scaled to all vertices. harmonic: n. Only CPU variants give it:
 * GTRAV_INPUT if the query names a GPU. */
GTRAV_API int gtrav_harmonic(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                             double *harmonic, gtrav_error *error);

/* Computes betweenness (Brandes, 2001), not normalised. For each pair of other vertices, a vertex gets the share of
 * their shortest paths that lead through it. For each pair of vertices, an edge gets the share of their shortest
 * paths along it. In an undirected graph a pair counts once, and an edge and its reverse have the same value.
 * sources, num_sources: as above; sums over paths from these are scaled by n / num_sources, and an edge and its
 * reverse are two estimates. vertex: n; edge: one for each edge, in the order of gtrav_graph_targets(), which a query
 * must not reorder. Either may be NULL. GTRAV_INPUT if there are over 2^1000 shortest paths between two vertices, as
 * in a grid of 510 x 510, or if the query names a GPU. */
GTRAV_API int gtrav_betweenness(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                                double *vertex, double *edge, gtrav_error *error);

#ifdef __cplusplus
}
#endif
