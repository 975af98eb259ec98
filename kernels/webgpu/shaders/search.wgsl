// search.wgsl: the arrays of IBFS (Dreef 2025, chapter 4), and the kernels that all schemes share. A scheme's file
// follows this one: workgroups.wgsl, or coalesced.wgsl, or coalesced.wgsl and bottom_up.wgsl.
//
// 32 searches are an instance. A vertex has a word for each instance, with a bit for each search. The BSA has the
// vertices that each search has seen; the BSAK is the same one iteration ahead. The host swaps the two arrays before
// each iteration, by binding them the other way round. An iteration is these steps:
//
//   note_levels         only if levels are wanted: the level of each vertex found
//   identify            the joint frontier queue (JFQ): the vertices found by an active search
//   watch_destinations  the lengths of the pairs whose destination was found; a search that has found all its
//                       destinations is not active any more
//   expand              what the vertices of the JFQ have seen, their neighbours have seen
//   pull                the same bottom-up, instead of expand
//
// A dispatch costs some microseconds, also an empty one. So there are two in an iteration: identify, which watches the
// destinations, too, and expand or pull. With params.steps_apart each step is a dispatch of its own, as in the thesis.
//
// WebGPU has no barrier for all workgroups and no launch from a kernel. So identify writes how many workgroups expand
// takes to an array that the dispatch reads. What kernels hand to later ones is in `iterations`, which has places for
// four iterations in turn: while identify fills the place of its own iteration, it reads that of the one before and
// clears that of the next. After the last iteration identify does nothing, and there are no workgroups of expand; so
// the host submits several iterations at once.
// A line that ends with "// split" names an array that may need several bindings (split.c).

struct Params {
    num_vertices: u32,
    num_instances: u32,
    words_per_vertex: u32,   // from a vertex's word to that of the next vertex
    words_per_instance: u32, // the same for instances
    queues: u32,             // 1, or one for each instance
    longest: u32,            // a longer queue makes the next iteration bottom-up
    expand_vertices: u32,    // that a workgroup of expand takes at once
    pull_vertices: u32,
    most_workgroups: u32,    // most workgroups of a dispatch
    steps_apart: u32,        // 1: watch_destinations is a kernel of its own
    pull_apart: u32,         // 1: pull is
}

const MOST_QUEUES = 4u;
const MOST_INSTANCES = 32u;
const MOST_SEARCHES = 1024u;

const TURNS = 4u;

// What a batch of searches looks for.
struct Destination {
    search: u32,
    vertex: u32,
}
struct Query {
    num_sources: u32,
    num_destinations: u32,
    sources: array<u32, MOST_SEARCHES>, // those there are, by search
    destinations: array<Destination>,
}

// What kernels hand to later ones of the same and of the next iteration.
struct Iteration {
    expand_groups: array<atomic<u32>, 4>,    // the numbers of workgroups of expand: x, y, z, and one unused
    pull_groups: array<atomic<u32>, 4>,      // the same of pull, if it is apart
    queued: array<atomic<u32>, MOST_QUEUES>, // vertices in each JFQ; the search is over if there are none
    number: atomic<u32>,
    bottom_up: atomic<u32>,                  // whether the iteration is
    unused: array<u32, 2>,
}

// The same for kernels that only read it, since an array from which a dispatch takes its numbers may not be written.
struct Identified {
    expand_groups: array<u32, 4>,
    pull_groups: array<u32, 4>,
    length: array<u32, MOST_QUEUES>,
    number: u32,
    bottom_up: u32,
    unused: array<u32, 2>,
}

struct State {
    mask: array<atomic<u32>, MOST_INSTANCES>, // the active searches
    open: array<atomic<u32>, MOST_SEARCHES>,  // destinations that each search has not found yet
}

const UNREACHED = 0xffffffffu;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>; // split offsets
@group(0) @binding(2) var<storage, read> targets: array<u32>; // split targets
@group(0) @binding(3) var<storage, read> bsa: array<u32>; // split bsa
@group(0) @binding(4) var<storage, read_write> bsak: array<atomic<u32>>; // split bsak
@group(0) @binding(5) var<storage, read_write> jfq: array<u32>; // split jfq
@group(0) @binding(6) var<storage, read_write> state: State;
@group(0) @binding(7) var<storage, read> query: Query;
@group(0) @binding(8) var<storage, read_write> lengths: array<u32>; // of the destinations; UNREACHED until found
@group(0) @binding(9) var<storage, read_write> iterations: array<Iteration, TURNS>;
@group(0) @binding(10) var<storage, read> identified: array<Identified, TURNS>; // the same array
@group(0) @binding(11) var<uniform> turn: u32; // the place of this iteration
@group(0) @binding(12) var<storage, read_write> levels: array<u32>; // split levels

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

fn turn_before() -> u32 {
    return (turn + TURNS - 1u) % TURNS;
}

// "Set first BSAK" (algorithm 6), once for each query: a search has seen its source. It is active if it has
// destinations, or if the query has none at all. The place before that of the first iteration says that there is
// something to do, and "bottom-up", since the iteration after one bottom-up is top-down.
@compute @workgroup_size(64)
fn set_first_bsak(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if (id.x == 0u) {
        atomicStore(&iterations[turn_before()].queued[0], 1u);
        atomicStore(&iterations[turn_before()].number, 0xffffffffu);
        atomicStore(&iterations[turn_before()].bottom_up, 1u);
        atomicStore(&iterations[turn].expand_groups[0], params.queues);
        atomicStore(&iterations[turn].expand_groups[2], 1u);
    }
    for (var source = id.x; source < query.num_sources; source += groups.x * 64u) {
        add_to_next(word_of(query.sources[source], source / 32u), 1u << (source % 32u));
        if (query.num_destinations == 0u) {
            atomicOr(&state.mask[source / 32u], 1u << (source % 32u));
        }
    }
    for (var i = id.x; i < query.num_destinations; i += groups.x * 64u) {
        let search = query.destinations[i].search;
        atomicAdd(&state.open[search], 1u);
        atomicOr(&state.mask[search / 32u], 1u << (search % 32u));
        lengths[i] = UNREACHED;
    }
}

// Watches the share of one of so many threads.
fn watch(thread: u32, threads: u32, iteration: u32) {
    for (var i = thread; i < query.num_destinations; i += threads) {
        let search = query.destinations[i].search;
        let bit = 1u << (search % 32u);
        let word = word_of(query.destinations[i].vertex, search / 32u);
        if (lengths[i] != UNREACHED || (seen_at(word) & bit) == 0u) {
            continue;
        }
        lengths[i] = iteration;
        if (atomicSub(&state.open[search], 1u) == 1u) {
            atomicAnd(&state.mask[search / 32u], ~bit);
        }
    }
}

// After identify.
@compute @workgroup_size(64)
fn watch_destinations(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    watch(id.x, groups.x * 64u, identified[turn].number);
}

fn length_before(queue: u32) -> u32 {
    return atomicLoad(&iterations[turn_before()].queued[queue]);
}

var<workgroup> longest_before: u32; // queue

// What identify begins with: finds out how long the longest queue of the iteration before was (0: the search is over),
// and prepares the places of this iteration and the next. All threads of the workgroup must call it. Bottom-up queues
// are always long, so their length does not tell when to leave that direction. So the iteration after it is top-down.
fn begin_to_identify(thread: u32, group: vec3<u32>, threads: u32, groups: vec3<u32>) -> u32 {
    if (thread == 0u) {
        longest_before = max(max(length_before(0u), length_before(1u)), max(length_before(2u), length_before(3u)));
    }
    let longest = workgroupUniformLoad(&longest_before);
    let first_thread = (group.y * groups.x + group.x) * threads + thread;
    let number = atomicLoad(&iterations[turn_before()].number) + select(1u, 0u, longest == 0u);
    if (first_thread == 0u) {
        atomicStore(&iterations[turn].number, number);
        atomicStore(&iterations[turn].bottom_up, select(0u, 1u, is_bottom_up(longest)));
        clear_next_turn();
    }
    if (longest > 0u && params.steps_apart == 0u) {
        watch(first_thread, groups.x * groups.y * threads, number);
    }
    return longest;
}

fn is_bottom_up(longest: u32) -> bool {
    return longest > params.longest && atomicLoad(&iterations[turn_before()].bottom_up) == 0u;
}

fn clear_next_turn() {
    let next = (turn + 1u) % TURNS;
    for (var i = 0u; i < 4u; i++) {
        atomicStore(&iterations[next].queued[i], 0u);
        let groups = select(select(1u, params.queues, i == 0u), 0u, i == 1u);
        atomicStore(&iterations[next].expand_groups[i], groups);
        atomicStore(&iterations[next].pull_groups[i], groups);
    }
}

// Makes expand or pull take so many vertices of a queue, or more.
fn hand_over(vertices: u32, bottom_up: bool) {
    let at_once = select(params.expand_vertices, params.pull_vertices, bottom_up);
    let groups = min((vertices - 1u) / at_once + 1u, params.most_workgroups);
    if (bottom_up && params.pull_apart != 0u) {
        atomicMax(&iterations[turn].pull_groups[1], groups);
    } else {
        atomicMax(&iterations[turn].expand_groups[1], groups);
    }
}

// A thread takes a vertex. The levels of a search lie side by side. A level is stored plus 1; 0: unreached.
@compute @workgroup_size(64)
fn note_levels(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>,
               @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (group.y * groups.x + group.x) * 64u + thread;
    let level = identified[turn_before()].number + 1u;
    for (var vertex = first; vertex < params.num_vertices; vertex += groups.x * groups.y * 64u) {
        for (var instance = 0u; instance < params.num_instances; instance++) {
            let word = word_of(vertex, instance);
            var found = (seen_at(word) ^ seen_before(word)) & atomicLoad(&state.mask[instance]);
            while (found != 0u) {
                let search = instance * 32u + countTrailingZeros(found);
                set_level(search * params.num_vertices + vertex, level + 1u);
                found &= found - 1u;
            }
        }
    }
}
