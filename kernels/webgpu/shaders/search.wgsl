// search.wgsl: the arrays of IBFS (Dreef 2025, chapter 4), and the kernels that all schemes share. A scheme's file
// follows this one: workgroups.wgsl, or coalesced.wgsl, or coalesced.wgsl and bottom_up.wgsl.
//
// 32 searches are an instance. A vertex has a word for each instance, with a bit for each search. The BSA has the
// vertices that each search has seen; the BSAK is the same one iteration ahead. The host swaps the two arrays before
// each iteration, by binding them the other way round. An iteration is these kernels, one after the other:
//
//   note_levels         only if levels are wanted: the level of each vertex found
//   identify            the joint frontier queue (JFQ): the vertices found by an active search
//   watch_destinations  the lengths of the pairs whose destination was found; a search that has found all its
//                       destinations is not active any more
//   next                how many workgroups the next kernels take: WebGPU has no barrier for all workgroups and no
//                       launch from a kernel, so the numbers go to an array that the next dispatches read
//   expand              what the vertices of the JFQ have seen, their neighbours have seen
//   pull                the same bottom-up, instead of expand
//
// After the last iteration, all numbers of workgroups are 0; so the host submits several iterations at once.
// A line that ends with "// split" names an array that may need several bindings (split.c).

struct Params {
    num_vertices: u32,
    num_sources: u32,
    num_destinations: u32,
    num_instances: u32,
    words_per_vertex: u32,   // from a vertex's word to that of the next vertex
    words_per_instance: u32, // the same for instances
    queues: u32,             // 1, or one for each instance
    longest: u32,            // a longer queue makes the next iteration bottom-up
    expand_vertices: u32,    // that a workgroup of expand takes at once
    pull_vertices: u32,
    most_workgroups: u32,    // of a dispatch
}

const MOST_QUEUES = 4u;
const MOST_INSTANCES = 32u;
const MOST_SEARCHES = 1024u;

struct State {
    iteration: u32,
    longest_queue: u32,                       // 0: the search is over
    bottom_up: u32,                           // whether the iteration is
    unused: u32,
    queued: array<atomic<u32>, MOST_QUEUES>,  // vertices that joined each JFQ
    length: array<u32, MOST_QUEUES>,          // of the JFQs that expand reads
    mask: array<atomic<u32>, MOST_INSTANCES>, // the active searches
    open: array<atomic<u32>, MOST_SEARCHES>,  // destinations that each search has not found yet
}

// Numbers of workgroups, four words for each kernel: x, y, z, and one unused.
const SCAN_ARGS = 0u; // of identify and note_levels
const WATCH_ARGS = 4u;
const EXPAND_ARGS = 8u;
const PULL_ARGS = 12u;

const UNREACHED = 0xffffffffu;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>; // split offsets
@group(0) @binding(2) var<storage, read> targets: array<u32>; // split targets
@group(0) @binding(3) var<storage, read> bsa: array<u32>; // split bsa
@group(0) @binding(4) var<storage, read_write> bsak: array<atomic<u32>>; // split bsak
@group(0) @binding(5) var<storage, read_write> jfq: array<u32>; // split jfq
@group(0) @binding(6) var<storage, read_write> state: State;
@group(0) @binding(7) var<storage, read> query: array<u32>; // the sources; for each destination its search and vertex
@group(0) @binding(8) var<storage, read_write> lengths: array<u32>; // of the destinations; UNREACHED until found
@group(0) @binding(9) var<storage, read_write> args: array<u32>;
@group(0) @binding(10) var<storage, read_write> levels: array<u32>; // split levels

fn offset_at(vertex: u32) -> u32 {
    return offsets[vertex]; // split offsets
}
fn target_at(edge: u32) -> u32 {
    return targets[edge]; // split targets
}
fn seen_at(word: u32) -> u32 {
    return bsa[word]; // split bsa
}
fn seen_before(word: u32) -> u32 {
    return atomicLoad(&bsak[word]); // split bsak
}
fn set_next(word: u32, seen: u32) {
    atomicStore(&bsak[word], seen); // split bsak
}
fn add_to_next(word: u32, seen: u32) {
    atomicOr(&bsak[word], seen); // split bsak
}
fn queue_at(place: u32) -> u32 {
    return jfq[place]; // split jfq
}
fn set_queue(place: u32, vertex: u32) {
    jfq[place] = vertex; // split jfq
}
fn set_level(place: u32, level: u32) {
    levels[place] = level; // split levels
}

fn word_of(vertex: u32, instance: u32) -> u32 {
    return vertex * params.words_per_vertex + instance * params.words_per_instance;
}

// "Set first BSAK" (algorithm 6), once for each query: a search has seen its source. It is active if it has
// destinations, or if the query has none at all. The destinations were counted by count_open.
@compute @workgroup_size(64)
fn set_first_bsak(@builtin(global_invocation_id) id: vec3<u32>) {
    let source = id.x;
    if (source >= params.num_sources) {
        return;
    }
    let instance = source / 32u;
    let bit = 1u << (source % 32u);
    add_to_next(word_of(query[source], instance), bit);
    if (params.num_destinations == 0u || atomicLoad(&state.open[source]) > 0u) {
        atomicOr(&state.mask[instance], bit);
    }
}

@compute @workgroup_size(64)
fn count_open(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < params.num_destinations; i += groups.x * 64u) {
        atomicAdd(&state.open[query[MOST_SEARCHES + 2u * i]], 1u);
        lengths[i] = UNREACHED;
    }
}

@compute @workgroup_size(64)
fn watch_destinations(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < params.num_destinations; i += groups.x * 64u) {
        let search = query[MOST_SEARCHES + 2u * i];
        let vertex = query[MOST_SEARCHES + 2u * i + 1u];
        let bit = 1u << (search % 32u);
        if (lengths[i] != UNREACHED || (seen_at(word_of(vertex, search / 32u)) & bit) == 0u) {
            continue;
        }
        lengths[i] = state.iteration;
        if (atomicSub(&state.open[search], 1u) == 1u) {
            atomicAnd(&state.mask[search / 32u], ~bit);
        }
    }
}

// A thread takes a vertex. The levels of a search lie side by side. A level is stored plus 1; 0: unreached.
@compute @workgroup_size(64)
fn note_levels(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>,
               @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (group.y * groups.x + group.x) * 64u + thread;
    for (var vertex = first; vertex < params.num_vertices; vertex += groups.x * groups.y * 64u) {
        for (var instance = 0u; instance < params.num_instances; instance++) {
            let word = word_of(vertex, instance);
            var found = (seen_at(word) ^ seen_before(word)) & atomicLoad(&state.mask[instance]);
            while (found != 0u) {
                let search = instance * 32u + countTrailingZeros(found);
                set_level(search * params.num_vertices + vertex, state.iteration + 1u);
                found &= found - 1u;
            }
        }
    }
}

// The numbers of workgroups that take `items`, some at once in each.
fn set_args(kernel: u32, items: u32, at_once: u32) {
    args[kernel] = select(params.queues, 0u, items == 0u);
    args[kernel + 1u] = min((items - 1u) / at_once + 1u, params.most_workgroups);
    args[kernel + 2u] = 1u;
}

// One thread, after identify: hands its queues to expand or pull, and chooses the next direction. There is no sign by
// which to leave the bottom-up direction, since its queues are long, so the iteration after it is top-down.
@compute @workgroup_size(1)
fn next() {
    var longest = 0u;
    for (var i = 0u; i < MOST_QUEUES; i++) {
        let queued = atomicExchange(&state.queued[i], 0u);
        state.length[i] = queued;
        longest = max(longest, queued);
    }
    state.longest_queue = longest;
    let was_bottom_up = state.bottom_up != 0u;
    set_args(EXPAND_ARGS, select(longest, 0u, was_bottom_up), params.expand_vertices);
    set_args(PULL_ARGS, select(0u, longest, was_bottom_up), params.pull_vertices);
    if (longest == 0u) {
        args[SCAN_ARGS] = 0u;
        args[WATCH_ARGS] = 0u;
        return;
    }
    state.bottom_up = select(0u, 1u, !was_bottom_up && longest > params.longest);
    state.iteration += 1u;
}
