"""What the host's loops over an array cost in lines, by hand, in both orders of a matrix."""

from __future__ import annotations

import pytest
from xdsl.dialects import memref

import polycl
from polycl.analysis.host.buffers import Group
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.host_loops import HostAccess, host_lines
from polycl.analysis.host.matrix import Cell, Shape, split
from polycl.analysis.host.plan import Plan
from polycl.analysis.ocl.index_expr import integer

PLAN = Plan(Group(), Shape(integer(100), integer(20)))


def lines(loops: str, element: str = "f32") -> tuple[float, float]:
    """Of the accesses in `loops` to a matrix of 100 x 20 on a host with lines of 64 bytes."""
    text = f"""
func.func @main(%h: memref<?x{element}>, %s: index, %t: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %c100 = arith.constant 100 : index
  {loops.replace("ELEMENT", element)}
  func.return
}}
"""
    module = polycl.load(text, language="mlir").module
    program = Program(module)
    cells: dict[HostAccess, Cell] = {}
    for op in module.walk():
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            cell = split(program.host(op).expr(op.indices[0]), PLAN.shape.columns)
            assert cell is not None
            cells[op] = cell
    return host_lines(cells, PLAN, program, {}, cache_line=64)


def two_loops(outer: str, inner: str) -> str:
    """Loops over all elements: `outer` and `inner` are a counter and its end."""
    return f"""
  scf.for {outer} step %c1 {{
    scf.for {inner} step %c1 {{
      %first = arith.muli %i, %c20 : index
      %at = arith.addi %first, %j : index
      %v = memref.load %h[%at] : memref<?xELEMENT>
    }}
  }}"""


BY_ROWS = two_loops("%i = %c0 to %c100", "%j = %c0 to %c20")
BY_COLUMNS = two_loops("%j = %c0 to %c20", "%i = %c0 to %c100")


@pytest.mark.parametrize(
    ("element", "now", "other"),
    [
        # 2000 accesses, 64 bytes in a line: next to each other, or 20 or 100 elements apart.
        ("i8", 2000 / 64, 2000),
        ("f32", 2000 / 16, 2000),
        ("f64", 2000 / 8, 2000),
    ],
)
def test_along_the_lines_and_across(element: str, now: float, other: float):
    assert lines(BY_ROWS, element) == pytest.approx((now, other))


def test_the_order_of_the_loops_decides():
    assert lines(BY_COLUMNS) == pytest.approx((2000, 2000 / 16))


def test_a_jump_within_a_line_is_a_part_of_one():
    """20 bytes between the elements of a column."""
    assert lines(BY_COLUMNS, "i8") == pytest.approx((2000 * 20 / 64, 2000 / 64))


def test_the_step_of_a_loop_counts():
    """Every third element of a row: 7 of 20."""
    loops = BY_ROWS.replace("to %c20 step %c1", "to %c20 step %c3")
    assert lines(loops) == pytest.approx((700 * 3 / 16, 700))


def test_what_does_not_move_stays_in_its_line():
    loops = """
  scf.for %k = %c0 to %c100 step %c1 {
    %v = memref.load %h[%s] : memref<?xELEMENT>
  }"""
    assert lines(loops) == (0, 0)


def test_outside_of_loops_nothing_is_counted():
    assert lines("%v = memref.load %h[%c3] : memref<?xELEMENT>") == (0, 0)


def test_rounds_that_are_not_known_are_32():
    loops = """
  scf.for %k = %c0 to %s step %c1 {
    %first = arith.muli %k, %c20 : index
    %v = memref.load %h[%first] : memref<?xELEMENT>
  }"""
    assert lines(loops) == pytest.approx((32, 32 / 16))


def test_a_loop_back_costs_the_same():
    """From the last element of each row to its first."""
    loops = BY_ROWS.replace(
        "%at = arith.addi %first, %j",
        "%e = arith.subi %c20, %j : index\n%l = arith.subi %e, %c1"
        " : index\n%at = arith.addi %first, %l",
    )
    assert lines(loops) == pytest.approx(lines(BY_ROWS))
