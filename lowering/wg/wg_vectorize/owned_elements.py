"""What memory holds where only some lanes store: an element that no other work-item writes."""

from __future__ import annotations

from collections.abc import Container, Iterator

from xdsl.dialects import func, scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.addresses import address_of, may_share_bytes
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in


def orders_memory(region: Operation) -> bool:
    """Whether work-items may wait for one another in a region, or tell each other what they wrote:
    by atomic operations, fences and volatile accesses."""
    return any(map(may_order, operations_in(region)))


def may_order(op: Operation) -> bool:
    """Whether work-items may wait for one another, or tell each other what they wrote, by this."""
    match op:
        case ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp() | ocl.FenceOp() | func.CallOp():
            return True
        case ocl.LoadOp() | ocl.StoreOp():
            return op.volatile is not None
        case _:
            return False


def value_before(
    op: ocl.StoreOp, made_by_all: Container[ocl.LoadOp | ocl.StoreOp]
) -> SSAValue | None:
    """What the element of a store in a branch holds before: the value of an access that all
    work-items made there, of those in `made_by_all`.

    Another work-item that writes the element would race with that access (OpenCL 2.0, section
    3.3.6), in a region that orders no memory. So each work-item may write the element, with this
    value if it does not take the branch.
    """
    root, place = address_of(op)
    for access in _accesses_before(op):
        value = access.result if isinstance(access, ocl.LoadOp) else access.value
        other, its_place = address_of(access)
        apart = (its_place - place).constant if other is root else None
        if apart == 0 and value.type == op.value.type:
            return value if access in made_by_all else None
        if isinstance(access, ocl.StoreOp) and may_share_bytes(access, op):
            return None
    return None


def _accesses_before(op: Operation) -> Iterator[ocl.LoadOp | ocl.StoreOp]:
    """The accesses before the branches around `op`, from the last one on, up to other writes. What
    is written on the same side of a branch is written only by those who take it."""
    inside, around = op, op.parent_op()
    while isinstance(around, scf.IfOp):
        if inside.parent is not around.true_region.block and _writes(around.true_region.block):
            # The lanes that are off here have written there.
            return
        before = around.prev_op
        while before is not None:
            if isinstance(before, ocl.LoadOp | ocl.StoreOp):
                yield before
            elif _may_write(before):
                return
            before = before.prev_op
        inside, around = around, around.parent_op()


def _writes(block: Block) -> bool:
    return any(isinstance(op, ocl.StoreOp) or _may_write(op) for op in block.ops)


def _may_write(op: Operation) -> bool:
    return not isinstance(op, ocl.LoadOp | ocl.VLoadOp) and not is_side_effect_free(op)
