"""Runs the steps of a mode: measures, draws, and reports. scripts/run_all.sh starts it."""

import os
import shlex
import sys
from contextlib import suppress
from typing import NamedTuple

from evaluation.campaigns import loop, measure, run_all
from evaluation.campaigns.modes import MODES, NO_GPU
from evaluation.command import INTERRUPTED, EvaluationError

NO_NETWORK = 4  # exit status of download_graphs.py


class Step(NamedTuple):
    """A command. Those that run a campaign (scripts/measure.py) are run by this program itself."""

    about: str  # a line printed before it, or ""
    command: list  # empty: only print the line

    @property
    def is_campaign(self):
        return "scripts/measure.py" in self.command

    @property
    def measures(self):
        """Whether it comes before all steps that make something of the records."""
        return not self.command or self.is_campaign or "scripts/download_graphs.py" in self.command


class Plan:
    """The steps of a mode; the functions of modes.py add them."""

    def __init__(self, settings):
        self.__dict__.update(vars(settings))
        self.steps = []
        self.included = False  # whether the current mode is a part of another one

    def words(self, *names):
        """Those of these options that the command line has."""
        given = [(f"--{name.replace('_', '-')}", getattr(self, name)) for name in names]
        return [word for pair in given if pair[1] for word in pair]

    def include(self, mode, function):
        """Adds all steps of a mode but its report; its records go to a folder named after it."""
        whole, self.results, self.included = self.results, f"{self.results}/{mode}", True
        function(self)
        self.results, self.included = whole, False

    def show(self):
        """Prints the commands, each below a comment."""
        for step in self.steps:
            about = [f"# {step.about}"] if step.about else []
            print(*about, *([shlex.join(map(str, step.command))] if step.command else []), sep="\n")

    def add(self, about, script, *words):
        self.steps.append(Step(about, [run_all.PYTHON, script, *words]))

    # ---- what is here ----

    def gpu_is_here(self):
        return run_all.lists_gpu()

    def emulator_is_here(self):
        """Returns whether the emulator can run GPU algorithms that no GPU here can."""
        return run_all.asks_gtrav(lambda algorithm: not algorithm["available"] and algorithm["emulated"])

    def need_emulator(self):
        if not self.emulator_is_here():
            run_all.give_up(f"{self.mode} needs a GPU, or the emulator; quick_start runs without either")
        self.say(NO_GPU)

    # ---- steps that measure ----

    def say(self, about):
        self.steps.append(Step(about, []))

    def list_or(self, usual):
        """Returns the user's list of graphs, or one of dataset/."""
        return self.list or f"dataset/{usual}.csv"

    def get_graphs(self, usual):
        """Downloads the graphs of a list, and returns its file."""
        graphs = self.list_or(usual)
        if not self.offline:
            self.add("getting graphs", "scripts/download_graphs.py", graphs, *self.words("base"))
        return graphs

    def run(self, graphs, algorithms="", gtrav="", kind="", where="--stand-ins", folder="."):
        """Runs algorithms (FAMILY:VARIANTS, ...) on the graphs of a list, or on those of a kind. gtrav: options for
        it; folder: of the records, below the mode's."""
        words = [graphs, where, *(["--kind", kind] if kind else [])]
        words += [word for algorithm in algorithms.split() for word in ("--algo", algorithm)]
        to = ["--csv", os.path.normpath(os.path.join(self.results, folder))]
        about = f"running {' '.join([*words, *gtrav.split()])}"
        limited = (*words, *self.words("time_limit"), *to, "--", *gtrav.split(), *self.extra)
        self.add(about, "scripts/measure.py", "experiments", *limited)

    def emulate(self):
        """Runs GPU algorithms on the emulator, to check their results; the rows say so and enter no table."""
        words = ("dataset/emulator_list.csv", "--emulated", "--csv", self.results)
        checks = ("--sources", "4", "--verify", "all")
        self.add("GPU algorithms on the emulator", "scripts/measure.py", "experiments", *words, "--", *checks)
        self.say(f"records in {self.results}/emulator: every result checked; the times are no GPU times")

    def campaign(self, name, folder, *words):
        """Runs a campaign that has its own graphs."""
        to = ("--csv", folder, *self.words("time_limit"))
        self.add(f"{name} {' '.join(words)}", "scripts/measure.py", name, *to, *words)

    # ---- steps that come after ----

    def draw(self, *names):
        self.add("", "plot/draw.py", *names, "--results", self.results, "--to", self.figures)

    def report(self):
        """The last step of every mode; a mode of several parts reports once, after all."""
        if not self.included:
            self.add("which of the papers' claims hold", "scripts/report.py", "--results", self.results)

    def conclude(self):
        self.add("the fastest on every graph", "scripts/tables.py", "summary", "--results", self.results)
        self.report()


class Runner:
    """Runs the steps of a plan, and goes on after a failure."""

    def __init__(self, plan):
        self.plan, self.status, self.failed = plan, loop.Status(f"{plan.results}/status.csv"), False

    def run_step(self, step):
        """Returns whether the step succeeded."""
        if step.about:
            run_all.say(step.about)
        if not step.command:
            return True
        if step.is_campaign:
            return self.run_campaign(step.command[2:])
        code = run_all.call(step.command)
        if code and not step.measures:
            words = " ".join(map(str, step.command[1:]))
            self.status.finish(("", words), f"it ended with status {code}")
        return code == 0 or (code == NO_NETWORK and "scripts/download_graphs.py" in step.command)

    def run_campaign(self, words):
        try:
            return loop.run(measure.campaign_of(words), self.status)
        except (EvaluationError, OSError, ValueError) as error:
            run_all.say(f"failed: {words[0]}: {error}")
            return False

    def run(self):
        """Returns the exit status."""
        campaigns = [measure.campaign_of(step.command[2:]) for step in self.plan.steps if step.is_campaign]
        self.status.plan([name for campaign in campaigns for name in campaign.steps])
        try:
            for step in self.plan.steps:
                self.failed = not self.run_step(step) or self.failed
            if self.failed:
                run_all.say("something failed; see the lines with 'failed' above")
        finally:
            print(*self.status.summary(), sep="\n", file=sys.stderr, flush=True)
        page = f"{self.plan.results}/report.md"
        if os.path.exists(page):
            run_all.say(f"open {page}; records and figures are beside it")
        return int(self.failed or self.status.has_failures())


def main():
    os.chdir(run_all.ROOT)
    sys.argv[0] = "run_all"  # as in the messages of campaigns
    run_all.end_on_signals()
    try:
        plan = Plan(run_all.parse(sys.argv[1:]))
        MODES[plan.mode](plan)
        if plan.plan:
            plan.show()
            return 0
        os.makedirs(plan.results, exist_ok=True)
        with suppress(loop.Interrupted):
            return Runner(plan).run()
    except KeyboardInterrupt:
        run_all.say("interrupted; the same command goes on from there")
    return INTERRUPTED
