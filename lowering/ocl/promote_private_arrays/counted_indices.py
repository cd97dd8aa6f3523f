"""Loops that count what is added to an index, as loops that count the index."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointee_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.promote_private_arrays.accesses import accesses_of, count_of
from polycl.lowering.ocl.promote_private_arrays.limits import MOST_CHOSEN
from polycl.lowering.ocl.promote_private_arrays.ragged_loops import counter_of
from polycl.symbolic import atom, integer


def count_indices(alloca: ocl.AllocaOp) -> None:
    """Let loops count the indices of a small array, where data decide at which index they begin.

    ```
    scf.for %t = 0 to %k {               scf.for %u = -%k to 0 {
      ocl.load %a[%k - %t]        ->       ocl.load %a[-%u]
    ```
    """
    pointee = pointee_of(alloca.result)
    if not isinstance(pointee, ocl.ArrayType) or count_of(pointee) > MOST_CHOSEN:
        return
    for access in accesses_of(alloca.result) or ():
        loop = access.op.parent_op()
        if access.index is not None and isinstance(loop, scf.ForOp):
            _count_index(loop, access.index)


def _count_index(loop: scf.ForOp, index: SSAValue) -> None:
    counter, sum = counter_of(loop), linear(index)
    factor = sum.factors.get(counter)
    if factor not in (1, -1) or constant_value(loop.step) != 1:
        return
    moved = (sum - integer(sum.number)) * factor - atom(counter)
    bounds = [linear(bound) + moved for bound in (loop.lb, loop.ub)]
    # Of 64 bits, they might wrap.
    values = [*moved.factors, *bounds[0].factors, *bounds[1].factors]
    if not moved.factors or not all(
        isinstance(value.type, IntegerType) and value.type.width.data <= 32 for value in values
    ):
        return
    if any(loop.is_ancestor(value.owner) for value in moved.factors):
        return
    build = Build(loop)
    loop.operands[0], loop.operands[1] = (_built(build, bound) for bound in bounds)
    build = Build(loop, InsertPoint.at_start(loop.body.block))
    old = build.sub(counter, _built(build, moved))
    counter.replace_uses_with_if(old, lambda use: use.operation is not old.owner)


def _built(build: Build, sum: Linear) -> SSAValue:
    terms = [(build.as_index(value), factor) for value, factor in sum.factors.items()]
    return build.linear([*terms, (None, sum.number)] if sum.number else terms)
