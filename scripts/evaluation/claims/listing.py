"""listing.py: the papers, and their claims as dataset/claims/PAPER.csv lists them.

scripts/claims.py --help says what the columns are.
"""

import ast
import csv
import inspect
import re
from pathlib import Path
from typing import NamedTuple, Optional

from evaluation import dataset, graphs
from evaluation.command import EvaluationError
from evaluation.numbers import blest, compare, diggerbees, ibfs, warpnet, xbfs
from evaluation.results import Metric

import pandas as pd

CLAIMS = dataset.ROOT / "dataset" / "claims"
PEERS = dataset.ROOT / "dataset" / "peers.csv"
AT_LEAST, AT_MOST, ABOUT, DIRECTION = "at least", "at most", "about", "direction"
SENSES = (AT_LEAST, AT_MOST, ABOUT, DIRECTION)
NO_BASELINE, OWN = "none", "own"
NUMBER = r"(-?\d+(?:\.\d+)?)"
RANGE = re.compile(rf"{NUMBER}(?:-{NUMBER})?")

# What each paper is and measured on; modes: of run_all.sh, which measure what its claims need.
PAPERS = {paper.id: paper for paper in pd.read_csv(dataset.ROOT / "dataset" / "papers.csv").itertuples()}
# What the expressions of each paper's claims are made of.
NAMES = {
    module.__name__.rpartition(".")[2]: {**vars(graphs), **vars(compare), **vars(module)}
    for module in (diggerbees, blest, xbfs, ibfs, warpnet)
}


ON_GPU = "on_gpu"  # on_gpu(MODEL, NUMBER): a number of the rows of one GPU

PARTS = (ast.Call, ast.keyword, ast.Name, ast.Load, ast.List, ast.Constant, ast.UnaryOp, ast.USub)


class Expression:
    """What tests a claim: calls, names, lists, numbers and strings. Called with Results it gives an Answer."""

    def __init__(self, text, names):
        """KeyError, SyntaxError, TypeError or ValueError: it is none."""
        self.tree, self.names = ast.parse(text, mode="eval").body, names
        self._check(self.tree)

    def __call__(self, results):
        return self._value(self.tree, results)

    def __str__(self):
        return self._words(self.tree)

    def _measures(self, node):
        """Whether a call's function takes the results."""
        return next(iter(inspect.signature(self.names[node.func.id]).parameters), "") == "results"

    def _is_number(self, node):
        """Whether a call gives a number or its mean, which takes results."""
        calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
        return any(one.func.id == ON_GPU or self._measures(one) for one in calls)

    def _check(self, tree):
        """Raises an error where a name is not known or a call has other arguments than its function."""
        for node in ast.walk(tree):
            if not isinstance(node, PARTS):
                raise ValueError(f"it has a part of the kind {type(node).__name__}")
            if isinstance(node, ast.Name) and node.id != ON_GPU:
                self.names[node.id]  # KeyError
            if isinstance(node, ast.Call) and node.func.id != ON_GPU:
                words = [None] * (len(node.args) + self._measures(node))
                options = dict.fromkeys(option.arg for option in node.keywords)
                inspect.signature(self.names[node.func.id]).bind(*words, **options)

    def _value(self, node, results):
        if isinstance(node, ast.Call):
            if node.func.id == ON_GPU:
                return self._value(node.args[1], results.of_gpu(self._value(node.args[0], results)))
            words = [self._value(word, results) for word in node.args]
            options = {option.arg: self._value(option.value, results) for option in node.keywords}
            return self.names[node.func.id](*[results] * self._measures(node), *words, **options)
        if isinstance(node, ast.List):
            return [self._value(one, results) for one in node.elts]
        return self.names[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)

    def _words(self, node):
        """The expression with methods and graphs in place of their names."""
        if isinstance(node, ast.Call) and self._is_number(node):
            options = [f"{option.arg}={self._words(option.value)}" for option in node.keywords]
            return f"{node.func.id}({', '.join([*map(self._words, node.args), *options])})"
        return in_words(self._value(node, None))


def in_words(value):
    if isinstance(value, Metric):
        return value.column
    return f"[{', '.join(map(str, value))}]" if isinstance(value, (list, range)) else str(value)


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
    test: Optional[Expression] = None
    untestable: str = ""  # why it cannot be tested here
    note: str = ""

    @property
    def value(self):
        """The paper's number; of a range its middle."""
        return (self.low + self.high) / 2

    @property
    def reported(self):
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}-{self.high:g}"

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
        raise EvaluationError(f"{unknown[0]}: its name is none of {', '.join(PAPERS)}")
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
            raise EvaluationError(f"{where}: {name}: '{row[name]}' is none of {', '.join(known)}")
    ends = RANGE.fullmatch(row["value"])
    if not ends:
        raise EvaluationError(f"{where}: value: '{row['value']}' is not a number, nor a range such as 4-5")
    low = float(ends[1])
    high = low if ends[2] is None else float(ends[2])
    if high < low:
        raise EvaluationError(f"{where}: value: '{row['value']}' ends below its start")
    if bool(row["test"]) == bool(row["untestable"]):
        raise EvaluationError(f"{where}: test: it has a test, or says why it is untestable")
    try:
        test = row["test"] and Expression(row["test"], NAMES[paper])
    except (AttributeError, SyntaxError, KeyError, TypeError, ValueError) as error:
        raise EvaluationError(f"{where}: test: '{row['test']}' is none: {error}") from error
    fields = {name: row[name] for name in COLUMNS if name not in ("value", "test")}
    return Claim(paper=paper, low=low, high=high, test=test or None, **fields)
