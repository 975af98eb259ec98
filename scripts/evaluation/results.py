"""results.py: the rows of one machine that count, and which of them a method stands for.

Results never change: with_mode() gives others of the same rows. The emulator's rows do not count: its times are
not a GPU's, and its graphs are not the papers'.
"""

import fnmatch
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from evaluation import records, trusted
from evaluation.analyses import blest
from evaluation.command import EvaluationError
from evaluation.failures import read_failures, unresolved
from evaluation.files import RESULTS
from evaluation.graphs import Facts, Key, is_named, kinds_of, nearest, without_stand_ins
from evaluation.methods import SEARCH, Method

import pandas as pd

# Folders of runs unlike the usual one of 64 sources: their rows count only where a claim names the folder.
APART = (
    *("batches-*", "closeness-*", "pairs", "scaling", "ranks"),
    *("sensitivity", "tuning", "pairs-settings", "xbfs-*", "quality", "balance"),
)
STATUS = "status.csv"  # status file of a run of scripts/run_all.sh
WHERE_ABSENT = {"reorder": blest.NATURAL, "unit": blest.TENSOR}  # values of options where rows do not name them
COUNTS = ("sources", "pairs")  # columns that a method may name like its options


class MissingError(Exception):
    """Something was not measured; the message names it."""


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
        advice = "quick_start makes one; --results names other records"
        raise EvaluationError(f"no run of scripts/run_all.sh in {RESULTS}; {advice}")
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
        included = (key for key in numbers if graphs.include(key, self.facts.get(key.graph, Facts())))
        found = without_stand_ins({key: numbers[key] for key in included})
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
    def own_orders(self):
        """{graph: the order that Blest chooses for it}"""
        rows = self._candidates(Method("bfs", blest.ABC), None)
        orders = zip(rows.graph, map(blest.order_of, rows.options))
        return {graph: order for graph, order in orders if order in (blest.RCM, blest.JACCARD)}

    def own_order(self, variant, graph):
        """The order that a variant of bfs chooses for a graph."""
        return self.own_orders.get(graph, blest.NATURAL) if variant in blest.REORDERED else blest.NATURAL

    def need_gpu(self):
        if self.gpu is None:
            raise MissingError("times on a GPU")

    def rows_of_each(self, methods, metric=SEARCH, below=None):
        """{name: {graph: row}} for {name: a method, or several of which the best counts}; methods that ran only."""
        found = {}
        for name, method in methods.items():
            with suppress(MissingError):
                found[name] = {key.graph: row for key, row in self.best_rows(method, metric, below).items()}
        return found

    def best_rows(self, methods, metric=SEARCH, below=None):
        """{key: row} of a method, or of the best of several. below: the folder of the rows; None: the methods'."""
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
        if method.family == "blest":
            return blest.rows_of_step(self, method.variant)
        rows = self._candidates(method, below)
        several = method.family == "pairs" and "pairs" not in dict(method.options)
        rows = rows.assign(
            pairs=rows.pairs.astype(int) if several else 0,
            sources=rows.sources.astype(int),
            in_own_order=[self._is_in_own_order(method, *pair) for pair in zip(rows.graph, rows.options)],
        )
        rows = records.small_first(rows) if method.of_campaign else rows
        first = pd.MultiIndex.from_frame(rows[["graph", "pairs"]]).unique()
        one = ["graph", "pairs", *(["options", "threads"] if method.any_options else [])]
        # Of rows for the same run, the one with most sources counts; of several such rows, the newest.
        better = ["in_own_order", "date"] if method.of_campaign else ["in_own_order", "sources", "date"]
        rows = rows.sort_values(better).groupby(one).tail(1)
        rows = rows.set_index(["graph", "pairs"], drop=False).loc[first]
        return [(Key(*key), row) for key, row in zip(rows.index, records.as_dicts(rows))]

    def _candidates(self, method, below):
        """The rows of the mode that the method names, or else of self.mode, or else of the best mode."""
        named = dict(method.options).get("mode")
        rows = self._with_options(method, below, named or self.mode)
        return self._with_options(method, below, records.BEST) if rows.empty and not named else rows

    def _with_options(self, method, below, mode):
        """The rows with the method's options, and with the usual ones of those that it does not name."""
        rows = self.rows[(self.rows.family == method.family) & (self.rows.variant == method.variant)]
        rows = rows[rows["mode"] == mode]
        rows = rows.loc[[is_below(folders, below or method.below) for folders in rows.folders]]
        named = {name: value for name, value in dict(method.options).items() if name != "mode"}
        for name in set(COUNTS) & named.keys():
            rows = rows[rows[name] == named.pop(name)]
        rows = rows.loc[[not records.traces(records.settings_of(options)) for options in rows.options]]
        if not method.any_options:
            rows = records.with_usual_threads(rows)
        settings = pd.DataFrame(list(map(records.settings_of, rows.options)), rows.index, dtype=object)
        fits, usual = pd.Series(True, rows.index), pd.Series(True, rows.index)
        for name, value in named.items():
            absent = WHERE_ABSENT.get(name, "")
            known = settings[name].fillna(absent) if name in settings else pd.Series(absent, rows.index)
            fits &= (known == value) | (known.str.split(":").str[0] == value)
        fixed = ["reorder", *records.TRACING, "mode", *named]
        for name in () if method.any_options else settings.columns.difference(fixed):
            known = settings[name][usual].dropna()  # values in the rows that have the usual ones so far
            usual &= settings[name].isna() | (settings[name] == known.mode().max())  # max: of equally common ones
        return rows[fits & usual]

    def _is_in_own_order(self, method, graph, options):
        """Whether the vertices are in the order that is named, or that the variant chooses for the graph."""
        return "reorder" in dict(method.options) or blest.order_of(options) == self.own_order(method.variant, graph)


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
