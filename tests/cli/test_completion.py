"""What the shells are told: bash is asked, the others read their scripts where they are installed."""

import re
import shutil

import pytest

from helpers import execute, gtrav_json, gtrav_ok, ok

ASK_BASH = """
source "$1"; shift
complete -p gtrav >/dev/null || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_gtrav 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(gtrav_ok("--completion", shell).out)
    return folder


def ask_bash(scripts, *words, cwd=None):
    run = ok(execute(["bash", "-c", ASK_BASH, "ask", scripts / "bash", "gtrav", *words], cwd=cwd))
    return set(run.out.split())


def variants(family):
    return {entry["variant"] for entry in gtrav_json("--list", family)}


def test_bash_completes_options_and_values(scripts, tmp_path):
    assert ask_bash(scripts, "--al") == {"--algo"}
    every = set(ask_bash(scripts, "--"))
    assert {"--graph", "--variant", "--help", "--completion", "--output"} <= every
    assert ask_bash(scripts, "bfs", "path:3", "--verify", "") == {"none", "first", "all"}
    assert ask_bash(scripts, "--verify", "=", "a") == {"all"}  # as bash cuts --verify=a
    families = {"bfs", "msbfs", "closeness", "betweenness", "graph500", "dfs", "reach", "topo"}
    assert ask_bash(scripts, "--algo", "") == families
    assert ask_bash(scripts, "--list", "to") == {"topo"}
    assert ask_bash(scripts, "--reorder", "r") == {"rcm", "random"}
    assert "generators" in ask_bash(scripts, "--help", "")
    assert ask_bash(scripts, "--sources", "") == set()


def test_bash_knows_the_family(scripts):
    assert ask_bash(scripts, "--algo", "dfs", "--variant", "") == variants("dfs") | {"all"}
    assert ask_bash(scripts, "topo", "path:3", "--variant", "") == variants("topo") | {"all"}
    assert ask_bash(scripts, "bfs", "--variant", "gap", "--set", "alph") == {"alpha="}
    assert ask_bash(scripts, "dfs", "--set", "alph") == set()


def test_bash_completes_graphs(scripts, tmp_path):
    (tmp_path / "krill.mtx").touch()
    assert ask_bash(scripts, "bfs", "kr", cwd=tmp_path) == {"kron:", "krill.mtx"}
    assert ask_bash(scripts, "--graph", "kr", cwd=tmp_path) == {"kron:", "krill.mtx"}
    assert ask_bash(scripts, "b", cwd=tmp_path) == {"betweenness", "bfs"}
    assert ask_bash(scripts, "bfs", "b", cwd=tmp_path) == set()
    assert ask_bash(scripts, "--output", "k", cwd=tmp_path) == {"krill.mtx"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_well_formed(shell, scripts):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    run = execute([shell, "-n", scripts / shell])
    assert (run.status, run.err) == (0, "")


def test_every_option_is_there(scripts):
    options = re.findall(r"^  --([\w-]+)", gtrav_ok("--help options").out, re.MULTILINE)
    bash, zsh, fish = ((scripts / shell).read_text() for shell in ("bash", "zsh", "fish"))
    assert len(options) > 30
    for option in options:
        assert f"--{option} " in bash and f"-l {option} " in fish
        assert re.search(rf"--{option}=?\[", zsh)
