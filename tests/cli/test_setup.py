"""Set-up: what scripts/setup.sh reports, scripts that find .venv, and scripts/bare_machine.sh."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from helpers import ROOT, SECONDS, execute, ok, refused, write_program

PROGRAMS = [path for folder in ("scripts", "plot") for path in sorted((ROOT / folder).glob("*.*"))]
SCRIPTS = [path for path in PROGRAMS if path.read_bytes().startswith(b"#!")]


def fake(folder, name, body):
    """Puts a program that runs this text of sh into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_program(folder / name, f"#!/bin/sh\n{body}\n")


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
    result = ok(execute([path, "--help"], env=bare_python, cwd=tmp_path))
    assert "usage" in result.out.lower()


def test_every_program_is_executable():
    pattern = re.compile(r"__main__|evaluation\.command import run")
    programs = [path for path in PROGRAMS if path.suffix == ".py" and pattern.search(path.read_text())]
    assert len(programs) > 10
    assert [path for path in programs if path not in SCRIPTS or not os.access(path, os.X_OK)] == []


@pytest.mark.parametrize("name", ["scripts/report.py", "plot/draw.py"])
def test_scripts_without_packages_say_what_to_do(name, bare_python, tmp_path):
    """Without .venv, and with one that lacks packages, which is tried once."""
    for folder in ("scripts", "plot"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for _ in range(2):
        result = execute([tmp_path / name, "--help"], env=bare_python)
        assert (result.status, len(result.err.splitlines()), result.out) == (2, 1, "")
        assert "numpy" in result.err and "run ./gtrav-setup" in result.err
        fake(tmp_path / ".venv" / "bin", "python", 'exec python3 "$@"')


# ---- set-up ----

AS_ROOT = "echo 0"
OPTIONAL = {"test": "requirements-python.txt"}  # by part of set-up
TLS = "certificate verify failed: unable to get local issuer certificate"


@pytest.fixture
def set_up(tmp_path):
    """Runs ./gtrav-setup of a copy without .venv, with fake programs (name: text of sh) on PATH."""
    copy, folder = tmp_path / "tree", tmp_path / "programs"
    (copy / "scripts").mkdir(parents=True)
    for name in ("gtrav-setup", "scripts/setup.sh", "requirements.txt", *OPTIONAL.values()):
        shutil.copy(ROOT / name, copy / name)

    def run(part, **programs):
        for name, body in {"id": AS_ROOT, "dpkg": ":", **programs}.items():
            fake(folder, name.replace("_", "-"), body)
        return execute([copy / "gtrav-setup", part], cwd=tmp_path, env=before_path(folder))

    return run


def test_setup_takes_only_what_it_knows(set_up):
    refused(set_up("everything"), "usage")


def test_setup_installs_what_is_missing(set_up, tmp_path):
    """Fakes stand for a machine without make, and for apt-get, which installs it."""
    install = f'[ "$1" = update ] || {{ echo "$@" >asked; rm {tmp_path}/programs/make; }}'
    result = ok(set_up("build", make="exit 127", apt_get=install))
    assert re.fullmatch(r"setup: installing make \.\.\. \d+ s\nsetup: done in \d+ s\n", result.err)
    assert (tmp_path / "tree" / "asked").read_text() == "install -y --no-install-recommends make\n"
    assert set_up("build").err == ""


def test_setup_goes_on_after_an_interrupted_dpkg(set_up, tmp_path):
    """apt-get installs nothing until dpkg has configured what it has unpacked."""
    dpkg = f'[ "$*" = "--configure -a" ] && : >{tmp_path}/configured'
    interrupted = f"""[ -e {tmp_path}/configured ] || {{ echo 'E: dpkg was interrupted' >&2; exit 100; }}
[ "$1" = update ] || rm {tmp_path}/programs/make"""
    result = ok(set_up("build", make="exit 127", apt_get=interrupted, dpkg=dpkg))
    assert re.fullmatch(r"setup: installing make \.\.\. \d+ s\nsetup: done in \d+ s\n", result.err)


def test_setup_ends_after_apt_get_when_it_is_terminated(set_up, tmp_path):
    apt = f'[ "$1" = update ] || {{ kill -TERM $PPID; sleep 1; : >{tmp_path}/ended; }}'
    result = set_up("build", make="exit 127", apt_get=apt)
    assert (result.status, (tmp_path / "ended").exists()) == (143, True), result.err


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


def test_a_package_that_apt_lacks_keeps_no_other_out(set_up, tmp_path):
    apt = f"""case "$*" in
*mesa*) echo 'E: Unable to locate package mesa-vulkan-drivers' >&2; exit 100 ;;
*make*) rm {tmp_path}/programs/make ;;
esac"""
    result = ok(set_up("test", make="exit 127", ldconfig=":", apt_get=apt, python3=VENV_ONLY, pip=":"))
    assert "setup:   E: Unable to locate package mesa-vulkan-drivers\n" in result.err
    assert "setup: missing (optional): Vulkan driver" in result.err


# What fails to install: apt-get, which may warn at first and succeed, or pip, to which a failure of TLS
# appears as a package that does not exist, but for its warnings. And the lines that set-up shows then.
APT_LOCKED = "echo 'E: Could not get lock' >&2; exit 100"
APT_OFFLINE = f"""[ "$1" = update ] && echo 'W: Failed to fetch InRelease  {TLS}' >&2 && exit
echo "Reading package lists..."
echo "E: Unable to locate package make" >&2
exit 100"""
NO_MAKE = r"missing \(required\): GNU make; install make \(Debian's names\)"
FAILURES = {
    "locked": ("build", {"apt_get": APT_LOCKED}, ["installing make", "  E: Could not get lock", NO_MAKE]),
    "offline": (
        "build",
        {"apt_get": APT_OFFLINE},
        ["installing make", f"  W: Failed .*{TLS}", "  E: Unable to locate package make", NO_MAKE],
    ),
    "pip": (
        "python",
        {"python3": VENV_ONLY, "pip": NO_INDEX},
        [r"making \.venv", f"  WARNING.*{TLS}", "  ERROR: No matching", "pip cannot install the packages"],
    ),
}


@pytest.mark.parametrize(("part", "programs", "lines"), FAILURES.values(), ids=FAILURES)
def test_setup_shows_why_it_failed(part, programs, lines, set_up, tmp_path):
    result = set_up(part, make="exit 127", **programs)
    shown = result.err.splitlines()
    assert result.status == 1 and re.search(r" \.\.\. failed after \d+ s$", shown[0])
    assert len(shown) == len(lines) and all(map(re.match, [f"setup: {line}" for line in lines], shown)), shown
    assert not (tmp_path / "tree" / ".venv" / "requirements.txt").exists()


def test_setup_takes_a_python_that_has_the_packages(set_up, tmp_path):
    """Its name does not matter: where pip fails, .venv/bin/python calls it."""
    has_them = f'case "$*" in *matplotlib*) exit 0 ;; "-c "*) exit 0 ;; esac\n{VENV_ONLY}'
    result = ok(set_up("python", python3=has_them, pip=NO_INDEX))
    assert f"using {tmp_path}/programs/python3 with its own packages instead" in result.err
    python = (tmp_path / "tree" / ".venv" / "bin" / "python").read_text()
    assert f'exec "{tmp_path}/programs/python3"' in python


def test_setup_makes_venv_once(set_up, tmp_path):
    result = ok(set_up("python", python3=VENV_ONLY, pip='echo "$@" >>asked'))
    assert re.match(r"setup: making \.venv from requirements\.txt \.\.\. \d+ s\n", result.err)
    assert "-r requirements.txt" in (tmp_path / "tree" / "asked").read_text()
    assert set_up("python").err == ""


@pytest.mark.parametrize("part", OPTIONAL)
def test_setup_goes_on_without_what_is_optional(part, set_up):
    of_venv = 'case "$*" in *requirements-*) ;; *) : >.venv/bin/pip; chmod +x .venv/bin/pip; exit ;; esac'
    result = ok(set_up(part, python3=VENV_ONLY, pip=f"{of_venv}\n{NO_INDEX}", apt_get="exit 1"))
    added = re.escape(OPTIONAL[part])
    assert re.search(rf"adding {added} to \.venv \.\.\. failed after \d+ s\n", result.err)
    assert TLS in result.err
    assert f"going on without the libraries of {OPTIONAL[part]}" in result.err


# ---- the CUDA compiler ----


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "arch", "words"),
    [
        ("12.8", "80", []),
        ("13.0", "90a", []),
        ("100.1", "120", []),
        ("12.7", "90", ["CUDA 12.7", "needs 12.8 or newer"]),
        ("9.2", "90", ["CUDA 9.2", "needs 12.8 or newer"]),
        ("none", "90", ["names no CUDA release"]),
        ("12.8", "75", ["CUDA_ARCH=75", "compute capability 8.0"]),
        ("12.8", "80 75", ["CUDA_ARCH=80 75", "compute capability 8.0"]),
        ("12.8", "hopper", ["CUDA_ARCH=hopper", "compute capability 8.0"]),
    ],
)
def test_make_refuses_old_cuda(release, arch, words, tmp_path):
    nvcc = fake(tmp_path, "nvcc", f"echo 'Cuda compilation tools, release {release}, V{release}.61'")
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    result = execute(["make", f"NVCC={nvcc}", f"CUDA_ARCH={arch}", "help"], cwd=ROOT, env=alone)
    if words:
        assert (result.status, len(result.err.splitlines()), result.out) == (2, 1, "")
        assert all(word in result.err for word in [*words, "NVCC="])
    else:
        assert result.status == 0, result.err


def test_plain_make_builds_the_program(tmp_path):
    """Whatever optional parts are found: each has rules of its own in the Makefile."""
    parts = ["BOOST=1", "CMOCKA=1", "MPI=1", "NVCC=", "WEBGPU=anywhere"]
    for asked in (parts, [f"{part.partition('=')[0]}=" for part in parts]):
        planned = execute(["make", "-n", f"BUILD={tmp_path}", *asked], cwd=ROOT)
        assert (planned.status, f" -o {tmp_path}/gtrav " in planned.out) == (0, True), asked


def test_a_dry_run_of_make_plans_what_make_would_do(tmp_path):
    """Nothing after make; and it changes nothing, whatever flags it is given."""
    files = [f"{tmp_path}/{name}" for name in ("flags", "parts_found", "version")]

    def make(*words):
        return ok(execute(["make", "NVCC=", f"BUILD={tmp_path}", *words, *files], cwd=ROOT)).out

    make("OPTIMIZE=-O2")
    for words, planned in (("-O2", 0), ("-O1", 1), ("-O2", 0)):
        assert make("--dry-run", f"OPTIMIZE={words}").count(" > ") == planned


# ---- scripts/bare_machine.sh, on fakes of what only root can do ----

BARE_FAKES = {
    "id": AS_ROOT,
    "debootstrap": 'echo "$@" >>"$FAKE_LOG"; mkdir -p "$3/etc/apt/apt.conf.d"; exit ${BROKEN:-0}',
    "unshare": 'while :; do case $1 in --*) shift ;; *) break ;; esac; done; exec "$@"',
    "mount": ":",
    "chroot": 'root=$1; test -x "$root/gtrav/gtrav-setup" || exit 99\n'
    'for last; do :; done; echo "$last" >>"$FAKE_LOG"\n'
    "case $last in *quick_start) exit 3 ;; *forever) exec sleep 600 ;; esac",
}


def heed_interrupts():
    """Background jobs of a shell ignore SIGINT, and so do their children, unless they are told otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def bare_machine(tmp_path):
    """Runs scripts/bare_machine.sh on fakes; the result, and what debootstrap and chroot were asked for.

    It must leave nothing in the folder for temporary files."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git clone here, which bare_machine.sh would clone")
    for name, body in BARE_FAKES.items():
        fake(tmp_path / "programs", name, body)
    temporary, log = tmp_path / "tmp", tmp_path / "log"
    temporary.mkdir()

    def run(*arguments, **variables):
        log.write_text("")
        known = {"FAKE_LOG": str(log), "TMPDIR": str(temporary), **variables}
        command = [ROOT / "scripts" / "bare_machine.sh", *arguments]
        environment = before_path(tmp_path / "programs", **known)
        result = execute(command, env=environment, cwd=tmp_path, preexec_fn=heed_interrupts)
        assert list(temporary.iterdir()) == []
        return result, log.read_text().splitlines()

    return run


def test_bare_machine_runs_the_commands_of_the_readme(bare_machine, tmp_path):
    result, (made, *entered) = bare_machine("--suite", "trixie", "--mirror", "http://mirror/debian")
    machine = str(tmp_path / "tmp" / "gtrav-bare.")
    assert re.fullmatch(f"--variant=minbase trixie {machine}\\w+ http://mirror/debian", made)
    readme = (ROOT / "README.md").read_text().partition("## Two commands\n\n```\n")[2].splitlines()
    commands = [line.partition(" # ")[0].rstrip() for line in readme[:2]]
    assert entered == [f"cd /gtrav && {command}" for command in commands]
    assert result.status == 1, result.err
    for line in ("scripts/run_all.sh quick_start: exit status 3", "make test: exit status 0"):
        assert re.search(rf"^bare_machine: {re.escape(line)} after \d+ s$", result.out, re.MULTILINE)


def test_bare_machine_is_kept_with_the_hosts_settings(bare_machine, tmp_path):
    kept, certificates, home = tmp_path / "kept", tmp_path / "host-ca.pem", tmp_path / "home"
    kept.mkdir(mode=0o700)  # other users must enter the machine all the same
    certificates.write_text("CA")
    fake(home, "secret", "")
    words = ("--keep", kept, "--run", "./gtrav-setup test", "--run", "make test")
    result, (_, *entered) = bare_machine(*words, PIP_CERT=str(certificates), HOME=str(home))
    assert result.status == 0, result.err
    assert entered == [f"cd /gtrav && {command}" for command in ("./gtrav-setup test", "make test")]
    assert (kept / str(certificates).lstrip("/")).read_text() == "CA"
    assert list(kept.rglob("secret")) == []
    result, entered = bare_machine("--keep", kept, "--run", "make help")
    assert (result.status, entered) == (0, ["cd /gtrav && make help"])
    assert (kept / "gtrav" / "VERSION").read_text() == (ROOT / "VERSION").read_text()
    assert (kept / "gtrav" / ".git").is_dir()
    assert kept.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--run",), "--run needs a value"),
        (("--fast", "1"), "--fast: no such option"),
        (("--keep", ROOT), "neither empty nor a machine"),
        (("--run", "./gtrav-setup"), "debootstrap failed"),
    ],
)
def test_bare_machine_complains(arguments, word, bare_machine):
    result, entered = bare_machine(*arguments, BROKEN="1")
    assert (result.status, [line for line in entered if line.startswith("cd ")]) == (2, [])
    assert word in result.err.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_bare_machine_is_removed_when_interrupted(number, bare_machine, tmp_path):
    """The command interrupts the script that runs it, and would go on for ten minutes."""
    stop = f'[ "$1" != 600 ] || {{ kill -{number.value} $PPID; exec "$SLEEP" 600; }}'
    fake(tmp_path / "programs", "sleep", stop)
    begin = time.monotonic()
    result, entered = bare_machine("--run", "forever", SLEEP=shutil.which("sleep"))
    assert time.monotonic() - begin < SECONDS / 2
    assert (result.status, len(entered)) == (128 + number.value, 2)
