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

// Makes the graph of a file. directions: "directed" or "undirected", or "" if the file decides. ids: the vertices'
// ids in the file, if they are not the vertices' numbers.
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
    const size = rows.next().value ?? {number: 1, line: ""};
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

// The simplified names of two columns of ids, as in table_layout.c. The columns of a pair may be anywhere.
const ROLES = [
    "src dst",           "source target", "from to",       "src dest",           "source dest",  "source destination",
    "source sink",       "start end",     "tail head",     "origin destination", "citing cited", "follower followee",
    "subject object",    "parent child",  "node1 node2",   "vertex1 vertex2",    "id1 id2",      "person1 person2",
    "protein1 protein2", "gene1 gene2",   "person person", "comment comment",    "u v"
].map((pair) => pair.split(" "));
const WEIGHTS = ["weight", "weights", "w", "cost", "distance", "length", "capacity"];
const MOST_NUMBERS = 4; // columns of an edge without a header

const ROWS_LOOKED_AT = 1000; // these decide whether ids are numbers of vertices
const TOO_WIDE = 2 ** 32 - 1; // no vertex has such a number
const FEW_VERTICES = 1_000_000, SPARSE_RATIO = 16; // as in read_edges.c

const NUMBER = /^-?\d{1,16}$/;
const areNumbers = (...words) => words.every((word) => NUMBER.test(word) && Number.isSafeInteger(Number(word)));

// "FromNodeId" becomes "from", "Person.id" "person".
function simplify(column) {
    const name = column.replace(/\(.*/, "").replace(/[^a-z0-9]/gi, "").toLowerCase();
    return ["id", "node", "vertex", "key"].reduce(
        (rest, end) => (rest.length > end.length && rest.endsWith(end) ? rest.slice(0, -end.length) : rest), name);
}

// Finds the two columns of ids by their names. Returns null if there are none, or several.
function columnsByRole(words) {
    const names = words.map(simplify);
    for (const [first, second] of ROLES) {
        const where = (name) => [...names.keys()].filter((at) => names[at] === name);
        const found = first === second ? where(first) : where(first).concat(where(second));
        if (found.length === 2 && names[found[0]] === first && names[found[1]] === second)
            return found;
    }
    return null;
}

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
function layoutOf(name, first, second) {
    const separator = separatorOf(first), words = split(first, separator), next = second && split(second, separator);
    const role = columnsByRole(words), columns = role ?? [0, 1], at = (row) => columns.map((column) => row[column]);
    const hasHeader = next !== undefined && !at(words).some((word) => NUMBER.test(word)) && areNumbers(...at(next));
    if (!hasHeader)
        return {separator, columns: [0, 1], hasHeader, width: (next ?? words).length, ofPersons: false};
    if (!at(words).every((word) => /^"?[a-z_:]/i.test(word) && !VALUE.test(word)) ||
        ((role === null || simplify(words[columns[0]]) === "u") && words.length > 2 && areNumbers(next[2]) &&
         !WEIGHTS.includes(simplify(words[2])))) {
        throw wrong(name, first, "edges, or names of columns that say which two hold the ids");
    }
    const ofPersons = at(words).every((word) => /person/i.test(word));
    return {separator, columns, hasHeader, width: words.length, ofPersons};
}

// Reads the counts of vertices and edges in the first row, if they are right for the others. Returns null if not.
function countsOf(name, {number}, words, from, to) {
    const [count, ...others] = words.map(Number), edges = from.length - 1;
    const isPair = others.length === 1 || (others.length === 2 && others[0] === count);
    if (!isPair || !areNumbers(...words) || others.at(-1) !== edges || edges === 0)
        return null;
    const rest = from.slice(1).concat(to.slice(1)), isFromOne = !rest.includes(0),
          largest = rest.reduce((most, v) => Math.max(most, v), 0);
    if (isFromOne && largest === count && edges <= count) {
        throw new Error(
            `${name}, line ${number}: the first row may be an edge or counts, as ${edges} edges follow; number the ` +
            "vertices from 0, or remove the row if it holds counts");
    }
    return largest < count || (isFromOne && largest === count) ? {count, isFromOne: largest === count} : null;
}

// Returns the place of an id among sorted ids. Each id is there.
export function placeOf(ids, id) {
    let low = 0, high = ids.length - 1;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

function refuseSparse(name, from, to, count) {
    const distinct = count > FEW_VERTICES ? new Set(from.concat(to)).size : count;
    if (distinct * SPARSE_RATIO < count) {
        throw new Error(`${name}: ids up to ${count - 1}, but only ${distinct} distinct; number them from 0 on`);
    }
}

// Reads an edge list: each row has the ids of two vertices, and all rows have the same number of columns. Lines that
// begin with # or % are comments. The first row may hold names of columns, or the numbers of vertices and edges.
function readEdges(name, text, directions) {
    if (/^[ \t]*%[ \t]*bip\b/m.test(text)) {
        throw new Error(`${name} numbers two sets of vertices (% bip), which this page does not read`);
    }
    const rows = rowsOf(name, text, "#%"), [first, second] = [rows.next().value, rows.next().value];
    if (first === undefined) {
        throw new Error(`${name} has no edges`);
    }
    const {separator, columns, hasHeader, width, ofPersons} = layoutOf(name, first, second), from = [], to = [];
    const most = hasHeader ? MOST_COLUMNS : MOST_NUMBERS, firstWords = split(first, separator);
    let areNames = ofPersons, isBinary = width > 2, largest = 0;
    const take = (row) => {
        const words = split(row, separator), ends = columns.map((column) => words[column] ?? "");
        if (!areNumbers(...ends)) {
            throw wrong(name, row, "two vertex numbers");
        }
        if (words.length > most || (words.length !== width && row !== first)) {
            throw wrong(name, row, words.length > most ? `${most} columns at most` : `${width} columns, as before`);
        }
        const isWide = ends.some((word) => word[0] === "-" || Number(word) >= TOO_WIDE);
        areNames ||= isWide && from.length < ROWS_LOOKED_AT;
        if (isWide && !areNames) {
            throw wrong(name, row, "numbers of vertices, as before");
        }
        isBinary &&= words.every((word) => word === "0" || word === "1");
        largest = Math.max(largest, ...ends);
        from.push(Number(ends[0]));
        to.push(Number(ends[1]));
    };
    [first, second].slice(hasHeader ? 1 : 0).filter(Boolean).forEach(take);
    for (const row of rows) {
        take(row);
    }
    if (isBinary && !hasHeader && from.length === width) {
        throw new Error(`${name} is a matrix of 0 and 1, not a list of edges`);
    }
    const counts = hasHeader || areNames ? null : countsOf(name, first, firstWords, from, to);
    if (counts === null && !hasHeader && firstWords.length !== width) {
        throw wrong(name, second, `${firstWords.length} columns, as before`);
    }
    const isUndirected = directions === "undirected" || (ofPersons && directions === "");
    if (areNames) {
        const ids = Float64Array.from(from.concat(to)).sort().filter((id, i, all) => id !== all[i - 1]);
        const vertices = (list) => Uint32Array.from(list, (id) => placeOf(ids, id));
        return graphOf(name, ids.length, vertices(from), vertices(to), isUndirected, ids);
    }
    const count = counts?.count ?? largest + 1;
    if (counts === null) {
        refuseSparse(name, from, to, count);
    } else {
        from.shift();
        to.shift();
    }
    if (count > MOST_VERTICES) {
        throw new Error(`${name} has ${count} vertices; this page takes ${MOST_VERTICES} at most`);
    }
    if (!counts?.isFromOne)
        return graphOf(name, count, from, to, isUndirected);
    const less = (ids) => ids.map((id) => id - 1), ids = Float64Array.from({length: count}, (_, v) => v + 1);
    return graphOf(name, count, less(from), less(to), isUndirected, ids);
}

// The endings of formats that this page does not read.
const OTHERS = /\.(gr|dimacs|col|properties|graph|metis|gz|zst|xz|xml)$/i;

// Reads the graph of a Matrix Market file or an edge list. Throws an Error that names the file and the line.
// directions: as the program's options "directed" and "undirected", or "" if the file decides.
export function parse(name, text, directions) {
    if (OTHERS.test(name)) {
        throw new Error(`${name} is not an edge list; this page reads edge lists and Matrix Market files, unpacked`);
    }
    const odd = /^\ufffd\ufffd/.test(text) ? "in UTF-16; save it as UTF-8" : /\0/.test(text) ? "with a NUL" : "";
    if (odd !== "" || /\r(?!\n|$)/.test(text)) {
        throw new Error(
            `${name} is text ${odd || "whose lines end with CR alone; save it with other ends of lines"}`);
    }
    const isMatrix = /\.mtx$/i.test(name) || /^\s*%%MatrixMarket/i.test(text);
    return (isMatrix ? readMatrix : readEdges)(name, text, directions);
}

// ---- pairs ----

// Reads pairs of vertices (src,dst), such as DuckPGQ's. They are numbers of vertices, not ids of a file.
export function parsePairs(name, text, count) {
    const pairs = [];
    for (const row of rowsOf(name, text, "#")) {
        const words = row.line.trim().split(/\s*[,;|\s]\s*/), pair = words.map(Number);
        if (pairs.length === 0 && row.number === 1 && words.length === 2 && pair.every(Number.isNaN))
            continue;
        if (words.length !== 2 || !areNumbers(...words) || !pair.every((v) => v >= 0 && v < count)) {
            throw wrong(name, row, `a pair of vertices below ${count}`);
        }
        pairs.push(pair);
    }
    return pairs;
}
