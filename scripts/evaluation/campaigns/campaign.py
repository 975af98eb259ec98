"""campaign.py: what the scripts that measure share: options, the loop over their steps, and a run of gtrav.

A campaign makes a table of its steps, {(graph, what is run on it): what it needs to run that}. The status
file names steps by these keys. A function runs a step. It returns what failed as pairs (what, why), or raises
StepError or CalledProcessError where the step as a whole failed.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from evaluation import dataset
from evaluation.campaigns.gtrav import run_and_listen
from evaluation.campaigns.status import Status
from evaluation.command import INTERRUPTED, parse_words, say
from evaluation.failures import write_crash
from evaluation.files import ROOT

LOG = "experiments.log"
BAD_USAGE, TOO_LONG = 2, ": time limit of "  # the exit status and the words of pairs that took too long


class Interrupted(Exception):
    """The user has cut a run off; the message names the run."""


class StepError(Exception):
    """Why a step failed; the message is one line."""


def graph_of(entry, arguments):
    """What to give to --graph. StepError: the graph of the list is not here."""
    graph = entry.graph(arguments.graphs, arguments.stand_ins)
    if graph is None:
        raise StepError(f"no such graph here; {entry.where_to_get()}")
    return graph


# ---- the command line ----


def add_options_of_graphs(parser, results="results/local"):
    """Where records go, and where graphs come from."""
    add = parser.add_argument
    add("--csv", type=Path, default=ROOT / results, help=f"folder of records (default: {results})")
    where = "downloaded graphs, and generated ones as SPEC.gtrav (default: dataset/MM)"
    add("--graphs", type=Path, default=dataset.GRAPHS, help=where)
    add("--stand-ins", action="store_true", help="generate a similar graph where one is not here")


def add_time_limit(parser):
    limit = "of a variant on a graph: no trial begins so long after the first (gtrav --time-limit)"
    parser.add_argument("--time-limit", type=int, metavar="SECONDS", help=limit)


def time_limit_words(arguments, words):
    """Words for gtrav; none for closeness, which is whole or nothing, nor pairs, which have their own."""
    if arguments.time_limit is None or "--pairs" in words or "closeness" in words:
        return []
    return ["--time-limit", str(arguments.time_limit)]


def parse_measuring(parser, program="build/gtrav"):
    """The command line of a script that measures: its own options and these; as extra the words after --."""
    add = parser.add_argument
    gtrav = os.environ.get("GTRAV", str(ROOT / program))
    add("--gtrav", default=gtrav, help=f"the program (default: $GTRAV, or {program})")
    add("--status", metavar="FILE", help="keep there what is done, failed and left")
    add("--plan", action="store_true", help="only name the steps there; run nothing")
    return parse_words(parser)


# ---- steps ----


def run_gtrav(arguments, label, words, number=""):
    """Runs gtrav with these words, and tells how it went, after the number; what failed, as pairs."""
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    words = [*words, *time_limit_words(arguments, words)]
    arguments.csv.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with open(arguments.csv / LOG, "a", encoding="utf-8") as log:
        code, reason = run_and_listen([arguments.gtrav, *words, *quiet, *arguments.extra], log)
    if code == INTERRUPTED:
        raise Interrupted(label)
    if code == BAD_USAGE and TOO_LONG in reason:  # that is on record, and no failure of the campaign
        say(f"{number}{label}: {reason}")
        return []
    if code < 0:
        write_crash(Path(words[words.index("--csv") + 1]), words, code, reason)
    ending = f", FAILED with status {code}" if code else ""
    say(f"{number}{label}: {time.monotonic() - began:.1f} s{ending}")
    return [(label, reason)] if code else []


def carry_out(arguments, steps, run):
    """Runs the steps, keeps the status file, and tells what failed once more at the end; the exit status."""
    states, failures, status = Status(arguments.status), {}, 0
    for name, step in steps.items():
        began, label = time.monotonic(), " ".join(filter(None, name))
        try:
            failed = run(step) or []
        except Interrupted as what:
            say(f"interrupted in {what}; the same command goes on from there")
            status = INTERRUPTED
            break
        except StepError as error:
            failed = [(label, str(error))]
        except subprocess.CalledProcessError as error:
            program = Path(error.cmd[0]).name
            failed = [(label, f"{program} ended with status {error.returncode}; what it says stands above")]
        states.finish(name, "; ".join(reason for _, reason in failed), time.monotonic() - began)
        failures.update(dict.fromkeys(failed))
    for label, reason in failures:
        say(f"failed: {label}: {reason}")
    return status or int(bool(failures))


def report_left_out(reasons):
    """Tells what is not run, and why: {why: names}."""
    for why, names in reasons.items():
        if names:
            say(f"left out, {why}: {', '.join(names)}")


def name_steps(arguments, steps):
    """--plan: names the steps in the status file, and runs none; the exit status."""
    Status(arguments.status).plan(steps)
    return 0
