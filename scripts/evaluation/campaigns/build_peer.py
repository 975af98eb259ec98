"""Builds a program of other authors to build/peers/NAME, where `scripts/measure.py peers` finds it.

scripts/peers/programs.ini lists the programs, where they come from, and the commands that build them, in a copy of
their repository: of a checkout that you have, or of the commit that the list pins. CUDA_ARCH=90 and
MARCH=x86-64-v3 in the environment build for another machine.
"""

import configparser
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from evaluation.campaigns.peers import BUILT
from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import ROOT

SHIMS = ROOT / "scripts" / "peers"
PROGRAMS = SHIMS / "programs.ini"


def read_programs(path=PROGRAMS):
    table = configparser.RawConfigParser()
    table.read_string(path.read_text(encoding="utf-8"))
    return table


def fetch(source, folder):
    """Gets the pinned commit of a repository, with its submodules."""
    repository, _, commit = source.partition("@")
    address = f"{os.environ.get('GITHUB', 'https://github.com')}/{repository}"
    for words in (
        ("clone", "--quiet", "--no-checkout", address, folder),
        ("-C", folder, "checkout", "--quiet", commit),
        ("-C", folder, "submodule", "--quiet", "update", "--init"),
    ):
        if subprocess.run(["git", *words]).returncode != 0:
            raise EvaluationError(f"cannot fetch {source}")


def environment_for(name, entry, checkout):
    """Returns the environment of the commands that build."""
    if "needs" in entry:
        variable, repository = entry["needs"].split()
        if not Path(os.environ.get(variable) or "/nowhere").is_dir():
            raise EvaluationError(f"{name}: {variable}=FOLDER must name a checkout of github.com/{repository}")
    arch = os.environ.get("CUDA_ARCH", "native")
    arch = f"sm_{arch}" if arch.isdigit() else arch
    return {
        **os.environ,
        "PROGRAM": str(BUILT / name),
        "SHIMS": str(SHIMS),
        "CHECKOUT": str(checkout or ""),
        "NVCC": f"nvcc -O3 -arch={arch}",
        "SM": arch.removeprefix("sm_"),
        "MARCH": f"-march={os.environ.get('MARCH', 'native')}",
    }


def build(name, entry, checkout):
    environment = environment_for(name, entry, checkout)
    BUILT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        if not checkout:
            fetch(entry["source"], folder)
        elif "$CHECKOUT" not in entry["build"]:
            shutil.copytree(checkout, folder, symlinks=True, dirs_exist_ok=True)
        command = ["bash", "-euo", "pipefail", "-c", entry["build"]]
        if subprocess.run(command, cwd=folder, env=environment).returncode != 0:
            raise EvaluationError(f"{name}: a command of {PROGRAMS.name} failed; its messages are above")
    say(f"built {BUILT / name}")


def main():
    programs = read_programs()
    parser = new_parser(__doc__)
    parser.add_argument("name", choices=programs.sections(), metavar="NAME", help=", ".join(programs.sections()))
    parser.add_argument("--from", type=Path, dest="checkout", metavar="CHECKOUT", help="folder of its repository")
    arguments = parser.parse_args()
    entry, checkout = programs[arguments.name], arguments.checkout and arguments.checkout.resolve()
    if not checkout and "@" not in entry["source"]:
        raise EvaluationError(f"{arguments.name}: --from CHECKOUT must name a checkout of {entry['source'] or 'it'}")
    if checkout and not checkout.is_dir():
        raise EvaluationError(f"no folder {checkout}")
    build(arguments.name, entry, checkout)
    return 0
