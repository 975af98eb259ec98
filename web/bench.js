// bench.js: tests and benchmarks in the browser, as in section 5.5 of the thesis on IBFS (Dreef 2025), with its numbers of
// pairs, on graphs of its scale factors.
import { generate, randomNumbers } from "./graph.js";
import { pathLengths } from "./search.js";

export const NUMBERS = [1, 10, 100, 1000, 2048, 4096, 8192, 16384, 32768, 65536]; // of pairs
export const REPEATS = 5; // of a benchmark
const SEED = 4; // of the pairs
const CHECK_MS = 5000; // after which a test checks no more pairs
const PAUSE_EVERY_MS = 100; // so that the page can be used meanwhile

export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

export function randomPairs(count, number) {
    const random = randomNumbers(SEED), vertex = () => Math.floor(random() * count);
    return Array.from({ length: number }, () => [vertex(), vertex()]);
}

// The levels of a serial search, -1 where it does not come. queue: room for the vertices.
function searchSerially({ offsets, targets }, source, levels, queue) {
    let last = 1;
    levels.fill(-1);
    levels[source] = 0;
    queue[0] = source;
    for (let first = 0; first < last; first++) {
        const v = queue[first];
        for (let e = offsets[v]; e < offsets[v + 1]; e++) {
            if (levels[targets[e]] < 0) {
                levels[targets[e]] = levels[v] + 1;
                queue[last++] = targets[e];
            }
        }
    }
}

// How many of the lengths were compared with those of a serial search, and how many of these are wrong.
async function check(graph, pairs, lengths, signal) {
    const levels = new Int32Array(graph.count), queue = new Uint32Array(graph.count), begin = performance.now();
    let checked = 0, wrong = 0, paused = begin;
    for (const [source, places] of Map.groupBy(pairs.keys(), (i) => pairs[i][0])) {
        searchSerially(graph, source, levels, queue);
        checked += places.length;
        wrong += places.filter((i) => levels[pairs[i][1]] !== lengths[i]).length;
        if (performance.now() - paused > PAUSE_EVERY_MS) {
            await pause();
            signal?.throwIfAborted();
            paused = performance.now();
        }
        if (performance.now() - begin > CHECK_MS) {
            break;
        }
    }
    return { checked, wrong };
}

async function time(gpu, graph, pairs, repeats, signal) {
    const whole = [];
    for (let repeat = -1; repeat < repeats; repeat++) { // the first is not counted
        const { uploadMs, searchMs } = await pathLengths(gpu, graph, pairs, { signal });
        whole.push(uploadMs + searchMs);
    }
    const { spans, gpuMs } = await pathLengths(gpu, graph, pairs, { signal, withClock: true });
    return { wholeMs: whole.slice(1), spans, gpuMs };
}

// Tests, measures, or both, and calls onRow(row, share of the work done) for each scale factor and number of pairs.
export async function run(gpu, { scales, numbers, repeats, tests, times }, signal, onRow) {
    let done = 0;
    for (const scale of scales) {
        const graph = generate(`snb:${scale}`);
        for (const number of numbers) {
            const pairs = randomPairs(graph.count, number);
            const row = { graph: graph.name, vertices: graph.count, edges: graph.targets.length, pairs: number };
            if (tests) {
                const { lengths, uploadMs, searchMs } = await pathLengths(gpu, graph, pairs, { signal });
                Object.assign(row, { testMs: uploadMs + searchMs }, await check(graph, pairs, lengths, signal));
            }
            if (times) {
                Object.assign(row, await time(gpu, graph, pairs, repeats, signal));
            }
            onRow(row, ++done / (scales.length * numbers.length));
            await pause();
        }
    }
}

// The results as they are downloaded. Times are in milliseconds; spans: when each submission of a search began, was made and
// was read back; gpuMs: when each began and ended on the GPU, from the first on, or null where the adapter has no clock.
export function results(gpu, rows) {
    return {
        program: "gtrav's page", date: new Date().toISOString(), browser: navigator.userAgent, adapter: gpu.adapter,
        graphs: "synthetic, with the numbers of persons and friendships of SNB", pairs: `uniform, mulberry32, seed ${SEED}`, rows,
    };
}
