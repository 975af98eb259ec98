"""_gtrav_program.py: the command gtrav: executes the program of the wheel or the checkout. It does not import the
package, which would take longer than the program."""

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
