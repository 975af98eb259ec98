"""overview.py: the screens that a report opens with: the claims of abstracts, verdicts by paper, the paper's
numbers against ours, and the largest disagreements."""

import math
import textwrap
from collections import Counter
from typing import NamedTuple

from evaluation.claims.listing import PAPERS
from evaluation.claims.verdicts import NOT_TESTED, REPRODUCED, VERDICTS
from evaluation.report.claims_table import SIGNS
from evaluation.report.page import Cell, Scale, Table

LEAST, GREATEST = 1e-2, 1e4  # of the numbers drawn
MOST_DISAGREEMENTS, MOST_OF_A_PAPER = 10, 3


class Summary(NamedTuple):
    """How many claims have which verdict, in groups."""

    title: str
    counts: dict  # {group: {verdict: number}}
    signs: dict = SIGNS

    def markdown(self):
        rows = [[name, *(count or "" for count in found.values())] for name, found in self.counts.items()]
        return Table([self.title, *VERDICTS], rows).markdown()


class Point(NamedTuple):
    id: str  # id of the claim
    place: int  # place of the claim's verdict
    paper: float
    ours: float
    reported: str


class Scatter(NamedTuple):
    """The paper's numbers from left to right, ours from below, on the same logarithmic scale."""

    points: list

    @property
    def scale(self):
        return Scale([number for point in self.points for number in (point.paper, point.ours)])

    @property
    def verdicts(self):
        """{place: verdict} of those that are there."""
        there = {point.place for point in self.points}
        return {place: verdict for place, verdict in enumerate(VERDICTS) if place in there}


def within(number):
    """The number itself, or the nearer end of the scale where it lies beyond."""
    return min(max(number, LEAST), GREATEST)


class Overview(NamedTuple):
    papers: Summary
    scatter: Scatter

    def markdown(self):
        return self.papers.markdown()


def overview(rows):
    """The opening screen. rows: those of all claims with a verdict (claims_table.Row)."""
    run = [row for row in rows if row.verdict != NOT_TESTED]
    placed = [(row, pair) for row in run if (pair := positive(row))]
    papers = {paper.name: [row for row in rows if row.claim.paper == name] for name, paper in PAPERS.items()}
    papers = {name: some for name, some in papers.items() if some}
    return Overview(
        Summary("paper", counted({**papers, "all": rows})),
        Scatter([Point(row.claim.id, row.place, *map(within, pair), reported(row)) for row, pair in placed]),
    )


def counted(groups):
    found = {name: Counter(row.verdict for row in rows) for name, rows in groups.items() if rows}
    return {name: {verdict: counts[verdict] for verdict in VERDICTS} for name, counts in found.items()}


def positive(row):
    """(the paper's number, ours) if both are above zero, and have a place on the scale; else None."""
    pair = row.claim.nearest(row.answer.value), row.answer.value
    return pair if min(pair) > 0 else None


def reported(row):
    return f"{row.claim.claim}: paper {row.paper}, here {row.here}, {row.verdict}"


# ---- abstracts ----

ABSTRACT = "abstract"  # begins the section of a claim that stands in one
MOST_WHY = 100  # letters of why a verdict is so; all of it stands with the claim


def abstracts(rows):
    """What the papers say first, what was measured, and why the verdict is so."""
    lines = []
    for row in (row for row in rows if row.claim.section.startswith(ABSTRACT)):
        measured = " ".join(filter(None, (row.here, row.mean and f"({row.mean})")))
        line = textwrap.shorten(row.why.partition(". ")[0], MOST_WHY, placeholder=" …")
        says = Cell(row.claim.claim, "claim")
        lines.append([PAPERS[row.claim.paper].name, says, measured, Cell(row.verdict, f"s{row.place}"), line])
    return Table(["paper", "what its abstract says", "measured here", "verdict", "why"], lines, "apart")


# ---- disagreements ----


def disagreements(rows):
    """The claims whose numbers are farthest from the paper's, and why, a few of each paper; None: none is."""
    apart = [row for row in rows if row.verdict not in (REPRODUCED, NOT_TESTED)]
    counts, lines = Counter(), []
    for row in sorted(apart, key=distance, reverse=True):
        counts[row.claim.paper] += 1
        if counts[row.claim.paper] <= MOST_OF_A_PAPER:
            reason = row.why
            claim = Cell(f"{PAPERS[row.claim.paper].name}: {row.claim.claim}", "claim")
            lines.append([row.verdict, claim, row.paper, row.here, reason])
    shown = Table(["verdict", "claim", "paper", "here", "why"], lines[:MOST_DISAGREEMENTS], "apart")
    return shown if lines else None


def distance(row):
    """How far ours is from the paper's number: the logarithm of how many times it is; of a number that is not
    above zero, that of their difference over the paper's."""
    if pair := positive(row):
        return abs(math.log(pair[1] / pair[0]))
    paper = row.claim.nearest(row.answer.value)
    return math.log1p(abs(row.answer.value - paper) / (abs(paper) or 1))
