"""Measures XBFS, its parts and its rivals; what tables and figures make of the records stands here too.

  times    XBFS with and without its parts, Enterprise, and other BFS: table 2, figures 11 and 14
  levels   every level of some of these, traced: figures 10, 12, 13 and 15
  work     how many edges bottom-up frontiers have, and how many they look at: figure 9
  enqueue  the two ways to fill a queue, by themselves (build/bench/enqueue): figure 5

Numbers of tables and figures are those of the paper (Gaihre et al., HPDC 2019). As there, arcs of a
directed graph get their reverse. Records go to DIR/xbfs-<part>/<device>/. A run that fails does not stop the
rest, and what is measured is not measured again. Words after -- are given to gtrav as they are.

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import argparse
import csv
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.analyses.blest import ratio, with_means
from evaluation.campaigns import status
from evaluation.campaigns.experiments import LOG, conclude, known_algorithms
from evaluation.campaigns.msbfs import Step, add_options_of_parts, find_graph, parse_parts, run_each
from evaluation.command import say
from evaluation.methods import at_one_place, gpu_of
from evaluation.records import (
    EMULATOR,
    FAILED,
    RecordsError,
    kind_of,
    read_records,
    with_usual_threads,
    write_atomically,
)

# What is measured: a variant, and those of its options that tell it from the others.
ENTERPRISE, AD, STATIC, THREAD, WARP, DONATE, FULL = (
    *("Enterprise", "Ad", "Ad + static", "Ad + thread", "Ad + warp", "Ad + donate"),
    "Ad + WB + Async",
)
SYNC, DEFAULT = {"async": "0"}, {"balance": "donate", "async": "1"}
CONFIGURATIONS = {
    ENTERPRISE: ("enterprise", {}),
    AD: ("xbfs", {"queue": "adaptive", "balance": "degree", **SYNC}),
    STATIC: ("xbfs", {"queue": "adaptive", "balance": "static", **SYNC}),
    THREAD: ("xbfs", {"queue": "adaptive", "balance": "thread", **SYNC}),
    WARP: ("xbfs", {"queue": "adaptive", "balance": "warp", **SYNC}),
    DONATE: ("xbfs", {"queue": "adaptive", "balance": "donate", **SYNC}),
    FULL: ("xbfs", {"queue": "adaptive", **DEFAULT}),
    "scan-free": ("xbfs", {"queue": "scan-free", **DEFAULT}),
    "single-scan": ("xbfs", {"queue": "single-scan", **DEFAULT}),
    "double-scan": ("xbfs", {"queue": "double-scan", **DEFAULT}),
}
WB = DONATE  # figure 11's, and what FULL adds to; in the paper warp-centric, which there is the fastest
ABLATION = {ENTERPRISE: ENTERPRISE, AD: "Ad", WB: "Ad + WB", FULL: "Ad + WB + Async"}
BALANCES = (STATIC, THREAD, WARP, DONATE)
RIVALS = ("gap", "queue", "bitmap", "warp", "blest", "stream", "auto")
TRACED = (ENTERPRISE, AD, WB, FULL)
GENERATIONS = ("scan-free", "single-scan", "none", "double-scan")
LONG_NEVER = "long-above=67108864"  # what a frontier looks at is its thread's own work, as in the paper

# Figures of the paper: geometric or plain means as it has them.
PAPER_SPEEDUPS = {ENTERPRISE: 1.0, AD: 2.3, WB: 3.1, FULL: 3.5}
PAPER_BALANCES = {STATIC: 1.4, THREAD: 1.6, WARP: 1.6}
PAPER_CONTRIBUTIONS = {"scan-free": 0.18, "single-scan": 0.157, "none": 0.114, "double-scan": 0.549}

MILLION = 10**6
SIZES = tuple(MILLION * 2**i for i in range(10))  # figure 5
SMALL_SIZES = tuple(1000 * 2**i for i in range(4))
SMALL_GRAPHS = ("kron:9", "urand:8", "grid:9x9")
SMALL_WORDS = ("--sources", "3")
PARTS = ("times", "levels", "work", "enqueue")


# ---- what to run ----


def settings(configuration):
    _, options = CONFIGURATIONS[configuration]
    return [word for name, value in options.items() for word in ("--set", f"{name}={value}")]


def steps_of(part, variants, few):
    """What a part runs on a graph; variants: {variant of bfs: the device to run it on}; few: more words."""

    def step(label, names, device, *words):
        algorithm = ["--algo", "bfs", "--variant", ",".join(names), "--device", device]
        return Step(f"{part}, {label}", f"xbfs-{part}", [*algorithm, *words, *few])

    wanted = {"times": CONFIGURATIONS, "levels": TRACED, "work": (WARP,)}[part]
    trace = {"times": (), "levels": ("--set", "trace=1"), "work": ("--set", "trace=2", "--set", LONG_NEVER)}
    for name in wanted:
        variant, _ = CONFIGURATIONS[name]
        if variant in variants:
            yield step(name, [variant], variants[variant], *settings(name), *trace[part])
    if part == "times":
        for device in dict.fromkeys(variants.values()):
            rivals = [name for name in RIVALS if variants.get(name) == device]
            if rivals:
                yield step(",".join(rivals), rivals, device)


def devices_of(arguments):
    """{variant of bfs: where it can run}; where there is no GPU, small graphs run in the emulator."""
    found = [entry for entry in known_algorithms(arguments.gtrav) if entry["family"] == "bfs"]
    return {
        entry["variant"]: entry["device"] if entry["available"] else "cpu-emulator"
        for entry in found
        if entry["available"] or (arguments.small and entry["emulated"])
    }


def choose_graphs(arguments):
    """(name, what to give to --graph or None, more words) of the graphs, each once."""
    if arguments.graph:
        return [(graph, find_graph(arguments.graphs, graph), []) for graph in arguments.graph]
    if arguments.small and not arguments.list:
        return [(graph, graph, []) for graph in SMALL_GRAPHS]
    chosen = {}
    for entry in dataset.read_list(arguments.list or dataset.ROOT / "dataset" / "xbfs_list.csv"):
        graph = entry.graph(arguments.graphs, arguments.stand_ins)
        one_way = graph == str(entry.file(arguments.graphs)) and "undirected" not in entry.kind
        words = ["--undirected"] if one_way else []
        found = (entry.name, graph and find_graph(arguments.graphs, graph), words)
        chosen.setdefault(graph or entry.name, found)
    return list(chosen.values())


def run_steps(arguments, plan, states):
    """Runs the parts on their graphs; what failed, as lines, and whether the user cut it off."""
    failures, variants = [], devices_of(arguments)
    with open(arguments.csv / LOG, "a", encoding="utf-8") as log:
        for part, name, graph, more in plan:
            began = time.monotonic()
            if graph is None:
                reasons = ["no such graph here; scripts/download_graphs.py gets it"]
            else:
                reasons, interrupted = run_part(arguments, part, name, [graph, *more], variants, log)
                if interrupted:
                    return failures, True
            failures += [f"{name}: {reason}" for reason in reasons]
            states.finish((name, part), "; ".join(reasons), time.monotonic() - began)
    return failures, False


def run_part(arguments, part, name, graph, variants, log):
    """One part on one graph: why something failed, and whether the user cut it off."""
    asked = any(word.startswith("--source") for word in arguments.extra)
    few = SMALL_WORDS if arguments.small and not asked else ()
    failed = []
    interrupted = run_each(arguments, name, graph, steps_of(part, variants, few), log, failed, say)
    return [f"{label}: {reason}" for label, reason in failed], interrupted


def enqueue_program(arguments):
    return Path(arguments.gtrav).parent / "bench" / "enqueue"


def why_no_enqueue(arguments):
    """Why figure 5 cannot be measured here; empty: it can."""
    if "xbfs" not in devices_of(arguments):
        return "no GPU"
    program = enqueue_program(arguments)
    return "" if program.is_file() else f"no {program}"


def run_enqueue(arguments):
    """Figure 5's measurements, if they are not there; what failed, as lines."""
    if list(arguments.csv.glob("xbfs-enqueue/*/enqueue.csv")) and "--fresh" not in arguments.extra:
        return []
    program, device = enqueue_program(arguments), devices_of(arguments)["xbfs"]
    sizes = SIZES if device == "gpu" else SMALL_SIZES
    emulated = [] if device == "gpu" else ["--emulator", "--runs", "1"]
    command = [program, *emulated, *map(str, sizes)]
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        return [f"enqueue: {program} ended with status {result.returncode}"]
    rows = list(csv.DictReader(result.stdout.splitlines()))
    write_atomically(arguments.csv / "xbfs-enqueue" / rows[0]["device"] / "enqueue.csv", result.stdout)
    say(f"the ways to fill a queue: {len(rows)} sizes")
    return []


# ---- records ----


def split(options):
    return dict(pair.partition("=")[::2] for pair in options.split())


def configuration_of(variant, options):
    """The name of what ran with these options; None: none of CONFIGURATIONS."""
    for name, (its_variant, its_options) in CONFIGURATIONS.items():
        if variant == its_variant and its_options.items() <= options.items():
            return name
    return None


class Level(NamedTuple):
    frontier: int  # vertices that it began with
    mode: str
    ms: float
    generation: str
    checked: int  # edges
    early: int  # vertices of the next level that it found


TOP_DOWN, BOTTOM_UP = "top-down", "bottom-up"


class Measured:
    """Everything that was measured, on one GPU and one CPU; small graphs first.

    emulated_counts: without records of a GPU, levels() and work() give the emulator's. Only what they count
    may be shown then, never their times."""

    def __init__(self, results, emulated_counts=False):
        self.results, self.emulated_counts = Path(results), emulated_counts
        rows = [row for path in self._paths("xbfs-times", "bfs_*_perf.csv") for row in read_records(path)]
        rows = [row for row in rows if row["verified"] not in (FAILED, "none")]
        self.gpu = gpu_of(rows)
        self.rows = {}
        for row in sorted(with_usual_threads(at_one_place(rows, self.gpu)), key=lambda row: row["date"]):
            name = configuration_of(row["variant"], split(row["options"])) or row["variant"]
            self.rows[row["graph"], name] = row
        ordered = sorted(self.rows.values(), key=lambda row: (float(row["edges"]), row["graph"]))
        self.graphs = list(dict.fromkeys(row["graph"] for row in ordered))
        self._levels = None

    def _paths(self, part, pattern):
        return sorted(self.results.rglob(f"{part}/*/{pattern}"))

    def ms(self, graph, name):
        row = self.rows.get((graph, name))
        return float(row["mean_kernel_ms"]) if row else None

    def _on_one_gpu(self, found, counts=False):
        """Of pairs of a device and something, those of the GPU that the records are of, or most are of.

        counts: where there is no GPU they may be the emulator's."""
        devices = [device for device, _ in found if kind_of(device) == "GPU"]
        if not devices and counts and self.emulated_counts:
            devices = [device for device, _ in found if device == EMULATOR]
        if not devices:
            return None, []
        best = self.gpu if self.gpu in devices else max(devices, key=devices.count)
        return best, [what for device, what in found if device == best]

    def levels(self):
        """{graph: {configuration: {source: [Level, ...]}}}"""
        if self._levels is None:
            found = [
                (path.parent.parent.name, path) for path in self._paths("xbfs-levels", "traces/bfs_*.csv")
            ]
            self.gpu_of_levels, paths = self._on_one_gpu(found, counts=True)
            self._levels = {}
            for path in paths:
                _, variant, graph = path.stem.split("_", 2)
                for name, sources in read_levels(path, variant).items():
                    self._levels.setdefault(graph, {})[name] = sources
        return self._levels

    def work(self):
        """{graph: {(degree, edges looked at): frontiers}} over all sources, each the least of its class."""
        found = [(path.parent.parent.name, path) for path in self._paths("xbfs-work", "work/bfs_*.csv")]
        self.gpu_of_work, paths = self._on_one_gpu(found, counts=True)
        return {path.stem.split("_", 2)[2]: read_work(path) for path in paths}

    def enqueue(self):
        """{size: (ms by atomics, ms by a prefix sum)}"""
        found = [(path.parent.name, path) for path in self._paths("xbfs-enqueue", "enqueue.csv")]
        self.gpu_of_enqueue, paths = self._on_one_gpu(found)
        rows = [row for path in paths for row in read_csv(path, ("size", "atomic_ms", "prefix_sum_ms"))]
        return {int(row["size"]): (float(row["atomic_ms"]), float(row["prefix_sum_ms"])) for row in rows}


def read_csv(path, numbers):
    """The rows of a file whose columns of these names are numbers."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
        for row in rows:
            for name in numbers:
                float(row[name])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise RecordsError(f"{path}: not what XBFS's {path.parent.name} are written as") from error
    return rows


def read_levels(path, variant):
    """{configuration: {source: [Level, ...]}} of a file of traces; a source's later run stays."""
    found = {}
    for row in read_csv(path, ("level", "frontier", "ms", "checked", "early")):
        name = configuration_of(variant, split(row["options"]))
        if name is None:
            continue
        sources = found.setdefault(name, {})
        if int(row["level"]) == 1:
            sources[row["source"]] = []
        numbers = (int(row["checked"]), int(row["early"]))
        level = Level(int(row["frontier"]), row["mode"], float(row["ms"]), row["generation"], *numbers)
        sources.setdefault(row["source"], []).append(level)
    return found


def read_work(path):
    found = {}
    for row in read_csv(path, ("degree", "checked", "frontiers")):
        classes = int(row["degree"]), int(row["checked"])
        found[classes] = found.get(classes, 0) + int(row["frontiers"])
    return found


# ---- what figures show ----


def speedups(measured, names, baseline):
    """{graph: {configuration: times faster than the baseline}}"""
    table = {}
    for graph in measured.graphs:
        slow = measured.ms(graph, baseline)
        known = {name: ratio(slow, measured.ms(graph, name)) for name in names}
        known = {name: faster for name, faster in known.items() if faster}
        if known:
            table[graph] = known
    return table


def early_share(sources):
    """Figure 10: of the vertices of the level after the first bottom-up one, which that has found already.

    Over all sources; None: there is no such level."""
    early = found = 0
    for levels in sources.values():
        first = next((i for i, level in enumerate(levels) if level.mode == BOTTOM_UP), len(levels))
        if first + 2 < len(levels):
            early += levels[first].early
            found += levels[first + 2].frontier
    return early / found if found else None


def direction_shares(sources):
    """Figure 12: {direction: its share of the time}"""
    total = dict.fromkeys((TOP_DOWN, BOTTOM_UP), 0.0)
    for levels in sources.values():
        for level in levels:
            total[level.mode] += level.ms
    all_ms = sum(total.values())
    return {mode: ms / all_ms for mode, ms in total.items()} if all_ms else None


def contributions(before, after):
    """Figure 13: {generation: its share of what its levels save}; levels that got slower save nothing.

    before, after: {source: levels} of Enterprise and of the adaptive queues; None: nothing is saved."""
    saved = dict.fromkeys(GENERATIONS, 0.0)
    for source in before.keys() & after.keys():
        for old, new in zip(before[source], after[source]):
            saved[new.generation] += max(0.0, old.ms - new.ms)
    total = sum(saved.values())
    return {name: ms / total for name, ms in saved.items()} if total else None


def checks(sources):
    """Figure 15: edges that bottom-up levels have looked at."""
    levels = [level for found in sources.values() for level in found]
    return sum(level.checked for level in levels if level.mode == BOTTOM_UP)


# ---- tables: a header, and rows of values, None where nothing was measured ----


def against_others(measured):
    """Table 2; the means are XBFS's speedups over the others."""
    names = {ENTERPRISE: ENTERPRISE, **{name: name for name in RIVALS}}
    names = {name: title for name, title in names.items() if any(key[1] == name for key in measured.rows)}
    header = ["graph", "vertices", "edges", "XBFS", *names.values()]
    rows, faster = [], {title: [] for title in names.values()}
    for graph in measured.graphs:
        ours = measured.ms(graph, FULL)
        if not ours:
            continue
        row = measured.rows[graph, FULL]
        times = [measured.ms(graph, name) for name in names]
        for title, ms in zip(faster, times):
            faster[title].append(ratio(ms, ours))
        rows.append([graph, *(int(float(row[name])) for name in ("vertices", "edges")), ours, *times])
    return with_means(header, rows, faster)


def steps_of_the_ablation(measured):
    """Figures 11 and 14 as a table: ms, and geometric means of the speedups over Enterprise."""
    ways = ("scan-free", "single-scan", "double-scan")
    names = [*ABLATION, *(name for name in BALANCES if name != WB), *ways]
    names = [name for name in names if any(key[1] == name for key in measured.rows)]
    titles = [ABLATION.get(name, name) for name in names]
    rows, faster = [], {title: [] for title in titles}
    for graph in measured.graphs:
        baseline = measured.ms(graph, ENTERPRISE)
        if not baseline:
            continue
        times = [measured.ms(graph, name) for name in names]
        for title, ms in zip(titles, times):
            faster[title].append(ratio(baseline, ms))
        rows.append([graph, *times])
    header, rows = with_means(["graph", *titles], rows, faster)
    if rows:
        paper = [PAPER_SPEEDUPS.get(name) for name in names]
        rows.append(["the paper's mean, its graphs", *(mean and f"{mean:.2f}x" for mean in paper)])
    return header, rows


def per_cent(share):
    return None if share is None else f"{100 * share:.1f}%"


def bottom_up(measured):
    """Figures 10, 12 and 15 as a table."""
    rows = []
    for graph, found in sorted(measured.levels().items()):
        if not {ENTERPRISE, WB, FULL} <= found.keys():
            continue
        shares = [direction_shares(found[name]) for name in (ENTERPRISE, FULL)]
        sync, fewer = checks(found[WB]), checks(found[FULL])
        saved = 1 - fewer / sync if sync else None
        times = [share and per_cent(share[BOTTOM_UP]) for share in shares]
        rows.append([graph, *times, per_cent(early_share(found[FULL])), sync, fewer, per_cent(saved)])
    shares = ["bottom-up, Enterprise", "bottom-up, XBFS"]
    return ["graph", *shares, "found early", "checks", "checks, async", "fewer"], rows


def by_generation(measured):
    """Figure 13 as a table."""
    rows = []
    for graph, found in sorted(measured.levels().items()):
        shares = contributions(found.get(ENTERPRISE, {}), found.get(AD, {}))
        if shares:
            rows.append([graph, *map(per_cent, shares.values())])
    if rows:
        rows.append(["the paper's mean, its graphs", *map(per_cent, PAPER_CONTRIBUTIONS.values())])
    return ["graph", *GENERATIONS], rows


def ways_to_enqueue(measured):
    """Figure 5 as a table."""
    rows = [
        [size, *times, f"{times[1] / times[0]:.2f}x"] for size, times in sorted(measured.enqueue().items())
    ]
    return ["entries", "atomics ms", "prefix sum ms", "speedup"], rows


TABLES = {
    "xbfs_table_2": ("BFS in ms; the means are XBFS's speedups (XBFS, table 2)", against_others),
    "xbfs_ablation": (
        "XBFS's parts in ms; the means are speedups over Enterprise (XBFS, figures 11 and 14)",
        steps_of_the_ablation,
    ),
    "xbfs_bottom_up": ("Bottom-up levels: time, vertices found early, edges (XBFS, 10, 12, 15)", bottom_up),
    "xbfs_generations": ("What each way to make a queue saves (XBFS, figure 13)", by_generation),
    "xbfs_enqueue": ("Filling a queue by atomics and by a prefix sum (XBFS, figure 5)", ways_to_enqueue),
}


# ---- the command line ----


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options_of_parts(parser, PARTS, "run_xbfs")
    arguments = parse_parts(parser, PARTS)

    parts = arguments.part or list(PARTS)
    of_graphs = [part for part in parts if part != "enqueue"]
    chosen = choose_graphs(arguments)[arguments.share or slice(None)]
    plan = [(part, *graph) for graph in chosen for part in of_graphs]
    # What has no graph is one share's.
    enqueue = "enqueue" in parts and (arguments.share is None or arguments.share.start == 0)
    left_out = why_no_enqueue(arguments) if enqueue else ""
    states = status.Status(arguments.status)
    if arguments.plan:
        states.plan(
            [(name, part) for part, name, *_ in plan] + [("", "enqueue")] * (enqueue and not left_out)
        )
        return 0

    arguments.csv.mkdir(parents=True, exist_ok=True)
    failures, interrupted = run_steps(arguments, plan, states)
    if left_out:
        say(f"left out: the ways to fill a queue, {left_out}")
    elif enqueue and not interrupted:
        began, reasons = time.monotonic(), run_enqueue(arguments)
        failures += reasons
        states.finish(("", "enqueue"), "; ".join(reasons), time.monotonic() - began)
    return conclude(failures, interrupted, say)
