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

import math
import os
import random
import subprocess
from pathlib import Path

from evaluation.analyses.msbfs import ABLATION, FULL, OWN, PAIRED, READERS, SINGLE
from evaluation.campaigns import campaign
from evaluation.campaigns.gtrav import ask, devices_of, known_algorithms
from evaluation.campaigns.parts import Run, add_options, choose_graphs, parse, runner
from evaluation.command import new_parser, say
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


def build_of(gtrav):
    """The build that gtrav writes to its records; "": it tells none."""
    told = subprocess.run([gtrav, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next((line.removeprefix("build ") for line in told.splitlines() if line.startswith("build ")), "")


class Here:
    """What is asked for, and what this gtrav can run on this machine."""

    def __init__(self, arguments):
        self.gtrav, self.csv, self.extra = arguments.gtrav, arguments.csv, arguments.extra
        self.small, self.gpus = arguments.small, arguments.gpus
        self.sources = arguments.sources or (SMALL_SOURCES if self.small else SOURCES)
        self.pairs = arguments.pairs or (SMALL_PAIRS if self.small else PAIRS)
        self.build = build_of(self.gtrav)
        self.known = {f"{a['family']} {a['variant']}": a for a in known_algorithms(self.gtrav)}
        wanted = [a for a in self.known.values() if arguments.device in (None, a["device"])]
        self.devices = devices_of(wanted, self.small)

    def tell_left_out(self, names):
        absent = [name for name in names if name not in self.known]
        unable = [name for name in names if name in self.known and name not in self.devices]
        for why, some in (("not in this gtrav", absent), ("they do not run here", unable)):
            if some:
                say(f"left out, {why}: {', '.join(some)}")

    def groups(self, names):
        """What one command each can run of these: pairs ("FAMILY VARIANTS", words for gtrav)."""
        found = {}
        for name in (name for name in names if name in self.devices):
            family, variant = name.split(" ")
            found.setdefault((family, self.devices[name]), []).append(variant)
        for (family, device), variants in found.items():
            together = ",".join(variants)
            yield f"{family} {together}", ["--algo", family, "--variant", together, "--device", device]

    def recorded(self, folder, file, ending, matches):
        """Whether a row of this build that matches is there, and not to be measured anew."""
        return "--fresh" not in self.extra and any(
            row.get("build") == self.build and row["verified"] != FAILED and matches(row)
            for path in (self.csv / folder).glob(f"*/{file}_{ending}.csv")
            for row in READERS[ending](path)
        )


def batches(here, graph):
    for sources in here.sources:
        once = () if sources == max(here.sources) else [name for name in ABLATION if name != FULL]
        for names, words in here.groups(name for name in BATCHES if name not in once):
            label = f"{sources} sources, {names}"
            yield Run(label, f"batches-{sources}", [*words, "--sources", str(sources)])


def closeness(here, graph):
    path = Path(graph)
    name = path.stem if path.suffix in (".gtrav", ".mtx") else graph  # as records have it

    def is_exact_of(row):
        return row["graph"] == name and row["sources"] == row["vertices"]

    able = [by for by in CLOSENESS if by in here.devices and "far" in here.known[by]["on_request"]]
    on_gpu = [by for by in able if here.devices[by] != "cpu"][:1]
    on_cpu = [by for by in able if here.devices[by] == "cpu"][:1]
    # What takes a GPU a minute takes a CPU hours.
    for by in on_gpu + on_cpu if here.small else on_gpu or on_cpu:
        variant = by.split(" ")[1]
        for gpus in here.gpus:
            folder = f"closeness-{gpus or 1}"
            if here.recorded(folder, f"closeness_{variant}", "perf", is_exact_of):
                continue
            words = ["--algo", "closeness", "--variant", variant, "--device", here.devices[by]]
            state = here.csv / folder / f"{name.replace('/', '_')}.checkpoint"
            state.parent.mkdir(parents=True, exist_ok=True)
            on = ["--gpus", str(gpus)] if gpus else []
            label = f"closeness by {by}{f' on {gpus} GPUs' if gpus else ''}"
            yield Run(label, folder, [*words, "--checkpoint", str(state), *on])


def pairs(here, graph):
    (facts,) = ask(here.gtrav, "--info", "--graph", graph, "--json", "--quiet")
    told = here.csv / "pairs" / "lengths.csv"  # which a single variant tells, too; nobody reads them here
    for count in here.pairs:
        work = count * facts["edges"]
        checked = ["--verify", "all" if work <= VERIFIED_ALL else "first"]
        checked = [] if "--verify" in here.extra else checked
        affordable = [name for name in PAIRED if work <= MOST_WORK.get(name, math.inf)]
        wanted = [name for name in affordable if not has_lengths(here, name, facts["name"], count)]
        for names, words in here.groups(wanted):
            path = write_pairs(here.csv / "pairs" / "asked", facts, count)
            output = [] if "," in names else ["--output", str(told)]
            label = f"{count} pairs, {names}"
            yield Run(label, "pairs", [*words, "--pairs", str(path), *checked, *output])


def has_lengths(here, name, graph, count):
    asked, file = (graph, str(count)), name.replace(" ", "_")
    return here.recorded("pairs", file, "pairs", lambda row: (row["graph"], row["pairs"]) == asked)


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


# ---- the command line ----


def numbers(text):
    found = [int(word) for word in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def main():
    parser = new_parser(__doc__)
    add_options(parser, PARTS, "run_msbfs")
    add = parser.add_argument
    several = {"type": numbers, "metavar": "N[,N...]"}
    add("--sources", **several, help="of batches (default: 256,64)")
    add("--pairs", **several, help="of pairs (default: 1,10,...,65536)")
    add("--gpus", **several, default=[None], help="closeness on so many GPUs, one number after the other")
    add("--device", choices=("gpu", "cpu"), help="only algorithms of it (default: both)")
    arguments = parse(parser, PARTS)
    if arguments.small:  # no times matter, and threads that spin would take whole slices from others
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if any(word.startswith("--source") for word in arguments.extra):
        parser.error("the parts have sources of their own; how many, --sources and --pairs before -- say")

    steps = {}
    for part in arguments.part:
        for entry, graph in choose_graphs(arguments, LISTS[part], SMALL_GRAPHS[part]):
            steps[entry.name, part] = (part, entry, graph)
    if arguments.plan:
        return campaign.name_steps(arguments, steps)
    here = Here(arguments)
    here.tell_left_out(dict.fromkeys(name for part in arguments.part for name in RUN_BY[part]))
    run = runner(arguments, lambda part, entry, graph: PARTS[part](here, graph))
    return campaign.carry_out(arguments, steps, run)
