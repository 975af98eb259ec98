"""fastest.py: tables of searches on each graph: the fastest variant beside rivals, and what its preparation costs;
bfs auto beside its engines, and beside programs of other authors. Rows are dicts, of one run except in
other_programs()."""

import hashlib

from evaluation.analyses import blest, xbfs
from evaluation.comparison import by_size, on_equal_terms, pays_after, prepared_ms, search_ms, size_of
from evaluation.files import read_rows
from evaluation.records import BEST, PAPER, PEERS, facts_of, programs_beside_gtrav, settings_of, traces
from evaluation.results import is_below
from evaluation.text_tables import digits, factor, markdown

# Columns that compare the fastest variant of a graph: {column: variants}; with several, the fastest of them.
OF_BFS = {"over serial": ("serial",), "over all cores": ("gap",), "over Blest": (blest.FULL,)}
OF_DFS = {"over serial": ("serial",), "over all cores": ("ckl", "acr")}
PARENTS_CELLS = ("parents ms", "parents over all cores")

AUTO = "auto"
ENGINES = ("queue", "dobfs", "blest", "slices", "khop")  # engines of bfs auto
WITHIN = 1.05  # bfs auto should take at most this many times as long as its best engine
# Graphs to which no constant of bfs auto or its engines was fitted: histories of Git repositories, citations and
# co-authors, friends. All others that were measured took part.
NEVER_FITTED = (
    *("nginx", "networkx", "redis", "curl", "vim"),
    *("cit-HepPh", "ca-CondMat", "ca-HepPh", "ca-AstroPh", "soc-brightkite"),
)
# Columns of bfs auto beside programs: the time of a program, or how many times as fast the first is as the fastest
# of the others. `levels` and `parents` are bfs auto without and with parents.
BESIDE_CUGRAPH = {
    "levels ms": "levels",
    "parents ms": "parents",
    "cuGraph levels ms": "cugraph",
    "cuGraph parents ms": "cugraph-parents",
    "parents over cuGraph's": ("parents", "cugraph-parents"),
}
BESIDE_KERNELS = {
    "levels ms": "levels",
    "Tigr": "tigr",
    "DAWN": "dawn",
    "doubleGraph": "doublegraph",
    "over the fastest": ("levels", "tigr", "dawn", "doublegraph"),
    "parents ms": "parents",
    "doubleGraph, parents": "doublegraph-parents",
    "over doubleGraph": ("parents", "doublegraph-parents"),
}


def fastest_rows(rows):
    """{graph: {variant: its row under the options that are fastest there}}"""
    found = {}
    for row in sorted(rows, key=search_ms, reverse=True):
        found.setdefault(row["graph"], {})[row["variant"]] = row
    return found


def times_as_fast(row, rival):
    """How many times as fast as a rival, on the first sources that both have: "12.5x", "12.5x (first 8)"."""
    (row, rival), terms = on_equal_terms([row, rival])
    reported = f"{terms.shared} to {terms.most}" if not terms.equal else f"first {terms.shared}"
    fewer = f" ({reported})" if terms.shared < terms.most else ""
    return factor(search_ms(rival) / search_ms(row)) + fewer


def over_fastest(known, name, rivals):
    """times_as_fast() of a variant over the fastest of those rivals that are there; None: none is."""
    there = [known[rival] for rival in rivals if rival in known]
    return times_as_fast(known[name], min(there, key=search_ms)) if there else None


def with_least_in_bold(times):
    least = min((ms for ms in times if ms is not None), default=None)
    return [f"**{digits(ms)}**" if ms is not None and ms == least else ms for ms in times]


# ---- the fastest variant ----


def fastest_cells(rows, rivals):
    """{graph: {column: cell}}: the fastest variant, how many times faster it is than the fastest of some
    rivals ({column: variants}), and after how many searches its preparation pays."""
    found = {}
    for graph, known in fastest_rows(rows).items():
        row = min(known.values(), key=search_ms)
        vertices, edges = size_of(row)
        cells = {"vertices": vertices, "edges": edges, "ms": search_ms(row), "by": row["variant"]}
        cells |= {column: over_fastest(known, row["variant"], variants) for column, variants in rivals.items()}
        all_others = [other for other in rows if other["graph"] == graph]
        searches = str(pays_after(row, all_others) or "never") if len(known) > 1 else None
        found[graph] = {**cells, "prepare ms": prepared_ms(row), "pays after": searches}
    return found


def gives_parents(row):
    return "output=parents" in row["options"]


def parents_cells(rows):
    """{graph: {column: cell}}: bfs auto with parents, and how many times as fast as bfs gap with parents."""
    return {
        graph: dict(zip(PARENTS_CELLS, (search_ms(known[AUTO]), times_as_fast(known[AUTO], known["gap"]))))
        for graph, known in fastest_rows(filter(gives_parents, rows)).items()
        if {AUTO, "gap"} <= known.keys()
    }


def smallest_first(cells):
    """The graphs and their cells, those with fewer edges first."""
    return sorted(cells.items(), key=lambda item: (item[1]["edges"], item[0]))


def fastest_table(cells):
    """A row a graph; cells: as fastest_cells() has them."""
    lines = [[graph, *known.values()] for graph, known in smallest_first(cells)]
    return markdown(["graph", *next(iter(cells.values()))], lines)


def brief_table(of_bfs, of_dfs):
    """A row a graph for the README: some columns of the fastest BFS and DFS, as fastest_cells() has them. A speedup
    is shown without the number of sources."""
    columns = [("BFS", of_bfs, name) for name in ("ms", "over all cores", PARENTS_CELLS[0], "prepare ms")]
    columns += [("DFS", of_dfs, name) for name in ("ms", "over all cores")]
    lines = [
        [graph, known["edges"], *(cells.get(graph, {}).get(name) for _, cells, name in columns)]
        for graph, known in smallest_first({**of_dfs, **of_bfs})
    ]
    lines = [[cell.partition(" (first")[0] if isinstance(cell, str) else cell for cell in line] for line in lines]
    return markdown(["graph", "edges", *(f"{search} {name}" for search, _, name in columns)], lines)


def programs_table(rows, others, columns):
    """A row a graph on which bfs auto (rows) ran with and without parents, beside programs of other authors; of a
    program's two ways, direction-optimizing and top-down, the faster one counts. columns: as BESIDE_KERNELS."""
    beside = fastest_rows({**row, "variant": row["variant"].removesuffix("-topdown")} for row in others)
    levels, parents = ({row["graph"]: row for row in rows if gives_parents(row) == wanted} for wanted in (False, True))
    lines = []
    for graph in (graph for graph in by_size(levels.values()) if graph in parents and graph in beside):
        known = {"levels": levels[graph], "parents": parents[graph], **beside[graph]}
        cells = [beside_program(known, column) for column in columns.values()]
        lines.append([graph, size_of(levels[graph])[1], *cells])
    return markdown(["graph", "edges", *columns], lines)


def beside_program(known, column):
    """The cell of a column of BESIDE_KERNELS; known: {name: row} of a graph."""
    if isinstance(column, tuple):
        return over_fastest(known, column[0], column[1:])
    return search_ms(known[column]) if column in known else None


def is_held_out(graph):
    """Whether the graph is in the half, drawn by a hash of its name, that nobody looks at to change bfs auto."""
    name = graph.removesuffix("+undirected")
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def is_free(row):
    """Whether a row is of bfs auto with no option that affects its choice."""
    options = settings_of(row["options"])
    return row["variant"] == AUTO and all(options.get(name, AUTO) == AUTO for name in ("engine", "prepare", "measure"))


def how_far_off(row, times):
    """ "1.32x" if bfs auto takes more than WITHIN times as long as its best engine, and whether it saved the
    preparation of that engine; times: of ENGINES, None if not measured."""
    ms, best = min(((ms, name) for ms, name in zip(times, ENGINES) if ms is not None), default=(None, ""))
    if ms is None or search_ms(row) <= WITHIN * ms:
        return None
    return factor(search_ms(row) / ms) + ", saved" * (f"{best} not tried" in row["note"])


def engine_times(rows):
    """Header and rows: bfs auto beside each of its engines from as many sources, ms of a whole search, the fastest
    engine in bold; of auto's rows at its defaults the newest."""
    autos = {row["graph"]: row for row in sorted(filter(is_free, rows), key=lambda row: row["date"])}
    alike = (row for row in rows if row["graph"] in autos and row["sources"] == autos[row["graph"]]["sources"])
    beside, lines = fastest_rows(alike), []
    for graph in by_size(autos.values()):
        row, times = autos[graph], [beside_program(beside[graph], name) for name in ENGINES]
        chose, prepared = facts_of(row).get("engine"), float(row["prepare_ms"])
        cells = [search_ms(row), *with_least_in_bold(times), chose, how_far_off(row, times), prepared]
        lines.append([graph, size_of(row)[1], *cells])
    return ["graph", "edges", AUTO, *ENGINES, "chose", "off", "prepare ms"], lines


# ---- programs of other authors ----

FASTEST = {"bfs": "auto", "dfs": "handoff"}
BESIDE = ("as in its paper", "at its best", "bfs auto, dfs handoff")
HEADER = ["graph", "edges", "search", "program", "ms", *(cell for name in BESIDE for cell in (name, "faster"))]


def is_usual(row):
    """Whether a row is from a usual run, or from the timed runs of XBFS's campaign, and without a profile."""
    return (is_below(row["folders"], None) or xbfs.TIMES in row["folders"]) and not traces(settings_of(row["options"]))


def other_programs(results):
    """(header, rows): a row for every program of other authors on every graph, beside gtrav's implementation of the
    same method, as in the paper and at its best, and gtrav's fastest search on a GPU.

    Of the rows of a variant on a graph the fastest counts, one that lists its trials before all others."""
    programs = read_rows(PEERS, ("family", "peer", "same"))
    usual, known, lines = filter(is_usual, results.rows.to_dict("records")), {}, []
    for row in sorted(usual, key=lambda row: (row["trial_ms"] == "", search_ms(row)), reverse=True):
        known[row["family"], row["variant"], row["mode"], row["graph"]] = row
    theirs = {key: row for key, row in known.items() if key[:2] in programs_beside_gtrav()}
    for graph in by_size(theirs.values()):
        for family, name, same in (map(row.get, ("family", "peer", "same")) for row in programs):
            if rival := theirs.get((family, name, BEST, graph)):
                wanted = ((same, PAPER), (same, BEST), (FASTEST[family], BEST))
                cells = [cell for one in wanted for cell in cells_of(known.get((family, *one, graph)), rival)]
                lines.append([graph, size_of(rival)[1], family, name, search_ms(rival), *cells])
    return HEADER, lines


def cells_of(row, rival):
    return (search_ms(row), times_as_fast(row, rival)) if row else (None, None)
