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
from judge.messages import Verdict
from judge.runtime import Judge, JudgeError
from launches import Launch, all_launches, sampled
from polycl.backends.opencl_c.write_module import Emission, emit
from polycl.backends.pipeline import run_pipeline
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parents[3]
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")
PASSES = "inline-functions,promote-private-memory,ocl-expand-builtins,expand-math"
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


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 7, 0))
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
    found = run(kernel, launch)
    for name, value in expected.items():
        assert not isinstance(value, np.ndarray) or compare(value, found[name]) is None, name
    assert capfd.readouterr().out == printed


@pytest.mark.parametrize("path", sampled(sorted({launch.path for launch in LAUNCHES}), 7, 2))
def test_what_passes_make_reads_back(path: Path):
    """Other code than an importer makes: builtins as arithmetic, values in the place of memory."""
    launch = next(launch for launch in LAUNCHES if launch.path == path)
    module = polycl.load(path, launch.build_options).module.clone()
    if any(len(region.blocks) > 1 for op in module.ops for region in op.regions):
        run_pipeline(module, "lift-cf-to-scf")
    run_pipeline(module, PASSES)
    emission = emit(module)
    again = polycl.load(emission.text, [f"-cl-std={emission.standard}"], language="cl")
    if len(again.kernel(launch.kernel).parameters) > len(launch.specs):
        return
    expected = run(polycl.Program(module).kernel(launch.kernel), launch)
    found = run(again.kernel(launch.kernel), launch)
    for name, value in expected.items():
        assert not isinstance(value, np.ndarray) or compare(value, found[name]) is None, name


FUNCTIONS = """
kernel void f(global const float *x, global float *y, global double *z) {
  size_t i = get_global_id(0);
  y[i] = exp(x[i]) + log2(fabs(x[i]));
  vstore3(pow(vload3(i, x), 2.5f), i, y + 24);
  z[i] = exp10((double)x[i]);
}
"""


def test_functions_with_tables_read_back():
    module = polycl.load(FUNCTIONS, language="cl").module.clone()
    run_pipeline(module, PASSES)
    x = np.linspace(-3, 3, 24, dtype=np.float32)
    found: list[Any] = []
    for program in (polycl.Program(module), polycl.load(emit(module).text, language="cl")):
        arrays = x, np.zeros(48, np.float32), np.zeros(8)
        program.kernel("f")(*arrays, global_size=8, local_size=8, device=INTERP)
        found.append(arrays)
    assert all(compare(*pair) is None for pair in zip(*found, strict=True))


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 7, 1))
def test_an_opencl_runtime_agrees(
    launch: Launch, judge: Judge | None, capfd: pytest.CaptureFixture[str]
):
    """With the interpreter; where a runtime is wrong itself, with what it makes of the source."""
    if judge is None:
        pytest.skip("--no-judge")
    program, emission = program_of(launch.path, launch.options)
    kernel = program.kernel(launch.kernel)
    program.reset_variables()
    # Program-scope variables have become a parameter.
    values = [*launch.values().values(), *kernel._program_variables(INTERP)]
    text = (emission.text.encode(), [f"-cl-std={emission.standard}"])
    written = ask(judge, launch, *text, values)
    expected = run(kernel, launch, "expand-math")
    problems = differences(written, list(expected.values()), launch.tolerance)
    if not isinstance(written, str) and written.printed != capfd.readouterr().out:
        problems.append(f"printed {written.printed!r}")
    if not problems:
        return
    itself = ask(judge, launch, launch.source, launch.build_options)
    if isinstance(itself, str):
        assert isinstance(written, str), problems
        pytest.skip(f"{judge.name} does not run the source either: {itself.splitlines()[-1]}")
    arrays = [itself.arrays.get(i) for i in range(len(expected))]
    assert not differences(written, arrays, 0), problems
    assert not isinstance(written, str)
    assert written.printed == itself.printed


def ask(
    judge: Judge,
    launch: Launch,
    source: bytes,
    options: list[str],
    values: list[Any] | None = None,
) -> Verdict | str:
    """What the runtime leaves behind, or why it does not run `source`."""
    try:
        return judge.run(
            source,
            launch.kernel,
            list(launch.values().values()) if values is None else values,
            options=options,
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.global_offset,
        )
    except JudgeError as error:
        return str(error)


def differences(verdict: Verdict | str, expected: list[Any], ulp: int) -> list[str]:
    """Between the arrays of a launch and those in the places of `expected`, in words."""
    if isinstance(verdict, str):
        return [verdict]
    found: list[str] = []
    for index, array in enumerate(expected):
        if isinstance(array, np.ndarray):
            difference = compare(array, verdict.arrays[index])
            allowed = ulp if array.dtype.kind == "f" else 0
            if difference is not None and difference.max_ulp > allowed:
                found.append(f"argument {index}: {difference}")
    return found
