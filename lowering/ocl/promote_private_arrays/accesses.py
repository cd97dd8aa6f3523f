"""Loads and stores of an array, each with its place in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.scf import ForOp, WhileOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import BUILTINS
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointee_of, pointer_type
from polycl.lowering.ocl.promote_private_arrays.ragged_loops import counters_of
from polycl.symbolic import integer

_SPACES = (ocl.AddressSpace.PRIVATE, ocl.AddressSpace.CONSTANT)
"""Of arrays of a work-item, and of tables."""

Loop: TypeAlias = ForOp | WhileOp

AccessOp: TypeAlias = ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp


@dataclass(frozen=True)
class Access:
    op: AccessOp
    place: Linear
    """The first byte."""
    index: SSAValue | None = None
    """The number of the element as a value, where there is one."""
    loops: frozenset[Loop] | None = None
    """Those from whose counters alone the place is computed, and from which their bounds are; None
    if it depends on anything else. Each takes known numbers once outer ones are unrolled."""

    @property
    def type(self) -> Attribute:
        """Of the value that is loaded or stored."""
        op = self.op
        return op.result.type if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value.type

    @property
    def size(self) -> int:
        """The bytes that are read or written."""
        type = self.type
        if isinstance(type, VectorType):
            return type.element_count() * size_of(type.element_type)
        return size_of(type)

    @property
    def is_known(self) -> bool:
        """Whether the place is computed from counters of loops whose numbers are known."""
        return self.loops is not None

    def is_within(self, size: int) -> bool:
        """Whether the place is a number, of some `size` bytes."""
        return not self.place.factors and 0 <= self.place.number <= size - self.size


def accesses_of(array: SSAValue) -> list[Access] | None:
    """All accesses of an array, by pointers of any type; None if there are other uses."""
    try:
        found = list(_accesses(array, integer(0), leaf_of(pointee_of(array))))
    except _Refusal:
        return None
    counters = _Counters()
    return [replace(access, loops=counters.of_number(access.place)) for access in found]


class _Refusal(Exception):
    """A pointer is used for more than loads and stores."""


def _accesses(pointer: SSAValue, place: Linear, leaf: Attribute) -> Iterator[Access]:
    pointee = pointee_of(pointer)
    if pointer_type(pointer).address_space not in _SPACES:
        raise _Refusal
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op if not op.changes_sign:
                yield from _accesses(op.result, place, leaf)
            case ocl.OffsetOp() as op:
                yield from _accesses(op.result, place + linear(op.index) * stride_of(pointee), leaf)
            case ocl.MemberOp() as op:
                yield from _accesses(op.result, place + integer(op.offset), leaf)
            case ocl.LoadOp() | ocl.StoreOp() as op if (
                op.pointer is pointer and op.volatile is None
            ):
                is_element = pointee == leaf and place == integer(0)
                moved = place if op.index is None else place + linear(op.index) * stride_of(pointee)
                yield Access(op, moved, op.index if is_element else None)
            case ocl.VLoadOp() | ocl.VStoreOp() as op:
                access = Access(op, place)
                yield Access(op, place + linear(op.index) * access.size)
            case _:
                raise _Refusal


def leaf_of(type: Attribute) -> Attribute:
    """What the innermost of nested arrays are of."""
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type


def count_of(type: Attribute) -> int:
    """The number of elements of an array of arrays; 1 for anything else."""
    count = 1
    while isinstance(type, ocl.ArrayType):
        count *= type.size.data
        type = type.element
    return count


def parts_of(leaf: Attribute, accesses: Sequence[Access]) -> int | None:
    """Into how many parts each element of an array is divided, if all `accesses` are of elements,
    or all of elements and of elements of these, which are vectors; None if they are of other
    types, or not of whole elements."""
    types = {access.type for access in accesses}
    parts = 1
    if isinstance(leaf, VectorType) and leaf.element_type in types:
        parts, types = leaf.element_count(), types - {leaf.element_type}
    if not types <= {leaf} or parts == 3:
        return None
    for access in accesses:
        stride = stride_of(access.type)
        if any(number % stride for number in (access.place.number, *access.place.factors.values())):
            return None
        if not isinstance(access.op, ocl.LoadOp | ocl.StoreOp):
            return None
    return parts


def loop_of(value: SSAValue) -> ForOp | None:
    """The loop of which a value is the counter."""
    loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    if isinstance(loop, ForOp) and value is loop.body.block.args[0]:
        return loop
    return None


def loops_around(loop: Loop) -> frozenset[Loop]:
    """The loops from whose counters the numbers of a known one are computed."""
    found = _Counters().of_loop(loop)
    assert found is not None
    return found


def ragged_bounds(loop: Loop) -> list[SSAValue]:
    """The bounds of a known loop that data decide; it is known what they are at most."""
    bounds = (loop.lb, loop.ub) if isinstance(loop, ForOp) else ()
    return [bound for bound in bounds if evaluate(bound, _Counters()) is None]


def _all_of(sets: Iterable[frozenset[Loop] | None]) -> frozenset[Loop] | None:
    found: frozenset[Loop] = frozenset()
    for one in sets:
        if one is None:
            return None
        found |= one
    return found


class _Counters(Domain[frozenset[Loop] | None]):
    """The loops from whose counters values are computed; None if that is not known."""

    def number(self, number: int, value: SSAValue) -> frozenset[Loop]:
        return frozenset()

    def opaque(self, value: SSAValue) -> None:
        return None

    def leaf(self, value: SSAValue) -> frozenset[Loop] | None:
        loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
        if isinstance(loop, WhileOp):
            self.of_loop(loop)
            return self.known.get(value)
        if isinstance(loop, ForOp) and loop_of(value) is loop:
            around = self.of_loop(loop)
            return None if around is None else around | {loop}
        return super().leaf(value)

    def of_number(self, number: Linear) -> frozenset[Loop] | None:
        """The loops from whose counters the values in a sum are computed."""
        return _all_of([evaluate(value, self) for value in number.factors])

    def of_loop(self, loop: Loop) -> frozenset[Loop] | None:
        """The loops from whose counters it is known how often a loop runs at most."""
        if isinstance(loop, ForOp):
            if constant_value(loop.step) is None:
                return None
            bounds = [evaluate(bound, self) for bound in (loop.lb, loop.ub)]
            if None in bounds and counters_of(loop) is not None:
                return _all_of(bound for bound in bounds if bound is not None)
            return _all_of(bounds)
        before, after = loop.before_region.block, loop.after_region.block
        starts = [evaluate(value, self) for value in loop.arguments]
        known = [None if start is None else start | {loop} for start in starts]
        while True:
            inside = _Counters()
            inside.known.update(zip(before.args, known, strict=True))
            goes_on, *passed = [
                evaluate(operand, inside) for operand in condition_of(loop).operands
            ]
            inside.known.update(zip(after.args, passed, strict=True))
            next = [evaluate(operand, inside) for operand in terminator(after).operands]
            kept = [_all_of(pair) for pair in zip(known, next, strict=True)]
            if kept == known:
                break
            known = kept
        if goes_on is None:
            return None
        for arg in (*before.args, *after.args):
            self.known[arg] = _all_of((inside.known[arg], goes_on))
        return goes_on - {loop}

    def union(self, op: Operation, *operands: frozenset[Loop]) -> frozenset[Loop] | None:
        if isinstance(op, ocl.BuiltinOp) and op.function.data not in BUILTINS:
            return None
        return frozenset[Loop]().union(*operands)

    rules = dict.fromkeys(Numbers.rules, union)
