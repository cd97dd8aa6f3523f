"""Accesses of a work-item to neighbouring elements: `p[3 * i]`, `p[3 * i + 1]`, `p[3 * i + 2]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from polycl.analysis.ocl.addresses import address_of, are_apart, may_share_bytes
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


Addresses: TypeAlias = "Callable[[ocl.LoadOp | ocl.StoreOp], tuple[SSAValue, Linear]]"


def neighbouring_loads(
    first: ocl.LoadOp,
    gap: int,
    address_of: Addresses = address_of,
    distinct: bool = False,
    pending: Iterable[ocl.StoreOp] = (),
) -> Neighbours:
    """`first` and the loads after it in its block that read one of the same `gap` elements. Other
    arguments are as of `near_loads`."""
    distances = near_loads(first, gap, address_of, distinct, pending)
    low = min(distances.values())
    return Neighbours({op: d for op, d in distances.items() if d < low + gap}, low)


def near_loads(
    first: ocl.LoadOp,
    gap: int,
    address_of: Addresses = address_of,
    distinct: bool = False,
    pending: Iterable[ocl.StoreOp] = (),
) -> dict[ocl.LoadOp, int]:
    """`first` and the loads after it in its block of elements fewer than `gap` away, by their
    distances, that read nothing that is written in between: the same array at most, at known
    distances, or with `distinct` those of other parameters, which do not overlap then. Stores
    before `first` that are `pending` are made after it, with others: none reads what they write.

    Who asks for each load of a block gives an `address_of` that keeps what it computed."""
    root, place = address_of(first)
    type = ocl.pointee_of(first.pointer)
    distances = {first: 0}
    written = [store for store in pending if address_of(store)[0] is root]
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
                if (other := address_of(op)[0]) is root:
                    written.append(op)
                elif not are_apart(other, root, distinct):
                    break
            case _ if not is_side_effect_free(op):
                break
            case _:
                pass
        op = op.next_op
    return distances


def neighbouring_stores(
    first: ocl.StoreOp, gap: int, address_of: Addresses = address_of, distinct: bool = False
) -> dict[int, ocl.StoreOp]:
    """`first` and the stores after it in its block that write others of the same `gap` elements, by
    their distances from it; each can be done with the last of them."""
    found: dict[int, ocl.StoreOp] = {}
    for distance, op in near_stores(first, gap, address_of, distinct).items():
        span = {*found, distance}
        if max(span) - min(span) < gap:
            found[distance] = op
    return found


def near_stores(
    first: ocl.StoreOp, gap: int, address_of: Addresses = address_of, distinct: bool = False
) -> dict[int, ocl.StoreOp]:
    """`first` and the stores after it in its block of elements fewer than `gap` away, by their
    distances; each can be done with the last of them. Other arguments are as of `near_loads`."""
    root, place = address_of(first)
    type = first.value.type
    found = {0: first}
    op = first.next_op
    while op is not None:
        match op:
            case ocl.LoadOp() | ocl.StoreOp():
                other, its_place = address_of(op)
                if op.volatile is not None:
                    break
                if other is not root:
                    if not are_apart(other, root, distinct):
                        break
                elif isinstance(op, ocl.LoadOp):
                    if any(may_share_bytes(op, store) for store in found.values()):
                        break
                else:
                    apart = (its_place - place).constant
                    if apart is None or op.value.type != type:
                        break
                    distance, rest = divmod(apart, stride_of(type))
                    if rest or distance in found:
                        break
                    if -gap < distance < gap:
                        found[distance] = op
            case _ if op.regions or not is_side_effect_free(op):
                break
            case _:
                pass
        op = op.next_op
    return found
