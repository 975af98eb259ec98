"""Makes tables from records.

  summary  prints the fastest implementation for every graph and family
  readme   writes the tables in README.md, docs/ and results/nvidia-h200/tables.md anew

Rows that failed, and those of the emulator, enter no table. Times are mean_time_ms: whole searches, with the reset
of what the last search left.
"""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from evaluation import comparison, records
from evaluation.analyses import blest, compare_proof, fastest, msbfs, xbfs
from evaluation.command import NothingToReport, new_parser, say
from evaluation.comparison import by_size, on_equal_terms, search_ms, size_of
from evaluation.files import LOCAL, RESULTS, ROOT, RecordsError, rows_if_any, write_atomically
from evaluation.methods import SEARCH, method
from evaluation.numbers.compare import compared, geomean, speedup
from evaluation.numbers.diggerbees import TREE
from evaluation.results import MissingError, Results
from evaluation.text_tables import as_table, factor, markdown
from evaluation.trusted import busy, newest, refuted

import pandas as pd

H100, H200 = "nvidia-h100", "nvidia-h200"
BASELINE = "serial (CPU)"
NOT_MEASURED = "Not measured yet.\n"
MEAN = "geometric mean"

# From the simplest to the most elaborate, as the papers list them; others follow by name.
SERIES_ORDER = (
    *("serial", "gap", "ckl", "acr", "nvg", "v1", "v2", "v3", "v4", "handoff"),
    *("queue", "bitmap", "warp", "kahn", "enterprise", "xbfs", "slices", "dobfs", "khop", "auto"),
    *("berrybees", "blest-a", "blest-ab", "blest-abc", "blest-abcd", "blest"),
)


# ---- rows that count in tables, as dicts ----


def rows_of(folders):
    """Reads the rows of device folders, or of folders of device folders: the newest of each key, unless it failed.

    The emulator's rows do not count, as its times are no times of a GPU. A graph's name stands for one content."""
    files = [sorted(folder.glob("*_perf.csv")) or sorted(folder.glob("*/*_perf.csv")) for folder in folders]
    found = records.distinct_names([row for some in files for path in some for row in records.read_records(path)])
    if not found:
        return []
    rows = pd.DataFrame(found)
    rows = newest(rows[~refuted(rows) & (rows.verified != records.FAILED) & (rows.device != records.EMULATOR)])
    return [found[i] for i in rows.sort_values(list(records.ROW_KEY)).index]


def of_family(rows, *families):
    return [row for row in rows if row["family"] in families]


# ---- tables of times ----


def with_series(rows):
    """The rows with `series`, a name of the implementation: the variant, the kind of device, and the options,
    threads or device that distinguish it."""
    known = pd.DataFrame([{"threads": "", **row, "kind": records.kind_of(row["device"])} for row in rows])
    known["options"] = known.options.str.replace(r" ?weights=\S+", "", regex=True)  # they are the graph's

    def differ(column, *within):
        return known.groupby(["variant", *within])[column].transform("nunique") > 1

    where = known.device.where(differ("device", "kind"), known.kind)
    options = (" " + known.options).where(differ("options", "device"), "")
    threads = (" " + known.threads.replace("", "unknown") + " threads").where(differ("threads", "device"), "")
    names = known.variant + options + threads + " (" + where + ")"
    return [{**row, "series": name} for row, name in zip(rows, names)]


def place_of(row):
    """The place of a row's implementation among the columns of a table."""
    variant = row["variant"].split()[-1]
    return SERIES_ORDER.index(variant) if variant in SERIES_ORDER else len(SERIES_ORDER), row["series"]


def times_as_markdown(rows, baseline=None):
    """Makes a table of ms with a row per graph, small ones first, and a column per implementation, the fastest in
    bold. Means are over the sources that all rows of a graph share; sources of small reach have a line of their
    own. With a baseline, a column says how many times faster the fastest is."""
    rows = with_series(rows)
    series = [name for _, name in sorted(set(map(place_of, rows)))]
    lines = []
    for graph, known, terms in comparison.graph_by_graph(rows):
        times = {row["series"]: search_ms(row) for row in known}
        lead = times.get(baseline, 0) / min(times.values()) if min(times.values()) else None
        cells = [times.get(name) for name in series]
        if len(series) > 1:
            cells = fastest.with_least_in_bold(cells)
        lines.append([graph, *size_of(known[0]), *cells, factor(lead), str(terms)])
    lines.sort(key=lambda line: (line[2], line[0]))
    columns = ["graph", "vertices", "edges", *series, "best / serial", "sources"]
    table = pd.DataFrame(lines, columns=columns, dtype=object)
    if len(series) == 1 or table.sources.nunique() < 2:
        table = table.drop(columns="sources")
    if len(series) == 1 or baseline not in series:
        table = table.drop(columns="best / serial")
    return markdown(table.columns, table.values.tolist())


def total_rate(row):
    """Millions of edges that all trials reached per second of all; without a list of them, the mean rate."""
    time, edges = (sum(map(float, comparison.expand(row.get(name)))) for name in ("trial_ms", "trial_edges"))
    return edges / time / 1e3 if time else float(row[records.SEARCH_RATE])


def print_summary(*folders):
    """Prints the fastest implementation of each graph and family. What a busy machine measured is marked, and is
    the fastest only where nothing else was measured."""
    lines, all_rows = [], rows_of(folders)
    all_rows = [{**row, "busy": one} for row, one in zip(all_rows, busy(pd.DataFrame(all_rows)))]
    for family in sorted({row["family"] for row in all_rows}):
        rows = with_series(of_family(all_rows, family))
        for graph in by_size(rows):
            measured = [row for row in rows if row["graph"] == graph]
            best = min(measured, key=lambda row: (row["busy"], search_ms(row)))
            line = [graph, size_of(best)[1], family, best["series"], len(measured), search_ms(best)]
            mark = ", busy machine" if best["busy"] else ""
            lines.append([*line, total_rate(best), best["verified"] + mark])
    header = ["graph", "edges", "family", "fastest", "of", "mean ms", "MTEPS", "verified"]
    print(markdown(header, lines), end="")
    # Versions of other programs begin with their names.
    versions = {row["version"] for row in all_rows if row["version"].startswith(row["variant"].split()[-1])}
    if versions:
        print(f"\nOther programs, as they are: {', '.join(sorted(versions))}")


# ---- README.md and docs/ ----

QUALITY = "quality.csv"
BLEST, MSBFS, XBFS = "blest", "msbfs", "xbfs"  # folders of the H200
CHOICE = "choice"  # a folder of the H200 and of the H100: bfs auto and its engines
FASTEST = "fastest"  # also there: the fastest variant of each graph, of one run
PARENTS = "parents"  # a folder of both, too: bfs auto and gap with and without parents, in one run
OTHERS, KERNELS = "peers", "peers_gpu"  # folders of the H100: rivals; bfs auto and other authors' programs, one run
README_GRAPHS = ("luxembourg_osm", "ego-twitter", "rgg:20", "road:21", "gitobj-uboot", "kron:24")
QUALITY_GRAPHS = ("road:17", "grid:2048x2048", "rgg:20", "delaunay:20", "kron:20", "urand:22", "ego-twitter")
QUALITY_VARIANTS = (*("dfs serial", "dfs v1", "dfs v2", "dfs v3", "dfs v4", "dfs handoff"), *("bfs gap", "bfs warp"))


@cache
def verified_rows(results, *below, machine=H200):
    """Verified rows of a GPU and the CPU of its host, or of folders below the machine's."""
    device = results / machine
    folders = [device / name for name in below] or [device, *records.folders_of_the_host(device)]
    return [row for row in rows_of(folders) if row["verified"] != "none"]


def bfs_rows(results, folder, machine=H200):
    return of_family(verified_rows(results, folder, machine=machine), "bfs")


def origin_of(rows):
    """Says where and when rows were measured."""
    own = {row["version"] for row in rows if records.is_of_gtrav(row)}
    others = {row["version"] for row in rows} - own
    beside = f", beside {', '.join(sorted(others))}" if others else ""
    devices, days = ", ".join(sorted({row["device"] for row in rows})), records.days_of(row["date"] for row in rows)
    return f"Measured {days} on {devices}, gtrav {', '.join(sorted(own))}{beside}"


def verified(text, rows, more=""):
    """The text, and below it where and when its rows were measured."""
    return f"{text}\n{origin_of(rows)}. Every row is verified{more}.\n" if rows else NOT_MEASURED


def with_checks(text, rows):
    """The same of the rows of a DataFrame, and how they were verified."""
    if rows.empty:
        return NOT_MEASURED
    return f"{text}\n{origin_of(rows.to_dict('records'))}; verified: {', '.join(sorted(set(rows.verified)))}.\n"


def h200_block(results, wanted, variants=None):
    """A table of times for a family, or for some variants of it; `dags`: depth-first search and topological sort on
    DAGs, as in WarpNet's table 4. A depth-first search on a DAG stands in that table alone."""
    rows = verified_rows(results)
    dags = {row["graph"] for row in of_family(rows, "topo")}
    if wanted == "dags":
        rows = [row for row in of_family(rows, "dfs", "topo") if row["graph"] in dags]
        rows = [{**row, "variant": f"{row['family']} {row['variant']}"} for row in rows]
        title = "DAGs, depth-first search and topological sort, ms:"
    else:
        rows = [row for row in of_family(rows, wanted) if wanted != "dfs" or row["graph"] not in dags]
        rows = [row for row in rows if variants is None or row["variant"] in variants.split(",")]
        sources = "/".join(sorted({row["sources"] for row in rows}, key=int))
        title = f"`{wanted}`, ms of a search, mean of {sources} sources:"
    table = times_as_markdown(rows, BASELINE) if rows else ""
    return verified(f"{title}\n\n{table}", rows, "; best in bold")


@cache
def measured_on_h200(results):
    folder = results / H200
    if not any(folder.rglob("*_perf.csv")):
        raise NothingToReport(f"no records in {folder}")
    return Results.read(folder, H200)


def speedups_block(results, family, *pairs):
    """How many times faster one variant is than another (v2:v1), over the graphs that both have run on.

    The report's functions measure it, so table and report have the same rows and the same numbers."""
    measured, lines = measured_on_h200(results), []
    for fast, slow in (pair.split(":") for pair in pairs):
        with suppress(MissingError):
            metric = TREE if slow == "nvg" else SEARCH
            found = geomean(speedup(measured, method(family, fast), method(family, slow), metric))
            ratios = found.numbers.values()
            factors = map(factor, (found.value, min(ratios), max(ratios)))
            lines.append([f"{fast} over {slow}", *factors, len(ratios)])
    return joined([(["speed", MEAN, "least", "most", "graphs"], lines)])


def ablation_block(results, family, variants, means=None):
    """mode=paper beside mode=best of these variants (queue,bitmap), graph by graph over the sources that both have;
    with "means" only the range of gains."""
    measured, lines, ranges = measured_on_h200(results), [], []
    for variant in variants.split(","):
        with suppress(MissingError):
            name, both = f"{family} {variant}", (method(family, variant, mode=mode) for mode in ("best", "paper"))
            ours, theirs, *_ = compared(measured, *both, SEARCH)
            gains = {key: theirs[key] / ms for key, ms in ours.items()}
            lines += [[name, str(key), theirs[key], ours[key], factor(gain)] for key, gain in gains.items()]
            mean = comparison.over_graphs(gains.values())
            lines.append([name, MEAN, None, None, factor(mean)])
            ranges.append([name, len(gains), *map(factor, (min(gains.values()), mean, max(gains.values())))])
    if means:
        return joined([(["variant", "cases", "least gain", MEAN, "largest"], ranges)])
    return joined([(["variant", "graph", "as in the paper, ms", "ours, ms", "gain"], lines)])


# Engines of bfs auto that are no method of their own: the table of its choice has them.
PARTS_OF_AUTO = set(fastest.ENGINES) - {blest.FULL}


def fastest_searches(results):
    """{search: fastest.fastest_cells()} of BFS and DFS, and all rows that they are made of: those of one run."""
    measured = verified_rows(results, FASTEST)
    words = {"Breadth-first search": ("bfs", fastest.OF_BFS), "Depth-first search": ("dfs", fastest.OF_DFS)}
    found, shown = {}, []
    for title, (family, beside) in words.items():
        rows = [row for row in of_family(measured, family) if row["variant"] not in PARTS_OF_AUTO]
        if rows:
            found[title] = fastest.fastest_cells(rows, beside)
            shown += rows
    with_parents = fastest.parents_cells(bfs_rows(results, PARENTS))
    for graph, cells in found.get("Breadth-first search", {}).items():
        cells.update(with_parents.get(graph, dict.fromkeys(fastest.PARENTS_CELLS)))
    return found, shown


def fastest_block(results):
    """For every graph the fastest BFS and DFS, beside one thread, all cores and Blest."""
    searches, rows = fastest_searches(results)
    tables = [f"{title}:\n\n{fastest.fastest_table(cells)}" for title, cells in searches.items()]
    return verified("\n".join(tables), rows)


def fastest_brief_block(results):
    """The same of a few graphs of different kinds in one table, with fewer columns."""
    searches, rows = fastest_searches(results)
    if len(searches) < 2:
        return NOT_MEASURED
    brief = [{name: cells[name] for name in README_GRAPHS if name in cells} for cells in searches.values()]
    return verified(fastest.brief_table(*brief), rows)


def parents_block(results):
    """bfs auto with and without parents beside cuGraph, from one run on an H100."""
    own, others = (bfs_rows(results, name, machine=H100) for name in (PARENTS, OTHERS))
    others = [row for row in others if row["variant"].startswith("cugraph")]
    both = {row["graph"] for row in others}
    own = [row for row in own if row["variant"] == fastest.AUTO and row["graph"] in both]
    return verified(fastest.programs_table(own, others, fastest.BESIDE_CUGRAPH), own + others)


def kernels_block(results):
    """bfs auto beside the programs of others whose graph is on the GPU, from one run on an H100."""
    rows = bfs_rows(results, KERNELS, machine=H100)
    own, others = ([row for row in rows if (row["variant"] == fastest.AUTO) == wanted] for wanted in (True, False))
    return verified(fastest.programs_table(own, others, fastest.BESIDE_KERNELS), rows)


def balance_block(results):
    """DiggerBees's figure 9: how far the blocks' tasks are spread, under both ways to choose victims."""
    rows = measured_on_h200(results).rows
    spread = rows[rows.family == records.BALANCE].pivot(index="graph", columns="variant", values="mean_variation")
    policies = {"baseline": "random victims", "diggerbees": "load-aware victims"}
    table = spread.reindex(columns=policies).astype(float).rename(columns=policies)
    return joined([as_table(table, "graph")])


def quality_block(results):
    """How depth-first the trees of each variant are: a row per variant, a column per graph."""
    cells = {}
    for row in rows_if_any(results / H200 / QUALITY):
        depth, share = (float(row[name] or 0) for name in ("mean_tree_depth", "mean_cross_share"))
        found = cells.setdefault(row["graph"], {})
        found[f"{row['family']} {row['variant']}"] = f"{depth:,.0f} / {100 * share:.3g}%"
    graphs = [graph for graph in QUALITY_GRAPHS if graph in cells]
    lines = [[name, *(cells[graph].get(name) for graph in graphs)] for name in QUALITY_VARIANTS]
    return joined([(["depth / cross edges", *graphs], lines)] if cells else [])


def joined(tables):
    """The tables that have rows, as Markdown."""
    return "\n".join(markdown(header, rows) for header, rows in tables if rows) or NOT_MEASURED


def of_paper(results, folder, tables):
    """Tables of a paper, from the records of its mode on the H200."""
    measured = Results.read(results / H200 / folder)
    return joined(make(measured) for make in tables)


def choice_block(results):
    """bfs auto beside each of its engines, levels and parents, on each graph from one run on the H200."""
    tables, shown = [], []
    for wanted, title in ((False, "Levels:"), (True, "Parents:")):
        found = {}
        for folder in (FASTEST, CHOICE):  # a graph of both has the rows of the second
            known = [row for row in bfs_rows(results, folder) if fastest.gives_parents(row) == wanted]
            found |= comparison.of_each_graph(known)
        rows = [row for known in found.values() for row in known]
        rows = [row for row in rows if row["variant"] in (fastest.AUTO, *fastest.ENGINES)]
        header, lines = fastest.engine_times(rows)
        lines = [[*line, "yes" if fastest.is_held_out(line[0]) else None] for line in lines]
        tables += [f"{title}\n\n{joined([([*header, 'held out'], lines)])}"] if rows else []
        shown += rows
    return verified("\n".join(tables), shown)


def choice_halves_block(results):
    """bfs auto beside its engines on an H100: graphs that constants were fitted to, and others; one run."""
    rows = bfs_rows(results, CHOICE, machine=H100)
    new = [row for row in rows if row["graph"].removesuffix("+undirected") in fastest.NEVER_FITTED]
    fitted, others = (joined([fastest.engine_times(half)]) for half in ([row for row in rows if row not in new], new))
    return verified(f"Constants were fitted to these:\n\n{fitted}\nand to none of these:\n\n{others}", rows)


def of_many_sources(results, part, *makes):
    """Tables of many sources on the H200."""
    measured = msbfs.Measured(Results.read(results / H200 / MSBFS), part)
    return with_checks(joined(make(measured) for make in makes), measured.rows)


def of_graphs(header, rows, graphs):
    """A table without the rows of other graphs than these (snb:1,snb:10)."""
    return joined([(header, [row for row in rows if row[0] in graphs.split(",")])])


def pairs_block(results, graphs):
    """Path lengths on these graphs; from how many pairs on IBFS's coalesced schemes beat its workgroups."""
    measured = msbfs.Measured(measured_on_h200(results), "pairs")  # from all days
    found = msbfs.crossovers(measured)
    words = ", ".join(f"{graph} {size:,}" if size else f"{graph} never" for graph, size in found.items())
    if not words:
        return NOT_MEASURED
    text = with_checks(of_graphs(*msbfs.path_lengths(measured), graphs), measured.rows)
    return f"{text}\nPairs from which on a coalesced scheme beats the workgroups: {words}.\n"


def backends_block(results):
    """Path lengths by CUDA and by WebGPU."""
    measured = msbfs.Measured(Results.read(results / H200 / "run_msbfs"), "pairs")
    rows = measured.rows[measured.rows.name.isin(msbfs.WEBGPU)].to_dict("records")
    return verified(joined([msbfs.backends(measured)]), rows)


def whole_pairs_block(results, graphs):
    """Whole calls for path lengths on these graphs, as far as records have them."""
    measured = msbfs.Measured(Results.read(results / H200 / "run_msbfs"), "pairs")
    return with_checks(of_graphs(*msbfs.whole_calls(measured), graphs), measured.rows[measured.rows.whole_ms > 0])


# Columns of the blocks that gtrav graph500 prints: {title: (name of the reference, factor to s, ms or GTEPS)}.
OF_GRAPH500 = {
    "generation s": ("graph_generation", 1),
    "construction s": ("construction_time", 1),
    "median search ms": ("median_time", 1e3),
    "max search ms": ("max_time", 1e3),
    "harmonic mean GTEPS": ("harmonic_mean_TEPS", 1e-9),
    "validating a tree ms": ("mean_validate", 1e3),
}


def graph500_block(results, files="scale"):
    """A scale a line, of the files scale-N.txt, or of the files sssp-N.txt of shortest paths."""
    lines = []
    for path in sorted((results / H200 / "graph500").glob(f"{files}-*.txt")):
        block = dict(re.findall(r"^(?:bfs  |sssp )?(\w+):[ !]*(\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
        lines.append([block["SCALE"], *(float(block[name]) * unit for name, unit in OF_GRAPH500.values())])
    return joined([(["scale", *OF_GRAPH500], lines)])


# The GAP benchmark's graphs, and what stands for them here.
OF_GAP = {"road": "road:21", "twitter": "kron:26:11", "web": "web:26:30", "kron": "kron:27", "urand": "urand:27"}


def gap_block(results):
    """BFS with parents by GAP's baseline rules, under which all preparation counts, and by its optimised ones, from
    the same sources."""
    rows = rows_if_any(results / H200 / "gap" / H200 / "bfs_auto_perf.csv")
    lines = []
    for name, graph in OF_GAP.items():
        both = [row for row in rows if row["graph"] == graph]
        if len(both) < 2:
            continue
        equal, terms = on_equal_terms(sorted(both, key=lambda row: "prepare=0" not in row["options"]))
        times = (float(row[column]) for row in equal for column in (comparison.TIME, "prepare_ms"))
        lines.append([name, graph, terms.shared, *times])
    columns = ["sources", "baseline ms", "upload ms", "optimised ms", "prepare ms"]
    return joined([(["GAP's graph", "here", *columns], lines)])


def programs_block(results, kernel):
    """A kernel of the GAP Benchmark Suite by several programs, each with the best of its deltas, graph by graph."""
    rows = pd.DataFrame(rows_if_any(results / H200 / "gap" / "programs.csv"))
    if rows.empty:
        return NOT_MEASURED
    rows = rows[rows.kernel == kernel].astype({"mean_ms": float})
    header, lines = as_table(rows.pivot_table("mean_ms", "graph", "program", "min", sort=False), "graph")
    return joined([(header, [[graph, *fastest.with_least_in_bold(times)] for graph, *times in lines])])


def linked_block(results):
    """One search on one GPU and on two that access each other's memory, ms, and a model of four and eight.

    The model: P GPUs take 1/P of the time of one, and (P - 1)/P of a time for meeting and exchange, which is fitted to
    the two measured times of this search.
    """
    rows = pd.DataFrame(rows_of([results / H200 / "linked"]))
    if rows.empty:
        return NOT_MEASURED
    rows["gpus"] = rows.devices + " GPU"
    rows["found"] = rows.apply(fastest.gives_parents, axis="columns").map({True: "parents", False: "levels"})
    rows["ms"] = rows.mean_time_ms.astype(float)
    times = rows.pivot_table("ms", ["graph", "found"], "gpus", sort=False)[["1 GPU", "2 GPU"]]
    exchange = 2 * times["2 GPU"] - times["1 GPU"]
    for gpus in (4, 8):
        times[f"{gpus} by the model"] = (times["1 GPU"] + (gpus - 1) * exchange) / gpus
    return joined([as_table(times, "graph", "found")])


def compare_block(results, device):
    """How often gtrav compare was wrong on a device, and which differences it found."""
    path = results / device / compare_proof.FILE
    return joined([compare_proof.table(pd.read_csv(path))]) if path.is_file() else NOT_MEASURED


def energy_block(results):
    """The energy of a search on the H200. As Graph500 counts, the two directions of an edge are one edge."""
    lines = []
    for row in rows_of([results / H200 / "energy"]):
        facts = records.facts_of(row)
        found = "levels, parents" if "output=" in row["options"] else "levels"
        joules, ms = facts["joules_per_search"], 1e3 * facts["energy_seconds"] / facts["energy_searches"]
        powers = [1e3 * joules / ms, facts["idle_watts"], facts["mteps_per_watt"] / 2]
        lines.append([row["graph"], found, int(facts["energy_searches"]), ms, joules, *powers])
    header = ["graph", "result", "searches", "ms a search", "J a search", "W", "W idle", "MTEPS/W"]
    return joined([(header, lines)])


# NAME_block fills the block NAME, from the folder of results and the words behind its name.
BLOCKS = {name.removesuffix("_block"): make for name, make in [*globals().items()] if name.endswith("_block")}
BLOCKS |= {
    "msbfs": lambda results: of_many_sources(results, "batches", msbfs.many_against_one),
    "blest6": lambda results: of_many_sources(results, "batches", msbfs.ablation, msbfs.memory),
    "closeness": lambda results: of_many_sources(results, "closeness", msbfs.closeness_times),
    "blest": lambda results: of_paper(results, BLEST, (blest.ablation, blest.preprocessing, blest.memory)),
    "xbfs": lambda results: of_paper(results, XBFS, xbfs.TABLES),
    "rivals": lambda results: joined([fastest.other_programs(measured_on_h200(results))]),  # of other authors
}

BLOCK = re.compile(r"^(<!-- begin: (.+) -->\n).*?^(?=<!-- end: \2 -->$)", re.MULTILINE | re.DOTALL)


def fill_blocks(path, results):
    """The file's text with what stands between every block's markers made anew."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^<!-- (begin|end): (.+) -->$", text, re.MULTILINE)
    names = [name for _, name in found[::2]]
    if not names or found != [(side, name) for name in names for side in ("begin", "end")]:
        form = "'<!-- begin: NAME -->' ... '<!-- end: NAME -->'"
        raise RecordsError(f"{path}: expected blocks {form}, one after the other")

    def made_anew(block):
        begin, name = block.groups()
        kind, *words = name.split()
        if kind not in BLOCKS:
            raise RecordsError(f"{path}: no block '{kind}'; there are {', '.join(BLOCKS)}")
        try:
            return f"{begin}\n{BLOCKS[kind](results, *words)}\n"
        except NothingToReport:
            return f"{begin}\n{NOT_MEASURED}\n"

    return BLOCK.sub(made_anew, text)


def update_pages(pages, results, check):
    """Writes the pages whose tables change, but none if one of the tables fails. Returns the exit status."""
    made = {page: fill_blocks(page, results) for page in pages}
    outdated = [page for page, text in made.items() if text != page.read_text(encoding="utf-8")]
    for page in outdated:
        if check:
            say(f"{page} is out of date; scripts/tables.py readme writes its tables anew")
        else:
            write_atomically(page, made[page])
    return int(check and bool(outdated))


def pages_with_blocks():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), RESULTS / H200 / "tables.md"]
    return [page for page in pages if "\n<!-- begin: " in page.read_text(encoding="utf-8")]


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("what", choices=("summary", "readme"))
    default = "default: results/local; of readme: results"
    add("--results", type=Path, nargs="+", metavar="DIR", help=f"folders of records ({default})")
    add("--check", action="store_true", help="readme: write nothing; status 1 where one is out of date")
    arguments = parser.parse_args()
    folders = arguments.results or [RESULTS if arguments.what == "readme" else LOCAL]
    if arguments.what == "readme":
        return update_pages(pages_with_blocks(), folders[0], arguments.check)
    if not any(path for folder in folders for path in folder.rglob("*.csv")):
        raise RecordsError(f"no records in {', '.join(map(str, folders))}; gtrav --csv writes them")
    print_summary(*folders)
    return 0
