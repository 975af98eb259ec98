"""package.py: where the package and the library under test are."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "python"
LIBRARY = Path(os.environ.setdefault("GTRAV_LIBRARY", str(ROOT / "build" / "libgtrav.so.1")))
