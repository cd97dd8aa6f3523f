"""The checks that a launch does not need, since its numbers prove what they would find out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.epochs import Epochs
from polycl.analysis.ocl.evaluated_launch import MOST_WORK
from polycl.analysis.ocl.launch_parts import (
    Part,
    are_disjoint,
    are_disjoint_in_group,
    covered_range,
)
from polycl.analysis.ocl.launch_sums import Sum
from polycl.analysis.ocl.launch_values import LaunchNumbers, LaunchValues
from polycl.analysis.ocl.subscripts import subscripts
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type, space_of
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    ACCESSES,
    READ,
    UPDATE,
    WRITE,
    Access,
    Aliases,
    accesses_of,
)
from polycl.lowering.ocl.ocl_insert_checks.traces import trace


@dataclass(frozen=True)
class Proof:
    """Accesses by their number in the kernel."""

    in_bounds: frozenset[int]
    """Each is inside of its object, and of the array in it that it indexes."""

    without_rivals: frozenset[int]
    """No other work-item accesses the same bytes of an object that is written."""

    all_set: frozenset[int]
    """Of objects in local and private memory: what they read was written before."""

    in_arrays: frozenset[int] = frozenset()
    """Each is inside of the array that it indexes, wherever in its object that is."""

    work: int = field(default=0, compare=False)
    """The work that it took to evaluate addresses."""


NOTHING_PROVED = Proof(frozenset(), frozenset(), frozenset())


def prove(
    kernel: ocl.KernelOp,
    launch: LaunchNumbers,
    aliases: Aliases = (),
    most_work: int = MOST_WORK,
) -> Proof:
    """What the numbers of a launch prove of a prepared kernel, with so much work for addresses."""
    accesses = accesses_of(kernel, aliases)
    values = LaunchValues(kernel, launch, lambda op: isinstance(op, ACCESSES))
    places = [_place_of(access, values) for access in accesses]
    in_bounds = frozenset(
        number
        for number, (access, place) in enumerate(zip(accesses, places, strict=True))
        if _is_inside(access, place, values, kernel, launch)
    )
    in_arrays = frozenset(
        number for number, access in enumerate(accesses) if _is_in_arrays(access, values)
    )
    alone: set[int] = set()
    all_set: set[int] = set()
    epochs = Epochs(kernel, lambda op: isinstance(op, ACCESSES), _orders_local_memory)
    for root in dict.fromkeys(access.root for access in accesses):
        numbers = [n for n, access in enumerate(accesses) if access.root is root]
        match space_of(root):
            case AddressSpace.GLOBAL:
                is_free = _is_free_of_races(numbers, accesses, places, values, launch)
            case AddressSpace.LOCAL:
                is_free = _is_free_in_group(numbers, accesses, places, values, launch, epochs)
            case _:
                continue
        if is_free:
            alone.update(numbers)
            if _reads_what_is_set(
                [accesses[n] for n in numbers], [places[n] for n in numbers], values
            ):
                all_set.update(numbers)
    return _with_traces(
        Proof(in_bounds, frozenset(alone), frozenset(all_set), in_arrays),
        kernel,
        launch,
        accesses,
        most_work,
    )


def _with_traces(
    proof: Proof,
    kernel: ocl.KernelOp,
    launch: LaunchNumbers,
    accesses: list[Access],
    most_work: int,
) -> Proof:
    """With what the addresses of all work-items prove of the objects that are left."""
    read_only = {a.root for a in accesses} - {a.root for a in accesses if a.kind != READ}

    def is_proved(number: int) -> bool:
        root = accesses[number].root
        return (
            number in proof.in_bounds
            and (number in proof.without_rivals or space_of(root) is AddressSpace.PRIVATE)
            and (number in proof.all_set or space_of(root) is AddressSpace.GLOBAL)
        ) or (number in proof.in_bounds and root in read_only)

    left = {access.root for number, access in enumerate(accesses) if not is_proved(number)}
    numbers = [number for number, access in enumerate(accesses) if access.root in left]
    if not numbers:
        return proof
    bytes_of = partial(_bytes_of, kernel=kernel, launch=launch)
    traced, work = trace(kernel, launch, accesses, numbers, bytes_of, most_work)

    def of(objects: frozenset[SSAValue]) -> frozenset[int]:
        return frozenset(n for n in numbers if accesses[n].root in objects)

    return Proof(
        proof.in_bounds | traced.in_bounds,
        proof.without_rivals | of(traced.free),
        proof.all_set | of(traced.all_set),
        proof.in_arrays,
        work,
    )


def _reads_what_is_set(
    accesses: list[Access], places: list[Sum | None], values: LaunchValues
) -> bool:
    """Whether what is read of an object without races is a part of what all work-items have written
    together, at one place that each of them reaches first."""
    readers = [
        (access, place)
        for access, place in zip(accesses, places, strict=True)
        if access.kind != WRITE
    ]
    first, place = accesses[0], places[0]
    if not readers:
        return True
    # In the order of the kernel: nothing is read before the first access.
    if first.kind != WRITE or place is None or not _is_executed_by_all(first.op):
        return False
    covered = covered_range(place, first.size, values.ranges_at[first.op])
    if covered is None:
        return False
    for access, place in readers:
        if place is None:
            return False
        low, high = _part(access, place, values).range
        if low < covered[0] or high + access.size > covered[1]:
            return False
    return True


def _is_executed_by_all(op: Operation) -> bool:
    return isinstance(op.parent_op(), ocl.KernelOp)


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
    low, high = _part(access, place, values).range
    size = _bytes_of(access.root, kernel, launch)
    if size is None or low < 0 or high + access.size > size:
        return False
    return _is_in_arrays(access, values)


def _is_in_arrays(access: Access, values: LaunchValues) -> bool:
    if access.op not in values.ranges_at:
        return False
    for limit in subscripts(access.op):
        total = Sum(0, 0)
        for value, factor in limit.terms:
            index = values.index_at[access.op] if value is _index_of(access) else values.of(value)
            if index is None:
                return False
            total += index.times(factor)
        low, high = replace(_part(access, total, values), size=1).range
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


_RIVALS = {
    READ: frozenset({WRITE, UPDATE}),
    WRITE: frozenset({READ, WRITE, UPDATE}),
    UPDATE: frozenset({READ, WRITE}),
}


def _part(access: Access, place: Sum, values: LaunchValues) -> Part:
    op = access.op
    rivals = _RIVALS[access.kind]
    return Part(place, access.size, values.ranges_at[op], values.guards_at[op], rivals, access.kind)


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
    parts: list[Part] = []
    for number in numbers:
        place = places[number]
        if place is None:
            return False
        access = accesses[number]
        parts.append(_part(access, place, values))
    return are_disjoint(parts, launch)


def _orders_local_memory(op: ocl.BarrierOp) -> bool:
    return op.local is not None


def _is_free_in_group(
    numbers: list[int],
    accesses: list[Access],
    places: list[Sum | None],
    values: LaunchValues,
    launch: LaunchNumbers,
    epochs: Epochs,
) -> bool:
    """Whether no two work-items of a group race on an object in local memory."""
    by_op = {accesses[number].op: number for number in numbers}
    for first, second in epochs.together:
        a, b = by_op.get(first), by_op.get(second)  # pyright: ignore[reportArgumentType, reportCallIssue]
        if a is None or b is None:
            continue
        kinds = {accesses[a].kind, accesses[b].kind}
        if kinds in ({READ}, {UPDATE}):
            continue
        place, other = places[a], places[b]
        if place is None or other is None:
            return False
        parts = _part(accesses[a], place, values), _part(accesses[b], other, values)
        same = (first, second) not in epochs.over_iterations
        if not are_disjoint_in_group(parts, launch, same_iteration=same):
            return False
    return True
