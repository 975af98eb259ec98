"""claims_table.py: the report's tables of claims and of their verdicts, and of numbers without one."""

import re

from evaluation.claims.verdicts import DIRECTION, NO_VERDICT, NOT_REPRODUCED, VERDICTS
from evaluation.graphs import is_named
from evaluation.report.page import Table, number
from evaluation.text_tables import digits

SIGNS = dict(zip(VERDICTS, "✓≈✗–"))
MOST_LISTED = 40  # numbers of a claim
UNKNOWN = "cause unknown"  # the remark on a claim that is not reproduced and has no other
PLACE = re.compile(r"(table|figure)s? ([IVX]+|\d[\d.]*)")  # in the section of a claim


class Row:
    """A claim, as the tables show it."""

    def __init__(self, tested, remark):
        self.claim, self.answer, self.verdict, self.reason, self.proviso = claim, answer, verdict, *_ = tested
        self.remark = remark or (UNKNOWN if verdict == NOT_REPRODUCED else "")
        self.why = tested.reason or (remark or claim.note or self.remark)
        if verdict != NO_VERDICT:
            self.badge = f"{SIGNS[verdict]} {verdict}"
        has_number = claim.sense != DIRECTION  # the value of a direction only names the side
        ends = "–".join(dict.fromkeys((number(claim.low), number(claim.high))))
        of_paper = number(claim.value, claim.unit).replace(number(claim.value), ends, 1)
        mean, self.paper = answer.papers_mean, of_paper if has_number else ""
        if has_number and mean is not None and number(mean, claim.unit) != self.paper:
            self.paper += f" ({number(mean, claim.unit)} over these graphs)"
        self.here = "" if answer.value is None else number(answer.value, claim.unit)
        paper = claim.nearest(answer.value) if mean is None else mean
        has_share = has_number and answer.value is not None and paper and not claim.is_implausible
        self.share = answer.value / paper if has_share else None
        graphs = list(dict.fromkeys(key.graph for key in answer.numbers))
        self.mean = f"{answer.mean} of {len(graphs)}" if len(graphs) > 1 else "1" if graphs else ""
        self.graphs = graphs
        is_other = answer.graph and not any(is_named(graph, [answer.graph]) for graph in graphs)
        self.names = [*graphs, f"for {answer.graph}"] if is_other else graphs  # "for": whose place they take
        of_paper = f"in the paper {self.paper}; " if has_number else ""
        reported = claim.untestable or f"{of_paper}{listed(answer)}"
        self.how = f"`{claim.test}`, {reported}" if claim.test else reported  # the test and its numbers, in Markdown

    @property
    def table(self):
        """The paper's table or figure that the claim is about, or else the section."""
        found = PLACE.search(self.claim.section)
        return f"{found[1].capitalize()} {found[2]}" if found else f"Section {self.claim.section}"


def listed(answer):
    """Graph by graph, the first of them."""
    if answer.missing:
        return f"no {answer.missing}"
    numbers = [f"{key} {digits(value)}" for key, value in answer.numbers.items()]
    shown = numbers[:MOST_LISTED]
    more = [f"and {len(numbers) - MOST_LISTED} more"] if len(numbers) > MOST_LISTED else []
    sources = f" ({answer.sources})" if answer.sources else ""
    return f"here {'; '.join(shown + more)}{sources}"


def claims_table(rows):
    """A Table of claims that have a verdict."""
    header = ["verdict", "claim", "section", "paper", "here", "here / paper", "graphs", "proviso", "note"]
    lines = [
        [
            *(row.badge, row.claim.claim, row.claim.section, row.paper, row.here),
            "" if row.share is None else digits(row.share),
            ": ".join(filter(None, (row.mean, ", ".join(row.names)))),
            *(row.proviso, row.claim.note, "; ".join(filter(None, (row.reason, row.remark)))),
        ]
        for row in rows
    ]
    return Table([*header, "why not tested, or remark of who measured"], lines)


def tables_of_numbers(rows):
    """{the paper's table or figure: Table} of numbers without a verdict: the paper's, ours, their ratio, and the
    graph that stands for the paper's."""
    header = ["number", "paper", "here", "here / paper", "measured on", "note"]
    tables = {}
    for row in rows:
        share = "" if row.share is None else digits(row.share)
        note = "; ".join(filter(None, (row.claim.untestable, row.claim.note, row.proviso, row.remark)))
        line = [row.claim.claim, row.paper, row.here, share, ", ".join(row.graphs), note]
        tables.setdefault(row.table, Table(header, [])).rows.append(line)
    return tables
