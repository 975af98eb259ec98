#!/usr/bin/env python3
"""Writes tables from records.

  blest    Blest's tables 1, 2, 4, 5, 7 and 8 from the merged tables, in the same way: blest_table_1.md, ...
  msbfs    of many sources: Blest's tables 3, 6 and 8, path lengths, from the records of scripts/msbfs.py
  xbfs     XBFS's table 2 and what its figures show, from the records of scripts/xbfs.py
  paper    WarpNet's table 2 (BFS run times) and table 4 (depth-first search against topological sort on DAGs)
           from the merged tables, as Markdown and CSV beside them: table_2.md, table_2.csv, table_4.md, ...
  summary  prints the fastest implementation for every graph and family
  readme   writes README.md's generated parts anew: the algorithms (gtrav --list), results on the H200, and
           the reader's speed (results/readers.csv, by scripts/bench_readers.py --csv)

Times are mean_kernel_ms, the traversal alone, as the papers report them.
"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import blest
import msbfs
import xbfs
from merge_results import find_files, merge
from records import RESULTS, ROOT, RecordsError, dag_rows, pivot, read_merged, series_names, write_atomically

H200 = "nvidia-h200"
PROVENANCE = "provenance.json"  # of a device folder; its cpu_folders names the CPU results of the same host
BASELINE = "serial (CPU)"
READERS = "readers.csv"  # in the folder of results
NOT_MEASURED = "Not measured yet.\n"
NUMBER = re.compile(r"(\*{0,2}[\d.,]+x?\*{0,2})?")


def say(text):
    print(f"tables: {text}", file=sys.stderr)


# ---- numbers and tables as text ----


def digits(value):
    """Three significant digits, thousands grouped: 0.0324, 12.5, 4,550."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    places = 2 if value == 0 else max(0, 2 - int(f"{value:e}".split("e")[1]))
    return f"{value:.{places}f}"


def markdown(header, rows):
    """A Markdown table that is also legible as text; columns of numbers are right-aligned."""
    cells = [list(map(str, header)), *[list(map(str, row)) for row in rows]]
    columns = []
    for column in zip(*cells):
        width = max(3, *map(len, column))
        if all(NUMBER.fullmatch(text) for text in column[1:]):
            columns.append(
                [column[0].rjust(width), "-" * (width - 1) + ":", *(t.rjust(width) for t in column[1:])]
            )
        else:
            columns.append([column[0].ljust(width), "-" * width, *(t.ljust(width) for t in column[1:])])
    return "".join(f"| {' | '.join(line)} |\n" for line in zip(*columns))


def as_csv(header, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


# ---- tables of times ----


def run_times(rows):
    """Header and rows, one row a graph: name, vertices, edges, ms per implementation (or None)."""
    table, series = pivot(rows)
    sizes = {row["graph"]: (int(float(row["vertices"])), int(float(row["edges"]))) for row in rows}
    body = [[graph, *sizes[graph], *(times.get(name) for name in series)] for graph, times in table.items()]
    return ["graph", "vertices", "edges", *series], body


def times_as_markdown(rows, baseline=None):
    """Times made legible, the fastest of a row in bold; beside a baseline, how many times faster that is."""
    header, body = run_times(rows)
    with_speedup = baseline in header and len(header) > 4
    lines = []
    for graph, vertices, edges, *times in body:
        best = min(time for time in times if time is not None)
        line = [graph, f"{vertices:,}", f"{edges:,}"]
        for time in times:
            text = "" if time is None else digits(time)
            line.append(f"**{text}**" if time == best and len(times) > 1 else text)
        if with_speedup:
            reference = times[header[3:].index(baseline)]
            line.append(f"{digits(reference / best)}x" if reference and best else "")
        lines.append(line)
    return markdown([*header, *(["best / serial"] if with_speedup else [])], lines)


def devices(rows):
    return ", ".join(sorted({row["device"] for row in rows}))


def other_programs(rows):
    """A line about those of scripts/peers.py, whose versions begin with their names."""
    versions = {row["version"] for row in rows if row["version"].startswith(row["variant"].split()[-1])}
    return f"\nOther programs, as they are: {', '.join(sorted(versions))}\n" if versions else ""


def write_paper_tables(merged):
    bfs, dfs, topo = (read_merged(family, merged) for family in ("bfs", "dfs", "topo"))
    if not bfs and not topo:
        raise RecordsError(f"no merged tables in {merged}; scripts/merge_results.py writes them")
    tables = [
        ("table_2", "BFS run time in ms (WarpNet, table 2)", bfs),
        (
            "table_4",
            "Depth-first search against topological sort, ms (WarpNet, table 4)",
            dag_rows(dfs, topo),
        ),
    ]
    for name, title, rows in tables:
        if rows:
            text = f"{title}; {devices(rows)}\n\n{times_as_markdown(rows)}{other_programs(rows)}"
            write_atomically(merged / f"{name}.md", text)
            write_atomically(merged / f"{name}.csv", as_csv(*run_times(rows)))
            print(text)


# ---- Blest's tables ----


def legible(value):
    if value is None:
        return ""
    return digits(value) if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value


def blest_markdown(header, rows):
    return markdown(header, [list(map(legible, row)) for row in rows])


def write_blest_tables(merged):
    rows = read_merged("bfs", merged)
    if not rows:
        raise RecordsError(f"no merged table of bfs in {merged}; scripts/merge_results.py writes it")
    evaluation = blest.Evaluation(rows)
    for name, (title, make) in blest.TABLES.items():
        header, body = make(evaluation)
        if body:
            text = f"{title}; {devices(evaluation.rows.values())}\n\n{blest_markdown(header, body)}"
            write_atomically(merged / f"{name}.md", text)
            write_atomically(merged / f"{name}.csv", as_csv(header, body))
            print(text)


def write_msbfs_tables(results, merged, with_emulator):
    for name, (title, part, make) in msbfs.TABLES.items():
        measured = msbfs.Measured(results, part, with_emulator)
        header, body = make(measured)
        if body:
            text = f"{title}; {devices(measured.rows.values())}\n\n{blest_markdown(header, body)}"
            write_atomically(merged / f"{name}.md", text)
            write_atomically(merged / f"{name}.csv", as_csv(header, body))
            print(text)


def write_xbfs_tables(results, merged, with_emulator):
    measured = xbfs.Measured(results, with_emulator)
    for name, (title, make) in xbfs.TABLES.items():
        header, body = make(measured)
        if body:
            text = f"{title}; {measured.gpu or 'GPU'}\n\n{blest_markdown(header, body)}"
            write_atomically(merged / f"{name}.md", text)
            write_atomically(merged / f"{name}.csv", as_csv(header, body))
            print(text)


def print_summary(merged):
    lines, all_rows = [], []
    for path in sorted(merged.glob("merged_*_perf.csv")):
        family = path.name[len("merged_") : -len("_perf.csv")]
        rows = read_merged(family, merged)
        all_rows += rows
        names = dict(zip(map(id, rows), series_names(rows)))
        for graph in dict.fromkeys(row["graph"] for row in sorted(rows, key=lambda row: float(row["edges"]))):
            measured = [row for row in rows if row["graph"] == graph]
            best = min(measured, key=lambda row: float(row["mean_kernel_ms"]))
            time, mteps = float(best["mean_kernel_ms"]), float(best["harmonic_mean_mteps"])
            line = [graph, f"{int(float(best['edges'])):,}", family, names[id(best)], len(measured)]
            lines.append([*line, digits(time), digits(mteps), best["verified"]])
    print(
        markdown(["graph", "edges", "family", "fastest", "of", "kernel ms", "MTEPS", "verified"], lines)
        + other_programs(all_rows),
        end="",
    )


# ---- README.md ----

QUALITY = "quality.csv"
BLEST, MSBFS, XBFS = "blest", "msbfs", "xbfs"  # of the H200's folder
QUALITY_GRAPHS = ("road:17", "grid:2048x2048", "rgg:20", "delaunay:20", "kron:20", "urand:22", "ego-twitter")
QUALITY_VARIANTS = (
    *("dfs serial", "dfs v1", "dfs v2", "dfs v3", "dfs v4", "dfs v5", "dfs nvg", "reach handoff"),
    *("bfs gap", "bfs warp"),
)
ALGORITHM_COLUMNS = ["family", "variant", "device", "outputs", "what", "from"]


def algorithms_block(old):
    """A row per algorithm of gtrav --list. A build without nvcc knows no GPU algorithms: their rows stay."""
    gtrav = os.environ.get("GTRAV", str(ROOT / "build" / "gtrav"))
    listing = subprocess.run([gtrav, "--list", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    rows = []
    for entry in json.loads(listing.stdout):
        names = [entry["family"], entry["variant"], entry["device"].upper()]
        outputs = [*entry["outputs"], *(f"({output})" for output in entry["on_request"])]
        rows.append([*names, ", ".join(outputs), entry["title"], entry["citation"]])
    if all(row[2] != "GPU" for row in rows):
        old_rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in old.splitlines()]
        rows = [row for row in old_rows if len(row) == len(ALGORITHM_COLUMNS) and row[2] == "GPU"] + rows
    return markdown(ALGORITHM_COLUMNS, sorted(rows, key=lambda row: row[0]))


def measured_folders(results):
    """The H200's folder and the CPU folders of the same host."""
    note = results / H200 / PROVENANCE
    named = json.loads(note.read_text()).get("cpu_folders") if note.is_file() else None
    beside = [results / name for name in named] if named else sorted(results.glob("cpu-*"))
    return [results / H200, *beside]


def h200_block(results):
    """One table per family; what ran on DAGs stands together, as in WarpNet's table 4."""
    files = find_files(measured_folders(results)) if (results / H200).is_dir() else []
    families, _ = merge(files, with_emulator=False)
    verified = {name: [row for row in rows if row["verified"] != "none"] for name, rows in families.items()}
    dags = dag_rows(verified.get("dfs", []), verified.pop("topo", []))
    on_dags = {row["graph"] for row in dags}
    parts = []
    for family, rows in sorted(verified.items()):
        rows = [row for row in rows if family != "dfs" or row["graph"] not in on_dags]
        if rows:
            sources = "/".join(sorted({row["sources"] for row in rows}, key=int))
            table = times_as_markdown(rows, BASELINE)
            parts.append(f"`{family}`, kernel ms, mean of {sources} sources:\n\n{table}")
    if dags:
        parts.append(
            f"DAGs, depth-first search and topological sort, kernel ms:\n\n{times_as_markdown(dags)}"
        )
    rows = [row for rows in verified.values() for row in rows] + dags
    if not rows:
        return NOT_MEASURED
    versions = ", ".join(sorted({row["version"] for row in rows}))
    days = sorted({row["date"][:10] for row in rows})
    span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    parts.append(
        f"Measured {span} on {devices(rows)}, gtrav {versions}. Every row is verified; best in bold.\n"
    )
    return "\n".join(parts)


def readers_block(results):
    if not (results / READERS).is_file():
        return NOT_MEASURED
    with open(results / READERS, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return markdown(header, rows)


def quality_block(results):
    """How depth-first the trees of each variant are: a row per graph, a column per variant."""
    path = results / H200 / QUALITY
    if not path.is_file():
        return NOT_MEASURED
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shown = {(row["graph"], f"{row['family']} {row['variant']}"): row for row in rows}
    graphs = [graph for graph in QUALITY_GRAPHS if any(key[0] == graph for key in shown)]
    lines = []
    for name in QUALITY_VARIANTS:
        cells = []
        for graph in graphs:
            row = shown.get((graph, name))
            depth, share = (
                (float(row[c] or 0) for c in ("mean_tree_depth", "mean_cross_share")) if row else (0, 0)
            )
            cells.append(f"{depth:,.0f} / {100 * share:.3g}%" if row else "")
        lines.append([name, *cells])
    return markdown(["depth / cross edges", *graphs], lines)


def blest_block(results):
    """Blest's ablation, preprocessing and memory, from the records of run_blest on the H200."""
    families, _ = merge(find_files([results / H200 / BLEST]), with_emulator=False)
    evaluation = blest.Evaluation(families.get("bfs", []))
    parts = []
    for make in (blest.ablation, blest.preprocessing, blest.memory):
        header, rows = make(evaluation)
        if rows:
            parts.append(blest_markdown(header, rows))
    return "\n".join(parts) or NOT_MEASURED


def auto_block(results):
    """bfs auto beside the fastest of Blest's rows, and what it prepared."""
    families, _ = merge(find_files([results / H200, results / H200 / BLEST]), with_emulator=False)
    rows = families.get("bfs", [])
    lines = []
    for row in (row for row in rows if row["variant"] == "auto"):
        time = float(row["mean_kernel_ms"])
        rivals = [r for r in rows if r["graph"] == row["graph"] and r["variant"] == blest.FULL]
        best = min((float(r["mean_kernel_ms"]) for r in rivals), default=None)
        faster = f"{best / time:.1f}x" if best else ""
        sizes = [f"{int(float(row[name])):,}" for name in ("vertices", "edges")]
        shown = [digits(best) if best else "", digits(time), faster, digits(float(row["build_ms"]))]
        megabytes = f"{float(row['device_bytes']) / 1e6:,.0f}"
        choice = row["note"].partition(": ")[0]
        lines.append([row["graph"], *sizes, *shown, megabytes, row["sources"], row["verified"], choice])
    if not lines:
        return NOT_MEASURED
    lines.sort(key=lambda line: int(line[2].replace(",", "")))
    sizes = ["vertices", "edges"]
    shown = ["blest", "auto", "faster", "prepared in", "MB"]
    return markdown(["graph", *sizes, *shown, "sources", "verified", "what it chose"], lines)


def many_sources_block(results, *names):
    """Tables of many sources, of scripts/msbfs.py on the H200."""
    parts, rows = [], []
    for name in names:
        _, part, make = msbfs.TABLES[name]
        measured = msbfs.Measured(results / H200 / MSBFS, part)
        header, body = make(measured)
        if body:
            parts.append(blest_markdown(header, body))
            rows += measured.rows.values()
    if not rows:
        return NOT_MEASURED
    versions = ", ".join(sorted({row["version"] for row in rows}))
    days = ", ".join(sorted({row["date"][:10] for row in rows}))
    checked = ", ".join(sorted({row["verified"] for row in rows}))
    return "\n".join(
        [*parts, f"Measured {days} on {devices(rows)}, gtrav {versions}; verified: {checked}.\n"]
    )


def pairs_block(results):
    """Path lengths, and from how many pairs on IBFS's coalesced schemes are faster than its workgroups."""
    found = msbfs.crossovers(msbfs.Measured(results / H200 / MSBFS, "pairs"))
    words = ", ".join(f"{graph} {size:,}" if size else f"{graph} never" for graph, size in found.items())
    table = many_sources_block(results, "ibfs_pairs")
    if not words:
        return table
    return f"{table}\nPairs from which on a coalesced scheme beats the workgroups: {words}.\n"


def xbfs_block(results):
    """XBFS beside its rivals and its parts, from the records of run_xbfs on the H200."""
    measured = xbfs.Measured(results / H200 / XBFS)
    parts = []
    for _, make in xbfs.TABLES.values():
        header, rows = make(measured)
        if rows:
            parts.append(blest_markdown(header, rows))
    return "\n".join(parts) or NOT_MEASURED


def replace_block(text, name, make):
    """The text with what stands between a block's markers replaced by make(what stands there)."""
    begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->\n"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise RecordsError(f"README has no lines '{begin.strip()}' and '{end.strip()}'")
    first, last = text.index(begin) + len(begin), text.index(end)
    return f"{text[:first]}\n{make(text[first:last])}\n{text[last:]}"


def update_readme(readme, results, check):
    old = readme.read_text(encoding="utf-8")
    new = replace_block(old, "algorithms", algorithms_block)
    new = replace_block(new, "h200", lambda _: h200_block(results))
    new = replace_block(new, "quality", lambda _: quality_block(results))
    new = replace_block(new, "blest", lambda _: blest_block(results))
    new = replace_block(new, "auto", lambda _: auto_block(results))
    new = replace_block(new, "msbfs", lambda _: many_sources_block(results, "msbfs"))
    new = replace_block(
        new, "blest6", lambda _: many_sources_block(results, "blest_table_6", "blest_table_8_many")
    )
    new = replace_block(new, "pairs", lambda _: pairs_block(results))
    new = replace_block(new, "closeness", lambda _: many_sources_block(results, "blest_table_3"))
    new = replace_block(new, "xbfs", lambda _: xbfs_block(results))
    new = replace_block(new, "readers", lambda _: readers_block(results))
    if check and new != old:
        say(f"{readme} is out of date; scripts/tables.py readme writes its tables anew")
        return 1
    if new != old:
        write_atomically(readme, new)
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("paper", "blest", "msbfs", "xbfs", "summary", "readme"))
    parser.add_argument(
        "--merged", type=Path, default=RESULTS / "merged", help="folder of merged tables (results/merged)"
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        help="folder of device folders, for readme, msbfs and xbfs (results)",
    )
    parser.add_argument(
        "--with-emulator",
        action="store_true",
        help="msbfs, xbfs: tell what was measured in the emulator, too",
    )
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md", help="the file that readme writes")
    parser.add_argument(
        "--check", action="store_true", help="readme: write nothing; status 1 where it is out of date"
    )
    arguments = parser.parse_args()
    if arguments.what == "readme":
        return update_readme(arguments.readme, arguments.results, arguments.check)
    if arguments.what == "paper":
        write_paper_tables(arguments.merged)
    elif arguments.what == "blest":
        write_blest_tables(arguments.merged)
    elif arguments.what == "msbfs":
        write_msbfs_tables(arguments.results, arguments.merged, arguments.with_emulator)
    elif arguments.what == "xbfs":
        write_xbfs_tables(arguments.results, arguments.merged, arguments.with_emulator)
    else:
        print_summary(arguments.merged)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RecordsError, OSError, ValueError, subprocess.CalledProcessError) as error:
        say(error)
        sys.exit(2)
