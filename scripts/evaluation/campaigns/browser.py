"""The web page's tests and benchmarks in a headless Chromium (thesis on IBFS, section 5.5), on its GPU.

The results, which name the adapter, become RESULTS/browser/DATE.json, from which plot/draw.py draws ibfs_5_11 to
ibfs_5_14. The file that the page offers for download in any browser can be put there, too. Words after -- are
further switches of Chromium.

Exit status: 0 all lengths are right, 1 some are wrong, 2 bad usage or no browser, 3 not the wanted adapter.
"""

import functools
import http.server
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import urllib.parse
from pathlib import Path

from evaluation.command import EvaluationError, new_parser, parse_words, say
from evaluation.files import LOCAL, ROOT, write_atomically

SWITCHES = ("--headless=new", "--no-sandbox", "--no-first-run", "--enable-unsafe-webgpu", "--enable-features=Vulkan")
ON_GPU = ("--ignore-gpu-blocklist", "--use-angle=vulkan", "--disable-vulkan-surface")
BY_SOFTWARE = ("--disable-gpu-sandbox", *(f"--use-{by}=swiftshader" for by in ("webgpu-adapter", "vulkan", "angle")))
SECONDS = 1800


PAIRS = "/pairs/"  # the folder of a file of pairs, in its address


class Server(http.server.SimpleHTTPRequestHandler):
    """Serves files, among them one of pairs, and receives the page's report."""

    pairs = None

    def translate_path(self, path):
        return str(self.pairs) if self.pairs and path.startswith(PAIRS) else super().translate_path(path)

    def do_POST(self):
        if not self.path.endswith("/report"):
            return self.send_error(404)
        self.server.reports.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        return self.end_headers()

    def log_message(self, *_):
        pass


def find_browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def chromium(switches=BY_SOFTWARE):
    """Returns a function of a folder for the profile that gives the command of Chromium, without the address."""
    return lambda home: [find_browser(), *SWITCHES, *switches, f"--user-data-dir={home}/profile"]


def ask(folder, page, words, browser, seconds=SECONDS):
    """Opens a page below the folder in a browser, with these words in its address. Returns the page's report."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder))
    server.reports = queue.Queue()
    with server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        words = urllib.parse.urlencode({"report": 1, **words})
        address = f"http://127.0.0.1:{server.server_port}/{page}?{words}"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([*browser(home), address], **quiet, env={**os.environ, "HOME": home}) as running:
            try:
                return json.loads(server.reports.get(timeout=seconds))
            except queue.Empty:
                raise EvaluationError(f"the page did not answer within {seconds} s") from None
            finally:
                running.terminate()
                server.shutdown()


def main():
    parser = new_parser(__doc__)
    parser.add_argument("--results", type=Path, default=LOCAL, help="default: results/local")
    parser.add_argument("--scales", default="1,3,10,30", help="scale factors of SNB (default: 1,3,10,30)")
    parser.add_argument("--pairs", help="numbers of pairs (default: the thesis's, 1 to 65536)")
    parser.add_argument(
        "--pairs-file", type=Path, metavar="FILE", help="a row (src,dst) for each pair of one benchmark"
    )
    parser.add_argument("--repeats", default="5", help="of each (default: 5)")
    parser.add_argument("--scheme", help="bottomup (the default), coalesced or workgroup")
    parser.add_argument("--iterations", help="iterations per read-back (default: 8)")
    parser.add_argument("--vendor", help="required vendor of the adapter, such as nvidia")
    parser.add_argument("--software", action="store_true", help="render by software, to try it without a GPU")
    parser.add_argument("--timeout", type=int, default=SECONDS, metavar="SECONDS", help=f"default: {SECONDS}")
    arguments = parse_words(parser)
    if find_browser() is None:
        raise EvaluationError("there is no Chromium (Debian's package chromium)")
    if arguments.pairs_file and not arguments.pairs_file.is_file():
        raise EvaluationError(f"--pairs-file {arguments.pairs_file}: no such file")
    Server.pairs = arguments.pairs_file and arguments.pairs_file.resolve()
    words = {"benchmark": arguments.scales, "numbers": arguments.pairs, "repeats": arguments.repeats}
    words |= {"scheme": arguments.scheme, "iterations": arguments.iterations}
    words["pairsfile"] = Server.pairs and PAIRS + Server.pairs.name
    words = {name: value for name, value in words.items() if value}
    switches = (*(BY_SOFTWARE if arguments.software else ON_GPU), *arguments.extra)
    report = ask(ROOT, "web/index.html", words, chromium(switches), arguments.timeout)
    adapter = report.get("adapter", {"name": "none"})
    allowed = arguments.software or adapter.get("isSoftware") is False
    if not allowed or arguments.vendor not in (None, adapter.get("vendor")):
        say(f"the adapter is {adapter['name']}, not {arguments.vendor or 'a GPU (--software allows others)'}")
        return 3
    if "problem" in report:
        raise EvaluationError(report["problem"])
    path = arguments.results / "browser" / f"{report['date'].replace(':', '')}.json"
    write_atomically(path, json.dumps(report, indent=1) + "\n")
    print(f"{path}: {adapter['name']}{' (software)' if adapter['isSoftware'] else ''}")
    return int(any(row["wrong"] for row in report["rows"]))
