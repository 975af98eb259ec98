"""claims_table.py: the report's tables of claims and of their verdicts."""

import itertools
import math
from collections import Counter
from typing import NamedTuple

from evaluation.claims import claims
from evaluation.claims.claims import NOT_REPRODUCED, NOT_RUN, PAPERS, REPRODUCED, TREND, VERDICTS, Claim
from evaluation.claims.graphs import is_named
from evaluation.claims.measures import Answer
from evaluation.report.page import Cell, Table, number, shortened
from evaluation.text_tables import digits

SIGNS = {REPRODUCED: "✓", TREND: "≈", NOT_REPRODUCED: "✗", NOT_RUN: "–"}
MOST_LISTED = 40  # graphs of a claim


def badge(verdict):
    return Cell(f"{SIGNS[verdict]} {verdict}", f"badge w{VERDICTS.index(verdict)}")


def stands_for(answer):
    """The graph that a claim is about, if it was tested on another that stands for it."""
    tested = any(is_named(key.graph, [answer.graph]) for key in answer.numbers)
    return "" if tested else answer.graph


class Row(NamedTuple):
    """A claim, as the tables show it."""

    claim: Claim
    answer: Answer
    verdict: str
    remark: str

    @property
    def badge(self):
        return badge(self.verdict)

    @property
    def place(self):
        return VERDICTS.index(self.verdict)

    @property
    def source(self):
        return claims.sources()[self.claim.id]

    @property
    def paper(self):
        return number(self.claim.value, self.claim.unit)

    @property
    def asked(self):
        return f"{self.claim.sense} {self.paper}"

    @property
    def here(self):
        return "" if self.answer.value is None else number(self.answer.value, self.claim.unit)

    @property
    def measured(self):
        """Graph by graph, the first of them."""
        if self.answer.missing:
            return f"no {self.answer.missing}"
        numbers = self.answer.numbers.items()
        shown = [f"{key} {digits(value)}" for key, value in itertools.islice(numbers, MOST_LISTED)]
        more = [f"and {len(numbers) - MOST_LISTED} more"] if len(numbers) > MOST_LISTED else []
        return f"here {'; '.join(shown + more)}"

    # ---- ours over the paper's number ----

    @property
    def share(self):
        known = self.answer.value is not None and self.claim.value
        return self.answer.value / self.claim.value if known else None

    @property
    def over_paper(self):
        return "" if self.share is None else digits(self.share)

    @property
    def dot(self):
        """Where it is between a tenth and ten times, in per cent; beyond these at the end."""
        at = 50 + 50 * max(-1.0, min(1.0, math.log10(self.share))) if self.share > 0 else 0
        return 4 + 0.92 * at

    @property
    def band(self):
        """What is close to the paper's number: where it begins, and its width, in per cent."""
        return 50 + 50 * math.log10(claims.CLOSE), -100 * math.log10(claims.CLOSE)

    # ---- graphs ----

    @property
    def graphs(self):
        return list(dict.fromkeys(key.graph for key in self.answer.numbers))

    @property
    def mean(self):
        """Which mean of how many graphs."""
        if not self.graphs:
            return ""
        return f"{self.answer.mean} of {len(self.graphs)}" if len(self.graphs) > 1 else "1"

    def names(self, shown=str):
        """Of one graph or two which, and in place of which."""
        words = [", ".join(map(shown, self.graphs))] if 0 < len(self.graphs) <= 2 else []
        other = stands_for(self.answer)
        return [*words, *([f"for {other}"] if self.graphs and other else [])]

    @property
    def short_names(self):
        return self.names(shortened)


class ClaimsTable(NamedTuple):
    rows: list
    folded: str = ""

    def markdown(self):
        header = ["verdict", "claim", "section", "paper", "here", "here / paper", "graphs", "note"]
        lines = [
            [
                *(row.badge, row.claim.claim, row.claim.section, row.paper, row.here, row.over_paper),
                ": ".join(filter(None, (row.mean, ", ".join(row.names())))),
                *(row.claim.note, row.remark),
            ]
            for row in self.rows
        ]
        return Table([*header, "remark of who measured"], lines).markdown()


class Summary(NamedTuple):
    """How many claims of each paper have which verdict."""

    counts: dict  # {paper, or all: {verdict: number}}
    signs: dict = SIGNS

    def markdown(self):
        rows = [[name, *(count or "" for count in found.values()), ""] for name, found in self.counts.items()]
        return Table(["paper", *VERDICTS, ""], rows).markdown()


def summary(tested):
    counts = {}
    for name, paper in [*((name, paper.name) for name, paper in PAPERS.items()), (None, "all")]:
        found = Counter(one.verdict for one in tested if name in (None, one.claim.paper))
        if found:
            counts[paper] = {verdict: found[verdict] for verdict in VERDICTS}
    return Summary(counts)
