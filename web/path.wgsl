// path.wgsl: a shortest path from the source of a search (bfs.wgsl), from its levels: first find_parents, then walk_back.

@group(0) @binding(0) var<uniform> asked: vec2u; // the number of vertices, and the vertex that the path leads to
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> levels: array<u32>; // plus 1; 0: none
@group(0) @binding(4) var<storage, read_write> parents: array<atomic<u32>>; // plus 1
@group(0) @binding(5) var<storage, read_write> path: array<u32>; // the number of its vertices, then these

// Along the edges from each vertex: of directed graphs there are no others here.
@compute @workgroup_size(64)
fn find_parents(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var vertex = id.x; vertex < asked.x; vertex += 64u * groups.x) {
        for (var edge = offsets[vertex]; levels[vertex] > 0u && edge < offsets[vertex + 1u]; edge++) {
            if (levels[targets[edge]] == levels[vertex] + 1u) {
                atomicMax(&parents[targets[edge]], vertex + 1u);
            }
        }
    }
}

@compute @workgroup_size(1)
fn walk_back() {
    path[0] = levels[asked.y];
    var vertex = asked.y;
    for (var place = path[0]; place > 0u; place--) {
        path[place] = vertex;
        vertex = atomicLoad(&parents[vertex]) - 1u;
    }
}
