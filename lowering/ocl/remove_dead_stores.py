"""`remove-dead-stores`: what is stored over before it can be read is not stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import are_apart, may_share_bytes
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free

_Place: TypeAlias = tuple[SSAValue, SSAValue | None]
_CONTROL = (scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp)


@dataclass(frozen=True)
class RemoveDeadStoresPass(ModulePass):
    """Leave out a store whose place is stored to again in its block, if nothing reads it before.

    ```
    ocl.store %x, %p[%i]
    %y = arith.mulf %x, %a           ->     %y = arith.mulf %x, %a
    ocl.store %y, %p[%i]                    ocl.store %y, %p[%i]
    ```

    So does `p[i] = x; p[i] *= a;`, once `share-values` knows what it loads. A store that lanes
    scatter, or make under a mask, is not left out by LLVM. Between the two may be loads of other
    bytes, or of other arrays: those of other parameters, if `distinct` states that they do not
    overlap. After a barrier others may read the place.
    """

    name = "remove-dead-stores"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            for region in inner.regions:
                for block in region.blocks:
                    _remove(block, self.distinct)


def _remove(block: Block, distinct: bool) -> None:
    stores = [op for op in block.ops if isinstance(op, ocl.StoreOp)]
    repeated = {place for place, count in Counter(map(_place, stores)).items() if count > 1}
    if not repeated:
        return
    later: dict[_Place, ocl.StoreOp] = {}
    for op in reversed(list(block.ops)):
        if isinstance(op, ocl.StoreOp) and op.volatile is None:
            place = _place(op)
            if place in later:
                Rewriter.erase_op(op)
            elif place in repeated:
                later[place] = op
            continue
        for inner in op.walk():
            if isinstance(inner, ocl.LoadOp) and inner.volatile is None:
                later = {
                    place: store
                    for place, store in later.items()
                    if not _may_read(inner, store, distinct)
                }
            elif not _is_plain(inner):
                later.clear()


def _place(store: ocl.StoreOp) -> _Place:
    return store.pointer, store.index


def _may_read(load: ocl.LoadOp, store: ocl.StoreOp, distinct: bool) -> bool:
    return not are_apart(load.pointer, store.pointer, distinct) and may_share_bytes(load, store)


def _is_plain(op: Operation) -> bool:
    """Whether an operation reads no memory, and lets nobody else read what is stored before it."""
    plain_store = isinstance(op, ocl.StoreOp) and op.volatile is None
    return plain_store or isinstance(op, _CONTROL) or is_side_effect_free(op)
