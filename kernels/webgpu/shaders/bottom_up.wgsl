// bottom_up.wgsl: "coalesced access bottom up", direction switching (section 4.3.3.1). It follows search.wgsl and
// coalesced.wgsl in its module, and uses the latter's identify.

fn neighbour_at(edge: u32, lane: u32) -> u32 {
    return seen_at(word_of(target_at(edge), lane));
}

// Algorithm 11: a row of threads takes a vertex of the JFQ. The JFQ has each vertex once, so only this row writes the
// vertex's words. offsets and targets are those of the in-edges. A thread stops when all its searches have seen the
// vertex. It loads four neighbours together, to wait less often for memory.
fn pull_queue(lane: u32, row: u32, group: u32, groups: u32) {
    let mask = atomicLoad(&state.mask[lane]);
    let length = identified[turn].length[0];
    for (var i = group * rows + row; i < length; i += groups * rows) {
        let vertex = queue_at(i);
        let word = word_of(vertex, lane);
        let before = seen_at(word);
        var seen = before;
        let end = offset_at(vertex + 1u);
        for (var edge = offset_at(vertex); edge < end && (mask & ~seen) != 0u; edge += 4u) {
            let last = end - 1u;
            seen |= neighbour_at(edge, lane) | neighbour_at(min(edge + 1u, last), lane)
                | neighbour_at(min(edge + 2u, last), lane) | neighbour_at(min(edge + 3u, last), lane);
        }
        if (seen != before) {
            set_next(word, seen);
        }
    }
}

@compute @workgroup_size(32, rows)
fn pull(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
        @builtin(num_workgroups) groups: vec3<u32>) {
    if (identified[turn].bottom_up != 0u) {
        pull_queue(local.x, local.y, group.y, groups.y);
    }
}

// Expand and pull in one dispatch, for symmetric graphs.
@compute @workgroup_size(32, rows)
fn expand_or_pull(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
    if (identified[turn].bottom_up != 0u) {
        pull_queue(local.x, local.y, group.y, groups.y);
    } else {
        expand_queue(local.x, local.y, group.y, groups.y);
    }
}
