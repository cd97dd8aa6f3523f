"""The checks that a launch does not need, since its numbers prove what they would find out."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from polycl.analysis.ocl.launch_values import (
    LaunchNumbers,
    LaunchValues,
    Ranges,
    Sum,
    are_disjoint,
    range_of,
)
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type, space_of
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    ACCESSES,
    READ,
    UPDATE,
    Access,
    accesses_of,
)
from polycl.lowering.ocl.ocl_insert_checks.subscripts import subscripts


@dataclass(frozen=True)
class Proof:
    """Accesses by their number in the kernel."""

    in_bounds: frozenset[int]
    """Each is inside of its object, and of the array in it that it indexes."""

    without_rivals: frozenset[int]
    """No other work-item accesses the same bytes of an object that is written."""


NOTHING_PROVED = Proof(frozenset(), frozenset())


def prove(kernel: ocl.KernelOp, launch: LaunchNumbers) -> Proof:
    """What the numbers of a launch prove of a prepared kernel."""
    accesses = accesses_of(kernel)
    values = LaunchValues(kernel, launch, lambda op: isinstance(op, ACCESSES))
    places = [_place_of(access, values) for access in accesses]
    in_bounds = frozenset(
        number
        for number, (access, place) in enumerate(zip(accesses, places, strict=True))
        if _is_inside(access, place, values, kernel, launch)
    )
    alone: set[int] = set()
    for root in dict.fromkeys(access.root for access in accesses):
        if space_of(root) is not AddressSpace.GLOBAL:
            continue
        numbers = [n for n, access in enumerate(accesses) if access.root is root]
        if _is_free_of_races(numbers, accesses, places, values, launch):
            alone.update(numbers)
    return Proof(in_bounds, frozenset(alone))


def _place_of(access: Access, values: LaunchValues) -> Sum | None:
    """The distance from the start of the object, in bytes."""
    op = access.op
    pointer = values.of(op.pointer)
    if pointer is None or op not in values.ranges_at:
        return None
    if isinstance(op, ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp) or op.index is None:
        return pointer
    index = values.index_at[op]
    if index is None:
        return None
    is_vector = isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
    return pointer + index.times(access.size if is_vector else stride_of(access.type))


def _is_inside(
    access: Access,
    place: Sum | None,
    values: LaunchValues,
    kernel: ocl.KernelOp,
    launch: LaunchNumbers,
) -> bool:
    if place is None:
        return False
    ranges = values.ranges_at[access.op]
    low, high = range_of(place, ranges)
    size = _bytes_of(access.root, kernel, launch)
    if size is None or low < 0 or high + access.size > size:
        return False
    for limit in subscripts(access.op):
        total = Sum(0, 0)
        for value, factor in limit.terms:
            index = values.index_at[access.op] if value is _index_of(access) else values.of(value)
            if index is None:
                return False
            total += index.times(factor)
        low, high = range_of(total, ranges)
        if low < 0 or high + limit.width > limit.limit:
            return False
    return True


def _index_of(access: Access) -> SSAValue | None:
    return getattr(access.op, "index", None)


def _bytes_of(root: SSAValue, kernel: ocl.KernelOp, launch: LaunchNumbers) -> int | None:
    for argument, value in zip(kernel.args, launch.arguments, strict=True):
        if argument is root:
            return value
    return size_of(pointer_type(root).pointee)


def _is_free_of_races(
    numbers: list[int],
    accesses: list[Access],
    places: list[Sum | None],
    values: LaunchValues,
    launch: LaunchNumbers,
) -> bool:
    kinds = {accesses[number].kind for number in numbers}
    if kinds in ({READ}, {UPDATE}):
        return True
    parts: list[tuple[Sum, int, Ranges]] = []
    for number in numbers:
        place = places[number]
        if place is None:
            return False
        access = accesses[number]
        parts.append((place, access.size, values.ranges_at[access.op]))
    return are_disjoint(parts, launch, values.all_ranges)
