"""Loops of which LLVM makes vectors where one work-item runs them."""

from __future__ import annotations

from xdsl.dialects import arith, func, scf
from xdsl.ir import Block, Operation

from polycl.analysis.ocl.integers import wrapped
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.relaxed import is_relaxed
from polycl.dialects.vec import count_of
from polycl.lowering.wg.wg_vectorize.accesses import (
    MOST_STEPS,
    Access,
    access_stride,
    accessed_type,
)

SHORT = 16
"""Iterations of a loop that LLVM unrolls, and does not vectorize, unless its body is long."""

MOST_UNROLLED = 400
"""Operations, of all iterations together, of a short loop that LLVM unrolls. It allows 300
instructions, less what it expects to fold."""

LEAST_ITERATIONS = 4
"""Of a loop of which LLVM makes vectors."""


_SUMS = (
    arith.AddiOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MuliOp,
    arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp,
)  # fmt: skip


_NEUTRAL = (arith.AddiOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MuliOp)
"""Those of which LLVM makes vectors where some iterations are left out."""


def vectorizes_alone(op: Operation, steps: LoopStrides | None) -> bool:
    """Whether LLVM makes vectors of the iterations of a loop that one work-item runs: what it
    writes lies side by side, or is sums of integers (of floats, where options let these be
    reassociated), and what it reads is near to that of the next iteration, or the same.
    """
    return (
        isinstance(op, scf.ForOp)
        and steps is not None
        and all(_is_sum(op, number) for number in range(len(op.results)))
        and accesses_rows(op, steps)
    )


def accesses_rows(loop: scf.ForOp, steps: LoopStrides) -> bool:
    """Whether LLVM makes vectors of the iterations of a loop but for what it carries."""
    body = loop.body.block
    count = trip_count(loop)
    is_short = count is not None and count < SHORT
    if is_short and not _stays(loop):
        return False
    if any(inner.regions or isinstance(inner, func.CallOp) for inner in body.ops):
        return False
    accesses = [inner for inner in body.ops if isinstance(inner, Access)]
    if not (loop.results or any(isinstance(access, ocl.StoreOp) for access in accesses)):
        return False
    for access in accesses:
        stride, size = access_stride(steps, access, 0), size_of(accessed_type(access))
        if count_of(accessed_type(access)) > 1:
            return False
        if isinstance(access, ocl.StoreOp):
            # What a loop stores to private memory often becomes registers, once it is unrolled.
            is_private = ocl.space_of(access.pointer) == ocl.AddressSpace.PRIVATE
            if stride not in (size, -size) or (is_private and not is_short):
                return False
        elif stride is None or abs(stride) > MOST_STEPS * size:
            return False
    return True


def _stays(loop: scf.ForOp) -> bool:
    """Whether a short loop is too long to be unrolled, and has iterations for a vector."""
    count = trip_count(loop) or 0
    size = sum(not isinstance(op, arith.ConstantOp) for op in loop.body.block.ops)
    return count >= LEAST_ITERATIONS and count * size > MOST_UNROLLED


def _is_sum(loop: scf.ForOp, number: int) -> bool:
    """Whether the loop adds to what it carries, or the like, in any order with the same result; or
    does so in some iterations only, as one that counts."""
    carried = loop.body.block.args[number + 1]
    new = wrapped(terminator(loop.body.block).operands[number])
    users = {use.operation for use in carried.uses}
    kinds = _SUMS
    if isinstance(choice := new.owner, arith.SelectOp) and carried in (choice.lhs, choice.rhs):
        new = choice.rhs if choice.lhs is carried else choice.lhs
        users.discard(choice)
        kinds = _NEUTRAL if new.has_one_use() else ()
        return isinstance(new.owner, kinds) and users == {new.owner}
    return (isinstance(new.owner, kinds) or is_relaxed_sum(new.owner)) and users == {new.owner}


def is_relaxed_sum(op: Operation | Block) -> bool:
    """Whether an operation is a sum or a product of floats that options let be reassociated."""
    is_sum = isinstance(op, arith.AddfOp | arith.SubfOp | arith.MulfOp)
    return is_sum and is_relaxed(op)
