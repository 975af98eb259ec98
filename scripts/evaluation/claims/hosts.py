"""hosts.py: which machine the rows of a CPU are of. CPUs of several machines may have the same name.

They are of the machine whose GPU has rows in the same folder, or else in the nearest folder above. Where
GPUs of several machines have rows there, only folders right below it tell: results/run_1/cpu-x beside
results/run_1/gpu-y. A folder that a machine's provenance.json names is that machine's. Rows without any
GPU's above are of every machine.
"""

from collections import defaultdict

from evaluation.files import read_json
from evaluation.records import PROVENANCE, kind_of


def gpus_below(rows):
    """{folder: GPUs with rows in it or below}; a folder is a tuple of names, as in the column `folders`."""
    found = defaultdict(set)
    for device, folders in set(zip(rows.device, rows.folders)):
        if kind_of(device) == "GPU":
            for depth in range(1, len(folders) + 1):
                found[folders[:depth]].add(device)
    return found


def named_folders(top, gpus):
    """{folder of a CPU: GPUs of the machine whose provenance.json names it}."""
    found = defaultdict(set)
    for path in top.rglob(PROVENANCE):
        machine = (top.name, *path.parent.relative_to(top).parts)
        for name in read_json(path).get("cpu_folders", ()):
            found[(*machine[:-1], name)] |= gpus.get(machine, set())
    return found


def is_elsewhere(rows, top, gpu):
    """Whether each row is of a CPU of another machine than this GPU's; top: the folder of all records."""
    gpus = gpus_below(rows)
    named = named_folders(top, gpus)

    def is_of_another(device, folders):
        if gpu is None or kind_of(device) != "CPU":
            return False
        above = [folders[:depth] for depth in range(len(folders), 0, -1)]
        known = next((named[folder] for folder in above if folder in named), None)
        if known is not None:
            return gpu not in known
        nearest = next((folder for folder in above if folder in gpus), None)
        is_right_below = nearest in (folders, folders[:-1])
        return nearest is not None and not (gpu in gpus[nearest] and (is_right_below or len(gpus[nearest]) == 1))

    return [is_of_another(*pair) for pair in zip(rows.device, rows.folders)]
