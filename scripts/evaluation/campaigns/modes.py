"""modes.py: the modes of scripts/run_all.sh: a row of the table, and a function of the same name.

The function adds the steps of the mode, in order, to a plan (run_mode.py). It runs nothing.
"""

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
# The modes of each paper, without run_bench, which takes days.
MODES_OF = {
    "diggerbees": ("run_subset", "run_balance", "run_sensitivity"),
    "blest": ("run_blest", "run_msbfs"),
    "xbfs": ("run_xbfs",),
    "ibfs": ("run_msbfs",),
    "warpnet": ("run_warpnet",),
}
ALL = "all"  # papers
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


def run_subset(plan):
    """Measures the paper's versions (mode=paper) and ours on the graphs of table 4, and v1 and v2, whose one block
    takes seconds for a source, on those of figure 8. NVG-DFS is last, as it takes all memory."""
    twelve, six = plan.get_graphs("rep12_graphs"), plan.list_or("rep_graphs")
    few = "--sources 16 --time-limit"
    plan.run(twelve, "dfs:v3,v4", f"{PAPER} {few} 5")
    plan.run(twelve, "dfs:ckl,acr,v4,handoff", f"{few} 5")
    plan.run(twelve, "bfs:berrybees,queue,auto", f"--device gpu {few} 2")
    plan.run(six, "dfs:v1,v2", f"{PAPER} {few} 4")
    plan.run(twelve, "dfs:nvg", f"{few} 2")
    plan.draw("5", "6", "8")
    plan.conclude()


def run_bench(plan):
    """Takes days on one machine; docs/evaluations.md says how to divide it among the jobs of a cluster."""
    graphs = plan.get_graphs("benchmark_list")
    plan.run(graphs, "dfs:ckl,acr,nvg,v4,handoff")
    plan.run(graphs, "dfs:v4", PAPER)
    plan.run(graphs, "bfs:gap,warp,berrybees,blest,xbfs,auto")
    plan.draw("5", "6", "7")
    plan.conclude()


def run_balance(plan):
    """Counts the tasks of every block where victims are random, and where the fuller of two is chosen."""
    if plan.gpu_is_here():
        graphs, where, few = plan.get_graphs("rep_graphs"), "--stand-ins", ""
    else:
        plan.need_emulator()
        graphs, where, few = plan.list_or("emulator_list"), "--emulated", "--sources 4"
    for policy in (0, 1):
        plan.run(graphs, "dfs:v4", f"{PAPER} --set balance-policy={policy} --set tasks=1 {few}", where=where)
    plan.draw("9")
    plan.report()


def run_sensitivity(plan):
    """Measures nine pairs of cutoffs, and copies by lanes instead of bulk copies."""
    graphs, few = plan.get_graphs("rep_graphs"), "--sources 8 --time-limit 2"
    for hot in (16, 32, 64):
        for cold in (32, 64, 128):
            plan.run(graphs, "dfs:v4", f"{PAPER} --set hot-cutoff={hot} --set cold-cutoff={cold} {few}")
    plan.run(graphs, "dfs:v4", f"{PAPER} --set hot-cutoff=32 --set cold-cutoff=64 --set copies=plain {few}")
    plan.draw("10")
    plan.conclude()


def run_warpnet(plan):
    """Measures the paper's own kernels (mode=paper) and ours. The paper's kernel with a warp for each vertex is last,
    as it takes minutes on the largest graphs."""
    graphs, few = plan.get_graphs("warpnet_list"), "--sources 4 --time-limit 10"
    for kind, algorithms, gtrav in (
        ("acyclic", "dfs:serial", PAPER),
        ("acyclic", "topo:serial,kahn", f"{PAPER} {few}"),
        ("undirected", "bfs:serial,queue,bitmap", f"{PAPER} {few}"),
        ("acyclic", "dfs:serial", ""),
        ("acyclic", "topo:serial,kahn", few),
        ("undirected", "bfs:serial,gap,queue,bitmap,warp", few),
    ):
        plan.run(graphs, algorithms, gtrav, kind)
    for size in (128, 256, 512):
        block = f"{PAPER} --set block-size={size} {few}"
        plan.run(graphs, "bfs:queue,bitmap,warp", block, "scale-free", folder="sensitivity")
    plan.run(graphs, "bfs:warp", f"{PAPER} {few}", "undirected")
    plan.draw("warpnet_1", "warpnet_2")
    plan.conclude()


def run_blest(plan):
    """Measures the ablation as in the paper, then ours, then what single claims need.

    --list dataset/blest14_graphs.csv has all fourteen graphs of the paper, 300 GB as text."""
    on_gpu = plan.gpu_is_here()
    if on_gpu:
        graphs, where, always = plan.get_graphs("blest_list"), "--stand-ins", ""
    else:
        plan.need_emulator()
        graphs, where, always = plan.list_or("emulator_list"), "--emulated", "--set lazy-above=0"

    def run(algorithms, gtrav="", kind=""):
        plan.run(graphs, algorithms, f"{gtrav} {always}", kind, where)

    ablation = "bfs:berrybees,blest-a,blest-ab,blest-abc,blest-abcd,blest"
    run(ablation, PAPER)
    run(f"{ablation},gap,auto")
    plan.run(graphs, "bfs:blest-ab", f"{PAPER} --reorder random", "scale-free", where)
    for direction in ("switch=never", "switch=auto", "switch=always --set eta=4294967295"):
        run("bfs:blest", f"{PAPER} --profile --set {direction}", "shallow")
    for window in (8, 64, 512, 4096, 65536, 262144):
        run("bfs:blest-abcd", f"{PAPER} --reorder jaccard:{window}", "windows")
    plan.run(graphs, "bfs:queue,bitmap,warp,dobfs,khop", where=where)
    if on_gpu:
        plan.draw("blest_4", "blest_5")
    plan.report()


def run_msbfs(plan):
    """Measures many sources at once; with --gpus 1,2,4 closeness also on several GPUs."""
    how = "--stand-ins"
    if plan.gpu_is_here():
        plan.get_graphs("msbfs_list")
        if not plan.list:
            plan.get_graphs("closeness_list")
    else:
        plan.say(f"{NO_GPU}; and on the CPU")
        how = "--small"
    plan.campaign("msbfs", plan.results, how, *plan.words("list", "gpus"), "--", *plan.extra)
    plan.draw(*FIGURES_OF_MANY)
    plan.report()


def run_xbfs(plan):
    """Measures XBFS on the paper's graphs; generated graphs replace absent ones."""
    how = "--stand-ins"
    if plan.gpu_is_here():
        plan.get_graphs("xbfs_list")
    else:
        plan.need_emulator()
        how = "--small"
    plan.campaign("xbfs", plan.results, how, *plan.words("list"), "--", *plan.extra)
    plan.draw(*FIGURES_OF_XBFS)
    plan.report()


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


MODES = {name.split()[0]: globals()[name.split()[0]] for name in TABLE.splitlines()[1:]}


def needs_gpu(mode, paper=""):
    """Returns whether a mode, or every mode of a paper, can run only on a GPU, not even on the emulator."""
    if paper:
        return all(map(needs_gpu, modes_of(paper)))
    (row,) = (line for line in TABLE.splitlines() if line.startswith(f"{mode} "))
    return "| a GPU," in row
