"""listing.py: the papers, and their claims as dataset/claims/PAPER.csv lists them.

scripts/claims.py --help says what the columns are.
"""

import csv
import inspect
import re
from pathlib import Path
from typing import Callable, NamedTuple, Optional

from evaluation import dataset, graphs, methods
from evaluation.claims.verdicts import ABOUT, REASONS, SENSES
from evaluation.command import EvaluationError
from evaluation.methods import Metric
from evaluation.numbers import blest, compare, diggerbees, ibfs, warpnet, xbfs

import pandas as pd

CLAIMS = dataset.ROOT / "dataset" / "claims"
PEERS = dataset.ROOT / "dataset" / "peers.csv"
NO_BASELINE, OWN = "none", "own"
NUMBER = r"(-?\d+(?:\.\d+)?)"
RANGE = re.compile(rf"{NUMBER}(?:-{NUMBER})?")
IMPLAUSIBLE = "implausible"  # begins the note on a number of a paper that cannot be: nothing is divided by it

# The papers and their hardware; modes: the modes of run_all.sh that measure what the claims need.
PAPERS = {paper.id: paper for paper in pd.read_csv(dataset.ROOT / "dataset" / "papers.csv").itertuples()}


class Call(NamedTuple):
    """A call in a test, which waits for the Results. With them it gives an Answer, or the part of one."""

    name: str
    words: tuple
    options: dict
    of: Callable  # evaluates it: a function of the Results

    def __str__(self):
        options = [f"{name}={in_words(value)}" for name, value in self.options.items()]
        return f"{self.name}({', '.join([*map(in_words, self.words), *options])})"

    @property
    def graph(self):
        """The one graph of the paper that it is about; "": it is about several."""
        values = (*self.words, *self.options.values())
        found = [one.graph if isinstance(one, Call) else getattr(one, "paper", "") for one in values]
        return next(filter(None, found), "")


def in_words(value):
    if isinstance(value, Metric):
        return value.column
    return f"[{', '.join(map(str, value))}]" if isinstance(value, (list, range)) else str(value)


def on_gpu(model, number):
    """A number of the rows of one GPU."""
    return Call("on_gpu", (model, number), {}, lambda results: number.of(results.of_gpu(model)))


def deferred(name, function):
    """The function without its parameter `results`, if it begins with this one.

    It then gives a Call, as it does if one of its words is a Call."""

    def call(*words, **options):
        signature = inspect.signature(function)
        is_of_results = next(iter(signature.parameters), "") == "results"
        signature.bind(*[None] * is_of_results, *words, **options)  # or TypeError

        def with_results(results):
            known = [word.of(results) if isinstance(word, Call) else word for word in words]
            return function(*[results] * is_of_results, *known, **options)

        waits = is_of_results or any(isinstance(word, Call) for word in words)
        return Call(name, words, options, with_results) if waits else function(*words, **options)

    return call


def names_of(module):
    """The names that the tests of a paper's claims use."""
    known = {**vars(graphs), **vars(methods), **vars(compare), **vars(module), **getattr(module, "GRAPHS", {})}
    found = {name: deferred(name, value) if callable(value) else value for name, value in known.items()}
    return {**found, "on_gpu": on_gpu}


NAMES = {module.__name__.rpartition(".")[2]: names_of(module) for module in (diggerbees, blest, xbfs, ibfs, warpnet)}


def read_test(text, paper):
    """The Call that a test is. An error of Python means that it is none."""
    test = eval(text, {"__builtins__": {}}, NAMES[paper])
    if not isinstance(test, Call):
        raise TypeError("it gives no number")
    return test


class Claim(NamedTuple):
    id: str
    paper: str
    section: str
    claim: str
    low: float  # the paper's number, or the ends of its range
    high: float
    unit: str = "x"
    sense: str = ABOUT
    baseline: str = NO_BASELINE
    test: Optional[Call] = None
    untestable: str = ""  # one of REASONS and, after a colon, why it cannot be tested
    note: str = ""

    @property
    def value(self):
        """The paper's number; of a range its middle."""
        return (self.low + self.high) / 2

    @property
    def reported(self):
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}-{self.high:g}"

    @property
    def graph(self):
        """The one graph of the paper that it is about; "": it is about several, or none."""
        return self.test.graph if self.test else ""

    @property
    def is_implausible(self):
        """Whether the paper's number cannot be: then ours is not held against it."""
        return self.note.startswith(IMPLAUSIBLE)

    def nearest(self, ours: Optional[float]):
        """The paper's number that is nearest to ours."""
        return self.value if ours is None else min(max(ours, self.low), self.high)


COLUMNS = ("id", "section", "claim", "value", "unit", "sense", "baseline", "test", "untestable", "note")
MAY_BE_EMPTY = ("test", "untestable", "note")


def read_table(path, columns):
    """(where it stands, row) of every line of a table written by hand."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, strict=True)
            if tuple(reader.fieldnames or ()) != columns:
                raise EvaluationError(f"{path}: line 1: the columns are {','.join(columns)}")
            for row in reader:
                yield f"{path}: line {reader.line_num}", row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error


def read_claims(folder: Path = CLAIMS):
    """The claims of all PAPER.csv in a folder, in the order of the papers; EvaluationError, with the line, if
    one cannot be used."""
    paths = {path.stem: path for path in sorted(folder.glob("*.csv"))}
    if not paths:
        raise EvaluationError(f"cannot read {folder}: there is no file of claims, PAPER.csv, in it")
    unknown = [paths[name] for name in paths if name not in PAPERS]
    if unknown:
        raise EvaluationError(f"{unknown[0]}: the name must be one of {', '.join(PAPERS)}")
    baselines = (NO_BASELINE, OWN, *pd.read_csv(PEERS).peer.unique())
    claims = {}
    for paper in (name for name in PAPERS if name in paths):
        before = len(claims)
        for where, row in read_table(paths[paper], COLUMNS):
            claim = read_claim(where, row, paper, baselines)
            if claim.id in claims:
                raise EvaluationError(f"{where}: id: {claim.id} is there already")
            claims[claim.id] = claim
        if len(claims) == before:
            raise EvaluationError(f"{paths[paper]}: no claim in it")
    return list(claims.values())


def read_claim(where, row, paper, baselines):
    if None in row or None in row.values():
        many = "more" if None in row else "fewer"
        raise EvaluationError(f"{where}: {many} fields than the first line names")
    empty = [name for name in COLUMNS if name not in MAY_BE_EMPTY and not row[name].strip()]
    if empty:
        raise EvaluationError(f"{where}: {empty[0]} is empty")
    for name, known in (("sense", SENSES), ("baseline", baselines)):
        if row[name] not in known:
            raise EvaluationError(f"{where}: {name}: '{row[name]}' is not one of {', '.join(known)}")
    ends = RANGE.fullmatch(row["value"])
    if not ends:
        raise EvaluationError(f"{where}: value: '{row['value']}' is not a number, nor a range such as 4-5")
    low = float(ends[1])
    high = low if ends[2] is None else float(ends[2])
    if high < low:
        raise EvaluationError(f"{where}: value: '{row['value']}' ends below its start")
    if bool(row["test"]) == bool(row["untestable"]):
        raise EvaluationError(f"{where}: test: it has a test, or says why it is untestable")
    if row["untestable"] and not row["untestable"].startswith(tuple(f"{reason}: " for reason in REASONS)):
        raise EvaluationError(f"{where}: untestable: it must begin with one of {', '.join(REASONS)}, and a colon")
    try:
        test = row["test"] and read_test(row["test"], paper)
    except (AttributeError, NameError, SyntaxError, TypeError) as error:
        raise EvaluationError(f"{where}: test: '{row['test']}' is not a valid test: {error}") from error
    fields = {name: row[name] for name in COLUMNS if name not in ("value", "test")}
    return Claim(paper=paper, low=low, high=high, test=test or None, **fields)
