"""Measures searches from many sources.

  batches    256 and 64 searches, by every way to search many at once, and one after the other: Blest's tables
             6 and 8 (Elbek and Kaya 2026)
  closeness  of every vertex, exact: Blest's table 3, on as many GPUs as --gpus names
  pairs      lengths between 1 to 65,536 random pairs, by IBFS's schemes, as they are and as in its thesis
             (Dreef 2025), by CUDA and by WebGPU, and by others: figures 5.1, 5.4, 5.7, 5.16 and 5.17; on one
             graph with other settings. msbfs auto on the GPU, where the whole call takes the least time, and
             where a warm one does. All repeats of a variant end at the time limit (60 seconds); that is on
             record if the first one takes so long

Each part has graphs of its own, a list in dataset/; --list gives all parts another, --graph names graphs.
Records go to DIR/<part>-<sources or GPUs>/<device>/. A run that fails does not stop the rest, and what is
measured is not measured again. Words after -- are given to gtrav as they are.

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import os
import random
import re
import subprocess
from pathlib import Path

from evaluation.analyses.msbfs import ABLATION, FULL, OWN, PAIRED, READERS, SCHEMES, SINGLE, WEBGPU
from evaluation.campaigns import campaign
from evaluation.campaigns.gtrav import ask, devices_of, known_algorithms
from evaluation.campaigns.parts import Run, add_options, choose_graphs, parse, runner
from evaluation.command import new_parser
from evaluation.failures import TIME_LIMIT, read_failures
from evaluation.files import write_atomically
from evaluation.records import FAILED, settings_of

LISTS = {"batches": "msbfs_list.csv", "closeness": "closeness_list.csv", "pairs": "snb_list.csv"}

BATCHES = (*ABLATION, *OWN, *SINGLE, "msbfs then")
SOURCES = (256, 64)

# The first that can run here, of either device.
CLOSENESS = ("msbfs auto", "msbfs bitparallel", "msbfs pbfs", "msbfs serial")

PAIRS = (1, 10, 100, 1000, 2048, 4096, 8192, 16384, 32768, 65536)  # the thesis's
REPEATS = 5
PAIRS_SECONDS = 60  # the limit of a variant for all pairs once, and for its repeats
LIMIT = re.compile(r"time limit of (\d+) s")
AS_IN_THESIS = "mode=paper"
# Settings that the thesis speaks of (4.2.4, figure 4.2, 4.3.2, 4.3.3.1), one at a time, of so many pairs.
SETTINGS_GRAPH, SETTINGS_PAIRS, SETTINGS_FOLDER = "snb:30", 4096, "pairs-settings"
SETTINGS = (
    *(("ibfs-workgroup", f"edge-threads={y}", "instances=1", "block-size=32") for y in (1, 2, 4, 8, 16, 32)),
    *(("ibfs-workgroup", f"instances={instances}") for instances in (1, 2, 4)),
    *(("ibfs-bottomup", f"check-every={iterations}") for iterations in (1, 2, 4)),
    *(("ibfs-bottomup", f"bottom-up-percent={percent}") for percent in (5, 50, 83)),
)
VERIFIED_ALL = 1e9  # pairs times edges up to which every length is checked
SEED = 27491095  # GAP's

# Where there is no GPU: graphs for the emulator, whose times are no GPU times.
SMALL_GRAPHS = {"batches": ("kron:7", "grid:9x9"), "closeness": ("kron:7", "grid:9x9"), "pairs": ("kron:6", "kron:8")}
SMALL_SOURCES = (64, 32)
SMALL_PAIRS = (1, 100, 1000)


# ---- what to run ----


def build_of(gtrav):
    """The build that gtrav writes to its records; "": it tells none."""
    reported = subprocess.run([gtrav, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next((line.removeprefix("build ") for line in reported.splitlines() if line.startswith("build ")), "")


class Here:
    """What is asked for, and what this gtrav can run on this machine."""

    def __init__(self, arguments):
        self.gtrav, self.csv, self.extra = arguments.gtrav, arguments.csv, arguments.extra
        self.small, self.gpus = arguments.small, arguments.gpus
        self.sources = arguments.sources or (SMALL_SOURCES if self.small else SOURCES)
        self.pairs = arguments.pairs or (SMALL_PAIRS if self.small else PAIRS)
        self.pairs_seconds = arguments.time_limit or PAIRS_SECONDS
        self.repeats = 1 if self.small else arguments.repeats
        self.build = build_of(self.gtrav)
        self.known = {f"{a['family']} {a['variant']}": a for a in known_algorithms(self.gtrav)}
        wanted = [a for a in self.known.values() if arguments.device in (None, a["device"])]
        self.devices = devices_of(wanted, self.small)

    def report_left_out(self, names):
        absent = [name for name in names if name not in self.known]
        unable = [name for name in names if name in self.known and name not in self.devices]
        campaign.report_left_out({"not in this gtrav": absent, "they do not run here": unable})

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
    for names, words in here.groups(ABLATION):  # table VI of Blest, whose claims are tested on it
        label, sources = f"{max(here.sources)} sources, {names}, as in the paper", str(max(here.sources))
        yield Run(label, f"batches-{sources}", [*words, "--set", "mode=paper", "--sources", sources])


def closeness(here, graph):
    path = Path(graph)
    name = path.stem if path.suffix in (".gtrav", ".mtx") else graph  # as records have it

    def is_exact_of(row):
        return row["graph"] == name and row["sources"] == row["vertices"]

    able = [by for by in CLOSENESS if by in here.devices and "farness" in here.known[by]["on_request"]]
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
    """Every algorithm on every number of pairs; what takes too long ends at the limit, which is on record."""
    (facts,) = ask(here.gtrav, "--info", "--graph", graph, "--json", "--quiet")
    for count in here.pairs:
        for names, settings in (
            (PAIRED, ()),
            ([name for name in (*SCHEMES, *WEBGPU) if not here.small], (AS_IN_THESIS,)),
        ):
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
    """What gtrav is told beside the algorithms."""
    path = write_pairs(here.csv / "pairs" / "asked", facts, count)
    checked = ["--verify", "all" if count * facts["edges"] <= VERIFIED_ALL else "first"]
    reported = here.csv / "pairs" / "lengths.csv"  # which a single variant tells, too; nobody reads them here
    return [
        *("--pairs", str(path), "--repeats", str(here.repeats), "--time-limit", str(here.pairs_seconds)),
        *(word for setting in settings for word in ("--set", setting)),
        *([] if "--verify" in here.extra else checked),
        *([] if "," in names else ["--output", str(reported)]),
    ]


def has_lengths(here, folder, name, facts, count, settings):
    """Whether there is a record, or one of a time limit that was no shorter."""
    wanted = {"mode": "best", **dict(setting.split("=") for setting in settings)}

    def is_asked(row):
        known = {"mode": "best", **settings_of(row.get("options") or "")}
        same = all(known.get(option) == value for option, value in wanted.items())
        return (row["graph"], row["pairs"]) == (facts["name"], str(count)) and same

    def took_too_long(row):
        limit = LIMIT.search(row["message"])
        return row["reason"] == TIME_LIMIT and limit and int(limit[1]) >= here.pairs_seconds

    return here.recorded(folder, name.replace(" ", "_"), "pairs", is_asked) or (
        "--fresh" not in here.extra
        and any(
            took_too_long(row) and f"{row['family']} {row['variant']}" == name and is_asked(row)
            for path in (here.csv / folder).glob("*/failures.csv")
            for row in read_failures(path)
        )
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
    add("--repeats", type=int, default=REPEATS, metavar="R", help="of pairs (default: 5)")
    add("--gpus", **several, default=[None], help="closeness on so many GPUs, one number after the other")
    add("--device", choices=("gpu", "cpu", "webgpu"), help="only algorithms of it (default: all)")
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
    here.report_left_out(dict.fromkeys(name for part in arguments.part for name in RUN_BY[part]))
    run = runner(arguments, lambda part, entry, graph: PARTS[part](here, graph))
    return campaign.carry_out(arguments, steps, run)
