"""Runs algorithms on the graphs of dataset lists.

Without --algo every family runs on every graph that it suits: topological sorts and depth-first searches on acyclic
graphs, everything but topological sorts on others. Searches from many sources at once and betweenness run only with
--algo.
"""

from functools import partial

from evaluation import dataset
from evaluation.campaigns.gtrav import known_algorithms
from evaluation.campaigns.loop import Campaign
from evaluation.campaigns.runs import Run, add_time_limit, graph_of, has_sources, left_out, run_gtrav

NEEDS_DAG = {"topo"}
ON_A_DAG = {"topo", "dfs"}
# On a generated DAG a search starts at vertex 0, which reaches nearly all of it: as much work as sorting it.
DAG_SPEC = "dag:"
DAG_SOURCES = ["--source", ",".join(["0"] * 16)]
# Sources of msbfs are a batch, not trials (the campaign msbfs); betweenness searches from all vertices; sssp needs
# weights.
ASKED_FOR = {"msbfs", "betweenness", "sssp"}


def add_options(parser):
    add = parser.add_argument
    add("list", nargs="+", help="dataset list (CSV), such as dataset/quick_list.csv")
    family = "repeatable (default: see above)"
    add("--algo", action="append", default=[], metavar="FAMILY[:VARIANT,...]", help=family)
    add("--kind", default="", help="only graphs whose kind contains this, such as undirected or acyclic")
    emulated = "GPU algorithms only, on the CPU; their times are no GPU times"
    add("--emulated", action="store_true", help=emulated)
    add_time_limit(parser)


def without_absent(asked, here):
    """Returns "FAMILY:VARIANTS" with the variants that can run here, and the rest as "FAMILY VARIANT". If no
    variant can run, all are kept, so that gtrav says what is wrong with them."""
    kept, absent = [], []
    for algorithm in asked:
        family, _, variants = algorithm.partition(":")
        found = [variant for variant in variants.split(",") if (family, variant) in here]
        kept.append(f"{family}:{','.join(found)}" if found else algorithm)
        absent += [f"{family} {variant}" for variant in variants.split(",") if found and variant not in found]
    return kept, absent


def pairs_to_run(entries, here, asked):
    """Yields (entry, "FAMILY" or "FAMILY:VARIANTS"); here: {(family, variant)} that can run."""
    available = asked or list(dict.fromkeys(family for family, _ in here if family not in ASKED_FOR))
    for entry in entries:
        for algorithm in available:
            family = algorithm.partition(":")[0]
            if not asked and entry.acyclic and family not in ON_A_DAG:
                continue
            if entry.acyclic or family not in NEEDS_DAG:
                yield entry, algorithm


def campaign(settings):
    entries = [entry for path in settings.list for entry in dataset.read_list(path) if settings.kind in entry.kind]
    algorithms = known_algorithms(settings.gtrav)
    able = "emulated" if settings.emulated else "available"
    here = {(a["family"], a["variant"]): a for a in algorithms if a[able]}
    asked, absent = without_absent(settings.algo, here)
    done = {}  # graphs of the list with the same stand-in share a run

    def run(entry, algorithm, number):
        graph = graph_of(entry, settings)
        if (graph, algorithm) not in done:
            family, _, variants = algorithm.partition(":")
            words = ["--algo", family, "--variant", variants or "all"]
            if family == "dfs" and graph.startswith(DAG_SPEC) and not has_sources(settings):
                words += DAG_SOURCES
            words += ["--device", "cpu-emulator"] if settings.emulated else []
            one = Run(f"{entry.named(graph)} {algorithm}", ".", words)
            done[graph, algorithm] = run_gtrav(settings, one, graph, number)
        return done[graph, algorithm]

    steps = {}
    for entry, algorithm in pairs_to_run(entries, here, asked):
        what = " ".join([algorithm, *["on the emulator"] * settings.emulated, *settings.extra])
        name = entry.named(entry.graph(settings.graphs, settings.stand_ins))
        steps[name, what] = partial(run, entry, algorithm)
    unable = [f"{a['family']} {a['variant']}" for a in algorithms if not a["available"]]
    names = list(dict.fromkeys(unable + absent))
    notes = () if settings.emulated else left_out({"they cannot run on this machine": names})
    if not names and all(a["device"] == "cpu" for a in algorithms):
        notes = ("left out: GPU algorithms; this build has none, since nvcc was not there",)
    return Campaign(steps, notes)
