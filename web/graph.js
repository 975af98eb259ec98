// graph.js: makes the page's graphs, as rows of neighbours (CSR), and generates some. worker.js runs it.

const MOST_OF_A_GRID = 500_000; // vertices

// Makes the rows of the edges from[i] -> to[i], and of their reverses if `undirected`, without self-loops and
// duplicates. The neighbours of a vertex are sorted.
export function build(count, from, to, undirected) {
    const offsets = new Uint32Array(count + 1);
    const forEachEdge = (visit) => {
        for (let i = 0; i < from.length; i++) {
            if (from[i] === to[i])
                continue;
            visit(from[i], to[i]);
            if (undirected)
                visit(to[i], from[i]);
        }
    };
    forEachEdge((v) => offsets[v + 1]++);
    for (let v = 0; v < count; v++) {
        offsets[v + 1] += offsets[v];
    }
    const next = offsets.slice(), targets = new Uint32Array(offsets[count]);
    forEachEdge((v, neighbour) => {
        targets[next[v]++] = neighbour;
    });
    let kept = 0;
    for (let v = 0, begin = 0; v < count; v++) {
        const row = targets.subarray(begin, offsets[v + 1]).sort();
        begin = offsets[v + 1];
        row.forEach((to, i) => {
            if (i === 0 || to !== targets[kept - 1])
                targets[kept++] = to;
        });
        offsets[v + 1] = kept;
    }
    return {count, offsets, targets: targets.slice(0, kept)};
}

// Returns whether each edge has its reverse. Reverses of the edges, in order, are the next ones of their rows.
export function isSymmetric({count, offsets, targets}) {
    const next = offsets.slice();
    for (let v = 0; v < count; v++) {
        for (const to of targets.subarray(offsets[v], offsets[v + 1])) {
            if (next[to] === offsets[to + 1] || targets[next[to]++] !== v)
                return false;
        }
    }
    return true;
}

// A generator of numbers in [0, 1) (mulberry32): each page load makes the same pairs.
export function randomNumbers(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

function grid(width, height) {
    const count = width * height, from = [], to = [];
    for (let v = 0; v < count; v++) {
        for (const next of [(v + 1) % width > 0 ? v + 1 : count, v + width]) {
            if (next < count) {
                from.push(v);
                to.push(next);
            }
        }
    }
    return build(count, from, to, true);
}

// The numbers of persons and friendships of SNB, by scale factor (thesis, table 5.1).
export const SCALE_FACTORS = {
    1: [10620, 219450],
    3: [25870, 668431],
    10: [70800, 2304951],
    30: [175950, 6880584],
    100: [487700, 23116805],
    300: [1230500, 68313982]
};

// Returns the upper half of the product of two numbers of 32 bits.
function upperHalf(a, b) {
    const a1 = a >>> 16, a0 = a & 0xffff, b1 = b >>> 16, b0 = b & 0xffff;
    const middle = a1 * b0 + ((a0 * b0) >>> 16), other = a0 * b1 + (middle % 65536);
    return a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536);
}

// The same as random_unit() of src/graph/random.h (splitmix64), with both halves of its 64 bits in numbers.
function randomUnit(counter) {
    let low = counter + 0x7f4a7c15, high = 0x9e3779b9 + Math.floor(low / 2 ** 32);
    const mix = (shift, a, b) => {
        low ^= (low >>> shift) | (high << (32 - shift));
        high ^= high >>> shift;
        high = upperHalf(low, b) + Math.imul(low, a) + Math.imul(high, b);
        low = Math.imul(low, b);
    };
    mix(30, 0xbf58476d, 0x1ce4e5b9);
    mix(27, 0x94d049bb, 0x133111eb);
    low ^= (low >>> 31) | (high << 1);
    high ^= high >>> 31;
    return ((high >>> 0) * 2 ** 21 + (low >>> 11)) * 2 ** -53;
}

// Generates the same graph as the program's snb:SCALE; src/graph/generate_snb.c explains the steps.
function snb(scale) {
    const [n, wanted] = SCALE_FACTORS[scale], first = Math.sqrt(Math.sqrt(n / 200)),
              last = Math.sqrt(Math.sqrt(n + n / 200));
    const vertex = (counter) => {
        const root = first + randomUnit(counter) * (last - first), square = root * root;
        return (Math.max(0, Math.min(n - 1, Math.floor(square * square - n / 200))) * 2654435761) % n;
    };
    let drawn = build(0, [], []);
    for (let draws = wanted; drawn.targets.length < wanted; draws += Math.floor(wanted / 16)) {
        const from = new Uint32Array(draws), to = new Uint32Array(draws);
        for (let i = 0; i < draws; i++) {
            const u = vertex(2 * i), v = vertex(2 * i + 1);
            from[i] = Math.min(u, v);
            to[i] = Math.max(u, v);
        }
        drawn = build(n, from, to, false);
    }
    const count = drawn.targets.length, left = (i) => Math.floor((i * (count - wanted)) / count); // dropped before i
    const from = new Uint32Array(wanted), to = new Uint32Array(wanted);
    for (let v = 0, i = 0, kept = 0; i < count; i++) {
        while (drawn.offsets[v + 1] === i)
            v++;
        if (left(i + 1) === left(i)) {
            from[kept] = v;
            to[kept++] = drawn.targets[i];
        }
    }
    return build(n, from, to, true);
}

// Generates the undirected graph with a name such as "grid:30x20" or "snb:1". Throws an Error for other names.
export function generate(name) {
    const [, kind, first, , second] = /^(grid|snb):(\d+)(x(\d+))?$/.exec(name) ?? [];
    const count = kind === "snb" ? (first in SCALE_FACTORS) * MOST_OF_A_GRID : Number(first) * Number(second ?? 1);
    if (kind === undefined || (kind === "grid") !== (second !== undefined) || count < 4 || count > MOST_OF_A_GRID) {
        throw new Error(
            `no graph "${name}"; there are grid:WIDTHxHEIGHT with up to ${MOST_OF_A_GRID} vertices, ` +
            `and snb:SCALE with SCALE ${Object.keys(SCALE_FACTORS).join(", ")}`);
    }
    const isGrid = kind === "grid", graph = isGrid ? grid(Number(first), Number(second)) : snb(first);
    return {...graph, name, width: isGrid ? Number(first) : 0};
}
