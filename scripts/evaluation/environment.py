"""environment.py: starts a script anew with .venv's Python where the running one lacks packages.

A module imports it before packages of requirements.txt, so that scripts run as they are, from any folder,
without `source .venv/bin/activate`. Nothing happens where the running Python has the packages.
"""

import importlib.util
import os
import sys
from pathlib import Path

PACKAGES = ("jinja2", "matplotlib", "numpy", "pandas", "scipy")  # those that scripts and plots import
VENV_PYTHON = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "python"
ENTERED = "GTRAV_VENV_ENTERED"  # the id of the process that runs .venv's Python already


def ensure_packages():
    """Returns if every package is there. Else runs the script with .venv's Python, or exits with status 2."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if not missing:
        return
    process = str(os.getpid())  # stays the same across execv
    if os.access(VENV_PYTHON, os.X_OK) and os.environ.get(ENTERED) != process:
        os.environ[ENTERED] = process
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])
    print(f"{Path(sys.argv[0]).name}: no Python package {', '.join(missing)}; run ./gtrav-setup", file=sys.stderr)
    sys.exit(2)
