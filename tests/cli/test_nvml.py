"""The state of a GPU from NVML. A library made for the test replaces NVML, and the emulator the GPU."""

import json
import re

import pytest

from helpers import complains, execute, gtrav, gtrav_json, gtrav_ok, ok, rows_in

FOUND = """
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu) { *gpu = (void *)bus; return 0; }
"""
# The GPU is idle before the first search, then throttled twice. Its clocks fall; its temperature rises and falls.
STATE = """
static unsigned calls;
int nvmlDeviceGetClockInfo(void *gpu, int clock, unsigned *mhz) { *mhz = 2000 - 10 * calls; return clock != 1; }
int nvmlDeviceGetTemperature(void *gpu, int sensor, unsigned *celsius)
{ *celsius = calls == 2 ? 70 : 40; return sensor; }
int REASONS(void *gpu, unsigned long long *reasons)
{ *reasons = (unsigned long long[]){3, 0x24, 0x20, 1}[calls++ % 4]; return 0; }
int nvmlDeviceGetUUID(void *gpu, char *text, unsigned size)
{ for (unsigned i = 0; i < size && (text[i] = "GPU-1a2b"[i]); i++); return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned size)
{ for (unsigned i = 0; i < size && (text[i] = "570.86.15"[i]); i++); return 0; }
"""
# mJ at the check, before and after the idle second, and after the searches.
METER = """
int nvmlDeviceGetTotalEnergyConsumption(void *gpu, unsigned long long *millijoules)
{ static unsigned reads; *millijoules = (unsigned long long[]){5000, 5000, IDLE, 89000}[reads++]; return 0; }
"""
REASONS = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons")
RUN = "bfs kron:6 --variant slices --device cpu-emulator --sources 3 --verify none"


@pytest.fixture
def nvml(tmp_path, monkeypatch):
    """Returns a function that makes gtrav use a library of this source as NVML."""

    def use(source, *flags):
        (tmp_path / "nvml.c").write_text(source)
        ok(execute(["cc", "-shared", "-fPIC", *flags, "nvml.c", "-o", "nvml.so"], cwd=tmp_path))
        monkeypatch.setenv("GTRAV_NVML", str(tmp_path / "nvml.so"))

    return use


@pytest.mark.parametrize("reasons", REASONS)
def test_the_state_of_a_gpu_is_recorded_and_a_slowed_one_marked(reasons, nvml, tmp_path):
    nvml(FOUND + STATE, f"-DREASONS={reasons}")
    said = gtrav_ok(f"{RUN} --csv", tmp_path)
    assert "warning: bfs slices on kron:6: the GPU lowered its clocks (power-cap sw-thermal);" in said.err
    assert re.search(r"vs fastest.*\n.*\n.* throttled ", said.out)
    (row,) = rows_in(tmp_path, "emulator/bfs_slices_perf.csv")
    assert (row["sm_mhz_before"], row["sm_mhz_after"], row["temperature_c"]) == ("2000", "1970", "70")
    assert row["clock_limits"] == "power-cap sw-thermal"
    trials = rows_in(tmp_path, "emulator/trials/bfs_slices_kron:6.csv")
    assert [trial["sm_mhz"] for trial in trials] == ["1990", "1980", "1970"]
    assert {(line["machine"], line["driver"]) for line in (row, *trials)} == {("GPU-1a2b", "570.86.15")}
    assert " throttled " in gtrav_ok(f"{RUN} --csv", tmp_path).out, "reused from the record"


def test_json_has_the_state_too(nvml):
    nvml(FOUND + STATE, f"-DREASONS={REASONS[0]}")
    run = gtrav_json(RUN)
    assert "power-cap" in run["warnings"][0] and run["times_fastest"] is None
    state = [run["summary"][name] for name in ("sm_mhz_before", "sm_mhz_after", "clock_limits")]
    assert state == [2000, 1970, "power-cap sw-thermal"] and run["trials"][0]["sm_mhz"] == 1990


def test_the_state_of_a_trial_is_that_after_its_last_repeat(nvml):
    nvml(FOUND + STATE, f"-DREASONS={REASONS[0]}")
    trials = gtrav_json(f"{RUN} --repeats 2")["trials"]
    assert [trial["sm_mhz"] for trial in trials] == [1980, 1960, 1940]


@pytest.mark.parametrize("asked", ["closeness kron:6 --variant bitparallel", "msbfs kron:6 --variant perblock --pairs"])
def test_closeness_and_pairs_have_the_state_too(asked, nvml, tmp_path):
    nvml(FOUND + STATE, f"-DREASONS={REASONS[0]}")
    (tmp_path / "pairs.csv").write_text("1,2\n3,4\n")
    pairs = [tmp_path / "pairs.csv"] if "pairs" in asked else []
    said = gtrav_ok(asked, *pairs, *f"--device cpu-emulator --json --csv {tmp_path}".split())
    (run,) = json.loads(said.out)
    assert "power-cap" in run["warnings"][0] and "the GPU lowered its clocks (power-cap sw-thermal)" in said.err
    (row,) = rows_in(tmp_path, "emulator/*_p*.csv")
    assert (row["clock_limits"], row["machine"]) == ("power-cap sw-thermal", "GPU-1a2b")
    assert int(row["sm_mhz_after"]) < int(row["sm_mhz_before"]) == 2000


def test_an_nvml_that_tells_nothing_leaves_columns_empty(nvml, tmp_path):
    nvml(FOUND)
    assert "warning" not in gtrav_ok(f"{RUN} --csv", tmp_path).err
    (row,) = rows_in(tmp_path, "emulator/bfs_slices_perf.csv")
    unknown = ("sm_mhz_before", "sm_mhz_after", "temperature_c", "clock_limits", "machine", "driver")
    assert [row[name] for name in unknown] == [""] * 6


def test_energy_is_that_of_the_repeated_searches(nvml, tmp_path):
    """gtrav measures the energy of recorded trials once, and their times not again."""
    nvml(FOUND + STATE + METER, "-DIDLE=25000", f"-DREASONS={REASONS[0]}")
    gtrav_ok(f"{RUN} --csv", tmp_path)
    said = gtrav_ok(f"{RUN} --csv {tmp_path} --energy").err
    assert "3 trials reused" in said and re.search(
        r"J a search, .* MTEPS/W \(GPU alone\), from .*; idle \d+\.\d W", said
    )
    _, row = rows_in(tmp_path, "emulator/bfs_slices_perf.csv")
    assert (row["sm_mhz_after"], row["clock_limits"]) == ("1970", "power-cap sw-thermal")
    facts = json.loads(row["facts"])
    trials = rows_in(tmp_path, "emulator/trials/bfs_slices_kron:6.csv")
    searches, edges = facts["energy_searches"], sum(int(trial["trial_edges"]) for trial in trials)
    assert searches % 3 == 0 and facts["energy_seconds"] >= 5 and 5 < facts["idle_watts"] <= 20
    assert facts["joules_per_search"] * searches == pytest.approx(64)
    assert facts["mteps_per_watt"] == pytest.approx(edges / 3 * searches / 64 / 1e6)
    assert "J a search" not in gtrav_ok(f"{RUN} --csv {tmp_path} --energy").err


def test_energy_that_nothing_measures_is_refused(nvml):
    complains(gtrav("bfs path:3 --variant serial --energy"), "--energy: bfs serial runs on a device without", status=3)
    complains(gtrav("closeness path:3 --energy"), "--energy: closeness, graph500 and --pairs have no trials")
    complains(gtrav(f"{RUN} --energy --cold"), "leave out --cold")
    nvml(FOUND)
    complains(gtrav(f"{RUN} --energy"), "--energy: bfs slices runs on a device without", status=3)
    nvml(FOUND + METER, "-DIDLE=5000")
    complains(gtrav(f"{RUN} --energy --quiet"), "its energy meter has stopped", status=3)
