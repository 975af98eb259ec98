"""Runs other programs on the same graphs and sources as gtrav, and writes records as gtrav's.

The programs are those of dataset/peers.csv: libraries of Python, and what you have installed and name in the
environment, such as PEER_GAPBS=~/gapbs/bfs. Those that are not here are left out, with a line. Times are what
a peer says of itself. What it found is checked against gtrav's serial BFS: levels, or the visited set of a
DFS, where it gives them, of the first source or with --verify all of each; else the number of reached
vertices and the depth where it tells these, of each source, and `verified` is none. A wrong result is marked
FAILED and enters no merged table. What the records hold already is not measured again, except with --fresh.
Acyclic graphs are left out.

dataset/peers.csv has a line for each program and family:
  peer, family  the record's variant and family
  device        cpu or gpu: where it runs
  program       python:MODULE, or the environment variable that names the program
  needs         collection: only graphs with a group in the list can be given to it; may be empty
  command       split at blanks; in it {program}, {python}, {graph} (a Matrix Market file), {name} (its stem),
                {sources} (a file, one a line), {folder} (has {name}.txt, which is {sources}, and
                {name}/{name}.mtx, which is {graph}), {source} (the command runs for each), {results} (a
                folder for SOURCE.npy: levels, or 0 where visited, and -1 elsewhere)
  time, unit    pattern of lines with the time, and ms or s: one for each source; with {source} the last is it
  reached, depth    patterns of the number of reached vertices and the highest level; may be empty
  wrong         pattern of a line by which it says that its result is wrong; may be empty
  most_edges    graphs of more stored arcs take it too long
  title         what it is, for the note

Words after -- are given to gtrav as they are: --undirected.
Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import csv
import datetime
import importlib.util
import io
import json
import math
import os
import re
import shutil
import signal
import statistics
import string
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evaluation import dataset
from evaluation.campaigns import status
from evaluation.campaigns.experiments import conclude, is_dag
from evaluation.command import new_parser, say
from evaluation.files import RecordsError, write_atomically
from evaluation.records import FAILED, PEERS, read_records

import numpy as np

COLUMNS = (
    *("peer", "family", "device", "program", "needs", "command", "time", "unit", "reached", "depth", "wrong"),
    *("most_edges", "title"),
)
MILLISECONDS = {"ms": 1.0, "s": 1000.0}
PYTHON = "python:"
FIELDS = {"program", "python", "graph", "name", "folder", "sources", "source", "results"}
SOURCES = 16
LONGEST_SECONDS = 600
PLANNED = "peers"  # in the status file
REFERENCE = ("--algo", "bfs", "--variant", "serial")


class PeerError(Exception):
    """One peer failed on one graph; the message is one line."""


# ---- the table of peers ----


@dataclass
class Peer:
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
        """The program; None where it is not here."""
        if self.program.startswith(PYTHON):
            return sys.executable if importlib.util.find_spec(self.program.removeprefix(PYTHON)) else None
        named = os.environ.get(self.program, "")
        return shutil.which(Path(named).expanduser()) if named else None

    def how_to_have_it(self):
        if self.program.startswith(PYTHON):
            return "scripts/setup.sh peers installs it"
        return f"{self.program}=FILE in the environment names the program"

    @property
    def one_by_one(self):
        return "{source}" in self.command


def read_peers(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, strict=True)
            absent = [name for name in COLUMNS if name not in (reader.fieldnames or [])]
            if absent:
                raise RecordsError(f"{path}: line 1: no column {absent[0]}")
            return [_peer(f"{path}: line {reader.line_num}", row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error


def _peer(where, row):
    fields = {name: (row[name] or "").strip() for name in COLUMNS}
    try:
        fields["most_edges"] = float(fields["most_edges"] or math.inf)
        for name in ("time", "reached", "depth", "wrong"):
            groups = re.compile(fields[name], re.MULTILINE).groups
            if fields[name] and groups != (name != "wrong"):
                raise ValueError(f"{name}: the pattern has {groups} groups")
        named = {field for _, field, _, _ in string.Formatter().parse(fields["command"]) if field is not None}
        if not named <= FIELDS or not {"sources", "source", "folder"} & named:
            raise ValueError(
                f"command: what stands in braces is of {', '.join(sorted(FIELDS))}, with a source"
            )
        if not fields["peer"] or not fields["time"] or fields["unit"] not in MILLISECONDS:
            raise ValueError("peer, time or unit (ms, s) is missing")
    except (ValueError, re.error) as error:
        raise RecordsError(f"{where}: {error}") from error
    return Peer(**fields)


# ---- what gtrav says ----


class Reference:
    """A graph as gtrav has it, in a folder of its own: the file for peers, the sources, and what is right."""

    def __init__(self, settings, graph, folder):
        self.settings, self.graph, self.folder = settings, graph, folder
        count = ("--sources", str(settings.sources))
        self.gtrav(*REFERENCE, *count, "--verify", "all", "--csv", str(folder / "csv"))
        (summary,) = (folder / "csv").glob("*/bfs_serial_perf.csv")
        (trials,) = (folder / "csv").glob("*/trials/*.csv")
        (self.row,) = read_records(summary)
        with open(trials, newline="", encoding="utf-8") as file:
            self.trials = list(csv.DictReader(file))
        self.sources = [int(trial["source"]) for trial in self.trials]
        self.name = self.row["graph"]
        self.plain_name = re.sub(r"[^\w.+-]", "_", self.name)

    def gtrav(self, *words):
        command = [self.settings.gtrav, "--graph", self.graph, *words, "--quiet", *self.settings.extra]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines()
            raise PeerError(lines[-1] if lines else f"gtrav ended with status {done.returncode}")

    def file(self):
        """The graph for peers, without self-loops and duplicates; written once."""
        path = self.folder / self.plain_name / f"{self.plain_name}.mtx"
        if not path.is_file():
            path.parent.mkdir(exist_ok=True)
            self.gtrav("--write", str(path))
            lines = "".join(f"{source}\n" for source in self.sources)
            (self.folder / f"{self.plain_name}.txt").write_text(lines)
        return path

    def levels(self, source):
        path = self.folder / "levels.npy"
        self.gtrav(*REFERENCE, "--source", str(source), "--output", str(path))
        return np.load(path)


# ---- a peer on a graph ----


def run_command(command, seconds):
    """What it printed; Ctrl-C ends it, and all it started."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    try:
        out, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise PeerError(f"it takes longer than {seconds} s") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode != 0:
        lines = out.strip().splitlines()
        how = f"signal {-process.returncode}" if process.returncode < 0 else f"status {process.returncode}"
        raise PeerError(f"it ended with {how}{': ' + lines[-1][:200] if lines else ''}")
    return out


def numbers(pattern, text, count, what):
    """As many numbers as there are sources, of the lines that match."""
    found = re.findall(pattern, text, re.MULTILINE)
    if len(found) < count:
        raise PeerError(f"it told {len(found)} of {count} {what}")
    try:
        return [float(value) for value in found[-count:]]
    except ValueError:
        raise PeerError(f"{what}: '{found[-1]}' is no number") from None


def measure(peer, program, reference, seconds):
    """What the peer says: {what: a number for each source}, its output, and the folder of its arrays."""
    results = reference.folder / f"{peer.family}_{peer.peer}"
    results.mkdir()
    known = {
        "program": program,
        "python": sys.executable,
        "graph": str(reference.file()),
        "name": reference.plain_name,
        "folder": str(reference.folder),
        "sources": str(reference.folder / f"{reference.plain_name}.txt"),
        "results": str(results),
    }
    patterns = {"time": peer.time, "reached": peer.reached, "depth": peer.depth}
    patterns = {what: pattern for what, pattern in patterns.items() if pattern}
    told, text = {what: [] for what in patterns}, ""
    for source in reference.sources if peer.one_by_one else [""]:
        words = [word.format(source=source, **known) for word in peer.command.split()]
        out = run_command(words, seconds)
        text += out
        for what, pattern in patterns.items():
            told[what] += numbers(pattern, out, 1 if peer.one_by_one else len(reference.sources), what)
    told["time"] = [MILLISECONDS[peer.unit] * value for value in told["time"]]
    return told, text, results


def find_mistake(peer, reference, told, text, results, verify):
    """(what is wrong or None, the word for `verified`)."""
    if peer.wrong and re.search(peer.wrong, text, re.MULTILINE):
        return "it says itself that its result is wrong", FAILED
    if "reached" in told:
        for trial, reached in zip(reference.trials, told["reached"]):
            if int(trial["reached"]) != reached:
                why = f"{reached:.0f} reached from {trial['source']} instead of {trial['reached']}"
                return why, FAILED
    if "depth" in told and peer.family == "bfs":
        for trial, depth in zip(reference.trials, told["depth"]):
            if int(trial["tree_depth"]) != depth:
                return f"depth {depth:.0f} from {trial['source']} instead of {trial['tree_depth']}", FAILED
    chosen = reference.sources if verify == "all" else reference.sources[:1]
    if verify == "none" or not all((results / f"{source}.npy").is_file() for source in chosen):
        return None, "none"
    for source in chosen:
        right, found = reference.levels(source), np.load(results / f"{source}.npy")
        if peer.family != "bfs":
            right, found = right >= 0, found >= 0
        if right.shape != found.shape:
            return f"{found.size} values for {right.size} vertices", FAILED
        if (right != found).any():
            return f"wrong at vertex {(right != found).argmax()} from source {source}", FAILED
    return None, verify


# ---- records ----


def summary_row(peer, reference, told, verified, version, device):
    """A row of gtrav's columns; of those that no peer tells, zeros and blanks."""
    times = told["time"]
    edges = [int(trial["trial_edges"]) for trial in reference.trials]
    rates = [count / time / 1e3 if time else 0.0 for count, time in zip(edges, times)]
    mean = statistics.fmean(times)
    row = dict.fromkeys(reference.row, "")
    row.update({name: reference.row[name] for name in ("graph", "vertices", "edges", "sources")})
    row.update(dict.fromkeys(("load_ms", "prepare_ms", "reorder_ms", "build_ms"), "0.000"))
    row.update(family=peer.family, variant=peer.peer, device=device, verified=verified)
    row.update(mean_time_ms=mean, mean_kernel_ms=mean, median_kernel_ms=statistics.median(times))
    row.update(min_kernel_ms=min(times), max_kernel_ms=max(times), mean_mteps=statistics.fmean(rates))
    row.update(harmonic_mean_mteps=statistics.harmonic_mean(rates), device_bytes="0", peak_device_bytes="0")
    row.update(note=peer.title, version=version, date=now())
    return {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}


def trial_rows(peer, reference, told, summary):
    rows = []
    for trial, time_ms in zip(reference.trials, told["time"]):
        row = dict(trial)
        told_once = ("family", "variant", "options", "device", "threads", "build", "version", "date")
        row.update({name: summary[name] for name in told_once})
        rate = int(trial["trial_edges"]) / time_ms / 1e3 if time_ms else 0.0
        row.update(time_ms=f"{time_ms:.6f}", kernel_ms=f"{time_ms:.6f}", mteps=f"{rate:.3f}")
        row.update(verified="", tree_depth="", cross_share="")
        rows.append(row)
    return rows


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_csv(header, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, header, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_records(folder, peer, reference, told, verified, version, device):
    path = folder / device / f"{peer.family}_{peer.peer}_perf.csv"
    summary = summary_row(peer, reference, told, verified, version, device)
    kept = [row for row in (read_records(path) if path.is_file() else []) if row["graph"] != summary["graph"]]
    trials = path.parent / "trials" / f"{peer.family}_{peer.peer}_{reference.name.replace('/', '_')}.csv"
    write_atomically(trials, as_csv(reference.trials[0], trial_rows(peer, reference, told, summary)))
    write_atomically(path, as_csv(reference.row, [*kept, summary]))


def is_recorded(folder, peer, reference):
    for path in folder.glob(f"*/{peer.family}_{peer.peer}_perf.csv"):
        for row in read_records(path):
            same = row["graph"] == reference.name and row["edges"] == reference.row["edges"]
            if same and row["sources"] == reference.row["sources"] and row["verified"] != FAILED:
                return True
    return False


# ---- all of them ----


def gpu_slug(gtrav):
    """The folder of the GPU's records; None where there is no GPU."""
    listing = subprocess.run([gtrav, "--list", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    able = [a for a in json.loads(listing.stdout) if a["device"] == "gpu" and a["available"]]
    if not able:
        return None
    words = [able[0]["family"], "path:9", "--variant", able[0]["variant"], "--source", "0"]
    done = subprocess.run([gtrav, *words, "--json", "--quiet"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)[0]["device"]


def choose_peers(settings):
    """Pairs (peer, program) of those that are here."""
    peers = [p for p in read_peers(settings.peers) if not settings.peer or p.peer in settings.peer]
    chosen, told = [], set()
    for peer in peers:
        program = peer.find()
        why = None
        if program is None:
            why = f"not here; {peer.how_to_have_it()}"
        elif peer.device == "gpu" and settings.gpu is None:
            why = "it needs a GPU"
        if why is None:
            chosen.append((peer, program))
        elif peer.peer not in told:
            say(f"left out: {peer.peer}: {why}")
            told.add(peer.peer)
    return chosen


def run_graph(settings, entry, graph, peers):
    """Runs all peers on a graph; what failed, as lines."""
    failures = []
    with tempfile.TemporaryDirectory(prefix="peers-", dir=settings.work) as folder:
        reference = Reference(settings, graph, Path(folder))
        edges = int(reference.row["edges"])
        for peer, program in peers:
            label = f"{reference.name}: {peer.name}"
            if peer.needs and not entry.group:
                continue
            if edges > min(peer.most_edges, settings.most_edges):
                say(f"{label}: left out, it would take too long")
                continue
            if not settings.fresh and is_recorded(settings.csv, peer, reference):
                continue
            began = time.monotonic()
            try:
                told, text, results = measure(peer, program, reference, settings.timeout)
                mistake, verified = find_mistake(peer, reference, told, text, results, settings.verify)
                named = re.findall(r"^version (\S+)$", text, re.MULTILINE)
                device = settings.gpu if peer.device == "gpu" else reference.row["device"]
                version = named[0] if named else peer.peer
                write_records(settings.csv, peer, reference, told, verified, version, device)
                if mistake:
                    raise PeerError(mistake)
                mean = statistics.fmean(told["time"])
                say(f"{label}: {mean:.3g} ms, in {time.monotonic() - began:.1f} s")
            except PeerError as error:
                failures.append(f"{peer.name}: {error}")
                say(f"{label}: FAILED: {error}")
    return failures


def read_settings():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("list", nargs="*", help="dataset list (CSV), such as dataset/quick_list.csv")
    add("--graph", action="append", default=[], help="a graph, as for gtrav; repeatable")
    add("--first", type=int, metavar="N", help="only the first N graphs of the lists")
    add("--peer", action="append", help="only this one; repeatable (default: all)")
    add("--peers", type=Path, default=PEERS, help="the table (default: dataset/peers.csv)")
    add("--sources", type=int, default=SOURCES, help=f"trials (default: {SOURCES})")
    add("--verify", choices=("none", "first", "all"), default="first")
    add("--fresh", action="store_true", help="measure anew what the records hold")
    add("--most-edges", type=float, default=math.inf, metavar="N", help="leave larger graphs out")
    status.add_options_of_graphs(parser)
    longest = f"a command may take so long (default: {LONGEST_SECONDS})"
    add("--timeout", type=float, default=LONGEST_SECONDS, metavar="SECONDS", help=longest)
    add("--work", type=Path, help="folder for the graphs meanwhile (default: /tmp or $TMPDIR)")
    settings = status.parse_measuring(parser)
    if not settings.list and not settings.graph:
        parser.error("a list, or --graph")
    return settings


def choose_graphs(settings):
    """Pairs (entry, graph); the graph is None where it is not here."""
    entries = [entry for path in settings.list for entry in dataset.read_list(path)]
    pairs = [(entry, entry.graph(settings.graphs, settings.stand_ins)) for entry in entries]
    pairs += [(dataset.Entry(graph), graph) for graph in settings.graph]
    pairs = [(entry, graph) for entry, graph in pairs if not is_dag(entry)]
    pairs = [(entry, graph) for entry, graph in pairs if (entry.edges or 0) <= settings.most_edges]
    return pairs[: settings.first][settings.share or slice(None)]


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    settings = read_settings()
    pairs = choose_graphs(settings)
    states = status.Status(settings.status)
    if settings.plan:
        states.plan((entry.name, PLANNED) for entry, _ in pairs)
        return 0
    settings.gpu = gpu_slug(settings.gtrav)
    peers = choose_peers(settings)
    failures = []
    for entry, graph in pairs:
        began = time.monotonic()
        try:
            if graph is None:
                raise PeerError(f"no such graph here; {entry.where_to_get()}")
            found = run_graph(settings, entry, graph, peers)
        except PeerError as error:
            found = [str(error)]
        states.finish((entry.name, PLANNED), "; ".join(found), time.monotonic() - began)
        failures += [f"{entry.name}: {reason}" for reason in found]
    return conclude(failures, False, say)
