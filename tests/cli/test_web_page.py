"""web/: the page in a headless Chromium, which has WebGPU in software; its answers are gtrav's."""

import ast
import json
import random
import re
import shutil

import pytest
from evaluation.campaigns import browser

from helpers import ROOT, gtrav_ok, ok, refused, script, write_mtx
from test_edge_lists import COUNTS, TABLES, put, read

pytestmark = pytest.mark.skipif(browser.find_browser() is None, reason="no Chromium here (Debian's package chromium)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder as a local file server has it: the page, the shaders, and edge lists beside them."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "kernels" / "webgpu").mkdir(parents=True)
    shutil.copytree(ROOT / "web", folder / "web")
    shutil.copytree(ROOT / "kernels" / "webgpu" / "shaders", folder / "kernels" / "webgpu" / "shaders")
    return folder


def ask_page(site, page="index.html", **asked):
    """What the page answers."""
    answer = browser.ask(site, f"web/{page}", asked, seconds=600)
    if answer.get("lacksAdapter"):
        pytest.skip(answer["problem"])
    return answer


def lengths_of(graph, pairs, tmp_path, *more):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "".join(f"{a},{b}\n" for a, b in pairs))
    table = gtrav_ok("msbfs", graph, "--pairs", path, "--variant", "then", "--quiet", *more).out
    return [int(row.split(",")[2]) for row in table.splitlines()[1:]]


def as_words(pairs):
    return ",".join(f"{a}-{b}" for a, b in pairs)


def check_path(path, edges, pair, length):
    assert (path[0], path[-1], len(path) - 1) == (*pair, length)
    assert all(step in edges for step in zip(path, path[1:]))


def test_lengths_on_a_grid(site, tmp_path):
    random.seed(5)
    pairs = [(0, 899), (17, 17), *((random.randrange(900), random.randrange(900)) for _ in range(60))]
    answer = ask_page(site, graph="grid:30x30", pairs=as_words(pairs))
    assert "problem" not in answer, answer
    assert answer["lengths"] == lengths_of("grid:30x30", pairs, tmp_path)
    assert answer["levels"] == lengths_of("grid:30x30", [(0, v) for v in range(900)], tmp_path)
    assert len(answer["path"]) == 59


@pytest.mark.parametrize("directed", [False, True])
def test_lengths_on_an_edge_list(site, tmp_path, directed):
    """A sparse random graph: several components, and more pairs than a batch has."""
    random.seed(6)
    n = 700
    edges = sorted({(random.randrange(n), random.randrange(n)) for _ in range(900)} | {(n - 1, 0)})
    (site / "web" / "edges.txt").write_text("# two numbers a line\n" + "".join(f"{a} {b}\n" for a, b in edges))
    mtx = write_mtx(tmp_path / "edges.mtx", n, edges)
    pairs = [edges[0], *((random.randrange(n), random.randrange(n)) for _ in range(1100))]
    answer = ask_page(site, edges="edges.txt", directed=int(directed), pairs=as_words(pairs))
    assert "problem" not in answer, answer
    expected = lengths_of(mtx, pairs, tmp_path, *[] if directed else ["--undirected"])
    assert -1 in expected and max(expected) > 5
    assert answer["lengths"] == expected
    known = set(edges) | (set() if directed else {(b, a) for a, b in edges})
    check_path(answer["path"], known, pairs[0], expected[0])


def test_the_graphs_of_snb_are_the_programs(site, tmp_path):
    pairs = [(0, v) for v in range(1, 10620, 10)]
    answer = ask_page(site, graph="snb:1", pairs=as_words(pairs))
    assert answer["lengths"] == lengths_of("snb:1", pairs, tmp_path)
    assert answer["levels"][1::10] == answer["lengths"]


# ---- the readers ----

READERS = """<!doctype html><script type="module">
import { parse } from "./graph.js";
const found = (await (await fetch("files.json")).json()).map(([name, text]) => {
    try {
        const { offsets, targets, count } = parse(name, text, true), edges = [];
        targets.forEach((to, e) => edges.push([offsets.findLastIndex((first) => first <= e), to]));
        return { count, edges };
    } catch ({ message }) {
        return { message };
    }
});
await fetch("/report", { method: "POST", body: JSON.stringify({ found }) });
</script>"""
STRING = r'"(?:[^"\\]|\\.)*"'
MATRIX = "%%MatrixMarket matrix coordinate "
READ = [
    *("pattern.mtx", "integer.mtx", "real.mtx", "complex.mtx", "symmetric.mtx", "skew.mtx", "hermitian.mtx"),
    *("snap.txt", "weighted.el", "comma.csv", "nameless", "a.el", "a.snap", "a", "comma", "semicolon", "tab", "blank"),
    *("blanks around commas", "text of numbers", "counts", "of a matrix", "with commas", "an edge more"),
    *("an id too large", "no", "yes", "of names", "below"),
]


def texts_of_unit_test(name):
    """(file, text) of each row of the tables of a test of the program's readers."""
    source = (ROOT / "tests" / "unit" / name).read_text().replace("BANNER ", f'"{MATRIX}" ')
    for file, strings in re.findall(rf'{{"([a-z-]+(?:\.\w+)?)",\s*((?:{STRING}\s*)+),', source):
        yield file, "".join(ast.literal_eval("b" + one).decode("latin1") for one in re.findall(STRING, strings))


def test_files_of_the_programs_readers(site, tmp_path):
    """What the page reads has the same edges as by the program; else it tells why not in a line."""
    good = {name: (name, text) for name, text in texts_of_unit_test("test_readers.c")}
    good |= {what: (name, text) for what, (name, text, *_) in TABLES.items()}
    good |= {what: ("c.txt", text) for what, (text, *_) in COUNTS.items()}
    bad = {str(number): file for number, file in enumerate(texts_of_unit_test("test_bad_files.c"))}
    assert len(good) > 60 and len(bad) > 100
    files = {**good, **bad}
    (site / "web" / "files.json").write_text(json.dumps(list(files.values())))
    (site / "web" / "readers.html").write_text(READERS)
    found = dict(zip(files, ask_page(site, "readers.html")["found"]))
    for what in files:
        assert "edges" in found[what] or re.fullmatch(rf"{re.escape(files[what][0])}[, ].+", found[what]["message"])
    readable = [what for what in files if "edges" in found[what]]
    assert [what for what in readable if what not in bad] == READ
    for what in readable:
        ids, edges, _ = read(put(tmp_path, files[what][1], files[what][0]), tmp_path)
        names = sorted(map(int, ids))
        assert {(str(a), str(b)) for a, b in found[what]["edges"]} == edges, what
        assert names[-1] < found[what]["count"]


# ---- the page in a frame ----

# Opens the page in a frame, where a script uses it and hears what it says.
FRAME = """<!doctype html><meta charset="utf-8"><iframe></iframe><script type="module">
const frame = document.querySelector("iframe"), said = [];
async function until(isDone) {
    while (!isDone()) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
async function hear(words = [""]) {
    const message = $("message");
    await until(() => !words.includes(message.textContent));
    const { textContent } = message;
    message.textContent = "";
    return textContent;
}
async function open(address) {
    frame.src = address;
    await new Promise((resolve) => { frame.onload = resolve; });
    return hear(["", "Click two vertices for the shortest path."]);
}
const $ = (id) => frame.contentDocument.getElementById(id);
"""
# Gives the page one file after the other, and has it make a graph after each. Then opens addresses.
HOSTILE = (
    FRAME
    + """await open("index.html?graph=grid:4x4");
for (const { name, text, times } of await (await fetch("files.json")).json()) {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0)), given = new DataTransfer();
    given.items.add(new File(Array(times).fill(bytes), name));
    $("file").files = given.files;
    $("file").dispatchEvent(new Event("change"));
    const told = await hear([""]);
    $("name").value = "grid:3x3";
    $("generate").click();
    said.push([told, await hear([""])]);
}
const injected = frame.contentWindow.injected ?? frame.contentDocument.querySelectorAll("img, svg").length;
const answers = [];
for (const words of await (await fetch("addresses.json")).json()) {
    answers.push(await open(`index.html?${words}`));
}
await fetch("/report", { method: "POST", body: JSON.stringify({ said, injected, answers }) });
</script>"""
)
WRONG = ", line {}: expected two vertex numbers below 10,000,000, not "
ONE_EDGE = ": 2 vertices, 2 edges. Click two vertices for the shortest path."
# the file's name, its text, how often that is there, what the page says after the name
FILES = [
    ("empty", "", 1, " has no edges"),
    ("comments", "# 1 2\n% 1 2\n", 1, " has no edges"),
    ("nul", "0 1\n2\0003\n", 1, WRONG.format(2) + '"2?3"'),
    ("nuls", "\0", 5000, WRONG.format(1) + f'"{60 * "?"}"'),
    ("negative", "0 -1\n", 1, WRONG.format(1) + '"0 -1"'),
    ("of 32 bits", "0 4294967296\n", 1, WRONG.format(1) + '"0 4294967296"'),
    ("gzip", "\x1f\x8b\x08\0", 1, WRONG.format(1) + '"?\ufffd??"'),
    ("UTF-16", "\xff\xfe0\0 \0001\0\n\0", 1, ONE_EDGE),
    ("Macintosh", "0 1\r1 2\r", 1, ": 3 vertices, 4 edges. Click two vertices for the shortest path."),
    ("matrix", "%%MatrixMarket\n3 3 1\n1 2\n", 1, ", line 1: expected " + MATRIX + 'FIELD SYMMETRY, not "%%MatrixMarket"'),
    ("symmetric", MATRIX + "real symmetric\n% 1 2\n3 3 2\n2 1 5\n2 2 5\n", 1, ONE_EDGE.replace("2", "3", 1)),
    ("line", "7", 100_000, WRONG.format(1) + f'"{60 * "7"}"'),
    ("header", "#", 1_000_000, " has no edges"),
    ("edges", "0 1\n", 2_000_001, " has more than 2000000 edges, which is more than this page takes"),
    ("bytes", "0 1\n" * 1024, 16_385, " has 67112960 bytes, and this page takes 67108864 at most"),
    ("vertices", "0 9999999\n", 1, ": 10000000 vertices, 2 edges. They are too many to draw; type two of them."),
    ("<img src=x onerror=injected=1>", "0 1\n", 1, ONE_EDGE),
    ("markup", "<svg onload=injected=1>\n", 1, WRONG.format(1) + '"<svg onload=injected=1>"'),
]


ELSEWHERE = "http://localhost:1/x"
# what an address says -> what the page says
ADDRESSES = {
    f"graph=grid:2x2&report={ELSEWHERE}": f'report: "{ELSEWHERE}" is no address of this site',
    f"edges={ELSEWHERE}": f'edges: "{ELSEWHERE}" is no address of this site',
    "edges=missing.txt": 'edges: "missing.txt" cannot be read: 404 File not found',
    "graph=grid:3x3&pairs=0-8,8-9": 'pairs: "8-9" is not a pair of vertices below 9',
    "graph=snb:2": 'no graph "snb:2"; there are grid:WIDTHxHEIGHT, world:N with up to 500000 vertices, and snb:SCALE '
    "with SCALE 1, 3, 10, 30, 100, 300",
    **{
        f"{name}={value}": f'{name}: "{value}" is wrong here; docs/webgpu.md has what the address may say'
        for name, value in {"pairs": "0-1,2", "directed": "yes", "benchmark": "1,2", "repeats": "0", "x": "1"}.items()
    },
}


def test_hostile_files_and_addresses(site):
    """Each gets one line, and the page goes on. Nothing in them is run, and the page reports to no other host."""
    files = [dict(zip(("name", "text", "times"), file)) for file in FILES]
    (site / "web" / "files.json").write_text(json.dumps(files))
    (site / "web" / "addresses.json").write_text(json.dumps(list(ADDRESSES)))
    (site / "web" / "hostile.html").write_text(HOSTILE)
    answer = ask_page(site, "hostile.html")
    after = "grid:3x3: 9 vertices, 24 edges. Click two vertices for the shortest path."
    assert answer["said"] == [[name + reported, after] for name, _, _, reported in FILES]
    assert answer["answers"] == list(ADDRESSES.values())
    assert answer["injected"] == 0


# By the fields, as from a keyboard; counts pauses and read-backs of all levels.
USED = (
    FRAME
    + """frame.width = 360;
await open("index.html?graph=grid:40x25");
const { contentWindow: view, contentDocument: page } = frame, { mapAsync } = view.GPUBuffer.prototype, { setTimeout: wait } = view;
let pauses = 0, readBacks = 0, levels = 1000;
view.setTimeout = (work, ms) => (pauses += ms > 0, wait.call(view, work, ms));
view.GPUBuffer.prototype.mapAsync = function (...given) {
    readBacks += this.size === 4 * levels;
    return mapAsync.apply(this, given);
};
async function find(from, to) {
    [$("from").value, $("to").value, pauses, readBacks] = [from, to, 0, 0];
    page.querySelector("#ask button").click();
}
const isNamed = [...page.querySelectorAll("input, select")].every((one) => one.labels.length > 0);
const isNarrow = page.documentElement.scrollWidth <= 360;
find(0, 999);
await until(() => $("times").textContent.startsWith("level 3 "));
$("cancel").click();
said.push(await hear(), $("cancel").disabled);
find(0, 5);
said.push(await hear(), pauses > 5, readBacks);
$("name").value = "world:30000";
$("generate").click();
said.push(await hear());
levels = 30000;
find(0, 9);
said.push(/^[0-9]+ edges from 0 to 9$/.test(await hear()), pauses, readBacks);
await open("index.html?benchmark=1&numbers=1,10&repeats=1");
await until(() => !$("download").disabled && $("cancel").disabled);
const kept = new Promise((resolve) => { frame.contentWindow.URL.createObjectURL = (blob) => (resolve(blob.text()), "data:,"); });
$("download").click();
const { adapter, rows } = JSON.parse(await kept);
const results = [rows.map(({ graph, pairs }) => [graph, pairs]), adapter.isSoftware, $("adapter").textContent];
await fetch("/report", { method: "POST", body: JSON.stringify({ isNamed, isNarrow, said, results }) });
</script>"""
)


def test_the_page_in_use(site):
    """Cancelled in the third level; pauses only for what is drawn; the levels are read once; results as a file."""
    (site / "web" / "used.html").write_text(USED)
    answer = ask_page(site, "used.html")
    assert answer["isNamed"] and answer["isNarrow"]
    large = "world:30000: 30000 vertices, 120000 edges. They are too many to draw; type two of them."
    assert answer["said"] == ["cancelled", True, "5 edges from 0 to 5", True, 1, large, True, 0, 1]
    rows, is_software, adapter = answer["results"]
    assert rows == [["snb:1", 1], ["snb:1", 10]]
    assert is_software and adapter.endswith(", which is software and no GPU")


# ---- the benchmark ----


def test_a_wrong_length_fails_the_pages_own_test(site, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    script_file = tmp_path / "site" / "web" / "search.js"
    right = script_file.read_text()
    script_file.write_text(right.replace("? -1 : found[i];", "? -1 : found[i] + 1;"))
    assert right != script_file.read_text()
    (row,) = ask_page(tmp_path / "site", benchmark="1", numbers="10", repeats="1")["rows"]
    assert (row["checked"], row["wrong"]) == (10, 10)


def test_the_script_and_its_figures(tmp_path):
    """Software is no GPU: neither for the script, unless it is told so, nor for the figures."""
    measure = ("scripts/browser.py", "--scales", "1", "--pairs", "1,1000", "--repeats", "2", "--results", tmp_path)
    assert "swiftshader" in ok(script(*measure, "--software")).out
    refused(script(*measure, "--software", "--vendor", "nvidia"), "the adapter is google swiftshader", status=3)
    (path,) = (tmp_path / "browser").iterdir()
    report = json.loads(path.read_text())
    assert [(row["pairs"], row["checked"], row["wrong"], len(row["wholeMs"])) for row in report["rows"]] == [
        (1, 1, 0, 2),
        (1000, 1000, 0, 2),
    ]
    draw = ("plot/draw.py", "ibfs_5_11", "ibfs_5_12", "ibfs_5_13", "--results", tmp_path)
    assert ok(script(*draw)).err.count("no browser's results") == 3
    report["adapter"]["isSoftware"] = False
    path.write_text(json.dumps(report))
    drawn = ok(script(*draw))
    assert [name in drawn.out for name in ("fig_ibfs_5_11.pdf", "fig_ibfs_5_12.pdf", "fig_ibfs_5_13.pdf")] == [True, False, True]
    assert "fig_ibfs_5_12: no results of Firefox" in drawn.err
