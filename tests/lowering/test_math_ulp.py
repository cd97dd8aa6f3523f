"""The accuracy of `expand-math`: the worst error of each function, in ULP, below OpenCL's limit.

docs/math-accuracy.md has the results; the test fails if the page differs. To write the page:

    POLYCL_WRITE_DOCS=1 python -m pytest tests/lowering/test_math_ulp.py -k page
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import ModuleOp, f16, f32, f64
from xdsl.ir import Attribute

from builtin_cases import difference, function_case, outputs, shaped
from math_cases import (
    FUNCTIONS,
    Function,
    arguments,
    exact_errors,
    floats,
    reference_of,
    special,
    ulp_errors,
)
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.interp import InterpDevice
from polycl.dialects import ocl, vec
from polycl.lowering.llvm.expand_math import BY_TABLE, DOUBLE, SINGLE, ExpandMathPass

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "math-accuracy.md"
WRITES_PAGE = "POLYCL_WRITE_DOCS" in os.environ
COUNT = 30_000
WORST = 200
FE_UNDERFLOW = 0x10 if platform.machine() in ("x86_64", "AMD64") else 0x8
"""As the C library's <fenv.h> of this processor has it: x86-64, or ARM's."""
TYPES: dict[str, tuple[Attribute, Any]] = {
    "float": (f32, np.float32),
    "half": (f16, np.float16),
    "double": (f64, np.float64),
}
BY_NAME = {function.name: function for function in FUNCTIONS}

HEAD = """\
# Accuracy of the math functions

The worst error of each function as the CPU computes it, in units in the last place (OpenCL 1.2,
section 7.4). mpmath computes the reference. The samples are 30000 numbers of the whole format, more
where the function has large curvature, for `sin`, `cos` and `tan` also the number nearest to a
multiple of pi/2 for each exponent, for `exp`, `log`, powers and their like those where two
numbers of their tables meet; for `half` they are all numbers. mpmath checks all special values,
every 20th number, and the 200 numbers with the largest error by numpy's `longdouble`; with
`-m slow` it checks all samples.

`expand-math` writes the functions, and no choice of a compiler changes their bits, nor do the
instructions of a processor. PTX and SPIR-V have other formulas, without tables, for `exp`, `exp2`,
`exp10`, `log`, `log2`, `log10` and powers, with about the same accuracy. `native_` and `half_`
functions are the same, except `sin`, `cos` and `tan`, which are for |x| <= 65536. Of -0 and +0,
`fmin` and `fmax` give either.

`lgamma` of f64 is that of the C math library. OpenCL has no limit for `lgamma`; 16 is ours.

The simulated processor (device `tta`) has no units for fused multiply-adds or `double`. There the
functions of `float` are written without both (`expand-math{fused=false}`), with errors below the
same limits, except `lgamma`, which is exact to 2^-22 of its terms, not of their sum.

| function | type | limit | worst | at |
|---|---|---|---|---|
"""


ALL_FLOATS = "\n## All floats\n"
"""Heads what bench/math_all_floats.py writes."""


@dataclass(frozen=True)
class Worst:
    """The largest error, and the arguments that have it."""

    error: float
    at: tuple[Any, ...]


def compute(
    name: str, values: list[NDArray[Any]], element: Attribute, width: int = 1
) -> NDArray[Any]:
    """The function on the CPU. Contraction is allowed: it must not matter."""
    case = function_case(name, shaped(element, width))
    rows = [np.ascontiguousarray(value).reshape(-1, width) for value in values]
    return outputs(CpuDevice(threads=1), case, case.module, rows)[0].reshape(-1)


def sample(function: Function, type: str) -> list[NDArray[Any]]:
    """All halves for a function of one, else what `arguments` gives."""
    if type == "half" and len(function.arguments) == 1:
        return [np.arange(2**16, dtype=np.uint16).view(np.float16)]
    return arguments(function, TYPES[type][1], COUNT)


@cache
def measure(name: str, type: str) -> Worst:
    """mpmath judges the worst of the sample (and their like), every 20th and the special ones."""
    function = BY_NAME[name]
    values = sample(function, type)
    got = compute(name, values, TYPES[type][0])
    reference = reference_of(function, values)
    errors = ulp_errors(got, reference)
    judged = errors >= np.sort(errors)[-WORST]
    judged[::20] = True
    edges = special(values[0].dtype)
    if len(values) == 1:
        judged |= np.isin(values[0], edges)
    else:
        judged[-(len(edges) ** 2) :] = True
    return _worst(function, [v[judged] for v in values], got[judged], reference[judged])


def _worst(
    function: Function, values: list[NDArray[Any]], got: NDArray[Any], reference: NDArray[Any]
) -> Worst:
    errors = exact_errors(function, values, got, reference)
    worst = int(errors.argmax())
    return Worst(float(errors[worst]), tuple(value[worst].item() for value in values))


def limit(function: Function, type: str) -> float:
    """f16 is computed in f32 and rounded: it has the limit that OpenCL gives to half at most."""
    return min(function.limit, 2.0) if type == "half" else function.limit


def has(name: str, type: str) -> bool:
    if name.startswith("native_"):
        return type == "float"
    return name == "rsqrt" or name in (DOUBLE if type == "double" else SINGLE)


CASES = [(f.name, type) for f in FUNCTIONS for type in TYPES if has(f.name, type)]


def row(name: str, type: str) -> str:
    worst = measure(name, type)
    at = ", ".join(f"{value:.9g}" for value in worst.at)
    bound = limit(BY_NAME[name], type)
    return f"| `{name}` | {type} | {bound:g} | {worst.error:.2f} | {at} |\n"


@pytest.mark.parametrize(("name", "type"), CASES)
def test_error_is_below_the_limit(name: str, type: str):
    worst = measure(name, type)
    assert worst.error <= limit(BY_NAME[name], type), f"at {worst.at}"
    if WRITES_PAGE:
        return
    assert row(name, type) in PAGE.read_text(), "write the page anew, as this file says"


def test_page_has_no_other_rows():
    table, all_floats, rows = PAGE.read_text().partition(ALL_FLOATS)
    if WRITES_PAGE:
        table = HEAD + "".join(row(*case) for case in CASES)
        PAGE.write_text(table + all_floats + rows)
    assert table.startswith(HEAD)
    assert len(table.removeprefix(HEAD).splitlines()) == len(CASES)


def rows_of_all_floats() -> list[tuple[str, float, float]]:
    """Function, error and argument, as bench/math_all_floats.py wrote them."""
    lines = PAGE.read_text().partition(ALL_FLOATS)[2].splitlines()
    rows = [line.split("|")[1:4] for line in lines if line.startswith("| `")]
    return [(name.strip(" `"), float(error), float(at)) for name, error, at in rows]


@pytest.mark.parametrize(("name", "error", "at"), rows_of_all_floats())
def test_worst_of_all_floats_is_what_the_page_says(name: str, error: float, at: float):
    """Where another reference found the largest error, mpmath finds the same."""
    function = BY_NAME[name]
    values = [np.array([at], np.float32)]
    worst = _worst(function, values, compute(name, values, f32), reference_of(function, values))
    assert worst.error == pytest.approx(error, abs=0.001)
    assert worst.error <= function.limit


def test_all_floats_of_each_function_were_tried():
    """All but lgamma, which has no f64 form to be compared with."""
    one_argument = {f.name for f in FUNCTIONS if f.arguments == "F"}
    assert {name for name, _, _ in rows_of_all_floats()} == one_argument - {"lgamma"}


@pytest.mark.parametrize(
    ("name", "type"),
    [
        *[
            (n, "float")
            for n in ("exp", "log", "log1p", "sin", "tanpi", "pow", "atan2", "asinh", "erfc")
        ],
        *[(n, "double") for n in ("sin", "log2", "cbrt", "hypot", "tanh", "tgamma")],
    ],
)
@pytest.mark.parametrize("width", [3, 16])
def test_vectors_have_the_bits_of_scalars(name: str, type: str, width: int):
    element, dtype = TYPES[type]
    values = [value[: 48 * 8] for value in arguments(BY_NAME[name], dtype, 6 * 48 * 8)]
    values = [np.concatenate([value[:330], value[-54:]]) for value in values]
    scalars, vectors = (compute(name, values, element, w) for w in (1, width))
    assert np.array_equal(scalars, vectors, equal_nan=True)


@pytest.mark.parametrize(("name", "type"), [case for case in CASES if case[1] != "half"])
def test_interpreter_has_the_bits_of_the_cpu(name: str, type: str):
    """With contraction allowed: no operation of a function may be contracted."""
    element, dtype = TYPES[type]
    case = function_case(name, element)
    values = [value[-60:].reshape(-1, 1) for value in arguments(BY_NAME[name], dtype, 60)]
    module = expanded(case.module)
    kept = [op for op in module.walk() if isinstance(op, ocl.BuiltinOp)]
    assert not kept
    expected = outputs(InterpDevice(), case, module, values)
    actual = outputs(CpuDevice(threads=1), case, case.module, values)
    assert difference(case, values, expected, actual) is None


@pytest.mark.parametrize(
    ("name", "type"),
    [
        *[(n, "float") for n in ("exp", "exp2", "exp10", "log", "log2")],
        *[(n, "double") for n in ("exp10", "log", "pow")],
    ],
)
@pytest.mark.parametrize("left_out", [["avx512"], ["avx512", "avx2"]])
@pytest.mark.parametrize("width", [1, 3, 16])
def test_instructions_of_a_processor_change_no_bits(
    name: str, type: str, left_out: list[str], width: int
):
    """Nor does the number of elements, some of which fill no register."""
    element, dtype = TYPES[type]
    case = function_case(name, shaped(element, width))
    values = [value[-192:].reshape(-1, width) for value in arguments(BY_NAME[name], dtype, 200)]
    plain = CpuDevice(threads=1, without_features=left_out)
    expected, actual = (
        outputs(device, case, case.module, values) for device in (plain, CpuDevice(threads=1))
    )
    assert difference(case, values, expected, actual) is None


@pytest.mark.parametrize("name", [f.name for f in FUNCTIONS if has(f.name, "float")])
def test_without_fused_multiply_adds_the_error_is_below_the_limit(name: str):
    """And without f64. Near 1 and 2, where it is 0, `lgamma` has no more than an absolute error."""
    function = BY_NAME[name]
    values = arguments(function, np.float32, COUNT // 10)
    if name == "lgamma":
        values = [value[(value > 0) & ((value < 0.5) | (value > 3))] for value in values]
    case = function_case(name, f32)
    module = expanded(case.module, fused=False)
    assert not [op for op in module.walk() if isinstance(op, math.FmaOp | vec.AnyExtF)]
    check_samples(function, "float", values, module)


@pytest.mark.parametrize("type", ["float", "double"])
@pytest.mark.parametrize("name", [*BY_TABLE, "pow", "rootn"])
def test_without_tables_the_error_is_below_the_limit(name: str, type: str):
    element, dtype = TYPES[type]
    module = expanded(function_case(name, element).module, tables=False)
    assert not [op for op in module.walk() if isinstance(op, vec.LookupOp)]
    function = BY_NAME[name]
    check_samples(function, type, arguments(function, dtype, COUNT // 10), module)


def check_samples(
    function: Function, type: str, values: list[NDArray[Any]], module: ModuleOp
) -> None:
    """mpmath judges what seems to be the worst of these values."""
    case = function_case(function.name, TYPES[type][0])
    rows = [np.ascontiguousarray(value).reshape(-1, 1) for value in values]
    got = outputs(CpuDevice(threads=1), case, module, rows)[0].reshape(-1)
    reference = reference_of(function, values)
    seem_worst = np.argsort(ulp_errors(got, reference), kind="stable")[-WORST // 4 :]
    chosen = [value[seem_worst] for value in values]
    worst = _worst(function, chosen, got[seem_worst], reference[seem_worst])
    assert worst.error <= limit(function, type), f"at {worst.at}"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("exp", (-np.inf, -1e30, -1000.0)),
        ("exp2", (-np.inf, -1e30, -1400.0)),
        ("exp10", (-np.inf, -1e30, -500.0)),
        ("erfc", (np.inf, 1e30, 40.0)),
        ("pow", (np.inf, 1e30, 40.0)),
    ],
)
@pytest.mark.parametrize("type", ["float", "double"])
@pytest.mark.parametrize("fused", [True, False])
def test_a_result_far_below_the_smallest_number_does_not_underflow(
    name: str, values: tuple[float, ...], type: str, fused: bool
):
    """Processors that take a hundred cycles for an underflow take none for a product with 0."""
    element, dtype = TYPES[type]
    case = function_case(name, element)
    module = expanded(case.module, fused)
    column = np.array(values, dtype).reshape(-1, 1)
    arguments = [np.full_like(column, 2.0**-40), column] if name == "pow" else [column]
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    libm.feclearexcept(FE_UNDERFLOW)
    results = outputs(CpuDevice(threads=1), case, module, arguments)
    assert not libm.fetestexcept(FE_UNDERFLOW)
    assert (results[0] == 0).all()


def expanded(module: ModuleOp, fused: bool = True, tables: bool = True) -> ModuleOp:
    module = module.clone()
    ExpandMathPass(fused=fused, tables=tables).apply(Context(), module)
    module.verify()
    return module


@pytest.mark.parametrize("name", ["exp", "exp2", "exp10", "log", "log2", "log10", "powr", "rsqrt"])
def test_native_and_half_functions_are_the_plain_ones(name: str):
    values = [value[-600:] for value in arguments(BY_NAME[name], np.float32, 600)]
    plain, native, half = (compute(kind + name, values, f32) for kind in ("", "native_", "half_"))
    assert np.array_equal(plain, native, equal_nan=True)
    assert np.array_equal(plain, half, equal_nan=True)


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_half_trigonometric_functions_are_the_native_ones(name: str):
    values = [floats(np.float32, 600, seed=3)]
    native, half = (compute(kind + name, values, f32) for kind in ("native_", "half_"))
    moderate = np.abs(values[0]) <= 65536
    assert np.array_equal(native[moderate], half[moderate])
    # Others have any value of the function's range (OpenCL 1.2, section 6.12.2).
    large = half[~moderate & np.isfinite(values[0])]
    assert not np.isnan(large).any()
    assert name == "tan" or (np.abs(large) <= 1).all()
    assert np.isnan(half[~np.isfinite(values[0])]).all()


EDGES: list[tuple[str, tuple[float, ...], float]] = [
    ("acospi", (1.0,), 0.0),
    ("asinpi", (-0.0,), -0.0),
    ("atan2pi", (-0.0, -0.0), -1.0),
    ("atan2pi", (0.0, -1.0), 1.0),
    ("atan2pi", (np.inf, -np.inf), 0.75),
    ("atan2pi", (1.0, np.inf), 0.0),
    ("cospi", (0.5,), 0.0),
    ("cospi", (-1.5,), 0.0),
    ("exp10", (-np.inf,), 0.0),
    ("hypot", (np.inf, np.nan), np.inf),
    ("lgamma", (2.0,), 0.0),
    ("lgamma", (-2.0,), np.inf),
    ("lgamma", (-np.inf,), np.inf),
    ("pow", (-1.0, np.inf), 1.0),
    ("pow", (-2.0, 0.5), np.nan),
    ("pow", (-0.0, -3.0), -np.inf),
    ("pow", (-np.inf, -3.0), -0.0),
    ("pow", (1.0, np.nan), 1.0),
    ("pow", (np.nan, 0.0), 1.0),
    ("pown", (np.nan, 0), 1.0),
    ("pown", (-0.0, -3), -np.inf),
    ("pown", (-0.0, -2), np.inf),
    ("pown", (-0.0, 3), -0.0),
    ("powr", (0.0, -np.inf), np.inf),
    ("powr", (0.0, 0.0), np.nan),
    ("powr", (np.inf, 0.0), np.nan),
    ("powr", (1.0, np.inf), np.nan),
    ("powr", (-1.0, 2.0), np.nan),
    ("rootn", (-0.0, -3), -np.inf),
    ("rootn", (-0.0, -2), np.inf),
    ("rootn", (-0.0, 2), 0.0),
    ("rootn", (-0.0, 3), -0.0),
    ("rootn", (-8.0, 3), -2.0),
    ("rootn", (-8.0, 2), np.nan),
    ("rootn", (8.0, 0), np.nan),
    ("sinpi", (-2.0,), -0.0),
    ("sinpi", (3.0,), 0.0),
    ("sinpi", (np.inf,), np.nan),
    ("tgamma", (-0.0,), -np.inf),
    ("tgamma", (-3.0,), np.nan),
    ("tgamma", (-np.inf,), np.nan),
    ("tgamma", (-200.5,), -0.0),
    ("tgamma", (172.0,), np.inf),
    ("tgamma", (5.0,), 24.0),
    ("tanpi", (1.0,), -0.0),
    ("tanpi", (-1.0,), 0.0),
    ("tanpi", (2.0,), 0.0),
    ("tanpi", (0.5,), np.inf),
    ("tanpi", (1.5,), -np.inf),
    ("tanpi", (-0.5,), -np.inf),
]


@pytest.mark.parametrize("type", ["float", "double"])
@pytest.mark.parametrize("name", sorted({name for name, _, _ in EDGES}))
def test_edges(name: str, type: str):
    """OpenCL 1.2, section 7.5.1, and C99, annex F.9, spelled out."""
    element, dtype = TYPES[type]
    types = {"F": dtype, "I": np.int32}
    cases = [(at, expected) for edge, at, expected in EDGES if edge == name]
    columns = zip(*(at for at, _ in cases), strict=True)
    letters = BY_NAME[name].arguments
    values = [np.array(x, types[letter]) for x, letter in zip(columns, letters, strict=True)]
    for (at, expected), got in zip(cases, compute(name, values, element), strict=True):
        both_nan = np.isnan(got) and np.isnan(expected)
        assert both_nan or (got, np.signbit(got)) == (expected, np.signbit(expected)), f"at {at}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "type"), CASES)
def test_error_by_mpmath_alone(name: str, type: str):
    function = BY_NAME[name]
    values = sample(function, type)
    got = compute(name, values, TYPES[type][0])
    worst = _worst(function, values, got, reference_of(function, values))
    assert worst.error <= limit(function, type), f"at {worst.at}"
