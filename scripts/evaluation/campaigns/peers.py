"""Other programs, on the same graphs and sources as gtrav; their records are like gtrav's.

dataset/peers.csv lists the programs: libraries of Python, and programs of other authors, which
scripts/build_peer.py builds or the environment names, such as PEER_GAPBS=~/gapbs/bfs. Absent ones are left out.

A time is what the program itself reports. Its results are compared with gtrav's serial BFS: the levels (of a DFS the
visited vertices) of the first source, or with --verify all of each source; and for each source the number of reached
vertices and the depth, as far as the program reports these. The column `verified` says what was compared: first, all;
counts, if only the numbers were; itself, if the program checks its own results; else none. A wrong result is marked
FAILED and enters no table. Acyclic graphs are left out.
"""

import dataclasses
import functools
import importlib.util
import math
import os
import re
import shutil
import statistics
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evaluation import dataset
from evaluation.campaigns.gtrav import ask, known_algorithms
from evaluation.campaigns.loop import Campaign, StepError
from evaluation.campaigns.peer_formats import FORMATS, is_symmetric, read_gtrav
from evaluation.campaigns.runs import graph_of
from evaluation.command import say
from evaluation.files import RecordsError, read_rows, write_atomically
from evaluation.records import FAILED, PEERS, read_records

import numpy as np
import pandas as pd

MILLISECONDS = {"ms": 1.0, "s": 1000.0}
PYTHON = "python:"
BUILT = dataset.ROOT / "build" / "peers"  # the programs that build_peer.py built
# What these words of a command stand for: the interface of scripts/peers/search.hpp, and the same for a library.
INTERFACE = "{offsets} {targets} {sources} {results}"
SHORT = {"{driver}": f"{{program}} {INTERFACE}", "{library}": f"{{python}} {{libraries}} {INTERFACE}"}
REPORTED = {"time": r"^time_ms (\S+)", "unit": "ms", "reached": r"^reached (\d+)", "depth": r"^depth (\d+)"}
FIELDS = {"program", "python", "libraries", "threads", "graph", "name", "results", "sources", "source", *FORMATS}
# What a peer may need: a graph with all reverse edges, few enough levels for a signed char.
SYMMETRIC, SHALLOW = "symmetric", "shallow"
MOST_LEVELS = 100
LIBRARIES = dataset.ROOT / "scripts" / "library_search.py"
SOURCES = 16
LONGEST_SECONDS = 600
COUNTS, ITSELF = "counts", "itself"  # values of `verified` where no arrays were compared
REFERENCE = ("--algo", "bfs", "--variant", "serial")

# The columns of a summary that are about the graph and its sources, whichever program searched.
OF_THE_GRAPH = ("graph", "vertices", "edges", "graph_hash", "sources", "source_list", "small_reach", "trial_edges")


class PeerError(StepError):
    """A peer failed on a graph, or gtrav did; the message is one line."""


# ---- the table of peers ----


@dataclasses.dataclass
class Peer:
    """A row of the table."""

    peer: str
    family: str
    device: str
    program: str
    needs: str
    command: str
    time: str
    unit: str
    reached: str
    depth: str
    wrong: str
    most_edges: float
    title: str

    @property
    def name(self):
        return f"{self.family} {self.peer}"

    def find(self):
        """Returns the program, or None if it is absent."""
        if self.program.startswith(PYTHON):
            return sys.executable if importlib.util.find_spec(self.program.removeprefix(PYTHON)) else None
        named = os.environ.get(self.program) or str(BUILT / self.own_name)
        return shutil.which(os.path.expanduser(named))

    @property
    def own_name(self):
        """The name in scripts/peers/programs.ini and build/peers."""
        return self.program.removeprefix("PEER_").lower()

    @property
    def fields(self):
        """The words in braces in the command."""
        return {field for _, field, _, _ in string.Formatter().parse(self.command) if field is not None}

    def how_to_have_it(self):
        if self.program.startswith(PYTHON):
            return "scripts/setup.sh peers installs it"
        return f"scripts/build_peer.py {self.own_name} builds it, or {self.program}=FILE in the environment names it"

    @property
    def one_by_one(self):
        return "source" in self.fields


COLUMNS = tuple(field.name for field in dataclasses.fields(Peer))


def read_peers(path):
    return [_peer(f"{path}: line {number}", row) for number, row in enumerate(read_rows(path, COLUMNS), 2)]


def _peer(where, row):
    fields = {name: row[name].strip() for name in COLUMNS}
    for short, words in SHORT.items():
        if fields["command"].startswith(short):
            fields.update(REPORTED, command=fields["command"].replace(short, words, 1))
    try:
        fields["most_edges"] = float(fields["most_edges"] or math.inf)
        for name in ("time", "reached", "depth", "wrong"):
            groups = re.compile(fields[name], re.MULTILINE).groups
            if fields[name] and groups != (name != "wrong"):
                raise ValueError(f"{name}: the pattern has {groups} groups")
        named = Peer(**fields).fields
        if not named <= FIELDS or not {"sources", "source"} & named:
            known = ", ".join(sorted(FIELDS))
            raise ValueError(f"command: the words in braces must be of {known}, and name the sources")
        if not fields["peer"] or not fields["time"] or fields["unit"] not in MILLISECONDS:
            raise ValueError("peer, time or unit (ms, s) is missing")
    except (ValueError, re.error) as error:
        raise RecordsError(f"{where}: {error}") from error
    return Peer(**fields)


# ---- the results of gtrav ----


class Reference:
    """A graph, its sources and the right results, by gtrav, with the graph's files for peers in a folder."""

    def __init__(self, settings, graph, folder):
        self.settings, self.graph, self.folder = settings, graph, folder
        count = ("--sources", str(settings.sources))
        self.gtrav(*REFERENCE, *count, "--verify", "all", "--csv", str(folder / "csv"))
        (summary,) = (folder / "csv").glob("*/bfs_serial_perf.csv")
        (trials,) = (folder / "csv").glob("*/trials/*.csv")
        (self.row,) = read_records(summary)
        self.trials = pd.DataFrame(read_rows(trials))
        self.sources = [int(source) for source in self.trials.source]
        self.name = self.row["graph"]
        self.plain_name = re.sub(r"[^\w.+-]", "_", self.name)

    def gtrav(self, *words):
        command = [self.settings.gtrav, "--graph", self.graph, *words, "--quiet", *self.settings.extra]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines()
            raise PeerError(lines[-1] if lines else f"gtrav ended with status {done.returncode}")

    def file(self):
        """Returns the Matrix Market file for peers, without self-loops and duplicates; writes it the first time."""
        path = self.folder / f"{self.plain_name}.mtx"
        if not path.is_file():
            self.gtrav("--write", str(path))
        return path

    @functools.cached_property
    def arrays(self):
        """(offsets, targets) of the graph, without self-loops and duplicates."""
        path = self.folder / "graph.gtrav"
        self.gtrav("--write", str(path))
        found = read_gtrav(path)
        path.unlink()
        return found

    @property
    def depth(self):
        return max(map(int, self.trials.tree_depth))

    @functools.cached_property
    def is_symmetric(self):
        return is_symmetric(*self.arrays)

    def format(self, name):
        """Returns the graph's file in one of FORMATS; writes it the first time."""
        ending, write = FORMATS[name]
        path = self.folder / f"{self.plain_name}.{ending}"
        if not path.is_file():
            write(path, *self.arrays)
        return path

    def sources_file(self):
        path = self.folder / f"{self.plain_name}.txt"
        path.write_text("".join(f"{source}\n" for source in self.sources))
        return path

    def levels(self, source):
        path = self.folder / "levels.npy"
        self.gtrav(*REFERENCE, "--source", str(source), "--output", str(path))
        return np.load(path)


# ---- a peer on a graph ----


def run_command(command, seconds, folder):
    """Returns what the command printed. It runs in the folder, as some programs write logs where they run."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace", "cwd": folder}
    try:
        done = subprocess.run(command, timeout=seconds, **how)
    except subprocess.TimeoutExpired:
        raise PeerError(f"it takes longer than {seconds} s") from None
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()
        ended = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        raise PeerError(f"it ended with {ended}{': ' + lines[-1][:200] if lines else ''}")
    return done.stdout


def numbers(pattern, text, count, what):
    """Returns a number for each source, from the lines that match."""
    found = re.findall(pattern, text, re.MULTILINE)
    if len(found) < count:
        raise PeerError(f"it told {len(found)} of {count} {what}")
    try:
        return [float(value) for value in found[-count:]]
    except ValueError:
        raise PeerError(f"{what}: '{found[-1]}' is no number") from None


def measure(peer, program, reference, seconds):
    """Runs a peer. Returns {what: its number for each source}, its output, and the folder of its arrays."""
    results = reference.folder / f"{peer.family}_{peer.peer}"
    results.mkdir()
    known = {"program": program, "python": sys.executable, "libraries": f"{LIBRARIES}", "results": results}
    known |= {"name": reference.plain_name, "sources": reference.sources_file()}
    known["threads"] = len(os.sched_getaffinity(0))
    known |= {name: reference.format(name) for name in FORMATS if name in peer.fields}
    if "graph" in peer.fields:
        known["graph"] = reference.file()
    patterns = {"time": peer.time, "reached": peer.reached, "depth": peer.depth}
    patterns = {what: pattern for what, pattern in patterns.items() if pattern}
    reported, text = {what: [] for what in patterns}, ""
    for source in reference.sources if peer.one_by_one else [""]:
        words = [word.format(source=source, **known) for word in peer.command.split()]
        out = run_command(words, seconds, results)
        text += out
        for what, pattern in patterns.items():
            reported[what] += numbers(pattern, out, 1 if peer.one_by_one else len(reference.sources), what)
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


def records_of(peer, reference, reported, **facts):
    """Returns the trials and their summary in gtrav's columns, with zeros and blanks where no peer reports a value.

    A peer's time is that of its whole search, so kernel_ms is the same, and reset_ms is 0. facts: device, version."""
    facts.update(family=peer.family, variant=peer.peer, date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    times = pd.Series(reported["time"])
    rates = (reference.trials.trial_edges.astype(float) / times / 1e3).where(times > 0, 0.0)
    blank = dict.fromkeys(("options", "threads", "build", "verified", "tree_depth", "cross_share"), "")
    ms, rate = times.map("{:.6f}".format), rates.map("{:.3f}".format)
    measured = {"time_ms": ms, "kernel_ms": ms, "reset_ms": "0.000000", "search_mteps": rate, "mteps": rate}
    trials = reference.trials.drop(columns="check").assign(**blank, **facts, **measured)
    spread = {name: getattr(times, name)() for name in ("mean", "median", "min", "max")}
    means = {f"{name}_{part}_ms": ms for part in ("time", "kernel") for name, ms in spread.items()}
    for column in ("search_mteps", "mteps"):
        means[f"mean_{column}"] = rates.mean()
        means[f"harmonic_mean_{column}"] = statistics.harmonic_mean(rates)
    summary = {name: reference.row[name] for name in OF_THE_GRAPH}
    summary.update(dict.fromkeys(("trial_ms", "trial_kernel_ms"), " ".join(times.map("{:.4g}".format))))
    summary.update(dict.fromkeys(("load_ms", "prepare_ms", "reorder_ms", "build_ms"), "0.000"))
    summary.update(facts, device_bytes="0", peak_device_bytes="0", note=peer.title)
    summary.update({name: f"{value:.6g}" for name, value in means.items()})
    return trials, summary


def write_records(folder, peer, reference, trials, summary):
    name, graph = f"{peer.family}_{peer.peer}", reference.name.replace("/", "_")
    path = folder / summary["device"] / f"{name}_perf.csv"
    rows = pd.DataFrame([*(read_records(path) if path.is_file() else []), summary])
    rows = rows[~rows.duplicated(["graph", "graph_hash"], keep="last")].reindex(columns=list(reference.row))
    write_atomically(path.parent / "trials" / f"{name}_{graph}.csv", trials.to_csv(index=False))
    write_atomically(path, rows.to_csv(index=False))


def is_recorded(folder, peer, reference):
    same = ("graph", "graph_hash", "sources")
    return any(
        row["verified"] != FAILED and all(row.get(name) == reference.row[name] for name in same)
        for path in folder.glob(f"*/{peer.family}_{peer.peer}_perf.csv")
        for row in read_records(path)
    )


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
    chosen, left_out = [], {}
    for peer in read_peers(settings.peers):
        if settings.peer and peer.peer not in settings.peer:
            continue
        program = peer.find()
        if program is None:
            left_out[peer.peer] = f"absent; {peer.how_to_have_it()}"
        elif peer.device == "gpu" and gpu is None:
            left_out[peer.peer] = "it needs a GPU"
        else:
            chosen.append((peer, program))
    if settings.peer:
        return chosen, tuple(f"{name}: {left_out[name]}" for name in settings.peer if name in left_out)
    lines = (f"without {', '.join(left_out)}, which are optional; --peer NAME says how to get one",)
    return chosen, lines if left_out else ()


def run_peer(settings, peer, program, reference, gpu):
    """Runs a peer on a graph, checks its results, and writes its records. Returns its mean time in ms."""
    reported, text, results = measure(peer, program, reference, settings.timeout)
    mistake, verified = find_mistake(peer, reference, reported, text, results, settings.verify)
    named = re.search(r"^version (\S+)$", text, re.MULTILINE)
    device = gpu if peer.device == "gpu" else reference.row["device"]
    version = named[1] if named else peer.peer
    trials, summary = records_of(peer, reference, reported, device=device, version=version)
    write_records(settings.csv, peer, reference, trials, {**summary, "verified": verified})
    if mistake:
        raise PeerError(mistake)
    return statistics.fmean(reported["time"])


def why_left_out(peer, reference):
    """Why a peer does not run on a graph, or ""."""
    if SYMMETRIC in peer.needs and not reference.is_symmetric:
        return "the graph is directed"
    if SHALLOW in peer.needs and reference.depth > MOST_LEVELS:
        return f"the graph has more than {MOST_LEVELS} levels"
    return "it would take too long" if int(reference.row["edges"]) > peer.most_edges else ""


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
            if not settings.fresh and is_recorded(settings.csv, peer, reference):
                continue
            began = time.monotonic()
            try:
                mean = run_peer(settings, peer, program, reference, gpu)
                say(f"{label}: {mean:.3g} ms, in {time.monotonic() - began:.1f} s")
            except PeerError as error:
                failed.append((entry.name, f"{peer.name}: {error}"))
                say(f"{label}: FAILED: {error}")
    return failed


def add_options(parser):
    add = parser.add_argument
    add("list", nargs="*", help="dataset list (CSV), such as dataset/quick_list.csv")
    add("--graph", action="append", default=[], help="a graph, as for gtrav; repeatable")
    add("--first", type=int, metavar="N", help="only the first N graphs of the lists")
    add("--peer", action="append", help="only this one; repeatable (default: all)")
    add("--peers", type=Path, default=PEERS, help="the table (default: dataset/peers.csv)")
    add("--sources", type=int, default=SOURCES, help=f"trials (default: {SOURCES})")
    add("--verify", choices=("none", "first", "all"), default="first")
    add("--fresh", action="store_true", help="measure again what the records hold")
    longest = f"limit of a command (default: {LONGEST_SECONDS})"
    add("--timeout", type=float, default=LONGEST_SECONDS, metavar="SECONDS", help=longest)


def choose_graphs(settings):
    """Returns pairs (entry, graph), with None for a graph that is absent."""
    entries = [entry for path in settings.list for entry in dataset.read_list(path)]
    pairs = [(entry, entry.graph(settings.graphs, settings.stand_ins)) for entry in entries]
    pairs += [(dataset.Entry(graph), graph) for graph in settings.graph]
    return [pair for pair in pairs if not pair[0].acyclic][: settings.first]


def campaign(settings):
    gpu = gpu_slug(settings.gtrav)
    peers, notes = choose_peers(settings, gpu)
    steps = {
        (entry.name, "peers"): functools.partial(run_graph, settings, entry, graph, peers, gpu)
        for entry, graph in choose_graphs(settings)
    }
    return Campaign(steps, notes)
