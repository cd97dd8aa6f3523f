"""Checks in compiled code find what the interpreter's checks find.

`pytest -m slow tests/test_compiled_checks.py` compares 2,000 random kernels.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from fuzz.defects import DefectLaunch, defects
from launches import Launch, sampled
from polycl.backends.cpu import checked
from polycl.backends.cpu.checked import CheckedDevice, CheckedExecutable
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import NDRange
from polycl.backends.interp.checks import CheckError
from polycl.backends.interp.device import InterpExecutable
from polycl.lowering.ocl.ocl_insert_checks.proofs import Proof, prove
from polycl.runtime.kernel import BoundKernel
from test_oracle import BUGS, TWINS, _found, expected

# A kernel with the same checks is compiled once: its code is the same for all threads.
pytestmark = pytest.mark.usefixtures("kept_code")

THREADS = (1, 4)
FEW, MANY, PART = 6, 2000, 50

Checked = InterpExecutable | CheckedExecutable


class Unproved(CheckedDevice):
    """Each launch is one that may not come again, as those of the OpenCL platform."""

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> CheckedExecutable:
        executable = super().compile(module, kernel, ndrange, pipeline)
        executable.prepare = lambda args, ndrange: partial(executable.run, args, ndrange)
        return executable


UNPROVED = Unproved(CpuDevice(threads=4))


def launched(bound: BoundKernel) -> Checked:
    """What ran the launch."""
    executable = bound.compiled
    assert isinstance(executable, Checked)
    try:
        bound.launch()
    except CheckError:
        pass
    return executable


def run(launch: DefectLaunch, *devices: polycl.Device) -> list[Checked]:
    """What ran the launch on each device."""
    kernel = polycl.load(launch.text, ["-cl-std=CL3.0"]).kernel("k")
    sizes: dict[str, Any] = {
        "global_size": launch.global_size,
        "local_size": launch.local_size,
        "global_offset": launch.global_offset,
    }
    return [launched(kernel.bind(*launch.arguments(), **sizes, device=d)) for d in devices]


def findings(executable: Checked) -> list[tuple[str, str, tuple[int, ...]]]:
    """Kinds, severities and lines, in any order."""
    return sorted(
        (f.kind, f.severity, tuple(sorted({line for _, line, _ in f.locations})))
        for f in executable.findings
    )


def check(launch: Launch, threads: int) -> CheckedExecutable:
    executable = launched(launch.bound(polycl.device("cpu", check=True, threads=threads)))
    assert isinstance(executable, CheckedExecutable)
    return executable


@pytest.mark.parametrize("launch", BUGS, ids=lambda launch: launch.path.stem)
def test_planted_bug_is_found(launch: Launch):
    for threads in THREADS:
        found = sorted(map(_found, check(launch, threads).findings))
        assert found == expected(launch), f"{threads} threads"


@pytest.mark.parametrize("launch", TWINS, ids=lambda launch: launch.path.stem)
def test_twin_is_clean(launch: Launch):
    for threads in THREADS:
        assert not check(launch, threads).findings, f"{threads} threads"


@pytest.mark.parametrize("launch", sampled(BUGS, 4))
def test_planted_bug_is_found_without_proofs(launch: Launch):
    executable = launched(launch.bound(UNPROVED))
    assert sorted(map(_found, executable.findings)) == expected(launch)


@pytest.mark.parametrize("launch", sampled(TWINS, 4, 2))
def test_twin_is_clean_without_proofs(launch: Launch):
    assert not launched(launch.bound(UNPROVED)).findings


def agree(launch: DefectLaunch) -> None:
    devices = (*(polycl.device("cpu", check=True, threads=n) for n in THREADS), UNPROVED)
    judge, *others = run(launch, polycl.device("interp", check=True), *devices)
    for device, other in zip(devices, others, strict=True):
        assert findings(other) == findings(judge), f"{device}: {launch}\n{launch.text}"


TRIPLE = """kernel void triple(global int *x, int n) {
  int i = get_global_id(0);
  if (i < n) x[i] *= 3;
}
"""


class Triple:
    """A kernel with checks on 8 numbers, launched with an end that may be too large."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.proofs = 0
        monkeypatch.setattr(checked, "prove", self._prove)
        self._kernel = polycl.load(TRIPLE).kernel("triple")
        self.executable = launched(self._bound(1))

    def _prove(self, *args: Any) -> Proof:
        self.proofs += 1
        return prove(*args)

    def _bound(self, end: int) -> BoundKernel:
        x = np.ones(8, np.int32)
        return self._kernel.bind(x, end, global_size=16, local_size=4, device=UNPROVED)

    def run(self, end: int) -> list[int]:
        bound = self._bound(end)
        launched(bound)
        (x, _) = bound.args
        assert isinstance(x, np.ndarray)
        return x.tolist()


def test_small_launches_are_proved_when_they_are_many(monkeypatch: pytest.MonkeyPatch):
    triple = Triple(monkeypatch)
    for end in range(9):
        assert triple.run(end) == [3] * end + [1] * (8 - end)
    assert not triple.proofs
    for _ in range(400):
        triple.run(5)
    assert triple.proofs == 1
    assert not triple.executable.findings


def test_what_is_suspected_without_a_proof_is_proved(monkeypatch: pytest.MonkeyPatch):
    triple = Triple(monkeypatch)
    for count, end in enumerate(range(9, 16), 1):
        assert triple.run(end) == [3] * 8
        assert findings(triple.executable) == [("bounds", "error", (3,))]
        assert triple.proofs == count
    assert isinstance(triple.executable, CheckedExecutable)
    assert 0 < triple.executable.suspected < 7


def test_launches_with_known_errors_are_judged_less_often(monkeypatch: pytest.MonkeyPatch):
    triple = Triple(monkeypatch)
    judged: list[int] = []
    for number in range(1, 101):
        assert triple.run(9 + number % 7) == [3] * 8
        if triple.executable.findings:
            judged.append(number)
    assert judged == [*range(1, 10), 17, 33, 65]


ADD = """kernel void add(global const int *where, global int *x, int rows, int columns) {
  int place = where[get_global_id(0)];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      x[place] += x[i] * j;
}
"""


@pytest.mark.parametrize("rows", [0, 1, 2])
@pytest.mark.parametrize("outside", [(), (0,), (3, 4, 9), tuple(range(16))])
@pytest.mark.parametrize(
    "device", [UNPROVED, *(CheckedDevice(CpuDevice(threads=n)) for n in THREADS)]
)
def test_places_that_are_checked_before_loops(
    device: CheckedDevice, outside: tuple[int, ...], rows: int
):
    where = np.random.default_rng(rows).permutation(16).astype(np.int32) + 4
    x = np.arange(20, dtype=np.int32)
    expected = x.copy()
    inside = np.delete(where, outside)
    expected[inside] += sum(3 * i for i in range(rows))
    where[list(outside)] += 100
    bound = (
        polycl.load(ADD)
        .kernel("add")
        .bind(where, x, rows, 3, global_size=16, local_size=4, device=device)
    )
    executable = launched(bound)
    kinds = {(kind, lines) for kind, _, lines in findings(executable)}
    assert kinds == ({("bounds", (5,))} if outside and rows else set())
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("seed", range(FEW))
def test_random_kernels_have_the_same_findings(seed: int):
    agree(defects(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, PART))
def test_many_random_kernels_have_the_same_findings(first: int):
    for seed in range(first, first + PART):
        agree(defects(seed))


OVERLOOKED = {
    # Of the work-items 7 and 8, the local ids 7 and 0 are not next to each other.
    "far_local_ids": DefectLaunch(
        "kernel void k(global int *a, global int *b, int n, int m) {\n"
        "  int g = get_global_id(0), l = get_local_id(0), w = get_group_id(0);\n"
        "  if (g >= n && g <= m)\n"
        "    b[l + w * 7] = g;\n"
        "}\n",
        global_size=(16,),
        local_size=(8,),
        global_offset=(0,),
        lengths=(64, 64),
        same=False,
        numbers=(7, 8),
    ),
    # The step of the inner loop is 0 in the first iteration of the outer one only.
    "step_of_first_iteration": DefectLaunch(
        "kernel void k(global int *a, global int *b, int n, int m) {\n"
        "  int k = 0, q = 0;\n"
        "  for (int i = 0; i < m; i++) {\n"
        "    for (int j = 0; j < m; j++) {\n"
        "      b[q] = 1;\n"
        "      q += k * 2;\n"
        "    }\n"
        "    k = 5;\n"
        "  }\n"
        "}\n",
        global_size=(1,),
        local_size=(1,),
        global_offset=(0,),
        lengths=(4, 4),
        same=False,
        numbers=(0, 3),
    ),
}


@pytest.mark.parametrize("name", OVERLOOKED)
def test_overlooked_once(name: str):
    assert findings(run(OVERLOOKED[name], polycl.device("interp", check=True))[0])
    agree(OVERLOOKED[name])
