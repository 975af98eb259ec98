"""rivals.py: programs of other authors beside gtrav: its implementation of the same method, as in the paper
and at its best, and its fastest search on a GPU.

How many times as fast gtrav is, is told on the sources that both have; where gtrav's row is of an older
version that lists no trials, each has its own mean, and the cell says of how many sources: "1.5x (8 to 64)".
"""

from evaluation.analyses import xbfs
from evaluation.analyses.fastest import times_as_fast
from evaluation.comparison import search_ms
from evaluation.files import read_rows
from evaluation.methods import by_size, size_of
from evaluation.records import BEST, PAPER, PEERS, settings_of
from evaluation.results import is_below, traces

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
HEADER = ["graph", "edges", "search", "program", "ms"]
HEADER += [cell for name in BESIDE for cell in (name, "faster")]


def authors_programs():
    """[(family, name)] of the programs that are built from their authors' repositories."""
    rows = read_rows(PEERS, ("family", "peer", "program"))
    return [(row["family"], row["peer"]) for row in rows if row["program"].startswith("PEER_")]


def candidates(results):
    """{(family, variant, mode, graph): rows} of usual runs."""
    found = {}
    for row in results.rows.to_dict("records"):
        usual = is_below(row["folders"], None) or xbfs.TIMES in row["folders"]
        if usual and not traces(settings_of(row["options"])):
            found.setdefault((row["family"], row["variant"], row["mode"], row["graph"]), []).append(row)
    return found


def nearest(rows):
    """The fastest row of those that list their trials, else the fastest of all; None: there is no row."""
    return min(rows, key=lambda row: (row["trial_ms"] == "", search_ms(row)), default=None)


def beside(rows, family, rival, graph):
    """[row or None]: what stands beside a rival's program, as BESIDE names it; rows: as of candidates()."""
    same, fastest = SAME.get(rival), FASTEST[family]
    wanted = ((same, PAPER), (same, BEST), (fastest, BEST))
    return [nearest(rows.get((family, variant, mode, graph), ())) for variant, mode in wanted]


def table(results):
    """(header, rows): a row for every program on every graph."""
    rows, lines, programs = candidates(results), [], authors_programs()
    graphs = by_size([row for key, some in rows.items() if key[:2] in programs for row in some])
    for graph in graphs:
        for family, name in programs:
            rival = nearest(rows.get((family, name, BEST, graph), ()))
            if rival:
                cells = [cell for row in beside(rows, family, name, graph) for cell in cells_of(row, rival)]
                lines.append([graph, size_of(rival)[1], family, name, search_ms(rival), *cells])
    return HEADER, lines


def cells_of(row, rival):
    return (search_ms(row), times_as_fast(row, rival)) if row else (None, None)
