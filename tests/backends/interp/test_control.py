"""Control flow on the interpreter: structured, in blocks, and calls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polycl.errors import LaunchError, PolyclError

Interpret = Callable[..., None]

_HEAD = 'ocl.kernel @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {\n'


def _kernel(body: str) -> str:
    return _HEAD + "%i = ocl.global_id 0 : index\n" + body + "\n  ocl.return\n}"


def test_for_carries_values(interpret: Interpret) -> None:
    text = _kernel("""
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %a = arith.constant 0 : i32
  %b = arith.constant 1 : i32
  %x, %y = scf.for %n = %0 to %i step %1 iter_args(%p = %a, %q = %b) -> (i32, i32) {
    %s = arith.addi %p, %q : i32
    scf.yield %q, %s : i32, i32
  }
  ocl.store %x, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(8, np.int32)
    interpret(text, out, global_size=8)
    assert out.tolist() == [0, 1, 1, 2, 3, 5, 8, 13]


def test_for_counts_signed_bounds(interpret: Interpret) -> None:
    text = _kernel("""
  %lo = arith.constant -3 : index
  %hi = arith.constant 4 : index
  %st = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %r = scf.for %n = %lo to %hi step %st iter_args(%s = %z) -> (i32) {
    %m = arith.index_cast %n : index to i32
    %ten = arith.constant 10 : i32
    %t = arith.muli %s, %ten : i32
    %u = arith.addi %t, %m : i32
    scf.yield %u : i32
  }
  ocl.store %r, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(1, np.int32)
    interpret(text, out)
    assert out.tolist() == [(-3 * 10 + 0) * 10 + 3]


def test_for_needs_a_positive_step(interpret: Interpret) -> None:
    text = _kernel("""
  %0 = arith.constant 0 : index
  scf.for %n = %0 to %0 step %0 {
  }""")
    with pytest.raises(LaunchError, match="step of a loop must be positive, got 0"):
        interpret(text, np.zeros(1, np.int32))


def test_while_tests_before_each_round(interpret: Interpret) -> None:
    # Collatz steps of 1 + id.
    text = _kernel("""
  %g = arith.index_cast %i : index to i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %n = arith.addi %g, %one : i32
  %m, %steps = scf.while (%v = %n, %c = %zero) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ne, %v, %one : i32
    scf.condition(%go) %v, %c : i32, i32
  } do {
  ^bb0(%v: i32, %c: i32):
    %bit = arith.andi %v, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %w = scf.if %odd -> (i32) {
      %t = arith.muli %v, %three : i32
      %u = arith.addi %t, %one : i32
      scf.yield %u : i32
    } else {
      %u = arith.divui %v, %two : i32
      scf.yield %u : i32
    }
    %d = arith.addi %c, %one : i32
    scf.yield %w, %d : i32, i32
  }
  ocl.store %steps, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(7, np.int32)
    interpret(text, out, global_size=7)
    assert out.tolist() == [0, 1, 7, 2, 5, 8, 16]


def test_index_switch_and_execute_region(interpret: Interpret) -> None:
    text = _kernel("""
  %r = scf.index_switch %i -> i32
  case 1 {
    %c = arith.constant 11 : i32
    scf.yield %c : i32
  }
  case 3 {
    %c = arith.constant 33 : i32
    scf.yield %c : i32
  }
  default {
    %c = arith.constant -1 : i32
    scf.yield %c : i32
  }
  %s = scf.execute_region -> (i32) {
    %two = arith.constant 2 : i32
    %t = arith.muli %r, %two : i32
    scf.yield %t : i32
  }
  ocl.store %s, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(4, np.int32)
    interpret(text, out, global_size=4)
    assert out.tolist() == [-2, 22, -2, 66]


_BLOCKS = (
    _HEAD
    + """
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %i : index to i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %one, %n : i32, i32, i32)
^head(%a: i32, %b: i32, %left: i32):
  %done = arith.cmpi eq, %left, %zero : i32
  cf.cond_br %done, ^exit(%a : i32), ^body
^body:
  %next = arith.addi %a, %b : i32
  %fewer = arith.subi %left, %one : i32
  BARRIER
  cf.br ^head(%b, %next, %fewer : i32, i32, i32)
^exit(%r: i32):
  ocl.store %r, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}"""
)


def test_blocks(interpret: Interpret) -> None:
    out = np.zeros(8, np.int32)
    interpret(_BLOCKS.replace("BARRIER", ""), out, global_size=8)
    assert out.tolist() == [0, 1, 1, 2, 3, 5, 8, 13]


def test_blocks_with_a_barrier(interpret: Interpret) -> None:
    out = np.zeros(2, np.int32)
    text = _BLOCKS.replace("BARRIER", "ocl.barrier local")
    interpret(
        text.replace("index_cast %i", "index_cast %same").replace(
            "  %n =", "  %same = arith.constant 5 : index\n  %n ="
        ),
        out,
        global_size=2,
        local_size=2,
    )
    assert out.tolist() == [5, 5]


def test_block_arguments_are_assigned_at_once(interpret: Interpret) -> None:
    text = (
        _HEAD
        + """
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %t = arith.constant true
  %f = arith.constant false
  cf.br ^swap(%a, %b, %t : i32, i32, i1)
^swap(%x: i32, %y: i32, %again: i1):
  cf.cond_br %again, ^swap(%y, %x, %f : i32, i32, i1), ^exit
^exit:
  ocl.store %x, %out[%z] : !ocl.ptr<i32, global>
  ocl.store %y, %out[%o] : !ocl.ptr<i32, global>
  ocl.return
}"""
    )
    out = np.zeros(2, np.int32)
    interpret(text, out)
    assert out.tolist() == [20, 10]


def test_switch(interpret: Interpret) -> None:
    text = (
        _HEAD
        + """
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %i : index to i32
  %c = arith.constant 7 : i32
  cf.switch %n : i32, [
    default: ^exit(%c : i32),
    0: ^exit(%n : i32),
    2: ^other
  ]
^other:
  %d = arith.constant 9 : i32
  cf.br ^exit(%d : i32)
^exit(%r: i32):
  ocl.store %r, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}"""
    )
    out = np.zeros(4, np.int32)
    interpret(text, out, global_size=4)
    assert out.tolist() == [0, 7, 9, 7]


def test_call_with_several_results(interpret: Interpret) -> None:
    text = """
func.func @divmod(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  func.return %q, %r : i32, i32
}
""" + _kernel("""
  %n = arith.index_cast %i : index to i32
  %three = arith.constant 3 : i32
  %ten = arith.constant 10 : i32
  %q, %r = func.call @divmod(%n, %three) : (i32, i32) -> (i32, i32)
  %p, %unused = func.call @divmod(%q, %three) : (i32, i32) -> (i32, i32)
  %t = arith.muli %q, %ten : i32
  %s = arith.addi %t, %r : i32
  ocl.store %s, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(5, np.int32)
    interpret(text, out, global_size=5)
    assert out.tolist() == [0, 1, 2, 10, 11]


def test_function_in_blocks_returns_from_several(interpret: Interpret) -> None:
    text = """
func.func @sign(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %neg = arith.cmpi slt, %a, %zero : i32
  cf.cond_br %neg, ^minus, ^plus
^minus:
  %m = arith.constant -1 : i32
  func.return %m : i32
^plus:
  %p = arith.constant 1 : i32
  func.return %p : i32
}
""" + _kernel("""
  %n = arith.index_cast %i : index to i32
  %one = arith.constant 1 : i32
  %d = arith.subi %n, %one : i32
  %s = func.call @sign(%d) : (i32) -> i32
  ocl.store %s, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(2, np.int32)
    interpret(text, out, global_size=2)
    assert out.tolist() == [-1, 1]


def test_recursion_is_refused(interpret: Interpret) -> None:
    text = """
func.func @f(%a: i32) -> i32 {
  %r = func.call @f(%a) : (i32) -> i32
  func.return %r : i32
}
""" + _kernel("""
  %one = arith.constant 1 : i32
  %r = func.call @f(%one) : (i32) -> i32""")
    with pytest.raises(PolyclError, match=r"k\.mlir:3:3: error: recursive call of @f"):
        interpret(text, np.zeros(1, np.int32))


def test_unknown_operation_is_named(interpret: Interpret) -> None:
    text = _kernel("  %m = memref.alloca() : memref<4xi32>")
    with pytest.raises(PolyclError, match=r"k\.mlir:3:3: .*cannot execute 'memref.alloca'"):
        interpret(text, np.zeros(1, np.int32))


def test_failed_assertion(interpret: Interpret) -> None:
    text = _kernel('  %f = arith.constant false\n  cf.assert %f, "never"')
    with pytest.raises(LaunchError, match="assertion failed: never"):
        interpret(text, np.zeros(1, np.int32))
