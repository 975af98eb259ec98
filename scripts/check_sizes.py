#!/usr/bin/env python3
"""Checks that files and functions are small enough to hold in the head; make lint runs it.

No file that people write has over 600 lines, no function over 60 lines, 7 parameters, or 4 levels of nested
statements. The functions of include/gtrav.h may take arrays and their widths one by one. Exit status: 0
nothing is too large, 1 something is.
"""

import argparse
import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES, FUNCTION_LINES, PARAMETERS, NESTING = 600, 60, 7, 4
FOLDERS = ("baselines", "examples", "include", "kernels", "plot", "python", "scripts", "src", "tests")
C_ENDINGS = {".c", ".h", ".cu", ".cuh", ".cpp"}
SCRIPT_ENDINGS = {".py", ".sh", ".mk"}
INDENT = 4
CONTROL = re.compile(r"( *)(?:\} else )?(?:if|for|while|switch|do)\b")


def split_arguments(text):
    """How many arguments a parameter list has, commas in brackets left aside."""
    depth, count = 0, 1
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        count += letter == "," and depth == 0
    return 0 if text.strip() in ("", "void") else count


def c_functions(lines):
    """(name, parameters, lines, nesting) of each function; clang-format puts its braces in column 1."""
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
            controls = [CONTROL.match(each) for each in lines[begin + 1 : number]]
            nesting = max((len(found.group(1)) // INDENT for found in controls if found), default=0)
            if declared:
                yield declared.group(1), split_arguments(declared.group(2)), number - head + 1, nesting
            begin = None


def python_functions(text):
    """As c_functions(), of lengths alone: ruff limits parameters and nesting (pyproject.toml)."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, 0, node.end_lineno - node.lineno + 1, 0


def too_large(path):
    """What is too large in a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield f"over {FILE_LINES} lines"
    is_test = path.is_relative_to(ROOT / "tests")  # a test takes what fixtures and parameters it needs
    found = python_functions(text) if path.suffix == ".py" else c_functions(lines)
    for name, parameters, length, nesting in found if path.suffix != ".sh" else ():
        if length > FUNCTION_LINES:
            yield f"{name}: over {FUNCTION_LINES} lines"
        if parameters > PARAMETERS and not is_test and not name.startswith("gtrav_"):
            yield f"{name}: over {PARAMETERS} parameters"
        if nesting > NESTING:
            yield f"{name}: nested over {NESTING} deep"


def sources():
    yield ROOT / "Makefile"
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in C_ENDINGS | SCRIPT_ENDINGS and path.is_file():
                yield path


def main():
    found = [f"{path.relative_to(ROOT)}: {what}" for path in sources() for what in too_large(path)]
    for line in sorted(found):
        print(f"check_sizes: {line}; split it", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    sys.exit(main())
