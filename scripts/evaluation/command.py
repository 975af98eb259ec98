"""command.py: runs a command of scripts/, with the same exit statuses for all of them.

Where the running Python lacks packages of requirements.txt, run() starts the script anew with .venv's, so that it
runs from any folder without `source .venv/bin/activate`.
"""

import argparse
import importlib
import importlib.util
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

PACKAGES = ("jinja2", "matplotlib", "numpy", "pandas", "scipy")  # those that scripts and plots import
VENV_PYTHON = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "python"
ENTERED = "GTRAV_VENV_ENTERED"  # the id of the process that runs .venv's Python already
INTERRUPTED = 130


def ensure_packages():
    """Returns if all packages are there. Otherwise runs the script with .venv's Python, or exits with status 2."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if not missing:
        return
    process = str(os.getpid())  # stays the same across execv
    if os.access(VENV_PYTHON, os.X_OK) and os.environ.get(ENTERED) != process:
        os.environ[ENTERED] = process
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])
    print(f"{Path(sys.argv[0]).name}: no Python package {', '.join(missing)}; run ./gtrav-setup", file=sys.stderr)
    sys.exit(2)


class EvaluationError(Exception):
    """A mistake that the user has to correct; the message is one line. The command exits with status 2."""


class NothingToReport(Exception):
    """Why there is nothing to do, though nothing is wrong. The command exits with status 0."""


def printable(text):
    """The text without control characters: a name in a list or an archive must not move the cursor."""
    return "".join("?" if unicodedata.category(letter) == "Cc" else letter for letter in str(text))


def say(text):
    """Prints a line on stderr, after the name of the command."""
    print(f"{Path(sys.argv[0]).stem}: {printable(text)}", file=sys.stderr, flush=True)


def new_parser(description):
    """A parser whose --help shows the description as it stands."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def parse_words(parser, words=None):
    """The command line, or these words; as extra the words after --, which gtrav gets as they are."""
    words = sys.argv[1:] if words is None else words
    split = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:split])
    arguments.extra = words[split + 1 :]
    return arguments


def run(module):
    """Runs a module's main and exits with what it returns: 2 after an error, 130 after Ctrl-C."""
    ensure_packages()
    sys.stdout.reconfigure(errors="replace")  # a terminal may lack a letter of a graph's name
    try:
        sys.exit(importlib.import_module(f"evaluation.{module}").main())
    except NothingToReport as reason:
        say(reason)
    except (EvaluationError, OSError, ValueError, subprocess.CalledProcessError) as error:
        say(error)
        sys.exit(2)
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from there")
        sys.exit(INTERRUPTED)
