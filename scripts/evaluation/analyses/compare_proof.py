"""compare_proof.py: how often `gtrav compare` is wrong, and which differences it finds, from counts of its verdicts.

scripts/compare_proof.py counts the verdicts of each case and workload.
"""

from statistics import median
from typing import NamedTuple

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


def rows_of(rows, case):
    """The rows of a case, one for each workload; values are strings, as in the file."""
    wanted = {name: str(value) for name, value in case._asdict().items()}
    return [row for row in rows if wanted.items() <= row.items()]


def count(rows, case, *verdicts):
    """Returns how many of a case's comparisons have one of these verdicts, and how many comparisons it has."""
    rows = rows_of(rows, case)
    found = sum(int(row[verdict]) for row in rows for verdict in verdicts)
    return found, sum(int(row["comparisons"]) for row in rows)


def share(rows, case, *verdicts):
    """Returns the share of a case's comparisons that have one of these verdicts, in percent; None without any."""
    found, of = count(rows, case, *verdicts)
    return 100 * found / of if of else None


def table(rows):
    """Returns a header and a line for each number of launches, in percent. Half-widths are of the median workload."""
    header = ["launches a side", "wrong", "wrong in blocks", f"wrong by {MARGIN}%", f"same within {MARGIN}%"]
    header += [*(f"{percent}% found" for percent in PLANTED), "half-width"]
    lines = []
    for size in SIZES:
        alike, within = Case(size), Case(size, same_percent=MARGIN)
        cells = [
            share(rows, alike, "faster", "slower"),
            share(rows, Case(size, BLOCKS), "faster", "slower"),
            share(rows, within, "faster", "slower"),
            share(rows, within, "same"),
            *(share(rows, Case(size, planted_percent=percent), "slower") for percent in PLANTED),
            median(float(row["half_width_percent"]) for row in rows_of(rows, alike)),
        ]
        lines.append([size, *cells])
    return header, lines


def is_proven(rows):
    """Whether 95% intervals explain how many comparisons in turns find a difference where none is planted."""
    null = [case for case in CASES if case.order == TURNS and case.planted_percent == 0]
    counts = [count(rows, case, "faster", "slower") for case in null]
    return all(wrong <= binom.ppf(CHANCE, of, EXPECTED) for wrong, of in counts)
