"""Builtins and conversions on the CPU equal the interpreter's bit by bit.

The interpreter runs what `expand-math` makes of them, as the CPU does.
"""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import f16, f32, f64, i8, i32, i64
from xdsl.ir import Attribute

from builtin_cases import (
    Case,
    bounded,
    builtin_case,
    builtin_cases,
    convert_case,
    convert_cases,
    defined,
    difference,
    inputs,
    outputs,
    shaped,
)
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.interp import InterpDevice
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.lowering.llvm.expand_math import ExpandMathPass

COUNT = 64
TYPES: tuple[Attribute, ...] = (
    f32, shaped(f64, 3), shaped(f16, 4), i32, shaped(i8, 3), shaped(i64, 2),
)  # fmt: skip
"""The types themselves that are compiled: each one costs a run of LLVM."""

EVERY = 23
"""One conversion of so many is compiled; the number shares no factor with the table's sides."""


def on_both(case: Case, arguments: list[np.ndarray]) -> str | None:
    cpu = CpuDevice(threads=1, contract=False)
    formulas = case.module.clone()
    ExpandMathPass().apply(Context(), formulas)
    expected = outputs(InterpDevice(), case, formulas, arguments)
    return difference(case, arguments, expected, outputs(cpu, case, case.module, arguments))


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_builtin(name: str) -> None:
    cases = [
        builtin_case(builtin, type)
        for builtin, type in builtin_cases()
        if builtin.name == name and (type in TYPES or name == "cross")
    ]
    assert cases
    for case in cases:
        assert on_both(case, bounded(name, inputs(case.arguments, COUNT, seed=5))) is None


@pytest.mark.parametrize("part", range(4))
def test_convert(part: int) -> None:
    chosen = list(convert_cases())[::EVERY][part::4]
    for number, parameters in enumerate(chosen):
        case = convert_case(*parameters, width=(1, 3)[number % 2])
        assert on_both(case, defined(case, inputs(case.arguments, COUNT, seed=number))) is None
