"""run_all.py: a whole evaluation: sets up, builds, gets graphs, measures, merges, draws, reports.

scripts/run_all.sh starts it with any Python, before anything is set up. So it imports the standard library
alone, and its steps are commands that .venv's Python runs.
"""

import argparse
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from glob import glob
from pathlib import Path
from typing import NamedTuple

from evaluation.campaigns.modes import ALL, BUILDING, MODES, MODES_OF, TABLE, needs_gpu

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ".venv/bin/python"
MANY_FILES = 100  # which take the time of a whole build
INTERRUPTED = 130
LIMITED = ("run_experiments", "msbfs", "xbfs")  # scripts that take --time-limit
PATIENCE = 1.5  # seconds that a step has to end after Ctrl-C; what is killed loses its last trial at most
REPORT_EVERY_SECONDS = 30  # how far the build is, where there is no terminal to redraw a line on
NO_NETWORK = 4  # exit status of download_graphs.py
AFTER = """
The words after -- are given to every run of gtrav, such as --sources 8 --verify all.
Graphs that cannot be downloaded are replaced by generated ones like them, which the tables then name.

What is measured already is not measured again: after Ctrl-C, the same command goes on where it was. One
graph's failure does not stop the rest. DIR/status.csv says what is done, what failed and why, what is left.
A mode that needs a GPU ends at once with exit status 3 where there is none.
GTRAV=FILE in the environment runs that program, and nothing is built.
"""


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


def give_up(text):
    say(text)
    sys.exit(3)


def asks_gtrav(condition):
    """Whether gtrav lists an algorithm that meets the condition."""
    command = [os.environ.get("GTRAV", "build/gtrav"), "--list", "--json"]
    listing = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return any(condition(algorithm) for algorithm in json.loads(listing))


def lists_gpu():
    return asks_gtrav(lambda algorithm: algorithm["device"] == "gpu" and algorithm["available"])


def gpu_may_be_here(given):
    """As far as can be told before anything is built."""
    if given:
        return lists_gpu()
    driver = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True)
    return bool((driver and driver.returncode == 0) or glob("/dev/nvidia[0-9]*") or os.path.exists("/dev/dxg"))


class Step(NamedTuple):
    """A command, which measures or comes after all measuring."""

    about: str  # a line before it; "": none
    command: list  # empty: only the line
    measures: bool
    plans: bool = False  # with --plan it names what it will measure in the status file, and runs nothing


class Plan(argparse.Namespace):
    """The steps of a mode, and what the command line says of them."""

    def __init__(self, settings):
        super().__init__(**vars(settings))
        self.states = f"{self.results}/status.csv"
        self.steps = []
        self.included = False  # whether the mode whose steps are named is a part of another one

    def words(self, *names):
        """These options of the command line, as far as they were given."""
        given = [(f"--{name.replace('_', '-')}", getattr(self, name)) for name in names]
        return [word for pair in given if pair[1] for word in pair]

    def include(self, mode, function):
        """All steps of a mode but its report; its records go into a folder named after it."""
        whole, self.results, self.included = self.results, f"{self.results}/{mode}", True
        function(self)
        self.results, self.included = whole, False

    def show(self):
        """Prints the commands, each below a comment on it."""
        for step in self.steps:
            about = [f"# {step.about}"] if step.about else []
            print(*about, *([shlex.join(map(str, step.command))] if step.command else []), sep="\n")

    # ---- what there is ----

    def list_or(self, usual):
        return self.list or usual

    def gpu_is_here(self):
        return lists_gpu()

    def emulator_is_here(self):
        """Whether the emulator can stand in for a GPU that is not here."""
        return asks_gtrav(lambda algorithm: not algorithm["available"] and algorithm["emulated"])

    def need_emulator(self):
        if not self.emulator_is_here():
            give_up(f"{self.mode} needs a GPU, or the emulator; quick_start runs without either")

    # ---- steps that measure ----

    def say(self, about):
        self.steps.append(Step(about, [], True))

    def get_graphs(self, graphs):
        if not self.offline:
            command = [PYTHON, "scripts/download_graphs.py", graphs, *self.words("base")]
            self.steps.append(Step("getting graphs", command, True))

    def measure(self, about, script, *words):
        """A script that keeps the status file."""
        given = self.words("time_limit") if script in LIMITED else []
        command = [PYTHON, f"scripts/{script}.py", "--status", self.states, *given, *words]
        self.steps.append(Step(about, command, True, plans=True))

    def experiments(self, *words, gtrav=(), folder="."):
        """folder: of the records, below the mode's."""
        about = f"running {' '.join((*words, *gtrav))}"
        to = os.path.normpath(os.path.join(self.results, folder))
        self.measure(about, "run_experiments", *words, "--csv", to, "--", *gtrav, *self.extra)

    def emulate(self, graphs):
        """GPU algorithms on the emulator, for their answers: the rows say so and enter no table."""
        words = (graphs, "--emulated", "--csv", self.results, "--", "--sources", "4", "--verify", "all")
        self.measure("GPU algorithms on the emulator", "run_experiments", *words)
        self.say(f"records in {self.results}/emulator: every result checked; the times are no GPU times")

    def many_sources(self, folder, *words):
        self.measure(f"many sources at once: {' '.join(words)}", "msbfs", "--csv", folder, *words)

    def xbfs(self, folder, *words):
        self.measure(f"XBFS: {' '.join(words)}", "xbfs", "--csv", folder, *words)

    def count_tasks(self, policy):
        words = ["--policy", policy, "--csv", self.results]
        about = f"counting tasks, balance-policy {policy}"
        self.measure(about, "balance", *words, *self.words("list"), "--", *self.extra)

    def peers(self, *words):
        """Other programs on the same graphs, those that are here."""
        if not self.offline:
            self.steps.append(Step("", ["scripts/setup.sh", "peers"], True))
        about = "other programs on the same graphs"
        self.measure(about, "peers", *words, "--stand-ins", "--csv", self.results)

    # ---- steps that come after ----

    def finish(self, script, *words, about=""):
        self.steps.append(Step(about, [PYTHON, script, *words], False))

    def merge(self, representative):
        words = (self.results, "--representative", representative)
        self.finish("scripts/merge_results.py", *words, about="merging and drawing")

    def tables(self, which, *words):
        self.finish("scripts/tables.py", which, *words, "--merged", f"{self.results}/merged")

    def paper_tables(self):
        self.tables("paper")

    def draw(self, *names):
        self.finish("plot/draw.py", *names, "--results", self.results, "--to", self.figures)

    def report(self):
        """The last steps of every mode; of parts of a whole they come once, after all."""
        if self.included:
            return
        about = "what holds of the papers' claims"
        self.finish("scripts/report.py", "--results", self.results, about=about)

    def conclude(self):
        """The last steps of a mode that merges records."""
        merged = f"{self.results}/merged"
        about = "the fastest on every graph"
        self.finish("scripts/tables.py", "summary", "--merged", merged, about=about)
        self.report()


class Child:
    """Runs one command at a time, in a session of its own. Ctrl-C, SIGTERM and a terminal that is closed
    reach this program alone, which tells the command and all that it has started, and ends after them."""

    def __init__(self):
        self.process, self.stopped = None, 0.0  # when
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
                signal.signal(number, self.pass_on)
        signal.signal(signal.SIGALRM, lambda *_: self.send(signal.SIGKILL))

    def send(self, number):
        """Whether there is one to be told."""
        with contextlib.suppress(ProcessLookupError):
            if self.process is not None:
                os.killpg(self.process.pid, number)
                return True
        return False

    def pass_on(self, number, _):
        self.stopped = self.stopped or time.monotonic()
        self.send(number)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    def call(self, command, watch=None, **options):
        """Its exit status. watch gets each line of its standard output."""
        output = {"stdout": subprocess.PIPE, "text": True} if watch else {}
        if not self.stopped:
            self.process = subprocess.Popen(list(map(str, command)), start_new_session=True, **output, **options)
            if self.stopped:  # the signal came while it was started
                self.send(signal.SIGTERM)
            for line in self.process.stdout or ():
                watch(line)
            code = self.process.wait()
            while self.stopped and self.send(0) and time.monotonic() < self.stopped + PATIENCE:
                time.sleep(0.02)
            if self.stopped:
                self.send(signal.SIGKILL)
            self.process = None
        if self.stopped or code == INTERRUPTED:
            signal.setitimer(signal.ITIMER_REAL, 0)  # Python's own end takes the handler away
            say("interrupted; the same command goes on from there")
            sys.exit(INTERRUPTED)
        return code


class Runner:
    """Runs the steps of a plan, and goes on after a failure."""

    def __init__(self, plan, child):
        self.plan, self.child, self.failed = plan, child, False

    def status(self, *words):
        return subprocess.run([PYTHON, "scripts/status.py", self.plan.states, *words], stdout=sys.stderr)

    def name_steps(self):
        """Writes every step into the status file, as left where it is not done already."""
        self.status("begin").check_returncode()
        for step in self.plan.steps:
            if step.plans:
                code = self.child.call([*step.command[:2], "--plan", *step.command[2:]])
                if code:
                    sys.exit(code)
        self.status("settle").check_returncode()

    def run_step(self, step):
        if step.about:
            say(step.about)
        code = self.child.call(step.command) if step.command else 0
        if code in (0, NO_NETWORK) and (code == 0 or "download_graphs" in step.command[1]):
            return
        self.failed = True
        if not step.measures:
            self.status("failed", " ".join(map(str, step.command[1:])), f"it ended with status {code}")

    def run(self):
        try:
            for step in self.plan.steps:
                self.run_step(step)
            if self.failed:
                say("something failed; see the lines with 'failed' above")
        finally:  # however it ends
            self.failed = self.status("show").returncode != 0 or self.failed
        page = f"{self.plan.results}/report.html"
        if os.path.exists(page):
            say(f"open {page}; records, tables and figures are beside it")
        return int(self.failed)


class Build:
    """Counts the files that make compiles, as it begins them."""

    COMPILED = re.compile(r" -c -o \S+\.o\b")

    def __init__(self, listing):
        self.all = sum(map(self.compiles, listing.splitlines()))
        self.begun, self.reported = 0, time.monotonic()

    def compiles(self, line):
        return bool(self.COMPILED.search(line))

    def watch(self, line):
        self.begun += self.compiles(line)
        if sys.stderr.isatty():
            print(f"\r== {self.begun} of {self.all} files", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.reported > REPORT_EVERY_SECONDS:
            self.reported = time.monotonic()
            say(f"{self.begun} of {self.all} files")


def set_up(given, child):
    say("setting up")
    code = child.call(["scripts/setup.sh", "run"], stdout=sys.stderr)
    if code == 0 and not given:
        listing = subprocess.run(["make", "--dry-run"], stdout=subprocess.PIPE, text=True).stdout
        build = Build(listing)
        if build.all:
            say(f"building {build.all} files{f': {BUILDING}' if build.all >= MANY_FILES else ''}")
        code = child.call(["make", f"-j{os.cpu_count()}"], watch=build.watch)
        if sys.stderr.isatty() and build.all:
            print(file=sys.stderr)
    if code:
        sys.exit(code)
    subprocess.run([os.environ["GTRAV"], "--version"], stdout=sys.stderr, check=True)


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message):
        self.exit(2, f"run_all: {message}; --help tells more\n")


def use_word(parser, settings):
    """The second word: the list of run_user, the name of paper."""
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
    """The command line; the words after -- are for gtrav."""
    split = words.index("--") if "--" in words else len(words)
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
    of_word = "of run_user: the list of graphs; of paper: " + ", ".join((*MODES_OF, ALL))
    add("word", metavar="LIST|NAME", nargs="?", help=of_word)
    add("--list", metavar="FILE", help="graphs of this dataset list instead of the mode's own")
    add("--results", metavar="DIR", help="records and merged tables (default: results/MODE)")
    add("--figures", metavar="DIR", help="figures (default: figures in the folder of the records)")
    add("--offline", action="store_true", help="do not try to download")
    add("--base", metavar="PLACE", help="download from this mirror or folder (download_graphs.py --help)")
    add("--gpus", metavar="N[,N...]", help="run_msbfs: closeness on so many GPUs, one number after the other")
    add("--time-limit", metavar="SECONDS", help="begin no trial of a variant on a graph later, except the first")
    add("--plan", action="store_true", help="set up and build, then print the commands, and run none of them")
    settings = parser.parse_args(words[:split])
    settings.extra = words[split + 1 :]
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
    child = Child()
    set_up(given, child)
    if measures_on_gpu and not lists_gpu():  # a build without nvcc
        give_up(refusal)
    plan = Plan(settings)
    MODES[settings.mode](plan)
    if plan.plan:
        plan.show()
        return 0
    os.makedirs(settings.results, exist_ok=True)
    runner = Runner(plan, child)
    runner.name_steps()
    return runner.run()


if __name__ == "__main__":
    sys.exit(main())
