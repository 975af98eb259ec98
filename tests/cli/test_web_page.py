"""web/: the page in a headless Chromium, which has WebGPU in software; its answers are gtrav's."""

import contextlib
import functools
import http.server
import json
import os
import queue
import random
import shutil
import subprocess
import threading
import urllib.parse

import pytest

from helpers import ROOT, gtrav_ok, write_mtx

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SWITCHES = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu-sandbox", "--enable-unsafe-webgpu"),
    *("--enable-features=Vulkan", "--use-webgpu-adapter=swiftshader"),
)
SECONDS = 600

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here (Debian's package chromium)")


class Server(http.server.SimpleHTTPRequestHandler):
    """Serves files, and takes what the page reports."""

    def do_POST(self):
        self.server.reports.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(folder):
    handler = functools.partial(Server, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.reports = queue.Queue()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder as a local file server has it: the page, the shaders, and edge lists beside them."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "kernels" / "webgpu").mkdir(parents=True)
    shutil.copytree(ROOT / "web", folder / "web")
    shutil.copytree(ROOT / "kernels" / "webgpu" / "shaders", folder / "kernels" / "webgpu" / "shaders")
    return folder


def ask_page(site, tmp_path, page="index.html", **asked):
    """What the page answers."""
    with serving(site) as server:
        words = urllib.parse.urlencode({"report": "/report", **asked})
        address = f"http://127.0.0.1:{server.server_port}/web/{page}?{words}"
        command = [BROWSER, *SWITCHES, f"--user-data-dir={tmp_path / 'profile'}", address]
        environment = {**os.environ, "HOME": str(tmp_path)}
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        ) as browser:
            try:
                answer = json.loads(server.reports.get(timeout=SECONDS))
            except queue.Empty:
                pytest.fail(f"the page did not answer within {SECONDS} s")
            finally:
                browser.terminate()
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
    answer = ask_page(site, tmp_path, graph="grid:30x30", pairs=as_words(pairs))
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
    answer = ask_page(site, tmp_path, edges="edges.txt", directed=int(directed), pairs=as_words(pairs))
    assert "problem" not in answer, answer
    expected = lengths_of(mtx, pairs, tmp_path, *[] if directed else ["--undirected"])
    assert -1 in expected and max(expected) > 5
    assert answer["lengths"] == expected
    known = set(edges) | (set() if directed else {(b, a) for a, b in edges})
    check_path(answer["path"], known, pairs[0], expected[0])


def test_pairs_of_an_address_are_checked(site, tmp_path):
    answer = ask_page(site, tmp_path, graph="grid:3x3", pairs="0-8,8-9")
    assert answer["problem"] == 'pairs: "8-9" is not a pair of vertices below 9'


# ---- hostile files and addresses ----

# Opens the page in a frame, gives it one file after the other, has it make a graph after each, and reports
# what it says. Then opens an address that asks the page to report to another host.
HOSTILE = """<!doctype html><meta charset="utf-8"><iframe></iframe><script type="module">
const frame = document.querySelector("iframe"), said = [];
async function hear(words) {
    const message = frame.contentDocument.getElementById("message");
    while (words.includes(message.textContent)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { textContent } = message;
    message.textContent = "";
    return textContent;
}
async function open(address) {
    frame.src = address;
    await new Promise((resolve) => { frame.onload = resolve; });
    return hear(["", "Click two vertices for the shortest path."]);
}
await open("index.html?graph=grid:4x4");
const $ = (id) => frame.contentDocument.getElementById(id);
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
const elsewhere = location.origin.replace("127.0.0.1", "localhost");
const report = await open(`index.html?graph=grid:2x2&report=${elsewhere}/report`);
await fetch("/report", { method: "POST", body: JSON.stringify({ said, injected, report }) });
</script>"""
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
    ("matrix", "%%MatrixMarket\n3 3 1\n1 2\n", 1, " is a Matrix Market file; this page reads edge lists only"),
    ("line", "7", 100_000, WRONG.format(1) + f'"{60 * "7"}"'),
    ("header", "#", 1_000_000, " has no edges"),
    ("edges", "0 1\n", 2_000_001, " has more than 2000000 edges, which is more than this page takes"),
    ("bytes", "0 1\n" * 1024, 16_385, " has 67112960 bytes, and this page takes 67108864 at most"),
    ("vertices", "0 9999999\n", 1, ": 10000000 vertices, 2 edges. They are too many to draw and to click."),
    ("<img src=x onerror=injected=1>", "0 1\n", 1, ONE_EDGE),
    ("markup", "<svg onload=injected=1>\n", 1, WRONG.format(1) + '"<svg onload=injected=1>"'),
]


def test_hostile_files(site, tmp_path):
    """Each gets one line, and the page goes on. Nothing in them is run, and the page reports to no other host."""
    files = [dict(zip(("name", "text", "times"), file)) for file in FILES]
    (site / "web" / "files.json").write_text(json.dumps(files))
    (site / "web" / "hostile.html").write_text(HOSTILE)
    answer = ask_page(site, tmp_path, "hostile.html")
    after = "grid:3x3: 9 vertices, 24 edges. Click two vertices for the shortest path."
    assert answer["said"] == [[name + reported, after] for name, _, _, reported in FILES]
    assert (answer["injected"], answer["report"]) == (0, "Failed to fetch")
