"""Tests claims of papers against records: dataset/claims.csv has a claim a line, with a query over records.

  scripts/claims.py                        every claim: the paper's number, ours, the verdict
  scripts/claims.py 'speedup of=dfs:v4 over=dfs:nvg metric=mteps'     what a query gives, graph by graph

Columns of dataset/claims.csv:
  id       a short name, unique
  paper    diggerbees, blest, xbfs, ibfs or warpnet
  section  where it stands: abstract; 4.2, table 2; figure 11
  claim    what is claimed, in our words, one line
  query    what tests it: see below (scripts/evaluation/claims/queries.py)
  value    the paper's number
  unit     of it: x, %, ms, MTEPS, ...; a query's shares and savings are in %
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

import argparse
import csv
import math
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.claims import queries
from evaluation.claims.queries import (
    MEASURES,
    ClaimsError,
    Outcome,
    Query,
    Results,
    evaluate,
    number_of,
    read_query,
)
from evaluation.records import RESULTS

QUERIES = queries.__doc__.split("\n", 2)[2]
CLAIMS = dataset.ROOT / "dataset" / "claims.csv"
COLUMNS = ("id", "paper", "section", "claim", "query", "value", "unit", "sense", "note")
AT_LEAST, AT_MOST, ABOUT, DIRECTION = "at least", "at most", "about", "direction"
SENSES = (AT_LEAST, AT_MOST, ABOUT, DIRECTION)

REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN = "reproduced", "same trend", "not reproduced", "not run"
VERDICTS = (REPRODUCED, TREND, NOT_REPRODUCED, NOT_RUN)
CLOSE = 0.8  # of the paper's number, or 1 / CLOSE of it
GAIN = 0.5  # of the paper's distance from no difference; of factors in logarithms
NOISE = 0.02  # nothing is told by what is as near to no difference
HINT = 0.1  # of it: what is less is as good as no difference
MOST, ALL = 50, 100  # of the graphs, %
ALIKE = 0.5  # what is left of a trend where nothing is no difference


class Paper(NamedTuple):
    name: str
    title: str
    reference: str
    gpu: str
    cpu: str
    modes: str  # of run_all.sh that measure what its claims need


PAPERS = {
    "diggerbees": Paper(
        *("DiggerBees", "depth-first search on GPUs", "Niu et al., PPoPP 2026", "H100 SXM5; A100 PCIe"),
        *("Xeon Max 9462, 64 cores", "run_subset run_bench run_balance run_sensitivity"),
    ),
    "blest": Paper(
        *("Blest", "BFS on tensor cores", "Elbek and Kaya 2026", "H200; 100 H100 for closeness"),
        *("Xeon Gold 6548Y+, 64 cores", "run_blest run_msbfs"),
    ),
    "xbfs": Paper(
        *(
            "XBFS",
            "BFS that adapts at run time",
            "Gaihre et al., HPDC 2019",
            "Quadro P6000; K80, Titan Xp, V100",
        ),
        *("Xeon Platinum 8175M, 24 cores", "run_xbfs"),
    ),
    "ibfs": Paper(
        *("IBFS", "lengths of paths between many pairs", "Dreef, thesis 2025", "RTX 2080 mobile; RTX 2060"),
        *("Core i7-9750H; i3-6100", "run_msbfs"),
    ),
    "warpnet": Paper(
        *("WarpNet", "three BFS kernels, and acyclic graphs", "Kalra 2025", "RTX 2070"),
        *("not told", "run_warpnet"),
    ),
}

# ---- claims and verdicts ----


class Claim(NamedTuple):
    id: str
    paper: str
    section: str
    claim: str
    query: Query
    value: float
    unit: str
    sense: str
    note: str

    @property
    def is_of_graphs(self):
        """Whether it is a share of graphs on which one is better than the other."""
        return self.query.measure == "share" and float(self.query.settings.get("by", 1)) == 1

    @property
    def no_difference(self):
        """The number of neither; a share's is a half where the paper says that it is more, or less."""
        nothing = MOST if self.is_of_graphs else MEASURES[self.query.measure].no_difference
        if nothing is None or self.value == nothing:
            return None
        # At most so much of a gain, or at least so little of a loss: no difference is as good.
        towards = AT_MOST if self.value > nothing else AT_LEAST
        return None if self.sense == towards else nothing


def judge(ours, claim):
    """The verdict on a claim for our number, or None."""
    paper, nothing = claim.value, claim.no_difference
    if ours is None:
        return NOT_RUN
    if claim.is_of_graphs and claim.sense == AT_LEAST and paper in (MOST, ALL):
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


def read_claims(path=CLAIMS):
    """The claims; ClaimsError, with the line, where one cannot be used."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, strict=True)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise ClaimsError(f"{path}: line 1: the columns are {','.join(COLUMNS)}")
            claims, ids = [], set()
            for row in reader:
                claims.append(read_claim(f"{path}: line {reader.line_num}", row, ids))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ClaimsError(f"cannot read {path}: {error}") from error
    if not claims:
        raise ClaimsError(f"{path}: no claim in it")
    return claims


def read_claim(where, row, ids):
    if None in row or None in row.values():
        raise ClaimsError(f"{where}: {'more' if None in row else 'fewer'} fields than the first line names")
    try:
        empty = [name for name in COLUMNS[:-1] if not row[name].strip()]
        if empty:
            raise ClaimsError(f"{empty[0]} is empty")
        if row["id"] in ids:
            raise ClaimsError(f"id: {row['id']} is there already")
        for name, known in (("paper", PAPERS), ("sense", SENSES)):
            if row[name] not in known:
                raise ClaimsError(f"{name}: '{row[name]}' is none of {', '.join(known)}")
        known = {"query": read_query(row["query"]), "value": number_of(row["value"], "value")}
        claim = Claim(**{**row, **known})
        if claim.sense == DIRECTION and claim.no_difference is None:
            raise ClaimsError(f"sense: {claim.query.measure} of {row['value']} has no direction")
    except ClaimsError as error:
        raise ClaimsError(f"{where}: {error}") from error
    ids.add(row["id"])
    return claim


class Tested(NamedTuple):
    claim: Claim
    outcome: Outcome
    verdict: str

    @property
    def ratio(self):
        ours = self.outcome.value
        return ours / self.claim.value if ours is not None and self.claim.value else None


def test_claims(results, claims):
    outcomes = [evaluate(results, claim.query) for claim in claims]
    return [Tested(claim, outcome, judge(outcome.value, claim)) for claim, outcome in zip(claims, outcomes)]


# ---- the command line ----


def add_options(parser):
    """Of this script and of report.py, which have --results of their own."""
    parser.add_argument("--device", help="the GPU, or a CPU alone (default: the GPU that most rows are of)")
    parser.add_argument(
        "--claims", type=Path, default=CLAIMS, metavar="FILE", help="default: dataset/claims.csv"
    )


def main():
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{QUERIES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("query", nargs="*", help="evaluate these instead of claims")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="DIR", help="records (default: results)"
    )
    add_options(parser)
    arguments = parser.parse_args()
    asked = [read_query(text) for text in arguments.query]
    claims = [] if asked else read_claims(arguments.claims)
    results = Results(arguments.results, arguments.device)
    for query in asked:
        outcome = evaluate(results, query)
        for key, number in outcome.values.items():
            print(f"{number:12.4g}  {key}")
        total = f"not run: no {outcome.missing}" if outcome.missing else f"{outcome.value:.4g}"
        print(f"{total}  of {len(outcome.values)}: {query.text}")
    tested = test_claims(results, claims)
    for claim, outcome, verdict in tested:
        ours = f"no {outcome.missing}" if outcome.missing else f"{outcome.value:.4g} of {len(outcome.values)}"
        print(f"{verdict:14}  {claim.id:24}  {claim.value:g} {claim.unit}, ours {ours}")
    if tested:
        counts = Counter(one.verdict for one in tested)
        print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))
    return 0
