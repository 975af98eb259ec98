"""The tasks of every block of DiggerBees's grid, by one way of choosing victims (figure 9).

--policy 1 chooses the better filled of two blocks and writes to DIR/<device>/balance_diggerbees/, --policy 0 a
random block, to balance_baseline/. The graphs are the six representative ones (dataset/rep_graphs.csv), with
generated graphs in place of absent ones; without a GPU, small graphs on the emulator.

Var. is the coefficient of variation of the tasks per block (standard deviation over mean), as a mean over the
sources. Sources with fewer tasks than blocks are left out.
"""

from functools import partial
from pathlib import Path

from evaluation import dataset
from evaluation.analyses.balance import table_of
from evaluation.campaigns.gtrav import known_algorithms
from evaluation.campaigns.loop import Campaign
from evaluation.campaigns.runs import Run, run_gtrav
from evaluation.command import EvaluationError, say
from evaluation.records import TASKS_FOLDERS

FAMILY, VARIANT = "dfs", "v4"
LISTS = dataset.ROOT / "dataset"
ON_THE_EMULATOR = ["--device", "cpu-emulator", "--sources", "4"]


def add_options(parser):
    add = parser.add_argument
    add("graph", nargs="*", help="file or generator's spec, as for gtrav --graph")
    add("--policy", type=int, choices=(0, 1), default=1, help="0 random, 1 load-aware (default)")
    add("--list", type=Path, help="dataset list of the graphs (default: see above)")
    parser.set_defaults(time_limit=None)


def find_device(gtrav):
    """Returns whether a GPU can run it; raises EvaluationError if not even the emulator can."""
    found = [a for a in known_algorithms(gtrav) if (a["family"], a["variant"]) == (FAMILY, VARIANT)]
    if not found or not (found[0]["available"] or found[0]["emulated"]):
        raise EvaluationError(f"{gtrav} cannot run {FAMILY} {VARIANT} here; gtrav --list says why")
    if "tasks" not in found[0]["on_request"]:
        raise EvaluationError(f"{gtrav}: {FAMILY} {VARIANT} does not count tasks; make builds one that does")
    return found[0]["available"]


def choose_graphs(path, on_gpu):
    if on_gpu or path:
        found = [entry.graph(stand_ins=True) for entry in dataset.read_list(path or LISTS / "rep_graphs.csv")]
        return [graph for graph in found if graph]
    entries = dataset.read_list(LISTS / "emulator_list.csv")
    return [entry.graph() for entry in entries if not entry.acyclic]


def print_table(settings):
    """Prints the tasks of all graphs counted so far."""
    tasks = TASKS_FOLDERS[settings.policy]
    paths = sorted(settings.csv.glob(f"*/{tasks}/balance_*.csv"))
    counted = [(path.stem.removeprefix("balance_"), path.parent.parent) for path in paths]
    if counted:
        print(table_of(counted, settings.policy), end="", flush=True)
        say(f"tasks of every block: {', '.join(sorted({str(path.parent) for path in paths}))}")


def campaign(settings):
    on_gpu, notes = find_device(settings.gtrav), ()
    if not on_gpu and not settings.graph and not settings.list:
        notes = ("no GPU here: small graphs on the emulator, which runs the blocks in turn",)
    words = ["--algo", FAMILY, "--variant", VARIANT, "--set", "mode=paper"]
    words += ["--set", f"balance-policy={settings.policy}", *([] if on_gpu else ON_THE_EMULATOR)]
    words += ["--tasks", TASKS_FOLDERS[settings.policy]]
    what, steps = f"tasks, balance-policy={settings.policy}", {}
    for graph in settings.graph or choose_graphs(settings.list, on_gpu):
        run = Run(f"{graph}: {what}", ".", words)
        steps[graph, what] = partial(run_gtrav, settings, run, graph)
    return Campaign(steps, notes, partial(print_table, settings))
