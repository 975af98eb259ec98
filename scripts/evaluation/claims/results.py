"""results.py: the records of one GPU and one CPU, and which of their rows a method stands for.

Rows that failed or that nobody verified never count, and traced runs never count as times. The emulator's
rows do not count either: its times are not a GPU's, and its graphs are not the papers'.
"""

import fnmatch
from collections import Counter
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from evaluation import records
from evaluation.analyses import blest, msbfs, xbfs
from evaluation.analyses.balance import TASKS_FOLDERS, read_tasks, variation
from evaluation.claims.graphs import Facts, Key, is_named, kinds_of, nearest, without_stand_ins
from evaluation.claims.hosts import is_elsewhere
from evaluation.command import EvaluationError, NothingToReport
from evaluation.failures import read_failures, unresolved
from evaluation.files import RESULTS, read_json, read_rows

import pandas as pd

UNTRUSTED = (records.FAILED, "none")  # what `verified` says of rows that do not count
# Folders of runs unlike the usual one of 64 sources: their rows count only where a claim names the folder.
APART = (
    *("batches-*", "closeness-*", "pairs", "scaling", "ranks"),
    *("sensitivity", "tuning", "pairs-settings", "xbfs-*", "quality", "balance"),
)
BALANCE = "balance"  # the family of rows made of the tasks of blocks; runs that count tasks
TRACING = ("trace", "counters")  # options of runs that write down what they do
STATUS = "status.csv"  # of a run of scripts/run_all.sh
QUALITY = "quality"  # rows of quality.csv are as if below a folder of this name
OPTIONAL = ("vertices", "edges", "pairs", "engine", "devices", "threads", "build", "facts", "mean_tree_depth")
# Where rows of the best mode may replace missing rows of the mode that counts first: nowhere; for variants
# that have no row of it; or on each graph that has none.
NOWHERE, BY_VARIANT, BY_GRAPH = range(3)
COUNTS = ("sources", "pairs")  # columns that a method may name like its options

# The names of XBFS's configurations and of Blest's steps in the claims, and what they are in the records.
XBFS_NAMES = {name.replace(" ", ""): name for name in (*xbfs.CONFIGURATIONS, *xbfs.RIVALS)}
XBFS_NAMES["Ad+WB"] = xbfs.WB
BLEST_NAMES = {name.strip("()"): variant for variant, name in blest.ABLATION.items()}
BLEST_NAMES |= {"BerryBees": blest.BERRYBEES, **{name: name for name in blest.RIVALS}}


class MissingError(Exception):
    """Something was not measured; the message is what."""


class Method(NamedTuple):
    """A variant with options. Options that are not named are those that most of its rows have.

    Families beside those of the records: xbfs and blest (configurations and steps of the campaigns), pairs
    (path lengths) and balance (policies of stealing). A named value matches up to a colon: reorder=random."""

    family: str
    variant: str
    options: dict = {}
    any_options: bool = False  # all rows instead, the best of each graph

    def __str__(self):
        words = [f"{name}={value}" for name, value in self.options.items()]
        return ",".join([f"{self.family}:{self.variant}", *words, *["options=any"] * self.any_options])


class Metric(NamedTuple):
    column: str
    less_is_better: bool = True

    @property
    def of_hardware(self):
        """Whether it is a time or a rate."""
        return self.column.endswith(("_ms", "_s", "mteps"))

    @property
    def of_host(self):
        """Whether the host takes that time wherever the search runs."""
        return self.column == "reorder_ms"


def traces(settings):
    """Whether a run wrote down what it did, which takes time."""
    return any(settings.get(name, "0") != "0" for name in TRACING)


def is_below(folders, folder):
    """Whether these folders of a row include such a folder; None: whether the row is of a usual run."""
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


def as_dicts(rows):
    """rows.to_dict("records"), in a tenth of the time where columns are many and rows few."""
    names = list(rows.columns)
    return [dict(zip(names, values)) for values in rows.to_numpy(dtype=object).tolist()]


class Results:
    """Everything below a folder that was measured on one GPU, or none, and the CPU that goes with it.

    cpus: the names of that CPU, which is among those of provenance.json, if it tells any. mode: whose
    rows count first; those of BEST are all that do not say mode=paper. instead: where rows of BEST count instead.
    used: {(family, variant, graph): the mode that counted} of what was asked for since forget(); not of methods that
    name a mode. places: GPU, CPU or both, where that ran. others: further devices that have rows there; elsewhere:
    how many rows of CPUs are of other machines."""

    def __init__(self, folder, device=None):
        self.mode, self.instead = records.BEST, BY_VARIANT
        self.forget()
        self.folder = Path(folder).resolve()
        self.folders = (self.folder, *records.folders_of_the_host(self.folder))
        read = [*self._read()]
        self._named = records.namer(read)
        rows = pd.DataFrame(map(self._named, read), dtype=object)
        if rows.empty:
            raise EvaluationError(f"no records in {folder}; scripts/run_all.sh quick_start makes some")
        absent = [name for name in OPTIONAL if name not in rows]
        rows = rows.assign(**dict.fromkeys(absent, "")).mask(rows.isna(), "")
        untrusted = rows.verified.isin(UNTRUSTED) | records.refuted(rows)
        self.left_out = Counter(rows.verified[untrusted])
        self.emulated = rows[~untrusted & (rows.device == records.EMULATOR)]
        rows = rows[~untrusted & (rows.device != records.EMULATOR)]
        if rows.empty:
            raise NothingToReport(f"{folder} has only rows of the emulator, or that failed or nobody verified")
        if device and device not in set(rows.device):
            known = ", ".join(sorted(set(rows.device)))
            raise EvaluationError(f"nothing of {device} in {folder}; there is: {known}")
        on_cpu = device is not None and records.kind_of(device) == "CPU"
        gpus = [name for name in rows.device if records.kind_of(name) == "GPU"]
        self.gpu = None if on_cpu else device or records.most_common(gpus)
        elsewhere = pd.Series(is_elsewhere(rows, self.folder, self.gpu), rows.index)
        self.elsewhere, rows = Counter(rows.device[elsewhere]), rows[~elsewhere]
        self.provenance = self._read_provenance()
        named = rows.device[rows.device.isin(self.provenance.get("cpu_folders", ()))]
        self.cpus = [device] if on_cpu else records.names_of_cpu(named) or records.names_of_cpu(rows.device)
        of_it = rows.device.isin([self.gpu, *self.cpus])
        self.others, rows = sorted(set(rows.device[~of_it])), rows[of_it]
        modes = [records.settings_of(options).get("mode", "") for options in rows.options]
        self.rows = rows.assign(
            mode=[mode or records.BEST for mode in modes], reports_mode=[mode != "" for mode in modes]
        )
        self._of_modes, self._kept, self._of_gpus = {}, {}, {}

    def forget(self):
        self.used, self.places = {}, set()

    def with_mode(self, mode):
        """The same results, where the rows of this mode count first."""
        if mode not in self._of_modes:
            other = copy(self)
            other.mode, other.instead = mode, BY_VARIANT
            other.forget()
            for name in ("evaluation", "xbfs"):
                vars(other).pop(name, None)
            self._of_modes[mode] = other
        return self._of_modes[mode]

    def of_gpu(self, model):
        """The same of a GPU that its model names; MissingError if no row is of one."""
        words = set(model.lower().split())
        device = next((one for one in (self.gpu, *self.others) if words <= {*(one or "").split("-")}), None)
        if device is None:
            raise MissingError(f"rows of {model}")
        if device != self.gpu and device not in self._of_gpus:
            self._of_gpus[device] = Results(self.folder, device)
        return self if device == self.gpu else self._of_gpus[device].with_mode(self.mode)

    @cached_property
    def modes(self):
        return set(self.rows["mode"])

    @cached_property
    def with_modes(self):
        """{(family, variant)} that can run as in their paper, as far as rows tell."""
        reported = self.rows[self.rows.reports_mode]
        return set(zip(reported.family, reported.variant))

    @property
    def cpu(self):
        """The CPU, or one of the names that it has there; None: nothing ran on one."""
        return self.cpus[0] if self.cpus else None

    @property
    def device(self):
        """What a report is about: the GPU, or else the CPU."""
        return self.gpu or self.cpu

    # ---- reading ----

    def paths(self, pattern):
        return records.paths_of_records(self.folders, pattern)

    def _read(self):
        for path, folders in self.paths("*_perf.csv"):
            if not path.name.startswith("merged_"):
                for row in records.read_records(path):
                    yield self._completed(row, folders)
        for path, folders in self.paths("*_pairs.csv"):
            for row in msbfs.read_pairs_records(path):
                name = row["variant"] if row["family"] == "msbfs" else f"{row['family']}-{row['variant']}"
                engine = {part: row[part] for part in ("family", "variant")}  # as failures name it
                known = {"options": "", **row, "family": "pairs", "variant": name, "folders": folders}
                known["engine"] = engine
                yield {**known, "mean_time_ms": row["time_ms"]}
        yield from self._read_balance()
        for path, folders in self.paths("quality.csv"):
            for row in read_rows(path, numbers=("sources",)):
                yield {**row, "options": "", "verified": "first", "date": "", "folders": (*folders, QUALITY)}

    def _read_balance(self):
        """Rows of the family balance, a variant per policy: from the tasks of blocks, or their summary."""
        policies = [name.removeprefix("balance_") for name in TASKS_FOLDERS]
        known = {"family": BALANCE, "options": "", "verified": "first", "date": "", "folders": (BALANCE,)}
        for path, _ in self.paths("balance.csv"):
            for row in read_rows(path, numbers=("mean_variation", "sources")):
                policy = dict(zip("01", policies)).get(row["balance_policy"], "")
                yield {**row, **known, "variant": policy, "device": path.parent.name}
        for path, (*_, folder) in self.paths("balance_*.csv"):
            if folder in TASKS_FOLDERS:
                trials = read_tasks(path)
                row = {**known, "graph": path.stem.removeprefix("balance_"), "sources": str(len(trials))}
                row.update(variant=folder.removeprefix("balance_"), device=path.parent.parent.name)
                row["version"] = read_rows(path)[-1].get("version", "")
                yield {**row, "mean_variation": variation(trials)}

    @staticmethod
    def _completed(row, folders):
        row["folders"] = folders
        row["total_s"] = float(row["mean_time_ms"]) * float(row["sources"]) / 1e3
        known = blest.bvss_of(row)
        return {**row, **known._asdict()} if known else row

    def _read_provenance(self):
        paths = [path for path in sorted(self.folder.rglob(records.PROVENANCE)) if path.parent.name == self.gpu]
        return read_json(paths[0]) if paths else {}

    @cached_property
    def failures(self):
        """What failed on the GPU or its host, and has no later record: rows with `reason` and `folders`."""
        found = [
            {**self._named(row), "folders": folders}
            for path, folders in self.paths("failures.csv")
            for row in read_failures(path)
            if row["device"] in ("", self.gpu, *self.cpus)
        ]
        rows = self.rows.to_dict("records")
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
        rows = self.rows[self.rows.family == "bfs"]
        rows = rows.loc[[is_below(folders, None) for folders in rows.folders]]
        rows = rows.sort_values("date", kind="stable").to_dict("records")
        return blest.Evaluation(records.in_mode(rows, self.mode))

    @cached_property
    def xbfs(self):
        measured = xbfs.Measured(self.folder, mode=self.mode)
        if measured.gpu not in (None, self.gpu):
            raise MissingError(f"run of XBFS on {self.gpu or 'a GPU'}")
        return measured

    def need_gpu(self):
        if self.gpu is None:
            raise MissingError("times on a GPU")

    def numbers(self, methods, metric, below=None):
        """{key: number} of a method, or of the best of several; below: the folder that the rows are from."""
        rows = self.best_rows(methods, metric, below)
        return {key: float(row[metric.column]) for key, row in rows.items()}

    def best_rows(self, methods, metric, below=None):
        """{key: row} of a method, or of the best of several there; below: as for numbers()."""
        methods = methods if isinstance(methods, list) else [methods]
        found = [(method, *pair) for method in methods for pair in self._rows_of(method, below)]
        best, sign = {}, 1 if metric.less_is_better else -1
        for method, key, row in found:
            names_mode = "mode" in method.options
            if row.get(metric.column, "") != "" and (names_mode or not self._is_of_other_mode(row)):
                number = sign * float(row[metric.column])
                if key not in best or number < best[key][0]:
                    best[key] = number, row, names_mode
        if not best:
            what = f"{metric.column} of" if found else "rows of"
            raise MissingError(f"{what} {', '.join(map(str, methods))}")
        for key, (_, row, names_mode) in best.items():
            self.places.add(records.kind_of(row["device"]))
            if not names_mode:
                self.used[row["family"], row["variant"], key[0]] = row["mode"]
        return {Key(*key): row for key, (_, row, _) in best.items()}

    def _is_of_other_mode(self, row):
        name = row["family"], row["variant"]
        return self.instead == NOWHERE and row["mode"] != self.mode and name in self.with_modes

    def _rows_of(self, method, below):
        """[((graph, number of pairs), row)] of a method; several of one graph only with any options. Kept, as
        many claims ask for the same."""
        asked = self.mode, self.instead, str(method), below
        if asked not in self._kept:
            rows = self._find_rows(method, below)
            self._kept[asked] = list(zip(rows.index, as_dicts(rows)))
        return self._kept[asked]

    def _find_rows(self, method, below):
        if method.family in ("xbfs", "blest"):
            rows = (self._xbfs_rows if method.family == "xbfs" else self._blest_rows)(method)
            index = pd.MultiIndex.from_tuples(list(rows), names=("graph", "pairs"))
            found = pd.DataFrame(list(rows.values()), index, dtype=object)
            return found.mask(found.isna(), "")  # columns of newer rows
        rows = self._fitting(method, below)
        several = method.family == "pairs" and "pairs" not in method.options
        rows = rows.assign(
            pairs=rows.pairs.astype(int) if several else 0,
            sources=rows.sources.astype(int),
            in_own_order=[self._is_in_own_order(method, *pair) for pair in zip(rows.graph, rows.options)],
        )
        first = pd.MultiIndex.from_frame(rows[["graph", "pairs"]]).unique()
        one = ["graph", "pairs", *(["options", "threads"] if method.any_options else [])]
        # Of two rows of the same thing that of more sources counts, then the newer one.
        rows = rows.sort_values(["in_own_order", "sources", "date"]).groupby(one).tail(1)
        rows = rows.set_index(["graph", "pairs"])
        return rows.loc[first]

    def _fitting(self, method, below):
        """The rows of _with_options() in the named mode, or in the one that counts first, or else in BEST."""
        named = method.options.get("mode")
        rows = self._with_options(method, below, named or self.mode)
        if named or not (rows.empty or self.instead == BY_GRAPH):
            return rows
        others = self._with_options(method, below, records.BEST)
        return pd.concat([rows, others[~others.graph.isin(rows.graph)]])

    def _with_options(self, method, below, mode):
        """The rows with the method's options, and with the usual ones of those that it does not name."""
        rows = self.rows[(self.rows.family == method.family) & (self.rows.variant == method.variant)]
        rows = rows[rows["mode"] == mode]
        folder = below or (method.family if method.family in ("pairs", BALANCE) else None)
        rows = rows.loc[[is_below(folders, folder) for folders in rows.folders]]
        named = {name: value for name, value in method.options.items() if name != "mode"}
        for name in set(COUNTS) & named.keys():
            rows = rows[rows[name] == named.pop(name)]
        rows = rows.loc[[not traces(records.settings_of(options)) for options in rows.options]]
        if not method.any_options:
            kept = records.with_usual_threads(as_dicts(rows.reset_index()))
            rows = rows.loc[[row["index"] for row in kept]]
        settings = pd.DataFrame(list(map(records.settings_of, rows.options)), rows.index, dtype=object)
        fits, usual = pd.Series(True, rows.index), pd.Series(True, rows.index)
        for name, value in named.items():
            known = settings[name].fillna("") if name in settings else pd.Series("", rows.index)
            fits &= (known == value) | (known.str.split(":").str[0] == value)
        for name in () if method.any_options else settings.columns.difference(["reorder", *TRACING, "mode", *named]):
            known = settings[name][usual].dropna()  # of rows that have the usual ones so far
            usual &= settings[name].isna() | (settings[name] == known.mode().max())  # of several the last
        return rows[fits & usual]

    def _is_in_own_order(self, method, graph, options):
        """Whether the vertices are in the order that is named, or that the variant chooses for the graph."""
        own = blest.NATURAL
        if method.family == "bfs" and method.variant in blest.REORDERED:
            own = self.evaluation.own_order.get(graph, blest.NATURAL)
        return "reorder" in method.options or blest.split_options(options)[0] == own

    def _xbfs_rows(self, method):
        wanted = XBFS_NAMES[method.variant]
        rows = self.xbfs.rows[self.xbfs.rows.name == wanted]
        return {Key(row["graph"]): row for row in rows.to_dict("records")}

    def _blest_rows(self, method):
        """{key: row} in the graph's own order, or in the named one. A step that does not apply to a graph
        has the row of the step before it."""
        variant, order = BLEST_NAMES[method.variant], method.options.get("reorder")
        steps = list(blest.ABLATION)
        found = {}
        for graph in self.evaluation.graphs:
            if variant in blest.REORDERED and not order and graph not in self.evaluation.own_order:
                continue  # in the natural order it is not that step
            row = self.evaluation.row(graph, variant, order and blest.ORDERS[order])
            while row and not order and not blest.applies(row):
                row = self.evaluation.row(graph, steps[steps.index(row["variant"]) - 1])
            if row:
                found[Key(graph)] = row
        return found
