"""What each pattern computes, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.ir import Attribute

import polycl
from polycl.dialects.pattern.types import nats_in
from polycl.errors import ArgumentError, LaunchError

ADD = """{
    %t = arith.addf %a, %b : f32
    pattern.yield %t : f32
  }"""


def function(arguments: str, results: str, body: str) -> Any:
    """A function of this body; `%r` in it is the result, `%r` and `%q` are two."""
    names = ", ".join(["%r", "%q"][: results.count(";") + 1])
    types = ", ".join(results.split(";"))
    text = (
        f"func.func @f({arguments}) -> ({types}) {{\n{body}\n  func.return {names} : {types}\n}}\n"
    )
    return polycl.load(text, language="mlir").function("f")


def run(arguments: str, results: str, body: str, *args: Any) -> Any:
    """What such a function returns. Its shapes are those that the types say."""
    called = function(arguments, results, body)
    returned = called(*args)
    sizes = called.sizes(*args)
    values = returned if len(called.results) > 1 else (returned,)
    for type, value in zip(called.results, values, strict=True):
        for part in value if isinstance(value, tuple) else (value,):
            assert list(part.shape[: rank(type)]) == [n.evaluate(sizes) for n in nats_in(type)]
    return returned


def rank(type: Attribute) -> int:
    """How many nested arrays there are."""
    return len(list(nats_in(type)))


def array(*sizes: int | str, of: str = "f32") -> str:
    return f"!pattern.array<{', '.join(map(str, sizes))}, {of}>"


def numbers(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("kind", ["map", "map_seq", "map_global", "map_workgroup", "map_local"])
def test_every_map_applies_its_function(kind: str):
    body = f"""
  %r = pattern.{kind} %x as %e: f32 {{
    %s = arith.mulf %e, %k : f32
    pattern.yield %s : f32
  }} : {array("N")}"""
    x = numbers(7)
    assert (run(f"%x: {array('N')}, %k: f32", array("N"), body, x, 3.0) == x * np.float32(3)).all()


def test_a_map_of_maps():
    body = f"""
  %r = pattern.map %x as %row: {array("M")} {{
    %i = pattern.map %row as %e: f32 {{
      %s = math.absf %e : f32
      pattern.yield %s : f32
    }} : {array("M")}
    pattern.yield %i : {array("M")}
  }} : {array("N", "M")}"""
    x = numbers(3, 5)
    assert (run(f"%x: {array('N', 'M')}", array("N", "M"), body, x) == np.abs(x)).all()


def test_a_map_to_tuples_and_unzip():
    body = f"""
  %t = pattern.map %x as %e: f32 {{
    %s = math.absf %e : f32
    pattern.yield %s, %e : f32, f32
  }} : {array("N", of="tuple<f32, f32>")}
  %r, %q = pattern.unzip %t : {array("N")}, {array("N")}"""
    x = numbers(4)
    r, q = run(f"%x: {array('N')}", f"{array('N')};{array('N')}", body, x)
    assert (r == np.abs(x)).all()
    assert (q == x).all()


def test_an_array_of_tuples_is_a_tuple_of_arrays():
    type = array("N", of="tuple<f32, i32>")
    body = f"""
  %r = pattern.map %x as (%f: f32, %i: i32) {{
    pattern.yield %i, %f : i32, f32
  }} : {array("N", of="tuple<i32, f32>")}"""
    f, i = numbers(3), np.array([-1, 5, 7], np.int32)
    swapped = run(f"%x: {type}", array("N", of="tuple<i32, f32>"), body, (f, i))
    assert isinstance(swapped, tuple)
    assert swapped[0].dtype == np.int32
    assert (swapped[0] == i).all()
    assert (swapped[1] == f).all()


@pytest.mark.parametrize("kind", ["reduce", "reduce_seq"])
def test_a_reduction_goes_from_left_to_right(kind: str):
    body = f"""
  %r = pattern.{kind} %x init %z as %a: f32, %b: f32 {{
    %t = arith.subf %b, %a : f32
    pattern.yield %t : f32
  }} : {array(1)}"""
    x = numbers(9)
    expected = np.float32(0.5)
    for value in x:
        expected = value - expected
    assert run(f"%x: {array('N')}, %z: f32", array(1), body, x, 0.5) == [expected]


def test_reduce_seq_may_change_the_type():
    body = f"""
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0.0 : f32
  %r = pattern.reduce_seq %x init %zero as %n: i32, %e: f32 {{
    %more = arith.addi %n, %one : i32
    %c = arith.cmpf ogt, %e, %limit : f32
    %s = arith.select %c, %more, %n : i32
    pattern.yield %s : i32
  }} : {array(1, of="i32")}"""
    x = numbers(50)
    assert run(f"%x: {array('N')}", array(1, of="i32"), body, x) == [(x > 0).sum()]


def test_a_reduction_of_tuples():
    # The largest element and its index.
    pair = "tuple<f32, index>"
    body = f"""
  %ids = pattern.generate as %i: index {{
    pattern.yield %i : index
  }} : {array("N", of="index")}
  %both = pattern.zip %x, %ids : {array("N", of=pair)}
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : index
  %z = pattern.tuple %low, %none : {pair}
  %best = pattern.reduce %both init %z as (%v: f32, %k: index), (%w: f32, %l: index) assoc {{
    %c = arith.cmpf ogt, %w, %v : f32
    %m = arith.select %c, %w, %v : f32
    %n = arith.select %c, %l, %k : index
    pattern.yield %m, %n : f32, index
  }} : {array(1, of=pair)}
  %r, %q = pattern.unzip %best : {array(1)}, {array(1, of="index")}"""
    x = numbers(20)
    largest, place = run(f"%x: {array('N')}", f"{array(1)};{array(1, of='index')}", body, x)
    assert largest == [x.max()]
    assert place == [x.argmax()]


def test_part_red_reduces_neighbours():
    body = f"""
  %z = arith.constant 0.0 : f32
  %r = pattern.part_red %x init %z as %a: f32, %b: f32 assoc {ADD} : {array("M")}"""
    x = numbers(24)
    result = run(f"%x: {array('4*M')}", array("M"), body, x)
    assert (result == np.add.accumulate(x.reshape(6, 4), axis=1)[:, -1]).all()


def test_iterate_halves_as_often_as_it_says():
    body = f"""
  %z = arith.constant 0.0 : f32
  %r = pattern.iterate 3 %x size S as %v: {array("2*S")} {{
    %h = pattern.part_red %v init %z as %a: f32, %b: f32 assoc {ADD} : {array("S")}
    pattern.yield %h : {array("S")}
  }} : {array("N")}"""
    x = numbers(40)
    expected = x
    for _ in range(3):
        expected = expected[0::2] + expected[1::2]
    assert (run(f"%x: {array('8*N')}", array("N"), body, x) == expected).all()


def test_iterate_of_one_size():
    body = f"""
  %r = pattern.iterate 4 %x as %v: {array("N")} {{
    %h = pattern.map %v as %e: f32 {{
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    }} : {array("N")}
    pattern.yield %h : {array("N")}
  }} : {array("N")}"""
    x = numbers(5)
    assert (run(f"%x: {array('N')}", array("N"), body, x) == 16 * x).all()


def test_split_and_join():
    x = numbers(12)
    body = f"  %r = pattern.split %x by 3 : {array('N', 3)}"
    assert (run(f"%x: {array('3*N')}", array("N", 3), body, x) == x.reshape(4, 3)).all()
    body = f"  %r = pattern.join %x : {array('3*N')}"
    assert (run(f"%x: {array('N', 3)}", array("3*N"), body, x.reshape(4, 3)) == x).all()


def test_split_by_a_variable():
    x, y = numbers(12), numbers(4)
    body = f"  %r = pattern.split %x by M : {array('N', 'M')}"
    arguments = f"%x: {array('N*M')}, %y: {array('M')}"
    assert (run(arguments, array("N", "M"), body, x, y) == x.reshape(3, 4)).all()


def test_transpose():
    x = numbers(3, 4, 2)
    body = f"  %r = pattern.transpose %x : {array('M', 'N', 2)}"
    result = run(f"%x: {array('N', 'M', 2)}", array("M", "N", 2), body, x)
    assert (result == x.transpose(1, 0, 2)).all()


@pytest.mark.parametrize("op", ["reorder", "to_local", "to_global", "to_private"])
def test_what_leaves_an_array_as_it_is(op: str):
    x = numbers(5)
    assert (
        run(f"%x: {array('N')}", array("N"), f"%r = pattern.{op} %x : {array('N')}", x) == x
    ).all()


def test_reorder_stride_reads_a_stride_apart():
    # out[i] = in[i / n + s * (i mod n)], [lift15, section 3.2].
    x, s, n = numbers(12), 4, 3
    body = f"  %r = pattern.reorder_stride %x by {s} : {array('4*N')}"
    expected = [x[i // n + s * (i % n)] for i in range(12)]
    assert (run(f"%x: {array('4*N')}", array("4*N"), body, x) == expected).all()


@pytest.mark.parametrize(("size", "step"), [(3, 1), (2, 2), (4, 3), (1, 1)])
def test_slide(size: int, step: int):
    x = numbers(10)
    count = (10 - size) // step + 1
    body = f"  %r = pattern.slide %x size {size} step {step} : {array(count, size)}"
    windows = np.lib.stride_tricks.sliding_window_view(x, size)[::step]
    assert (run(f"%x: {array(10)}", array(count, size), body, x) == windows).all()


@pytest.mark.parametrize(
    ("mode", "numpy_mode"), [("clamp", "edge"), ("mirror", "symmetric"), ("wrap", "wrap")]
)
def test_pad(mode: str, numpy_mode: Any):
    x = numbers(3)
    body = f"  %r = pattern.pad %x left 7 right 5 {mode} : {array('N + 12')}"
    result = run(f"%x: {array('N')}", array("N + 12"), body, x)
    assert (result == np.pad(x, (7, 5), mode=numpy_mode)).all()


def test_pad_with_a_constant_row():
    x, row = numbers(2, 3), numbers(3)
    body = f"  %r = pattern.pad %x left 1 right 0 constant %v : {array('N + 1', 'M')}"
    arguments = f"%x: {array('N', 'M')}, %v: {array('M')}"
    result = run(arguments, array("N + 1", "M"), body, x, row)
    assert (result == np.vstack([row, x])).all()


def test_zip_of_three():
    body = f"""
  %t = pattern.zip %x, %y, %x : {array("N", of="tuple<f32, f32, f32>")}
  %r = pattern.map %t as %e: tuple<f32, f32, f32> {{
    %s = pattern.get %e[1] : f32
    pattern.yield %s : f32
  }} : {array("N")}"""
    x, y = numbers(4), numbers(4) + 1
    assert (run(f"%x: {array('N')}, %y: {array('N')}", array("N"), body, x, y) == y).all()


@pytest.mark.parametrize("type", ["i8", "i32", "i64", "index"])
def test_gather_and_at(type: str):
    body = f"""
  %r = pattern.gather %x, %i : {array("M")}
  %q = pattern.map %i as %k: {type} {{
    %e = pattern.at %x[%k] : f32
    pattern.yield %e : f32
  }} : {array("M")}"""
    x = numbers(6)
    ids = np.array([5, 0, 0, 3], {"i8": np.int8, "i32": np.int32}.get(type, np.int64))
    arguments = f"%x: {array('N')}, %i: {array('M', of=type)}"
    for result in run(arguments, f"{array('M')};{array('M')}", body, x, ids):
        assert (result == x[ids]).all()


@pytest.mark.parametrize("index", [-1, 6])
def test_an_index_outside_is_an_error(index: int):
    body = f"  %r = pattern.gather %x, %i : {array('M')}"
    arguments = f"%x: {array('N')}, %i: {array('M', of='i32')}"
    message = f"3:3: error: index {index} is outside of the array of 6 elements"
    with pytest.raises(LaunchError, match=message):
        run(arguments, array("M"), "\n" + body, numbers(6), np.array([0, index], np.int32))


def test_generate():
    body = f"""
  %r = pattern.generate as %i: index {{
    %j = arith.muli %i, %i : index
    pattern.yield %j : index
  }} : {array("N + 1", of="index")}"""
    result = run(f"%x: {array('N')}", array("N + 1", of="index"), body, numbers(4))
    assert (result == np.arange(5) ** 2).all()


def test_vectors_of_the_innermost_dimension():
    x = numbers(2, 8)
    body = f"  %r = pattern.as_vector %x by 4 : {array('N', 2, of='vector<4xf32>')}"
    type = array("N", 2, of="vector<4xf32>")
    vectors = run(f"%x: {array('N', 8)}", type, body, x)
    assert (vectors == x.reshape(2, 2, 4)).all()
    body = f"  %r = pattern.as_scalar %x : {array('N', 8)}"
    assert (run(f"%x: {type}", array("N", 8), body, vectors) == x).all()


def test_vectors_of_tuples():
    pair, vectors = "tuple<f32, i32>", "tuple<vector<2xf32>, vector<2xi32>>"
    body = f"""
  %v = pattern.as_vector %x by 2 : {array("N", of=vectors)}
  %m = pattern.map %v as (%f: vector<2xf32>, %i: vector<2xi32>) {{
    %g = arith.addf %f, %f : vector<2xf32>
    pattern.yield %g, %i : vector<2xf32>, vector<2xi32>
  }} : {array("N", of=vectors)}
  %r = pattern.as_scalar %m : {array("2*N", of=pair)}"""
    f, i = numbers(6), np.arange(6, dtype=np.int32)
    type = array("2*N", of=pair)
    doubled, same = run(f"%x: {type}", type, body, (f, i))
    assert (doubled == 2 * f).all()
    assert (same == i).all()


def test_vect_is_the_function_of_each_lane():
    body = f"""
  %v = pattern.as_vector %x by 4 : {array("N", of="vector<4xf32>")}
  %m = pattern.map %v as %e: vector<4xf32> {{
    %s, %d = pattern.vect %e, %e as %a: f32, %b: f32 {{
      %t = arith.mulf %a, %k : f32
      %u = arith.addf %t, %b : f32
      pattern.yield %u, %b : f32, f32
    }} : vector<4xf32>, vector<4xf32>
    %q = arith.subf %s, %d : vector<4xf32>
    pattern.yield %q : vector<4xf32>
  }} : {array("N", of="vector<4xf32>")}
  %r = pattern.as_scalar %m : {array("4*N")}"""
    x, k = numbers(8), np.float32(0.3)
    result = run(f"%x: {array('4*N')}, %k: f32", array("4*N"), body, x, float(k))
    assert (result == (x * k + x) - x).all()


def test_integers_keep_their_sign_and_wrap():
    body = f"""
  %r = pattern.map %x as %e: i8 {{
    %s = arith.addi %e, %e : i8
    pattern.yield %s : i8
  }} : {array("N", of="i8")}"""
    x = np.array([-3, 100, 127], np.int8)
    type = array("N", of="i8")
    assert (run(f"%x: {type}", type, body, x) == x + x).all()
    assert (run(f"%x: {type}", type, body, x.view(np.uint8)) == x + x).all()


def test_control_flow_in_a_function():
    body = f"""
  %zero = arith.constant 0.0 : f32
  %r = pattern.map %x as %e: f32 {{
    %c = arith.cmpf olt, %e, %zero : f32
    %s = scf.if %c -> (f32) {{
      scf.yield %zero : f32
    }} else {{
      scf.yield %e : f32
    }}
    pattern.yield %s : f32
  }} : {array("N")}"""
    x = numbers(10)
    assert (run(f"%x: {array('N')}", array("N"), body, x) == np.maximum(x, 0)).all()


@pytest.mark.parametrize("value", [-3, 200, np.int8(-3), np.uint8(200), True])
def test_an_integer_argument(value: Any):
    body = f"""
  %r = pattern.generate as %i: index {{
    pattern.yield %v : i8
  }} : {array(1, of="i8")}"""
    result = run("%v: i8", array(1, of="i8"), body, value)
    assert result.view(np.uint8) == [int(value) % 256]


@pytest.mark.parametrize("value", [2.5, 256, -129, "3", np.zeros(1, np.int8)])
def test_what_is_no_integer_argument(value: Any):
    same = function(f"%x: {array(1)}, %v: i8", array(1), f"%r = pattern.reorder %x : {array(1)}")
    with pytest.raises(ArgumentError, match="parameter v: i8: expected an integer of 8 bits"):
        same(numbers(1), value)


IDENTITY = f"  %r = pattern.reorder %x : {array('4*N')}"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), r"function 'f' takes 1 arguments \(x: .*\), got 0"),
        ((numbers(6),), r"the size 4\*N cannot be 6: N is an integer"),
        ((numbers(4).astype(float),), "expected an array of float32, 1-dimensional, got an array"),
        ((numbers(4, 4),), "expected an array of float32, 1-dimensional, got an array"),
        (([1.0] * 4,), "expected an array of float32, 1-dimensional, got list"),
    ],
)
def test_arguments_that_do_not_fit(args: Any, message: str):
    with pytest.raises(ArgumentError, match=message):
        run(f"%x: {array('4*N')}", array("4*N"), IDENTITY, *args)


def test_assumptions_are_checked():
    text = f"""
func.func @f(%x: {array("N")}) -> {array("N")}
    attributes {{pattern.sizes = [#pattern.size<N, min = 8, divisible_by = 4>]}} {{
  func.return %x : {array("N")}
}}"""
    same = polycl.load(text, language="mlir").function("f")
    assert len(same(numbers(12))) == 12
    for count in (4, 10):
        with pytest.raises(ArgumentError, match="expected at least 8 and a multiple of 4"):
            same(numbers(count))


def test_a_size_that_no_argument_has():
    body = f"""
  %r = pattern.generate as %i: index {{
    pattern.yield %i : index
  }} : {array("M", of="index")}"""
    with pytest.raises(ArgumentError, match="no argument determines the size M of the result"):
        run(f"%x: {array('N')}", array("M", of="index"), body, numbers(3))


def test_a_step_limit():
    device = polycl.device("interp", max_steps=1000)
    body = f"""
  %r = pattern.map %x as %e: f32 {{
    %s = math.absf %e : f32
    pattern.yield %s : f32
  }} : {array("N")}"""
    absolute = function(f"%x: {array('N')}", array("N"), body)
    absolute(numbers(100), device=device)
    with pytest.raises(LaunchError, match="more than 1000 operations"):
        absolute(numbers(1000), device=device)
