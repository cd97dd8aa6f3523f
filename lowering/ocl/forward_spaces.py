"""`forward-spaces`: accesses through generic pointers name the address space, where it is known."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.build import Build

_ATOMICS = (ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp)


@dataclass(frozen=True)
class ForwardSpacesPass(ModulePass):
    """Access memory through the pointer that a generic one was cast from.

    ```
    %g = ocl.cast %p : ... private> to ... generic>
    %h = ocl.offset %g[%i] : ... generic>                 %h = ocl.offset %p[%i] : ... private>
    %v = ocl.load %h : ... generic>                ->     %v = ocl.load %h : ... private>
    ```

    In OpenCL C 2.0 and later the parameters of a function have such pointers. After it was inlined,
    an array in private or local memory is known as what it is, then. Pointers that control flow
    chooses or carries stay.
    """

    name = "forward-spaces"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        waiting = operations_of(op, ocl.CastOp)
        while waiting:
            cast = waiting.pop()
            space = ocl.space_of(cast.pointer)
            if space == AddressSpace.GENERIC or ocl.space_of(cast.result) != AddressSpace.GENERIC:
                continue
            for use in list(cast.result.uses):
                waiting += _forward(cast, use)
            if cast.result.first_use is None and cast.parent is not None:
                Rewriter.erase_op(cast)


def _forward(cast: ocl.CastOp, use: Use) -> list[ocl.CastOp]:
    """Let the user of a generic pointer use that which it was cast from; new generic pointers."""
    user, b = use.operation, Build(use.operation)
    # No atomic operation names private memory.
    is_private = ocl.space_of(cast.pointer) == AddressSpace.PRIVATE
    match user:
        case ocl.OffsetOp(index=index) if use.index == 0:
            moved = b.emit(ocl.OffsetOp(_own(cast, b), index))
        case ocl.MemberOp(field=field):
            moved = b.emit(ocl.MemberOp(_own(cast, b), field.data))
        case ocl.CastOp() if user.changes_sign:
            own = _own(cast, b)
            moved = b.emit(ocl.CastOp(own, ocl.pointer_type(own)))
        case ocl.CastOp():
            moved = cast.pointer
        case ocl.StoreOp() | ocl.VStoreOp() if use.index == 1:
            user.operands[1] = _own(cast, b)
            return []
        case ocl.LoadOp() | ocl.VLoadOp() if use.index == 0:
            user.operands[0] = _own(cast, b)
            return []
        case _ if isinstance(user, _ATOMICS) and use.index == 0 and not is_private:
            user.operands[0] = _own(cast, b)
            return []
        case _:
            return []
    moved.name_hint = user.results[0].name_hint
    new = ocl.CastOp(moved, ocl.pointer_type(user.results[0]))
    Rewriter.replace_op(user, new)
    return [new]


def _own(cast: ocl.CastOp, b: Build) -> SSAValue:
    """The pointer before a cast, to the type that it was cast to."""
    type = ocl.PtrType(ocl.pointee_of(cast.result), ocl.space_of(cast.pointer))
    if cast.pointer.type == type:
        return cast.pointer
    return b.emit(ocl.CastOp(cast.pointer, type))
