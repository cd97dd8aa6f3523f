"""Every launch of tests/kernels and examples on the CPU, on the interpreter, and on the judge.

The CPU (1 and 2 threads, no contraction of a*b+c) and the interpreter agree in every bit. The
judge agrees with them in every bit, too, but for the functions whose precision OpenCL leaves
open; there the LAUNCH line has the largest allowed error.

The interpreter runs a kernel after `expand-math`: the formulas that the CPU computes. Their errors
are measured in tests/lowering/test_math_ulp.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from judge.runtime import Judge
from launches import Launch, all_launches, sampled
from polycl.backends.cache import cache_in
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu import compile as compile_module
from polycl.backends.cpu.codegen import FEW_OPERATIONS
from polycl.dialects.ocl import Collective, SubGroupOp
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parent.parent
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")


@dataclass(frozen=True)
class Outcome:
    """What a launch left in its arrays and what it printed."""

    arrays: dict[str, np.ndarray]
    printed: str


def run_on(
    device: polycl.Device,
    kernel: polycl.Kernel,
    launch: Launch,
    capfd: pytest.CaptureFixture[str],
    pipeline: str | None = None,
) -> Outcome:
    """Run on one of polycl's devices, on fresh arguments."""
    arguments = launch.values()
    capfd.readouterr()
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=device,
        pipeline=pipeline,
    )
    return Outcome(_arrays(arguments), capfd.readouterr().out)


def ask(judge: Judge, launch: Launch) -> Outcome:
    """Run on the judge, on fresh arguments."""
    arguments = launch.values()
    verdict = judge.run(
        launch.source,
        launch.kernel,
        list(arguments.values()),
        options=launch.build_options,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
    )
    names = list(arguments)
    return Outcome({names[i]: array for i, array in verdict.arrays.items()}, verdict.printed)


def _arrays(arguments: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}


def differences(left: Outcome, right: Outcome, tolerance: int = 0) -> list[str]:
    """What differs by more than `tolerance` ULP (integers: at all), in words."""
    found: list[str] = []
    for name, array in left.arrays.items():
        difference = compare(array, right.arrays[name])
        allowed = tolerance if array.dtype.kind == "f" else 0
        if difference is not None and difference.max_ulp > allowed:
            found.append(f"{name}: {difference}")
    if left.printed != right.printed:
        found.append(f"printed {left.printed!r} and {right.printed!r}")
    return found


@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_devices_agree(
    launch: Launch, judge: Judge | None, capfd: pytest.CaptureFixture[str], tmp_path: Path
):
    kernel = launch.load().kernel(launch.kernel)
    assert [p.name for p in kernel.parameters] == list(launch.specs), "parameters, in order"
    interpreted = run_on(polycl.device("interp"), kernel, launch, capfd, "expand-math")
    for threads in (1, 2):
        cpu = polycl.device("cpu", threads=threads, contract=False)
        # The machine code is the same for both, except with atomic operations.
        with cache_in(tmp_path):
            compiled = run_on(cpu, kernel, launch, capfd)
        assert not differences(compiled, interpreted), f"cpu with {threads} threads and interp"
    if judge is not None:
        judged = ask(judge, launch)
        assert not differences(interpreted, judged, launch.tolerance), f"interp and {judge.name}"


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 4))
def test_code_of_any_size_agrees(
    launch: Launch, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """At the level that the driver compiles it with where a kernel has no loops."""
    optimised = partial(compile_module.compile_object, level=FEW_OPERATIONS)
    monkeypatch.setattr(compile_module, "compile_object", lambda text, _: optimised(text))
    kernel = launch.load().kernel(launch.kernel)
    cpu = CpuDevice(contract=False, any_size=True)
    if any(isinstance(op, Collective | SubGroupOp) for op in kernel.module.walk()):
        with pytest.raises(polycl.PolyclError, match="needs a constant local size"):
            run_on(cpu, kernel, launch, capfd)
        return
    compiled = run_on(cpu, kernel, launch, capfd)
    interpreted = run_on(polycl.device("interp"), kernel, launch, capfd, "expand-math")
    assert not differences(compiled, interpreted)


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 8))
def test_debug_builds_agree(launch: Launch, capfd: pytest.CaptureFixture[str]):
    """Of the same source, with `-g`: nothing is optimised, and each variable is in memory."""
    kernel = launch.load().kernel(launch.kernel)
    interpreted = run_on(polycl.device("interp"), kernel, launch, capfd, "expand-math")
    kernel = polycl.load(launch.path, [*launch.build_options, "-g"]).kernel(launch.kernel)
    compiled = run_on(polycl.device("cpu", contract=False), kernel, launch, capfd)
    assert not differences(compiled, interpreted)


def test_each_kernel_file_has_a_launch():
    folders: Sequence[Path] = (ROOT / "tests" / "kernels", ROOT / "examples")
    without = {p.name for f in folders for p in f.glob("*.cl")} - {x.path.name for x in LAUNCHES}
    assert not without
