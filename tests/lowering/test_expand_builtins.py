"""`ocl-expand-builtins` keeps every bit: the interpreter runs kernels before and after it.

The interpreter computes builtins and conversions by itself, in Python, so it is an independent
judge of the expansion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    f32,
    i8,
    i32,
)

from builtin_cases import (
    FLOATS,
    INTEGERS,
    Case,
    bounded,
    builtin_case,
    builtin_cases,
    concat_case,
    convert_case,
    convert_cases,
    defined,
    difference,
    dtype_of,
    inputs,
    outputs,
    shuffle_case,
)
from polycl.analysis.llvm.libm import LIBM_BUILTINS
from polycl.backends.interp import InterpDevice
from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.lowering.ocl.ocl_expand_builtins import RULES, OclExpandBuiltinsPass

COUNT = 128
"""Work-items, each with its own inputs."""


def expanded(case: Case) -> ModuleOp:
    module = case.module.clone()
    OclExpandBuiltinsPass().apply(Context(), module)
    module.verify()
    return module


def change(case: Case, arguments: list[np.ndarray]) -> str | None:
    """What the pass changes, in words."""
    interp = InterpDevice()
    before = outputs(interp, case, case.module, arguments)
    return difference(case, arguments, before, outputs(interp, case, expanded(case), arguments))


def test_every_builtin_has_a_rule() -> None:
    assert sorted(RULES) == sorted(BUILTINS)


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_builtin(name: str) -> None:
    cases = [case for case in builtin_cases() if case[0].name == name]
    found = [
        change(case, bounded(name, inputs(case.arguments, COUNT, seed)))
        for seed, case in enumerate(builtin_case(*pair) for pair in cases)
    ]
    assert [text for text in found if text] == []


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_what_stays(name: str) -> None:
    """Only functions of libm stay, and not on f16."""
    for builtin, type in builtin_cases():
        if builtin.name != name:
            continue
        for op in expanded(builtin_case(builtin, type)).walk():
            if isinstance(op, ocl.BuiltinOp):
                assert op.function.data in LIBM_BUILTINS
                assert all(dtype_of(value.type) != np.float16 for value in op.arguments)


def conversions(source: object) -> Iterator[Case]:
    for number, case in enumerate(convert_cases()):
        if case[0] == source:
            yield convert_case(*case, width=(1, 3)[number % 2])


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS], ids=str)
def test_convert(source: object) -> None:
    found = [
        change(case, defined(case, inputs(case.arguments, COUNT, seed)))
        for seed, case in enumerate(conversions(source))
    ]
    assert [text for text in found if text] == []


CASES: list[Callable[[], Case]] = [
    lambda: shuffle_case(f32, 4, i32, 2, two=False),
    lambda: shuffle_case(i8, 16, i8, 4, two=False),
    lambda: shuffle_case(f32, 4, i32, 8, two=True),
    lambda: shuffle_case(i8, 2, i8, 16, two=True),
    lambda: concat_case(f32, [3, 1]),
    lambda: concat_case(i8, [1, 2, 1, 4]),
    lambda: concat_case(i32, [1, 1, 1]),
]


@pytest.mark.parametrize("make", CASES, ids=lambda make: make().name)
def test_vectors(make: Callable[[], Case]) -> None:
    case = make()
    assert change(case, inputs(case.arguments, COUNT, seed=1)) is None


def test_locations_are_kept() -> None:
    case = builtin_case(BUILTINS["u_add_sat"], i32)
    place = FileLineColLoc(StringAttr("k.cl"), IntAttr(3), IntAttr(5))
    for op in case.module.walk():
        op.location = place
    assert all(op.location == place for op in expanded(case).walk())
