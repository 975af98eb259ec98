"""Set-up: what scripts/setup.sh tells, scripts that find .venv by themselves, and scripts/bare_machine.sh."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from helpers import ROOT, SECONDS, execute

SCRIPTS = sorted(
    path
    for folder in ("scripts", "plot")
    for path in (ROOT / folder).iterdir()
    if path.is_file() and path.read_bytes().startswith(b"#!")
)


def fake(folder, name, body):
    """Puts a program that runs this text of sh into a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def before_path(folder, **variables):
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **variables}


# ---- scripts find .venv by themselves ----


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """An environment whose python3 has the standard library only."""
    folder = tmp_path_factory.mktemp("python")
    fake(folder, "python3", f'exec "{os.path.realpath(sys.executable)}" -S "$@"')
    environment = before_path(folder)
    environment.pop("PYTHONPATH", None)
    found = subprocess.run(["python3", "-c", "import numpy"], env=environment, capture_output=True)
    assert b"No module named 'numpy'" in found.stderr
    return environment


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_script_runs_by_its_name(path, bare_python, tmp_path):
    result = execute([path, "--help"], env=bare_python, cwd=tmp_path)
    assert result.status == 0, result.err
    assert "usage" in result.out.lower()


def test_every_program_is_executable():
    programs = [
        path
        for folder in ("scripts", "plot")
        for path in (ROOT / folder).glob("*.py")
        if re.search(r"__main__|evaluation\.command import run", path.read_text())
    ]
    assert len(programs) > 15
    assert [path for path in programs if path not in SCRIPTS or not os.access(path, os.X_OK)] == []


def without_venv(folder):
    for name in ("scripts", "plot"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize("name", ["scripts/report.py", "plot/draw.py"])
def test_scripts_without_venv_say_what_to_do(name, bare_python, tmp_path):
    copy = without_venv(tmp_path)
    result = execute([copy / name, "--help"], env=bare_python)
    assert (result.status, len(result.err.splitlines()), result.out) == (2, 1, "")
    assert "numpy" in result.err and "run ./gtrav-setup" in result.err


def test_venv_that_lacks_packages_is_tried_once(bare_python, tmp_path):
    copy = without_venv(tmp_path)
    (copy / ".venv").mkdir()
    fake(copy / ".venv" / "bin", "python", 'exec python3 "$@"')
    result = execute([copy / "scripts" / "report.py", "--help"], env=bare_python)
    assert (result.status, len(result.err.splitlines())) == (2, 1)


# ---- set-up ----

AS_ROOT = "echo 0"
OPTIONAL = {"peers": "requirements-peers.txt", "test": "requirements-python.txt"}  # by part of set-up
TLS = "certificate verify failed: unable to get local issuer certificate"


@pytest.fixture
def tree(tmp_path):
    """What set-up needs of this repository, in a folder without .venv."""
    copy = tmp_path / "tree"
    (copy / "scripts").mkdir(parents=True)
    for name in ("gtrav-setup", "scripts/setup.sh", "requirements.txt", *OPTIONAL.values()):
        shutil.copy(ROOT / name, copy / name)
    return copy


def set_up(tree, programs, *parts):
    """Runs ./gtrav-setup from another folder, with fake programs (name: text of sh) on PATH."""
    folder = tree.parent / "programs"
    for name, body in {"id": AS_ROOT, **programs}.items():
        fake(folder, name, body)
    return execute([tree / "gtrav-setup", *parts], cwd=tree.parent, env=before_path(folder))


def test_setup_takes_only_what_it_knows():
    result = execute([ROOT / "gtrav-setup", "everything"])
    assert result.status == 2
    assert "usage" in result.err


def test_setup_installs_what_is_missing(tree):
    """Fakes stand for a machine without make, and for apt-get, which installs it."""
    programs = tree.parent / "programs"
    install = f'[ "$1" = update ] || {{ echo "$@" >{tree}/asked; rm {programs}/make; }}'
    result = set_up(tree, {"make": "exit 127", "apt-get": install}, "build")
    assert result.status == 0, result.err
    first, last = result.err.splitlines()
    assert re.fullmatch(r"setup: installing make \.\.\. \d+ s", first)
    assert re.fullmatch(r"setup: done in \d+ s", last)
    assert (tree / "asked").read_text() == "install -y --no-install-recommends make\n"
    assert set_up(tree, {}, "build").err == ""


def test_a_package_that_apt_lacks_keeps_no_other_out(tree):
    programs = tree.parent / "programs"
    apt = f"""case "$*" in
*mesa*) echo 'E: Unable to locate package mesa-vulkan-drivers' >&2; exit 100 ;;
*make*) rm {programs}/make ;;
esac"""
    fakes = {"make": "exit 127", "ldconfig": ":", "apt-get": apt, "python3": VENV_ONLY, "pip": ":"}
    result = set_up(tree, fakes, "test")
    assert result.status == 0, result.err
    assert "setup:   E: Unable to locate package mesa-vulkan-drivers\n" in result.err
    assert "setup: missing (optional): Vulkan driver" in result.err


APT_LOCKED = "echo 'E: Could not get lock' >&2; exit 100"
# Update warns and succeeds, and install finds no packages.
APT_OFFLINE = f"""[ "$1" = update ] && echo 'W: Failed to fetch InRelease  {TLS}' >&2 && exit
echo "Reading package lists..."
echo "E: Unable to locate package make" >&2
exit 100"""


@pytest.mark.parametrize(
    ("apt", "messages"),
    [
        (APT_LOCKED, ["E: Could not get lock"]),
        (APT_OFFLINE, [f"W: Failed to fetch InRelease  {TLS}", "E: Unable to locate package make"]),
    ],
    ids=["locked", "offline"],
)
def test_setup_shows_the_errors_of_apt(apt, messages, tree):
    result = set_up(tree, {"make": "exit 127", "apt-get": apt}, "build")
    assert result.status == 1
    first, *shown, last = result.err.splitlines()
    assert re.fullmatch(r"setup: installing make \.\.\. failed after \d+ s", first)
    assert shown == [f"setup:   {message}" for message in messages]
    assert last == "setup: missing (required): GNU make; install make (Debian's names)"


# A python3 that makes virtual environments, whose pip is the fake program pip.
VENV_ONLY = """case "$*" in
*ensurepip*) ;;
"-m venv .venv")
    mkdir -p .venv/bin
    printf '#!/bin/sh\\nexec pip "$@"\\n' >.venv/bin/python
    chmod +x .venv/bin/python ;;
*) exit 1 ;;
esac"""
NO_INDEX = f"""echo "WARNING: Retrying after connection broken by '{TLS}': /simple/numpy/" >&2
echo "Looking in indexes" >&2
echo "ERROR: No matching distribution found for numpy" >&2
exit 1"""


def test_setup_shows_the_errors_of_pip(tree):
    """A failure of TLS appears as a package that does not exist, but for pip's warnings."""
    result = set_up(tree, {"python3": VENV_ONLY, "pip": NO_INDEX}, "python")
    assert result.status == 1
    lines = result.err.splitlines()
    assert re.fullmatch(r"setup: making \.venv from requirements\.txt \.\.\. failed after \d+ s", lines[0])
    assert TLS in lines[1] and lines[1].startswith("setup:   WARNING")
    assert lines[2] == "setup:   ERROR: No matching distribution found for numpy"
    assert lines[3].startswith("setup: pip cannot install the packages")
    assert len(lines) == 4
    assert not (tree / ".venv" / "requirements.txt").exists()


def test_setup_takes_a_python_that_has_the_packages(tree):
    """Its name does not matter: where pip fails, .venv/bin/python calls it."""
    has_them = f'case "$*" in *matplotlib*) exit 0 ;; "-c "*) exit 0 ;; esac\n{VENV_ONLY}'
    result = set_up(tree, {"python3": has_them, "pip": NO_INDEX}, "python")
    assert result.status == 0, result.err
    assert TLS in result.err
    assert f"using {tree.parent}/programs/python3 with its own packages instead" in result.err
    assert f'exec "{tree.parent}/programs/python3"' in (tree / ".venv" / "bin" / "python").read_text()


def test_setup_makes_venv_once(tree):
    result = set_up(tree, {"python3": VENV_ONLY, "pip": f'echo "$@" >>{tree}/asked'}, "python")
    assert result.status == 0, result.err
    assert re.match(r"setup: making \.venv from requirements\.txt \.\.\. \d+ s\n", result.err)
    assert "-r requirements.txt" in (tree / "asked").read_text()
    assert set_up(tree, {}, "python").err == ""


@pytest.mark.parametrize("part", OPTIONAL)
def test_setup_goes_on_without_what_is_optional(tree, part):
    of_venv = 'case "$*" in *requirements-*) ;; *) : >.venv/bin/pip; chmod +x .venv/bin/pip; exit ;; esac'
    fakes = {"python3": VENV_ONLY, "pip": f"{of_venv}\n{NO_INDEX}", "apt-get": "exit 1"}
    result = set_up(tree, fakes, part)
    assert result.status == 0, result.err
    added = re.escape(OPTIONAL[part])
    assert re.search(rf"adding {added} to \.venv \.\.\. failed after \d+ s\n", result.err)
    assert TLS in result.err
    assert f"going on without the libraries of {OPTIONAL[part]}" in result.err


# ---- the CUDA compiler ----


def make_with_nvcc(tmp_path, release, arch):
    nvcc = fake(tmp_path, "nvcc", f"echo 'Cuda compilation tools, release {release}, V{release}.61'")
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    return execute(["make", f"NVCC={nvcc}", f"CUDA_ARCH={arch}", "help"], cwd=ROOT, env=alone)


@pytest.mark.slow
@pytest.mark.parametrize(("release", "arch"), [("12.8", "80"), ("13.0", "90a"), ("100.1", "120")])
def test_make_takes_new_cuda(release, arch, tmp_path):
    assert make_with_nvcc(tmp_path, release, arch).status == 0


@pytest.mark.parametrize(
    ("release", "arch", "words"),
    [
        ("12.7", "90", ["CUDA 12.7", "needs 12.8 or newer"]),
        ("9.2", "90", ["CUDA 9.2", "needs 12.8 or newer"]),
        ("none", "90", ["names no CUDA release"]),
        ("12.8", "75", ["CUDA_ARCH=75", "compute capability 8.0"]),
        ("12.8", "hopper", ["CUDA_ARCH=hopper", "compute capability 8.0"]),
    ],
)
def test_make_refuses_old_cuda(release, arch, words, tmp_path):
    result = make_with_nvcc(tmp_path, release, arch)
    assert (result.status, len(result.err.splitlines()), result.out) == (2, 1, "")
    assert all(word in result.err for word in [*words, "NVCC="])


def test_plain_make_builds_the_program(tmp_path):
    """Whatever optional parts are found: each has rules of its own in the Makefile."""
    parts = ["BOOST=1", "CMOCKA=1", "MPI=1", "NVCC=", "WEBGPU=anywhere"]
    for asked in (parts, [f"{part.partition('=')[0]}=" for part in parts]):
        planned = execute(["make", "-n", f"BUILD={tmp_path}", *asked], cwd=ROOT)
        assert (planned.status, f" -o {tmp_path}/gtrav " in planned.out) == (0, True), asked


def test_make_keeps_the_objects_of_tests(tmp_path):
    """It would compile them again for `make unit`."""
    planned = execute(
        ["make", "-n", f"BUILD={tmp_path}", "NVCC=", "BOOST=1", "CMOCKA=", "test-programs"], cwd=ROOT
    )
    assert f" -o {tmp_path}/tests/kernels/test_graph.emulated.o " in planned.out
    assert f"\nrm {tmp_path}/tests/" not in planned.out


# ---- scripts/bare_machine.sh, on fakes of what only root can do ----

BARE_FAKES = {
    "id": AS_ROOT,
    "debootstrap": 'echo "$@" >>"$FAKE_LOG"; mkdir -p "$3/etc/apt/apt.conf.d"; exit ${BROKEN:-0}',
    "unshare": 'while :; do case $1 in --*) shift ;; *) break ;; esac; done; exec "$@"',
    "mount": ":",
    "chroot": 'root=$1; test -x "$root/gtrav/gtrav-setup" || exit 99\n'
    'for last; do :; done; echo "$root: $last" >>"$FAKE_LOG"\n'
    "case $last in *quick_start) exit 3 ;; *forever) exec sleep 600 ;; esac",
}


def heed_interrupts():
    """Background jobs of a shell ignore SIGINT, and so do their children, unless they are told otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def bare_machine(tmp_path):
    """Runs scripts/bare_machine.sh on fakes; the result, and what debootstrap and chroot were asked for."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("it copies the committed tree of a git clone")
    for name, body in BARE_FAKES.items():
        fake(tmp_path / "programs", name, body)

    (tmp_path / "tmp").mkdir()
    log = tmp_path / "log"

    def run(*arguments, **variables):
        log.unlink(missing_ok=True)
        environment = before_path(
            tmp_path / "programs", FAKE_LOG=str(log), TMPDIR=str(tmp_path / "tmp"), **variables
        )
        result = execute(
            [ROOT / "scripts" / "bare_machine.sh", *arguments],
            env=environment,
            cwd=tmp_path,
            preexec_fn=heed_interrupts,
        )
        return result, log.read_text().splitlines() if log.exists() else []

    return run


def test_bare_machine_runs_the_commands_of_the_readme(bare_machine, tmp_path):
    result, (made, *entered) = bare_machine("--suite", "trixie", "--mirror", "http://mirror/debian")
    machine = str(tmp_path / "tmp" / "gtrav-bare.")
    assert re.fullmatch(f"--variant=minbase trixie {machine}\\w+ http://mirror/debian", made)
    assert [line.partition(": ")[2] for line in entered] == [
        "cd /gtrav && ./gtrav-setup",
        "cd /gtrav && scripts/run_all.sh quick_start",
        "cd /gtrav && make test",
    ]
    assert result.status == 1, result.err
    for line in ("./gtrav-setup: exit status 0", "scripts/run_all.sh quick_start: exit status 3"):
        assert re.search(rf"^bare_machine: {re.escape(line)} after \d+ s$", result.out, re.MULTILINE)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_bare_machine_is_kept(bare_machine, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o700)  # other users must enter the machine all the same
    result, (_, *entered) = bare_machine("--keep", kept, "--only", "test")
    assert result.status == 0, result.err
    assert entered == [f"{kept}: cd /gtrav && {command}" for command in ("./gtrav-setup test", "make test")]
    result, entered = bare_machine("--keep", kept, "--run", "make help")
    assert (result.status, entered) == (0, [f"{kept}: cd /gtrav && make help"])
    assert (kept / "gtrav" / "VERSION").read_text() == (ROOT / "VERSION").read_text()
    assert kept.stat().st_mode & 0o777 == 0o755


def test_bare_machine_carries_the_hosts_settings(bare_machine, tmp_path):
    certificates, home = tmp_path / "host-ca.pem", tmp_path / "home"
    certificates.write_text("CA")
    fake(home, "secret", "")
    kept = tmp_path / "kept"
    result, _ = bare_machine("--keep", kept, "--only", "setup", PIP_CERT=str(certificates), HOME=str(home))
    assert result.status == 0, result.err
    assert (kept / str(certificates).lstrip("/")).read_text() == "CA"
    assert list(kept.rglob("secret")) == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--only", "tests"), "not one of setup, quick_start, test"),
        (("--only",), "--only needs a value"),
        (("--fast", "1"), "--fast: no such option"),
        (("--keep", ROOT), "neither empty nor a machine"),
        (("--only", "setup"), "debootstrap failed"),
    ],
)
def test_bare_machine_complains(arguments, word, bare_machine, tmp_path):
    result, entered = bare_machine(*arguments, BROKEN="1")
    assert (result.status, [line for line in entered if "/gtrav" in line and "minbase" not in line]) == (
        2,
        [],
    )
    assert word in result.err.splitlines()[-1]
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_bare_machine_is_removed_when_interrupted(number, bare_machine, tmp_path):
    """The command interrupts the script that runs it, and would go on for ten minutes."""
    fake(
        tmp_path / "programs",
        "sleep",
        f'[ "$1" != 600 ] || {{ kill -{number.value} $PPID; exec "$SLEEP" 600; }}',
    )
    begin = time.monotonic()
    result, entered = bare_machine("--run", "forever", SLEEP=shutil.which("sleep"))
    assert time.monotonic() - begin < SECONDS / 2
    assert (result.status, len(entered)) == (128 + number.value, 2)
    assert list((tmp_path / "tmp").iterdir()) == []
