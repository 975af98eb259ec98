"""Every command under `ulimit -s 64`: the program gives itself and its threads the stacks that they need."""

import re
import resource
import subprocess

import pytest

from helpers import GTRAV, gtrav_json, gtrav_ok

STACK = 64 << 10  # bytes
NUMBERS = {"SCALE": "10", "WxH": "9x7", "X": "6", "N": "30", "P": "0.2"}  # "[...]" is left out
SPECS = re.findall(r"^  ([a-z0-9]+:\S+)", gtrav_ok("--help generators").out, re.MULTILINE)
ORDERS = re.findall(r"^  ([a-z]+)", gtrav_ok("--help orders").out, re.MULTILINE)
LISTED = gtrav_json("--list")
RUNS = {(one["family"], one["device"]) for one in LISTED if one["available"]}
RUNS |= {(one["family"], "cpu-emulator") for one in LISTED if one["emulated"]}


def on_small_stack(command, *arguments):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))

    run = subprocess.run([GTRAV, *command.split(), *arguments], capture_output=True, preexec_fn=limit, check=False)
    assert run.returncode == 0, (command, run.returncode, run.stderr.decode())
    return run.stdout.decode()


@pytest.mark.parametrize("spec", SPECS)
def test_generators(spec):
    name, *parts = re.sub(r"\[.*?\]", "", spec).split(":")
    graph = "snb:1" if name == "snb" else ":".join([name, *(NUMBERS[part] for part in parts)])
    on_small_stack(f"{graph} --info")


@pytest.mark.parametrize("order", ORDERS)
def test_orders_and_files(order, tmp_path):
    for name in ("order.gtrav", "order.mtx"):
        on_small_stack(f"kron:10 --reorder {order} --write", tmp_path / name)
        on_small_stack("--info", tmp_path / name)


@pytest.mark.parametrize(("family", "device"), sorted(RUNS))
def test_algorithms(family, device, tmp_path):
    graph = "dag:60:0.1" if family == "topo" else "kron:6"
    run = f"{family} {graph} --variant all --device {device} --sources 2 --verify all --csv"
    on_small_stack(run, tmp_path)
    on_small_stack(run, tmp_path)  # reads the records


@pytest.mark.parametrize(
    "task", ["closeness kron:10", "msbfs kron:10 --pairs pairs", "graph500 graph500:10", "--list", "--help all"]
)
def test_tasks(task, tmp_path):
    pairs = tmp_path / "pairs"
    pairs.write_text("0,1\n2,3\n")
    on_small_stack(task.replace("pairs pairs", f"pairs {pairs}"))
