// coalesced.wgsl: the scheme "coalesced access" (section 4.3.3). It follows search.wgsl in its module.
//
// 32 instances (1024 searches) share one JFQ. A row of 32 threads takes a vertex, and each of its threads an
// instance. The words of a vertex are adjacent, so a row reads and writes 128 bytes at once. The thesis has one row
// per workgroup, and an atomic for each vertex that joins. Here a workgroup has several rows, and one atomic for
// CHUNK vertices.

override rows: u32 = 4u; // rows of threads per workgroup

const CHUNK = 32u; // vertices that a workgroup of identify takes at a time

var<workgroup> joining: atomic<u32>; // bit i: vertex i of the chunk joins the queue
var<workgroup> place: u32;           // index of the first of them in the queue

// Algorithm 7. Bottom-up (algorithm 10), a vertex joins if some active search has not seen it.
@compute @workgroup_size(32, rows)
fn identify(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
            @builtin(num_workgroups) groups: vec3<u32>) {
    let lane = local.x;
    let thread = local.y * 32u + lane;
    let longest = begin_to_identify(thread, group, 32u * rows, groups);
    let bottom_up = is_bottom_up(longest);
    let mask = atomicLoad(&state.mask[lane]);
    let vertices = select(params.num_vertices, 0u, longest == 0u);
    var handed = 0u; // vertices up to the last one that this workgroup has added
    for (var first = group.y * CHUNK; first < vertices; first += groups.y * CHUNK) {
        if (thread == 0u) {
            atomicStore(&joining, 0u);
        }
        workgroupBarrier();
        let chunk = min(CHUNK, params.num_vertices - first);
        var bits = 0u; // bits of the vertices that join because of this thread's searches
        for (var i = local.y; i < chunk; i += rows) {
            let word = word_of(first + i, lane);
            let seen = seen_at(word);
            let found = seen ^ seen_before(word);
            if (found != 0u) {
                set_next(word, seen);
            }
            if ((mask & select(found, ~seen, bottom_up)) != 0u) {
                bits |= 1u << i;
            }
        }
        //+subgroups bits = select(0u, subgroupOr(bits), subgroupBroadcastFirst(thread) == thread);
        if (bits != 0u) {
            atomicOr(&joining, bits);
        }
        workgroupBarrier();
        let joined = atomicLoad(&joining);
        if (thread == 0u && joined != 0u) {
            place = atomicAdd(&iterations[turn].queued[0], countOneBits(joined));
            handed = place + countOneBits(joined);
        }
        workgroupBarrier();
        if (local.y == 0u && ((joined >> lane) & 1u) != 0u) {
            set_queue(place + countOneBits(joined & ((1u << lane) - 1u)), first + lane);
        }
        workgroupBarrier();
    }
    if (handed > 0u) {
        hand_over(handed, bottom_up);
    }
}

// Algorithm 8: a workgroup takes a vertex of the JFQ, and its rows share the edges.
fn expand_queue(lane: u32, row: u32, group: u32, groups: u32) {
    let mask = atomicLoad(&state.mask[lane]);
    let length = identified[turn].length[0];
    for (var i = group; i < length; i += groups) {
        let vertex = queue_at(i);
        let seen = seen_at(word_of(vertex, lane)) & mask;
        let end = offset_at(vertex + 1u);
        if (seen == 0u) {
            continue;
        }
        for (var edge = offset_at(vertex) + row; edge < end; edge += rows) {
            add_to_next(word_of(target_at(edge), lane), seen);
        }
    }
}

@compute @workgroup_size(32, rows)
fn expand(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
          @builtin(num_workgroups) groups: vec3<u32>) {
    if (identified[turn].bottom_up == 0u) {
        expand_queue(local.x, local.y, group.y, groups.y);
    }
}
