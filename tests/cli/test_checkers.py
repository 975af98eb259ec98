"""The checkers of scripts/ see what is wrong in a shader, and what is too large."""

import shutil
import sys

import pytest

import check_shaders
import check_sizes
from helpers import ROOT, execute

SCRIPT = ROOT / "scripts" / "check_shaders.py"


MISTAKES = {
    "let bit = 1u <<": ("let let = 1u <<", "let"),
    "let mask = atomicLoad(": ("let mask = atomicLook(", "atomicLook"),
    "@workgroup_size(1)": ("@workgroup_size(512)", "256"),  # more than a browser has
}


@pytest.mark.parametrize("old", MISTAKES)
def test_a_mistake_in_a_shader_is_found(old, tmp_path):
    shutil.copytree(check_shaders.SHADERS, tmp_path / "shaders")
    path = next(each for each in sorted(tmp_path.rglob("*.wgsl")) if old in each.read_text())
    new, word = MISTAKES[old]
    path.write_text(path.read_text().replace(old, new, 1))
    result = execute([sys.executable, SCRIPT, tmp_path / "shaders"])
    if "not checked" in result.out:
        pytest.skip(result.out.strip())
    assert (result.status, path.name in result.out, word in result.out) == (1, True, True), result.out


def test_without_the_library_it_leaves_itself_out(tmp_path):
    (tmp_path / "wgpu.py").write_text("raise ImportError('no wgpu here')\n")
    result = execute([sys.executable, SCRIPT], env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert (result.status, result.out) == (0, "check_shaders: shaders are not checked: no wgpu here\n")


# ---- sizes ----

C_FUNCTION = """static __global__ void __launch_bounds__(256, 1)
    expand(struct search search, const uint32_t (&counts)[4], uint32_t level)
{
    for (int i = 0; i < 3; i++)
        if (i > 1) {
            while (i < 2)
                i++;
        } else if (i == 0)
            work(i);
    work(level);
}
"""


def test_functions_are_measured():
    assert list(check_sizes.functions(C_FUNCTION.splitlines())) == [("expand", 3, 11, 3)]


def test_what_is_too_large_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check_sizes, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    for name, text in (("Makefile", "\n" * 600), ("src/short.c", "int x;\n" * 600)):
        (tmp_path / name).write_text(text)
    assert (check_sizes.main(), capsys.readouterr().err) == (0, "")
    (tmp_path / "src" / "long.c").write_text("int x;\n" * 601)
    head = "void wide(int a, int b, int c, int d, int e, int f, int g, int h)\n{\n"
    (tmp_path / "src" / "wide.c").write_text(head + "    work();\n" * 59 + "}\n")
    assert check_sizes.main() == 1
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "src/long.c: over 600 lines; split it",
        "src/wide.c: wide: over 60 lines; split it",
        "src/wide.c: wide: over 7 parameters; split it",
    ]
