"""polycl.pattern builds the dialect's operations, with names, flags and sizes."""

from __future__ import annotations

import math
import runpy
from operator import add
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
import polycl.pattern as p
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.pattern import (
    Array,
    M,
    N,
    PythonProgram,
    f32,
    function,
    generate,
    i32,
    iterate,
    join,
    map,
    map_global,
    map_local,
    map_workgroup,
    part_red,
    program,
    reduce,
    reduce_seq,
    size,
    split,
    to_local,
    transpose,
    zip,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pattern"
figures: Any = SimpleNamespace(**runpy.run_path(str(EXAMPLES / "figures.py")))

RANDOM = np.random.default_rng(1)


def floats(*shape: int) -> NDArray[np.float32]:
    return RANDOM.standard_normal(shape).astype(np.float32)


# ---- the figures of [lift15] ----


def test_the_figures_in_the_notation_of_the_paper():
    assert str(figures.scal) == "def scal(a, x) = map(mult(a))(x)"
    assert str(figures.asum) == "def asum(x) = reduce(+,0) o map(abs)(x)"
    assert str(figures.dot) == "def dot(x, y) = reduce(+,0) o map(mult) o zip(x, y)"
    assert (
        str(figures.gemv).split()
        == (
            "def gemv(A, x, y, a, b) = map(+) o zip( join o map(λ row: map(mult(a)) o reduce(+,0) "
            "o map(mult) o zip(x, row))(A), map(mult(b))(y) )"
        ).split()
    )
    assert str(figures.black_scholes).endswith("= map(BSComputation)(s)")
    assert str(figures.md).endswith("= join o map(updateF) o zip(p, neighbours)")


FIGURES: dict[str, tuple[Any, ...]] = {
    "scal": (2.5, floats(30)),
    "asum": (floats(31),),
    "dot": (floats(37), floats(37)),
    "gemv": (floats(5, 7), floats(7), floats(5), 1.5, -2.0),
    "black_scholes": (np.linspace(10, 100, 11, dtype=np.float32), 40.0, 0.5, 0.03, 0.2),
    "md": (10 * floats(6, 4), RANDOM.integers(0, 6, (6, 3)).astype(np.int32), 900.0, 1.5, 2.0),
}


@pytest.mark.parametrize("device", ["interp", "cpu", "tta"])
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_are_the_examples_in_mlir(name: str, device: str):
    args = FIGURES[name]
    if name == "md":
        # A particle is no neighbour of itself.
        args[1][:] = (np.arange(6)[:, None] + 1 + args[1] % 5) % 6
    program: PythonProgram = getattr(figures, name)
    expected = polycl.load(EXAMPLES / f"{name}.mlir").function(name)(*args)
    found = program(*args, device=device)
    for a, b in [(found, expected)] if name != "black_scholes" else [*builtin_zip(found, expected)]:
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


def builtin_zip(a: Any, b: Any) -> list[tuple[Any, Any]]:
    return [(a[i], b[i]) for i in range(len(a))]


def test_the_figures_are_derived_as_the_examples_are():
    x, y = floats(1000), floats(1000)
    for name, args in (("dot", (x, y)), ("asum", (x,))):
        derived = getattr(figures, name).derived(EXAMPLES / "asum.any.deriv")
        expected = np.abs(x).sum() if name == "asum" else x @ y
        np.testing.assert_allclose(derived(*args, device="cpu"), [expected], rtol=1e-4)


# ---- what is built ----


def text_of(program: PythonProgram) -> str:
    return program.mlir


def test_plain_functions_are_known_to_be_associative():
    @program
    def known(x: Array[f32, N]):
        total = reduce(add, 0.0, x)
        product = reduce(lambda a, b: b * a, 1.0, x)
        return total, product, reduce(p.max, -math.inf, x)

    assert text_of(known).count("assoc comm") == 3

    @program
    def unknown(x: Array[f32, N]):
        return (
            reduce(lambda a, b: a - b, 0.0, x),
            reduce(lambda a, b: a + b * b, 0.0, x),
            reduce(add, 0.0, x, assoc=False, comm=False),
        )

    assert "assoc" not in text_of(unknown)

    @program
    def stated(x: Array[f32, N]):
        return reduce(lambda a, b: a + b + a * b, 0.0, x, assoc=True, neutral=True)

    assert "assoc neutral" in text_of(stated)


def test_names_of_functions_stay():
    @function(name="absAndPlus")
    def step(acc: f32, e: f32) -> f32:
        return acc + abs(e)

    def plain(e: p.Value):
        return e * e + 1.0

    @program
    def named(x: Array[f32, N]):
        return reduce_seq(step, 0.0) @ map(plain) @ x

    assert str(named) == "def named(x) = reduce-seq(absAndPlus,0) o map(plain)(x)"
    x = floats(5)
    np.testing.assert_allclose(named(x), [np.abs(x * x + 1).sum()], rtol=1e-5)


def test_a_called_program_takes_the_sizes_of_its_arguments():
    @program
    def rows(x: Array[f32, 4 * N]):
        return split(N, x)

    @program
    def both(x: Array[f32, 8 * M], y: Array[f32, 12]):
        return rows(x), rows(y)

    assert "by 2*M : !pattern.array<4, 2*M, f32>" in text_of(both)
    assert "by 3 : !pattern.array<4, 3, f32>" in text_of(both)


def test_assumptions_of_sizes_are_part_of_the_program():
    L = size("L", min=128, divisible_by=64)

    @program
    def chunks(x: Array[f32, L]):
        return split(64, x)

    assert "#pattern.size<L, min = 128, divisible_by = 64>" in text_of(chunks)
    with pytest.raises(polycl.ArgumentError, match="expected at least 128 and a multiple of 64"):
        chunks(floats(100))


def test_sizes_are_polynomials():
    assert str(2 * N * 3 + M - 1) == "M + 6*N - 1"
    assert (64 * N) // 8 == 8 * N
    assert N + M == M + N
    assert N != M

    @program
    def added(x: Array[f32, N], y: Array[f32, M]):
        return generate(N + M, lambda i: f32(i) * x[0] + y[0])

    assert added(floats(3), floats(4)).shape == (7,)


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_a_size_of_the_result_alone_is_that_of_out(device: str):
    @program
    def spread(x: Array[f32, 1]):
        return generate(2 * N, lambda i: f32(i) * x[0])

    x = np.array([3], np.float32)
    for n in (4, 0, 6):
        out = np.empty(n, np.float32)
        found = spread(x, device=device, out=out)
        assert np.shares_memory(found, out) or not n
        assert out.tolist() == (3 * np.arange(n)).tolist()
    with pytest.raises(polycl.ArgumentError, match=r"determines the size N .*; pass out=\.\.\."):
        spread(x, device=device)
    with pytest.raises(polycl.ArgumentError, match="cannot be 5"):
        spread(x, device=device, out=np.empty(5, np.float32))
    bound = spread.bind(x, device=device, out=np.empty(2, np.float32))
    assert bound.launch().tolist() == [0, 3]


def test_a_size_is_a_number_in_arithmetic():
    @program
    def numbers(x: Array[f32, N]):
        return map(lambda e: e * N + f32(2 * N) + f32(i32(N)), x)

    for device in ("interp", "cpu"):
        x = floats(5)
        np.testing.assert_allclose(numbers(x, device=device), x * 5 + 15, rtol=1e-6)


def test_a_mapped_program():
    @program
    def group(x: Array[f32, 128 * N]):
        def tree(v: p.Value):
            return join @ map_local(reduce_seq(add, 0.0)) @ split(2) @ v

        def one_group(c: p.Value):
            copy = to_local @ map_local(map_seq_id) @ split(1) @ c
            return map_local(map_seq_id) @ split(1) @ iterate(7, tree) @ join @ copy

        return join @ join @ map_workgroup(one_group) @ split(128) @ x

    assert "iterate-7(join o map-local(reduce-seq(+,0)) o split-2)" in str(group)
    x = floats(512)
    for device in ("interp", "cpu"):
        np.testing.assert_allclose(group(x, device=device), x.reshape(4, 128).sum(1), rtol=1e-4)


def map_seq_id(row: p.Value) -> p.Value:
    return p.map_seq(lambda e: e, row)


def test_the_other_patterns_of_opencl():
    @program
    def vectors(x: Array[f32, 32 * N]):
        v = p.as_vector(4) @ p.reorder @ p.reorder_stride(8) @ x
        w = map_global(p.vect(lambda a: a + 1.0), v, dim=1)
        return p.as_scalar @ p.to_global @ w

    found = text_of(vectors)
    for part in ("reorder_stride %x by 8", "map_global", "dim 1", "pattern.vect", "to_global"):
        assert part in found
    x = floats(64)
    expected = x[[i // 8 + 8 * (i % 8) for i in range(64)]] + 1
    np.testing.assert_allclose(vectors(x), expected)


def test_tuples():
    @program
    def swapped(x: Array[tuple[f32, i32], N]):
        a, b = p.unzip(x)  # pyright: ignore[reportArgumentType]
        first = p.get(0, x)  # pyright: ignore[reportArgumentType]
        return zip(b, map(lambda u, v: u + v) @ zip(a, first))

    x, k = floats(3), np.arange(3, dtype=np.int32)
    for device in ("interp", "cpu"):
        found = swapped((x, k), device=device)
        assert (found[0] == k).all()
        assert (found[1] == x + x).all()


def test_transposed_compositions_are_functions():
    both = transpose @ map(lambda r: r)

    @program
    def twice(x: Array[f32, N, M]):
        return both @ both @ x

    assert str(twice).count("transpose") == 2
    x = floats(2, 3)
    assert (twice(x) == x).all()


def test_derived_by_a_script():
    @program
    def total(x: Array[f32, 64 * N]):
        return reduce(add, 0.0) @ part_red(add, 0.0, N) @ x

    derived = total.derived(Derivation.parse("4b @"))
    x = floats(128)
    np.testing.assert_allclose(derived(x, device="cpu"), [x.sum()], rtol=1e-4)


def test_the_picture_has_a_box_for_each_pattern(tmp_path: Path):
    picture = figures.gemv.draw(tmp_path / "gemv.svg")
    assert (tmp_path / "gemv.svg").read_text(encoding="utf-8") == picture
    for label in ("A: M x K x f32", "map(mult(b))", "reduce(+,0)", "join", "result"):
        assert f">{label}</text>" in picture
    assert "map(mult(b))" in figures.gemv._repr_html_()


def test_a_program_runs_where_it_says():
    @program(device="cpu")
    def twice(x: Array[f32, N]):
        """Two times."""
        return map(lambda e: e + e, x)

    assert twice.__doc__ == "Two times."
    x = floats(3)
    assert (twice(x) == 2 * x).all()
    assert (twice(x, device="interp") == 2 * x).all()
