"""The memory of checks in native code: at most twice the arrays that are written, in parts of the
array where granules are small."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.device import KernelArg
from polycl.backends.interp.checks import CheckError
from test_compiled_checks import launched

ITEMS = 1 << 17

SCATTERED = """
kernel void scatter(global T *y, global const T *x, global const int *to) {
  int i = get_global_id(0);
  y[to[i]] = y[to[i]] + x[i];
}
"""


def bound(type: str, to: np.ndarray, threads: int) -> tuple[polycl.BoundKernel, np.ndarray]:
    y = np.ones(ITEMS, type)
    x = np.arange(ITEMS).astype(type)
    names = {"u1": "uchar", "u2": "ushort", "u4": "uint", "u8": "ulong"}
    kernel = polycl.load(SCATTERED, [f"-DT={names[type]}"]).kernel("scatter")
    device = polycl.device("cpu", check=True, threads=threads)
    return kernel.bind(y, x, to, global_size=ITEMS, local_size=64, device=device), y


def shadow_bytes(bound: polycl.BoundKernel, monkeypatch: pytest.MonkeyPatch) -> int:
    """The bytes of the arrays that a launch gets in addition, but for a number of each group."""
    executable = bound.compiled
    assert isinstance(executable, CheckedExecutable)
    (code,) = executable._codes.values()  # pyright: ignore[reportPrivateUsage]
    given: list[KernelArg] = []
    prepare = code.native.prepare

    def keep(args: Sequence[KernelArg], ndrange: polycl.backends.device.NDRange):
        given[:] = args
        return prepare(args, ndrange)

    monkeypatch.setattr(code.native, "prepare", keep)
    executable.prepare(bound.args, bound.ndrange)
    added = given[len(bound.args) :]
    groups = ITEMS // 64
    return sum(a.nbytes for a in added if isinstance(a, np.ndarray) and a.size != groups + 1)


@pytest.mark.parametrize("type", ["u1", "u2", "u4", "u8"])
def test_at_most_twice_what_is_written(type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    launch, y = bound(type, np.random.default_rng(1).permutation(ITEMS).astype(np.int32), 1)
    assert 0 < shadow_bytes(launch, monkeypatch) <= 2 * y.nbytes


@pytest.mark.parametrize("type", ["u1", "u2", "u4"])
@pytest.mark.parametrize("threads", [1, 4])
def test_results_are_those_of_one_launch(type: str, threads: int) -> None:
    to = np.random.default_rng(1).permutation(ITEMS).astype(np.int32)
    launch, y = bound(type, to, threads)
    for times in (1, 2):
        executable = launched(launch)
        assert isinstance(executable, CheckedExecutable)
        assert (executable.why, executable.suspects, executable.findings) == ("", 0, ())
        expected = np.ones(ITEMS, type)
        expected[to] += (times * np.arange(ITEMS)).astype(type)
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("type", ["u1", "u2", "u4"])
@pytest.mark.parametrize("place", [0, ITEMS // 4, ITEMS // 2 - 1, ITEMS - 1])
def test_a_race_in_each_part_is_found(type: str, place: int) -> None:
    to = np.arange(ITEMS, dtype=np.int32)
    to[place - 200] = to[place]
    launch, _ = bound(type, to, 1)
    with pytest.raises(CheckError, match=f"element {place}"):
        launch.launch()
