"""Accesses of a work-item to neighbouring elements: `p[3 * i]`, `p[3 * i + 1]`, `p[3 * i + 2]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polycl.analysis.ocl.addresses import address_of, are_spaces_apart
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


def neighbouring_loads(first: ocl.LoadOp, gap: int) -> Neighbours:
    """`first` and the loads after it in its block, before anything is written, that read one of
    the same `gap` elements."""
    root, place = address_of(first)
    type = ocl.pointee_of(first.pointer)
    distances = {first: 0}
    for op in _loads_after(first):
        other, its_place = address_of(op)
        apart = its_place - place
        if other is root and ocl.pointee_of(op.pointer) == type and not apart.factors:
            distance, rest = divmod(apart.number, stride_of(type))
            if rest == 0 and -gap < distance < gap:
                distances[op] = distance
    low = min(distances.values())
    return Neighbours({op: d for op, d in distances.items() if d < low + gap}, low)


def _loads_after(first: ocl.LoadOp) -> Iterator[ocl.LoadOp]:
    """Up to an operation that may write, or may not return."""
    op = first.next_op
    while op is not None and (isinstance(op, ocl.LoadOp) or is_side_effect_free(op)):
        if isinstance(op, ocl.LoadOp):
            if op.volatile is not None:
                return
            yield op
        op = op.next_op


def neighbouring_stores(first: ocl.StoreOp, gap: int) -> dict[int, ocl.StoreOp]:
    """`first` and the stores after it in its block that write others of the same `gap` elements, by
    their distances from it; each can be done with the last of them."""
    root, place = address_of(first)
    type, space = first.value.type, ocl.space_of(first.pointer)
    found = {0: first}
    op = first.next_op
    while op is not None:
        match op:
            case ocl.StoreOp():
                other, its_place = address_of(op)
                apart = (its_place - place).constant
                if other is not root or apart is None or op.volatile is not None:
                    break
                distance, rest = divmod(apart, stride_of(type))
                span = {*found, distance}
                if rest or op.value.type != type or distance in found:
                    break
                if max(span) - min(span) >= gap:
                    break
                found[distance] = op
            case ocl.LoadOp() if are_spaces_apart(ocl.space_of(op.pointer), space):
                pass
            case _ if op.regions or not is_side_effect_free(op):
                break
            case _:
                pass
        op = op.next_op
    return found
