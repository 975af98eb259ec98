"""Counts the tasks of every block of DiggerBees's grid, under one way of choosing victims (figure 9).

  make balance                     the better filled of two blocks: balance_diggerbees/
  make balance BALANCE_POLICY=0    a random block: balance_baseline/

gtrav --tasks writes them to DIR/<device>/balance_*/balance_<graph>.csv. Graphs are those named, else the six
representative ones (dataset/rep_graphs.csv) or generated ones like them; without a GPU, small ones on the
emulator.

Var. is the coefficient of variation of the tasks per block (standard deviation over mean), as a mean over
the sources. A source with fewer tasks than there are blocks tells nothing of balance and is left out.
Words after -- are given to gtrav as they are.
"""

from pathlib import Path

from evaluation import dataset
from evaluation.analyses.balance import table_of
from evaluation.campaigns import campaign
from evaluation.campaigns.gtrav import ask, known_algorithms
from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import LOCAL
from evaluation.records import TASKS_FOLDERS

FAMILY, VARIANT = "dfs", "v4"
LISTS = dataset.ROOT / "dataset"
ON_THE_EMULATOR = ["--device", "cpu-emulator", "--sources", "4"]


class BalanceError(EvaluationError):
    """Why nothing can be counted; the message is one line."""


def find_device(gtrav):
    """Whether the GPU is here; without it, the emulator must be."""
    found = [a for a in known_algorithms(gtrav) if (a["family"], a["variant"]) == (FAMILY, VARIANT)]
    if not found or not (found[0]["available"] or found[0]["emulated"]):
        raise BalanceError(f"{gtrav} cannot run {FAMILY} {VARIANT} here; gtrav --list says why")
    if "tasks" not in found[0]["on_request"]:
        raise BalanceError(f"{gtrav}: {FAMILY} {VARIANT} does not count tasks; make builds one that does")
    return found[0]["available"]


def choose_graphs(path, on_gpu):
    if on_gpu or path:
        found = [entry.graph(stand_ins=True) for entry in dataset.read_list(path or LISTS / "rep_graphs.csv")]
        return [graph for graph in found if graph]
    say("no GPU here: small graphs on the emulator, whose blocks take turns as the emulator has it")
    entries = dataset.read_list(LISTS / "emulator_list.csv")
    return [entry.graph() for entry in entries if not entry.acyclic]


def count_tasks(arguments, graph, on_gpu):
    """Runs gtrav on a graph; the graph's name in records and the device's folder."""
    words = ["--algo", FAMILY, "--variant", VARIANT, "--graph", graph, "--json"]
    words += ["--set", "mode=paper", "--set", f"balance-policy={arguments.policy}"]
    words += [] if on_gpu else ON_THE_EMULATOR
    words += ["--csv", arguments.csv, "--tasks", TASKS_FOLDERS[arguments.policy], *arguments.extra]
    (run,) = ask(arguments.gtrav, *words)
    return run["graph"]["name"], arguments.csv / run["device"]


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("graph", nargs="*", help="file or generator's spec, as for gtrav --graph")
    add("--policy", type=int, choices=(0, 1), default=1, help="0 random, 1 load-aware (default)")
    add("--list", type=Path, help="dataset list of the graphs (default: see above)")
    add("--csv", type=Path, default=LOCAL, help="folder of records (default: results/local)")
    arguments = campaign.parse_measuring(parser)

    on_gpu = find_device(arguments.gtrav)
    graphs = list(dict.fromkeys(arguments.graph or choose_graphs(arguments.list, on_gpu)))
    what = f"tasks, balance-policy={arguments.policy}"
    steps = {(graph, what): graph for graph in graphs}
    if arguments.plan:
        return campaign.name_steps(arguments, steps)
    counted = []

    def run(graph):
        counted.append(count_tasks(arguments, graph, on_gpu))

    status = campaign.carry_out(arguments, steps, run)
    if counted:
        print(table_of(counted, arguments.policy), end="")
        folders = sorted({str(folder / TASKS_FOLDERS[arguments.policy]) for _, folder in counted})
        say(f"tasks of every block: {', '.join(folders)}")
    return status
