"""modes.py: the modes of scripts/run_all.sh: a row of the table, and a function of the same name, or the steps that
dataset/modes.csv lists.

They add the steps of the mode, in order, to a plan (run_mode.py). They run nothing.
"""

import csv
from functools import partial
from pathlib import Path

# On two cores; README has the same time, and that of quick_start, which includes building.
BUILDING = "3 minutes, 10 with nvcc"

TABLE = """\
mode            | what it does                                       | time                    | what it needs
quick_start     | every algorithm that can run here, on small graphs | 5 minutes, 12 with nvcc | 2 cores; a GPU for GPU algorithms
run_subset      | DiggerBees and its rivals: figures 5, 6, 8         | about an hour           | a GPU, 16 GB of memory, network
run_bench       | the same on all 234 graphs: figures 5, 6, 7        | days                    | a GPU, 128 GB of memory, 600 GB of disk
run_balance     | tasks of the blocks of DiggerBees: figure 9        | some minutes            | a GPU; the emulator for small graphs
run_sensitivity | DiggerBees under nine pairs of cutoffs: figure 10  | half an hour            | a GPU, 16 GB of memory, network
run_warpnet     | WarpNet at full size: tables 2, 4, figures 1, 2    | about an hour           | a GPU, 16 GB of memory, network
run_blest       | Blest: tables 1, 2, 4, 5, 7, 8, figures 4, 5       | an hour                 | a GPU; the emulator for small graphs
run_msbfs       | many sources: tables 3, 6, 8 of Blest, IBFS        | half an hour            | a GPU; the emulator for small graphs
run_xbfs        | XBFS: table 2, figures 5 and 9 to 15               | half an hour            | a GPU; the emulator for small graphs
paper NAME      | all of one paper, or of all five, but run_bench    | their sum               | what they need; without a GPU some are left out
run_user LIST   | all that can run here, on graphs of your own       | as they are             | a list: dataset/README.md says how
"""  # noqa: E501

DATASET = Path(__file__).resolve().parents[3] / "dataset"


def rows_of(name):
    with open(DATASET / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# The modes of each paper, without run_bench, which takes days.
MODES_OF = {row["id"]: [mode for mode in row["modes"].split() if mode != "run_bench"] for row in rows_of("papers.csv")}
ALL = "all"  # papers
# {mode: (its list in dataset/, its figures, and those on the emulator or None where the mode needs a GPU)}
MEASURED = {
    "run_subset": ("rep12_graphs", ("5", "6", "8"), None),
    "run_bench": ("benchmark_list", ("5", "6", "7"), None),
    "run_balance": ("rep_graphs", ("9",), ("9",)),
    "run_sensitivity": ("rep_graphs", ("10",), None),
    "run_warpnet": ("warpnet_list", ("warpnet_1", "warpnet_2"), None),
    "run_blest": ("blest_list", ("blest_4", "blest_5"), ()),
}
FIGURES_OF_MANY = ("blest_table_6", "ibfs_5_1", "ibfs_5_4", "ibfs_5_7", "ibfs_5_16", "ibfs_5_17")
FIGURES_OF_XBFS = ("xbfs_5", "xbfs_9", "xbfs_10", "xbfs_11", "xbfs_12", "xbfs_13", "xbfs_14", "xbfs_15")
NO_GPU = "no GPU here: small graphs on the emulator, whose times are no GPU times"
PAPER = "--set mode=paper"


def quick_start(plan):
    graphs = plan.get_graphs("quick_list")
    plan.run(graphs)
    if plan.gpu_is_here():
        searches = "dfs:v1,v2,v3,v4 bfs:queue,bitmap,warp"
        plan.run(graphs, searches, f"{PAPER} --sources 4 --time-limit 1")
        plan.run(graphs, "dfs:serial topo:kahn", PAPER, kind="acyclic")
    if plan.emulator_is_here():
        plan.emulate()
    plan.campaign("msbfs", f"{plan.results}/many", "--small")
    plan.campaign("xbfs", f"{plan.results}/xbfs", "--small", "--graph", "kron:9")
    figures = ("warpnet_1", "warpnet_2", "5", "6", "8", *FIGURES_OF_MANY, "xbfs_5", "xbfs_11", "xbfs_15")
    plan.draw(*figures)
    plan.conclude()


def measured(mode, plan):
    """Adds the steps of a mode that dataset/modes.csv lists: on a GPU on the graphs of a list, or their stand-ins;
    some modes run without a GPU, on small graphs on the emulator."""
    usual, figures, on_emulator = MEASURED[mode]
    on_gpu = on_emulator is None or plan.gpu_is_here()
    if on_gpu:
        graphs, where = plan.get_graphs(usual), "--stand-ins"
    else:
        plan.need_emulator()
        graphs, where = plan.list_or("emulator_list"), "--emulated"
    for step in (step for step in rows_of("modes.csv") if step["mode"] == mode):
        of_step = plan.list_or(step["list"]) if step["list"] else graphs
        gtrav = step["gtrav"] if on_gpu else f"{step['gtrav']} {step['emulated']}"
        plan.run(of_step, step["algorithms"], gtrav, step["kind"], where, step["folder"] or ".")
    if drawn := figures if on_gpu else on_emulator:
        plan.draw(*drawn)
    if on_emulator is None:
        plan.conclude()
    else:
        plan.report()


def one_campaign(plan, name, lists, figures, *options):
    """Adds the steps of a mode that runs one campaign: on a GPU on the graphs of lists, or on generated ones that
    replace absent ones; otherwise on small graphs. options: those that the campaign takes."""
    how = "--stand-ins" if plan.gpu_is_here() else "--small"
    if plan.gpu_is_here():
        for usual in lists[: 1 if plan.list else None]:
            plan.get_graphs(usual)
    elif name == "msbfs":
        plan.say(f"{NO_GPU}; and on the CPU")
    else:
        plan.need_emulator()
    plan.campaign(name, plan.results, how, *plan.words("list", *options), "--", *plan.extra)
    plan.draw(*figures)
    plan.report()


def run_msbfs(plan):
    """Measures many sources at once; with --gpus 1,2,4 closeness also on several GPUs."""
    one_campaign(plan, "msbfs", ("msbfs_list", "closeness_list"), FIGURES_OF_MANY, "gpus")


def run_xbfs(plan):
    one_campaign(plan, "xbfs", ("xbfs_list",), FIGURES_OF_XBFS)


def modes_of(paper):
    """Returns the modes of a paper, or of all papers, each once."""
    return tuple(dict.fromkeys(mode for name in MODES_OF if paper in (name, ALL) for mode in MODES_OF[name]))


def paper(plan):
    """Runs all modes of a paper, each with its own folder of records, and one folder of figures and one report for
    all. Without a GPU, `paper all` still checks the results of all GPU algorithms."""
    modes = modes_of(plan.paper)
    left_out = [mode for mode in modes if needs_gpu(mode) and not plan.gpu_is_here()]
    for mode in modes:
        if mode in left_out:
            plan.say(f"{mode} is left out: it needs a GPU")
        else:
            plan.include(mode, MODES[mode])
    if left_out and plan.paper == ALL:
        plan.emulate()
    plan.report()


def run_user(plan):
    """Measures all that can run here on the graphs of a user's list, which may be files; other programs, too."""
    plan.run(plan.get_graphs(""))
    words = (plan.list, "--stand-ins", "--csv", plan.results)
    plan.add("other programs on the same graphs", "scripts/measure.py", "peers", *words)
    plan.draw("warpnet_1", "warpnet_2", "5", "6", "8")
    plan.conclude()


NAMES = [row.split()[0] for row in TABLE.splitlines()[1:]]
MODES = {name: partial(measured, name) if name in MEASURED else globals()[name] for name in NAMES}


def needs_gpu(mode, paper=""):
    """Returns whether a mode, or every mode of a paper, can run only on a GPU, not even on the emulator."""
    if paper:
        return all(map(needs_gpu, modes_of(paper)))
    (row,) = (line for line in TABLE.splitlines() if line.startswith(f"{mode} "))
    return "| a GPU," in row
