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
    return polycl.load(launch.path, launch.build_options).module.clone()


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


@pytest.mark.parametrize("launch", [*OWN, *sampled(OTHERS, 6)])
def test_calls_keep_the_bits(launch: Launch):
    module = module_of(launch)
    expected = result_of(Program(module.clone()), launch, InterpDevice())
    sizes = (launch.global_size, launch.local_size, launch.global_offset)
    ndrange = make_ndrange(launch.kernel, *sizes, required=None, hint=None, needs_local_size="")
    passes = cpu_pipeline(ndrange, contract=False, inlining_budget=0)
    names = [one.name for one in passes]
    for one in passes[: names.index("wg-to-scf") + 1]:
        before = str(module)
        run_passes(module, (one,))
        if str(module) == before:
            continue
        after = result_of(Program(module.clone()), launch, InterpDevice())
        if isinstance(one, ExpandMathPass):
            expected = after
        assert_same(expected, after, one.name)


@pytest.mark.parametrize("launch", [*OWN, *sampled(OTHERS, 3)])
def test_calls_keep_the_bits_on_the_device(launch: Launch):
    program = Program(module_of(launch))
    expected = result_of(program, launch, CpuDevice(contract=False))
    device = CpuDevice(contract=False, inlining_budget=0)
    assert_same(expected, result_of(program, launch, device), "all passes")
