"""Tests claims of papers against records: dataset/claims/PAPER.csv has a claim a line, and the module of the
paper beside this file a function for each that can be tested.

  scripts/claims.py                   every claim: the verdict, the paper's number, ours
  scripts/claims.py diggerbees-ckl    these claims, graph by graph

Columns of dataset/claims/PAPER.csv (PAPER: diggerbees, blest, xbfs, ibfs or warpnet):
  id          a short name, unique; CLAIMS in scripts/evaluation/claims/PAPER.py has what tests it
  section     where it stands: abstract; 4.2, table 2; figure 11
  claim       what is claimed, in our words, one line
  value       the paper's number, or its range, such as 1.67-1.82
  unit        of it: x, %, ms, MTEPS, ...; shares and savings are in %
  sense       how ours is held against it: about, a size, two-sided; at least or at most, a bound that it
              names itself ("up to", "no more than", "on every graph"); direction: which is better, no size
  baseline    none: variants of one system, or no comparison; own: the rival is gtrav's implementation of it;
              or the rival's program, a name in dataset/peers.csv
  untestable  why it cannot be tested here, if so: it has no function then; else empty
  note        what differs in hardware or data, one line; may be empty

Verdicts:
  reproduced      ours is the paper's number to within a fifth (0.8 to 1.25 times), or better where the claim
                  is `at least` or `at most`; it is on the paper's side of no difference, at least half as far
                  from it, and where the claim is `about`, at most twice as far
  same trend      on the paper's side of no difference, but not as far; at least a tenth as far, though (of
                  factors their logarithms), and 0.02x or 2 % from it; where no number is no difference, or it
                  is claimed that something gains at most so much: half of the paper's to double
  not reproduced  anything else
  not run         there are no rows that tell
  not testable here  the claim says why
A share of at least 100 % is all graphs (a trend where it is most of them), one of at least 50 % is most: a
fifth less does not do.
"""

import ast
import inspect
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evaluation.claims import blest, diggerbees, ibfs, listing, warpnet, xbfs
from evaluation.claims.listing import ABOUT, AT_LEAST, AT_MOST, CLAIMS, DIRECTION, Claim
from evaluation.claims.measures import MOST, Answer
from evaluation.claims.results import MissingError, Results
from evaluation.command import EvaluationError, new_parser
from evaluation.files import RESULTS

MODULES = (diggerbees, blest, xbfs, ibfs, warpnet)
FUNCTIONS = {name: function for module in MODULES for name, function in module.CLAIMS.items()}

REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN = "reproduced", "same trend", "not reproduced", "not run"
NOT_TESTABLE = "not testable here"
VERDICTS = (REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN, NOT_TESTABLE)
CLOSE = 0.8  # of the paper's number, or 1 / CLOSE of it
GAIN = 0.5  # of the paper's distance from no difference; of factors in logarithms
NOISE = 0.02  # what is as near to no difference tells nothing
HINT = 0.1  # of that distance: less is no difference
ALL = 100  # of the graphs, %
ALIKE = 0.5  # what is left of a trend where nothing is no difference

# ---- claims and verdicts ----


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
    if claim.untestable:
        return NOT_TESTABLE
    ours, paper, nothing = answer.value, claim.nearest(answer.value), side_of(answer, claim)
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
    if name not in FUNCTIONS:
        return Answer({}, missing="way to test it here")
    try:
        return FUNCTIONS[name](results)
    except MissingError as error:
        return Answer({}, missing=str(error))


def test_claims(results, claims):
    answers = [ask(results, claim.id) for claim in claims]
    return [Tested(claim, answer, judge(answer, claim)) for claim, answer in zip(claims, answers)]


@cache
def sources():
    """{id of a claim: the expression that tests it}; of a function that no table writes out, its name."""
    found = {name: function.__qualname__ for name, function in FUNCTIONS.items()}
    for module in MODULES:
        for table in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(table, ast.Dict):
                found |= expressions(table)
    return found


def expressions(table):
    """{id: expression} of those entries of a table in the source that are ids of claims."""
    return {
        key.value: ast.unparse(getattr(function, "body", function))
        for key, function in zip(table.keys, table.values)
        if isinstance(key, ast.Constant) and key.value in FUNCTIONS
    }


def read_claims(folder=CLAIMS):
    return listing.read_claims(FUNCTIONS, folder)


# ---- the command line ----


def add_options(parser):
    """Of this script and of report.py, which have --results of their own."""
    parser.add_argument("--device", help="the GPU, or a CPU alone (default: the GPU that most rows are of)")
    parser.add_argument("--claims", type=Path, default=CLAIMS, metavar="DIR", help="default: dataset/claims")


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
        print(f"{verdict:17}  {claim.id:28}  {claim.told} {claim.unit}, ours {ours}")
    if not arguments.id:
        counts = Counter(one.verdict for one in tested)
        print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))
    return 0
