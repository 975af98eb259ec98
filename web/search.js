// search.js: path lengths and breadth-first levels with gtrav's own shaders (kernels/webgpu/shaders), by the
// browser's WebGPU. kernels/webgpu/ibfs.c and bfs.c do the same in C; their comments explain the arrays and the
// steps.

const SHADERS = "../kernels/webgpu/shaders/";
const UNREACHED = 0xffffffff;
const INSTANCE_SEARCHES = 32;
const SEARCHES = 1024; // the most searches of a batch
const MOST_TIMES = 4096; // most timestamps of a batch
// Workgroups of a dispatch, a fixed number. The GPU could compute the number, but browsers check such a number by
// another dispatch.
const MANY_WORKGROUPS = 4096, FEW_WORKGROUPS = 16; // few where idle workgroups cost time
export const LEVELS_AT_ONCE = 8; // iterations between two read-backs, since a read-back in a browser takes long
const MOST_AT_ONCE = 64;
const BOTTOM_UP_SHARE = 0.05;
const LOW_DEGREE = 512; // top-down, several workgroups share the edges of a vertex with a higher degree
const TURNS = 4; // places through which an iteration passes data to the next one; the shaders use them in turn
const ITERATION = 16, STEP = 8; // words of a place
const QUEUED = 8; // the words of a place, one for each queue, that are 0 after the last iteration

// The bindings of each kernel, by their numbers in its shader.
const IBFS_USES = {
    set_first_bsak: [0, 4, 6, 7, 8, 9, 11],
    identify: [0, 3, 4, 5, 6, 7, 8, 9, 11],
    expand: [0, 1, 2, 3, 4, 5, 6, 10, 11],
};
const BFS_USES = {
    begin: [0, 1, 5, 6, 7, 8],
    search_level: [0, 1, 2, 3, 4, 5, 6, 7, 8],
};

// The schemes of IBFS by their names in the program: the files of the shader, the kernel that expands, and constants.
// scanned: vertices that a workgroup of identify takes at once.
const ROWS = 4, EXPAND_VERTICES = 32;
const SCHEMES = {
    bottomup: {files: ["coalesced", "bottom_up"], expand: "expand_or_pull", constants: {rows: ROWS}, scanned: 32},
    coalesced: {files: ["coalesced"], expand: "expand", constants: {rows: ROWS}, scanned: 32},
    workgroup: {
        files: ["workgroups"],
        expand: "expand",
        constants: {width: 128, edge_threads: 8, expand_vertices: EXPAND_VERTICES},
        scanned: 128,
    },
};
export const SCHEME_NAMES = Object.keys(SCHEMES);

// Returns the joined text of a shader's files.
export async function shader(...names) {
    const texts = names.map(async (name) => {
        const answer = await fetch(name);
        if (!answer.ok) {
            throw new Error(`cannot read ${name}: serve the folder that has web/ and kernels/`);
        }
        return answer.text();
    });
    return (await Promise.all(texts)).join("\n");
}

// Compiles kernels. entries: their names in the shader, by their names in `uses`, if these differ.
async function pipelines(device, code, uses, constants, entries = {}) {
    const module = device.createShaderModule({code}), made = {};
    for (const name of Object.keys(uses)) {
        const compute = {module, entryPoint: entries[name] ?? name, constants};
        made[name] = await device.createComputePipelineAsync({layout: "auto", compute});
    }
    return made;
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render/i; // names of adapters that are not GPUs

// Returns the name and vendor of the browser's adapter, and whether it is software.
function describe({info}) {
    const {vendor, architecture, device, description, isFallbackAdapter} = info;
    const name = [vendor, architecture, device, description].filter(Boolean).join(" ") || "an adapter without a name";
    return {name, vendor, isSoftware: isFallbackAdapter === true || SOFTWARE.test(name)};
}

// The error if the browser has WebGPU but no GPU for it.
export class NoAdapter extends Error {}

// Opens the browser's GPU and compiles the shaders. Throws an Error that says what is missing.
export async function open() {
    if (navigator.gpu === undefined) {
        throw new Error(
            "this browser has no WebGPU; Chrome, Edge, Safari 26 and Firefox 141 or newer have it (on Linux, Chrome " +
            "needs --enable-unsafe-webgpu --enable-features=Vulkan, and Firefox dom.webgpu.enabled in about:config), " +
            "and only for https or localhost");
    }
    const adapter = await navigator.gpu.requestAdapter({powerPreference: "high-performance"});
    if (adapter === null) {
        throw new NoAdapter("this browser has WebGPU, but no GPU for it");
    }
    const {maxBufferSize, maxStorageBufferBindingSize} = adapter.limits;
    const requiredFeatures = ["timestamp-query"].filter((name) => adapter.features.has(name));
    const device =
        await adapter.requestDevice({requiredFeatures, requiredLimits: {maxBufferSize, maxStorageBufferBindingSize}});
    const bfs = await shader(`${SHADERS}bfs.wgsl`);
    return {
        device,
        adapter: describe(adapter),
        most: Math.min(maxBufferSize, maxStorageBufferBindingSize),
        schemes: {}, // the kernels of those that were used
        bfs: await pipelines(device, bfs, BFS_USES, {edge_threads: 8, group_vertices: 32, low_degree: LOW_DEGREE}),
    };
}

// ---- arrays ----

export function array(gpu, words, usage = GPUBufferUsage.STORAGE) {
    const size = 4 * Math.max(4, typeof words === "number" ? words : words.length);
    if (size > gpu.most) {
        throw new Error(`the graph needs an array of ${size} bytes, but a binding of this GPU has ${gpu.most}`);
    }
    const buffer = gpu.device.createBuffer({size, usage: usage | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST});
    if (typeof words !== "number") {
        gpu.device.queue.writeBuffer(buffer, 0, words);
    }
    return buffer;
}

// Submits the commands that encode(commands) adds.
export function submit({device}, encode) {
    const commands = device.createCommandEncoder();
    encode(commands);
    device.queue.submit([commands.finish()]);
}

// Reads words of several buffers in one copy. A reading is { from: a buffer, words: their number, first: the first }.
async function read(gpu, ...readings) {
    const ends = readings.map((_, i) => readings.slice(0, i + 1).reduce((sum, {words}) => sum + words, 0)),
          size = 4 * ends.at(-1);
    const copy = gpu.device.createBuffer({size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
    submit(
        gpu,
        (commands) => readings.forEach(
            ({from, words, first = 0}, i) =>
                commands.copyBufferToBuffer(from, 4 * first, copy, 4 * (ends[i] - words), 4 * words)));
    await copy.mapAsync(GPUMapMode.READ);
    const all = new Uint32Array(copy.getMappedRange()),
          result = readings.map(({words}, i) => all.slice(ends[i] - words, ends[i]));
    copy.destroy();
    return result;
}

export function bind(gpu, pipeline, uses, buffers) {
    const entries = uses.map((binding) => ({binding, resource: {buffer: buffers[binding]}}));
    return {pipeline, group: gpu.device.createBindGroup({layout: pipeline.getBindGroupLayout(0), entries})};
}

function dispatch(pass, {pipeline, group}, ...groups) {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(...groups);
}

// Clears the buffers, then runs one kernel.
function runOnce(gpu, kernel, groups, cleared = []) {
    submit(gpu, (commands) => {
        cleared.forEach((buffer) => commands.clearBuffer(buffer));
        const pass = commands.beginComputePass();
        dispatch(pass, kernel, groups);
        pass.end();
    });
}

function turns(gpu) {
    return Array.from(
        {length: TURNS}, (_, turn) => array(gpu, new Uint32Array([turn, 0, 0, 0]), GPUBufferUsage.UNIFORM));
}

// Makes WebGPU's own messages errors of the call, because they explain what went wrong first.
async function checked({device}, work) {
    ["out-of-memory", "validation"].forEach((kind) => device.pushErrorScope(kind));
    const [done] = await Promise.allSettled([work()]);
    const [validation, memory] = [await device.popErrorScope(), await device.popErrorScope()];
    if (validation ?? memory ?? done.reason) {
        throw new Error((memory ?? validation ?? done.reason).message);
    }
    return done.value;
}

// ---- path lengths: IBFS ----

// Compiles the kernels of a scheme, once.
async function compile(gpu, scheme) {
    if (gpu.schemes[scheme] === undefined) {
        const {files, expand, constants} = SCHEMES[scheme];
        const code = await shader(...["search", ...files].map((file) => `${SHADERS}${file}.wgsl`));
        gpu.schemes[scheme] = await pipelines(gpu.device, code, IBFS_USES, constants, {expand});
    }
}

// Adds a scheme to `gpu`, and how many instances of 32 searches share a batch. isShared: they have one queue.
function withScheme(gpu, scheme, searches) {
    const isShared = scheme !== "workgroup", {scanned} = SCHEMES[scheme];
    const instances = isShared ? 32 : searches > 2 * INSTANCE_SEARCHES ? 4 : searches > INSTANCE_SEARCHES ? 2 : 1;
    return {...gpu, ibfs: gpu.schemes[scheme], scheme, scanned, isShared, instances};
}

function ibfsArrays(gpu, graph, pairs) {
    const {instances, isShared} = gpu, n = graph.count, words = instances * n;
    const longest = gpu.scheme === "bottomup" && !graph.directed ? Math.floor(BOTTOM_UP_SHARE * n) : UNREACHED;
    const layout = isShared ? [32, 1, 1, longest, 1, ROWS] : [1, n, instances, longest, EXPAND_VERTICES, 1];
    const params = new Uint32Array([n, instances, ...layout, 65535, 0, 0, 0]);
    return {
        offsets: array(gpu, graph.offsets),
        targets: array(gpu, graph.targets),
        seen: [array(gpu, words), array(gpu, words)],
        params: array(gpu, params, GPUBufferUsage.UNIFORM),
        jfq: array(gpu, isShared ? n : words),
        state: array(gpu, 32 + SEARCHES),
        query: array(gpu, 2 + SEARCHES + 2 * pairs),
        lengths: array(gpu, pairs),
        iterations: array(gpu, TURNS * ITERATION),
        turns: turns(gpu),
    };
}

// Returns the kernels of a turn, with the newer of the two arrays of seen vertices as the BSA.
function ibfsKernels(gpu, arrays, names, turn, newest) {
    const buffers = [
        arrays.params, arrays.offsets, arrays.targets, arrays.seen[newest], arrays.seen[1 - newest], arrays.jfq,
        arrays.state, arrays.query, arrays.lengths, arrays.iterations, arrays.iterations, arrays.turns[turn]
    ];
    return Object.fromEntries(names.map((name) => [name, bind(gpu, gpu.ibfs[name], IBFS_USES[name], buffers)]));
}

// Starts searches, each given as [source, indices of its pairs].
function startBatch(gpu, arrays, searches, pairs) {
    const query = [searches.length, 0, ...searches.map(([source]) => source)];
    query.length = 2 + SEARCHES;
    searches.forEach(([, places], number) => places.forEach((place) => query.push(number, pairs[place][1])));
    const wanted = query[1] = (query.length - 2 - SEARCHES) / 2;
    gpu.device.queue.writeBuffer(arrays.query, 0, new Uint32Array(query));
    const {set_first_bsak} = ibfsKernels(gpu, arrays, ["set_first_bsak"], 0, 1);
    runOnce(
        gpu, set_first_bsak, Math.ceil(Math.max(wanted, searches.length) / 64),
        [...arrays.seen, arrays.state, arrays.iterations]);
}

// Returns the begin and the end of each pass, one after the other, in milliseconds since the first begin.
async function readClock(gpu, clock, passes) {
    const times = array(gpu, 4 * passes, GPUBufferUsage.QUERY_RESOLVE);
    submit(gpu, (commands) => commands.resolveQuerySet(clock, 0, 2 * passes, times, 0));
    const words = new BigUint64Array((await read(gpu, {from: times, words: 4 * passes}))[0].buffer);
    times.destroy();
    return Array.from(words, (nanoseconds) => Number(nanoseconds - words[0]) / 1e6);
}

// Submits several iterations at a time until the search is over. Returns the lengths of `pairs` pairs. spans: for
// each submission, appends the milliseconds when it began, when it was submitted and when its read-back arrived.
async function searchBatch(gpu, graph, arrays, pairs, kernels, {spans, clock, signal, iterations}) {
    const groups = Math.min(65535, Math.ceil(graph.count / gpu.scanned)), queues = gpu.isShared ? 1 : gpu.instances,
          most = gpu.adapter.isSoftware ? FEW_WORKGROUPS : MANY_WORKGROUPS;
    let iteration = 0, last = [1], lengths;
    while (last.some((queued) => queued > 0)) {
        signal?.throwIfAborted();
        const begin = performance.now();
        const timed = 2 * spans.length,
              timestampWrites = clock === null || timed >= MOST_TIMES ?
            undefined :
            {querySet: clock, beginningOfPassWriteIndex: timed, endOfPassWriteIndex: timed + 1};
        submit(gpu, (commands) => {
            const pass = commands.beginComputePass({timestampWrites});
            for (let i = 0; i < iterations; i++, iteration++) {
                const turn = iteration % TURNS;
                dispatch(pass, kernels[turn].identify, queues, groups);
                dispatch(pass, kernels[turn].expand, queues, most);
            }
            pass.end();
        });
        const submitted = performance.now();
        [last, lengths] = await read(
            gpu, {from: arrays.iterations, words: queues, first: ((iteration - 1) % TURNS) * ITERATION + QUEUED},
            {from: arrays.lengths, words: pairs});
        spans.push([begin, submitted, performance.now()]);
    }
    return lengths;
}

// Finds the length of the shortest path of each pair of vertices; -1: there is none. Also returns the times in
// milliseconds. scheme: one of SCHEME_NAMES; iterations: between two read-backs; onShare: called with the share of
// the work that is done; signal: an AbortController's signal.
export async function pathLengths(opened, graph, pairs, {scheme, iterations, signal, onShare, withClock}) {
    return checked(opened, async () => {
        await compile(opened, scheme);
        const begin = performance.now(), spans = [];
        const searches = [...Map.groupBy(pairs.keys(), (place) => pairs[place][0])]; // one from each source
        const gpu = withScheme(opened, scheme, searches.length), batchSize = gpu.instances * INSTANCE_SEARCHES;
        const arrays = ibfsArrays(gpu, graph, pairs.length);
        const kernels = arrays.turns.map((_, turn) => ibfsKernels(gpu, arrays, ["identify", "expand"], turn, turn % 2));
        const clock = withClock && gpu.device.features.has("timestamp-query") ?
            gpu.device.createQuerySet({type: "timestamp", count: MOST_TIMES}) :
            null;
        try {
            await gpu.device.queue.onSubmittedWorkDone();
            const uploaded = performance.now(), lengths = [];
            for (let first = 0; first < searches.length; first += batchSize) {
                const batch = searches.slice(first, first + batchSize), places = batch.flatMap(([, of]) => of);
                startBatch(gpu, arrays, batch, pairs);
                const asked = {spans, clock, signal, iterations};
                const found = await searchBatch(gpu, graph, arrays, places.length, kernels, asked);
                places.forEach((place, i) => {
                    lengths[place] = found[i] === UNREACHED ? -1 : found[i];
                });
                onShare?.((first + batch.length) / searches.length);
            }
            const searchMs = performance.now() - uploaded;
            const gpuMs = clock && await readClock(gpu, clock, Math.min(spans.length, MOST_TIMES / 2));
            const fromBegin = spans.map((span) => span.map((at) => at - begin));
            return {lengths, uploadMs: uploaded - begin, searchMs, gpuMs, spans: fromBegin};
        } finally {
            [...Object.values(arrays).flat(), clock].forEach((owned) => owned?.destroy());
        }
    });
}

// ---- levels ----

// Returns whether the arrays of a graph fit into bindings of the GPU.
export const fits = ({most}, vertices, storedEdges) => 4 * Math.max(32 * vertices, storedEdges) <= most;

// Makes the arrays of a graph on the GPU: offsets, targets, the levels of the last search plus 1 (0: not reached);
// for a picture also the places of the vertices and the ends of the edges. The caller destroys them.
export function upload(gpu, {offsets, targets, count}, places, edges) {
    return checked(
        gpu,
        async () =>
            [...[offsets, targets, count, new Float32Array(places.flat())].map((words) => array(gpu, words)),
             array(gpu, edges, GPUBufferUsage.INDEX | GPUBufferUsage.STORAGE)]);
}

// Searches from a vertex of the graph in these arrays. Returns the number of levels and the milliseconds. Reads back
// after 8 levels, then after twice as many each time. signal: an AbortController's signal.
export async function growLevels(gpu, graph, [offsets, targets, levels], source, signal) {
    const highDegree = Math.floor(graph.targets.length / LOW_DEGREE); // an upper bound of their number
    const params = new Uint32Array([graph.count, source, graph.targets.length, graph.directed ? 0 : 14, 24, 0, 0, 0]);
    const own =
        [array(gpu, params, GPUBufferUsage.UNIFORM), array(gpu, graph.count + highDegree), array(gpu, TURNS * STEP)];
    const places = turns(gpu), steps = own[2];
    const arrays = [
        own[0], offsets, targets, offsets, targets, levels, own[1], steps
    ]; // the second offsets and targets are the in-edges, which only undirected graphs use: there they are the same
    const kernels = Object.fromEntries(Object.entries(BFS_USES).map(
        ([name, uses]) => [name, places.map((place) => bind(gpu, gpu.bfs[name], uses, [...arrays, place]))]));
    return checked(gpu, async () => {
        try {
            const begin = performance.now(), groups = Math.min(2048, Math.ceil(graph.count / 32));
            runOnce(gpu, kernels.begin[0], 1, [levels]);
            for (let level = 0, atOnce = LEVELS_AT_ONCE;; atOnce = Math.min(2 * atOnce, MOST_AT_ONCE)) {
                signal?.throwIfAborted();
                submit(gpu, (commands) => {
                    const pass = commands.beginComputePass(), end = level + atOnce;
                    for (; level < end; level++) {
                        dispatch(pass, kernels.search_level[level % TURNS], groups);
                    }
                    pass.end();
                });
                const [[last, , frontier]] = await read(gpu, {from: steps, words: STEP, first: (level % TURNS) * STEP});
                if (frontier === 0)
                    return {levels: last - 1, ms: performance.now() - begin};
            }
        } finally {
            [...own, ...places].forEach((buffer) => buffer.destroy());
        }
    });
}

// Returns the levels of the last search in these arrays; -1: not reached.
export async function readLevels(gpu, graph, arrays) {
    const [stored] = await read(gpu, {from: arrays[2], words: graph.count});
    return Array.from(stored, (level) => level - 1);
}
