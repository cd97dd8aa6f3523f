"""Functions that are not inlined change no bit: with a budget of 0, in which all stay that may,
each launch of tests/kernels whose program has functions, after each pass and on the cpu device."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from launches import Launch, all_launches, sampled
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import run_passes
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.runtime.compare import compare
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import Program

ROOT = Path(__file__).resolve().parent.parent.parent
_FUNCTION = re.compile(r"^(?!.*\bkernel\b|typedef)\w[\w ]*[ *]\w+\([^;{]*\) *\{", re.M)
LAUNCHES = [
    launch
    for launch in all_launches(ROOT / "tests" / "kernels", ROOT / "examples")
    if _FUNCTION.search(launch.path.read_text(encoding="latin-1"))
]
OWN = [launch for launch in LAUNCHES if launch.path.stem == "calls_in_lanes"]
OTHERS = [launch for launch in LAUNCHES if launch not in OWN]


def module_of(launch: Launch) -> ModuleOp:
    """The kernel, and the functions that it calls."""
    program = launch.load()
    return only_kernel(program.module, launch.kernel)


def result_of(program: Program, launch: Launch, device: Any) -> dict[str, Any]:
    arguments = launch.values()
    program.kernel(launch.kernel)(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=device,
    )
    return arguments


def assert_same(before: dict[str, Any], after: dict[str, Any], stage: str) -> None:
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            assert compare(value, after[name]) is None, f"{name} after {stage}"


@pytest.mark.parametrize("launch", [*OWN, *sampled(OTHERS, 12)])
def test_calls_keep_the_bits(launch: Launch):
    module = module_of(launch)
    expected = result_of(Program(module.clone()), launch, InterpDevice())
    sizes = (launch.global_size, launch.local_size, launch.global_offset)
    ndrange = make_ndrange(launch.kernel, *sizes, required=None, hint=None, needs_local_size="")
    passes = cpu_pipeline(ndrange, contract=False, inlining_budget=0)
    names = [one.name for one in passes]
    text = str(module)
    for one in passes[: names.index("wg-to-scf") + 1]:
        run_passes(module, (one,))
        before, text = text, str(module)
        if text == before:
            continue
        after = result_of(Program(module.clone()), launch, InterpDevice())
        if isinstance(one, ExpandMathPass):
            expected = after
        assert_same(expected, after, one.name)


MATH = """
kernel void k(global const float *in, global float *out, float by) {
  int g = get_global_id(0);
  float x = in[g], y = pow(x, by) + pow(by, x);
  if (x > 0.5f) y += exp(x) * exp(-x) + exp(by);
  for (int i = 0; i < (g & 3); i++) y += pow(y, 0.5f) + exp(-y) + exp(by * i);
  out[g] = y;
}
"""


@pytest.mark.parametrize("early", ["", "wg-vectorize{width=8 dim=0}"])
def test_calls_of_math_keep_the_bits(early: str):
    """A function of the math library, expanded for each call and once for all calls."""
    results: list[Any] = []
    for budget in ("", "{budget=0}"):
        x, y = np.linspace(0, 2, 64, dtype=np.float32), np.zeros(64, np.float32)
        passes = f"ocl-set-local-size{{size=16,1,1}},ocl-to-wg,expand-math{budget}"
        program = polycl.load(MATH, pipeline=",".join(filter(None, (passes, early))))
        kernel = program.kernel("k")
        kernel(x, y, 1.7, global_size=64, local_size=16, device=InterpDevice())
        results.append(y)
    assert compare(*results) is None


@pytest.mark.parametrize("launch", [*OWN, *sampled(OTHERS, 6)])
def test_calls_keep_the_bits_on_the_device(launch: Launch):
    program = Program(module_of(launch))
    expected = result_of(program, launch, CpuDevice(contract=False))
    device = CpuDevice(contract=False, inlining_budget=0)
    assert_same(expected, result_of(program, launch, device), "all passes")


_PRINTING = """
void show(int i, float2 v) { if (i & 1) printf("%d: %v2f\\n", i, v); }
int twice(int i, float2 v) { show(i, v); show(i + 1, v * 2); return printf("end %d\\n", i); }
kernel void k(global int *out, global const float2 *in) {
  int i = get_global_id(0);
  if (i != 5) out[i] = twice(i, in[i]);
  if (i > 9) show(7, (float2)(1, 2));
}"""


def test_functions_that_print(capsys: pytest.CaptureFixture[str]):
    kernel = polycl.load(_PRINTING).kernel("k")
    # With vectors, without them, and inlined.
    devices = (
        InterpDevice(),
        CpuDevice(inlining_budget=0),
        CpuDevice(inlining_budget=0, disable=("wg-vectorize",)),
        CpuDevice(),
    )
    texts: list[list[str]] = []
    for device in devices:
        out, values = np.full(16, 3, np.int32), np.arange(32, dtype=np.float32)
        kernel(out, values, global_size=16, local_size=16, device=device)
        assert out.tolist() == [0] * 5 + [3] + [0] * 10
        texts.append(sorted(capsys.readouterr().out.splitlines()))
    assert len(texts[0]) == 15 * 2 + 6
    assert all(text == texts[0] for text in texts[1:])
