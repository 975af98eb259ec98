"""Tests claims of papers against records: dataset/claims.csv has a claim a line, and the module of the paper
beside this file a function for each.

  scripts/claims.py                   every claim: the verdict, the paper's number, ours
  scripts/claims.py diggerbees-ckl    these claims, graph by graph

Columns of dataset/claims.csv:
  id       a short name, unique; CLAIMS in scripts/evaluation/claims/PAPER.py has the function that tests it
  paper    diggerbees, blest, xbfs, ibfs or warpnet
  section  where it stands: abstract; 4.2, table 2; figure 11
  claim    what is claimed, in our words, one line
  value    the paper's number
  unit     of it: x, %, ms, MTEPS, ...; shares and savings are in %
  sense    how ours is held against it: at least, at most, about; direction: only the side of no difference
  note     what differs in hardware or data, one line; may be empty

Verdicts:
  reproduced      ours is the paper's number to within a fifth (0.8 to 1.25 times), or better where the claim
                  is `at least` or `at most`; it is on the paper's side of no difference, at least half as far
                  from it, and where the claim is `about`, at most twice as far
  same trend      on the paper's side of no difference, but not as far; at least a tenth as far, though (of
                  factors their logarithms), and 0.02x or 2 % from it; where no number is no difference, or it
                  is claimed that something gains at most so much: half of the paper's to double
  not reproduced  anything else
  not run         there are no rows that tell
A share of at least 100 % is all graphs (a trend where it is most of them), one of at least 50 % is most: a
fifth less does not do.
"""

import ast
import csv
import inspect
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.claims import blest, diggerbees, ibfs, warpnet, xbfs
from evaluation.claims.measures import MOST, Answer
from evaluation.claims.results import MissingError, Results
from evaluation.command import EvaluationError, new_parser
from evaluation.files import RESULTS, is_number

import pandas as pd

MODULES = (diggerbees, blest, xbfs, ibfs, warpnet)
FUNCTIONS = {name: function for module in MODULES for name, function in module.CLAIMS.items()}
CLAIMS = dataset.ROOT / "dataset" / "claims.csv"
AT_LEAST, AT_MOST, ABOUT, DIRECTION = "at least", "at most", "about", "direction"
SENSES = (AT_LEAST, AT_MOST, ABOUT, DIRECTION)

REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN = "reproduced", "same trend", "not reproduced", "not run"
VERDICTS = (REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN)
CLOSE = 0.8  # of the paper's number, or 1 / CLOSE of it
GAIN = 0.5  # of the paper's distance from no difference; of factors in logarithms
NOISE = 0.02  # what is as near to no difference tells nothing
HINT = 0.1  # of that distance: less is no difference
ALL = 100  # of the graphs, %
ALIKE = 0.5  # what is left of a trend where nothing is no difference

# What each paper is and measured on; modes: of run_all.sh, which measure what its claims need.
PAPERS = {paper.id: paper for paper in pd.read_csv(dataset.ROOT / "dataset" / "papers.csv").itertuples()}

# ---- claims and verdicts ----


class Claim(NamedTuple):
    id: str
    paper: str
    section: str
    claim: str
    value: float
    unit: str
    sense: str
    note: str


COLUMNS = Claim._fields  # of dataset/claims.csv


class Tested(NamedTuple):
    claim: Claim
    answer: Answer
    verdict: str


def side_of(answer, claim):
    """The number of no difference, if the claim says on which side of it ours is to be; else None."""
    nothing = answer.no_difference
    if nothing is None or claim.value == nothing:
        return None
    # At most so much of a gain, or at least so little of a loss: no difference is as good.
    towards = AT_MOST if claim.value > nothing else AT_LEAST
    return None if claim.sense == towards else nothing


def judge(answer, claim):
    """The verdict on a claim."""
    ours, paper, nothing = answer.value, claim.value, side_of(answer, claim)
    if ours is None:
        return NOT_RUN
    if claim.sense == DIRECTION and nothing is None:
        raise EvaluationError(f"{claim.id}: sense: its number has no direction")
    if answer.no_difference == MOST and claim.sense == AT_LEAST and paper in (MOST, ALL):
        if ours > MOST and (paper == MOST or ours == ALL):
            return REPRODUCED
        return TREND if ours > MOST else NOT_REPRODUCED
    if ours == paper or {AT_LEAST: ours > paper, AT_MOST: ours < paper}.get(claim.sense):
        return REPRODUCED
    gain = None
    if nothing is not None:
        factors = nothing == 1 and min(ours, paper) > 0
        gain = math.log(ours) / math.log(paper) if factors else (ours - nothing) / (paper - nothing)
        is_noise = abs(ours - nothing) < NOISE * (1 if nothing == 1 else 100)
        if claim.sense == DIRECTION:
            return REPRODUCED if gain > 0 and not is_noise else NOT_REPRODUCED
        if gain < HINT or is_noise:
            return NOT_REPRODUCED
    alike = gain is None or GAIN <= gain <= (1 / GAIN if claim.sense == ABOUT else math.inf)
    if paper != 0 and CLOSE <= ours / paper <= 1 / CLOSE and alike:
        return REPRODUCED
    if gain is None:
        return TREND if paper != 0 and ALIKE <= ours / paper <= 1 / ALIKE else NOT_REPRODUCED
    return TREND


def ask(results, name):
    """The Answer that the function of the claim of this id gives."""
    try:
        return FUNCTIONS[name](results)
    except MissingError as error:
        return Answer({}, missing=str(error))


def test_claims(results, claims):
    answers = [ask(results, claim.id) for claim in claims]
    return [Tested(claim, answer, judge(answer, claim)) for claim, answer in zip(claims, answers)]


@cache
def sources():
    """{id of a claim: the expression that tests it}"""
    found = {}
    for module in MODULES:
        table = ast.parse(inspect.getsource(module)).body[-1].value  # CLAIMS is the last thing in it
        found |= {key.value: ast.unparse(function.body) for key, function in zip(table.keys, table.values)}
    return found


# ---- the list ----


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


def read_claims(path=CLAIMS):
    """The claims; EvaluationError, with the line, if one cannot be used."""
    claims = {}
    for where, row in read_table(path, COLUMNS):
        claims[row["id"]] = read_claim(where, row, claims)
    if not claims:
        raise EvaluationError(f"{path}: no claim in it")
    return list(claims.values())


def read_claim(where, row, earlier):
    if None in row or None in row.values():
        many = "more" if None in row else "fewer"
        raise EvaluationError(f"{where}: {many} fields than the first line names")
    empty = [name for name in COLUMNS[:-1] if not row[name].strip()]
    if empty:
        raise EvaluationError(f"{where}: {empty[0]} is empty")
    if row["id"] in earlier:
        raise EvaluationError(f"{where}: id: {row['id']} is there already")
    if row["id"] not in FUNCTIONS:
        raise EvaluationError(f"{where}: id: no function tests {row['id']}")
    for name, known in (("paper", PAPERS), ("sense", SENSES)):
        if row[name] not in known:
            raise EvaluationError(f"{where}: {name}: '{row[name]}' is none of {', '.join(known)}")
    if not is_number(row["value"]):
        raise EvaluationError(f"{where}: value: '{row['value']}' is not a number")
    return Claim(**{**row, "value": float(row["value"])})


# ---- the command line ----


def add_options(parser):
    """Of this script and of report.py, which have --results of their own."""
    parser.add_argument("--device", help="the GPU, or a CPU alone (default: the GPU that most rows are of)")
    parser.add_argument(
        "--claims", type=Path, default=CLAIMS, metavar="FILE", help="default: dataset/claims.csv"
    )


def main():
    parser = new_parser(__doc__)
    parser.add_argument("id", nargs="*", help="these claims, graph by graph")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="DIR", help="records (default: results)"
    )
    add_options(parser)
    arguments = parser.parse_args()
    claims = {claim.id: claim for claim in read_claims(arguments.claims)}
    unknown = [name for name in arguments.id if name not in claims]
    if unknown:
        raise EvaluationError(f"no claim '{unknown[0]}' in {arguments.claims}")
    results = Results(arguments.results, arguments.device)
    asked = [claims[name] for name in arguments.id] or list(claims.values())
    tested = test_claims(results, asked)
    for claim, answer, verdict in tested:
        for key, number in answer.numbers.items() if arguments.id else ():
            print(f"{number:12.4g}  {key}")
        ours = f"no {answer.missing}" if answer.missing else f"{answer.value:.4g} of {len(answer.numbers)}"
        print(f"{verdict:14}  {claim.id:24}  {claim.value:g} {claim.unit}, ours {ours}")
    if not arguments.id:
        counts = Counter(one.verdict for one in tested)
        print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))
    return 0
