// graph.js: graphs of the page: read from an edge list or generated, as rows of neighbours (CSR).

export const MOST_EDGES = 2_000_000;
export const MOST_BYTES = 1 << 26; // of an edge list
const MOST_QUOTED = 60; // characters of a wrong line

// The graph of these pairs of vertex numbers. Each edge is there in both directions, unless `directed`.
export function fromEdges(name, pairs, directed = false) {
    let largest = -1;
    for (const [from, to] of pairs) {
        largest = Math.max(largest, from, to);
    }
    const count = largest + 1, degree = new Uint32Array(count + 1);
    const edges = directed ? pairs : pairs.flatMap(([from, to]) => [[from, to], [to, from]]);
    for (const [from] of edges) {
        degree[from]++;
    }
    const offsets = new Uint32Array(count + 1);
    for (let v = 0; v < count; v++) {
        offsets[v + 1] = offsets[v] + degree[v];
    }
    const targets = new Uint32Array(edges.length), next = offsets.slice();
    for (const [from, to] of edges) {
        targets[next[from]++] = to;
    }
    return { name, count, offsets, targets, directed, pairs };
}

// An edge list: two vertex numbers in each line; lines that begin with # or % are comments. Throws an Error that names
// the line.
export function parse(name, text, directed = false) {
    if (text.startsWith("%%MatrixMarket")) {
        throw new Error(`${name} is a Matrix Market file; this page reads edge lists only`);
    }
    const pairs = [];
    text.split(/\r\n?|\n/).forEach((line, index) => {
        const words = line.trim().split(/[\s,]+/);
        if (words[0] === "" || /^[#%]/.test(words[0])) {
            return;
        }
        const [from, to] = words.slice(0, 2).map((word) => (/^\d{1,7}$/.test(word) ? Number(word) : NaN));
        if (!(from >= 0 && to >= 0)) {
            const quoted = line.trim().slice(0, MOST_QUOTED);
            throw new Error(`${name}, line ${index + 1}: expected two vertex numbers below 10,000,000, not "${quoted}"`);
        }
        if (pairs.push([from, to]) > MOST_EDGES) {
            throw new Error(`${name} has more than ${MOST_EDGES} edges, which is more than this page takes`);
        }
    });
    if (pairs.length === 0) {
        throw new Error(`${name} has no edges`);
    }
    return fromEdges(name, pairs, directed);
}

// A generator of numbers in [0, 1) (mulberry32): each page load makes the same graphs.
export function randomNumbers(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

function grid(width, height) {
    const pairs = [];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const v = y * width + x;
            if (x + 1 < width) pairs.push([v, v + 1]);
            if (y + 1 < height) pairs.push([v, v + width]);
        }
    }
    return pairs;
}

// A ring whose vertices know their four nearest; one edge in ten leads anywhere (Watts and Strogatz).
function smallWorld(count) {
    const random = randomNumbers(1), pairs = [];
    for (let v = 0; v < count; v++) {
        for (const step of [1, 2]) {
            pairs.push([v, random() < 0.1 ? Math.floor(random() * count) : (v + step) % count]);
        }
    }
    return pairs;
}

// Each new vertex joins two earlier ones, more likely those with many edges (Barabasi and Albert).
function hubs(count) {
    const random = randomNumbers(2), ends = [0, 1], pairs = [[0, 1]];
    for (let v = 2; v < count; v++) {
        for (let i = 0; i < 2; i++) {
            const other = ends[Math.floor(random() * ends.length)];
            pairs.push([v, other]);
            ends.push(v, other);
        }
    }
    return pairs;
}

// The graph of a name such as "grid:30x20", "world:500" or "hubs:500". Throws an Error if there is none.
export function generate(name) {
    const [, kind, first, , second] = /^(grid|world|hubs):(\d+)(x(\d+))?$/.exec(name) ?? [];
    const count = Number(first) * (second === undefined ? 1 : Number(second));
    if (kind === undefined || (kind === "grid") !== (second !== undefined) || count < 4 || count > MOST_EDGES / 4) {
        throw new Error(`no graph "${name}"; there are grid:WIDTHxHEIGHT, world:N and hubs:N`);
    }
    const pairs = kind === "grid" ? grid(Number(first), Number(second)) : kind === "world" ? smallWorld(count) : hubs(count);
    return { ...fromEdges(name, pairs), width: kind === "grid" ? Number(first) : 0 };
}
