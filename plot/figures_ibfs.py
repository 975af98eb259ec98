"""figures_ibfs.py: figures of the thesis on IBFS (chapter 5): path lengths between pairs of vertices."""

from functools import partial

import plotting
from evaluation.analyses.msbfs import BY_CPU, SCHEMES, Measured, short

PANELS = 3  # beside each other
# Of IBFS's schemes, and of what path lengths are compared with.
SEARCH_LOOKS = {
    "msbfs ibfs-workgroup": ("#E69F00", "s"),
    "msbfs ibfs-coalesced": ("#56B4E9", "^"),
    "msbfs ibfs-bottomup": ("#0072B2", "v"),
    "msbfs ibfs-auto": ("#000000", "D"),
    "msbfs rows": ("#009E73", "P"),
    "msbfs auto": ("#D55E00", "o"),
    "msbfs then": ("#CC79A7", "<"),
    "msbfs pbfs": ("#F0E442", ">"),
    "msbfs serial": ("#999999", "x"),
    "bfs auto": ("#8B4513", "*"),
}


def normalised_to_fastest(table):
    """{graph: {size: {name: times slower than the fastest}}}"""
    return {
        graph: {
            size: {n: ms / min(times.values()) for n, ms in times.items()} for size, times in sizes.items()
        }
        for graph, sizes in table.items()
    }


def bars_over_sizes(axes, sizes, names):
    width = plotting.BARS_WIDTH / len(names)
    for number, name in enumerate(names):
        at = [i + (number - (len(names) - 1) / 2) * width for i in range(len(sizes))]
        heights = [times.get(name, float("nan")) for times in sizes.values()]
        axes.bar(at, heights, width * 0.92, label=label_of(name), color=SEARCH_LOOKS[name][0])
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes], rotation=30, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)  # the fastest has a bar, too


def lines_over_sizes(axes, sizes, names):
    for name in names:
        known = {size: times[name] for size, times in sizes.items() if name in times}
        color, marker = SEARCH_LOOKS[name]
        axes.plot(
            list(known), list(known.values()), color=color, marker=marker, markersize=4, label=label_of(name)
        )
    axes.set_xscale("log")
    axes.set_yscale("log")


def label_of(name):
    return name if name.startswith("bfs") else short(name)


def path_lengths(names, ylabel, arguments, normalise=False):
    """The time of path lengths over the number of pairs, a panel a graph.

    normalise: as bars, times slower than the fastest of these; else lines, in ms."""
    measured = Measured(arguments.results, "pairs")
    table = measured.all_ms(names)
    shown = [name for name in names if any(name in ms for sizes in table.values() for ms in sizes.values())]
    some = ", ".join(map(short, names))
    plotting.require(len(shown) > 1, f"no path lengths by two of {some} in {arguments.results}")
    table = normalised_to_fastest(table) if normalise else table
    figure, panels = plotting.panels(table, PANELS, (3.6, 2.7), (0.4, 0.9), "pairs", ylabel)
    for axes, sizes in zip(panels.flat, table.values()):
        (bars_over_sizes if normalise else lines_over_sizes)(axes, sizes, shown)
        plotting.write_out_numbers(axes)
    handles = {}
    for axes in panels.flat:
        handles.update((text, line) for line, text in zip(*axes.get_legend_handles_labels()))
    columns = min(len(handles), 2 * min(PANELS, len(table)))
    figure.legend(handles.values(), handles, loc="outside upper center", ncols=columns)
    drawn = [row for key, row in measured.rows.items() if key[3] in shown]
    plotting.footnote(figure, plotting.places(drawn))
    return figure


FIGURES = {
    # the schemes, each over the fastest of them
    "ibfs_5_1": partial(path_lengths, SCHEMES, "times the fastest", normalise=True),
    # the times of the schemes, and of the choice among them
    "ibfs_5_4": partial(path_lengths, (*SCHEMES, "msbfs ibfs-auto"), "ms"),
    # on the GPU against the CPU
    "ibfs_5_16": partial(path_lengths, (*BY_CPU, "msbfs ibfs-auto", "msbfs rows", "msbfs auto"), "ms"),
    # many searches at once against one BFS after the other
    "ibfs_5_17": partial(path_lengths, ("bfs auto", SCHEMES[0], SCHEMES[-1], "msbfs auto"), "ms"),
}
