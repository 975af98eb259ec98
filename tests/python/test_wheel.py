"""The wheel: built, installed into a fresh environment without a compiler, and used there on the CPU.

Needs a package index."""

import os
import subprocess
import sys
from zipfile import ZipFile

import pytest

from package import LIBRARY, ROOT

USE = """
import sys
import gtrav
from gtrav import _library
assert _library._loaded._name.startswith(sys.prefix), _library._loaded._name
graph = gtrav.Graph.generate("kron:10", device="cpu")
assert graph.bfs(0, verify=True).run.ran.endswith("on cpu")
assert graph.path_lengths([0], [0]).tolist() == [0]
assert {name.partition(".")[0] for name in sys.modules}.isdisjoint(("scipy", "pandas", "networkx"))
print(gtrav.library_version())
"""


def run(command, folder, environment):
    found = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=500)
    assert found.returncode == 0, found.stderr[-3000:]
    return found.stdout


def index_is_reachable(pip, folder):
    asked = [*pip, "download", "--no-deps", "--quiet", "--retries", "0", "setuptools>=77"]
    return subprocess.run(asked, cwd=folder, capture_output=True).returncode == 0


@pytest.mark.slow
def test_a_fresh_environment(tmp_path):
    """As make python and pip install make it, but with the library that is built already."""
    ours = ("GTRAV_", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment.update(
        GTRAV_PREBUILT=str(LIBRARY.parent / "package"), CUDA_VISIBLE_DEVICES="", PIP_DISABLE_PIP_VERSION_CHECK="1"
    )
    run([sys.executable, "-m", "venv", "venv"], tmp_path, environment)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [python, "-m", "pip"]
    if not index_is_reachable(pip, tmp_path):
        pytest.skip("pip reaches no packages here")
    run(["make", "python", "NVCC=", f"BUILD={tmp_path}", f"PYTHON={python}"], ROOT, environment)
    (wheel,) = (tmp_path / "python").glob("gtrav-*-py3-none-*.whl")
    about = f"gtrav-{(ROOT / 'VERSION').read_text().strip()}.dist-info"
    files = {"gtrav/libgtrav.so.1", "gtrav/py.typed", f"{about}/licenses/LICENSE"}
    assert files <= set(ZipFile(wheel).namelist())
    assert b"\nProject-URL: Homepage, https://" in ZipFile(wheel).read(f"{about}/METADATA")
    environment["PATH"] = str(python.parent)  # no compiler, and no other program
    run([*pip, "install", "--quiet", wheel], tmp_path, environment)
    version = run([python, "-c", USE], tmp_path, environment).strip()
    assert version == (ROOT / "VERSION").read_text().strip()
    assert run([python.parent / "gtrav", "--version"], tmp_path, environment).startswith(f"gtrav {version}")
    assert "bfs serial" in run(["gtrav", "bfs", "path:9", "--variant", "serial"], tmp_path, environment)
    refused = subprocess.run(["gtrav", "bfs", "nonsense:9"], env=environment, capture_output=True, text=True)
    assert refused.returncode == 2 and "nonsense" in refused.stderr
