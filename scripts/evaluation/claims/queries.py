"""queries.py: questions to records in words, such as `speedup of=dfs:v4 over=dfs:nvg`, and their answers.

A query is MEASURE KEY=VALUE ...; the number of no difference, where there is one, stands behind:
  speedup  of=METHOD over=METHOD         times that `of` is better than `over`, graph by graph     (1)
  ratio    of=METHOD over=METHOD         the metric of `of` over that of `over`, or its over-metric=  (1)
  saving   of=METHOD over=METHOD         what `of` has less than `over` of the metric, %           (0)
  share    of=METHOD over=METHOD [by=1]  graphs on which `of` is more than `by` times better, %    (50: by=1)
  value    of=METHOD                     the metric itself
  spread   of=METHOD                     the best over the worst of a graph's rows that fit        (1)
  early                                  XBFS, figure 10: of the vertices of the level after the first
                                         bottom-up one, those that this has found already, %
  fewer-checks                           XBFS, figure 15: edges that asynchronous levels spare, %  (0)
  looked-at                              XBFS, figure 9: of bottom-up frontiers' edges those looked at, %
  direction of=CONFIGURATION mode=MODE   XBFS, figure 12: time share of top-down or bottom-up, %
  contribution of=GENERATION             XBFS, figure 13: scan-free, single-scan, none or double-scan, %
  enqueue  [size=N]                      XBFS, figure 5: prefix sum over atomics, size by size     (1)
  misclassified                          Blest, figure 5: levels gone in the slower direction, %
  optimal                                Blest, figure 5: Blest's time over that of always choosing right
  crossover                              IBFS: pairs from which on a coalesced scheme beats the workgroups
  memory   of=PART over=PART             Blest, table VIII: BVSS, CSR, levels, total, ... of one search, or
                                         with searches=many of many

METHOD is FAMILY:VARIANT, as in records, with options behind it: dfs:v4,hot-cutoff=16,cold-cutoff=32. Options
that are not named are those that most of its rows have. A value matches up to a colon (reorder=random);
options=any takes all rows, the best of each graph. sources=, devices=, pairs= and on=cpu|gpu narrow likewise.
in=FOLDER takes rows below such a folder only: in=batches-256; in=sensitivity is also run_sensitivity's.
Without it, folders of unusual runs are left out (APART below). A variant may be a pattern (bfs:blest*), and
METHOD|METHOD is the best of several on each graph. Families beside those of records:
  xbfs:CONFIGURATION   of run_xbfs: Enterprise, Ad, Ad+static, Ad+thread, Ad+warp, Ad+donate, Ad+WB+Async,
                       scan-free, single-scan, double-scan, or a rival: xbfs:queue
  blest:STEP           of run_blest: BerryBees, A, AB, ABC, ABCD, Full, or a rival: blest:gap; in the graph's
                       own order or in reorder=NAME; a step of no use on a graph has the time of the one
                       before, as in the paper's table IV
  pairs:VARIANT        path lengths, by graph and number of pairs: pairs:ibfs-coalesced,pairs=1000
  balance:POLICY       tasks of blocks: balance:baseline, balance:diggerbees, with metric=variation

Further keys:
  in=FOLDER         for all METHODs of the query
  metric=           kernel (default), time, median, min, max, batch, prepare, load, reorder, build (ms); total
                    (all sources, s); mteps, harmonic (MTEPS), gteps; depth, cross (%), bytes, peak (MB),
                    divergence, compression, vss, variation
  graphs=NAME,...   these; patterns are allowed
  graph=NAME,...    one graph: the first, or of the others (those that stand for it; patterns are allowed)
                    the one nearest to it in edges, as dataset/ has them; the largest where it is in no list
  list=FILE         those of a list in dataset/, and those that stand in for them
  kind=WORD,...     scale-free, road, mesh, random, acyclic, deep, shallow, or not-WORD; all must hold
  min-edges=, max-edges=, min-pairs=, max-pairs=
  take=             over the graphs: geomean (usual), mean (usual for %), median, min, max, sum

Rows that failed, or that nobody verified, never count, nor do traced runs as times. Rows are of one GPU and
one CPU. The emulator's never count: its times are not times of a GPU, and its graphs are not the papers'. Of
two rows of the same thing that of more sources counts, then the newer one.
"""

import fnmatch
import math
import operator
import re
import statistics
from collections import Counter
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Optional

from evaluation import dataset
from evaluation.analyses import blest, msbfs, xbfs
from evaluation.analyses.balance import TASKS_FOLDERS, read_tasks, variation
from evaluation.command import EvaluationError, NothingToTell
from evaluation.files import read_rows
from evaluation.methods import gpu_of
from evaluation.records import (
    EMULATOR,
    FAILED,
    PROVENANCE,
    folders_of_the_host,
    kind_of,
    read_json,
    read_records,
    row_key,
    with_usual_threads,
)
from evaluation.speedups import over_graphs, times_faster


class ClaimsError(EvaluationError):
    """Claims or a query that cannot be used; the message is one line."""


class MissingError(Exception):
    """What was not measured; the message is some words."""


# ---- queries ----


class Metric(NamedTuple):
    column: str
    scale: float = 1
    less_is_better: bool = True


METRICS = {
    "kernel": Metric("mean_kernel_ms"),
    "time": Metric("mean_time_ms"),
    "median": Metric("median_kernel_ms"),
    "min": Metric("min_kernel_ms"),
    "max": Metric("max_kernel_ms"),
    "batch": Metric("batch_kernel_ms"),
    "total": Metric("total_s"),
    "prepare": Metric("prepare_ms"),
    "load": Metric("load_ms"),
    "reorder": Metric("reorder_ms"),
    "build": Metric("build_ms"),
    "mteps": Metric("mean_mteps", less_is_better=False),
    "harmonic": Metric("harmonic_mean_mteps", less_is_better=False),
    "gteps": Metric("mean_mteps", 1e-3, less_is_better=False),
    "depth": Metric("mean_tree_depth", less_is_better=False),
    "cross": Metric("mean_cross_share", 100),
    "bytes": Metric("device_bytes", 1e-6),
    "peak": Metric("peak_device_bytes", 1e-6),
    "divergence": Metric("update_divergence"),
    "compression": Metric("compression_ratio", less_is_better=False),
    "vss": Metric("num_vss"),
    "variation": Metric("mean_variation"),
}

TAKES = {
    "geomean": over_graphs,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "sum": sum,
}

# Folders of runs that are unlike the usual one of 64 sources: only in=FOLDER finds their rows.
APART = (
    "batches-*",
    "closeness-*",
    "pairs",
    "scaling",
    "ranks",
    "sensitivity",
    "xbfs-*",
    "quality",
    "balance",
)
BALANCE = "balance"  # a family of rows made of the tasks of blocks, and runs that count these
QUALITY = "quality"  # rows of quality.csv, of trees alone, are as if below a folder of this name
IN, ON, OPTIONS, ANY = "in", "on", "options", "any"
COUNTS = ("sources", "devices", "pairs")
METHOD = re.compile(r"(?P<family>[\w-]+):(?P<variant>[\w*?+-]+)(?P<settings>(,[\w-]+=[^,|\s]+)*)")
COMMON_KEYS = ("graph", "graphs", "kind", "list", "min-edges", "max-edges", "min-pairs", "max-pairs", "take")
KINDS = ("scale-free", "road", "mesh", "random", "acyclic", "deep", "shallow")


class Method(NamedTuple):
    text: str
    family: str
    variant: str
    settings: dict


class Query(NamedTuple):
    text: str
    measure: str
    settings: dict

    def methods(self, key):
        """Those of `of` or `over`; what the query says of folders holds for each that says nothing itself."""
        found = [read_method(text) for text in self.settings[key].split("|")]
        common = {IN: self.settings[IN]} if IN in self.settings else {}
        return [method._replace(settings={**common, **method.settings}) for method in found]

    @property
    def metric(self):
        return METRICS[self.settings.get("metric", "kernel")]

    def metric_of(self, key):
        other = self.settings.get("over-metric") if key == "over" else None
        return METRICS[other] if other else self.metric


def read_method(text):
    found = METHOD.fullmatch(text)
    if not found:
        raise ClaimsError(f"'{text}' is no method: FAMILY:VARIANT[,OPTION=VALUE...]")
    settings = dict(pair.split("=", 1) for pair in found["settings"].split(",") if pair)
    return Method(text, found["family"], found["variant"], settings)


def read_query(text):
    """The query; ClaimsError where it is none."""
    measure, *words = text.split() or [""]
    if measure not in MEASURES:
        raise ClaimsError(f"'{measure}' is no measure: {', '.join(MEASURES)}")
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not value or key in settings:
            raise ClaimsError(f"'{word}' is not KEY=VALUE, each key once")
        settings[key] = value
    known = MEASURES[measure]
    absent = [key for key in known.needs if key not in settings]
    odd = [key for key in settings if key not in (*known.needs, *known.more, *COMMON_KEYS)]
    if absent or odd:
        raise ClaimsError(f"{measure} {f'needs {absent[0]}=' if absent else f'has no {odd[0]}='}")
    query = Query(text, measure, settings)
    check_values(query)
    return query


def check_values(query):
    settings = query.settings
    words = {
        "metric": METRICS,
        "over-metric": METRICS,
        "take": TAKES,
        "mode": (xbfs.TOP_DOWN, xbfs.BOTTOM_UP),
    }
    for key, known in words.items():
        if key in settings and settings[key] not in known:
            raise ClaimsError(f"{key}={settings[key]}: it is one of {', '.join(known)}")
    for key in ("by", "min-edges", "max-edges", "min-pairs", "max-pairs", "size"):
        if key in settings:
            number_of(settings[key], key)
    for word in filter(None, settings.get("kind", "").split(",")):
        if word.removeprefix("not-") not in KINDS:
            raise ClaimsError(f"kind={word}: it is one of {', '.join(KINDS)}, or not- before it")
    if "list" in settings:
        graphs_of_list(settings["list"])
    if query.measure == "direction":
        configuration(settings["of"])
    elif query.measure == "memory":
        if settings.get("searches", "many") != "many":
            raise ClaimsError(f"searches={settings['searches']}: it is many, or not there")
    elif query.measure == "contribution":
        if settings["of"] not in xbfs.GENERATIONS:
            raise ClaimsError(f"of={settings['of']}: it is one of {', '.join(xbfs.GENERATIONS)}")
    else:
        for key in ("of", "over"):
            for method in query.methods(key) if key in settings else ():
                check_method(method)


def check_method(method):
    if method.family == "blest":
        blest_variant(method.variant)
    elif method.family == "balance" and method.variant not in BALANCES:
        raise ClaimsError(f"'{method.text}': balance: is one of {', '.join(BALANCES)}")
    elif method.family == "xbfs":
        configuration(method.variant)


def number_of(text, name):
    try:
        number = float(text)
        if math.isfinite(number):
            return number
    except ValueError:
        pass
    raise ClaimsError(f"{name}: '{text}' is not a number")


def configuration(text):
    """XBFS's name of "Ad+warp", or a rival's."""
    names = {name.replace(" ", ""): name for name in (*xbfs.CONFIGURATIONS, *xbfs.RIVALS)}
    names["Ad+WB"] = xbfs.WB
    if text not in names:
        raise ClaimsError(f"'{text}' is none of XBFS's configurations: {', '.join(names)}")
    return names[text]


BLEST_STEPS = {name.strip("()"): variant for variant, name in blest.ABLATION.items()}
BLEST_STEPS = {"BerryBees": blest.BERRYBEES, **BLEST_STEPS, **{name: name for name in blest.RIVALS}}
BALANCES = tuple(folder.removeprefix("balance_") for folder in TASKS_FOLDERS)


def blest_variant(text):
    if text not in BLEST_STEPS:
        raise ClaimsError(f"'{text}' is none of Blest's steps: {', '.join(BLEST_STEPS)}")
    return BLEST_STEPS[text]


# ---- graphs ----

GENERATORS = {"kron": "scale-free", "snb": "scale-free", "urand": "random", "road": "road", "dag": "acyclic"}
GENERATORS |= dict.fromkeys(("grid", "rgg", "delaunay"), "mesh")
ROADS = re.compile(r"_osm\b|road", re.IGNORECASE)
NETWORKS = ("SNAP", "LAW", "KONECT")  # collections of web graphs and social networks
DEEP = 100  # levels of a BFS, on average


def plain(graph):
    return graph.removesuffix("+undirected")


def is_named(graph, patterns):
    name = plain(graph)
    return any(fnmatch.fnmatchcase(name, pattern) or name == pattern for pattern in patterns)


def graphs_of_list(name):
    try:
        entries = dataset.read_list(dataset.ROOT / "dataset" / Path(name).name)
    except dataset.ListError as error:
        raise ClaimsError(f"list={name}: {error}") from error
    return {graph for entry in entries for graph in (entry.name, entry.stand_in) if graph}


@cache
def known_graphs():
    """{graph, in lower case: its entries} of all lists."""
    found = {}
    for path in sorted((dataset.ROOT / "dataset").glob("*_*.csv")):
        for entry in dataset.read_list(path):
            found.setdefault(entry.name.lower(), []).append(entry)
    return found


@cache
def edges_of_list(name):
    """Of a graph, by the lists; None where none tells."""
    return next((entry.edges for entry in known_graphs().get(name.lower(), ()) if entry.edges), None)


def kinds_of(graph, entries, depth):
    """Of a graph: by its generator, or that of its stand-in, by words of lists, and by its depth."""
    words = " ".join(entry.kind for entry in entries)
    stand_ins = [entry.stand_in for entry in entries if entry.stand_in]
    kinds = {word for word in ("scale-free", "acyclic") if word in words}
    if ":" in graph:
        kinds.add(GENERATORS.get(graph.partition(":")[0], ""))
    elif ROADS.search(graph):
        kinds.add("road")
    elif stand_ins and not kinds:
        kinds.add(GENERATORS.get(stand_ins[0].partition(":")[0], ""))
    elif not kinds and any(entry.group in NETWORKS for entry in entries):
        kinds.add("scale-free")
    if depth is not None:
        kinds.add("deep" if depth >= DEEP else "shallow")
    elif kinds & {"road", "mesh"}:
        kinds.add("deep")
    elif kinds & {"scale-free", "random"}:
        kinds.add("shallow")
    return kinds - {""}


# ---- records ----


class Key(NamedTuple):
    graph: str
    pairs: int = 0  # of path lengths, where the method does not tell how many

    def __str__(self):
        return f"{self.graph}, {self.pairs:,} pairs" if self.pairs else self.graph


UNTRUSTED = (FAILED, "none")  # rows verified so


def settings_of(row):
    return dict(pair.partition("=")[::2] for pair in row["options"].split())


def matches(value, wanted):
    return value == wanted or (value or "").partition(":")[0] == wanted


def is_in(row, folder):
    """Whether a row is from below such a folder; None: from a usual run."""
    folders = [name.removeprefix("run_") for name in row["folders"]]
    if folder:
        return folder in folders
    return not any(fnmatch.fnmatchcase(name, apart) for name in folders for apart in APART)


class Results:
    """Everything below a folder that was measured on one GPU, or none, and the CPU that goes with it."""

    def __init__(self, folder, device=None):
        self.folder = Path(folder).resolve()
        self.folders = (self.folder, *folders_of_the_host(self.folder))
        rows = list(self._read())
        if not rows:
            raise ClaimsError(f"no records in {folder}; scripts/run_all.sh quick_start makes some")
        self.left_out = Counter(row["verified"] for row in rows if row["verified"] in UNTRUSTED)
        rows = [row for row in rows if row["verified"] not in UNTRUSTED]
        self.emulated = [row for row in rows if row["device"] == EMULATOR]
        rows = [row for row in rows if row["device"] != EMULATOR]
        devices = {row["device"] for row in rows}
        if not rows:
            raise NothingToTell(f"{folder} has only rows of the emulator, or that failed or nobody verified")
        if device and device not in devices:
            raise ClaimsError(f"nothing of {device} in {folder}; there is: {', '.join(sorted(devices))}")
        on_cpu = device is not None and kind_of(device) == "CPU"
        self.gpu = None if on_cpu else device or gpu_of(rows)
        self.provenance = self._read_provenance()
        self.cpu = device if on_cpu else self._cpu_of(rows)
        self.rows = [row for row in rows if row["device"] in (self.gpu, self.cpu)]

    @property
    def device(self):
        """What a report is about: the GPU, or else the CPU."""
        return self.gpu or self.cpu

    def paths(self, pattern):
        """(file, names of the folders that it is below): records, not what is made or gathered from them."""
        for top in self.folders:
            for path in sorted(top.rglob(pattern)):
                folders = (top.name, *path.relative_to(top).parts[:-1])
                if not any(name in ("trials", "merged") or name.startswith("share-") for name in folders[1:]):
                    yield path, folders

    def _read(self):
        for path, folders in self.paths("*_perf.csv"):
            if not path.name.startswith("merged_"):
                for row in read_records(path):
                    yield self._completed(row, folders)
        for path, folders in self.paths("*_pairs.csv"):
            for row in msbfs.read_pairs_records(path):
                name = row["variant"] if row["family"] == "msbfs" else f"{row['family']}-{row['variant']}"
                times = {"mean_kernel_ms": row["time_ms"], "mean_time_ms": row["time_ms"]}
                yield {**row, **times, "family": "pairs", "variant": name, "folders": folders}
        yield from self._read_balance()
        for path, folders in self.paths("quality.csv"):
            for row in read_rows(path, numbers=("sources",)):
                yield {**row, "options": "", "verified": "first", "date": "", "folders": (*folders, QUALITY)}

    def _read_balance(self):
        """Rows of the family balance, a variant a policy: by the tasks of blocks, or what is kept of them."""
        policies = dict(zip("01", BALANCES))
        for path, _ in self.paths("balance.csv"):
            for row in read_rows(path, numbers=("mean_variation", "sources")):
                yield {**row, **self._balance(policies.get(row["balance_policy"], ""), path.parent.name)}
        for path, (*_, folder) in self.paths("balance_*.csv"):
            if folder in TASKS_FOLDERS:
                trials = read_tasks(path)
                found = {
                    "graph": path.stem.removeprefix("balance_"),
                    "sources": str(len(trials)),
                    "version": "",
                }
                found["mean_variation"] = variation(trials)
                yield {**found, **self._balance(folder.removeprefix("balance_"), path.parent.parent.name)}

    @staticmethod
    def _balance(policy, device):
        known = {"family": BALANCE, "variant": policy, "device": device, "options": "", "verified": "first"}
        return {**known, "date": "", "folders": (BALANCE,)}

    @staticmethod
    def _completed(row, folders):
        counting = row["version"].endswith(f"-{BALANCE}")  # what counts tasks is slower
        row["folders"] = (*folders, BALANCE) if counting else folders
        row["total_s"] = float(row["mean_time_ms"]) * float(row["sources"]) / 1e3
        known = blest.read_note(row)
        return {**row, **known._asdict()} if known else row

    def _read_provenance(self):
        for path in sorted(self.folder.rglob(PROVENANCE)):
            if path.parent.name == self.gpu:
                return read_json(path)
        return {}

    def _cpu_of(self, rows):
        counts = Counter(row["device"] for row in rows if kind_of(row["device"]) == "CPU")
        named = [name for name in self.provenance.get("cpu_folders", ()) if name in counts]
        return max(named or counts, key=lambda device: (counts[device], device), default=None)

    # ---- graphs ----

    @cached_property
    def facts(self):
        """{graph: (vertices, edges, kinds)}"""
        depths, sizes = {}, {}
        in_order = {row["graph"] for row in self.rows if row["family"] == "topo"}
        for row in self.rows:
            if row.get("vertices"):
                sizes[row["graph"]] = int(float(row["vertices"])), int(float(row["edges"]))
            if row["family"] == "bfs" and row.get("mean_tree_depth"):
                depths[row["graph"]] = float(row["mean_tree_depth"])
        lists = known_graphs()
        found = {}
        for graph, size in sizes.items():
            name = plain(graph)
            kinds = kinds_of(name, lists.get(name.lower(), []), depths.get(graph))
            found[graph] = *size, kinds | ({"acyclic"} if graph in in_order else set())
        return found

    def is_wanted(self, key, settings):
        graph, pairs = key
        _, edges, kinds = self.facts.get(graph, (0, 0, set()))
        name = plain(graph)
        return (
            is_named(graph, settings.get("graphs", "*").split(","))
            and ("list" not in settings or name in graphs_of_list(settings["list"]))
            and float(settings.get("min-edges", 0)) <= edges <= float(settings.get("max-edges", math.inf))
            and float(settings.get("min-pairs", 0)) <= pairs <= float(settings.get("max-pairs", math.inf))
            and all(
                (word.removeprefix("not-") in kinds) != word.startswith("not-")
                for word in filter(None, settings.get("kind", "").split(","))
            )
        )

    def one_graph(self, found, names):
        """What is found on the first graph, or else on the nearest to it of those that stand for it."""
        first, *patterns = names.split(",")
        wanted = edges_of_list(first)

        def distance(graph):
            edges = self.facts.get(graph, (0, 0))[1]
            return abs(math.log(max(edges, 1) / wanted)) if wanted else -edges

        graphs = {key.graph for key in found if is_named(key.graph, [first])}
        graphs = graphs or {key.graph for key in found if is_named(key.graph, patterns)}
        chosen = min(graphs, key=lambda graph: (distance(graph), graph), default=None)
        return {key: number for key, number in found.items() if key.graph == chosen}

    # ---- methods ----

    @cached_property
    def evaluation(self):
        rows = [row for row in self.rows if row["family"] == "bfs" and is_in(row, None)]
        return blest.Evaluation(sorted(rows, key=lambda row: row["date"]))

    @cached_property
    def xbfs(self):
        measured = xbfs.Measured(self.folder)
        if measured.gpu not in (None, self.gpu):
            raise MissingError(f"run of XBFS on {self.gpu or 'a GPU'}")
        return measured

    def rows_of(self, method, best):
        """{key: row} of a method; best(row, row) of two that both fit where options=any."""
        special = {"xbfs": self._xbfs_rows, "blest": self._blest_rows}
        if method.family in special:
            return special[method.family](method)
        settings = dict(method.settings)
        folder = settings.pop(IN, method.family if method.family in ("pairs", BALANCE) else None)
        on, free = settings.pop(ON, ""), settings.pop(OPTIONS, "") == ANY
        counts = {name: settings.pop(name) for name in COUNTS if name in settings}
        fitting = [
            row
            for row in self.rows
            if row["family"] == method.family
            and fnmatch.fnmatchcase(row["variant"], method.variant)
            and is_in(row, folder)
            and on in ("", "gpu" if kind_of(row["device"]) != "CPU" else "cpu")
            and all(row.get(name) == value for name, value in counts.items())
            and settings_of(row).get("trace", "0") == "0"
        ]
        fitting = fitting if free else with_usual_threads(fitting)
        usual = {} if free else usual_options(fitting, settings)
        found = {}
        for row in fitting:
            options = settings_of(row)
            if not all(matches(options.get(name), value) for name, value in settings.items()):
                continue
            if any(
                options[name] != value for name, value in usual.get(row["variant"], ()) if name in options
            ):
                continue
            several = method.family == "pairs" and "pairs" not in counts
            key = Key(row["graph"], int(row["pairs"]) if several else 0)
            one = (key, row["variant"], *(row_key(row, ("options", "threads")) if free else ()))
            if one not in found or self._rank(row, settings) >= self._rank(found[one], settings):
                found[one] = row
        chosen = {}
        for (key, *_), row in found.items():
            chosen[key] = best(chosen[key], row) if key in chosen else row
        return chosen

    def _rank(self, row, settings):
        """Of rows of the same the greatest counts: in the graph's own order, of more sources, newer."""
        order, _ = blest.split_options(row["options"])
        own = blest.NATURAL
        if row["family"] == "bfs" and row["variant"] in blest.REORDERED:
            own = self.evaluation.own_order.get(row["graph"], blest.NATURAL)
        return "reorder" in settings or order == own, int(row["sources"]), row["date"]

    def _xbfs_rows(self, method):
        name = configuration(method.variant)
        return {Key(graph): row for (graph, known), row in self.xbfs.rows.items() if known == name}

    def _blest_rows(self, method):
        variant, order = blest_variant(method.variant), method.settings.get("reorder")
        if order and order not in blest.ORDERS:
            raise ClaimsError(f"'{method.text}': reorder= is one of {', '.join(blest.ORDERS)}")
        steps = list(blest.ABLATION)
        found = {}
        for graph in self.evaluation.graphs:
            if variant in blest.REORDERED and not order and graph not in self.evaluation.own_order:
                continue  # in the natural order it is not that step
            row = self.evaluation.row(graph, variant, blest.ORDERS.get(order))
            while row and not order and not blest.applies(row):
                row = self.evaluation.row(graph, steps[steps.index(row["variant"]) - 1])
            if row:
                found[Key(graph)] = row
        return found

    def values(self, query, key):
        """{key: number} of the best of a query's methods; MissingError where there is none."""
        metric, found = query.metric_of(key), {}
        better = operator.lt if metric.less_is_better else operator.gt
        absent = 0

        def number(row):
            text = row.get(metric.column)
            return None if text in (None, "") else float(text) * metric.scale

        def best(first, second):
            pair = number(first), number(second)
            return second if pair[0] is None or (pair[1] is not None and better(pair[1], pair[0])) else first

        for method in query.methods(key):
            for at, row in self.rows_of(method, best).items():
                value = number(row)
                if value is None:
                    absent += 1
                elif at not in found or better(value, found[at]):
                    found[at] = value
        if not found:
            what = f"{metric.column} of" if absent else "rows of"
            raise MissingError(f"{what} {query.settings[key].replace('|', ', ')}")
        return found


def usual_options(rows, named):
    """{variant: [(option, the value that most rows have), ...]} of options that are not named."""
    counts = {}
    for row in rows:
        for name, value in settings_of(row).items():
            if name not in named and name not in ("reorder", "trace"):
                counts.setdefault((row["variant"], name), Counter())[value] += 1
    usual = {}
    for (variant, name), values in counts.items():
        most = max(values, key=lambda value: (values[value], value))
        usual.setdefault(variant, []).append((name, most))
    return usual


# ---- measures: {key: number}, before graphs are chosen ----


def compared(results, query):
    """{key: (of, over)}"""
    ours, theirs = results.values(query, "of"), results.values(query, "over")
    pairs = {key: (ours[key], theirs[key]) for key in ours if theirs.get(key) and ours[key]}
    if not pairs:
        raise MissingError("a graph that both ran on")
    return pairs


def speedup(results, query):
    pairs = compared(results, query)
    ours, theirs = ({key: pair[i] for key, pair in pairs.items()} for i in (0, 1))
    return times_faster(ours, theirs) if query.metric.less_is_better else times_faster(theirs, ours)


def ratio(results, query):
    return {key: ours / theirs for key, (ours, theirs) in compared(results, query).items()}


def saving(results, query):
    return {key: 100 * (1 - ours / theirs) for key, (ours, theirs) in compared(results, query).items()}


def value(results, query):
    return results.values(query, "of")


def spread(results, query):
    (method,) = query.methods("of")
    metric, extremes = query.metric, {}

    def note(row):
        text = row.get(metric.column)
        if text:
            extremes.setdefault(Key(row["graph"]), []).append(float(text))

    def best(first, second):
        note(second)
        return first

    free = method._replace(settings={**method.settings, OPTIONS: ANY})
    for row in results.rows_of(free, best).values():
        note(row)
    found = {key: max(some) / min(some) for key, some in extremes.items() if len(some) > 1 and min(some) > 0}
    if not found:
        raise MissingError(f"a graph with several settings of {method.text}")
    return found


def traced_levels(results, *names):
    """{key: [{source: levels} of each configuration]} of graphs that have all of them."""
    levels = results.xbfs.levels()
    found = {
        Key(graph): [known[name] for name in names] for graph, known in levels.items() if {*names} <= {*known}
    }
    if not found:
        raise MissingError("XBFS's levels, traced")
    return found


def drop_none(table, what):
    found = {key: number for key, number in table.items() if number is not None}
    if not found:
        raise MissingError(what)
    return found


def early(results, query):
    shares = {key: xbfs.early_share(sources) for key, (sources,) in traced_levels(results, xbfs.FULL).items()}
    found = drop_none(shares, "a graph with two bottom-up levels")
    return {key: 100 * share for key, share in found.items()}


def fewer_checks(results, query):
    found = {}
    for key, pair in traced_levels(results, xbfs.WB, xbfs.FULL).items():
        before, after = map(xbfs.checks, pair)
        found[key] = 100 * (1 - after / before) if before else None
    return drop_none(found, "a graph with bottom-up levels")


def looked_at(results, query):
    found = {}
    for graph, classes in results.xbfs.work().items():
        degrees = sum(degree * frontiers for (degree, _), frontiers in classes.items())
        checked = sum(looks * frontiers for (_, looks), frontiers in classes.items())
        found[Key(graph)] = 100 * checked / degrees if degrees else None
    return drop_none(found, "XBFS's work per frontier")


def direction(results, query):
    name = configuration(query.settings["of"])
    need_gpu(results)
    found = {}
    for key, (sources,) in traced_levels(results, name).items():
        shares = xbfs.direction_shares(sources)
        found[key] = shares and 100 * shares[query.settings["mode"]]
    return drop_none(found, "XBFS's levels, traced")


def contribution(results, query):
    need_gpu(results)
    found = {}
    for key, pair in traced_levels(results, xbfs.ENTERPRISE, xbfs.AD).items():
        shares = xbfs.contributions(*pair)
        found[key] = shares and 100 * shares[query.settings["of"]]
    return drop_none(found, "levels that adaptive queues make faster")


def enqueue(results, query):
    need_gpu(results)
    size = query.settings.get("size")
    found = {
        Key(f"{entries:,} entries"): by_prefix_sum / by_atomics
        for entries, (by_atomics, by_prefix_sum) in sorted(results.xbfs.enqueue().items())
        if by_atomics and (size is None or entries == float(size))
    }
    return drop_none(found, "the ways to fill a queue")


def need_gpu(results):
    if results.gpu is None:
        raise MissingError("times on a GPU")


def traced_directions(results):
    """{key: what blest.compare gives} of graphs that Blest went all three ways on."""
    need_gpu(results)
    found = {}
    for path, folders in results.paths("bfs_blest_*.csv"):
        if folders[-1] != "traces" or results.gpu not in folders:
            continue
        runs = blest.compare(blest.read_trace(path))
        if runs:
            found[Key(path.stem.removeprefix("bfs_blest_"))] = runs
    if not found:
        raise MissingError("Blest's levels, traced all three ways")
    return found


def misclassified(results, query):
    return {key: 100 * blest.misclassified(runs) for key, runs in traced_directions(results).items()}


def optimal(results, query):
    return {key: blest.speedup_of_optimal(runs) for key, runs in traced_directions(results).items()}


def crossover(results, query):
    need_gpu(results)
    measured = msbfs.Measured(results.folder, "pairs")
    if not any(row["device"] == results.gpu for row in measured.rows.values()):
        raise MissingError("path lengths by IBFS's schemes")
    found = {Key(graph): size for graph, size in msbfs.crossovers(measured).items()}
    return drop_none(found, "a number of pairs at which that is so")


def memory(results, query):
    table = alone = blest.memory(results.evaluation)
    if query.settings.get("searches") == "many":
        measured = msbfs.Measured(results.folder, "batches")
        known = any(row["device"] == results.gpu for row in measured.rows.values())
        table = msbfs.memory(measured) if known else ([], [])
    header, rows = table
    parts = [query.settings[key] for key in ("of", "over")]
    if not rows or not {*parts} <= {*header}:
        raise MissingError(f"the memory of {' and '.join(parts)}")
    found = {}
    for row in rows:
        part, whole = (row[header.index(name)] for name in parts)
        known = blest.NOT_APPLICABLE not in (part, whole)
        if table is alone and row[0] not in results.evaluation.own_order:
            continue  # in the natural order BVSS is larger: no method of the paper
        found[Key(row[0])] = part / whole if known and whole else None
    return drop_none(found, "a graph that has both in memory")


class Measure(NamedTuple):
    of: callable
    needs: tuple = ()
    more: tuple = ()
    no_difference: Optional[float] = None
    take: str = "geomean"


PAIR = {"needs": ("of", "over"), "more": ("metric", IN)}
MEASURES = {
    "speedup": Measure(speedup, **PAIR, no_difference=1),
    "ratio": Measure(ratio, ("of", "over"), (*PAIR["more"], "over-metric"), no_difference=1),
    "saving": Measure(saving, **PAIR, no_difference=0, take="mean"),
    "share": Measure(speedup, ("of", "over"), ("metric", IN, "by")),
    "value": Measure(value, ("of",), ("metric", IN)),
    "spread": Measure(spread, ("of",), ("metric", IN), no_difference=1),
    "early": Measure(early, take="mean"),
    "fewer-checks": Measure(fewer_checks, no_difference=0, take="mean"),
    "looked-at": Measure(looked_at, take="mean"),
    "direction": Measure(direction, ("of", "mode"), take="mean"),
    "contribution": Measure(contribution, ("of",), take="mean"),
    "enqueue": Measure(enqueue, (), ("size",), no_difference=1),
    "misclassified": Measure(misclassified, take="mean"),
    "optimal": Measure(optimal),
    "crossover": Measure(crossover, take="median"),
    "memory": Measure(memory, ("of", "over"), ("searches",)),
}


class Outcome(NamedTuple):
    """What a query gives. values: {key: number} of each graph; missing: why value is None."""

    value: Optional[float]
    values: dict
    missing: str = ""


def evaluate(results, query):
    """What a query gives, on the graphs that it is about."""
    measure = MEASURES[query.measure]
    try:
        found = measure.of(results, query)
        if query.measure != "enqueue":  # sizes of queues are no graphs
            found = {key: number for key, number in found.items() if results.is_wanted(key, query.settings)}
            if "graph" in query.settings:
                found = results.one_graph(found, query.settings["graph"])
        if not found:
            raise MissingError("the graphs that it is about")
        return Outcome(over_graphs(query, found), found)
    except MissingError as error:
        return Outcome(None, {}, str(error))


def over_graphs(query, found):
    """One number of those of the graphs."""
    if query.measure == "share":
        by = float(query.settings.get("by", 1))
        return 100 * sum(faster > by for faster in found.values()) / len(found)
    take = query.settings.get("take", MEASURES[query.measure].take)
    if take == "geomean" and min(found.values()) <= 0:
        raise MissingError("geometric mean, as a number is not above zero")
    return float(TAKES[take](found.values()))
