"""graph500.py: what the blocks of `gtrav graph500` say, a scale a line."""

import re

from evaluation.text_tables import markdown

# Columns, and what they are of the reference's names; in s, ms and GTEPS.
COLUMNS = {
    "generation s": ("graph_generation", 1),
    "construction s": ("construction_time", 1),
    "median BFS ms": ("median_time", 1e3),
    "max BFS ms": ("max_time", 1e3),
    "harmonic mean GTEPS": ("harmonic_mean_TEPS", 1e-9),
    "validating a tree ms": ("mean_validate", 1e3),
}


def table(folder):
    """Of the files scale-N.txt in a folder; None: there are none."""
    lines = []
    for path in sorted(folder.glob("scale-*.txt")):
        block = dict(re.findall(r"^(?:bfs  )?(\w+):[ !]*(\S+)$", path.read_text(), re.MULTILINE))
        lines.append([block["SCALE"], *(float(block[name]) * unit for name, unit in COLUMNS.values())])
    return markdown(["scale", *COLUMNS], lines) if lines else None
