"""rivals.py: programs of other authors beside gtrav: its implementation of the same method, as in the paper
and at its best, and its fastest search on a GPU.

A speedup is over the sources that both programs have. Rows of an older gtrav list no trials and count with their own
means; the cell then gives both numbers of sources: "1.5x (8 to 64)".
"""

from evaluation.analyses import xbfs
from evaluation.analyses.fastest import times_as_fast
from evaluation.comparison import by_size, search_ms, size_of
from evaluation.records import BEST, PAPER, programs_beside_gtrav, settings_of, traces
from evaluation.results import is_below

# Programs, and gtrav's implementations of their methods.
SAME = {
    "blest-authors": "blest",
    "blest-authors-natural": "blest",
    "xbfs-authors": "xbfs",
    "xbfs-authors-whole": "xbfs",
    "enterprise-authors": "enterprise",
    "gapbs": "gap",
    "sc15-ckl": "ckl",
    "sc15-acr": "acr",
}
FASTEST = {"bfs": "auto", "dfs": "handoff"}
BESIDE = ("as in its paper", "at its best", "bfs auto, dfs handoff")
HEADER = ["graph", "edges", "search", "program", "ms", *(cell for name in BESIDE for cell in (name, "faster"))]


def is_usual(row):
    """Whether a row is of a usual run."""
    return (is_below(row["folders"], None) or xbfs.TIMES in row["folders"]) and not traces(
        settings_of(row["options"])
    )


def table(results):
    """(header, rows): a row for every program of other authors on every graph.

    Of the rows of a variant on a graph the fastest counts, one that lists its trials before all others."""
    programs = programs_beside_gtrav()
    usual, known, lines = filter(is_usual, results.rows.to_dict("records")), {}, []
    for row in sorted(usual, key=lambda row: (row["trial_ms"] == "", search_ms(row)), reverse=True):
        known[row["family"], row["variant"], row["mode"], row["graph"]] = row
    theirs = {key: row for key, row in known.items() if key[:2] in programs}
    for graph in by_size(theirs.values()):
        for family, name in programs:
            if rival := theirs.get((family, name, BEST, graph)):
                wanted = ((SAME.get(name), PAPER), (SAME.get(name), BEST), (FASTEST[family], BEST))
                cells = [cell for one in wanted for cell in cells_of(known.get((family, *one, graph)), rival)]
                lines.append([graph, size_of(rival)[1], family, name, search_ms(rival), *cells])
    return HEADER, lines


def cells_of(row, rival):
    return (search_ms(row), times_as_fast(row, rival)) if row else (None, None)
