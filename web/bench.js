// bench.js: tests and benchmarks in the browser, as in section 5.5 of the thesis on IBFS (Dreef 2025), with its
// numbers of pairs, on graphs of its scale factors.
import {randomNumbers} from "./graph.js";
import {LEVELS_AT_ONCE, pathLengths, SCHEME_NAMES} from "./search.js";

const NUMBERS = [1, 10, 100, 1000, 2048, 4096, 8192, 16384, 32768, 65536]; // numbers of pairs
const REPEATS = 5; // repeats of a benchmark
const SEED = 4; // seed of the pairs
const CHECK_MS = 5000; // a test checks no more pairs after this time

export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

// Returns the levels of a serial search; -1: not reached.
function searchSerially({count, offsets, targets}, source) {
    const levels = new Int32Array(count).fill(-1), queue = [source];
    levels[source] = 0;
    for (const v of queue) {
        for (const to of targets.subarray(offsets[v], offsets[v + 1])) {
            if (levels[to] < 0) {
                levels[to] = levels[v] + 1;
                queue.push(to);
            }
        }
    }
    return levels;
}

// Compares lengths with serial searches. Returns how many were checked, and how many of these are wrong.
async function check(graph, pairs, lengths, signal) {
    const begin = performance.now();
    let checked = 0, wrong = 0;
    for (const [source, places] of Map.groupBy(pairs.keys(), (place) => pairs[place][0])) {
        const levels = searchSerially(graph, source);
        checked += places.length;
        wrong += places.filter((place) => levels[pairs[place][1]] !== lengths[place]).length;
        await (globalThis.scheduler?.yield?.() ?? pause()); // so that the page can be used meanwhile
        signal.throwIfAborted();
        if (performance.now() - begin > CHECK_MS)
            break;
    }
    return {checked, wrong};
}

// Runs what is asked, tests and benchmarks by default, for each scale factor and number of pairs: searches once
// without counting the time; if `tests`, checks the lengths; if `times`, times `repeats` searches.
// asked.pairsOf(count of vertices) returns pairs that replace the random ones. makeGraph(name) returns a graph. After
// each, calls onRow(row, share of the work done).
export async function run(gpu, asked, makeGraph, signal, onRow) {
    const {scales, tests = true, times = true, scheme = SCHEME_NAMES[0], pairsOf} = asked;
    const repeats = Number(asked.repeats ?? REPEATS), iterations = Number(asked.iterations ?? LEVELS_AT_ONCE);
    for (const [i, scale] of scales.entries()) {
        const graph = await makeGraph(`snb:${scale}`), random = randomNumbers(SEED);
        const given = pairsOf?.(graph.count), numbers = given ? [given.length] : asked.numbers ?? NUMBERS;
        const vertex = () => Math.floor(random() * graph.count);
        const all = given ?? Array.from({length: Math.max(...numbers)}, () => [vertex(), vertex()]);
        for (const [j, number] of numbers.entries()) {
            const pairs = all.slice(0, number),
                  search = (withClock) => pathLengths(gpu, graph, pairs, {scheme, iterations, signal, withClock});
            const {lengths, ...first} = await search(true);
            const row = {graph: graph.name, vertices: graph.count, edges: graph.targets.length, pairs: number};
            Object.assign(row, {scheme, iterations, first}, tests && await check(graph, pairs, lengths, signal));
            Object.assign(row, given && {pairsFile: asked.pairsFile}, times && {wholeMs: []});
            while (times && row.wholeMs.length < repeats) {
                const {uploadMs, searchMs} = await search(false);
                row.wholeMs.push(uploadMs + searchMs);
            }
            onRow(row, (i + (j + 1) / numbers.length) / scales.length);
        }
    }
}

// Returns the results for downloading. Times are in milliseconds; docs/webgpu.md explains them.
export function results({adapter}, rows) {
    return {
        date: new Date().toISOString(),
        browser: navigator.userAgent,
        adapter,
        pairs: `uniform, mulberry32, seed ${SEED}; rows with a pairsFile have the pairs of that file`,
        graphs: "synthetic, with the numbers of persons and friendships of SNB",
        rows
    };
}
