// search.js: path lengths and breadth-first levels with gtrav's own shaders (kernels/webgpu/shaders), by the browser's
// WebGPU. kernels/webgpu/ibfs.c and bfs.c do the same in C; their comments explain the arrays and the steps.

const SHADERS = "../kernels/webgpu/shaders/";
const UNREACHED = 0xffffffff;
const SEARCHES = 1024; // of a batch
const LEVELS_AT_ONCE = 8; // iterations between two read-backs, of which browsers make long pauses
const BOTTOM_UP_SHARE = 0.05;

// What each kernel binds, by the numbers in its shader.
const IBFS_USES = {
    count_open: [0, 6, 7, 8],
    set_first_bsak: [0, 4, 6, 7],
    identify: [0, 3, 4, 5, 6],
    watch_destinations: [0, 3, 6, 7, 8],
    next: [0, 6, 9],
    expand: [0, 1, 2, 3, 4, 5, 6],
    pull: [0, 1, 2, 3, 4, 5, 6],
};
const BFS_USES = {
    begin: [0, 1, 5, 6, 7, 8],
    top_down: [1, 2, 5, 6, 7],
    bottom_up: [0, 1, 3, 4, 5, 6, 7],
    next: [0, 7, 8],
};

async function shader(...names) {
    const texts = names.map(async (name) => {
        const answer = await fetch(SHADERS + name);
        if (!answer.ok) {
            throw new Error(`cannot read ${SHADERS + name}: serve the folder that has web/ and kernels/`);
        }
        return answer.text();
    });
    return (await Promise.all(texts)).join("\n");
}

async function pipelines(device, code, uses, constants) {
    const module = device.createShaderModule({ code });
    const made = {};
    for (const entryPoint of Object.keys(uses)) {
        made[entryPoint] = await device.createComputePipelineAsync({
            layout: "auto",
            compute: { module, entryPoint, constants },
        });
    }
    return made;
}

// Opens the browser's GPU and compiles the shaders. Throws an Error that says what is missing.
export async function open() {
    if (navigator.gpu === undefined) {
        throw new Error("this browser has no WebGPU; Chrome, Edge, Safari 26 and Firefox 141 or newer have it (on Linux, "
            + "Chrome needs --enable-unsafe-webgpu --enable-features=Vulkan), and only for https or localhost");
    }
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter === null) {
        throw new Error("this browser has WebGPU, but no GPU for it");
    }
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
    const ibfs = await shader("search.wgsl", "coalesced.wgsl", "bottom_up.wgsl");
    const bfs = await shader("bfs.wgsl");
    return {
        device,
        name: [adapter.info.vendor, adapter.info.architecture, adapter.info.description].filter(Boolean).join(" "),
        most: Math.min(maxBufferSize, maxStorageBufferBindingSize),
        ibfs: await pipelines(device, ibfs, IBFS_USES, { rows: 4 }),
        bfs: await pipelines(device, bfs, BFS_USES, { edge_threads: 8, group_vertices: 32 }),
    };
}

// ---- arrays ----

function array(gpu, words, usage = GPUBufferUsage.STORAGE) {
    const size = 4 * Math.max(4, typeof words === "number" ? words : words.length);
    if (size > gpu.most) {
        throw new Error(`the graph needs an array of ${size} bytes, and this GPU's binding has ${gpu.most}`);
    }
    const buffer = gpu.device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    if (typeof words !== "number") {
        gpu.device.queue.writeBuffer(buffer, 0, words);
    }
    return buffer;
}

async function read(gpu, buffer, words) {
    const size = 4 * words;
    const copy = gpu.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const commands = gpu.device.createCommandEncoder();
    commands.copyBufferToBuffer(buffer, 0, copy, 0, size);
    gpu.device.queue.submit([commands.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const result = new Uint32Array(copy.getMappedRange().slice(0));
    copy.destroy();
    return result;
}

function bind(gpu, pipeline, uses, buffers) {
    const entries = uses.map((binding) => ({ binding, resource: { buffer: buffers[binding] } }));
    return { pipeline, group: gpu.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) };
}

// Runs a kernel; where: [x, y], or [the array with the numbers of workgroups, the first of them].
function dispatch(pass, { pipeline, group }, where) {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    if (typeof where[0] === "number") {
        pass.dispatchWorkgroups(...where);
    } else {
        pass.dispatchWorkgroupsIndirect(where[0], 4 * where[1]);
    }
}

// Makes WebGPU's own complaints errors of the call.
async function checked(gpu, work) {
    gpu.device.pushErrorScope("out-of-memory");
    gpu.device.pushErrorScope("validation");
    const result = await work();
    for (let scope = 0; scope < 2; scope++) {
        const problem = await gpu.device.popErrorScope();
        if (problem !== null) {
            throw new Error(problem.message);
        }
    }
    return result;
}

// ---- path lengths: IBFS, coalesced with bottom-up ----

function ibfsArrays(gpu, graph) {
    const words = 32 * graph.count;
    return {
        offsets: array(gpu, graph.offsets), targets: array(gpu, graph.targets), seen: [array(gpu, words), array(gpu, words)],
        params: array(gpu, 12, GPUBufferUsage.UNIFORM), jfq: array(gpu, graph.count), state: array(gpu, 12 + 32 + SEARCHES),
        query: array(gpu, 3 * SEARCHES), lengths: array(gpu, SEARCHES),
        args: array(gpu, 16, GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT),
    };
}

// The kernels of an iteration whose BSA is array number `newest`.
function ibfsKernels(gpu, arrays, newest) {
    const buffers = [arrays.params, arrays.offsets, arrays.targets, arrays.seen[newest], arrays.seen[1 - newest],
        arrays.jfq, arrays.state, arrays.query, arrays.lengths, arrays.args];
    return Object.fromEntries(
        Object.entries(IBFS_USES).map(([name, uses]) => [name, bind(gpu, gpu.ibfs[name], uses, buffers)]));
}

function startBatch(gpu, graph, arrays, kernels, pairs) {
    const query = new Uint32Array(3 * SEARCHES), queue = gpu.device.queue;
    pairs.forEach(([from, to], i) => {
        query[i] = from;
        query.set([i, to], SEARCHES + 2 * i);
    });
    const longest = graph.directed ? UNREACHED : Math.floor(BOTTOM_UP_SHARE * graph.count);
    queue.writeBuffer(arrays.query, 0, query);
    queue.writeBuffer(arrays.params, 0, new Uint32Array(
        [graph.count, pairs.length, pairs.length, 32, 32, 1, 1, longest, 1, 4, 65535, 0]));
    const groups = Math.min(65535, Math.ceil(graph.count / 32));
    queue.writeBuffer(arrays.args, 0, new Uint32Array(
        [1, groups, 1, 0, Math.ceil(pairs.length / 64), 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    const commands = gpu.device.createCommandEncoder();
    for (const buffer of [...arrays.seen, arrays.state]) {
        commands.clearBuffer(buffer);
    }
    const pass = commands.beginComputePass(), groupsOfPairs = Math.ceil(pairs.length / 64);
    dispatch(pass, kernels[1].count_open, [groupsOfPairs, 1]);
    dispatch(pass, kernels[1].set_first_bsak, [groupsOfPairs, 1]);
    pass.end();
    queue.submit([commands.finish()]);
}

async function searchBatch(gpu, arrays, kernels) {
    let iteration = 0;
    for (let header = [0, 1]; header[1] > 0;) {
        const commands = gpu.device.createCommandEncoder(), pass = commands.beginComputePass();
        for (let i = 0; i < LEVELS_AT_ONCE; i++, iteration++) {
            const { identify, watch_destinations, next, expand, pull } = kernels[iteration % 2];
            dispatch(pass, identify, [arrays.args, 0]);
            dispatch(pass, watch_destinations, [arrays.args, 4]);
            dispatch(pass, next, [1, 1]);
            dispatch(pass, expand, [arrays.args, 8]);
            dispatch(pass, pull, [arrays.args, 12]);
        }
        pass.end();
        gpu.device.queue.submit([commands.finish()]);
        header = await read(gpu, arrays.state, 2);
    }
}

// The length of the shortest path of each pair of vertices; -1: there is none. Also tells the milliseconds.
export async function pathLengths(gpu, graph, pairs) {
    return checked(gpu, async () => {
        const begin = performance.now(), arrays = ibfsArrays(gpu, graph);
        const kernels = [0, 1].map((newest) => ibfsKernels(gpu, arrays, newest));
        await gpu.device.queue.onSubmittedWorkDone();
        const uploaded = performance.now(), lengths = [];
        for (let first = 0; first < pairs.length; first += SEARCHES) {
            const batch = pairs.slice(first, first + SEARCHES);
            startBatch(gpu, graph, arrays, kernels, batch);
            await searchBatch(gpu, arrays, kernels);
            const found = await read(gpu, arrays.lengths, batch.length);
            lengths.push(...Array.from(found, (length) => (length === UNREACHED ? -1 : length)));
        }
        Object.values(arrays).flat().forEach((buffer) => buffer.destroy());
        return { lengths, uploadMs: uploaded - begin, searchMs: performance.now() - uploaded };
    });
}

// ---- levels ----

// Calls onLevel(levels, level, ms) after each level, and waits for it; levels has UNREACHED for vertices not found yet.
// Returns the levels.
export async function growLevels(gpu, graph, source, onLevel) {
    const arrays = [
        array(gpu, 8, GPUBufferUsage.UNIFORM), array(gpu, graph.offsets), array(gpu, graph.targets), null, null,
        array(gpu, graph.count), array(gpu, graph.count), array(gpu, 8),
        array(gpu, 8, GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT)];
    [arrays[3], arrays[4]] = [arrays[1], arrays[2]]; // in-edges: of undirected graphs the same
    const [state, args] = [arrays[7], arrays[8]], alpha = graph.directed ? 0 : 14;
    gpu.device.queue.writeBuffer(
        arrays[0], 0, new Uint32Array([graph.count, source, graph.targets.length, alpha, 24, 65535, 0, 0]));
    const kernels = Object.fromEntries(
        Object.entries(BFS_USES).map(([name, uses]) => [name, bind(gpu, gpu.bfs[name], uses, arrays)]));
    const run = (steps) => {
        const commands = gpu.device.createCommandEncoder(), pass = commands.beginComputePass();
        steps.forEach(([kernel, where]) => dispatch(pass, kernels[kernel], where));
        pass.end();
        gpu.device.queue.submit([commands.finish()]);
    };
    const step = [["top_down", [args, 0]], ["bottom_up", [args, 4]], ["next", [1, 1]]];
    return checked(gpu, async () => {
        let levels;
        run([["begin", [1, 1]]]);
        for (let level = 0, frontier = 1, ms = 0; frontier > 0; level++) {
            levels = (await read(gpu, arrays[5], graph.count)).map((stored) => stored - 1); // 0 becomes UNREACHED
            await onLevel(levels, level, ms);
            const begin = performance.now();
            run(step);
            frontier = (await read(gpu, state, 2))[1];
            ms = performance.now() - begin;
        }
        new Set(arrays).forEach((buffer) => buffer.destroy());
        return levels;
    });
}
