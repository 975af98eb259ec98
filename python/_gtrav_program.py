"""_gtrav_program.py: the command gtrav, which becomes the program in the wheel or of the checkout. It does not import
the package, which takes longer than the program."""

import os
import sys
from pathlib import Path


def main():
    here = Path(__file__).resolve().parent
    places = (here / "gtrav" / "gtrav", here.parent / "build" / "gtrav")
    program = next((path for path in places if path.exists()), None)
    if program is None:
        sys.exit(f"gtrav: the program is not there: {places[0]}; install the package again")
    os.execv(program, ["gtrav", *sys.argv[1:]])
