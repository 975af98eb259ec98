"""Measures searches from many sources.

  batches    256 and 64 searches, by every way to search many at once, and one after the other: Blest's tables
             6 and 8 (Elbek and Kaya 2026)
  closeness  of every vertex, exact: Blest's table 3, on as many GPUs as --gpus names
  pairs      lengths between 1 to 65,536 random pairs, by IBFS's schemes and others: figures 5.1, 5.4, 5.16
             and 5.17 of its thesis (Dreef 2025)

Each part has graphs of its own, a list in dataset/; --list gives all parts another, --graph names graphs.
Records go to DIR/<part>-<sources or GPUs>/<device>/. A run that fails does not stop the rest, and what is
measured is not measured again. Words after -- are given to gtrav as they are.

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import json
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.analyses.msbfs import ABLATION, FULL, OWN, PAIRED, READERS, SINGLE
from evaluation.campaigns import status
from evaluation.campaigns.experiments import LOG, conclude, known_algorithms, run_and_listen
from evaluation.command import INTERRUPTED, new_parser, say
from evaluation.files import write_atomically
from evaluation.records import FAILED

LISTS = {"batches": "msbfs_list.csv", "closeness": "closeness_list.csv", "pairs": "snb_list.csv"}

BATCHES = (*ABLATION, *OWN, *SINGLE, "msbfs then")
SOURCES = (256, 64)

# The first that can run here, of either device.
CLOSENESS = ("msbfs auto", "msbfs rows", "msbfs pbfs", "msbfs serial")

PAIRS = (1, 10, 100, 1000, 4096, 65536)
# Searches times edges beyond which one is not asked: it would take minutes.
MOST_WORK = {"msbfs serial": 2e9, "bfs auto": 2e11, "msbfs then": 1e12, "msbfs pbfs": 1e12}
VERIFIED_ALL = 1e9  # pairs times edges up to which every length is checked
SEED = 27491095  # GAP's

# Where there is no GPU: graphs for the emulator, whose times are no GPU times.
SMALL_GRAPHS = {
    "batches": ("kron:7", "grid:9x9"),
    "closeness": ("kron:7", "grid:9x9"),
    "pairs": ("kron:6", "kron:7", "kron:8"),
}
SMALL_SOURCES = (64, 32)
SMALL_PAIRS = (1, 10, 100, 1000)


# ---- what to run ----


class Step(NamedTuple):
    label: str
    folder: str  # below --csv
    words: list  # for gtrav


def build_of(gtrav):
    """The build that gtrav writes to its records; "": it tells none."""
    told = subprocess.run([gtrav, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next((line.removeprefix("build ") for line in told.splitlines() if line.startswith("build ")), "")


class Campaign:
    """What is asked for, and what this gtrav can run here."""

    def __init__(self, arguments):
        self.gtrav, self.csv, self.extra = arguments.gtrav, arguments.csv, arguments.extra
        self.small, self.gpus = arguments.small, arguments.gpus
        self.sources = arguments.sources or (SMALL_SOURCES if self.small else SOURCES)
        self.pairs = arguments.pairs or (SMALL_PAIRS if self.small else PAIRS)
        self.build = build_of(self.gtrav)
        found = known_algorithms(self.gtrav)
        self.known = {f"{a['family']} {a['variant']}": a for a in found}
        self.here = {
            name: "cpu-emulator" if not a["available"] else a["device"]
            for name, a in self.known.items()
            if (a["available"] or (self.small and a["emulated"])) and arguments.device in (None, a["device"])
        }

    def skipped(self, names):
        """Lines on those that cannot run."""
        absent = [name for name in names if name not in self.known]
        unable = [name for name in names if name in self.known and name not in self.here]
        return [
            f"left out, {why}: {', '.join(some)}"
            for why, some in (("not in this gtrav", absent), ("they do not run here", unable))
            if some
        ]

    def groups(self, names):
        """Of these, what one command can run: (family, device, variants)."""
        found = {}
        for name in (name for name in names if name in self.here):
            family, variant = name.split(" ")
            found.setdefault((family, self.here[name]), []).append(variant)
        return [(*group, variants) for group, variants in found.items()]

    def recorded(self, folder, family, name, ending, matches):
        """Whether a row of this build that matches is there, and not to be measured anew."""
        paths = (self.csv / folder).glob(f"*/{family}_{name.split(' ')[1]}_{ending}.csv")
        return "--fresh" not in self.extra and any(
            row.get("build") == self.build and row["verified"] != FAILED and matches(row)
            for path in paths
            for row in READERS[ending](path)
        )

    def info(self, graph):
        told = subprocess.run(
            [self.gtrav, "--info", "--graph", graph, "--json", "--quiet"], stdout=subprocess.PIPE, check=True
        )
        return json.loads(told.stdout)[0]


def by_variants(family, variants, device):
    return ["--algo", family, "--variant", ",".join(variants), "--device", device]


def batches(campaign, graph):
    for sources in campaign.sources:
        steps = () if sources == max(campaign.sources) else [name for name in ABLATION if name != FULL]
        for family, device, variants in campaign.groups(name for name in BATCHES if name not in steps):
            label = f"{sources} sources, {family} {','.join(variants)}"
            words = [*by_variants(family, variants, device), "--sources", str(sources)]
            yield Step(label, f"batches-{sources}", words)


def closeness(campaign, graph):
    path = Path(graph)
    name = path.stem if path.suffix in (".gtrav", ".mtx") else graph  # as records have it

    def is_exact_of(row):
        return row["graph"] == name and row["sources"] == row["vertices"]

    able = [by for by in CLOSENESS if by in campaign.here and "far" in campaign.known[by]["on_request"]]
    on_gpu = [by for by in able if campaign.here[by] != "cpu"][:1]
    on_cpu = [by for by in able if campaign.here[by] == "cpu"][:1]
    # What takes a GPU a minute takes a CPU hours.
    for by in on_gpu + on_cpu if campaign.small else on_gpu or on_cpu:
        for gpus in campaign.gpus or [None]:
            folder = f"closeness-{gpus or 1}"
            if campaign.recorded(folder, "closeness", by, "perf", is_exact_of):
                continue
            words = by_variants("closeness", [by.split(" ")[1]], campaign.here[by])
            state = campaign.csv / folder / f"{name.replace('/', '_')}.checkpoint"
            state.parent.mkdir(parents=True, exist_ok=True)
            on = ["--gpus", str(gpus)] if gpus else []
            label = f"closeness by {by}{f' on {gpus} GPUs' if gpus else ''}"
            yield Step(label, folder, [*words, "--checkpoint", str(state), *on])


def pairs(campaign, graph):
    facts = campaign.info(graph)
    told = campaign.csv / "pairs" / "lengths.csv"  # which a single variant tells, too; nobody reads them here
    for count in campaign.pairs:
        work = count * facts["edges"]
        checked = (
            [] if "--verify" in campaign.extra else ["--verify", "all" if work <= VERIFIED_ALL else "first"]
        )
        affordable = [name for name in PAIRED if work <= MOST_WORK.get(name, math.inf)]
        wanted = [name for name in affordable if not has_lengths(campaign, name, facts["name"], count)]
        for family, device, variants in campaign.groups(wanted):
            path = write_pairs(campaign.csv / "pairs" / "asked", facts, count)
            words = [*by_variants(family, variants, device), "--pairs", str(path), *checked]
            output = ["--output", str(told)] if len(variants) == 1 else []
            yield Step(f"{count} pairs, {family} {','.join(variants)}", "pairs", [*words, *output])


def has_lengths(campaign, name, graph, count):
    asked = (graph, str(count))
    family = name.split(" ")[0]
    return campaign.recorded(
        "pairs", family, name, "pairs", lambda row: (row["graph"], row["pairs"]) == asked
    )


PARTS = {"batches": batches, "closeness": closeness, "pairs": pairs}
RUN_BY = {"batches": BATCHES, "closeness": CLOSENESS, "pairs": PAIRED}


def write_pairs(folder, facts, count):
    """The file of the first so many pairs of a graph: the same on every machine."""
    name, vertices = facts["name"], facts["vertices"]
    path = folder / f"{name.replace('/', '_')}-{count}.csv"
    chance = random.Random(f"{SEED} {name}")
    lines = [f"{chance.randrange(vertices)},{chance.randrange(vertices)}" for _ in range(count)]
    what = f"{count} pairs of the {vertices} vertices of {name}, uniform, seed '{SEED} {name}'"
    write_atomically(path, "\n".join([f"# {what}; scripts/msbfs.py", "src,dst", *lines, ""]))
    return path


def choose_graphs(arguments, part):
    """(name, what to give to --graph or None) of a part's graphs, each once."""
    if arguments.graph:
        return [(graph, find_graph(arguments.graphs, graph)) for graph in arguments.graph]
    if arguments.small and not arguments.list:
        return [(graph, graph) for graph in SMALL_GRAPHS[part]]
    entries = dataset.read_list(arguments.list or dataset.ROOT / "dataset" / LISTS[part])
    chosen = {}
    for entry in entries:
        graph = entry.graph(arguments.graphs, arguments.stand_ins)
        chosen.setdefault(graph or entry.name, (entry.name, graph and find_graph(arguments.graphs, graph)))
    return list(chosen.values())


def find_graph(folder, graph):
    """A generated graph may have been written there before, as .gtrav: then it is that."""
    kept = folder / f"{graph}.gtrav"
    return str(kept) if kept.is_file() else graph


def run_steps(campaign, plan, states):
    """Runs what the parts ask for on their graphs; what failed, as lines, and whether the user cut it off."""
    failures = []
    campaign.csv.mkdir(parents=True, exist_ok=True)
    with open(campaign.csv / LOG, "a", encoding="utf-8") as log:
        for part, name, graph in plan:
            began = time.monotonic()
            if graph is None:
                reasons = ["no such graph here; scripts/download_graphs.py gets it"]
                failures.append(f"{part}, {name}: {reasons[0]}")
            else:
                reasons, interrupted = run_part(campaign, part, name, graph, log, failures)
                if interrupted:
                    return failures, True
            states.finish((name, part), "; ".join(reasons), time.monotonic() - began)
    return failures, False


def run_part(campaign, part, name, graph, log, failures):
    """One part on one graph: why something failed, and whether the user cut it off."""
    failed, reasons, interrupted = [], [], False
    try:
        interrupted = run_each(campaign, name, [graph], PARTS[part](campaign, graph), log, failed, say)
    except subprocess.CalledProcessError as error:
        reasons = [f"gtrav --info ended with status {error.returncode}"]
    failures += [f"{name}: {label}: {reason}" for label, reason in failed]
    failures += [f"{part}, {name}: {reason}" for reason in reasons]
    return [reason for _, reason in failed] + reasons, interrupted


def run_each(settings, name, graph, steps, log, failed, tell):
    """Runs the steps on a graph, given as gtrav's words; settings: gtrav, csv, extra. Of each that failed,
    `failed` gets the label and why. Whether the user cut it off."""
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    for step in steps:
        words = [*step.words, "--csv", str(settings.csv / step.folder), *quiet, *settings.extra]
        began = time.monotonic()
        code, reason = run_and_listen([settings.gtrav, "--graph", *graph, *words], log)
        if code == INTERRUPTED:
            tell(f"interrupted in {name}: {step.label}; the same command goes on from there")
            return True
        ending = f", FAILED with status {code}" if code else ""
        tell(f"{name}: {step.label}: {time.monotonic() - began:.1f} s{ending}")
        if code:
            failed.append((step.label, reason))
    return False


# ---- the command line ----


def numbers(text):
    found = [int(word) for word in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def add_options_of_parts(parser, parts, mode):
    """Of a script that measures parts, on graphs of lists of their own."""
    parser.add_argument("part", nargs="*", help=f"{', '.join(parts)} (default: all)")
    parser.add_argument("--list", type=Path, help="dataset list of the graphs, for all parts")
    parser.add_argument("--graph", action="append", help="this graph instead of a list's; repeatable")
    status.add_options_of_graphs(parser, f"results/{mode}")
    parser.add_argument(
        "--small", action="store_true", help="small graphs, and the emulator for want of a GPU"
    )


def parse_parts(parser, parts):
    """Its command line; a part that is none is an error."""
    arguments = status.parse_measuring(parser)
    unknown = [part for part in arguments.part if part not in parts]
    if unknown:
        parser.error(f"not a part: {unknown[0]}; parts: {', '.join(parts)}")
    return arguments


def main():
    parser = new_parser(__doc__)
    add_options_of_parts(parser, PARTS, "run_msbfs")
    parser.add_argument("--sources", type=numbers, metavar="N[,N...]", help="of batches (default: 256,64)")
    parser.add_argument(
        "--pairs", type=numbers, metavar="N[,N...]", help="of pairs (default: 1,10,...,65536)"
    )
    parser.add_argument(
        "--gpus",
        type=numbers,
        metavar="N[,N...]",
        help="closeness on so many GPUs, one number after the other",
    )
    parser.add_argument("--device", choices=("gpu", "cpu"), help="only algorithms of it (default: both)")
    arguments = parse_parts(parser, PARTS)
    if (
        arguments.small
    ):  # no times matter, and on cores that others use too threads that spin wait for whole slices
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if any(word.startswith("--source") for word in arguments.extra):
        parser.error("the parts have sources of their own; how many, --sources and --pairs before -- say")

    parts = arguments.part or list(PARTS)
    chosen = {part: choose_graphs(arguments, part)[arguments.share or slice(None)] for part in parts}
    plan = [(part, *graph) for part in parts for graph in chosen[part]]
    states = status.Status(arguments.status)
    if arguments.plan:
        states.plan((name, part) for part, name, _ in plan)
        return 0
    campaign = Campaign(arguments)
    for line in campaign.skipped(dict.fromkeys(name for part in parts for name in RUN_BY[part])):
        say(line)
    failures, interrupted = run_steps(campaign, plan, states)
    return conclude(failures, interrupted, say)
