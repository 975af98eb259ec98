// read.js: reads edge lists and Matrix Market files as the program does (src/graph/read_edges.c, table_layout.c,
// read_mtx.c), or refuses them. worker.js runs it.
import {build, isSymmetric} from "./graph.js";

const MOST_ROWS = 5_000_000; // SNB's scale factor 10 has half as many friendships
const MOST_VERTICES = 10_000_000;
const MOST_COLUMNS = 1000;
const MOST_QUOTED = 60; // characters of a wrong line that a message quotes

// The error that names a line of a file and what should be there.
const wrong = (name, {number, line}, expected) =>
    new Error(`${name}, line ${number}: expected ${expected}, not "${line.slice(0, MOST_QUOTED)}"`);

const NO_ROW = {
    number: 1,
    line: ""
};

// Yields { number, line } for each line that is not blank and begins with none of `comments`. Throws an Error if
// there are too many.
function* rowsOf(name, text, comments) {
    let number = 0, rows = 0;
    for (let begin = 0, end = 0; end < text.length; begin = end + 1) {
        end = text.indexOf("\n", begin);
        end = end < 0 ? text.length : end;
        const line = text.slice(begin, end), start = line.trimStart()[0] ?? comments[0];
        number++;
        if (comments.includes(start))
            continue;
        if (++rows > MOST_ROWS) {
            throw new Error(`${name} has more than ${MOST_ROWS} rows, the most that this page takes`);
        }
        yield {number, line};
    }
}

// Makes the graph of a file. ids: the vertices' ids in the file, if they are not the vertices' numbers.
function graphOf(name, count, from, to, isUndirected, ids = null) {
    const graph = build(count, from, to, isUndirected);
    return {...graph, name, ids, width: 0, directed: !(isUndirected || isSymmetric(graph))};
}

// ---- Matrix Market ----

const FIELDS = "pattern|integer|real|double|complex", SYMMETRIES = "general|symmetric|skew-symmetric|hermitian";
const BANNER = new RegExp(`^%%MatrixMarket\\s+matrix\\s+coordinate\\s+(${FIELDS})\\s+(${SYMMETRIES})$`, "i");
// How many values an entry has in each field.
const VALUES = {
    pattern: 0,
    integer: 1,
    real: 1,
    double: 1,
    complex: 2
};
const VALUE = /^[+-]?((\d+(\.\d*)?|\.\d+)([ed][+-]?\d+)?|nan|inf|infinity)$/i;

// Reads a Matrix Market file: entry (i, j) is the edge from i - 1 to j - 1. All symmetries but general mirror it.
function readMatrix(name, text, directions) {
    const banner = /\S.*/.exec(text)?.[0].trimEnd() ?? "", [, field, symmetry] = BANNER.exec(banner) ?? [];
    if (field === undefined) {
        throw wrong(name, {number: 1, line: banner}, "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
    }
    const isMirrored = !/general/i.test(symmetry), rows = rowsOf(name, text, "%"), from = [], to = [];
    if (isMirrored && directions === "directed") {
        throw new Error(`${name}: directed: a symmetric matrix has no directions`);
    }
    const size = rows.next().value ?? NO_ROW;
    const [count, columns, entries, more] =
        size.line.trim().split(/\s+/).map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
    if (!(count === columns && count <= MOST_VERTICES && entries >= 0) || more !== undefined) {
        throw wrong(name, size, `a size line: rows, as many columns, at most ${MOST_VERTICES} of each, and entries`);
    }
    const values = VALUES[field.toLowerCase()], isVertex = (word) => /^\d+$/.test(word) && word >= 1 && word <= count;
    for (const row of rows) {
        const words = row.line.trim().split(/\s+/, MOST_COLUMNS);
        if (words.length !== 2 + values || !words.every((word, i) => (i < 2 ? isVertex(word) : VALUE.test(word)))) {
            throw wrong(name, row, `a row and a column from 1 to ${count} and ${values} values`);
        }
        from.push(words[0] - 1);
        to.push(words[1] - 1);
    }
    if (from.length !== entries) {
        throw new Error(`${name} has ${from.length} entries; its size line announces ${entries}`);
    }
    return graphOf(name, count, from, to, isMirrored || directions === "undirected");
}

// ---- edge lists ----

// Names of two neighbouring columns of ids, of those that the program knows.
const IDS = /^(src,dst|source,target|from,to|fromnodeid,tonodeid|person1id,person2id|person\.id,person\.id)$/i;
const MOST_NUMBERS = 4; // columns of an edge without a header

const ROWS_LOOKED_AT = 1000; // these decide whether ids are numbers of vertices
const TOO_WIDE = 2 ** 32 - 1; // no vertex has such a number
const FEW_VERTICES = 1_000_000, SPARSE_RATIO = 16; // as in read_edges.c

const NUMBER = /^-?\d{1,16}$/;
const areNumbers = (...words) => words.every((word) => NUMBER.test(word) && Number.isSafeInteger(Number(word)));

// Finds the separator of a row: the one after its first number, else the first of these in a row of names.
function separatorOf({line}) {
    const [, number, after] = /^\s*(-?\d+) *([\t|;,]?)/.exec(line) ?? [];
    const found = number === undefined ? [..."\t|;,"].find((one) => line.includes(one)) : after;
    return found === undefined || found === "" || (found === "\t" && number !== undefined) ? /\s+/ : found;
}

function split({line}, separator) {
    const text = typeof separator === "string" ? line : line.trim();
    return text.split(separator, MOST_COLUMNS + 1).map((word) => word.trim());
}

// Finds the separator, the columns of the ids, the number of columns, and whether the first row is a header.
function layoutOf(first, second) {
    const separator = separatorOf(first), words = split(first, separator);
    const found = [...words.keys()].filter((i) => IDS.test(`${words[i]},${words[i + 1]}`)), [at = 0] = found;
    const hasHeader = found.length === 1, ofPersons = hasHeader && /^person/i.test(words[at]);
    const width = hasHeader || second === undefined ? words.length : split(second, separator).length;
    return {separator, columns: [at, at + 1], words, hasHeader, width, ofPersons};
}

// Reads the ids of the edges in the rows, the first of which may be a header. areNames: they are too large or too
// small for numbers of vertices.
function readIds(name, rows, {separator, columns, hasHeader, width, ofPersons}) {
    const from = [], to = [], most = hasHeader ? MOST_COLUMNS : MOST_NUMBERS;
    let areNames = ofPersons, isBinary = width > 2 && !hasHeader;
    if (hasHeader)
        rows.next();
    for (const row of rows) {
        const words = split(row, separator), ends = columns.map((column) => words[column] ?? "");
        const isWide = ends.some((word) => word[0] === "-" || Number(word) >= TOO_WIDE);
        areNames ||= isWide && from.length < ROWS_LOOKED_AT;
        if (!areNumbers(...ends) || (isWide && !areNames)) {
            throw wrong(name, row, "two vertex numbers");
        }
        if (words.length > most || (words.length !== width && from.length + hasHeader > 0)) {
            throw wrong(name, row, words.length > most ? `${most} columns at most` : `${width} columns, as before`);
        }
        isBinary &&= words.every((word) => word === "0" || word === "1");
        from.push(Number(ends[0]));
        to.push(Number(ends[1]));
    }
    if (from.length === 0) {
        throw new Error(`${name} has no edges`);
    }
    if (isBinary && from.length === width) {
        throw new Error(`${name} is a matrix of 0 and 1, not a list of edges`);
    }
    return {from, to, areNames};
}

const largestOf = (...lists) => Math.max(...lists.map((list) => list.reduce((most, id) => Math.max(most, id), 0)));

// Reads the counts of vertices and edges in the first row, if they are right for the others, and takes that row from
// them. Returns null if not.
function takeCounts(name, {number}, words, from, to) {
    const [count, ...others] = words.map(Number), edges = from.length - 1;
    const isPair = others.length === 1 || (others.length === 2 && others[0] === count);
    if (!isPair || !areNumbers(...words) || others.at(-1) !== edges || edges === 0)
        return null;
    const rest = [from.slice(1), to.slice(1)], largest = largestOf(...rest),
          isFromOne = largest === count && !rest.flat().includes(0);
    if (isFromOne && edges <= count) {
        throw new Error(
            `${name}, line ${number}: the first row may be an edge or counts, as ${edges} edges follow; number the ` +
            "vertices from 0, or remove the row if it holds counts");
    }
    if (largest >= count && !isFromOne)
        return null;
    from.shift();
    to.shift();
    return {count, isFromOne};
}

// Returns the place of an id among sorted ids, or of the next one.
export function placeOf(ids, id) {
    let low = 0, high = ids.length - 1;
    while (low < high) {
        const middle = (low + high) >> 1;
        [low, high] = ids[middle] < id ? [middle + 1, high] : [low, middle];
    }
    return low;
}

// Reads an edge list: each row has the ids of two vertices, and all rows have the same number of columns. Lines that
// begin with # or % are comments. The first row may hold names of columns, or the numbers of vertices and edges.
function readEdges(name, text, directions) {
    const [first = NO_ROW, second] = rowsOf(name, text, "#%");
    if (/^[ \t]*%[ \t]*bip\b/m.test(text)) {
        throw new Error(`${name} numbers two sets of vertices (% bip), which this page does not read`);
    }
    const layout = layoutOf(first, second), {hasHeader, words, width, ofPersons} = layout;
    const {from, to, areNames} = readIds(name, rowsOf(name, text, "#%"), layout);
    const counts = hasHeader || areNames ? null : takeCounts(name, first, words, from, to);
    if (counts === null && words.length !== width) {
        throw wrong(name, second, `${words.length} columns, as before`);
    }
    const count = areNames ? 0 : counts?.count ?? largestOf(from, to) + 1;
    const distinct = () => Float64Array.from(from.concat(to)).sort().filter((id, i, all) => id !== all[i - 1]);
    if (counts === null && count > FEW_VERTICES && distinct().length * SPARSE_RATIO < count) {
        throw new Error(`${name}: ids up to ${count - 1}, but only ${distinct().length} distinct; number them from 0`);
    }
    if (count > MOST_VERTICES) {
        throw new Error(`${name} has ${count} vertices; this page takes ${MOST_VERTICES} at most`);
    }
    const ids = areNames ? distinct() : counts?.isFromOne ? Float64Array.from({length: count}, (_, v) => v + 1) : null;
    const vertices = (list) => (ids ? Uint32Array.from(list, (id) => placeOf(ids, id)) : list);
    const isUndirected = directions === "undirected" || (ofPersons && directions === "");
    return graphOf(name, ids?.length ?? count, vertices(from), vertices(to), isUndirected, ids);
}

// The endings of formats that this page does not read.
const OTHERS = /\.(gr|dimacs|col|properties|graph|metis|gz|zst|xz|xml)$/i;

// Reads the graph of a Matrix Market file or an edge list. Throws an Error that names the file and the line.
// directions: as the program's options "directed" and "undirected", or "" if the file decides.
export function parse(name, text, directions) {
    if (OTHERS.test(name)) {
        throw new Error(`${name} is not an edge list; this page reads edge lists and Matrix Market files, unpacked`);
    }
    const odd = [/^\ufffd\ufffd/, /\0/, /\r(?!\n|$)/].findIndex((one) => one.test(text));
    if (odd >= 0) {
        throw new Error(
            `${name} is text ${["in UTF-16; save it as UTF-8", "with a NUL", "with a CR inside a line"][odd]}`);
    }
    const isMatrix = /\.mtx$/i.test(name) || /^\s*%%MatrixMarket/i.test(text);
    return (isMatrix ? readMatrix : readEdges)(name, text, directions);
}

// Reads pairs of vertices (src,dst), such as DuckPGQ's. They are numbers of vertices, not ids of a file.
export function parsePairs(name, text, count) {
    const [first = NO_ROW, second] = rowsOf(name, text, "#");
    const {from, to} = readIds(name, rowsOf(name, text, "#"), layoutOf(first, second));
    const wrong = from.findIndex((v, i) => Math.min(v, to[i]) < 0 || Math.max(v, to[i]) >= count);
    if (wrong >= 0) {
        throw new Error(`${name}: ${from[wrong]},${to[wrong]} is not a pair of vertices below ${count}`);
    }
    return from.map((v, i) => [v, to[i]]);
}
