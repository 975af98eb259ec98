"""figures_profile.py: draws the time of each level of a search, from the tables of `gtrav --profile`."""

import plotting
from evaluation.records import read_traces

import numpy as np

SIDE_BY_SIDE = 2


def options_of(settings):
    """The options of a profiled run as text; None: the run was not profiled."""
    return " ".join(f"{name}={value}" for name, value in settings.items()) if "profile" in settings else None


def median_search(path):
    """Returns the levels of the search of median time, in the newest profiled run of a file of traces. Of an even
    number of searches, the shorter median counts. None: the file has no profile."""
    levels = read_traces(path, options_of)
    if levels.empty:
        return None
    levels = levels[levels.run == levels.run.iloc[-1]]
    total = levels.groupby("source").ms.sum().sort_values(kind="stable")
    return levels[levels.source == total.index[(len(total) - 1) // 2]]


def draw_search(axes, levels):
    """Draws the time of each level, or of several levels that were run together, in the colour of its direction."""
    first = levels.level.to_numpy()
    width = first[1] - first[0] if len(first) > 1 else 1
    sides = np.append(first, first[-1] + width) - 0.5
    for mode, color in plotting.DIRECTION_COLORS.items():
        us = np.where(levels["mode"] == mode, 1000 * levels.ms, 0)
        if us.any():
            axes.fill_between(sides, np.append(us, us[-1]), step="post", label=mode, color=color, linewidth=0)
    axes.set(xlim=(sides[0], sides[-1]), ylim=(0, None))


def profiles(results):
    """Profiles: the time of each level, in the search of median time."""
    found = {}
    for path in sorted(results.folder.rglob(f"{results.gpu}/traces/*.csv")):
        levels = median_search(path)
        if levels is not None:
            variant, graph = path.stem.split("_", 2)[1:]
            found[f"{variant}, {graph}: {1000 * levels.ms.sum():.3g} us"] = levels
    plotting.require(found, f"no tables of gtrav --profile in {results.folder}")
    figure, panels = plotting.panels(found, SIDE_BY_SIDE, 1.2, "level", "time (us)")
    for axes, levels in zip(panels.flat, found.values()):
        draw_search(axes, levels)
    plotting.legend(figure)
    return plotting.measured_on(figure, results)


FIGURES = {"profile": profiles}
