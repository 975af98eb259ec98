"""Other programs, on the same graphs and sources as gtrav; their records are like gtrav's.

dataset/peers.csv lists the programs of other authors. scripts/build_peer.py builds them, or the environment names
them, such as PEER_GAPBS=~/gapbs/bfs. Absent ones are left out.

A time is what the program itself reports. Its results are compared with gtrav's serial BFS: the levels (of a DFS the
visited vertices) of the first source, or with --verify all of each source; and for each source the number of reached
vertices and the depth, as far as the program reports these. The column `verified` says what was compared: first, all;
counts, if only the numbers were; itself, if the program checks its own results; else none. A wrong result is marked
FAILED and enters no table. Acyclic graphs are left out.
"""

import functools
import os
import re
import shutil
import statistics
import string
import subprocess
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from evaluation import dataset
from evaluation.campaigns.gtrav import ask, known_algorithms
from evaluation.campaigns.loop import Campaign, StepError
from evaluation.campaigns.peer_formats import FORMATS, OF_WEIGHTED, VERSION, WEIGHTED, is_symmetric, read_gtrav
from evaluation.campaigns.runs import graph_of
from evaluation.command import EvaluationError, say
from evaluation.files import read_rows, rows_if_any, write_atomically
from evaluation.records import FAILED, PEERS, read_records

import numpy as np
import pandas as pd

MILLISECONDS = {"ms": 1.0, "s": 1000.0}
BUILT = dataset.ROOT / "build" / "peers"  # the programs that build_peer.py built
# The interface of scripts/peers/search.hpp: the words for {driver} in a command, and the lines that are printed.
DRIVER, INTERFACE = "{driver}", "{program} {offsets} {targets} {sources} {results}"
REPORTED = {"time": r"^time_ms (\S+)", "unit": "ms", "reached": r"^reached (\d+)", "depth": r"^depth (\d+)"}
# Needs of a peer: a graph with all reverse edges, few enough levels for a signed char.
SYMMETRIC, SHALLOW = "symmetric", "shallow"
MOST_LEVELS = 100
SOURCES = 16
LONGEST_SECONDS = 600
COUNTS, ITSELF = "counts", "itself"  # values of `verified` where no arrays were compared
REFERENCE = ("--algo", "bfs", "--variant", "serial")

# The columns of a summary that are about the graph and its sources, whichever program searched.
OF_THE_GRAPH = ("graph", "vertices", "edges", "graph_hash", "sources", "source_list", "small_reach", "trial_edges")


COLUMNS = "peer family device program needs command time unit reached depth wrong most_edges title"


class Peer(namedtuple("Peer", COLUMNS)):
    """A row of the table; dataset/README.md describes the columns."""

    @property
    def name(self):
        return f"{self.family} {self.peer}"

    @property
    def file(self):
        return f"{self.family}_{self.peer}_perf.csv"

    @property
    def own_name(self):
        """The name in scripts/peers/programs.ini and build/peers."""
        return self.program.removeprefix("PEER_").lower()

    @property
    def fields(self):
        """The words in braces in the command."""
        return {field for _, field, _, _ in string.Formatter().parse(self.command) if field is not None}

    def find(self):
        """Returns the program, or None if it is absent."""
        named = os.environ.get(self.program) or str(BUILT / self.own_name)
        return shutil.which(os.path.expanduser(named))


def read_peers(path):
    peers = [Peer(*(row[name] for name in Peer._fields)) for row in read_rows(path, Peer._fields)]
    interface = {peer: {**REPORTED, "command": peer.command.replace(DRIVER, INTERFACE)} for peer in peers}
    return [peer._replace(**interface[peer]) if peer.command.startswith(DRIVER) else peer for peer in peers]


# ---- the results of gtrav ----


def run_gtrav(gtrav, graph, *words):
    command = [str(word) for word in (gtrav, "--graph", graph, "--quiet", *words)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise StepError(lines[-1] if lines else f"gtrav ended with status {done.returncode}")


class Reference:
    """A graph, its sources and the right results, by gtrav, with the graph's files for peers in a folder."""

    def __init__(self, settings, graph, folder):
        self.settings, self.graph, self.folder = settings, graph, folder
        self.gtrav(*REFERENCE, "--sources", settings.sources, "--verify", "all", "--csv", folder / "csv")
        (summary,) = (folder / "csv").glob("*/bfs_serial_perf.csv")
        (trials,) = (folder / "csv").glob("*/trials/*.csv")
        (self.row,) = read_records(summary)
        self.trials = pd.DataFrame(read_rows(trials))
        self.sources = [int(source) for source in self.trials.source]
        self.name = self.row["graph"]
        self.plain_name = re.sub(r"[^\w.+-]", "_", self.name)

    def gtrav(self, *words):
        run_gtrav(self.settings.gtrav, self.graph, *words, *self.settings.extra)

    @functools.cached_property
    def arrays(self):
        """(offsets, targets) of the graph, without self-loops and duplicates."""
        return self.written(VERSION)

    def written(self, version, *words):
        path = self.folder / "graph.gtrav"
        self.gtrav(*words, "--write", path)
        found = read_gtrav(path, version)
        path.unlink()
        return found

    @functools.cached_property
    def is_symmetric(self):
        return is_symmetric(*self.arrays)

    def file(self, ending, write):
        """Returns a file for peers; writes it the first time."""
        path = self.folder / f"{self.plain_name}.{ending}"
        if not path.is_file():
            write(path)
        return path

    def words(self, peer):
        """Returns {word in braces in the peer's command: its value}, without the program and one source."""
        known = {"name": self.plain_name, "threads": len(os.sched_getaffinity(0))}
        for name in FORMATS.keys() & peer.fields:
            ending, write = FORMATS[name]
            known[name] = self.file(ending, lambda path, write=write: write(path, *self.arrays))
        weighted = functools.partial(self.written, WEIGHTED, "--weights", "auto")
        for name in OF_WEIGHTED.keys() & peer.fields:
            ending, write = OF_WEIGHTED[name]
            known[name] = self.file(ending, lambda path, write=write: write(path, *weighted()))
        if "graph" in peer.fields:
            known["graph"] = self.file("mtx", lambda path: self.gtrav("--write", path))
        lines = "".join(f"{source}\n" for source in self.sources)
        return {**known, "sources": self.file("txt", lambda path: path.write_text(lines))}

    def levels(self, source):
        path = self.folder / "levels.npy"
        self.gtrav(*REFERENCE, "--source", source, "--output", path)
        return np.load(path)


# ---- a peer on a graph ----


def run_command(command, seconds, folder):
    """Returns what the command printed. It runs in the folder, as some programs write logs where they run."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace", "cwd": folder}
    try:
        done = subprocess.run(command, timeout=seconds, **how)
    except subprocess.TimeoutExpired:
        raise StepError(f"it takes longer than {seconds} s") from None
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()
        ended = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        raise StepError(f"it ended with {ended}{': ' + lines[-1][:200] if lines else ''}")
    return done.stdout


def numbers(pattern, text, count, what):
    """Returns a number for each source, from the lines that match."""
    found = re.findall(pattern, text, re.MULTILINE)
    if len(found) < count:
        raise StepError(f"it told {len(found)} of {count} {what}")
    try:
        return [float(value) for value in found[-count:]]
    except ValueError:
        raise StepError(f"{what}: '{found[-1]}' is no number") from None


def measure(peer, program, reference, seconds):
    """Runs a peer. Returns {what: its number for each source}, its output, and the folder of its arrays."""
    results = reference.folder / f"{peer.family}_{peer.peer}"
    results.mkdir()
    known = {**reference.words(peer), "program": program, "results": results}
    reported, text = {what: [] for what in ("time", "reached", "depth") if getattr(peer, what)}, ""
    one_by_one = "source" in peer.fields
    for source in reference.sources if one_by_one else [""]:
        words = [word.format(source=source, **known) for word in peer.command.split()]
        out = run_command(words, seconds, results)
        text += out
        count = 1 if one_by_one else len(reference.sources)
        for what, values in reported.items():
            values += numbers(getattr(peer, what), out, count, what)
    reported["time"] = [MILLISECONDS[peer.unit] * value for value in reported["time"]]
    return reported, text, results


def wrong_counts(peer, reference, reported):
    """Returns which number of the peer differs from gtrav's, in words, or None."""
    columns = {"reached": ("reached", "{:.0f} reached from {} instead of {}")}
    if peer.family == "bfs":
        columns["depth"] = ("tree_depth", "depth {:.0f} from {} instead of {}")
    for what, (column, words) in columns.items():
        for source, right, found in zip(reference.sources, reference.trials[column], reported.get(what, [])):
            if int(right) != found:
                return words.format(found, source, right)
    return None


def wrong_array(peer, reference, source, found):
    """Returns what is wrong with the levels, or the visited vertices, from a source, in words, or None."""
    right = reference.levels(source)
    if peer.family != "bfs":
        right, found = right >= 0, found >= 0
    if right.shape != found.shape:
        return f"{found.size} values for {right.size} vertices"
    if (right != found).any():
        return f"wrong at vertex {(right != found).argmax()} from source {source}"
    return None


def find_mistake(peer, reference, reported, text, results, verify):
    """Returns (what is wrong or None, the value of `verified`)."""
    if peer.wrong and re.search(peer.wrong, text, re.MULTILINE):
        return "it reports that its result is wrong", FAILED
    mistake = wrong_counts(peer, reference, reported)
    arrays = {source: results / f"{source}.npy" for source in reference.sources[: None if verify == "all" else 1]}
    checked = verify != "none" and all(path.is_file() for path in arrays.values())
    for source, path in arrays.items() if checked else ():
        mistake = mistake or wrong_array(peer, reference, source, np.load(path))
    weaker = COUNTS if peer.reached else ITSELF if peer.wrong else "none"
    return mistake, FAILED if mistake else verify if checked else weaker


# ---- records ----


def summary_of(peer, reference, reported, **facts):
    """Returns a row in gtrav's columns, with zeros and blanks where no peer reports a value.

    A peer's time is that of its whole search, so its kernel_ms is the same. facts: device, version, verified."""
    times = pd.Series(reported["time"])
    rates = (reference.trials.trial_edges.astype(float) / times / 1e3).where(times > 0, 0.0)
    of_times = times.agg(["mean", "median", "min", "max"])
    means = {f"{name}_{part}_ms": value for part in ("time", "kernel") for name, value in of_times.items()}
    for column in ("search_mteps", "mteps"):
        means[f"mean_{column}"] = rates.mean()
        means[f"harmonic_mean_{column}"] = statistics.harmonic_mean(rates)
    return {
        **values_of(reference.row, *OF_THE_GRAPH),
        **facts,
        **dict.fromkeys(("options", "threads", "build"), ""),
        **dict.fromkeys(("trial_ms", "trial_kernel_ms"), " ".join(times.map("{:.4g}".format))),
        **dict.fromkeys(("load_ms", "prepare_ms", "reorder_ms", "build_ms"), "0.000"),
        **dict.fromkeys(("device_bytes", "peak_device_bytes"), "0"),
        **{name: f"{value:.6g}" for name, value in means.items()},
        "family": peer.family,
        "variant": peer.peer,
        "note": peer.title,
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def put_row(path, row, same, columns):
    """Writes a row to a file of records, in place of the row that has the same values in these columns."""
    rows = pd.DataFrame([*rows_if_any(path), row])
    rows = rows[~rows.duplicated(same, keep="last")].reindex(columns=columns)
    write_atomically(path, rows.to_csv(index=False))


def is_recorded(paths, same):
    """Whether files of records have a row that did not fail with these values: {column: value}."""
    rows = (row for path in paths for row in rows_if_any(path) if row["verified"] != FAILED)
    return any(same.items() <= row.items() for row in rows)


def values_of(row, *columns):
    return {column: row[column] for column in columns}


def version_in(text):
    """The version that a program printed, or ""."""
    found = re.search(r"^version (\S+)$", text, re.MULTILINE)
    return found[1] if found else ""


# ---- all peers ----


def gpu_slug(gtrav):
    """Returns the folder of the GPU's records, or None without a GPU."""
    able = [a for a in known_algorithms(gtrav) if a["device"] == "gpu" and a["available"]]
    if not able:
        return None
    words = [able[0]["family"], "path:9", "--variant", able[0]["variant"], "--source", "0"]
    return ask(gtrav, *words, "--json", "--quiet")[0]["device"]


def choose_peers(settings, gpu):
    """Returns pairs (peer, program) of those that can run here, and the lines that say why others cannot."""
    chosen, left_out, table = [], {}, read_peers(settings.peers)
    known = [peer.peer for peer in table]
    for name in settings.peer or ():
        if name not in known:
            raise EvaluationError(f"--peer {name} is not in {settings.peers}; there are {', '.join(known)}")
    for peer in table:
        program = peer.find()
        if settings.peer and peer.peer not in settings.peer:
            continue
        if program is None:
            built = f"scripts/build_peer.py {peer.own_name} builds it"
            left_out[peer.peer] = f"absent; {built}, or {peer.program}=FILE in the environment names it"
        elif peer.device == "gpu" and gpu is None:
            left_out[peer.peer] = "it needs a GPU"
        else:
            chosen.append((peer, program))
    if settings.peer:
        return chosen, tuple(f"{name}: {left_out[name]}" for name in settings.peer if name in left_out)
    lines = (f"without {', '.join(left_out)}, which are optional; --peer NAME says how to get one",)
    return chosen, lines if left_out else ()


def run_peer(settings, peer, program, reference, gpu):
    """Runs a peer on a graph, checks its results, and writes its record. Returns its mean time in ms."""
    reported, text, results = measure(peer, program, reference, settings.timeout)
    mistake, verified = find_mistake(peer, reference, reported, text, results, settings.verify)
    device = gpu if peer.device == "gpu" else reference.row["device"]
    facts = {"device": device, "version": version_in(text) or peer.peer, "verified": verified}
    row, columns = summary_of(peer, reference, reported, **facts), list(reference.row)
    put_row(settings.csv / device / peer.file, row, ["graph", "graph_hash"], columns)
    if mistake:
        raise StepError(mistake)
    return statistics.fmean(reported["time"])


def why_left_out(peer, reference):
    """Why a peer does not run on a graph, or ""."""
    if SYMMETRIC in peer.needs and not reference.is_symmetric:
        return "the graph is directed"
    if SHALLOW in peer.needs and max(map(int, reference.trials.tree_depth)) > MOST_LEVELS:
        return f"the graph has more than {MOST_LEVELS} levels"
    too_large = peer.most_edges and int(reference.row["edges"]) > float(peer.most_edges)
    return "it would take too long" if too_large else ""


def run_graph(settings, entry, graph, peers, gpu, number):
    """Runs all peers on a graph. Returns what failed, as pairs of the graph and why."""
    failed = []
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        reference = Reference(settings, graph or graph_of(entry, settings), Path(folder))
        for peer, program in peers:
            label = f"{number}{reference.name}: {peer.name}"
            if why := why_left_out(peer, reference):
                say(f"{label}: left out, {why}")
                continue
            same = values_of(reference.row, "graph", "graph_hash", "sources")
            if not settings.fresh and is_recorded(settings.csv.glob(f"*/{peer.file}"), same):
                continue
            began = time.monotonic()
            try:
                mean = run_peer(settings, peer, program, reference, gpu)
                say(f"{label}: {mean:.3g} ms, in {time.monotonic() - began:.1f} s")
            except StepError as error:
                failed.append((entry.name, f"{peer.name}: {error}"))
                say(f"{label}: FAILED: {error}")
    return failed


def add_options(parser):
    add = parser.add_argument
    add("list", nargs="*", help="dataset list (CSV), such as dataset/quick_list.csv")
    add("--graph", action="append", default=[], help="a graph, as for gtrav; repeatable")
    add("--peer", action="append", help="only this one; repeatable (default: all)")
    add("--peers", type=Path, default=PEERS, help="the table (default: dataset/peers.csv)")
    add("--sources", type=int, default=SOURCES, help=f"trials (default: {SOURCES})")
    add("--verify", choices=("none", "first", "all"), default="first")
    add("--fresh", action="store_true", help="measure again what the records hold")
    longest = f"limit of a command (default: {LONGEST_SECONDS})"
    add("--timeout", type=float, default=LONGEST_SECONDS, metavar="SECONDS", help=longest)


def campaign(settings):
    gpu = gpu_slug(settings.gtrav)
    peers, notes = choose_peers(settings, gpu)
    entries = [entry for path in settings.list for entry in dataset.read_list(path) if not entry.acyclic]
    graphs = [(entry, entry.graph(settings.graphs, settings.stand_ins)) for entry in entries]
    graphs += [(dataset.Entry(graph), graph) for graph in settings.graph]
    steps = {
        (entry.named(graph), "peers"): functools.partial(run_graph, settings, entry, graph, peers, gpu)
        for entry, graph in graphs
        if peers
    }
    return Campaign(steps, notes)
