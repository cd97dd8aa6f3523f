"""Every launch of tests/kernels and examples, written as OpenCL C again: what is read back has the
same results on the interpreter, and the text has them on the judge, an OpenCL runtime.

PoCL is another one: `--judge-icd /etc/OpenCL/vendors/pocl.icd`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from judge.runtime import Judge, JudgeError
from launches import Launch, all_launches
from polycl.backends.opencl_c.emit import Emission, emit
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parents[3]
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")
INTERP = polycl.device("interp")


@cache
def program_of(path: Path, options: tuple[str, ...]) -> tuple[polycl.Program, Emission]:
    program = polycl.load(path, [*options, "-I", str(path.parent)])
    return program, emit(program.module, contract=False)


def run(kernel: polycl.Kernel, launch: Launch, pipeline: str | None = None) -> dict[str, Any]:
    arguments = launch.values()
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=INTERP,
        pipeline=pipeline,
    )
    return arguments


def assert_same(expected: dict[str, Any], found: dict[str, Any], ulp: int = 0) -> None:
    for name, array in found.items():
        if isinstance(array, np.ndarray) and name in expected:
            difference = compare(expected[name], array)
            allowed = ulp if array.dtype.kind == "f" else 0
            assert difference is None or difference.max_ulp <= allowed, f"{name}: {difference}"


@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_what_is_written_reads_back(launch: Launch, capfd: pytest.CaptureFixture[str]):
    program, emission = program_of(launch.path, launch.options)
    again = polycl.load(emission.text, [f"-cl-std={emission.standard}"], language="cl")
    kernel = again.kernel(launch.kernel)
    hidden = {p.name for p in kernel.parameters} - set(launch.specs)
    if hidden:
        # Program-scope variables have become a parameter, which a caller has to pass.
        assert [p.name for p in kernel.parameters][-1:] == list(hidden)
        return
    expected = run(program.kernel(launch.kernel), launch)
    printed = capfd.readouterr().out
    assert_same(expected, run(kernel, launch))
    assert capfd.readouterr().out == printed


@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_an_opencl_runtime_agrees(
    launch: Launch, judge: Judge | None, capfd: pytest.CaptureFixture[str]
):
    if judge is None:
        pytest.skip("--no-judge")
    program, emission = program_of(launch.path, launch.options)
    kernel = program.kernel(launch.kernel)
    expected = run(kernel, launch, "expand-math")
    printed = capfd.readouterr().out
    arguments = launch.values()
    names = list(arguments)
    values = [*arguments.values(), *program_variables(program, kernel)]
    sizes: dict[str, Any] = {
        "global_size": launch.global_size,
        "local_size": launch.local_size,
        "global_offset": launch.global_offset,
    }
    options = [f"-cl-std={emission.standard}"]
    try:
        verdict = judge.run(emission.text.encode(), launch.kernel, values, options=options, **sizes)
    except JudgeError:
        if emission.standard != "CL1.2" and not takes(judge, launch, sizes):
            pytest.skip(f"{judge.name} has no pointers into the generic address space")
        raise
    found = {names[i]: array for i, array in verdict.arrays.items() if i < len(names)}
    assert_same(expected, found, launch.tolerance)
    assert verdict.printed == printed


def program_variables(program: polycl.Program, kernel: polycl.Kernel) -> list[Any]:
    """The initial values of a program's variables, for the parameter that they have become."""
    program.reset_variables()
    return kernel._program_variables(INTERP)


def takes(judge: Judge, launch: Launch, sizes: dict[str, Any]) -> bool:
    """Whether the runtime takes the source itself."""
    values = list(launch.values().values())
    try:
        judge.run(launch.source, launch.kernel, values, options=launch.build_options, **sizes)
    except JudgeError:
        return False
    return True
