"""Pattern programs on every device: the interpreter runs the program itself, and its kernels with
the race detector; then the kernels run on the CPU. All results have the same bits: numbers are
small multiples of 1/8, so that sums do not depend on the order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_patterns import random_program
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute

import polycl
from polycl.backends.pattern.pattern_arrays import dtype_of, parts
from polycl.backends.pipeline import run_pipeline
from polycl.dialects.ocl import BarrierOp
from polycl.dialects.pattern import ArrayType
from polycl.errors import PolyclError
from polycl.runtime.pattern.pattern_program import LoweredFunction

FILES = sorted((Path(__file__).parent / "programs").glob("*.mlir"))
PROGRAMS = {path.stem: polycl.load(path) for path in FILES}
CASES = [(name, function) for name, p in PROGRAMS.items() for function in p.functions]

SIZES = {"M": 6, "N": 64}
INDICES = 20
"""Integers in the arguments are indices of arrays with more elements."""


NEED_SIZES = {
    "repeated",
    "sorted",
    "sorted_by_first",
    "sorted_by_key",
    "sorted_rows",
}
"""Programs without kernels for all sizes: they are steps of a network, or need private memory."""


def random_argument(type: Attribute, rng: np.random.Generator) -> Any:
    """Numpy data of a type, with SIZES for its variables."""
    pieces = parts(type)
    if pieces is not None:
        return tuple(random_argument(piece, rng) for piece in pieces)
    shape: list[int] = []
    while isinstance(type, ArrayType):
        shape.append(type.size.evaluate(SIZES))
        type = type.element_type
    if isinstance(type, VectorType):
        shape.append(type.element_count())
        type = type.element_type
    dtype = dtype_of(type)
    if dtype.kind == "f":
        data = rng.integers(-16, 16, shape) / 8
    else:
        data = rng.integers(0, INDICES, shape)
    return data.astype(dtype) if shape else data.astype(dtype).item()


def assert_same(found: Any, expected: Any) -> None:
    """The same numbers, in tuples of arrays."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple)
        assert len(found) == len(expected)
        for f, e in zip(found, expected, strict=True):
            assert_same(f, e)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("file", "name"), CASES, ids=lambda value: value)
def test_kernels_compute_what_the_program_says(file: str, name: str):
    function = PROGRAMS[file].function(name)
    rng = np.random.default_rng(len(name))
    args = [random_argument(parameter.type, rng) for parameter in function.parameters]
    expected = function(*args, device="interp")
    assert_same(function(*args, device="cpu"), expected)
    as_tuple = expected if len(function.results) > 1 else (expected,)
    sizes = function.sizes(*args)
    checked = polycl.device("interp", check="strict")
    assert_same(function.lowered(sizes).run(args, checked), as_tuple)
    if name in NEED_SIZES:
        with pytest.raises(PolyclError, match="number"):
            LoweredFunction(function.op, sizes, specialize=False)
    elif sizes:
        for_all_sizes = LoweredFunction(function.op, sizes, specialize=False)
        assert_same(for_all_sizes.run(args, checked), as_tuple)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int):
    function = polycl.load(random_program(seed), language="mlir").function("f")
    x = random_argument(function.parameters[0].type, np.random.default_rng(seed))
    expected = function(x, device="interp")
    checked = polycl.device("interp", check="strict")
    assert_same(function.lowered({}).run([x], checked), (expected,))
    if seed % 4 == 0:
        assert_same(function(x, device="cpu"), expected)


def _barriers(lowered: LoweredFunction) -> list[BarrierOp]:
    return [op for op in lowered.program.module.walk() if isinstance(op, BarrierOp)]


@pytest.mark.parametrize("name", PROGRAMS["groups"].functions)
def test_no_barrier_is_superfluous(name: str):
    """Without any one of them there is a race."""
    function = PROGRAMS["groups"].function(name)
    args = [random_argument(p.type, np.random.default_rng(1)) for p in function.parameters]
    for number in range(len(_barriers(function.lowered({})))):
        lowered = LoweredFunction(function.op, {})
        _barriers(lowered)[number].detach()
        with pytest.raises(PolyclError, match="data race"):
            lowered.run(args, polycl.device("interp", check="strict"))


def test_how_many_barriers():
    """None where each work-item reads what it wrote; one for each step of a tree."""
    expected = {
        "neighbours": 1,
        "own": 0,
        "through_global": 1,
        "tree": 7,
        "tiles_in_turn": 2,
        "transposed_tile": 1,
        "barrier_in_rows": 1,
    }
    functions = PROGRAMS["groups"].functions
    found = {name: len(_barriers(functions[name].lowered({}))) for name in expected}
    assert found == expected


SCALE = """
func.func @scale(%x : !pattern.array<N, f32>, %a : f32) -> !pattern.array<N, f32>
    attributes {pattern.inplace = 0 : i64} {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.mulf %e, %a : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}
"""


def test_a_result_may_overwrite_an_argument():
    function = polycl.load(SCALE, language="mlir").function("scale")
    x = np.arange(100, dtype=np.float32)
    y = function(x, 2.0, device="cpu")
    assert np.shares_memory(x, y)
    np.testing.assert_array_equal(x, 2 * np.arange(100))
    with pytest.raises(polycl.ArgumentError, match="contiguous"):
        function(x[::2], 2.0, device="cpu")


def test_results_go_where_the_caller_says():
    function = PROGRAMS["maps"].function("global")
    x, out = np.ones(1000, np.float32), np.zeros(1000, np.float32)
    assert np.shares_memory(function(x, device="cpu", out=out), out)
    np.testing.assert_array_equal(out, 2 * x)


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_a_lowered_program_can_be_loaded_again(device: str):
    function = PROGRAMS["reductions"].function("accumulators")
    x = random_argument(function.parameters[0].type, np.random.default_rng(3))
    module = ModuleOp([function.op.clone()])
    run_pipeline(module, "pattern-to-ocl")
    again = polycl.load(str(module), language="mlir")
    assert list(again.kernels) == ["accumulators_0", "accumulators_1"]
    assert_same(again.function("accumulators")(x, device=device), function(x))
