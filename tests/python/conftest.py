"""conftest.py: the tests use the package in python/ with the library in build/, as if it were installed."""

import os
import shutil
import sys
import tempfile
from configparser import ConfigParser
from pathlib import Path

import pytest

from package import LIBRARY, PACKAGE


def write_metadata(site):
    """Metadata of an installed package, by which Python finds the entry points of pyproject.toml."""
    project = ConfigParser(delimiters="=", strict=False)
    project.read(PACKAGE / "pyproject.toml")
    folder = site / "gtrav-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: gtrav\nVersion: 0\n")
    with open(folder / "entry_points.txt", "w") as file:
        for section in project.sections():
            if section.startswith("project.entry-points."):
                name, target = next(iter(project.items(section)))
                file.write(f"[{section.split('.', 2)[2].strip(chr(34))}]\n{name} = {target.strip(chr(34))}\n")


SITE = Path(tempfile.mkdtemp(prefix="gtrav-site-"))
write_metadata(SITE)
os.environ["PYTHONPATH"] = os.pathsep.join([str(SITE), str(PACKAGE)])  # of what tests run
os.environ["OMP_WAIT_POLICY"] = "passive"
sys.path[:0] = [str(SITE), str(PACKAGE)]


def pytest_configure():
    if not LIBRARY.exists():
        pytest.exit(f"{LIBRARY} is not there; run make first", returncode=2)


def pytest_unconfigure():
    shutil.rmtree(SITE, ignore_errors=True)


def pytest_collection_modifyitems(items):
    """Slow tests come first, so that no processor waits for the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
