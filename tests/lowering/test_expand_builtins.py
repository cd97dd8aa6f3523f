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
    VectorType,
    f32,
    i8,
    i32,
)

from builtin_cases import (
    FLOATS,
    INTEGERS,
    Case,
    builtin_case,
    builtin_cases,
    concat_case,
    convert_case,
    convert_cases,
    dtype_of,
    inputs,
    shuffle_case,
)
from polycl.backends.device import NDRange
from polycl.backends.interp import InterpDevice
from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.lowering.expand_builtins.math import LIBM
from polycl.lowering.ocl_expand_builtins import RULES, OclExpandBuiltinsPass

COUNT = 128
"""Work-items, each with its own inputs."""


def outputs(case: Case, module: ModuleOp, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """What `module` writes."""
    count = len(arguments[0])
    results = [
        np.zeros((count, t.element_count() if isinstance(t, VectorType) else 1), dtype_of(t))
        for t in case.results
    ]
    size = NDRange((count, 1, 1), (1, 1, 1), (0, 0, 0), 1)
    InterpDevice().compile(module, "f", size).run([*arguments, *results], size)
    return results


def expanded(case: Case) -> ModuleOp:
    module = case.module.clone()
    OclExpandBuiltinsPass().apply(Context(), module)
    module.verify()
    return module


def difference(case: Case, arguments: list[np.ndarray]) -> str | None:
    """The first work-item whose results differ, in words. NaNs are equal whatever their bits."""
    before = outputs(case, case.module, arguments)
    after = outputs(case, expanded(case), arguments)
    for number, (want, got) in enumerate(zip(before, after, strict=True)):
        bits = f"u{want.itemsize}"
        equal = (want.view(bits) == got.view(bits)) | ((want != want) & (got != got))
        for row, column in np.argwhere(~equal)[:1]:
            of = [argument[row] for argument in arguments]
            return (
                f"{case.name}: result {number}[{column}] of {of}: "
                f"builtin {want[row, column]!r}, expanded {got[row, column]!r}"
            )
    return None


def test_every_builtin_has_a_rule() -> None:
    assert sorted(RULES) == sorted(BUILTINS)


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_builtin(name: str) -> None:
    cases = [case for case in builtin_cases() if case[0].name == name]
    found = [
        difference(case, bounded(name, inputs(case.arguments, COUNT, seed)))
        for seed, case in enumerate(builtin_case(*pair) for pair in cases)
    ]
    assert [text for text in found if text] == []


def bounded(name: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Inputs for which the function is defined: mul24 and mad24 take 24 bits."""
    if not name.endswith("24"):
        return arguments
    shift = max(0, 8 * arguments[0].itemsize - 24)
    small = [
        argument >> shift if name.startswith("s_") else abs(argument >> shift + 1)
        for argument in arguments[:2]
    ]
    return [*small, *arguments[2:]]


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_what_stays(name: str) -> None:
    """Only functions of libm stay, and not on f16."""
    for builtin, type in builtin_cases():
        if builtin.name != name:
            continue
        for op in expanded(builtin_case(builtin, type)).walk():
            if isinstance(op, ocl.BuiltinOp):
                assert op.function.data in LIBM
                assert all(dtype_of(value.type) != np.float16 for value in op.arguments)


def conversions(source: object) -> Iterator[Case]:
    for number, case in enumerate(convert_cases()):
        if case[0] == source:
            yield convert_case(*case, width=(1, 3)[number % 2])


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS], ids=str)
def test_convert(source: object) -> None:
    found = [
        difference(case, defined(case, inputs(case.arguments, COUNT, seed)))
        for seed, case in enumerate(conversions(source))
    ]
    assert [text for text in found if text] == []


def defined(case: Case, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Without saturation, floats out of the integer's range are undefined: 0 instead."""
    target = dtype_of(case.results[0])
    if arguments[0].dtype.kind != "f" or target.kind == "f" or "sat" in case.name:
        return arguments
    unsigned = " to u" in case.name
    bits = 8 * target.itemsize
    low, high = (0.0, 2.0**bits) if unsigned else (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1))
    with np.errstate(invalid="ignore"):
        values = arguments[0].astype("f8")
        inside = (np.ceil(values) < high) & (np.floor(values) >= low)
    return [np.where(inside, arguments[0], 0).astype(arguments[0].dtype)]


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
    assert difference(case, inputs(case.arguments, COUNT, seed=1)) is None


def test_locations_are_kept() -> None:
    case = builtin_case(BUILTINS["u_add_sat"], i32)
    place = FileLineColLoc(StringAttr("k.cl"), IntAttr(3), IntAttr(5))
    for op in case.module.walk():
        op.location = place
    assert all(op.location == place for op in expanded(case).walk())
