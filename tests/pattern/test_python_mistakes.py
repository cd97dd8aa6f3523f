"""Mistakes in programs in Python: each message names the place in the source and the remedy."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from operator import add
from typing import Any

import numpy as np
import pytest

import polycl
import polycl.pattern as p
from polycl.pattern import (
    Array,
    M,
    N,
    f32,
    generate,
    i32,
    iterate,
    join,
    map,
    pad,
    part_red,
    program,
    reduce,
    slide,
    split,
    zip,
)

MISTAKES: list[tuple[Callable[[], Any], str]] = []
"""Functions with a mistake at `# here`, and the message."""


def mistake(message: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def keep(function: Callable[[], Any]) -> Callable[[], Any]:
        MISTAKES.append((function, message))
        return function

    return keep


@mistake(
    r"'\+': the operands have the types f32 and i32, expected one type; convert one of them: f32"
)
def operands_of_two_types():
    @program
    def wrong(x: Array[f32, N], i: Array[i32, N]):
        return map(lambda u, v: u + v) @ zip(x, i)  # here


@mistake("zip: expected arrays of one size, got the sizes N and M; take or pad one of them")
def zip_of_two_sizes():
    @program
    def wrong(x: Array[f32, N], y: Array[f32, M]):
        return zip(x, y)  # here


@mistake(
    "split: the size N/64 is not known to be an integer; "
    r'say N = size\("N", divisible_by=64\), or write a multiple, 64 \* N'
)
def split_of_any_size():
    @program
    def wrong(x: Array[f32, N]):
        return map(reduce(add, 0.0)) @ split(64) @ x  # here


@mistake("split: 4 does not divide the size 10; choose a divisor")
def split_with_a_rest():
    @program
    def wrong(x: Array[f32, 10]):
        return split(4, x)  # here


@mistake("the function wrong returns nothing; expected a value: end it with 'return ...'")
def missing_return():
    @program
    def wrong(x: Array[f32, N]):  # here
        map(lambda e: e + 1.0, x)


@mistake("the function f returns nothing; expected a value: end it with 'return ...'")
def missing_return_in_a_function():
    @program
    def wrong(x: Array[f32, N]):
        def f(e: p.Value):  # here
            e + 1.0  # pyright: ignore[reportUnusedExpression]

        return map(f, x)


@mistake("is not known while the program is built: 'if', 'and'.* write where\\(condition, a, b\\)")
def if_on_a_value():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: e if e > 0.0 else -e, x)  # here  # pyright: ignore


@mistake("the float 0.5 does not fit the type i32; write an integer, or convert")
def float_into_an_integer():
    @program
    def wrong(x: Array[i32, N]):
        return map(lambda e: e + 0.5, x)  # here


@mistake("map: the function <lambda> takes 2 parameters, expected 1: it is called with f32")
def too_many_parameters():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda a, b: a + b, x)  # here


@mistake("reduce: the function returns i32, expected f32, the type of the initial value; convert")
def reduction_to_another_type():
    @program
    def wrong(x: Array[f32, N]):
        return reduce(lambda a, b: i32(a + b), 0.0, x)  # here


@mistake("reduce: the initial value has the type i32, the elements have the type f32; .*reduce_seq")
def initial_value_of_another_type():
    @program
    def wrong(x: Array[f32, N]):
        return reduce(add, i32(0), x)  # here


@mistake("unknown name 'ofset'; did you mean 'offset'\\?; define it before the program")
def unknown_name():
    offset = 1.0

    @program
    def wrong(x: Array[f32, N]):
        assert offset
        return map(lambda e: e + ofset, x)  # here  # noqa: F821  # pyright: ignore


@mistake("unknown attribute 'sqr'; did you mean 'sqrt'")
def unknown_function():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: p.sqr(e), x)  # here  # pyright: ignore


@mistake("numpy array of float32 and shape \\(3,\\), which is captured; make it a parameter")
def captured_array():
    weights = np.ones(3, np.float32)

    @program
    def wrong(x: Array[f32, 3]):
        return zip(x, weights)  # here  # pyright: ignore


@mistake("numpy array of shape \\(3,\\) is captured; .* make it a parameter of the program")
def captured_array_in_arithmetic():
    weights: Any = np.ones(3, np.float32)

    @program
    def wrong(x: Array[f32, 3]):
        return map(lambda e: weights * e, x)  # here


@mistake("part_red: only an associative function can be reduced in parts.*assoc=True")
def parallel_reduction_of_any_function():
    @program
    def wrong(x: Array[f32, 4 * N]):
        return part_red(lambda a, b: a - b, 0.0, N, x)  # here


@mistake("part_red: each part starts at the initial value, which must be neutral.*neutral=True")
def parts_that_count_the_initial_value():
    @program
    def wrong(x: Array[f32, 4 * N]):
        return part_red(add, 5.0, N, x)  # here


@mistake("functions of the module math cannot take it; those of polycl.pattern")
def function_of_python():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: math.sqrt(e), x)  # here


@mistake("numpy's 'sqrt' cannot take a value of a program; .*polycl.pattern")
def function_of_numpy():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: np.sqrt(e), x)  # here  # pyright: ignore


@mistake("expected a type of polycl.pattern, got float; write f32")
def type_of_python():
    @program
    def wrong(x: Array[float, N]):  # pyright: ignore
        return x


@mistake("the parameter 'x' has no type; write x: Array\\[f32, N\\] or x: f32")
def no_type():
    @program
    def wrong(x):  # here  # pyright: ignore
        return x  # pyright: ignore


@mistake(
    "'\\+' is for numbers, this is a value of type Array\\[f32, N\\]; for each element write map"
)
def arithmetic_of_arrays():
    @program
    def wrong(x: Array[f32, N]):
        return x + x  # here


@mistake("returns the function map @ reduce, which is not applied to an array; write f\\(x\\)")
def pattern_without_an_array():
    @program
    def wrong(x: Array[f32, N]):  # here
        return map(p.exp) @ reduce(add, 0.0)


@mistake("split: expected an array as 'x', got 4; the array comes last: split\\(n, x\\)")
def array_first():
    @program
    def wrong(x: Array[f32, N]):
        return split(x, 4)  # here  # pyright: ignore


@mistake("returns the number 1.0, whose type is not known; write f32\\(1.0\\)")
def number_without_a_type():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: 1.0, x)  # here


@mistake("the type of two numbers of Python is not known; write i32\\(1\\)")
def a_choice_of_numbers_without_a_type():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: p.where(e > 0.0, 1, 0), x)  # here


@mistake("the initial value is missing; expected reduce\\(f, init, x")
def a_reduction_without_an_initial_value():
    @program
    def wrong(x: Array[f32, N]):
        return reduce(add, x)  # here


@mistake("an element of a value cannot be changed; write a new array: map")
def an_element_that_is_changed():
    @program
    def wrong(x: Array[f32, N]):
        x[0] = 1.0  # here  # pyright: ignore
        return x


@mistake("'&' is not defined for f32; put comparisons in parentheses")
def comparisons_without_parentheses():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: p.where(e > 0.0 & e < 1.0, e, 0.0), x)  # here  # pyright: ignore


@mistake("too many positional arguments; expected map.*write zip\\(x, y\\)")
def a_map_over_two_arrays():
    @program
    def wrong(x: Array[f32, N], y: Array[f32, N]):
        return map(add, x, y)  # here  # pyright: ignore


@mistake("expected a size, got 0.5.*in arithmetic it is f32\\(N\\)")
def half_a_size():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: e / (N * 0.5), x)  # here  # pyright: ignore


@mistake("it is no number in Python.*iterate\\(n, f\\) and generate\\(n, f\\) are its loops")
def a_loop_of_python_over_a_size():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: sum((e * k for k in range(N)), e), x)  # here


@program
def dot(x: Array[f32, N], y: Array[f32, N]):
    return reduce(add, 0.0) @ map(lambda a, b: a * b) @ zip(x, y)


@mistake("program 'dot', parameter y: expected Array\\[f32, N\\], got Array\\[f32, M\\]")
def call_of_a_program():
    @program
    def wrong(x: Array[f32, N], y: Array[f32, M]):
        return dot(x, y)  # here


@mistake("belongs to a function that has ended, or to another program; return it")
def value_of_a_function_that_has_ended():
    kept: list[Any] = []

    @program
    def wrong(x: Array[f32, N]):
        map(lambda e: kept.append(e) or e, x)
        return map(lambda e: e + kept[0], x)  # here


@mistake("returns Array\\[f32, N\\], expected Array\\[i32, N\\], the type after '->'")
def another_result():
    @program
    def wrong(x: Array[f32, N]) -> Array[i32, N]:  # here
        return map(lambda e: e, x)


@mistake("this builds a part of a program; expected it in a function with @program")
def outside_of_a_program():
    generate(N, lambda i: i)  # here


@mistake("join: expected an array of arrays, got Array\\[f32, N\\]")
def join_of_numbers():
    @program
    def wrong(x: Array[f32, N]):
        return join(x)  # here


@mistake("slide: a window of 9 elements is larger than Array\\[f32, 8\\]")
def large_window():
    @program
    def wrong(x: Array[f32, 8]):
        return slide(9, x)  # here


@mistake("pad: unknown mode 'reflect'; expected clamp, mirror, wrap, constant")
def unknown_mode():
    @program
    def wrong(x: Array[f32, N]):
        return pad(1, 1, x, mode="reflect")  # here  # pyright: ignore


@mistake("iterate: the function returns Array\\[i32, N\\] for Array\\[f32, N\\]; expected the same")
def iterate_of_another_type():
    @program
    def wrong(x: Array[f32, N]):
        return iterate(3, lambda v: map(lambda e: i32(e), v), x)  # here


@mistake("assumes that L is a multiple of 64; N is not known to be one")
def assumption_of_a_called_program():
    L = p.size("L", divisible_by=64)

    @program
    def rows(x: Array[f32, L]):
        return split(64, x)

    @program
    def wrong(x: Array[f32, N]):
        return rows(x)  # here


@mistake("scan: the function returns tuple.*, expected f32, the type of the initial value")
def scan_that_returns_a_pair():
    @program
    def wrong(x: Array[f32, N]):
        return p.scan(lambda a, b: (a, b), 0.0, x)  # here


@mistake(r"scatter: expected indices that are integers, got f32; convert them: map\(i32, ids\)")
def scatter_to_floats():
    @program
    def wrong(x: Array[f32, N], ids: Array[f32, N]):
        return p.scatter(add, ids, x, x)  # here


@mistake("scatter: N elements have M indices, expected one for each; take or pad")
def scatter_with_too_few_indices():
    @program
    def wrong(x: Array[f32, N], ids: Array[i32, M]):
        return p.scatter(add, ids, x) @ x  # here


@mistake("scatter: the elements have the type i32, .* into f32; expected one type: convert")
def scatter_of_other_elements():
    @program
    def wrong(x: Array[f32, N], ids: Array[i32, N]):
        return p.scatter(add, ids, x, ids)  # here


@mistake("filter: the function returns f32, expected a truth value, i1; write a comparison")
def filter_by_a_number():
    @program
    def wrong(x: Array[f32, N]):
        return p.filter(lambda e: e * 2.0, x)  # here


@mistake("sort: the function <lambda> takes 1 parameters, expected 2")
def sort_by_one_element():
    @program
    def wrong(x: Array[f32, N]):
        return p.sort(lambda e: e, x)  # here


@mistake("iterate: the function returns .*; expected the same type, as the number of iterations")
def iterations_that_shrink_a_symbolic_number_of_times():
    @program
    def wrong(x: Array[f32, 2 * N]):
        return iterate(M, lambda v: p.take(N, v), x)  # here


@mistake("pad: expected 0 elements or more on a side, got -1; .* take or drop for fewer")
def pad_by_less_than_nothing():
    @program
    def wrong(x: Array[f32, N]):
        return pad(-1, 1, x)  # here


@mistake("slide: expected a step of at least 1, got -1")
def slide_backwards():
    @program
    def wrong(x: Array[f32, N]):
        return slide(2, x, step=-1)  # here


@mistake("part_red: expected 1 part or more, got 0")
def no_parts():
    @program
    def wrong(x: Array[f32, N]):
        return part_red(add, 0.0, 0, x)  # here


@mistake(r"an array of N elements has no element N; the first is x\[0\]")
def element_behind_the_last():
    @program
    def wrong(x: Array[f32, N]):
        return map(lambda e: e + x[N], x)  # here


@mistake(r"take: expected at most N elements, got 1; .* Array\[f32, N \+ 1\]")
def the_first_of_none():
    @program
    def wrong(x: Array[f32, N]):
        return p.take(1, x)  # here


@mistake(r"the number 0.0 does not fit the type Array\[f32, N\]; for rows write map\(f, x\)")
def a_number_for_rows():
    @program
    def wrong(x: Array[f32, M, N]):
        return reduce(add, 0.0, x)  # here


@mistake("'\\*' is for numbers, this is a value of type Array.*; for each element write map")
def arithmetic_of_a_row():
    @program
    def wrong(x: Array[f32, M, N]):
        doubled = map(
            lambda row: row * 2.0  # here
        )
        return doubled(x)


@mistake(r"a value: unknown attribute 'sum'; functions come first: sqrt\(x\), reduce")
def a_method_of_numpy():
    @program
    def wrong(x: Array[f32, N]):
        return x.sum()  # here  # pyright: ignore


@mistake("the parameter 'y' has a default; a call has all arguments: leave it out")
def a_default():
    @program
    def wrong(x: Array[f32, N], y: f32 = 1.0):  # here  # pyright: ignore
        return map(lambda e: e * y, x)


@mistake(r"expected plain parameters, got '\*rest: .*'; write one for each array")
def any_number_of_arrays():
    @program
    def wrong(*rest: Array[f32, N]):  # here
        return rest[0]


@mistake("zip: expected at least two arrays, got 1; write zip")
def zip_of_one():
    @program
    def wrong(x: Array[f32, N]):
        return zip(x)  # here


@mistake("'max': expected a value of the program, got 3 and 4; .* builtins.max")
def the_maximum_of_numbers():
    p.max(3, 4)  # here


@pytest.mark.parametrize(
    ("function", "message"), MISTAKES, ids=[function.__name__ for function, _ in MISTAKES]
)
def test_the_message_names_the_place_and_the_remedy(function: Callable[[], Any], message: str):
    lines, first = inspect.getsourcelines(function)
    marked = [first + i for i, line in enumerate(lines) if "# here" in line]
    with pytest.raises(polycl.SourceError, match=message) as error:
        function()
    assert error.value.filename == __file__
    if marked:
        assert [error.value.line] == marked
    source = inspect.getsource(inspect.getmodule(function) or function)
    line = source.splitlines()[error.value.line - 1]
    assert line in str(error.value)
    assert line[error.value.col - 1 :].strip()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((np.zeros(3), np.zeros(3, np.float32)), "parameter x: .*float64.*astype\\(np.float32\\)"),
        ((np.zeros((3, 1), np.float32), np.zeros(3, np.float32)), "parameter x: .*1-dimensional"),
        ((np.zeros(3, np.float32), np.zeros(4, np.float32)), "parameter y: .*N is 3 here, got 4"),
        (([1.0, 2.0], np.zeros(2, np.float32)), "parameter x: .*expected an array of float32"),
        ((np.zeros(3, np.float32),), "takes 2 arguments"),
        (
            ([1.0], np.zeros(1, np.float32)),
            r"got list .*; convert it with np.array\(..., np.float32",
        ),
        ((np.zeros((1, 3), np.float32),) * 2, "got an array of float32, shape 1x3; reshape it"),
    ],
)
@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_a_call_that_does_not_fit(args: Any, message: str, device: str):
    with pytest.raises(polycl.ArgumentError, match=message):
        dot(*args, device=device)


def test_arguments_with_names():
    @program
    def scaled(a: f32, x: Array[f32, 4 * N]):
        return map(lambda e: a * e, x)

    x = np.ones(4, np.float32)
    for device in ("interp", "cpu"):
        assert scaled(x=x, a=2.0, device=device).tolist() == [2] * 4
        assert scaled(3.0, x=x, device=device).tolist() == [3] * 4
    with pytest.raises(
        polycl.ArgumentError, match="unknown parameter 'dev'; .* 'device' and 'out'"
    ):
        scaled(2.0, x, dev="cpu")
    with pytest.raises(polycl.ArgumentError, match="the parameter 'a' is given twice"):
        scaled(2.0, x, a=2.0)
    with pytest.raises(polycl.ArgumentError, match="takes 2 arguments .*, got 1"):
        scaled(x=x)
    with pytest.raises(polycl.ArgumentError, match=r"4\*N cannot be 6: .*; pass a multiple of 4"):
        scaled(2.0, np.ones(6, np.float32))
    with pytest.raises(polycl.ArgumentError, match=r"float32 \[4\]; got an array of float64"):
        scaled(2.0, x, out=np.empty(4))


def test_an_error_of_a_lowering_points_at_the_python_line():
    @program
    def nested(x: Array[Array[p.f32, 4], N]):
        return p.map_global(lambda row: p.map_local(lambda e: e * 2.0, row), x)

    line = inspect.currentframe().f_lineno - 2  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(polycl.PolyclError, match=re.escape(f"{__file__}:{line}:")):
        nested(np.zeros((3, 4), np.float32), device="cpu")


def test_a_failed_program_leaves_nothing_behind():
    with pytest.raises(polycl.SourceError):
        missing_return()
    with pytest.raises(polycl.SourceError, match="expected it in a function with @program"):
        outside_of_a_program()
