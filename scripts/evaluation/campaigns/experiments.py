"""Runs algorithms on the graphs of dataset lists, and writes records under --csv.

Without --algo every family runs on every graph that it makes sense on: a topological order needs a DAG, and
on a DAG it is compared with a depth-first search; searches from many sources are for scripts/msbfs.py. A run
that fails does not stop the rest; it is told again at the end. What the records hold already is not measured
again: a run that was cut off goes on there.
Words after -- are given to gtrav as they are: run_experiments.py LIST -- --sources 8 --verify all

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import itertools

from evaluation import dataset
from evaluation.campaigns import campaign
from evaluation.campaigns.gtrav import known_algorithms
from evaluation.command import new_parser, say

NEEDS_DAG = {"topo"}
ON_A_DAG = {"topo", "dfs"}
# On a generated DAG a search starts at vertex 0, which reaches nearly all of it: as much work as sorting it.
DAG_SPEC = "dag:"
DAG_SOURCES = ["--source", ",".join(["0"] * 16)]
# Sources of msbfs are a batch, not trials (scripts/msbfs.py); betweenness searches from all vertices.
ASKED_FOR = {"msbfs", "betweenness"}


def can_run(algorithms, emulated):
    return [a for a in algorithms if (a["emulated"] if emulated else a["available"])]


def without_absent(asked, algorithms, emulated):
    """ "FAMILY:VARIANTS" with those variants that can run here, and the rest as "FAMILY VARIANT"; all of them
    where none can, so that gtrav says what is wrong with them."""
    here = {(a["family"], a["variant"]) for a in can_run(algorithms, emulated)}
    kept, absent = [], []
    for algorithm in asked:
        family, _, variants = algorithm.partition(":")
        found = [variant for variant in variants.split(",") if (family, variant) in here]
        kept.append(f"{family}:{','.join(found)}" if found else algorithm)
        absent += [f"{family} {v}" for v in variants.split(",") if found and v not in found]
    return kept, absent


def plan(entries, algorithms, asked, emulated):
    """Pairs (entry, "FAMILY:VARIANTS"), graph by graph."""
    available = list(dict.fromkeys(a["family"] for a in can_run(algorithms, emulated)))
    for entry in entries:
        for algorithm in asked or available:
            family = algorithm.partition(":")[0]
            if not asked and (family in ASKED_FOR or (entry.acyclic and family not in ON_A_DAG)):
                continue
            if entry.acyclic or family not in NEEDS_DAG:
                yield entry, algorithm


def words_for(arguments, graph, algorithm):
    family, _, variants = algorithm.partition(":")
    words = ["--algo", family, "--variant", variants or "all", "--graph", graph]
    asked = any(word.startswith("--source") for word in arguments.extra)
    if family == "dfs" and graph.startswith(DAG_SPEC) and not asked:
        words += DAG_SOURCES
    if arguments.emulated:
        words += ["--device", "cpu-emulator"]
    return [*words, "--csv", str(arguments.csv)]


def step_name(arguments, entry, algorithm):
    """As the status file has it."""
    device = ["on the emulator"] if arguments.emulated else []
    return entry.name, " ".join([algorithm, *device, *arguments.extra])


def runner(arguments, num_steps):
    """A function that runs a step; graphs of the list with the same stand-in share a run."""
    numbers, done = itertools.count(1), {}

    def run(step):
        entry, algorithm = step
        number = f"[{next(numbers)}/{num_steps}] "
        graph = campaign.graph_of(entry, arguments)
        if (graph, algorithm) not in done:
            name = f"{graph} (for {entry.name})" if graph == entry.stand_in else entry.name
            words = words_for(arguments, graph, algorithm)
            label = f"{name} {algorithm}"
            done[graph, algorithm] = campaign.run_gtrav(arguments, label, words, number)
        return done[graph, algorithm]

    return run


def report_left_out(algorithms, absent, emulated):
    not_here = [f"{a['family']} {a['variant']}" for a in algorithms if not a["available"]]
    left_out = list(dict.fromkeys(not_here + absent))
    if not emulated:
        campaign.report_left_out({"they cannot run on this machine": left_out})
    if not left_out and all(a["device"] == "cpu" for a in algorithms):
        say("left out: GPU algorithms; this build has none, since nvcc was not there")


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("list", nargs="+", help="dataset list (CSV), such as dataset/quick_list.csv")
    family = "repeatable (default: see above)"
    add("--algo", action="append", default=[], metavar="FAMILY[:VARIANT,...]", help=family)
    add("--kind", default="", help="only graphs whose kind contains this, such as undirected or acyclic")
    campaign.add_options_of_graphs(parser)
    campaign.add_time_limit(parser)
    emulated = "GPU algorithms only, on the CPU; their times are no GPU times"
    add("--emulated", action="store_true", help=emulated)
    arguments = campaign.parse_measuring(parser)

    entries = [entry for path in arguments.list for entry in dataset.read_list(path)]
    entries = [entry for entry in entries if arguments.kind in entry.kind]
    algorithms = known_algorithms(arguments.gtrav)
    asked, absent = without_absent(arguments.algo, algorithms, arguments.emulated)
    planned = plan(entries, algorithms, asked, arguments.emulated)
    steps = {step_name(arguments, *step): step for step in planned}
    if arguments.plan:
        return campaign.name_steps(arguments, steps)
    report_left_out(algorithms, absent, arguments.emulated)
    return campaign.carry_out(arguments, steps, runner(arguments, len(steps)))
