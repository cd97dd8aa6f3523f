"""Accesses of a work-item to neighbouring elements: `p[3 * i]`, `p[3 * i + 1]`, `p[3 * i + 2]`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from polycl.analysis.ocl.addresses import address_of, are_spaces_apart, may_share_bytes
from polycl.analysis.ocl.linear import Linear
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of


@dataclass(frozen=True)
class Neighbours:
    """Loads that can be made together."""

    distances: dict[ocl.LoadOp, int]
    """How many elements each is from the first of the loads."""
    low: int
    """The least distance."""


def neighbouring_loads(
    first: ocl.LoadOp,
    gap: int,
    address_of: Callable[[ocl.LoadOp | ocl.StoreOp], tuple[SSAValue, Linear]] = address_of,
) -> Neighbours:
    """`first` and the loads after it in its block that read one of the same `gap` elements, and
    nothing that is written in between: the same array at most, at known distances.

    Who asks for each load of a block gives an `address_of` that keeps what it computed."""
    root, place = address_of(first)
    type = ocl.pointee_of(first.pointer)
    distances, written = {first: 0}, list[ocl.StoreOp]()
    op = first.next_op
    while op is not None:
        match op:
            case ocl.LoadOp():
                if op.volatile is not None:
                    break
                other, its_place = address_of(op)
                is_apart = other is root and its_place.factors == place.factors
                if is_apart and ocl.pointee_of(op.pointer) == type:
                    distance, rest = divmod(its_place.number - place.number, stride_of(type))
                    is_near = rest == 0 and -gap < distance < gap
                    if is_near and not any(may_share_bytes(op, store) for store in written):
                        distances[op] = distance
            case ocl.StoreOp():
                if op.volatile is not None:
                    break
                if address_of(op)[0] is root:
                    written.append(op)
                elif not _is_elsewhere(op, first):
                    break
            case _ if not is_side_effect_free(op):
                break
            case _:
                pass
        op = op.next_op
    low = min(distances.values())
    return Neighbours({op: d for op, d in distances.items() if d < low + gap}, low)


def _is_elsewhere(op: ocl.StoreOp, other: ocl.LoadOp | ocl.StoreOp) -> bool:
    return are_spaces_apart(ocl.space_of(op.pointer), ocl.space_of(other.pointer))


def neighbouring_stores(first: ocl.StoreOp, gap: int) -> dict[int, ocl.StoreOp]:
    """`first` and the stores after it in its block that write others of the same `gap` elements, by
    their distances from it; each can be done with the last of them."""
    root, place = address_of(first)
    type = first.value.type
    found = {0: first}
    op = first.next_op
    while op is not None:
        match op:
            case ocl.StoreOp():
                other, its_place = address_of(op)
                apart = (its_place - place).constant
                if other is not root and op.volatile is None and _is_elsewhere(op, first):
                    op = op.next_op
                    continue
                if other is not root or apart is None or op.volatile is not None:
                    break
                distance, rest = divmod(apart, stride_of(type))
                if rest or op.value.type != type or distance in found:
                    break
                span = {*found, distance}
                if max(span) - min(span) < gap:
                    found[distance] = op
            case ocl.LoadOp() if not any(may_share_bytes(op, store) for store in found.values()):
                pass
            case _ if op.regions or not is_side_effect_free(op):
                break
            case _:
                pass
        op = op.next_op
    return found
