"""Loops that LLVM unrolls for one tile, and must be told to unroll for several."""

from __future__ import annotations

from math import inf

from xdsl.dialects import scf
from xdsl.ir import Operation

from polycl.analysis.ocl.trip_count import trip_count

SHORT = 7
"""Iterations of a loop whose counter is used, as in sums over the neighbours of a point: products
of local tiles of 8 x 8 and 16 x 16 take 1.1 times as long unrolled (measured with Zen 4)."""

MOST_OPERATIONS = 1250
"""Of one tile, unrolled: LLVM takes 300, four times as many where it expects them to be folded."""

MOST_OF_ALL = 5000
"""Of all tiles: what is longer takes too long to compile."""


def is_unrolled(loop: scf.ForOp, tiles: int) -> bool:
    """Whether a loop of a body is to be unrolled as a whole where `tiles` share the body.

    Unrolled, numbers of elements are constants, private arrays are registers, and LLVM knows the
    loops of some functions, such as reversed bits: more than several tiles save (measured with
    Zen 4: reversed bits 7 times as fast, erosions, convolutions, stencils of 27 points 1.5 to 2).
    """
    size = _size(loop)
    return size <= MOST_OPERATIONS and size * tiles <= MOST_OF_ALL


def _size(op: Operation) -> float:
    """The operations that an operation and what it contains becomes; infinite for a loop that is
    none of this kind."""
    if isinstance(op, scf.WhileOp):
        return inf
    inside = sum(_size(inner) for region in op.regions for b in region.blocks for inner in b.ops)
    if not isinstance(op, scf.ForOp):
        return inside + 1
    count = trip_count(op)
    is_used = op.body.block.args[0].first_use is not None
    return inf if count is None or (is_used and count > SHORT) else count * inside
