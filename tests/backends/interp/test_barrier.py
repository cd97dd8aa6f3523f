"""Barriers on the interpreter: the order of work-items, divergence, async copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl.errors import LaunchError

Interpret = Callable[..., None]

_OUT = '%out: !ocl.ptr<i32, global> {ocl.name = "out"}'

# Each call of @note appends a number to %out, whose first element counts them.
_NOTE = """
func.func @note(%log: !ocl.ptr<i32, global>, %v: i32) {
  %one = arith.constant 1 : i32
  %old = ocl.atomic_rmw add %log, %one : !ocl.ptr<i32, global>
  %next = arith.addi %old, %one : i32
  %i = arith.index_cast %next : i32 to index
  ocl.store %v, %log[%i] : !ocl.ptr<i32, global>
  func.return
}
func.func @step(%log: !ocl.ptr<i32, global>, %v: i32) {
  func.call @note(%log, %v) : (!ocl.ptr<i32, global>, i32) -> ()
  ocl.barrier local
  func.return
}
"""


def _kernel(body: str, parameters: str = _OUT) -> str:
    return f"""
{_NOTE}
ocl.kernel @k({parameters}) {{
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %id = arith.index_cast %i : index to i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
{body}
  ocl.return
}}"""


def _note(name: str) -> str:
    return f"  func.call @note(%out, {name}) : (!ocl.ptr<i32, global>, i32) -> ()\n"


def _log(interpret: Interpret, text: str, **sizes: Any) -> list[int]:
    out = np.full(100, -99, np.int32)
    out[0] = 0
    interpret(text, out, **sizes)
    return out[1 : out[0] + 1].tolist()


_PLUS = "  %b = arith.addi %id, %c10 : i32\n"


def test_work_items_take_turns(interpret: Interpret) -> None:
    text = _kernel(_note("%id") + _PLUS + "  ocl.barrier local\n" + _note("%b"))
    assert _log(interpret, text, global_size=4, local_size=2) == [0, 1, 10, 11, 2, 3, 12, 13]


def test_without_a_barrier_one_after_the_other(interpret: Interpret) -> None:
    text = _kernel(_note("%id") + _PLUS + _note("%b"))
    assert _log(interpret, text, global_size=2, local_size=2) == [0, 10, 1, 11]


def test_order_of_groups_and_work_items(interpret: Interpret) -> None:
    text = _kernel(
        """
  %y = ocl.global_id 1 : index
  %yi = arith.index_cast %y : index to i32
  %t = arith.muli %yi, %c10 : i32
  %v = arith.addi %t, %id : i32
"""
        + _note("%v")
    )
    got = _log(interpret, text, global_size=(4, 2), local_size=(2, 2))
    assert got == [0, 1, 10, 11, 2, 3, 12, 13]


def test_barrier_in_a_function(interpret: Interpret) -> None:
    text = _kernel("""
  func.call @step(%out, %id) : (!ocl.ptr<i32, global>, i32) -> ()
  func.call @step(%out, %c10) : (!ocl.ptr<i32, global>, i32) -> ()""")
    assert _log(interpret, text, global_size=2, local_size=2) == [0, 1, 10, 10]


def test_barrier_in_a_counted_loop(interpret: Interpret) -> None:
    text = _kernel(
        """
  %r = scf.for %n = %i0 to %i2 step %i1 iter_args(%v = %id) -> (i32) {
    func.call @step(%out, %v) : (!ocl.ptr<i32, global>, i32) -> ()
    %w = arith.addi %v, %c10 : i32
    scf.yield %w : i32
  }
"""
        + _note("%r")
    )
    assert _log(interpret, text, global_size=2, local_size=2) == [0, 1, 10, 11, 20, 21]


@pytest.mark.parametrize("where", ["before", "after"])
def test_barrier_in_a_while_loop(interpret: Interpret, where: str) -> None:
    before, after = ("    ocl.barrier local", "") if where == "before" else ("", "    ocl.barrier")
    text = _kernel(
        f"""
  %r = scf.while (%v = %id) : (i32) -> i32 {{
{before}
    %go = arith.cmpi slt, %v, %c10 : i32
    scf.condition(%go) %v : i32
  }} do {{
  ^bb0(%v: i32):
    func.call @note(%out, %v) : (!ocl.ptr<i32, global>, i32) -> ()
{after}
    %five = arith.constant 5 : i32
    %w = arith.addi %v, %five : i32
    scf.yield %w : i32
  }}
"""
        + _note("%r")
    )
    assert _log(interpret, text, global_size=2, local_size=2) == [0, 1, 5, 6, 10, 11]


def test_barrier_in_a_uniform_branch(interpret: Interpret) -> None:
    text = _kernel(
        """
  %g = ocl.group_id 0 : index
  %first = arith.cmpi eq, %g, %i0 : index
  %r = scf.if %first -> (i32) {
    func.call @step(%out, %id) : (!ocl.ptr<i32, global>, i32) -> ()
    scf.yield %c10 : i32
  } else {
    scf.yield %id : i32
  }
"""
        + _note("%r")
    )
    assert _log(interpret, text, global_size=4, local_size=2) == [0, 1, 10, 10, 2, 3]


def _divergence(interpret: Interpret, text: str, local_size: int) -> str:
    with pytest.raises(LaunchError) as caught:
        _log(interpret, text, global_size=local_size, local_size=local_size)
    return str(caught.value)


def test_some_have_finished(interpret: Interpret) -> None:
    text = _kernel("""
  %first = arith.cmpi eq, %l, %i0 : index
  scf.if %first {
    ocl.barrier local
  }""")
    message = _divergence(interpret, text, 6)
    line = text.split("\n").index("    ocl.barrier local") + 1
    assert message == (
        f"k.mlir:{line}:5: error: divergent barrier in work-group (0, 0, 0): the work-item with "
        f"local id (0, 0, 0) waits at k.mlir:{line}:5, but work-items with local ids (1, 0, 0), "
        "(2, 0, 0), (3, 0, 0) and 2 more have finished; expected all work-items of the group to "
        "reach the same barrier"
    )


def test_at_different_barriers(interpret: Interpret) -> None:
    text = _kernel("""
  %first = arith.cmpi eq, %l, %i0 : index
  scf.if %first {
    ocl.barrier local
  } else {
    ocl.barrier global
  }""")
    lines = text.split("\n")
    one, two = (lines.index(f"    ocl.barrier {w}") + 1 for w in ("local", "global"))
    message = _divergence(interpret, text, 2)
    assert f"(0, 0, 0) waits at k.mlir:{one}:5, but" in message
    assert f"(1, 0, 0) waits at k.mlir:{two}:5;" in message


def test_different_numbers_of_rounds(interpret: Interpret) -> None:
    text = _kernel("""
  scf.for %n = %i0 to %l step %i1 {
    ocl.barrier local
  }""")
    assert "(0, 0, 0) has finished, but" in _divergence(interpret, text, 2)


def test_reduction_in_local_memory(interpret: Interpret) -> None:
    text = _kernel("""
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  ocl.store %id, %p[%l] : !ocl.ptr<i32, local>
  ocl.barrier local
  %n = ocl.local_size 0 : index
  %half = arith.divui %n, %i2 : index
  %end = scf.while (%s = %half) : (index) -> index {
    %go = arith.cmpi sgt, %s, %i0 : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%s: index):
    %active = arith.cmpi slt, %l, %s : index
    scf.if %active {
      %j = arith.addi %l, %s : index
      %a = ocl.load %p[%l] : !ocl.ptr<i32, local>
      %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
      %sum = arith.addi %a, %b : i32
      ocl.store %sum, %p[%l] : !ocl.ptr<i32, local>
    }
    ocl.barrier local
    %less = arith.divui %s, %i2 : index
    scf.yield %less : index
  }
  %r = ocl.load %p : !ocl.ptr<i32, local>
  ocl.store %r, %out[%i] : !ocl.ptr<i32, global>""")
    out = np.zeros(16, np.int32)
    interpret(text, out, global_size=16, local_size=8)
    assert out.tolist() == [28] * 8 + [92] * 8


def test_async_copy_in_and_out(interpret: Interpret) -> None:
    text = _kernel("""
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %m = ocl.alloca : !ocl.ptr<!ocl.event, private>
  %e0 = ocl.null_event
  %four = arith.constant 4 : index
  %three = arith.constant 3 : index
  %e = ocl.async_copy %p, %out, %four, %e0 stride %three
    : !ocl.ptr<i32, local>, !ocl.ptr<i32, global>
  ocl.store %e, %m : !ocl.ptr<!ocl.event, private>
  ocl.wait_events %i1, %m : !ocl.ptr<!ocl.event, private>
  %v = ocl.load %p[%l] : !ocl.ptr<i32, local>
  %w = arith.muli %v, %c10 : i32
  ocl.barrier local
  ocl.store %w, %p[%l] : !ocl.ptr<i32, local>
  ocl.barrier local
  %far = arith.constant 12 : index
  %q = ocl.offset %out[%far] : !ocl.ptr<i32, global>
  %f = ocl.async_copy %q, %p, %four, %e0 : !ocl.ptr<i32, global>, !ocl.ptr<i32, local>
  ocl.wait_events %i1, %m : !ocl.ptr<!ocl.event, private>""")
    out = np.arange(16, dtype=np.int32)
    interpret(text, out, global_size=4, local_size=4)
    assert out.tolist() == [*range(12), 0, 30, 60, 90]


def test_waiting_for_events_is_a_barrier(interpret: Interpret) -> None:
    text = _kernel("""
  %m = ocl.alloca : !ocl.ptr<!ocl.event, private>
  %first = arith.cmpi eq, %l, %i0 : index
  scf.if %first {
    ocl.wait_events %i1, %m : !ocl.ptr<!ocl.event, private>
  }""")
    assert "divergent barrier" in _divergence(interpret, text, 2)


def test_async_copy_is_checked(interpret: Interpret) -> None:
    text = _kernel("""
  %t = ocl.local_alloc : !ocl.ptr<i32, local>
  %e0 = ocl.null_event
  %e = ocl.async_copy %t, %out, %i2, %e0 : !ocl.ptr<i32, local>, !ocl.ptr<i32, global>""")
    with pytest.raises(LaunchError, match="write of 4 bytes at byte offset 4 is out of bounds: "):
        _log(interpret, text)
