"""Searches from many sources at once.

  batches    256 and 64 sources, by every way to search from many at once, and one by one: Blest's tables 6 and 8
             (Elbek and Kaya 2026)
  closeness  of every vertex, exact: Blest's table 3, on each number of GPUs that --gpus names
  pairs      lengths of paths between 1 to 65,536 random pairs: figures 5.1, 5.4, 5.7, 5.16 and 5.17 of the thesis on
             IBFS (Dreef 2025). By IBFS's schemes, at their best and as in the thesis, by CUDA and by WebGPU, and by
             others; on one graph with other settings, too. --program adds a program of others. All repeats of a
             variant together have a time limit, 60 seconds; if the first repeat takes longer, the records say so

Each part has its own list of graphs in dataset/. Records go to DIR/<part>-<sources or GPUs>/<device>/.
"""

import argparse
import os
import random
import re
import subprocess
from functools import partial
from pathlib import Path

from evaluation.analyses.msbfs import ABLATION, FULL, OWN, PAIRED, SCHEMES, SINGLE, WEBGPU
from evaluation.campaigns import pair_programs, runs
from evaluation.campaigns.gtrav import ask, devices_of, known_algorithms
from evaluation.campaigns.loop import Campaign
from evaluation.campaigns.runs import Run
from evaluation.command import EvaluationError
from evaluation.failures import TIME_LIMIT, read_failures
from evaluation.files import write_atomically
from evaluation.records import FAILED, read_pairs_records, read_records, settings_of

LISTS = {"batches": "msbfs_list.csv", "closeness": "closeness_list.csv", "pairs": "snb_list.csv"}

BATCHES = (*ABLATION, *OWN, *SINGLE, "msbfs then")
SOURCES = (256, 64)
READERS = {"perf": read_records, "pairs": read_pairs_records}

# The first that can run here, of each device.
CLOSENESS = ("msbfs auto", "msbfs bitparallel", "msbfs pbfs", "msbfs serial")

PAIRS = (1, 10, 100, 1000, 2048, 4096, 8192, 16384, 32768, 65536)  # as in the thesis
REPEATS = 5
PAIRS_SECONDS = 60  # limit of a variant for all pairs once, and for its repeats
LIMIT = re.compile(r"time limit of (\d+) s")
AS_IN_THESIS = "mode=paper"
# Settings that the thesis discusses (4.2.4, figure 4.2, 4.3.2, 4.3.3.1), one at a time, for one number of pairs.
SETTINGS_GRAPH, SETTINGS_PAIRS, SETTINGS_FOLDER = "snb:30", 4096, "pairs-settings"
SETTINGS = (
    *(("ibfs-workgroup", f"edge-threads={y}", "instances=1", "block-size=32") for y in (1, 2, 4, 8, 16, 32)),
    *(("ibfs-workgroup", f"instances={instances}") for instances in (1, 2, 4)),
    *(("ibfs-bottomup", f"check-every={iterations}") for iterations in (1, 2, 4)),
    *(("ibfs-bottomup", f"bottom-up-percent={percent}") for percent in (5, 50, 83)),
)
VERIFIED_ALL = 1e9  # pairs times edges up to which every length is checked
SEED = 27491095  # the seed of the GAP benchmark

# Without a GPU: graphs for the emulator, whose times are no GPU times.
SMALL_GRAPHS = {"batches": ("kron:7", "grid:9x9"), "closeness": ("kron:7", "grid:9x9"), "pairs": ("kron:6", "kron:8")}
SMALL_SOURCES = (64, 32)
SMALL_PAIRS = (1, 100, 1000)


def numbers(text):
    """Reads "N,N,..."."""
    found = [int(word) for word in text.split(",")]
    if min(found) < 1:
        raise argparse.ArgumentTypeError(f"{text}: the numbers are at least 1")
    return found


def named_program(text):
    """Reads NAME=FILE."""
    name, _, file = text.partition("=")
    if not re.fullmatch(r"[\w.-]+", name) or not Path(file).is_file():
        raise argparse.ArgumentTypeError(f"{text}: not NAME=FILE with the file of a program")
    return name, file


def add_options(parser):
    runs.add_options_of_parts(parser, PARTS)
    add = parser.add_argument
    several = {"type": numbers, "metavar": "N[,N...]"}
    add("--sources", **several, help="of batches (default: 256,64)")
    add("--pairs", **several, help="of pairs (default: 1,10,...,65536)")
    add("--repeats", type=int, default=REPEATS, metavar="R", help="of pairs (default: 5)")
    other = {"type": named_program, "metavar": "NAME=FILE", "action": "append", "default": []}
    add("--program", **other, help="of pairs: a program with the interface of pair_programs.py; repeatable")
    add("--gpus", **several, default=[None], help="of closeness: each number of GPUs in turn")
    add("--device", choices=("gpu", "cpu", "webgpu"), help="only algorithms of this device (default: all)")


class Here:
    """The settings, and what this gtrav can run on this machine."""

    def __init__(self, settings):
        self.__dict__.update(vars(settings))
        self.sources = settings.sources or (SMALL_SOURCES if self.small else SOURCES)
        self.pairs = settings.pairs or (SMALL_PAIRS if self.small else PAIRS)
        self.pairs_seconds = settings.time_limit or PAIRS_SECONDS
        self.repeats = 1 if self.small else settings.repeats
        reported = subprocess.run([self.gtrav, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.build = "".join(re.findall("^build (.*)", reported, re.MULTILINE))  # as records have it
        self.known = {f"{a['family']} {a['variant']}": a for a in known_algorithms(self.gtrav)}
        wanted = [a for a in self.known.values() if settings.device in (None, a["device"])]
        self.devices = devices_of(wanted, self.small)
        for name, _ in self.program:
            if f"msbfs {name}" in self.known:
                raise EvaluationError(f"--program {name}: gtrav has a variant of this name; choose another")

    def left_out(self, names):
        absent = [name for name in names if name not in self.known]
        unable = [name for name in names if name in self.known and name not in self.devices]
        return runs.left_out({"not in this gtrav": absent, "they do not run here": unable})

    def groups(self, names):
        """Yields ("FAMILY VARIANTS", words for gtrav) for the variants that one command can run together."""
        found = {}
        for name in (name for name in names if name in self.devices):
            family, variant = name.split(" ")
            found.setdefault((family, self.devices[name]), []).append(variant)
        for (family, device), variants in found.items():
            together = ",".join(variants)
            yield f"{family} {together}", ["--algo", family, "--variant", together, "--device", device]

    def recorded(self, folder, file, ending, matches):
        """Whether the records have a row of this build that matches, and --fresh was not given."""
        return "--fresh" not in self.extra and any(
            row.get("build") == self.build and row["verified"] != FAILED and matches(row)
            for path in (self.csv / folder).glob(f"*/{file}_{ending}.csv")
            for row in READERS[ending](path)
        )


# ---- the parts: each yields the runs on a graph ----


def batches(here, graph):
    for sources in here.sources:
        once = () if sources == max(here.sources) else [name for name in ABLATION if name != FULL]
        for names, words in here.groups(name for name in BATCHES if name not in once):
            yield Run(f"{sources} sources, {names}", f"batches-{sources}", [*words, "--sources", str(sources)])
    for names, words in here.groups(ABLATION):  # table VI of Blest
        label, sources = f"{max(here.sources)} sources, {names}, as in the paper", str(max(here.sources))
        yield Run(label, f"batches-{sources}", [*words, "--set", "mode=paper", "--sources", sources])


def closeness(here, graph):
    path = Path(graph)
    name = path.stem if path.suffix in (".gtrav", ".mtx") else graph  # as records have it

    def is_exact(row):
        return row["graph"] == name and row["sources"] == row["vertices"]

    able = [by for by in CLOSENESS if by in here.devices and "farness" in here.known[by]["on_request"]]
    on_gpu = [by for by in able if here.devices[by] != "cpu"][:1]
    on_cpu = [by for by in able if here.devices[by] == "cpu"][:1]
    # A CPU takes hours for the work of a GPU's minute.
    for by in on_gpu + on_cpu if here.small else on_gpu or on_cpu:
        variant = by.split(" ")[1]
        for gpus in here.gpus:
            folder = f"closeness-{gpus or 1}"
            if here.recorded(folder, f"closeness_{variant}", "perf", is_exact):
                continue
            words = ["--algo", "closeness", "--variant", variant, "--device", here.devices[by]]
            state = here.csv / folder / f"{name.replace('/', '_')}.checkpoint"
            state.parent.mkdir(parents=True, exist_ok=True)
            on = ["--gpus", str(gpus)] if gpus else []
            label = f"closeness by {by}{f' on {gpus} GPUs' if gpus else ''}"
            yield Run(label, folder, [*words, "--checkpoint", str(state), *on])


def pairs(here, graph):
    """Every algorithm on every number of pairs."""
    (facts,) = ask(here.gtrav, "--info", "--graph", graph, "--json", "--quiet")
    of_thesis = () if here.small else (*SCHEMES, *WEBGPU)
    for count in here.pairs:
        for names, settings in ((PAIRED, ()), (of_thesis, (AS_IN_THESIS,))):
            wanted = [name for name in names if not has_lengths(here, "pairs", name, facts, count, settings)]
            for names, words in here.groups(wanted):
                label = " ".join((f"{count} pairs, {names}", *settings))
                yield Run(label, "pairs", [*words, *words_of_pairs(here, names, facts, count, settings)])
    if facts["name"] == SETTINGS_GRAPH and not here.small:
        yield from other_settings(here, facts)


def other_settings(here, facts):
    for variant, *others in SETTINGS:
        name, settings, count = f"msbfs {variant}", (AS_IN_THESIS, *others), SETTINGS_PAIRS
        if has_lengths(here, SETTINGS_FOLDER, name, facts, count, settings):
            continue
        for names, words in here.groups([name]):
            more = words_of_pairs(here, names, facts, count, settings)
            yield Run(f"{names} {' '.join(others)}", SETTINGS_FOLDER, [*words, *more])


def words_of_pairs(here, names, facts, count, settings):
    """The words for gtrav beside the algorithms."""
    path = write_pairs(here.csv / "pairs" / "asked", facts, count)
    checked = ["--verify", "all" if count * facts["edges"] <= VERIFIED_ALL else "first"]
    unread = here.csv / "pairs" / "lengths.csv"  # else gtrav prints the lengths of a single variant
    return [
        *("--pairs", str(path), "--repeats", str(here.repeats), "--time-limit", str(here.pairs_seconds)),
        *(word for setting in settings for word in ("--set", setting)),
        *([] if "--verify" in here.extra else checked),
        *([] if "," in names else ["--output", str(unread)]),
    ]


def has_lengths(here, folder, name, facts, count, settings):
    """Whether the records have these lengths, or say that they took longer than a limit no shorter than this one."""
    wanted = {"mode": "best", **dict(setting.split("=") for setting in settings)}

    def matches(row):
        known = {"mode": "best", **settings_of(row.get("options") or "")}
        same = all(known.get(option) == value for option, value in wanted.items())
        return (row["graph"], row["pairs"]) == (facts["name"], str(count)) and same

    def took_too_long(row):
        limit = LIMIT.search(row["message"])
        return row["reason"] == TIME_LIMIT and limit and int(limit[1]) >= here.pairs_seconds

    return here.recorded(folder, name.replace(" ", "_"), "pairs", matches) or (
        "--fresh" not in here.extra
        and any(
            took_too_long(row) and f"{row['family']} {row['variant']}" == name and matches(row)
            for path in (here.csv / folder).glob("*/failures.csv")
            for row in read_failures(path)
        )
    )


def write_pairs(folder, facts, count):
    """Writes the first pairs of a graph, the same on every machine. Returns the file."""
    name, vertices = facts["name"], facts["vertices"]
    path = folder / f"{name.replace('/', '_')}-{count}.csv"
    chance = random.Random(f"{SEED} {name}")
    lines = [f"{chance.randrange(vertices)},{chance.randrange(vertices)}" for _ in range(count)]
    what = f"{count} pairs of the {vertices} vertices of {name}, uniform, seed '{SEED} {name}'"
    write_atomically(path, "\n".join([f"# {what}; scripts/measure.py msbfs", "src,dst", *lines, ""]))
    return path


def run_programs(here, entry, graph, number):
    """Runs the programs of --program on a graph."""
    known = graph or runs.graph_of(entry, here)
    with runs.generated_once():
        (facts,) = ask(here.gtrav, "--info", "--graph", known, "--json", "--quiet")
        files = [write_pairs(here.csv / "pairs" / "asked", facts, count) for count in here.pairs]
        return pair_programs.run_graph(here, known, files, number)


PARTS = {"batches": batches, "closeness": closeness, "pairs": pairs}
RUN_BY = {"batches": BATCHES, "closeness": CLOSENESS, "pairs": PAIRED}


def campaign(settings):
    if runs.has_sources(settings):
        raise EvaluationError("the parts have their own sources; --sources and --pairs before -- set their numbers")
    if settings.small:  # times do not matter: keep idle threads of the emulator from spinning
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    chosen, here = settings.part or list(PARTS), Here(settings)
    steps = {}
    for part in chosen:
        for entry, graph in runs.choose_graphs(settings, LISTS[part], SMALL_GRAPHS[part]):
            step = partial(runs.run_part, settings, entry, graph, partial(PARTS[part], here))
            steps[entry.named(graph), part] = step
            if part == "pairs" and here.program:
                steps[entry.named(graph), "programs"] = partial(run_programs, here, entry, graph)
    return Campaign(steps, here.left_out(dict.fromkeys(name for part in chosen for name in RUN_BY[part])))
