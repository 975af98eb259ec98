"""compare_proof.py: how often `gtrav compare` is wrong, and which differences it finds, from counts of its verdicts.

scripts/compare_proof.py counts the verdicts of each case and workload: a row of a DataFrame for each of both.
"""

from typing import NamedTuple

import pandas as pd
from scipy.stats import binom

TURNS, BLOCKS = "turns", "blocks"
SIZES = (4, 6, 8, 15, 20)  # launches on each side
PLANTED = (1, 3, 10)  # percent
MARGIN = 2  # percent: what gtrav compare calls the same without --same
FILE = "compare_proof.csv"
EXPECTED, CHANCE = 0.05, 0.975  # 95% intervals: 10 of 200 are wrong; with this chance, at most 16


class Case(NamedTuple):
    """How comparisons are drawn and judged."""

    launches: int  # on each side
    order: str = TURNS
    planted_percent: int = 0
    same_percent: int = 0  # --same


CASES = (
    *(Case(size, same_percent=margin) for margin in (0, MARGIN) for size in SIZES),
    *(Case(size, BLOCKS) for size in SIZES),
    *(Case(size, planted_percent=percent) for percent in PLANTED for size in (8, 20)),
)


def of_case(rows, case):
    """The rows of a case, one for each workload."""
    return rows[(rows[list(case._fields)] == pd.Series(case._asdict())).all(axis="columns")]


def share(rows, case, *verdicts):
    """Returns the share of a case's comparisons that have one of these verdicts, in percent."""
    known = of_case(rows, case)
    return 100 * float(known[[*verdicts]].to_numpy().sum() / known.comparisons.sum())


def table(rows):
    """Returns a header and a line for each number of launches, in percent. Half-widths are of the median workload."""
    header = ["launches a side", "wrong", "wrong in blocks", f"wrong by {MARGIN}%", f"same within {MARGIN}%"]
    header += [*(f"{percent}% found" for percent in PLANTED), "half-width"]
    lines = []
    for size in SIZES:
        alike, within = Case(size), Case(size, same_percent=MARGIN)
        wrong = [share(rows, case, "faster", "slower") for case in (alike, Case(size, BLOCKS), within)]
        planted = (Case(size, planted_percent=percent) for percent in PLANTED)
        found = [share(rows, case, "slower") if case in CASES else None for case in planted]
        width = float(of_case(rows, alike).half_width_percent.median())
        lines.append([size, *wrong, share(rows, within, "same"), *found, width])
    return header, lines


def is_proven(rows):
    """Whether 95% intervals explain how many comparisons in turns find a difference where none is planted."""
    known = (of_case(rows, case) for case in CASES if case.order == TURNS and case.planted_percent == 0)
    return all(
        (some.faster + some.slower).sum() <= binom.ppf(CHANCE, some.comparisons.sum(), EXPECTED) for some in known
    )
