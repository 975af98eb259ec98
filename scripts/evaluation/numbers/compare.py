"""compare.py: numbers that compare methods graph by graph, and the means of such numbers.

geomean(speedup(results, dfs("v4"), over=dfs("ckl"), graphs=on("europe_osm", "road:*"))).value
"""

import statistics
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Optional

from evaluation.analyses.blest import bvss_of
from evaluation.comparison import LISTED, in_words, on_equal_terms, over_graphs, ratios, search_ms
from evaluation.files import ROOT
from evaluation.graphs import ALL, Grade, grade, on
from evaluation.methods import SEARCH, Metric
from evaluation.records import SEARCH_RATE, is_of_gtrav, kind_of
from evaluation.results import MissingError, of_build

import pandas as pd


def of_bvss(name, row, digits=None):
    """Returns a number of the BVSS that a row reports, rounded to digits if given; None: it reports none."""
    number = (bvss_of(row) or {}).get(name)
    return number if number is None or digits is None else round(number, digits)


REORDER = Metric("reorder_ms")
TOTAL = Metric("total_s", function=lambda row: search_ms(row) * float(row["sources"]) / 1e3)  # of all searches
MTEPS = Metric(SEARCH_RATE, less_is_better=False)
DEPTH = Metric("mean_tree_depth", less_is_better=False)
DIVERGENCE = Metric("authors_divergence", function=partial(of_bvss, "authors_divergence", digits=0))
COMPRESSION = Metric("compression_ratio", False, partial(of_bvss, "compression_ratio"))
VARIATION = Metric("mean_variation")  # variation of the tasks of blocks

PAPERS = ROOT / "dataset" / "papers"
MOST = 50  # more than so many of the graphs, %, is most of them
LEAST_GRAPHS = 3  # that make a mean beside a paper's table
NOISE = 0.02  # a smaller difference between two times, or from a bound, decides nothing
BOTH = "graph that both ran on, of one build and day and from the same sources"


class Run(NamedTuple):
    """A row that a number is made of."""

    graph: str
    family: str
    variant: str
    place: str  # GPU or CPU
    mode: str


class Answer(NamedTuple):
    """A number for each graph, and what is known of them."""

    numbers: dict  # {Key: number}
    no_difference: Optional[float] = None  # the number if neither method is better
    graph: str = ""  # the paper's graph, if the numbers are about one
    value: Optional[float] = None  # our number, to compare with the paper's
    papers: dict = {}  # {Key: the paper's number of the graph that it stands for}; empty: unknown
    papers_mean: Optional[float] = None  # the mean of these, to compare with the value
    mean: str = ""  # how the value comes from the numbers, in words
    missing: str = ""  # why there is none
    of_hardware: bool = False  # a time or a rate by itself, or how many times as fast a GPU is as a CPU
    of_host: bool = False  # a time or a rate of the host
    terms: dict = {}  # {Key: Terms} of a comparison
    runs: frozenset = frozenset()  # the Runs that the numbers are made of

    @property
    def places(self):
        """GPU, CPU or both: where its runs were."""
        return {run.place for run in self.runs}

    @property
    def sources(self):
        """How many sources the methods were compared on: "64 sources"; with several such words, on how many
        graphs each."""
        return in_words(self.terms[key] for key in self.numbers if key in self.terms)


def papers_table(name):
    """Reads dataset/papers/NAME.csv: a paper's graphs, or what stands for them, and its times on these.

    Returns {name in the tests of claims: Graphs}, those of the table of times, and {method: its times on the latter},
    None where the paper has none."""
    rows = pd.read_csv(PAPERS / f"{name}.csv", dtype={"like": str})
    graphs = {row.name: on(row.graph, *row.like.split()) for row in rows.itertuples(index=False)}
    times = rows.set_index("name").drop(columns=["graph", "like"]).dropna(how="all")
    columns = times.astype(object).where(times.notna(), None).to_dict("list")
    return graphs, [graphs[one] for one in times.index], columns


# ---- numbers; of and over: a method, or a list, of which the best on each graph counts ----


def answer(results, numbers, graphs=ALL, no_difference=None, terms=None, runs=frozenset()):
    """An Answer with the numbers of {Key: number} on the graphs, and with their Terms."""
    chosen = results.choose(numbers, graphs)
    terms = {key: terms[key] for key in chosen if key in (terms or {})}
    return Answer(chosen, no_difference, graphs.paper, terms=terms, runs=runs)


def runs_of(rows):
    """Returns the set of Runs of some (Key, row)."""
    return frozenset(
        Run(key.graph, row["family"], row["variant"], kind_of(row["device"]), row["mode"]) for key, row in rows
    )


def compared(results, of, over, metric, below=None):
    """({key: number} of `of`, the same of `over`, {key: Terms}, Runs) on the graphs that both have on equal terms: of
    one build and day, neither number 0, and times as means over the sources that both have."""
    question = of, over, metric, below
    newest = paired(results, *question)
    pairs = known({key: of_one_build(results, key, rows, question) for key, rows in newest.items()}, BOTH)
    runs, terms = runs_of((key, row) for key, rows in pairs.items() for row in rows), {}
    if metric.column in LISTED:
        found = {key: on_equal_terms(rows) for key, rows in pairs.items()}
        pairs = {key: rows for key, (rows, shared) in found.items() if shared.equal}
        terms = {key: shared for key, (_, shared) in found.items()}
    numbers = {key: [metric.of(row) for row in rows] for key, rows in pairs.items()}
    numbers = known({key: both for key, both in numbers.items() if all(both)}, BOTH)
    return (*({key: both[i] for key, both in numbers.items()} for i in (0, 1)), terms, runs)


def paired(results, of, over, metric, below):
    """{key: [row of `of`, row of `over`]}"""
    ours, theirs = (results.best_rows(methods, metric, below) for methods in (of, over))
    return {key: [ours[key], theirs[key]] for key in ours if key in theirs}


def of_one_build(results, key, newest, question):
    """The newest rows if they are of one build and day, or else rows of the same variants and modes of the build and
    day of either; None: there are none. question: what paired() takes."""
    if are_of_one_build(newest):
        return newest
    for one in newest:
        with suppress(MissingError):
            rows = paired(of_build(results, one["version"], one["date"][:10]), *question).get(key, newest)
            alike = all(row[name] == new[name] for row, new in zip(rows, newest) for name in ("variant", "mode"))
            if alike and are_of_one_build(rows):
                return rows
    return None


def are_of_one_build(rows):
    """Whether rows are of one build of gtrav and one day. Other programs are measured by themselves."""
    own = filter(is_of_gtrav, rows)
    return len({(row["version"], row["date"][:10]) for row in own}) <= 1


def known(numbers, what):
    """The numbers that are not None; MissingError if none is left."""
    found = {key: number for key, number in numbers.items() if number is not None}
    if not found:
        raise MissingError(what)
    return found


def speedup(results, of, over, metric=SEARCH, graphs=ALL, below=None):
    """How many times better `of` is than `over`."""
    ours, theirs, *rest = compared(results, of, over, metric, below)
    faster = ratios(theirs, ours) if metric.less_is_better else ratios(ours, theirs)
    return answer(results, faster, graphs, 1, *rest)


def ratio(results, of, over, metric=SEARCH, graphs=ALL):
    """The metric of `of` over the metric of `over`."""
    ours, theirs, *rest = compared(results, of, over, metric)
    return answer(results, ratios(ours, theirs), graphs, 1, *rest)


def saving(results, of, over, graphs=ALL, below=None):
    """How much less time `of` takes than `over`, %."""
    ours, theirs, *rest = compared(results, of, over, SEARCH, below)
    return answer(results, {key: 100 * (1 - ours[key] / theirs[key]) for key in ours}, graphs, 0, *rest)


def value(results, of, metric=SEARCH, graphs=ALL, below=None):
    """The metric itself."""
    rows = results.best_rows(of, metric, below)
    if metric.column in LISTED:  # sources of small reach are left out, as in comparisons
        rows = {key: on_equal_terms([row])[0][0] for key, row in rows.items()}
    found = answer(results, {key: metric.of(row) for key, row in rows.items()}, graphs, runs=runs_of(rows.items()))
    of_host = metric.of_host or all(kind_of(rows[key]["device"]) == "CPU" for key in found.numbers)
    return found._replace(of_hardware=metric.of_hardware, of_host=of_host)


def quotient(results, ours, other):
    """The numbers of one Answer over the numbers of another."""
    numbers = known(ratios(ours.numbers, other.numbers), BOTH)
    return answer(results, numbers, no_difference=1, runs=ours.runs | other.runs)


def gain_of_gpu(results, of, gpu, other, metric=SEARCH):
    """How many times as fast a method is on one GPU as on another."""
    return quotient(results, *(value(results.of_gpu(model), of, metric) for model in (other, gpu)))


def over_best(results, of, rivals, graphs=ALL):
    """How many times as fast `of` is as the best of these rivals, on each graph on which all ran."""
    return least_of(results, [speedup(results, of, rival, graphs=graphs) for rival in rivals])


def each_over(results, methods, rival, graphs=ALL):
    """How many times as fast the slowest of these methods is as a rival, on each graph on which all ran."""
    return least_of(results, [speedup(results, one, rival, graphs=graphs) for one in methods])


def least_of(results, leads):
    """The least of several Answers on each graph that all have."""
    shared = [key for key in leads[0].numbers if all(key in lead.numbers for lead in leads)]
    found = {key: min(lead.numbers[key] for lead in leads) for key in shared}
    missing = "graph that all of them ran on, of one build and day"
    return answer(results, known(found, missing), no_difference=1, runs=frozenset.union(*(one.runs for one in leads)))


def of_most(number, found):
    """Returns the Answer if it has more than half of the figure's `number` graphs; otherwise MissingError."""
    graphs = {key.graph for key in found.numbers}
    if 2 * len(graphs) <= number:
        raise MissingError(f"rows of most of the paper's {number} graphs")
    return found


def beside_paper(results, ours, graphs, numbers):
    """Ours on graphs of the kind and size of the paper's alone, with its numbers of these graphs, one each. So the
    mean is held against the paper's mean over the same graphs.

    A graph that stands for several counts once, for the first. numbers: None where the paper has none."""
    found = {}
    for graph, number in zip(graphs, numbers):
        with suppress(MissingError):
            for key in results.choose(ours.numbers, graph) if number else ():
                if grade(graph.paper, key.graph, results.facts[key.graph]) >= Grade.SAME_SIZE:
                    found.setdefault(key, number)
    papers = known(found, "graphs of the paper's kind and size, on which its numbers depend")
    return ours._replace(numbers={key: ours.numbers[key] for key in papers}, papers=papers)


def beside_table(results, found, graphs, columns, method, *rivals):
    """An Answer beside a table of the paper, as beside_paper(): how many times as fast a method is as a rival, or as
    the fastest of several. columns: {method: its times on the graphs, None where the paper has none}."""
    best = [min(filter(None, times), default=None) for times in zip(*(columns[rival] for rival in rivals))]
    numbers = [other and ours and other / ours for ours, other in zip(columns[method], best)]
    both = beside_paper(results, found, graphs, numbers)
    if len(both.numbers) < LEAST_GRAPHS:
        raise MissingError(f"{LEAST_GRAPHS} graphs of the paper's kinds and sizes that all ran on")
    return both


def over_paper(results, ours, graphs, numbers):
    """Ours over the paper's numbers, of the graphs of beside_paper()."""
    both = beside_paper(results, ours, graphs, numbers)
    over = {key: number / both.papers[key] for key, number in both.numbers.items()}
    return ours._replace(numbers=over, no_difference=None)


# ---- means of an Answer ----


def mean_of(words, function, found):
    papers_mean = float(function(found.papers.values())) if found.papers else None
    return found._replace(value=float(function(found.numbers.values())), papers_mean=papers_mean, mean=words)


def above_zero(numbers):
    if min(numbers) <= 0:
        raise MissingError("geometric mean, as a number is not above zero")
    return over_graphs(numbers)


geomean = partial(mean_of, "geometric mean", above_zero)
mean = partial(mean_of, "arithmetic mean", statistics.fmean)
median = partial(mean_of, "median", statistics.median)
least = partial(mean_of, "least", min)
greatest = partial(mean_of, "greatest", max)


def share(found, by=1):
    """The graphs on which one is more than `by` times better, %; by a lead within the noise it is not."""
    bound = by + NOISE if by == 1 else by
    shared = mean_of("share", lambda numbers: 100 * statistics.fmean(number > bound for number in numbers), found)
    return shared._replace(no_difference=MOST if by == 1 else None)
