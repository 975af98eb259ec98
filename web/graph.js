// graph.js: reads or generates the page's graphs, as rows of neighbours (CSR).

export const MOST_ROWS = 2_000_000; // lines of a file
export const MOST_BYTES = 1 << 26;
const MOST_VERTICES = 10_000_000, MOST_OF_A_GRID = 500_000;
const MOST_COLUMNS = 1000;
const MOST_QUOTED = 60; // characters of a wrong line that a message quotes
const BASE = 2 ** 24; // above every vertex

const REACT_MS = 50; // the longest time without a reaction of the page
const MANY = 4096; // turns of a loop that take less than REACT_MS

export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

let reacted = 0; // the time of the page's last reaction

// Lets the page react if its last reaction was long ago. Throws if the user cancelled the work meanwhile.
async function react(signal) {
    if (performance.now() - reacted < REACT_MS)
        return;
    await pause();
    signal?.throwIfAborted();
    reacted = performance.now();
}

const edge = (from, to) => from * BASE + to; // as one number
const ends = (key) => [Math.floor(key / BASE), key % BASE];

// Makes the graph of these edges, each in both directions unless `directed`, without self-loops and duplicates. It
// has at least `least` vertices.
export function fromEdges(name, edges, directed = false, least = 0) {
    const all = new Float64Array(directed ? edges.length : 2 * edges.length);
    let count = least;
    edges.forEach((key, i) => {
        const [from, to] = ends(key);
        count = Math.max(count, from + 1, to + 1);
        all[i] = key;
        if (!directed)
            all[edges.length + i] = edge(to, from);
    });
    const kept = all.sort().filter((key, i) => key !== all[i - 1] && key % (BASE + 1) !== 0),
          offsets = new Uint32Array(count + 1);
    kept.forEach((key) => {
        offsets[ends(key)[0] + 1]++;
    });
    for (let v = 0; v < count; v++) {
        offsets[v + 1] += offsets[v];
    }
    return {name, count, offsets, targets: new Uint32Array(kept.map((key) => key % BASE)), directed};
}

// ---- files ----

// The endings of formats that this page does not read.
const OTHERS = /\.(gr|dimacs|col|properties|graph|metis|gz|zst|xz|xml)$/i;
const FIELDS = "pattern|integer|real|complex", SYMMETRIES = "general|symmetric|skew-symmetric|hermitian";
const BANNER = new RegExp(`^%%MatrixMarket\\s+matrix\\s+coordinate\\s+(${FIELDS})\\s+(${SYMMETRIES})$`, "i");
// How many values an entry has in each field.
const VALUES = {
    pattern: 0,
    integer: 1,
    real: 1,
    complex: 2
};
const VALUE = /^[+-]?((\d+(\.\d*)?|\.\d+)([ed][+-]?\d+)?|nan|inf|infinity)$/i;

// The error that names a line of a file and what should be there.
const wrong = (name, {number, line}, expected) =>
    new Error(`${name}, line ${number}: expected ${expected}, not "${line.slice(0, MOST_QUOTED)}"`);

function* linesOf(text) {
    let begin = 0;
    for (const {index, 0: end} of text.matchAll(/\r\n?|\n/g)) {
        yield text.slice(begin, index).trim();
        begin = index + end.length;
    }
    yield text.slice(begin).trim();
}

// Yields { number, line, words } for each line that is not blank and begins with none of `comments`. Separators split
// the words; the default is the separator of the first such line.
async function* rowsOf(text, comments, signal, separator) {
    let number = 0;
    for (const line of linesOf(text)) {
        if (++number % MANY === 0)
            await react(signal);
        if (line === "" || comments.includes(line[0]))
            continue;
        separator ??= /[,;|]/.exec(line)?.[0] ?? /\s+/;
        yield {number, line, words: line.split(separator, MOST_COLUMNS + 1)};
    }
}

function push(name, edges, from, to) {
    if (edges.push(edge(from, to)) > MOST_ROWS) {
        throw new Error(`${name} has more than ${MOST_ROWS} rows, the most that this page takes`);
    }
}

// Reads a Matrix Market file: entry (i, j) is the edge from i to j; a symmetric matrix stores only one direction.
async function readMatrix(name, text, directed, signal) {
    const banner = /\S.*/.exec(text)?.[0].trimEnd() ?? "", [, field, symmetry] = BANNER.exec(banner) ?? [];
    if (field === undefined) {
        throw wrong(name, {number: 1, line: banner}, "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
    }
    const rows = rowsOf(text, "%", signal, /\s+/), edges = [];
    const size = (await rows.next()).value ?? {number: 1, line: "", words: []};
    const [count, columns, entries, more] = size.words.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
    if (!(count === columns && count <= MOST_VERTICES && entries >= 0) || more !== undefined) {
        throw wrong(name, size, `a size line: rows, as many columns, at most ${MOST_VERTICES} of each, and entries`);
    }
    const values = VALUES[field.toLowerCase()], isVertex = (word) => /^\d+$/.test(word) && word >= 1 && word <= count;
    for await (const row of rows) {
        if (row.words.length !== 2 + values ||
            !row.words.every((word, i) => (i < 2 ? isVertex(word) : VALUE.test(word)))) {
            throw wrong(name, row, `a row and a column from 1 to ${count} and ${values} values`);
        }
        push(name, edges, row.words[0] - 1, row.words[1] - 1);
    }
    if (edges.length !== entries) {
        throw new Error(`${name} has ${edges.length} entries; its size line announces ${entries}`);
    }
    return fromEdges(name, edges, directed && /general/i.test(symmetry), count);
}

// Reads an edge list: each line starts with two vertex numbers, and all lines have the same number of columns; other
// columns are ignored. Lines that begin with # or % are comments. A first line with the right numbers of vertices and
// edges is a header. If that line may also be an edge, the file is refused; gtrav does the same.
async function readEdges(name, text, directed, signal) {
    const isVertex = (word) => /^\d{1,7}$/.test(word.trim()), edges = [];
    let first, second;
    for await (const row of rowsOf(text, "#%", signal)) {
        if (row.words.length < 2 || !row.words.slice(0, 2).every(isVertex)) {
            throw wrong(name, row, "two vertex numbers below 10,000,000");
        }
        if (row.words.length > MOST_COLUMNS) {
            throw wrong(name, row, `${MOST_COLUMNS} columns at most`);
        }
        if (second !== undefined && row.words.length !== second.words.length) {
            throw wrong(name, row, `${second.words.length} columns, as before`);
        }
        push(name, edges, Number(row.words[0]), Number(row.words[1]));
        second = first && (second ?? row);
        first ??= row;
    }
    if (first === undefined) {
        throw new Error(`${name} has no edges`);
    }
    const [count, ...others] = first.words.map(Number), rest = edges.slice(1);
    if ((others.length === 1 || (others.length === 2 && others[0] === count)) && others.at(-1) === rest.length &&
        rest.length > 0) {
        const fromZero = rest.some((key) => ends(key).includes(0));
        const largest = rest.reduce((most, key) => Math.max(most, ...ends(key)), 0);
        if (!fromZero && largest === count && rest.length <= count) {
            throw new Error(
                `${name}, line ${first.number}: the first row may be an edge or counts, as ${rest.length} ` +
                "edges follow; number the vertices from 0, or remove the row if it holds counts");
        }
        if (largest < count || (!fromZero && largest === count)) {
            return fromEdges(name, rest, directed, count);
        }
    }
    if (second !== undefined && first.words.length !== second.words.length) {
        throw wrong(name, second, `${first.words.length} columns, as before`);
    }
    return fromEdges(name, edges, directed);
}

// Reads the graph of a Matrix Market file or an edge list. Throws an Error that names the file and the line. signal:
// an AbortController's signal.
export async function parse(name, text, directed, signal) {
    if (OTHERS.test(name)) {
        throw new Error(`${name} is not an edge list; this page reads edge lists and Matrix Market files, unpacked`);
    }
    const isMatrix = /\.mtx$/i.test(name) || /^\s*%%MatrixMarket/i.test(text);
    return (isMatrix ? readMatrix : readEdges)(name, text, directed, signal);
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
    const edges = [];
    for (let v = 0; v < width * height; v++) {
        if ((v + 1) % width > 0)
            edges.push(edge(v, v + 1));
        if (v + width < width * height)
            edges.push(edge(v, v + width));
    }
    return edges;
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
const word = (x) => BigInt.asUintN(64, x);

// The same as random_unit() of src/graph/random.h (splitmix64).
function randomUnit(counter) {
    let z = word(BigInt(counter) + 0x9e3779b97f4a7c15n);
    z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 11n) * 2 ** -53;
}

// Generates the same graph as the program's snb:SCALE; src/graph/generate_snb.c explains the steps.
async function snb(scale, signal) {
    const [n, wanted] = SCALE_FACTORS[scale], first = Math.sqrt(Math.sqrt(n / 200)),
              last = Math.sqrt(Math.sqrt(n + n / 200));
    const vertex = (counter) => {
        const root = first + randomUnit(counter) * (last - first), square = root * root;
        return (Math.max(0, Math.min(n - 1, Math.floor(square * square - n / 200))) * 2654435761) % n;
    };
    let kept = [];
    for (let draws = wanted; kept.length < wanted; draws += Math.floor(wanted / 16)) {
        const drawn = new Float64Array(draws);
        for (let i = 0; i < draws; i++) {
            const u = vertex(2 * i), v = vertex(2 * i + 1);
            if (u !== v)
                drawn[i] = edge(Math.min(u, v), Math.max(u, v));
            if (i % MANY === 0)
                await react(signal);
        }
        kept = drawn.sort().filter((key, i) => key > 0 && key !== drawn[i - 1]);
    }
    const left = (i) => Math.floor((i * (kept.length - wanted)) / kept.length); // dropped among the first i
    return kept.filter((_, i) => left(i + 1) === left(i));
}

// Generates the graph with a name such as "grid:30x20" or "snb:1". Throws an Error for other names. signal: an
// AbortController's signal.
export async function generate(name, signal) {
    const [, kind, first, , second] = /^(grid|snb):(\d+)(x(\d+))?$/.exec(name) ?? [];
    const count = kind === "snb" ? (first in SCALE_FACTORS) * MOST_OF_A_GRID : Number(first) * Number(second ?? 1);
    if (kind === undefined || (kind === "grid") !== (second !== undefined) || count < 4 || count > MOST_OF_A_GRID) {
        throw new Error(
            `no graph "${name}"; there are grid:WIDTHxHEIGHT with up to ${MOST_OF_A_GRID} vertices, ` +
            `and snb:SCALE with SCALE ${Object.keys(SCALE_FACTORS).join(", ")}`);
    }
    const edges = kind === "grid" ? grid(Number(first), Number(second)) : await snb(first, signal);
    return {...fromEdges(name, edges), width: kind === "grid" ? Number(first) : 0};
}
