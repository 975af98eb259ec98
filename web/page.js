// page.js: the controls, and the results of searches.
import {results, run} from "./bench.js";
import {SCALE_FACTORS} from "./graph.js";
import {load} from "./load.js";
import {fits, NoAdapter, open, pathLengths, SCHEME_NAMES} from "./search.js";

const ROOM = 2 ** 28; // bytes of a graph for each GB of memory that the browser reports

const $ = (id) => document.getElementById(id);

// gpu: null if there is none or it was lost; pairs: those of the last search; next: work that waits for the end of that
// under way; rows: the results of tests and benchmarks
const page = {
    gpu: null,
    lost: "",
    graph: null,
    pairs: [],
    next: null,
    rows: new Map()
};

function say(text, isError = false) {
    $("message").textContent = text;
    $("message").className = isError ? "error" : "";
}

function vertexOf(number) {
    const {count, name} = page.graph;
    if (Number.isInteger(number) && number >= 0 && number < count)
        return number;
    throw new Error(`${name} has no vertex ${number}`);
}

// ---- searches ----

function fill(table, rows) {
    $(table).replaceChildren(...rows.map((texts) => {
        const row = document.createElement("tr");
        row.append(...texts.map((text) => Object.assign(document.createElement("td"), {textContent: text})));
        return row;
    }));
}

const milliseconds = (ms) => `${ms.toFixed(1)} ms`;

function settings() {
    if ($("iterations").checkValidity())
        return {scheme: $("scheme").value, iterations: Number($("iterations").value)};
    throw new Error("the iterations per read-back are a number from 1 to 99");
}

// Finds the lengths of pairs. These are then the page's pairs.
async function search(pairs, signal) {
    const onShare = (share) => {
        $("progress").value = share;
    };
    const asked = {...settings(), signal, onShare};
    const {lengths, uploadMs, searchMs} = await pathLengths(page.gpu, page.graph, pairs, asked);
    page.pairs = pairs;
    fill("lengths", pairs.slice(0, 1000).map((pair, i) => [...pair, lengths[i] < 0 ? "no path" : lengths[i]]));
    $("times").textContent =
        `${pairs.length} pairs: graph to the GPU ${milliseconds(uploadMs)}, search ${milliseconds(searchMs)}`;
    return lengths;
}

// Says the length of a pair, which is the first or the last of `pairs`.
async function answer(pair, pairs, signal) {
    const lengths = await search(pairs, signal), length = lengths[pairs.indexOf(pair)], [from, to] = pair;
    say(length < 0 ? `there is no path from ${from} to ${to}` : `${length} edges from ${from} to ${to}`);
    return {lengths};
}

// ---- controls ----

function show(graph) {
    const stored = graph.targets.length, {name, count} = graph;
    Object.assign(page, {graph, pairs: []});
    fill("lengths", []);
    $("times").textContent = "";
    for (const end of ["from", "to"]) {
        Object.assign($(end), {min: 0, max: count - 1, value: 0});
    }
    $("about").textContent = `${name}: ${count} vertices, ${stored / 2} undirected edges (${stored} stored)`;
    say(`${$("about").textContent}. Choose two vertices.`);
}

// Offers only the scale factors that fit into the GPU and the computer.
function offer(gpu) {
    const room = ROOM * (navigator.deviceMemory ?? 4);
    page.scales = Object.keys(SCALE_FACTORS).filter((scale) => {
        const [vertices, edges] = SCALE_FACTORS[scale];
        return fits(gpu, vertices, 2 * edges) && 32 * edges <= room;
    });
    $("scale").replaceChildren(...page.scales.map((scale) => new Option(scale)));
    $("names").replaceChildren(...["grid:40x25", "grid:140x140", ...page.scales.map((scale) => `snb:${scale}`)].map(
        (name) => new Option(name)));
}

// Opens the GPU unless it is open.
async function ready() {
    if (page.gpu !== null)
        return;
    const gpu = await open(), {name, isSoftware} = gpu.adapter;
    $("adapter").textContent = isSoftware ? `${name}, which is software, not a GPU` : name;
    $("restart").hidden = true;
    offer(gpu);
    Object.assign(page, {gpu, lost: ""});
    gpu.device.lost.then(({message}) => {
        const lost = `the GPU was lost (${message || "the browser does not say why"}); "start anew" opens it again`;
        Object.assign(page, {gpu: null, lost});
        $("restart").hidden = false;
        if (!page.isBusy)
            say(page.lost, true);
    });
}

// Runs work(signal), and shows the message of an error. Ends other work that is under way, and follows it.
async function attempt(work) {
    if (page.isBusy) {
        page.next = work;
        $("cancel").click();
        return;
    }
    const controller = new AbortController(), setBusy = (isBusy) => {
        page.isBusy = !($("cancel").disabled = $("progress").hidden = !isBusy);
    };
    $("cancel").onclick = () => controller.abort(new Error("cancelled"));
    $("progress").removeAttribute("value");
    setBusy(true);
    try {
        if (work !== start)
            await ready();
        await work(controller.signal);
    } catch (problem) {
        say(page.lost || problem.message, true);
    }
    setBusy(false);
    const {next} = page;
    page.next = null;
    await (next && attempt(next));
}

const find = (signal) => {
    const pair = ["from", "to"].map((end) => vertexOf(Number($(end).value)));
    return answer(pair, [...page.pairs, pair], signal);
};

// Generates a graph. Refuses those of SNB that do not fit.
async function make(name, signal) {
    const [, scale] = /^snb:(\d+)$/.exec(name) ?? [];
    if (scale in SCALE_FACTORS && !page.scales.includes(scale)) {
        throw new Error(`${name} does not fit into this GPU or this computer's memory`);
    }
    say(`${name} is being made`);
    return load(name, signal);
}

// Makes the cells of a row of results.
function describe({graph, pairs, scheme, iterations, first, checked, wrong, wholeMs}) {
    const seconds = (ms) => `${(ms / 1000).toFixed(3)} s`, verdict = wrong === 0 ? "pass" : `${wrong} wrong`;
    const median = wholeMs?.toSorted((a, b) => a - b)[wholeMs.length >> 1];
    return [
        graph, pairs, `${scheme}, ${iterations}`,
        wrong === undefined ? "" : `${verdict} (${seconds(first.uploadMs + first.searchMs)}), ${checked} checked`,
        median === undefined ? "" : seconds(median)
    ];
}

// Runs tests, benchmarks, or both. Results of the same searches share a row.
async function bench(asked, signal) {
    await run(page.gpu, {...settings(), ...asked}, (graph) => make(graph, signal), signal, (row, share) => {
        const key = [row.graph, row.pairs, row.scheme, row.iterations].join(" ");
        const rows = page.rows.set(key, {...page.rows.get(key), ...row}), found = results(page.gpu, [...rows.values()]);
        fill("results", found.rows.map(describe));
        $("download").href = `data:application/json,${encodeURIComponent(JSON.stringify(found, null, 1))}`;
        $("progress").value = share;
        say(`${row.graph}, ${row.pairs} pairs: done`);
    });
}

// ---- addresses, for scripts ----

const LIST = (one) => new RegExp(`^${one}(,${one})*$`);
const ASKED = {
    graph: /./, // such as grid:9x9
    pairs: LIST("\\d{1,16}-\\d{1,16}"), // such as 0-5,3-2
    benchmark: LIST(`(${Object.keys(SCALE_FACTORS).join("|")})`), // scale factors
    numbers: LIST("[1-9]\\d{0,4}"), // numbers of pairs in each benchmark
    repeats: /^[1-9]\d?$/,
    scheme: new RegExp(`^(${SCHEME_NAMES.join("|")})$`),
    iterations: /^[1-9]\d?$/, // between two read-backs
    report: /^1$/, // posts the answer as JSON to the address `report` beside the page
};

// Returns the values by name. Throws an Error that names a wrong value.
function readAddress(words) {
    for (const [name, value] of words) {
        if (!ASKED[name]?.test(value)) {
            throw new Error(
                `${name}: "${value.slice(0, 60)}" is not a value of it; docs/webgpu.md lists what the address may say`);
        }
    }
    return Object.fromEntries(words);
}

async function answerAddress({graph = "grid:40x25", pairs, benchmark, ...others}, signal) {
    ["scheme", "iterations", "repeats"].filter((name) => name in others).forEach((name) => {
        $(name).value = others[name];
    });
    if (benchmark !== undefined) {
        const numbers = others.numbers?.split(",").map(Number);
        await bench({scales: benchmark.split(","), numbers, repeats: $("repeats").value}, signal);
        return results(page.gpu, [...page.rows.values()]);
    }
    show(await make(graph, signal));
    if (pairs === undefined)
        return {};
    const all = pairs.split(",").map((words) => words.split("-").map((id) => vertexOf(Number(id))));
    return answer(all[0], all, signal);
}

async function start(signal) {
    const words = new URLSearchParams(location.search);
    let answered;
    page.isTested = words.get("report") === "1";
    $("adapter").textContent = "looking for one";
    say("");
    try {
        await ready();
        answered = await answerAddress(readAddress(words), signal);
    } catch (problem) {
        if (page.gpu === null)
            $("adapter").textContent = "none";
        answered = {problem: page.lost || problem.message, lacksAdapter: problem instanceof NoAdapter};
        throw problem;
    } finally {
        const body = JSON.stringify({adapter: page.gpu?.adapter, ...answered});
        await (page.isTested && fetch("report", {method: "POST", body}));
    }
}

const onSubmit = (form, work) => $(form).addEventListener("submit", (event) => {
    event.preventDefault();
    if (form === "choose" || page.graph !== null)
        attempt((signal) => work(signal, event.submitter.value));
});
onSubmit("choose", async (signal) => show(await make($("name").value.trim(), signal)));
onSubmit("ask", find);
onSubmit(
    "bench",
    (signal, asked) => bench(
        {scales: [$("scale").value], repeats: $("repeats").value, tests: asked === "test", times: asked === "time"},
        signal));
document.addEventListener("keydown", ({key}) => key === "Escape" && $("cancel").click());
$("restart").addEventListener("click", () => attempt(() => {}));
$("scheme").append(...SCHEME_NAMES.map((name) => new Option(name)));
attempt(start);
