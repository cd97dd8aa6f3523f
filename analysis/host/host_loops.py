"""The cost of the host's own accesses to an array in both layouts of a matrix.

The host is serial: an access fetches a line unless the previous iteration of the innermost loop was
in the same line. Its cost is the distance of two iterations in lines, at most 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import memref, scf
from xdsl.ir import Operation

from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.kernel_access import loops_around
from polycl.analysis.host.matrix import Cell
from polycl.analysis.host.plan import Plan
from polycl.analysis.host.reuse_distance import ROUNDS
from polycl.analysis.host.samples import frequency, sampled
from polycl.analysis.ocl.index_expr import Expr
from polycl.dialects.host.buffers import element_type
from polycl.dialects.ocl.layout import stride_of

HostAccess = memref.LoadOp | memref.StoreOp


def host_lines(
    cells: Mapping[HostAccess, Cell],
    plan: Plan,
    program: Program,
    samples: Mapping[str, int],
    cache_line: int,
) -> tuple[float, float]:
    """The number of lines that the accesses fetch in a run of the host, now and with rows and
    columns exchanged; `cells` are their positions in the matrix, `samples` are example sizes."""
    now = other = 0.0
    for op, cell in cells.items():
        index = cell.row * plan.shape.columns + cell.column
        exchanged = cell.exchanged(plan.shape.rows)
        now += lines_of(op, index, program, samples, cache_line)
        other += lines_of(op, exchanged, program, samples, cache_line)
    return now, other


def lines_of(
    op: HostAccess, index: Expr, program: Program, samples: Mapping[str, int], cache_line: int
) -> float:
    """The number of lines that an access to `index` fetches in a run of the host."""
    part = _step(op, index, program, samples) * stride_of(element_type(op.memref)) / cache_line
    return frequency(op, program, samples) * min(1.0, part)


def _step(op: Operation, index: Expr, program: Program, samples: Mapping[str, int]) -> int:
    """The distance in elements between the accesses of consecutive iterations."""
    host = program.host(op)
    loop = next(loops_around(op), None)
    if not isinstance(loop, scf.ForOp):
        return 0
    counter = str(host.expr(loop.body.block.args[0]))
    step = sampled(host.expr(loop.step), host, samples) or 1
    first, second = (
        sampled(index, host, {**samples, counter: number}) for number in (ROUNDS, ROUNDS + step)
    )
    return 0 if first is None or second is None else abs(second - first)
