"""Private memory that only ever has an argument of the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from polycl.analysis.ocl.addresses import is_parameter
from polycl.dialects import ocl


def argument_in(pointers: Sequence[SSAValue]) -> SSAValue | None:
    """The parameter of the kernel that is all that is written to the memory at `pointers`.

    It is written as a whole, and what is read is read by loads.
    """
    uses: list[ocl.LoadOp | ocl.VLoadOp | ocl.StoreOp] = []
    if not all(_find_uses(pointer, uses) for pointer in pointers):
        return None
    stores = [use for use in uses if isinstance(use, ocl.StoreOp)]
    if len(stores) != 1 or not is_parameter(stores[0].value):
        return None
    of_struct = stores[0].pointer in pointers and stores[0].index is None
    return stores[0].value if of_struct and stores[0].volatile is None else None


def _find_uses(pointer: SSAValue, uses: list[ocl.LoadOp | ocl.VLoadOp | ocl.StoreOp]) -> bool:
    """Collect what reads and writes by a pointer; whether nothing else uses it."""
    for use in pointer.uses:
        match use.operation:
            case ocl.LoadOp() | ocl.VLoadOp() as op:
                uses.append(op)
            case ocl.StoreOp() as op if op.value is not pointer:
                uses.append(op)
            case ocl.OffsetOp() | ocl.CastOp() | ocl.MemberOp() as op:
                if not _find_uses(op.result, uses):
                    return False
            case _:
                return False
    return True
