"""Results are written to their destinations directly, without copies.

A function has destinations for its yielded values. From these values, views are followed backwards
to the patterns that compute, which write to the destinations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import is_array
from polycl.lowering.pattern.pattern_to_ocl.kinds import COMPUTING
from polycl.lowering.pattern.pattern_to_ocl.layouts import SPACES, is_layout, write_views
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    TupleView,
    View,
    buffers_in,
)


@dataclass
class Destinations:
    """The destinations of the values of a block, one for each scope of the block."""

    places: dict[SSAValue, list[View]] = field(default_factory=dict[SSAValue, list[View]])
    """Of the results of patterns that write to a destination."""

    copies: list[tuple[SSAValue, list[View]]] = field(
        default_factory=list[tuple[SSAValue, list[View]]]
    )
    """The values to copy at the end: scalars, and arrays that exist already."""


def destinations(
    block: Block,
    values: Sequence[SSAValue],
    outs: Sequence[Sequence[View]],
    scopes: Sequence[Scope],
    emitter: Emitter,
) -> Destinations:
    """The destinations in `block` such that `values` are in `outs`, one for each scope."""
    result = Destinations()
    unzipped: dict[pattern.UnzipOp, dict[SSAValue, Sequence[View]]] = {}
    for value, places in zip(values, outs, strict=True):
        if isinstance(value.owner, pattern.UnzipOp):
            unzipped.setdefault(value.owner, {})[value] = places
    whole = {op for op, found in unzipped.items() if found.keys() == set(op.results)}
    for op in whole:
        parts = [unzipped[op][value] for value in op.results]
        tuples: list[View] = [_zipped(arrays) for arrays in zip(*parts, strict=True)]
        _assign(result, block, op.input, tuples, scopes, emitter)
    for value, places in zip(values, outs, strict=True):
        if value.owner not in whole:
            _assign(result, block, value, list(places), scopes, emitter)
    return result


def _zipped(arrays: Sequence[View]) -> ArrayView:
    """The destination of an array of tuples, whose parts are to be in `arrays`."""
    parts = [array for array in arrays if isinstance(array, ArrayView)]
    assert len(parts) == len(arrays)
    return ArrayView(
        parts[0].size, lambda emitter, i: TupleView(tuple(part.at(emitter, i) for part in parts))
    )


def _assign(
    result: Destinations,
    block: Block,
    value: SSAValue,
    places: list[View],
    scopes: Sequence[Scope],
    emitter: Emitter,
    *,
    is_read: bool = False,
    is_part: bool = False,
) -> None:
    """Have `value` computed in `places`, or copied there. `is_read`: a view of it is also used
    otherwise; `is_part`: the places may hold only some of its elements, so that nothing else can
    read it there."""
    owner = value.owner
    is_read |= value.has_more_than_one_use()
    if not isinstance(owner, Operation) or owner.parent is not block:
        result.copies.append((value, places))
        return
    if isinstance(owner, COMPUTING) and not is_layout(owner) and value not in result.places:
        space = mark_of(value)
        may_lie = space is None or _lies_in(places, space, emitter)
        if may_lie and not (is_part and is_read):
            result.places[value] = places
            return
    if is_layout(owner) and is_array(value.type):
        found = [
            write_views(owner, value, place, scope.sizes)
            for place, scope in zip(places, scopes, strict=True)
        ]
        inverted = [views for views in found if views is not None]
        if len(inverted) == len(found) and _computes(owner, block):
            is_part |= isinstance(owner, pattern.TakeOp | pattern.DropOp | pattern.MapOp)
            for i, operand in enumerate(owner.operands):
                parts = [views[i] for views in inverted]
                _assign(
                    result, block, operand, parts, scopes, emitter, is_read=is_read, is_part=is_part
                )
            return
    result.copies.append((value, places))


def _computes(op: Operation, block: Block) -> bool:
    """Whether an operand, or the array of which it is a view, is computed in `block`."""
    for operand in op.operands:
        owner = operand.owner
        if isinstance(owner, Operation) and owner.parent is block:
            if _computes(owner, block) if is_layout(owner) else isinstance(owner, COMPUTING):
                return True
    return False


def _lies_in(places: Sequence[View], space: AddressSpace, emitter: Emitter) -> bool:
    return all(buffer.space is space for view in places for buffer in buffers_in(view, emitter))


def mark_of(value: SSAValue) -> AddressSpace | None:
    """The memory of `value` by its `to_local`, `to_global` or `to_private`."""
    for use in value.uses:
        user = use.operation
        if type(user) in SPACES:
            return SPACES[type(user)]
        if is_layout(user) and is_array(user.results[0].type):
            if (found := mark_of(user.results[0])) is not None:
                return found
    return None


OWN, FRAGMENT = "own", "fragment"
"""Levels of arrays that a group keeps in registers: each work-item has all elements, and the result
of a `pattern.mma`."""

Level = int | str
"""One of these, or the dimension of the NDRange whose work-items have an element each."""


def item_levels(value: SSAValue) -> list[Level]:
    """For each dimension of an array that a group computes, from outside in, who has its elements;
    it ends with the last one that several work-items share."""
    match value.owner:
        case pattern.MapLocalOp() as op if len(op.yielded) == 1:
            return [op.dimension, *item_levels(op.yielded[0])]
        case pattern.ReduceBase() | pattern.MapSeqOp() as op if len(op.yielded) == 1:
            inner = item_levels(op.yielded[0])
            return [OWN, *inner] if inner else []
        case pattern.MmaOp():
            return [FRAGMENT]
        case pattern.ToMemoryBase() as op:
            return item_levels(op.input)
        case pattern.AtOp() as op:
            return item_levels(op.input)[1:]
        case _:
            return []
