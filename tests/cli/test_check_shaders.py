"""scripts/check_shaders.py sees what is wrong in a shader, and where."""

import shutil
import sys

import pytest

import check_shaders
from helpers import ROOT, execute

SCRIPT = ROOT / "scripts" / "check_shaders.py"


@pytest.fixture
def shaders(tmp_path):
    """A copy of gtrav's shaders."""
    folder = tmp_path / "shaders"
    shutil.copytree(check_shaders.SHADERS, folder)
    return folder


def change(path, old, new):
    """Returns the number of the changed line."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


def check(*shaders):
    result = execute([sys.executable, SCRIPT, *shaders])
    if "not checked" in result.out:
        pytest.skip(result.out.strip())
    return result


def test_our_shaders_are_right():
    result = check()
    assert (result.status, result.out) == (0, "check_shaders: 5 shaders are right\n")


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("let bit = 1u <<", "let let = 1u <<", "let"),
        ("let mask = atomicLoad(", "let mask = atomicLook(", "atomicLook"),
        ("local.y * 32u + lane", "local.w * 32u + lane", "w"),
        ("atomicOr(&joining, 1u << i)", "atomicOr(&joining, 1.5)", "convert"),
    ],
    ids=["syntax", "name", "member", "type"],
)
def test_a_mistake_is_named_with_its_file_and_line(shaders, old, new, words):
    path = next(each for each in sorted(shaders.glob("*.wgsl")) if old in each.read_text())
    line = change(path, old, new)
    result = check(*sorted(shaders.glob("*.wgsl")))
    assert result.status == 1
    (reported,) = result.out.splitlines()
    assert f"{path.name}:{line}:" in reported and words in reported


def test_more_than_a_browser_has_is_wrong(shaders):
    change(shaders / "bfs.wgsl", "@workgroup_size(1)", "@workgroup_size(512)")
    result = check(shaders / "bfs.wgsl")
    assert result.status == 1 and "bfs.wgsl" in result.out and "256" in result.out


def test_without_the_library_it_leaves_itself_out(tmp_path):
    (tmp_path / "wgpu.py").write_text("raise ImportError('no wgpu here')\n")
    result = execute([sys.executable, SCRIPT], env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert (result.status, result.out) == (0, "check_shaders: shaders are not checked: no wgpu here\n")
