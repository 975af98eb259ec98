"""Runs algorithms on the graphs of dataset lists, and writes records under --csv.

Without --algo every family runs on every graph that it makes sense on: a topological order needs a DAG, and
on a DAG it is compared with a depth-first search; searches from many sources are for scripts/msbfs.py. A run
that fails does not stop the rest; it is told again at the end. What the records hold already is not measured
again: a run that was cut off goes on there.
Words after -- are given to gtrav as they are: run_experiments.py LIST -- --sources 8 --verify all

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import errno
import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import termios
import time

from evaluation import dataset
from evaluation.campaigns import status
from evaluation.command import INTERRUPTED, new_parser

LONGEST_TAIL = 1 << 16  # of what gtrav says last
NEEDS_DAG = {"topo"}
ON_A_DAG = {"topo", "dfs"}
# On a generated DAG a search starts at vertex 0, which reaches nearly all of it: as much work as sorting it.
DAG_SPEC = "dag:"
DAG_SOURCES = ["--source", ",".join(["0"] * 16)]
ASKED_FOR = {"msbfs"}  # of which 64 sources are a batch, not 64 trials: scripts/msbfs.py
LOG = "experiments.log"


def say(text):
    print(text, file=sys.stderr, flush=True)


def is_dag(entry):
    return "acyclic" in entry.kind


def known_algorithms(gtrav):
    listing = subprocess.run([gtrav, "--list", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(listing.stdout)


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
            if not asked and (family in ASKED_FOR or (is_dag(entry) and family not in ON_A_DAG)):
                continue
            if is_dag(entry) or family not in NEEDS_DAG:
                yield entry, algorithm


def run(command, log):
    """gtrav's exit status; its tables go to the log, its messages stay on stderr."""
    return run_and_listen(command, log)[0]


def run_and_listen(command, log):
    """Likewise, and why it failed, in its own words if it has said any."""
    log.write(f"\n$ {shlex.join(command)}\n")
    log.flush()
    process, pressed = None, []

    # gtrav ends its trial, keeps what it has, and must not be killed meanwhile. Ctrl-C reaches it too: it is
    # told by the other signal, since twice the same would kill it.
    def pass_on(number, _):
        pressed.append(number)
        if process is not None:
            process.send_signal(signal.SIGTERM if number == signal.SIGINT else signal.SIGINT)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    # On a terminal gtrav shall see one, to draw its progress on.
    reader, writer = like_our_terminal() if sys.stderr.isatty() else os.pipe()
    process = subprocess.Popen(command, stdout=log, stderr=writer)
    os.close(writer)
    said = b""
    while piece := read_piece(reader):
        os.write(sys.stderr.fileno(), piece)
        said = (said + piece)[-LONGEST_TAIL:]
    os.close(reader)
    code = process.wait()
    for number, handler in before.items():
        signal.signal(number, handler)
    if pressed or code == INTERRUPTED:
        return INTERRUPTED, "interrupted"
    return code, why_it_failed(code, said.decode(errors="replace")) if code else ""


def like_our_terminal():
    """A terminal as large as the one that stderr is: an end to read from, and one to be given."""
    reader, writer = os.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, fcntl.ioctl(sys.stderr.fileno(), termios.TIOCGWINSZ, bytes(8)))
    return reader, writer


def read_piece(reader):
    try:
        return os.read(reader, LONGEST_TAIL)
    except OSError as error:  # what a terminal answers once nobody has it
        if error.errno != errno.EIO:
            raise
        return b""


def why_it_failed(code, said):
    complaints = re.findall(r"^gtrav: (.+?)\s*$", said.replace("\r", "\n"), re.MULTILINE)
    if complaints:
        return "; ".join(dict.fromkeys(complaints))
    if code < 0:
        likely = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
        return f"killed by signal {-code}{likely}"
    return f"gtrav ended with status {code}"


def command_for(arguments, graph, algorithm):
    family, _, variants = algorithm.partition(":")
    command = [arguments.gtrav, "--algo", family, "--variant", variants or "all", "--graph", graph]
    asked = any(word.startswith("--source") for word in arguments.extra)
    if family == "dfs" and graph.startswith(DAG_SPEC) and not asked:
        command += DAG_SOURCES
    if arguments.emulated:
        command += ["--device", "cpu-emulator"]
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    return [*command, "--csv", str(arguments.csv), *quiet, *arguments.extra]


def step_name(arguments, entry, algorithm):
    """As the status file has it."""
    device = ["on the emulator"] if arguments.emulated else []
    return entry.name, " ".join([algorithm, *device, *arguments.extra])


def experiments(arguments, steps, states):
    """Runs the steps; returns what failed, as lines, and whether the user cut it off."""
    failures, done = [], {}
    arguments.csv.mkdir(parents=True, exist_ok=True)
    with open(arguments.csv / LOG, "a", encoding="utf-8") as log:
        for number, (entry, algorithm) in enumerate(steps, 1):
            step = step_name(arguments, entry, algorithm)
            graph = entry.graph(arguments.graphs, arguments.stand_ins)
            if graph is None:
                reason = f"no such graph here; {entry.where_to_get()}"
                failures.append(f"{entry.name} {algorithm}: {reason}")
                states.finish(step, reason)
                continue
            if (graph, algorithm) in done:  # two graphs of the list with the same stand-in
                states.finish(step, done[graph, algorithm])
                continue
            name = f"{graph} (for {entry.name})" if graph == entry.stand_in else entry.name
            label = f"{name} {algorithm}"
            began = time.monotonic()
            code, reason = run_and_listen(command_for(arguments, graph, algorithm), log)
            if code == INTERRUPTED:
                say(f"interrupted in {label}; the same command goes on from there")
                return failures, True
            seconds = time.monotonic() - began
            done[graph, algorithm] = reason
            states.finish(step, reason, seconds)
            failed = f", FAILED with status {code}" if code else ""
            say(f"[{number}/{len(steps)}] {label}: {seconds:.1f} s{failed}")
            if failed:
                failures.append(f"{label}: {reason}")
    return failures, False


def conclude(failures, interrupted, tell):
    """Tells what failed; the exit status."""
    for failure in failures:
        tell(f"failed: {failure}")
    if interrupted:
        return INTERRUPTED
    return 1 if failures else 0


def main():
    parser = new_parser(__doc__)
    parser.add_argument("list", nargs="+", help="dataset list (CSV), such as dataset/quick_list.csv")
    parser.add_argument(
        "--algo", action="append", metavar="FAMILY[:VARIANT,...]", help="repeatable (default: see above)"
    )
    parser.add_argument("--kind", help="only graphs whose kind contains this, such as undirected or acyclic")
    status.add_options_of_graphs(parser)
    parser.add_argument(
        "--emulated",
        action="store_true",
        help="GPU algorithms only, on the CPU; their times are no GPU times",
    )
    arguments = status.parse_measuring(parser)

    entries = [entry for path in arguments.list for entry in dataset.read_list(path)]
    entries = [entry for entry in entries if not arguments.kind or arguments.kind in entry.kind]
    entries = entries[arguments.share or slice(None)]
    algorithms = known_algorithms(arguments.gtrav)
    asked, absent = without_absent(arguments.algo or [], algorithms, arguments.emulated)
    steps = list(plan(entries, algorithms, asked, arguments.emulated))
    states = status.Status(arguments.status)
    if arguments.plan:
        states.plan(step_name(arguments, *step) for step in steps)
        return 0
    failures, interrupted = experiments(arguments, steps, states)
    not_here = [f"{a['family']} {a['variant']}" for a in algorithms if not a["available"]]
    left_out = list(dict.fromkeys(not_here + absent))
    if left_out and not arguments.emulated:
        say(f"left out, they cannot run on this machine: {', '.join(left_out)}")
    elif not left_out and all(a["device"] == "cpu" for a in algorithms):
        say("left out: GPU algorithms; this build has none, since nvcc was not there")
    return conclude(failures, interrupted, say)
