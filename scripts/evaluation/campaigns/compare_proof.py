"""Measures how often `gtrav compare` is wrong, and which differences it finds.

Starts workloads in turns, and adds their launches to the records in --csv. Then draws comparisons of a workload with
itself, each from launches that follow each other, and has gtrav judge them:

  turns   chance decides which launch of a pair is on which side, as `gtrav compare` starts them
  blocks  all launches of the old side come before those of the new one, which is a mistake

A planted difference lengthens the times of the new side. Counts of the verdicts are written to --to, and printed as a
table. The same command continues after an interruption; with --launches 0 it only judges the launches in --csv.

Exit status: 0, or 1 if over 16 of 200 comparisons in turns find a difference where none is planted.
"""

import math
import os
import random
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from evaluation.analyses.compare_proof import BLOCKS, CASES, FILE, SIZES, is_proven, table
from evaluation.campaigns.gtrav import PROGRAM, ask
from evaluation.command import EvaluationError, new_parser, say
from evaluation.comparison import expand
from evaluation.files import LOCAL, ROOT, read_rows, write_atomically
from evaluation.text_tables import markdown

import pandas as pd

WORKLOADS = pd.read_csv(ROOT / "dataset" / "workloads.csv").groupby("device").command.apply(list)
OF_A_LAUNCH = ("--sources", "8", "--repeats", "3", "--fresh", "--quiet")


def measure(settings):
    """Starts the workloads in turns until each has so many launches, or until the time is over."""
    before = [len(launches) for launches in read_launches(settings.csv).values()]
    end = time.monotonic() + settings.seconds
    for turn in range(max(before, default=0) + 1, settings.launches + 1):
        for workload in settings.workload or WORKLOADS[settings.device]:
            if time.monotonic() > end:
                say(f"{turn - 1} of {settings.launches} launches in {settings.seconds} s")
                return
            words = [settings.gtrav, *workload.split(), *OF_A_LAUNCH, "--csv", str(settings.csv)]
            environment = {**os.environ, "GTRAV_TURN": str(turn)}
            subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)


def read_launches(folder):
    """Returns {workload: its rows, by turn}."""
    found = defaultdict(list)
    for path in sorted(folder.glob("*/*_perf.csv")):
        for row in read_rows(path, numbers=("turn",)):
            found[f"{row['family']} {row['variant']} {row['graph']}"].append(row)
    return {workload: sorted(rows, key=lambda row: int(row["turn"])) for workload, rows in found.items()}


def windows(launches, size, count):
    """Returns `count` series of consecutive launches, spread evenly. They overlap only if launches are too few."""
    last = len(launches) - 2 * size
    starts = [last * i // max(count - 1, 1) for i in range(count)]
    return [launches[start : start + 2 * size] for start in starts]


def split(window, order, chance):
    """Returns the launches of the old and of the new side."""
    if order == BLOCKS:
        middle = len(window) // 2
        return window[:middle], window[middle:]
    return tuple(zip(*(chance.sample(pair, 2) for pair in zip(window[::2], window[1::2]))))


def slowed(row, percent):
    """Returns the row with longer times. It lacks its check, which would be wrong."""
    times = (float(ms) * (1 + percent / 100) for ms in expand(row["trial_ms"]))
    changed = {**row, "trial_ms": " ".join(f"{ms:.6g}" for ms in times)}
    changed.pop("check", None)
    return changed


def judge(gtrav, case, old, new):
    """Returns gtrav's comparison of two sides: an object of its JSON."""
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        files = [Path(folder) / name for name in ("old.csv", "new.csv")]
        for path, rows, percent in zip(files, (old, new), (0, case.planted_percent)):
            pd.DataFrame([slowed(row, percent) for row in rows]).to_csv(path, index=False)
        (found,) = ask(gtrav, "compare", *files, "--same", case.same_percent, "--json")
    if "interval" not in found:
        raise EvaluationError(f"gtrav compare: {found['verdict']}: {found['remark']}")
    return found


def prove(gtrav, workload, launches, count):
    """Returns a row for each case, of `count` comparisons of a workload's launches."""
    newest, rows = launches[-1], []
    if len(launches) < 2 * max(SIZES):
        raise EvaluationError(f"{workload}: {len(launches)} launches; {2 * max(SIZES)} are needed")
    for case in CASES:
        chance = random.Random(workload)  # cases with equally many launches compare the same ones
        sides = [split(window, case.order, chance) for window in windows(launches, case.launches, count)]
        found = [judge(gtrav, case, *both) for both in sides]
        verdicts = Counter(each["verdict"] for each in found)
        half_widths = [100 * (math.sqrt(high / low) - 1) for low, high in (each["interval"] for each in found)]
        rows.append(
            {
                **{column: newest[column] for column in ("device", "version", "build", "date", "cores")},
                "busy_cores": median(float(row["busy_cores"]) for row in launches),
                "workload": workload,
                "measured": len(launches),
                **case._asdict(),
                "comparisons": count,
                **{verdict: verdicts[verdict] for verdict in ("faster", "slower", "same", "unclear")},
                "half_width_percent": float(f"{median(half_widths):.4g}"),
            }
        )
    return rows


def prove_all(settings):
    """Returns the rows of all workloads. Each workload gets an equal share of the comparisons."""
    found, rows = read_launches(settings.csv), []
    if not found:
        raise EvaluationError(f"{settings.csv}: no records of launches")
    if settings.comparisons < len(found):
        raise EvaluationError(f"--comparisons: give at least {len(found)}, one for each workload in {settings.csv}")
    whole, rest = divmod(settings.comparisons, len(found))
    for i, (workload, launches) in enumerate(found.items()):
        rows += prove(settings.gtrav, workload, launches, whole + (i < rest))
    return rows


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--device", choices=WORKLOADS.keys(), default="cpu", help="which workloads to start (default: cpu)")
    add("--workload", action="append", metavar="WORDS", help='this one instead, such as "bfs kron:9"; repeatable')
    add("--launches", type=int, default=1000, help="of each workload (default: 1000)")
    add("--seconds", type=int, default=900, help="start no launch later than this (default: 900)")
    add("--comparisons", type=int, default=200, help="of each kind, over all workloads (default: 200)")
    add("--gtrav", default=PROGRAM, help="the program (default: $GTRAV, or build/gtrav)")
    add("--csv", type=Path, default=LOCAL / "compare_proof", help="default: results/local/compare_proof")
    add("--to", type=Path, metavar="FILE", help=f"the counts (default: {FILE} in the folder of --csv)")
    settings = parser.parse_args()
    measure(settings)
    rows = pd.DataFrame(prove_all(settings))
    write_atomically(settings.to or settings.csv / FILE, rows.to_csv(index=False))
    print(markdown(*table(rows)), end="")
    return int(not is_proven(rows))
