"""The two guides of CONTRIBUTING.md, as printed, add a CPU and a GPU algorithm to
a copy of the tree, build them and test them. So does docs/tutorial.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import GTRAV, ROOT

BUILD = ROOT / "build"
GUIDES = (ROOT / "CONTRIBUTING.md").read_text()
COPIED = (
    "src",
    "kernels",
    "baselines",
    "include",
    "tests",
    "build",
    "Makefile",
    "config.mk",
    "VERSION",
    "python",
    ".clang-format",
)


def section(title):
    return re.search(rf"^## {title}\n(.*?)^## ", GUIDES, re.MULTILINE | re.DOTALL)[1]


def code(title, language):
    """The section's only block of code in the language."""
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", section(title), re.MULTILINE | re.DOTALL)
    (found,) = (text for name, text in blocks if name == language)
    return found


def change(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, f"{path} has '{old}' {text.count(old)} times"
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy with its objects, so that only what changes is compiled."""
    folder = tmp_path_factory.mktemp("guides")
    for name in COPIED:
        subprocess.run(["cp", "-a", "--reflink=auto", ROOT / name, folder], check=True)
    return folder


def run_commands(tree, commands):
    """Runs commands with the variables of make that the build under test has."""
    of_make = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in of_make}
    if "GTRAV_CUDA" not in (BUILD / "parts_found").read_text():
        environment["NVCC"] = ""
    commands = re.sub(r"^make\b|(?<=&& )make\b", "make -e", commands, flags=re.MULTILINE)
    done = subprocess.run(["bash", "-ec", commands], cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


needs_own_build = pytest.mark.skipif(Path(GTRAV).parent != BUILD, reason="the build under test is another one")


@pytest.mark.slow
@needs_own_build
def test_a_cpu_algorithm(tree):
    text = (tree / "baselines" / "bfs_serial.c").read_text()
    copy = text.replace("bfs_serial = {", "bfs_mine = {").replace('.variant = "serial"', '.variant = "mine"')
    (tree / "baselines" / "bfs_mine.c").write_text(copy)
    change(tree / "src" / "registry.c", "    CPU(bfs_gap) ", "    CPU(bfs_mine) CPU(bfs_gap) ")
    said = run_commands(tree, code("A CPU algorithm", ""))
    assert re.search(r"^bfs mine +64 .* all$", said, re.MULTILINE), said


@pytest.mark.slow
@needs_own_build
def test_a_gpu_algorithm(tree):
    source = tree / "kernels" / "bfs" / "mine.cu"
    source.write_text(code("A GPU algorithm", "c++"))
    change(tree / "src" / "registry.c", "    GPU(bfs_queue) ", "    GPU(bfs_mine_gpu) GPU(bfs_queue) ")
    clang_format = ROOT / ".venv" / "bin" / "clang-format"
    if clang_format.exists():
        subprocess.run([clang_format, "--dry-run", "--Werror", source], cwd=tree, check=True)
    if "GTRAV_EMULATOR" not in (BUILD / "parts_found").read_text():
        pytest.skip("this build has no emulator")
    said = run_commands(tree, code("A GPU algorithm", ""))
    assert re.search(r"^bfs mine-gpu .* 64 .* all$", said, re.MULTILINE), said


@pytest.mark.slow
@needs_own_build
def test_the_tutorial(tree):
    """It comes last, as it adds an algorithm of the same name as the guides'."""
    pytest.importorskip("matplotlib")
    (tree / "src" / "registry.c").write_text((ROOT / "src" / "registry.c").read_text())
    (tree / ".venv").symlink_to(sys.prefix)
    text = (ROOT / "docs" / "tutorial.md").read_text()
    said = run_commands(tree, "".join(re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)))
    assert "fay,3" in said and "ratio" in said
    assert re.search(r"^bfs mine .* all$", said, re.MULTILINE), said
    assert (tree / "levels.png").stat().st_size > 0
