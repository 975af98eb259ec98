#!/usr/bin/env python3
"""run.py: runs the fuzz targets one after the other and says how many inputs each had. `make fuzz` does."""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SRC = HERE.parent.parent / "src"
LONGEST_INPUT = 4096
LONGEST_SECONDS = 10  # seconds that one input may take

# The files whose short texts are the words of a target's inputs; of all others, those of the readers.
READERS = ("graph/formats.c", "graph/read*.c", "graph/table_layout.c")
WORDS_OF = {
    "gtrav": ("graph/binary.c", "graph/reorder.c"),
    "options": ("cli/options.c", "graph/load_options.h", "graph/reorder.c", "families.c"),
    "records": ("records/*.c",),
    "spec": ("graph/generate.c",),
}
WORDS = '\n \r\n \t , ; | : = # % -- " 1000 65536 4294967295 4294967296 9223372036854775808'
WORDS += " 18446744073709551616 -9223372036854775808 nan -inf 1e999 1.0D+00 0x1p3 \xef\xbb\xbf \x1f\x8b\x08\0"


def dictionary_of(target):
    """A dictionary for libFuzzer."""
    words = {word for word in WORDS.split(" ") if word}
    for pattern in WORDS_OF.get(target, READERS):
        for path in SRC.glob(pattern):
            words |= set(re.findall(r'"([^"\\% ]{1,24})"', path.read_text()))
    if target == "options":
        words |= {f"--{word}" for word in words if re.fullmatch("[a-z-]+", word)}
    escaped = ("".join(c if c.isalnum() else f"\\x{ord(c):02x}" for c in word) for word in sorted(words))
    return "".join(f'"{word}"\n' for word in escaped)


def fuzz(program, target, work, seconds):
    """Executions, and the files of findings."""
    findings = work / "findings" / target
    corpus = work / "corpus" / target
    for folder in (findings, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    seeds = [HERE / kind / target for kind in ("corpus", "regressions")]
    dictionary = work / f"{target}.dict"
    dictionary.write_text(dictionary_of(target))
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
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    run = subprocess.run(list(map(str, command)), env={**os.environ, "FUZZ_TARGET": target}, **output)
    log = run.stdout.decode(errors="replace")
    (work / f"{target}.log").write_text(log)
    executions = re.search(r"stat::number_of_executed_units: +(\d+)", log)
    return (int(executions.group(1)) if executions else 0, sorted(set(findings.iterdir()) - before), run.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    names = sorted(folder.name for folder in (HERE / "corpus").iterdir())
    parser.add_argument("--program", type=Path, required=True, help="the program with all targets")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("targets", nargs="*", default=names, help=f"of {', '.join(names)} (default: all)")
    options = parser.parse_args()
    unknown = set(options.targets) - set(names)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    work = options.program.parent / "work"
    failed = False
    print(f"{'target':10} {'executions':>12} {'per second':>10}")
    for name in options.targets:
        began = time.monotonic()
        executions, findings, status = fuzz(options.program, name, work, options.seconds)
        print(f"{name:10} {executions:12,} {executions / (time.monotonic() - began):10,.0f}", flush=True)
        for finding in findings:
            print(f"    finding: {finding}")
        if status != 0:
            failed = True
            print(f"    failed; its log: {work / (name + '.log')}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
