"""A bound on what a work-item executes, where the program's text has one."""

from __future__ import annotations

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, Region

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.uniformity import constant_index

_EXPANDED = 32
"""Instructions of an operation that is none of the processor, such as `sin` or a read of an image:
an estimate."""
_LONG = ("math.", *(f"ocl.{name}" for name in ("atomic", "builtin", "convert", "image", "printf")))
"""What the names of such operations begin with."""


def most_operations(region: Region) -> int | None:
    """Instructions that one execution of `region` takes at most, as an estimate: each operation
    as often as loops repeat it, a vector's once for each element. None: there is no bound, for
    example a loop whose trip count is not constant."""
    return _of_region(region, {})


def _of_region(region: Region, known: dict[Operation, int | None]) -> int | None:
    match list(region.blocks):
        case []:
            return 0
        case [block]:
            return _of_block(block, known)
        case _:
            # Branches between blocks may be a loop.
            return None


def _of_block(block: Block, known: dict[Operation, int | None]) -> int | None:
    total = 0
    for op in block.ops:
        number = _of_operation(op, known)
        if number is None:
            return None
        total += number
    return total


def _of_operation(op: Operation, known: dict[Operation, int | None]) -> int | None:
    match op:
        case arith.ConstantOp():
            return 0
        case func.CallOp():
            callee = callee_of(op)
            if callee not in known:
                # A recursive call has no bound.
                known[callee] = None
                known[callee] = _of_region(callee.body, known)
            return known[callee]
        case scf.ForOp():
            lower, upper, step = (constant_index(bound) for bound in (op.lb, op.ub, op.step))
            body = _of_region(op.body, known)
            if lower is None or upper is None or not step or step < 0 or body is None:
                return None
            return max(0, -(-(upper - lower) // step)) * (body + 1)
        case scf.WhileOp():
            return None
    parts = [_of_region(region, known) for region in op.regions]
    inner = [part for part in parts if part is not None]
    if len(inner) < len(parts):
        return None
    types = [value.type for value in (*op.results, *op.operands)]
    lanes = max((t.element_count() for t in types if isinstance(t, VectorType)), default=1)
    return sum(inner) + lanes * (_EXPANDED if op.name.startswith(_LONG) else 1)
