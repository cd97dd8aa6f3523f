"""How often the body of a counted loop runs."""

from __future__ import annotations

from xdsl.dialects import scf

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import constant_value


def trip_count(loop: scf.ForOp) -> int | None:
    """The number of iterations, where it is the same each time that the loop is reached."""
    distance, step = (linear(loop.ub) - linear(loop.lb)).constant, constant_value(loop.step)
    return None if distance is None or not step or step < 0 else max(0, -(-distance // step))
