"""Does `auto` choose the fastest variant? Tells it graph by graph, from the records of a GPU.

A row for every graph that auto and another variant of the family have run on from as many sources: what auto
chose, its time, that of the fastest other variant, and how many times as long auto takes. Times are
mean_time_ms, whole searches; preparation stands beside. Records of all variants come from

  build/gtrav bfs GRAPH... --variant all --sources 64 --verify first --csv DIR

Exit status: 0 auto is fast enough everywhere, 1 it is too slow on some graph, 2 there are no such records.
"""

from pathlib import Path

from evaluation.analyses.rows import of_family, rows_of
from evaluation.command import EvaluationError, new_parser, say
from evaluation.comparison import search_ms
from evaluation.files import LOCAL
from evaluation.methods import by_size, size_of
from evaluation.records import facts_of, kind_of, most_common, settings_of
from evaluation.text_tables import digits, markdown

AUTO = "auto"
ENGINES = ("slices", "dobfs", "blest", "khop")  # engines of bfs auto, except queue, which wins on few large graphs
WITHIN = 1.05  # times as long as the fastest auto may take
# Graphs to which no constant of bfs auto or its engines was fitted: histories of Git repositories, citations and
# co-authors, friends. All others that were measured took part.
NEVER_FITTED = (
    *("nginx", "networkx", "redis", "curl", "vim"),
    *("cit-HepPh", "ca-CondMat", "ca-HepPh", "ca-AstroPh", "soc-brightkite"),
)
HEADER = ["graph", "vertices", "edges", "auto", "fastest other", "by", "auto / other", "prepare", "chose"]


def chooses(row):
    """Whether auto was free to choose."""
    return row["variant"] == AUTO and settings_of(row["options"]).get("engine", AUTO) == AUTO


def rivals_of_auto(rows):
    """(auto's newest row, the rows of other variants) of every graph, small graphs first."""
    gpu = most_common(row["device"] for row in rows if kind_of(row["device"]) == "GPU")
    rows = sorted((row for row in rows if row["device"] == gpu), key=lambda row: row["date"])
    autos = {row["graph"]: row for row in rows if chooses(row)}
    for row in map(autos.get, by_size(autos.values())):
        yield row, [other for other in rows if other["variant"] != AUTO and is_alike(row, other)]


def is_alike(row, other):
    return all(row[name] == other[name] for name in ("graph", "sources"))


def comparisons(rows):
    """(auto's row, that of the fastest other variant) of every graph, small graphs first."""
    return [(row, min(rivals, key=search_ms)) for row, rivals in rivals_of_auto(rows) if rivals]


def engine_times(rows):
    """Header and rows: auto beside each of its engines, ms of a whole search; the fastest engine in bold."""
    lines = []
    for row, rivals in rivals_of_auto(rows):
        times = [[search_ms(other) for other in rivals if other["variant"] == name] for name in ENGINES]
        least = [min(known, default=None) for known in times]
        best = min((time for time in least if time is not None), default=None)
        cells = [f"**{digits(time)}**" if time is not None and time == best else time for time in least]
        chose = facts_of(row).get("engine")
        lines.append([row["graph"], *size_of(row), search_ms(row), *cells, chose, float(row["prepare_ms"])])
    return ["graph", "vertices", "edges", AUTO, *ENGINES, "chose", "prepare ms"], lines


def is_fitted(row):
    return row["graph"].removesuffix("+undirected") not in NEVER_FITTED


def line_of(row, other):
    ratio = search_ms(row) / search_ms(other)
    times = [search_ms(row), search_ms(other), other["variant"], f"{ratio:.3f}", float(row["prepare_ms"])]
    return [row["graph"], *size_of(row), *times, facts_of(row).get("engine")]


def main():
    parser = new_parser(__doc__)
    words = "device folders, or a folder of them (default: results/local)"
    parser.add_argument("folder", nargs="*", type=Path, default=[LOCAL], help=words)
    parser.add_argument("--family", default="bfs", help="(default: bfs)")
    arguments = parser.parse_args()

    pairs = comparisons(of_family(rows_of(arguments.folder), arguments.family))
    if not pairs:
        named = ", ".join(map(str, arguments.folder))
        auto = f"{arguments.family} auto"
        raise EvaluationError(f"no graph in {named} with {auto} and another variant on a GPU")
    lines = [line_of(*pair) for pair in pairs]
    print(markdown(HEADER, lines), end="")
    slow = [row["graph"] for row, other in pairs if search_ms(row) > WITHIN * search_ms(other)]
    if slow:
        say(f"auto takes over {WITHIN:g} times as long as the fastest on {', '.join(slow)}")
    return 1 if slow else 0
