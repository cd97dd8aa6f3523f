"""What to do about a finding: which barrier and where, which atomic, which guard.

A remedy is a sentence for the author of the kernel. It is read off the operations of the
finding: where they are in the kernel, and what is computed of what they read. It is advice: a
finding is right without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.integers import OPERATIONS, bits_of, signed, unsigned
from polycl.backends.interp.buffers import Buffer
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import Translator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.errors import location_of

_ATOMICS: dict[type[Operation], str] = {
    arith.AddiOp: "atomic_add",
    arith.SubiOp: "atomic_sub",
    arith.AndIOp: "atomic_and",
    arith.OrIOp: "atomic_or",
    arith.XOrIOp: "atomic_xor",
    arith.MaxSIOp: "atomic_max",
    arith.MinSIOp: "atomic_min",
    arith.MaxUIOp: "atomic_max",
    arith.MinUIOp: "atomic_min",
}
"""The atomic that is one operation with a load before and a store after it."""

_OTHER_KERNEL = (
    "no barrier orders two work-groups: use what the others have written in a kernel that is "
    "launched after this one"
)


@dataclass(frozen=True)
class RacePlace:
    """Where a race is."""

    is_local: bool
    """Whether on local memory."""

    same_group: bool
    """Whether between work-items of one group."""

    one_group: bool
    """Whether the launch has one group only."""

    aliases: Sequence[str] = ()
    """The parameters that are this memory, if there are several."""


def of_race(op: Operation, other: Operation, verbs: tuple[str, str], place: RacePlace) -> str:
    """What orders two accesses, or makes the order irrelevant."""
    if len(place.aliases) > 1:
        names = " and ".join(f"'{name}'" for name in place.aliases)
        return f"{names} are the same array: pass another one for the results"
    update = _update(op, other)
    if update is not None:
        return update
    is_atomic = "updates" in verbs
    if op is other or verbs == ("writes", "writes"):
        id_ = "get_local_id(0)" if place.is_local else "get_global_id(0)"
        return (
            "several work-items write the same element: give each one its own, or let one of them "
            f"write, as by if ({id_} == 0)"
        )
    if not place.is_local and not (place.same_group and place.one_group):
        if not is_atomic and _line(op) == _line(other) and _in_place(op, other):
            return "write the results to another array: work-items read what others overwrite"
        return _OTHER_KERNEL
    return _barrier_between(op, other, local=place.is_local)


def _update(op: Operation, other: Operation) -> str | None:
    """The atomic instead of a load, an operation and a store that two work-items do at once."""
    for store, rival in ((op, other), (other, op)):
        if not isinstance(store, ocl.StoreOp):
            continue
        value = _resized(store.value).owner
        if not isinstance(value, Operation):
            continue
        # `x += get_global_id(0)` adds in 64 bits.
        loads = [_resized(operand).owner for operand in value.operands]
        loads = [load for load in loads if isinstance(load, ocl.LoadOp) and _same(load, store)]
        if not loads or (rival is not store and rival not in loads):
            continue
        name = _ATOMICS.get(type(value))
        what = "reading, computing and writing are three steps, between which others come"
        if name is not None and isinstance(store.value.type, IntegerType):
            return f"use {name} on the address of the element: {what}"
        return (
            f"{what}, and there is no atomic for this operation: let each work-group combine its "
            "values in local memory and write them to an element of its own, and add these in a "
            "kernel that is launched after this one"
        )
    return None


def _resized(value: SSAValue) -> SSAValue:
    """What was made longer or shorter."""
    while isinstance(value.owner, arith.TruncIOp | arith.ExtSIOp | arith.ExtUIOp):
        value = value.owner.input
    return value


def _same(load: ocl.LoadOp, store: ocl.StoreOp) -> bool:
    return load.pointer is store.pointer and load.index is store.index


def _in_place(op: Operation, other: Operation) -> bool:
    return {type(op), type(other)} == {ocl.LoadOp, ocl.StoreOp}


def _barrier_between(op: Operation, other: Operation, *, local: bool) -> str:
    flag = "CLK_LOCAL_MEM_FENCE" if local else "CLK_GLOBAL_MEM_FENCE"
    kernel = _around(op, ocl.KernelLike)
    if kernel is None or not kernel.is_ancestor(other):
        return f"put barrier({flag}) between the two, where all work-items of the group come by"
    order = {inner: number for number, inner in enumerate(kernel.walk())}
    first, last = sorted((op, other), key=order.__getitem__)
    loop = _common_loop(first, last)
    inside = operations_of(kernel if loop is None else loop, ocl.BarrierOp)
    right = [b for b in inside if (b.local if local else b.global_) is not None]
    wrong = [b for b in inside if (b.local if local else b.global_) is None]
    start, end = order[first], order[last]
    for barrier in wrong:
        if loop is not None or start < order[barrier] < end:
            return f"{_the_line('the barrier', barrier)} fences other memory: give it {flag}, too"
    everyone = "where all work-items of the group come by"
    if loop is None:
        return f"put barrier({flag}) {_between(first, last)}, {everyone}"
    is_between = any(start < order[barrier] < end for barrier in right)
    at_end = f"at the end of the body of {_the_line('the loop', loop)}"
    same_line = _line(first) == _line(last)
    if right and not is_between and not same_line:
        return f"put barrier({flag}) {_between(first, last)}, {everyone}"
    if is_between or same_line:
        return f"put barrier({flag}) {at_end}, {everyone}"
    return f"put barrier({flag}) {_between(first, last)} and {at_end}, {everyone}"


def _between(first: Operation, last: Operation) -> str:
    a, b = _line(first), _line(last)
    if a is None or b is None or a == b:
        return "between the two accesses"
    return f"between the lines {a} and {b}"


def _the_line(what: str, op: Operation) -> str:
    line = _line(op)
    return what if line is None else f"{what} in line {line}"


def _line(op: Operation) -> int | None:
    location = location_of(op)
    return None if location is None else location[1]


def _common_loop(a: Operation, b: Operation) -> Operation | None:
    """The innermost loop around both."""
    loop = _around(a, scf.ForOp | scf.WhileOp)
    while loop is not None and not loop.is_ancestor(b):
        loop = _around(loop, scf.ForOp | scf.WhileOp)
    return loop


def _around(op: Operation, kinds: type | object) -> Operation | None:
    found = (parent for parent in parents(op) if isinstance(parent, kinds))  # pyright: ignore[reportArgumentType]
    return next(found, None)


def of_divergence(stop: Operation) -> str:
    """How all work-items of a group come to the same barrier."""
    branch = _around(stop, scf.IfOp | scf.ForOp | scf.WhileOp)
    if isinstance(branch, scf.IfOp):
        return (
            f"take the barrier out of {_the_line('the branch', branch)}, which not all work-items "
            "take: guard the work before and after it, not the barrier (work-items that have "
            "nothing to do must not return before it)"
        )
    if branch is not None:
        return (
            f"let all work-items of a group make as many iterations of "
            f"{_the_line('the loop', branch)}: guard the work in it, not the barrier"
        )
    return "guard the work before and after the barrier: no work-item may return before it"


def of_unset(buffer: Buffer | None) -> str:
    """Where a value comes from."""
    if buffer is None or buffer.space is ocl.AddressSpace.PRIVATE:
        return "give the variable a value on every path before it is used"
    if buffer.space is ocl.AddressSpace.LOCAL:
        return (
            f"set {buffer.what} first, each work-item its elements, and then "
            "barrier(CLK_LOCAL_MEM_FENCE): local memory starts without values"
        )
    return ""


OTHER_PLACES = {
    "alignment": "read it with vloadn, which needs the alignment of an element, or byte by byte",
    "constant": "write to a global array",
}
"""For the kinds of accesses whose remedy is always the same."""


def of_bounds(buffer: Buffer, offset: int, size: int, group: int) -> str:
    """How an access stays in its array; `group`: the number of work-items of the group."""
    if buffer.space is ocl.AddressSpace.LOCAL and offset >= 0:
        return f"make the array as large as a work-group needs, which has {group} work-items here"
    if buffer.space is ocl.AddressSpace.PRIVATE or size > buffer.size:
        return ""
    if offset < 0:
        return (
            "the index is below 0: leave out these work-items, as by if (i > 0), or take the "
            "nearest element, as by max(i, 0)"
        )
    return (
        "guard the access, as by if (i < n) with the number of elements as an argument, or pass a "
        "larger array"
    )


Wrapped = Callable[[Frame], str]
"""Why an index is not what it looks like, for a work-item; "" if it is."""


def wrapped_index(op: Operation, t: Translator) -> Wrapped:
    """The step of an index at which a number does not fit its type."""
    steps: list[tuple[Operation, tuple[int, ...]]] = []
    known: set[SSAValue] = set()
    waiting = [value for value in _indices(op)]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        if value in known or isinstance(owner, Block) or owner.regions:
            continue
        known.add(value)
        if isinstance(owner, _STEPS):
            steps.append((owner, t.slots(owner.operands)))
            waiting += owner.operands
    steps.reverse()

    def why(frame: Frame) -> str:
        for step, slots in steps:
            numbers = [frame[slot] for slot in slots]
            if not all(type(number) is int for number in numbers):
                return ""
            text = _overflow(step, numbers)
            if text:
                return text
        return ""

    return why


_STEPS = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
)
_SIGNS = {arith.AddiOp: "+", arith.SubiOp: "-", arith.MuliOp: "*"}


def _indices(op: Operation) -> list[SSAValue]:
    """The numbers that an address is made of."""
    index, pointer = getattr(op, "index", None), getattr(op, "pointer", None)
    result = [index] if isinstance(index, SSAValue) else []
    while isinstance(pointer, SSAValue) and isinstance(pointer.owner, Operation):
        if isinstance(pointer.owner, ocl.OffsetOp):
            result.append(pointer.owner.index)
        pointer = getattr(pointer.owner, "pointer", None)
    return result


def _overflow(step: Operation, numbers: Sequence[int]) -> str:
    type = step.operands[0].type
    if type not in (IntegerType(32), IntegerType(16), IntegerType(8)):
        return ""
    bits = bits_of(type)
    symbol = _SIGNS.get(step.__class__)
    if symbol is None:
        return ""
    is_natural = any(isinstance(use.operation, arith.ExtUIOp) for use in step.results[0].uses)
    read = unsigned if is_natural else signed
    a, b = (read(number, type) for number in numbers)
    exact = OPERATIONS[step.__class__](a, b, IntegerType(128))
    if exact is None or exact == read(exact, type):
        return ""
    where = _the_line("the index", step)
    remedy = f"compute it with 64 bits, as (size_t)a {symbol} b"
    if isinstance(step, arith.SubiOp) and is_natural:
        remedy = "leave out the work-items for which it is below 0"
    return (
        f"{where} does not fit in {bits} bits: {a} {symbol} {b} is {exact}, and becomes "
        f"{read(exact, type)}; {remedy}"
    )
