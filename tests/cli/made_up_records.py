"""made_up_records.py: records of a few graphs and methods, with numbers that are easy to compute with."""

import csv

from helpers import ROOT, SUMMARY

GPU, HOST = "nvidia-h200", "cpu-x"
EDGES = {"kron:10": 100, "road:5": 1000, "grid:9x9": 5000}  # small ones first
MS = {"v4": (2, 4, 8), "handoff": (4, 1, 2), "nvg": (4, 4, 4), "ckl": (1, 8, 16)}
PAIRS = (
    "graph,vertices,edges,family,variant,options,device,pairs,sources,batches,batch_sources,verified,load_ms,"
    "prepare_ms,time_ms,kernel_ms,download_ms,total_ms,note,facts,version,date"
)


def row(graph, variant, ms, device=GPU, family="dfs", **values):
    """A row of a summary; what is not named is 1."""
    known = dict.fromkeys(SUMMARY.split(","), "1")
    known.update(graph=graph, family=family, variant=variant, device=device, options="", note="", facts="")
    known.update(mean_time_ms=str(ms), mean_search_mteps=str(1000 / ms), edges=str(EDGES.get(graph, 10)))
    known.update(busy_cores="0", throttled="0", clock_limits="")
    known.update(verified="all", date="2026-01-01T00:00:00Z", sources="64", version="abc", devices="1")
    return {**known, **{name: str(value) for name, value in values.items()}}


def pairs_row(graph, variant, pairs, ms, device=GPU, family="msbfs", **values):
    """A row of path lengths."""
    known = dict.fromkeys(PAIRS.split(","), "1")
    known.update(graph=graph, family=family, variant=variant, device=device, options="", note="", facts="")
    known.update(pairs=pairs, sources=pairs, time_ms=ms, verified="first", version="v")
    known.update(date="2026-01-01T00:00:00Z", **values)
    return {name: str(value) for name, value in known.items()}


def write(folder, rows, where="", ending="perf"):
    """Adds rows to the summaries of their devices and variants, in a folder below this one."""
    for one in rows:
        path = folder / where / one["device"] / f"{one['family']}_{one['variant']}_{ending}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(one))
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(one)


def of_all_graphs(device=GPU, times=MS):
    return [
        row(graph, variant, ms, HOST if variant == "ckl" else device, mean_tree_depth=depth)
        for variant, some in times.items()
        for graph, ms, depth in zip(EDGES, some, ("5", "300", "900"))
    ]


def as_if_emulated(folder):
    """The folder below it that has the committed records, as if the emulator had made those of the GPU."""
    committed, folder = ROOT / "results" / GPU, folder / "emulator"
    for path in committed.rglob("*.csv"):
        copy = folder / str(path.relative_to(committed)).replace(GPU, "emulator")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text(encoding="utf-8").replace(GPU, "emulator"), encoding="utf-8")
    return folder
