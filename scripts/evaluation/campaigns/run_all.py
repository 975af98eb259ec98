"""run_all.py: sets up and builds for scripts/run_all.sh, and starts run_mode.py.

It runs with any Python, before anything is set up, so it imports the standard library alone.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from glob import glob
from pathlib import Path

from evaluation.campaigns.gtrav import known_algorithms
from evaluation.campaigns.modes import ALL, BUILDING, MODES, MODES_OF, TABLE, needs_gpu
from evaluation.command import INTERRUPTED, parse_words

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ".venv/bin/python"
NO_DEVICE = 3  # exit status where a mode cannot run
PATIENCE = 1.5  # seconds that a command has to end after a signal
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AFTER = """
The words after -- are given to every run of gtrav, such as --sources 8 --verify all.
Generated graphs replace those that cannot be downloaded; the report names them.

What has been measured is not measured again: after Ctrl-C, the same command continues. If one graph fails, the rest
still run. DIR/status.csv says what is done, what failed and why, and what is left.
A mode that needs a GPU ends at once with exit status 3 where there is none.
GTRAV=FILE in the environment runs that program, and nothing is built.
"""


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


def give_up(text):
    say(text)
    sys.exit(NO_DEVICE)


def asks_gtrav(condition):
    """Returns whether gtrav lists an algorithm that meets the condition."""
    return any(map(condition, known_algorithms(os.environ.get("GTRAV", "build/gtrav"))))


def lists_gpu():
    return asks_gtrav(lambda algorithm: algorithm["device"] == "gpu" and algorithm["available"])


def gpu_may_be_here(given):
    """Returns whether there seems to be a GPU, before anything is built."""
    if given:
        return lists_gpu()
    driver = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True)
    return bool((driver and driver.returncode == 0) or glob("/dev/nvidia[0-9]*") or os.path.exists("/dev/dxg"))


def end_on_signals():
    """Makes each signal that ends this program raise KeyboardInterrupt, except those that nohup ignores."""
    for number in STOPPING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def call(command, **options):
    """Runs a command in a session of its own and returns its exit status. If this program is interrupted, the command
    and all that it started get SIGTERM; what has not ended after a while is killed."""
    process = subprocess.Popen(list(map(str, command)), start_new_session=True, **options)
    try:
        code = process.wait()
    except KeyboardInterrupt:
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code


def set_up(given):
    say("setting up")
    code = call(["scripts/setup.sh", "run"], stdout=sys.stderr)
    if code == 0 and not given:
        say(f"building what is not built yet; all of it takes {BUILDING}")
        code = call(["make", f"-j{os.cpu_count()}", "--silent"], stdout=sys.stderr)
    if code:
        sys.exit(code)
    subprocess.run([os.environ["GTRAV"], "--version"], stdout=sys.stderr, check=True)


class Parser(argparse.ArgumentParser):
    """Reports an error in one line."""

    def error(self, message):
        self.exit(2, f"run_all: {message}; --help tells more\n")


def use_word(parser, settings):
    """Reads the second word: the list of run_user, the name of paper."""
    word, settings.paper = settings.word, ""
    if settings.mode == "paper":
        if word not in (*MODES_OF, ALL):
            parser.error(f"paper needs one of the names {', '.join((*MODES_OF, ALL))}")
        settings.paper = word
    elif word and (settings.mode != "run_user" or settings.list):
        parser.error(f"unknown word '{word}'")
    elif settings.mode == "run_user":
        settings.list = settings.list or word
        if not settings.list:
            parser.error("run_user needs a list of graphs; dataset/README.md says how to make one")


def parse(words):
    """Returns the settings; extra: the words after --."""
    parser = Parser(
        prog="scripts/run_all.sh",
        usage="scripts/run_all.sh MODE [option...] [-- WORD...]",
        description=TABLE,
        epilog=AFTER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("mode", metavar="MODE", choices=MODES, help="one of the table's")
    of_word = "for run_user: the list of graphs; for paper: " + ", ".join((*MODES_OF, ALL))
    add("word", metavar="LIST|NAME", nargs="?", help=of_word)
    add("--list", metavar="FILE", help="graphs of this dataset list instead of the mode's own")
    add("--results", metavar="DIR", help="records and report (default: results/MODE)")
    add("--figures", metavar="DIR", help="figures (default: figures in the folder of the records)")
    add("--offline", action="store_true", help="do not try to download")
    add("--base", metavar="PLACE", help="download from this mirror or folder (download_graphs.py --help)")
    add("--gpus", metavar="N[,N...]", help="run_msbfs: closeness on each of these numbers of GPUs")
    limit = "start no trial of a variant on a graph later than this after its first"
    add("--time-limit", metavar="SECONDS", help=limit)
    add("--plan", action="store_true", help="set up and build, then print the commands, and run none of them")
    settings = parse_words(parser, words)
    use_word(parser, settings)
    if settings.list and not os.path.isfile(settings.list):
        parser.error(f"no list {settings.list} in {ROOT}; dataset/README.md says how to make one")
    settings.results = settings.results or f"results/{settings.paper or settings.mode}"
    settings.figures = settings.figures or f"{settings.results}/figures"
    return settings


def main():
    os.chdir(ROOT)
    settings = parse(sys.argv[1:])
    given = os.environ.get("GTRAV", "")
    measures_on_gpu = needs_gpu(settings.mode, settings.paper)
    wanted = settings.paper or settings.mode
    refusal = f"{wanted} needs a GPU, and gtrav finds none here; quick_start runs without one"
    if measures_on_gpu and not gpu_may_be_here(given):
        give_up(refusal)
    os.environ["GTRAV"] = given or "build/gtrav"
    set_up(given)
    if measures_on_gpu and not lists_gpu():  # a build without nvcc
        give_up(refusal)
    sys.stderr.flush()
    os.execv(PYTHON, [PYTHON, "scripts/run_mode.py", *sys.argv[1:]])


if __name__ == "__main__":
    end_on_signals()
    try:
        main()
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from there")
        sys.exit(INTERRUPTED)
