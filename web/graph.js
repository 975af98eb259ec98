// graph.js: graphs of the page: read from a file or generated, as rows of neighbours (CSR).

export const MOST_EDGES = 2_000_000; // of a file
export const MOST_BYTES = 1 << 26;
const MOST_VERTICES = 10_000_000;
const MOST_QUOTED = 60; // characters of a wrong line

// The graph of these edges, whose ends follow each other. Each edge is there in both directions, unless `directed`; self-loops and
// edges given twice are left out. It has `least` vertices or more.
export function fromEdges(name, ends, directed = false, least = 0) {
    const count = ends.reduce((most, v) => Math.max(most, v + 1), least), offsets = new Uint32Array(count + 1);
    const visit = (take) => {
        for (let i = 0; i < ends.length; i += 2) {
            const from = ends[i], to = ends[i + 1];
            if (from !== to) take(from, to);
            if (from !== to && !directed) take(to, from);
        }
    };
    visit((from) => offsets[from + 1]++);
    for (let v = 0; v < count; v++) {
        offsets[v + 1] += offsets[v];
    }
    const targets = new Uint32Array(offsets[count]), next = offsets.slice();
    visit((from, to) => { targets[next[from]++] = to; });
    let kept = 0;
    for (let v = 0, begin = 0; v < count; v++) {
        const row = targets.subarray(begin, offsets[v + 1]).sort();
        begin = offsets[v + 1];
        for (let i = 0; i < row.length; i++) {
            if (i === 0 || row[i] !== row[i - 1]) targets[kept++] = row[i];
        }
        offsets[v + 1] = kept;
    }
    return { name, count, offsets, targets: targets.slice(0, kept), directed };
}

// ---- files ----

const OTHERS = /\.(gr|dimacs|col|properties|graph|metis|gz|zst|xz|xml)$/i; // endings of formats that this page does not read
const VALUES = { pattern: 0, integer: 1, real: 1, complex: 2 }; // of an entry of Matrix Market
const SYMMETRIES = /^(general|symmetric|skew-symmetric|hermitian)$/;
const VALUE = /^[+-]?((\d+\.?\d*|\.\d+)([ed][+-]?\d+)?|nan|inf|infinity)$/i;

// The error that names a line of a file and what should be there.
function wrong(name, row, expected) {
    const quoted = row.line.slice(0, MOST_QUOTED);
    return new Error(`${name}, line ${row.number}: expected ${expected}, not "${quoted}"`);
}

// The lines of a text without blank ones and those that begin with one of `comments`: { number, line, words }.
function* rowsOf(text, separator, comments) {
    let number = 0;
    for (const whole of text.split(/\r\n?|\n/)) {
        const line = whole.trim();
        number++;
        if (line !== "" && !comments.includes(line[0])) yield { number, line, words: line.split(separator) };
    }
}

function push(name, ends, words, first) {
    if (ends.push(words[0] - first, words[1] - first) > 2 * MOST_EDGES) {
        throw new Error(`${name} has more than ${MOST_EDGES} edges, which is more than this page takes`);
    }
}

// A Matrix Market file: entry (i, j) is the edge from i to j; a symmetric matrix has one of both directions.
function readMatrix(name, text, directed) {
    const banner = text.trimStart().split(/\r\n?|\n/, 1)[0];
    const [mark, object, format, field, symmetry, more] = banner.toLowerCase().trim().split(/\s+/), values = VALUES[field];
    if (mark !== "%%matrixmarket" || object !== "matrix" || format !== "coordinate" || values === undefined
        || !SYMMETRIES.test(symmetry) || more !== undefined) {
        throw wrong(name, { number: 1, line: banner }, "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
    }
    const rows = rowsOf(text, /\s+/, "%"), ends = [], size = rows.next().value ?? { number: 1, line: "", words: [] };
    const [count, columns, entries] = size.words.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
    if (size.words.length !== 3 || !(count === columns && count <= MOST_VERTICES && entries >= 0)) {
        throw wrong(name, size, "a size line, of as many rows as columns, 10,000,000 at most, and of the entries");
    }
    const isVertex = (word) => /^\d+$/.test(word) && word >= 1 && word <= count;
    for (const row of rows) {
        if (row.words.length !== 2 + values || !row.words.slice(0, 2).every(isVertex)
            || !row.words.slice(2).every((word) => VALUE.test(word))) {
            throw wrong(name, row, `a row and a column from 1 to ${count} and ${values} values`);
        }
        push(name, ends, row.words, 1);
    }
    if (ends.length !== 2 * entries) {
        throw new Error(`${name} has ${ends.length / 2} entries; its size line announces ${entries}`);
    }
    return fromEdges(name, ends, directed && symmetry === "general", count);
}

// An edge list: two vertex numbers in each line, and as many other columns in all of them, which do not count; lines that
// begin with # or % are comments. A first line is the numbers of vertices and edges if these are right.
function readEdges(name, text, directed) {
    const separator = /[,;|]/.exec(/^\s*[^#%\s].*/m.exec(text)?.[0] ?? "")?.[0] ?? /\s+/;
    const isVertex = (word) => /^\d{1,7}$/.test(word.trim()), ends = [];
    let first, second;
    for (const row of rowsOf(text, separator, "#%")) {
        if (row.words.length < 2 || !row.words.slice(0, 2).every(isVertex)) {
            throw wrong(name, row, "two vertex numbers below 10,000,000");
        }
        if (second !== undefined && row.words.length !== second.words.length) {
            throw wrong(name, row, `${second.words.length} columns, as before`);
        }
        push(name, ends, row.words, 0);
        second = first && (second ?? row);
        first ??= row;
    }
    if (first === undefined) {
        throw new Error(`${name} has no edges`);
    }
    const counts = first.words.map(Number), edges = ends.slice(2);
    if ((counts.length === 2 || (counts.length === 3 && counts[0] === counts[1])) && counts.at(-1) === edges.length / 2
        && edges.every((v) => v < counts[0])) {
        return fromEdges(name, edges, directed, counts[0]);
    }
    if (second !== undefined && first.words.length !== second.words.length) {
        throw wrong(name, second, `${first.words.length} columns, as before`);
    }
    return fromEdges(name, ends, directed);
}

// The graph of a Matrix Market file or an edge list. Throws an Error that names the file and the line.
export function parse(name, text, directed = false) {
    if (OTHERS.test(name)) {
        throw new Error(`${name} is no edge list; this page reads edge lists and Matrix Market files, unpacked`);
    }
    const isMatrix = /\.mtx$/i.test(name) || /^\s*%%MatrixMarket/i.test(text);
    return (isMatrix ? readMatrix : readEdges)(name, text, directed);
}

// ---- generators ----

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
    const ends = [];
    for (let v = 0; v < width * height; v++) {
        if ((v + 1) % width > 0) ends.push(v, v + 1);
        if (v + width < width * height) ends.push(v, v + width);
    }
    return ends;
}

// A ring whose vertices know their four nearest; one edge in ten leads anywhere (Watts and Strogatz).
function smallWorld(count) {
    const random = randomNumbers(1), ends = [];
    for (let v = 0; v < count; v++) {
        for (const step of [1, 2]) {
            ends.push(v, random() < 0.1 ? Math.floor(random() * count) : (v + step) % count);
        }
    }
    return ends;
}

// SNB's persons and friendships at a scale factor (thesis, table 5.1).
export const SCALE_FACTORS = { 1: [10620, 219450], 3: [25870, 668431], 10: [70800, 2304951], 30: [175950, 6880584],
    100: [487700, 23116805], 300: [1230500, 68313982] };
const PAIR_BASE = 2 ** 21; // above every number of persons: an edge is a number below 2^42

const word = (x) => BigInt.asUintN(64, x);

// As random_unit() of src/graph/random.h (splitmix64).
function randomUnit(counter) {
    let z = word(BigInt(counter) + 0x9e3779b97f4a7c15n);
    z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 11n) * 2 ** -53;
}

// The same graph as the program's snb:SCALE; src/graph/generate_snb.c explains it.
function snb(scale) {
    const [n, wanted] = SCALE_FACTORS[scale], first = Math.sqrt(Math.sqrt(n / 200)), last = Math.sqrt(Math.sqrt(n + n / 200));
    const vertex = (counter) => {
        const root = first + randomUnit(counter) * (last - first), square = root * root;
        return (Math.max(0, Math.min(n - 1, Math.floor(square * square - n / 200))) * 2654435761) % n;
    };
    let kept = [], draws = wanted;
    for (; kept.length < wanted; draws += Math.floor(wanted / 16)) {
        const keys = new Float64Array(draws);
        for (let i = 0; i < draws; i++) {
            const u = vertex(2 * i), v = vertex(2 * i + 1);
            keys[i] = u === v ? -1 : Math.min(u, v) * PAIR_BASE + Math.max(u, v);
        }
        keys.sort();
        kept = keys.filter((key, i) => key >= 0 && key !== keys[i - 1]);
    }
    const surplus = kept.length - wanted, ends = new Uint32Array(2 * wanted);
    kept = kept.filter((_, i) => Math.floor(((i + 1) * surplus) / kept.length) === Math.floor((i * surplus) / kept.length));
    kept.forEach((key, i) => {
        ends[2 * i] = Math.floor(key / PAIR_BASE);
        ends[2 * i + 1] = key % PAIR_BASE;
    });
    return ends;
}

// The graph of a name such as "grid:30x20", "world:500" or "snb:1". Throws an Error if there is none.
export function generate(name) {
    const [, kind, first, , second] = /^(grid|world|snb):(\d+)(x(\d+))?$/.exec(name) ?? [];
    const count = kind === "snb" ? 4 : Number(first) * (second === undefined ? 1 : Number(second));
    if (kind === undefined || (kind === "grid") !== (second !== undefined) || count < 4 || count > MOST_EDGES / 4
        || (kind === "snb" && !(first in SCALE_FACTORS))) {
        throw new Error(`no graph "${name}"; there are grid:WIDTHxHEIGHT, world:N with up to ${MOST_EDGES / 4} vertices, `
            + `and snb:SCALE with SCALE ${Object.keys(SCALE_FACTORS).join(", ")}`);
    }
    const ends = { grid, world: smallWorld, snb }[kind](Number(first), Number(second));
    return { ...fromEdges(name, ends), width: kind === "grid" ? Number(first) : 0 };
}
