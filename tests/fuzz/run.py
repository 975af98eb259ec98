#!/usr/bin/env python3
"""run.py: runs the fuzz targets one after the other and says how many inputs each had. `make fuzz` does."""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LONGEST_INPUT = 4096
LONGEST_SECONDS = 10  # seconds that one input may take
TEXTS = ("mtx", "dimacs", "metis", "edges")
WORDS_OF = {
    "format": TEXTS,
    "gzip": (*TEXTS, "gzip"),
}  # targets that read what others do, with the words of those


def fuzz(program, target, work, seconds):
    """Executions, and the files of findings."""
    findings = work / "findings" / target
    corpus = work / "corpus" / target
    for folder in (findings, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    seeds = [HERE / kind / target for kind in ("corpus", "regressions")]
    words = [HERE / f"{name}.dict" for name in WORDS_OF.get(target, (target,))]
    dictionary = work / f"{target}.dict"
    dictionary.write_text("".join(path.read_text() for path in words))
    command = [
        program,
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={LONGEST_SECONDS}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
        "-report_slow_units=1000000",  # one that takes longer than -timeout is a finding
        f"-dict={dictionary}",
        corpus,
        *(folder for folder in seeds if folder.exists()),
    ]
    run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = run.stdout.decode(errors="replace")
    (work / f"{target}.log").write_text(log)
    executions = re.search(r"stat::number_of_executed_units: +(\d+)", log)
    return (
        int(executions.group(1)) if executions else 0,
        sorted(set(findings.iterdir()) - before),
        run.returncode,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True, help="folder of the fuzz_* programs")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("targets", nargs="*", help="only these (default: all)")
    options = parser.parse_args()
    programs = sorted(path for path in options.programs.glob("fuzz_*") if path.suffix == "")
    names = [path.name[len("fuzz_") :] for path in programs]
    unknown = set(options.targets) - set(names)
    if unknown or not names:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    failed = False
    print(f"{'target':10} {'executions':>12} {'per second':>10}")
    for program, name in zip(programs, names):
        if options.targets and name not in options.targets:
            continue
        began = time.monotonic()
        executions, findings, status = fuzz(program, name, options.programs / "work", options.seconds)
        print(f"{name:10} {executions:12,} {executions / (time.monotonic() - began):10,.0f}", flush=True)
        for finding in findings:
            print(f"    finding: {finding}")
        if status != 0:
            failed = True
            print(f"    failed; its log: {options.programs / 'work' / (name + '.log')}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
