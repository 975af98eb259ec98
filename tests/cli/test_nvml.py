"""What NVML tells of a GPU: a library made for the test stands in for it, and the emulator for the GPU."""

import re

import pytest

from helpers import execute, gtrav_json, gtrav_ok, ok, rows_in

FOUND = """
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu) { *gpu = (void *)bus; return 0; }
"""
# Before the first search idle, then slowed down twice; its clocks fall, and its temperature rises and falls.
STATE = """
static unsigned calls;
int nvmlDeviceGetClockInfo(void *gpu, int clock, unsigned *mhz) { *mhz = 2000 - 10 * calls; return clock != 1; }
int nvmlDeviceGetTemperature(void *gpu, int sensor, unsigned *celsius)
{ *celsius = calls == 2 ? 70 : 40; return sensor; }
int REASONS(void *gpu, unsigned long long *reasons)
{ *reasons = (unsigned long long[]){3, 0x24, 0x20, 1}[calls++]; return 0; }
int nvmlDeviceGetUUID(void *gpu, char *text, unsigned size)
{ for (unsigned i = 0; i < size && (text[i] = "GPU-1a2b"[i]); i++); return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned size)
{ for (unsigned i = 0; i < size && (text[i] = "570.86.15"[i]); i++); return 0; }
"""
REASONS = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons")
RUN = "bfs kron:6 --variant slices --device cpu-emulator --sources 3 --verify none"


@pytest.fixture
def nvml(tmp_path, monkeypatch):
    """A function that makes gtrav use a library of this source as NVML."""

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
    assert "power-cap sw-thermal" in run["warnings"][0] and run["times_fastest"] is None
    state = [run["summary"][name] for name in ("sm_mhz_before", "sm_mhz_after", "clock_limits")]
    assert state == [2000, 1970, "power-cap sw-thermal"] and run["trials"][0]["sm_mhz"] == 1990


def test_an_nvml_that_tells_nothing_leaves_columns_empty(nvml, tmp_path):
    nvml(FOUND)
    assert "warning" not in gtrav_ok(f"{RUN} --csv", tmp_path).err
    (row,) = rows_in(tmp_path, "emulator/bfs_slices_perf.csv")
    unknown = ("sm_mhz_before", "sm_mhz_after", "temperature_c", "clock_limits", "machine", "driver")
    assert [row[name] for name in unknown] == [""] * 6
