"""ablation.py: what our changes to the papers' methods gain: mode=paper beside mode=best, graph by graph."""

from evaluation.claims.measures import SEARCH, compared, method
from evaluation.claims.results import MissingError
from evaluation.methods import TIME
from evaluation.records import BEST, PAPER
from evaluation.speedups import over_graphs
from evaluation.text_tables import factor

HEADER = ["variant", "graph", "as in the paper, ms", "ours, ms", "gain"]
MEAN = "geometric mean"


def rows_of(measured, family, variant):
    """[variant, graph, ms as in the paper, ms of ours, gain] of each graph that both modes ran on, over the
    sources that both have, and their mean; none if a mode was not measured. measured: a Results."""
    ours, theirs = (method(family, variant, mode=mode) for mode in (BEST, PAPER))
    try:
        fast, slow, _ = compared(measured, ours, theirs, SEARCH, None)
    except MissingError:
        return []
    name = f"{family} {variant}"
    rows = [[name, str(key), slow[key], fast[key], slow[key] / fast[key]] for key in fast]
    return [*rows, [name, MEAN, None, None, over_graphs(row[-1] for row in rows)]]


def rows_of_all(measured, variants=()):
    """rows_of() for several variants, (family, variant); by default for all that ran in both modes."""
    times = measured.rows[measured.rows[TIME] != ""]
    known = set(zip(times.family, times.variant)) & measured.with_modes
    return [row for one in variants or sorted(known) for row in rows_of(measured, *one)]


def ranges(rows):
    """Header and a row a variant: in how many cases it was compared, the least, mean and largest gain."""
    gains = {}
    for name, graph, *_, gain in rows:
        gains.setdefault(name, {})[graph] = gain
    lines = []
    for name, known in gains.items():
        mean = known.pop(MEAN)
        lines.append([name, len(known), *map(factor, (min(known.values()), mean, max(known.values())))])
    return ["variant", "cases", "least gain", MEAN, "largest"], lines
