"""The statistics of src/compare/interval.c, against SciPy and against their definitions."""

import ctypes
import math

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from helpers import ROOT, execute, ok

SOURCES = ("compare/interval.c", "records/summary.c", "error.c", "cores.c", "graph/hash.c")


class Shift(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("estimate", "low", "high", "p")]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "interval.so"
    flags = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", "-fopenmp"]
    ok(execute(["cc", *flags, *(ROOT / "src" / name for name in SOURCES), "-lm", "-o", path]))
    return ctypes.CDLL(str(path))


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


def shift_of(library, a, b, confidence=0.95):
    found, error = Shift(), ctypes.create_string_buffer(2048)  # larger than struct error
    sides = (doubles(a), len(a), doubles(b), len(b))
    assert library.shift_of(*sides, ctypes.c_double(confidence), ctypes.byref(found), error) == 0
    return found


def p_of(a, b):
    return mannwhitneyu(a, b, method="exact").pvalue


def inverted(a, b, alpha=0.05):
    """The interval has all shifts that the test does not reject. Whether it rejects changes only at differences."""
    ends = np.unique(np.subtract.outer(b, a))
    between = [ends[0] - 1, *(ends[1:] + ends[:-1]) / 2, ends[-1] + 1]
    kept = [i for i, shift in enumerate(between) if p_of(a, b - shift) > alpha]
    return [-math.inf, *ends][kept[0]], [*ends, math.inf][kept[-1]]


@pytest.mark.parametrize("digits", [1, 15], ids=["ties", "no ties"])
def test_estimate_and_p(library, digits):
    random = np.random.default_rng(digits)
    for _ in range(200):
        a, b = (random.normal(middle, 1, random.integers(4, 41)).round(digits) for middle in (0, random.normal()))
        found = shift_of(library, a, b)
        assert found.estimate == np.median(np.subtract.outer(b, a))
        assert found.p == pytest.approx(p_of(a, b), rel=1e-9)


@pytest.mark.parametrize("digits", [0, 15], ids=["ties", "no ties"])
def test_interval_is_the_inverted_test(library, digits):
    random = np.random.default_rng(digits)
    for _ in range(40):
        a, b = (3 * random.normal(size=random.integers(2, 9)).round(digits) for _ in "ab")
        found = shift_of(library, a, b)
        assert (found.low, found.high) == inverted(a, b)


@pytest.mark.parametrize("sizes", [(4, 4), (12, 9), (30, 40)])
def test_coverage(library, sizes):
    random = np.random.default_rng(1)
    draws = [[random.exponential(size=size) for size in sizes] for _ in range(2000)]
    found = [shift_of(library, a, 0.5 + b) for a, b in draws]
    assert np.mean([one.low <= 0.5 <= one.high for one in found]) >= 0.945


def test_holm(library):
    random = np.random.default_rng(1)
    for _ in range(200):
        p = random.random(random.integers(1, 20)).round(2) ** 2  # some are equal
        order = np.argsort(p)
        expected = np.empty(len(p))
        expected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1)
        found = doubles(p)
        library.holm_adjust(found, len(p))
        assert list(found) == pytest.approx(expected)
