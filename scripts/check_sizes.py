#!/usr/bin/env python3
"""Checks that files, and functions of C and CUDA, are small enough to hold in the head; make lint runs it.

No file that people write has over 600 lines, no function over 60 lines, 7 parameters, or 4 levels of nested
statements. Functions named gtrav_* may have more parameters, because they take each array's width; so may functions
in tests/. ruff limits the functions of Python (pyproject.toml). Exit status: 0 nothing is too large, 1 something is.
"""

import argparse
import re
import sys
from pathlib import Path

# Other checkers do not serve: lizard does not read .cu and .cuh, and clang-tidy parses each file with all its
# headers, which takes minutes and, for kernels/, CUDA's headers.
ROOT = Path(__file__).resolve().parent.parent
FILE_LINES, FUNCTION_LINES, PARAMETERS, NESTING = 600, 60, 7, 4
FOLDERS = ("baselines", "examples", "include", "kernels", "plot", "python", "scripts", "src", "tests")
C_ENDINGS = {".c", ".h", ".cu", ".cuh", ".cpp"}
INDENT = 4
CONTROL = re.compile(r"( *)(?:\} else )?(?:if|for|while|switch|do)\b")


def count_parameters(text):
    """Counts the parameters in a text. Commas in brackets separate none."""
    depth, count = 0, 1
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        count += letter == "," and depth == 0
    return count


def functions(lines):
    """Yields (name, parameters, lines, nesting) of each function; clang-format puts its braces in column 1."""
    begin = None
    for number, line in enumerate(lines):
        if line == "{":
            begin = number
        elif line == "}" and begin is not None:
            head = begin
            while head > 0 and not re.match(r"$|[}#/*]| \*|.*[;\\]$|template", lines[head - 1]):
                head -= 1
            signature = re.sub(r"__launch_bounds__\([^)]*\)", "", " ".join(lines[head:begin]))
            declared = re.match(r".*?(\w+)\((.*)\)[^()]*$", signature)
            controls = filter(None, map(CONTROL.match, lines[begin + 1 : number]))
            nesting = max((len(found[1]) // INDENT for found in controls), default=0)
            if declared:
                yield declared[1], count_parameters(declared[2]), number - head + 1, nesting
            begin = None


def too_large(path):
    """Yields what is too large in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if len(lines) > FILE_LINES:
        yield f"over {FILE_LINES} lines"
    is_test = path.is_relative_to(ROOT / "tests")  # a test takes what fixtures and parameters it needs
    for name, parameters, length, nesting in functions(lines) if path.suffix in C_ENDINGS else ():
        if length > FUNCTION_LINES:
            yield f"{name}: over {FUNCTION_LINES} lines"
        if parameters > PARAMETERS and not is_test and not name.startswith("gtrav_"):
            yield f"{name}: over {PARAMETERS} parameters"
        if nesting > NESTING:
            yield f"{name}: nested over {NESTING} deep"


def main():
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*"))]
    sources = [path for path in paths if path.suffix in C_ENDINGS | {".py", ".sh", ".mk"} and path.is_file()]
    found = [(path, what) for path in [ROOT / "Makefile", *sources] for what in too_large(path)]
    for path, what in found:
        print(f"check_sizes: {path.relative_to(ROOT)}: {what}; split it", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    sys.exit(main())
