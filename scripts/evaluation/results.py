"""results.py: the rows of one machine that count, and which of them a method stands for.

Results never change: with_mode() gives others of the same rows. The emulator's rows do not count: its times are
not a GPU's, and its graphs are not the papers'.
"""

import fnmatch
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Callable, NamedTuple, Optional

from evaluation import records, trusted
from evaluation.analyses import blest, xbfs
from evaluation.command import EvaluationError
from evaluation.failures import read_failures, unresolved
from evaluation.files import RESULTS
from evaluation.graphs import Facts, Key, is_named, kinds_of, nearest, without_stand_ins
from evaluation.records import BALANCE

import pandas as pd

# Folders of runs unlike the usual one of 64 sources: their rows count only where a claim names the folder.
APART = (
    *("batches-*", "closeness-*", "pairs", "scaling", "ranks"),
    *("sensitivity", "tuning", "pairs-settings", "xbfs-*", "quality", "balance"),
)
TRACING = ("trace", "counters", "tasks")  # options of runs that write down what they do
STATUS = "status.csv"  # status file of a run of scripts/run_all.sh
COUNTS = ("sources", "pairs")  # columns that a method may name like its options

# The names of XBFS's configurations and of Blest's steps in the claims, and what they are in the records.
XBFS_NAMES = {name.replace(" ", ""): name for name in (*xbfs.CONFIGURATIONS, *xbfs.RIVALS)}
XBFS_NAMES["Ad+WB"] = xbfs.WB
BLEST_NAMES = {name.strip("()"): variant for variant, name in blest.ABLATION.items()}
BLEST_NAMES |= {"BerryBees": blest.BERRYBEES, **{name: name for name in blest.RIVALS}}


class MissingError(Exception):
    """Something was not measured; the message names it."""


class Method(NamedTuple):
    """A variant with options. Options that are not named are those that most of its rows have.

    Families beside those of the records: xbfs and blest (configurations and steps of the campaigns), pairs
    (path lengths) and balance (policies of stealing). A named value matches up to a colon: reorder=random."""

    family: str
    variant: str
    options: tuple = ()  # pairs of name and value
    any_options: bool = False  # all rows instead, the best of each graph

    def __str__(self):
        words = [f"{name}={value}" for name, value in self.options]
        return ",".join([f"{self.family}:{self.variant}", *words, *["options=any"] * self.any_options])


class Metric(NamedTuple):
    """A number that rows have: a column, or what a function makes of a row (a dict)."""

    column: str
    less_is_better: bool = True
    function: Optional[Callable] = None

    def of(self, row):
        """The number of a row, or None."""
        if self.function:
            return self.function(row)
        text = row.get(self.column, "")
        return None if text == "" else float(text)

    @property
    def of_hardware(self):
        """Whether it is a time or a rate."""
        return self.column.endswith(("_ms", "_s", "mteps"))

    @property
    def of_host(self):
        """Whether it is a time of the host, even for a search on the GPU."""
        return self.column == "reorder_ms"


def traces(settings):
    """Whether a run wrote a trace or counters, which takes time."""
    return any(settings.get(name, "0") != "0" for name in TRACING)


@cache
def is_below(folders, folder):
    """Whether a row lies below such a folder. folder: None asks whether the row is of a usual run."""
    names = [name.removeprefix("run_") for name in folders]
    if folder:
        return folder in names
    return not any(fnmatch.fnmatchcase(name, apart) for name in names for apart in APART)


def newest_run():
    """The folder of the newest run of scripts/run_all.sh on this machine; EvaluationError: there is none."""
    runs = [path for path in RESULTS.glob(f"*/{STATUS}") if path.is_file()]
    if not runs:
        raise EvaluationError(
            f"no run of scripts/run_all.sh in {RESULTS}; quick_start makes one; --results names other records"
        )
    return max(runs, key=lambda path: path.stat().st_mtime).parent


@dataclass(frozen=True, eq=False)
class Results:
    """Everything below a folder that was measured on one GPU, or none, and the CPU that goes with it."""

    folder: Path
    all_rows: pd.DataFrame  # rows of every device, whether they count or not
    rows: pd.DataFrame  # those that count
    left_out: pd.DataFrame  # the others, with the column `reason`
    machine: trusted.Machine
    mode: str = records.BEST  # whose rows count first; those of BEST are all that do not say mode=paper
    instead: bool = True  # whether rows of BEST count for variants that have none of that mode

    @staticmethod
    def read(folder, device=None):
        """The results of a device in a folder, by default of the GPU that most rows are of."""
        folder = Path(folder).resolve()
        rows = records.load((folder, *records.folders_of_the_host(folder)))
        if rows.empty:
            raise EvaluationError(f"no records in {folder}; scripts/run_all.sh quick_start makes some")
        return Results(folder, rows, *trusted.of_machine(rows, folder, device))

    def with_mode(self, mode, instead=True):
        """Returns the same results with the rows of this mode first."""
        return _with(self, mode=mode, instead=instead)

    def with_rows(self, rows):
        """Returns the same machine with other rows."""
        return replace(self, rows=rows)

    def with_busy(self):
        """Returns the same with rows of a busy machine where there are no others: to be shown, not judged."""
        key = ["graph", "family", "variant", "device"]
        idle = set(map(tuple, self.rows[key].to_numpy()))
        alone = [row not in idle for row in map(tuple, self.busy[key].to_numpy())]
        return self.with_rows(pd.concat([self.rows, self.busy[alone]]))

    def of_gpu(self, model):
        """Returns the results of the GPU of this model. MissingError: it has no rows."""
        words = set(model.lower().split())
        device = next((one for one in (self.gpu, *self.others) if words <= {*(one or "").split("-")}), None)
        if device is None:
            raise MissingError(f"rows of {model}")
        return self.of_device(device)

    def of_device(self, device):
        """Returns the results of another device in the folder."""
        return self if device == self.gpu else _of_device(self, device)

    @property
    def folders(self):
        """The folder, and those of its machine's CPU beside it."""
        return self.folder, *records.folders_of_the_host(self.folder)

    @property
    def gpu(self):
        return self.machine.gpu

    @property
    def cpus(self):
        """The folder names of the machine's CPU; if provenance.json lists CPU folders, only those with rows."""
        return self.machine.cpus

    @property
    def others(self):
        """Further devices that have rows in the folder."""
        return sorted(set(self.left_out_by(trusted.OTHER_DEVICE).device))

    def left_out_by(self, reason):
        """The rows that are left out for this reason: the name of a rule of trusted.py, ELSEWHERE or OTHER_DEVICE."""
        return self.left_out[self.left_out.reason == reason]

    @property
    def busy(self):
        """The rows that a busy machine measured."""
        return self.left_out_by("busy")

    @cached_property
    def with_modes(self):
        """{(family, variant)} that can run as in their paper, as far as rows report it."""
        reported = self.rows[self.rows.reports_mode]
        return set(zip(reported.family, reported.variant))

    @property
    def cpu(self):
        """The CPU, or one of the names that it has there; None: nothing ran on one."""
        return self.cpus[0] if self.cpus else None

    @property
    def device(self):
        """The device that a report is about: the GPU, or else the CPU."""
        return self.gpu or self.cpu

    def paths(self, pattern):
        return records.paths_of_records(self.folders, pattern)

    @cached_property
    def failures(self):
        """Lists the failures on the GPU or its host that have no later record: rows with `reason` and `folders`."""
        named = records.namer(records.as_dicts(self.all_rows))
        found = [
            {**named(row), "folders": folders}
            for path, folders in self.paths("failures.csv")
            for row in read_failures(path)
            if row["device"] in ("", self.gpu, *self.cpus)
        ]
        rows = records.as_dicts(self.rows)
        return list(unresolved(found, [{**row, **row["engine"]} if row["engine"] else row for row in rows]))

    # ---- graphs ----

    @cached_property
    def facts(self):
        """{graph: Facts}"""
        sized = self.rows[self.rows.vertices != ""]
        searched = self.rows[(self.rows.family == "bfs") & (self.rows.mean_tree_depth != "")]
        depths = dict(zip(searched.graph, searched.mean_tree_depth.astype(float)))
        acyclic = set(self.rows.graph[self.rows.family == "topo"])
        found = {}
        for graph, *sizes in zip(sized.graph, sized.vertices.astype(float), sized.edges.astype(float)):
            kinds = kinds_of(graph, depths.get(graph)) | ({"acyclic"} if graph in acyclic else set())
            found[graph] = Facts(*map(int, sizes), kinds, depths.get(graph, 0))
        return found

    def choose(self, numbers, graphs):
        """The part of {key: number} on the graphs, each counted once; MissingError if there is none."""
        included = {
            key: number for key, number in numbers.items() if graphs.include(key, self.facts.get(key.graph, Facts()))
        }
        found = without_stand_ins(included)
        if graphs.paper:
            named = [key.graph for key in found if is_named(key.graph, [graphs.paper])]
            named = named or [key.graph for key in found if is_named(key.graph, graphs.like)]
            chosen = nearest(named, graphs.paper, self.facts)
            found = {key: number for key, number in found.items() if key.graph == chosen}
        if not found:
            raise MissingError("the graphs that it is about")
        return found

    # ---- methods ----

    @cached_property
    def evaluation(self):
        """The bfs rows of usual runs, by Blest's steps."""
        rows = self.rows[self.rows.family == "bfs"]
        rows = rows.loc[[is_below(folders, None) for folders in rows.folders]]
        rows = records.as_dicts(rows.sort_values("date", kind="stable"))
        return blest.Evaluation(records.in_mode(rows, self.mode))

    @cached_property
    def xbfs(self):
        return xbfs.Measured(self, self.mode)

    def need_gpu(self):
        if self.gpu is None:
            raise MissingError("times on a GPU")

    def best_rows(self, methods, metric, below=None):
        """{key: row} of a method, or of the best of several there; below: the folder that the rows are from."""
        methods = methods if isinstance(methods, list) else [methods]
        found = [(method, *pair) for method in methods for pair in rows_of(self, method, below)]
        best, sign = {}, 1 if metric.less_is_better else -1
        for method, key, row in found:
            number = None if self._is_of_other_mode(method, row) else metric.of(row)
            if number is not None and (key not in best or sign * number < best[key][0]):
                best[key] = sign * number, row
        if not best:
            what = f"{metric.column} of" if found else "verified rows of"
            raise MissingError(f"{what} {', '.join(map(str, methods))}")
        return {key: row for key, (_, row) in best.items()}

    def _is_of_other_mode(self, method, row):
        """Whether a row is not of the mode that alone counts."""
        of_any = "mode" in dict(method.options) or self.instead
        return not of_any and row["mode"] != self.mode and (row["family"], row["variant"]) in self.with_modes

    def find_rows(self, method, below):
        """[(Key, row)] of a method; several of one graph only with any options."""
        if method.family == "xbfs":
            rows = self.xbfs.rows[self.xbfs.rows.name == XBFS_NAMES[method.variant]]
            return [(Key(row["graph"]), row) for row in records.as_dicts(rows)]
        if method.family == "blest":
            return self._blest_rows(method)
        named = dict(method.options).get("mode")
        rows = self._with_options(method, below, named or self.mode)
        if rows.empty and not named:
            rows = self._with_options(method, below, records.BEST)
        several = method.family == "pairs" and "pairs" not in dict(method.options)
        rows = rows.assign(
            pairs=rows.pairs.astype(int) if several else 0,
            sources=rows.sources.astype(int),
            in_own_order=[self._is_in_own_order(method, *pair) for pair in zip(rows.graph, rows.options)],
        )
        first = pd.MultiIndex.from_frame(rows[["graph", "pairs"]]).unique()
        one = ["graph", "pairs", *(["options", "threads"] if method.any_options else [])]
        # Two rows of the same thing: the one with more sources counts, then the newer one.
        rows = rows.sort_values(["in_own_order", "sources", "date"]).groupby(one).tail(1)
        rows = rows.set_index(["graph", "pairs"]).loc[first]
        return [(Key(*key), row) for key, row in zip(rows.index, records.as_dicts(rows))]

    def _with_options(self, method, below, mode):
        """The rows with the method's options, and with the usual ones of those that it does not name."""
        rows = self.rows[(self.rows.family == method.family) & (self.rows.variant == method.variant)]
        rows = rows[rows["mode"] == mode]
        folder = below or (method.family if method.family in ("pairs", BALANCE) else None)
        rows = rows.loc[[is_below(folders, folder) for folders in rows.folders]]
        named = {name: value for name, value in dict(method.options).items() if name != "mode"}
        for name in set(COUNTS) & named.keys():
            rows = rows[rows[name] == named.pop(name)]
        rows = rows.loc[[not traces(records.settings_of(options)) for options in rows.options]]
        if not method.any_options:
            kept = records.with_usual_threads(records.as_dicts(rows.reset_index()))
            rows = rows.loc[[row["index"] for row in kept]]
        settings = pd.DataFrame(list(map(records.settings_of, rows.options)), rows.index, dtype=object)
        fits, usual = pd.Series(True, rows.index), pd.Series(True, rows.index)
        for name, value in named.items():
            known = settings[name].fillna("") if name in settings else pd.Series("", rows.index)
            fits &= (known == value) | (known.str.split(":").str[0] == value)
        for name in () if method.any_options else settings.columns.difference(["reorder", *TRACING, "mode", *named]):
            known = settings[name][usual].dropna()  # values in the rows that have the usual ones so far
            usual &= settings[name].isna() | (settings[name] == known.mode().max())  # max: of equally common ones
        return rows[fits & usual]

    def _is_in_own_order(self, method, graph, options):
        """Whether the vertices are in the order that is named, or that the variant chooses for the graph."""
        own = blest.NATURAL
        if method.family == "bfs" and method.variant in blest.REORDERED:
            own = self.evaluation.own_order.get(graph, blest.NATURAL)
        return "reorder" in dict(method.options) or blest.split_options(options)[0] == own

    def _blest_rows(self, method):
        """[(Key, row)] in the graph's own order, or in the named one. A step that does not apply to a graph
        has the row of the step before it."""
        variant, order = BLEST_NAMES[method.variant], dict(method.options).get("reorder")
        steps, found = list(blest.ABLATION), []
        for graph in self.evaluation.graphs:
            if variant in blest.REORDERED and not order and graph not in self.evaluation.own_order:
                continue  # a step that reorders does not count in the natural order
            row = self.evaluation.row(graph, variant, order and blest.ORDERS[order])
            while row and not order and not blest.applies(row):
                row = self.evaluation.row(graph, steps[steps.index(row["variant"]) - 1])
            if row:
                found.append((Key(graph), row))
        return found


_with = cache(replace)  # the same Results for the same question, as they keep what was found out


@cache
def _of_device(results, device):
    return replace(Results.read(results.folder, device), mode=results.mode, instead=results.instead)


@cache
def of_build(results, version, day):
    """Returns the same with only the rows of a build and day."""
    rows = results.rows
    return replace(results, rows=rows[(rows.version == version) & (rows.date.str[:10] == day)])


@cache
def rows_of(results, method, below):
    return results.find_rows(method, below)
