"""made_up.py: lists of graphs, and a program in gtrav's place that lists algorithms as told and measures nothing."""

import csv
import json
import sys

from helpers import SUMMARY, write_program

# The columns of a dataset list, as dataset/README.md names them.
LIST = ("name", "group", "download_path", "vertices", "edges", "kind", "stand_in")

# It logs every run; blocks do other tasks under policy 0 than under 1, and graph "bad" fails.
PROGRAM = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
if "--version" in words:
    sys.exit(print("gtrav made up\\nbuild up"))
if "--list" in words:
    sys.exit(print({listing!r}))
value = lambda name: words[words.index(name) + 1]
graph = value("--graph")
if graph == "bad":
    sys.exit("gtrav: bad: no such graph")
if "--info" in words:
    sys.exit(print(json.dumps([{{"name": graph, "vertices": 1000, "edges": 10**8}}])))
family, results = value("--algo"), pathlib.Path(value("--csv"))
open({log!r}, "a").write(" ".join(words) + "\\n")
settings = " ".join(words[i + 1] for i, word in enumerate(words) if word == "--set")

def write_tasks():
    tasks = [10, 10, 40] if "balance-policy=0" in settings else [19, 20, 21]
    path = results / "gpu-x" / "tasks" / f"dfs_v4_{{graph.replace('/', '_')}}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write("options,source,tasks\\n" * (file.tell() == 0))
        file.writelines(f"{{settings}},{{source}},{{' '.join(map(str, tasks))}}\\n" for source in (5, 5, 9))

def write_summaries():
    named = value("--variant").split(",")
    for entry in json.loads({listing!r}):
        if entry["family"] != family or not (entry["variant"] in named or named == ["all"]):
            continue
        header = {summary!r}
        row = dict.fromkeys(header.split(","), "1")
        mode = "mode=best " * (entry.get("modes", False) and "mode=" not in settings)
        row.update(graph=graph, family=family, variant=entry["variant"], options=mode + settings)
        row.update(device=f"{{entry['device']}}-x")
        row.update(facts="", verified="all", date="2026-01-01T00:00:00Z")
        row.update(cores="8", busy_cores="0", throttled="0", clock_limits="")
        row.update(mean_search_mteps=str(100 + len(entry["variant"])))
        path = results / row["device"] / f"{{family}}_{{entry['variant']}}_perf.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a") as file:
            file.write((header + "\\n") * (file.tell() == 0) + ",".join(row.values()) + "\\n")

if "tasks=1" in words:
    write_tasks()
    print(json.dumps([{{"graph": {{"name": graph}}, "device": "gpu-x"}}]))
else:
    write_summaries()
"""


def algorithm(family, variant, device="gpu", **known):
    entry = {"family": family, "variant": variant, "device": device, "outputs": ["visited"], "title": "T"}
    entry["on_request"] = []
    return {**entry, "citation": "C", "available": True, "emulated": False, **known}


def make_up(folder, algorithms):
    """Writes the program to a folder; returns its path and that of its log."""
    program, log = folder / "gtrav", folder / "log"
    listing = json.dumps(algorithms)
    words = {"python": sys.executable, "listing": listing, "log": str(log), "summary": SUMMARY}
    write_program(program, PROGRAM.format(**words))
    return program, log


def write_list(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([LIST, *rows])
    return path


def graph_row(name, group="Tiny", kind="undirected graph", stand_in=""):
    return [name, group, f"MM/{group}/{name}.tar.gz" if group else "", "", "", kind, stand_in]
