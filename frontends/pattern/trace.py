"""Building a program while its Python functions run: what the user calls adds an operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from polycl.diagnostics import one_line
from polycl.dialects.pattern import NatAttr, SizeAttr
from polycl.dialects.pattern.sizes import is_integer
from polycl.dialects.pattern.types import nats_in
from polycl.frontends.pattern.places import Place, error_here, user_place
from polycl.frontends.pattern.sizes import Size, nat_of
from polycl.frontends.pattern.types import in_python

OpT = TypeVar("OpT", bound=Operation)


@dataclass
class Trace:
    """A program that is being built."""

    name: str
    blocks: list[Block]
    """The block of the program, and those of the functions around the present one."""

    counters: set[SSAValue] = field(default_factory=set[SSAValue])
    """Indices of elements and numbers of iterations, which are not negative."""

    assumptions: dict[str, SizeAttr] = field(default_factory=dict[str, SizeAttr])
    substitution: Mapping[str, NatAttr] = field(default_factory=dict[str, NatAttr])
    """The sizes of a call in the place of the size variables of the program that is called."""

    place: Place | None = None
    """Where a pattern was written that is applied now."""


_TRACES: list[Trace] = []


def current() -> Trace:
    """The program that is being built. Raises SourceError outside of one."""
    if not _TRACES:
        raise error_here("this builds a part of a program; expected it in a function with @program")
    return _TRACES[-1]


def is_tracing() -> bool:
    """Whether a program is being built."""
    return bool(_TRACES)


@contextmanager
def tracing(trace: Trace) -> Iterator[None]:
    """Operations of the user build `trace`."""
    _TRACES.append(trace)
    try:
        yield
    finally:
        _TRACES.pop()


@contextmanager
def inside(block: Block) -> Iterator[None]:
    """Operations are added to `block`, the body of a function."""
    blocks = current().blocks
    blocks.append(block)
    try:
        yield
    finally:
        blocks.pop()


@contextmanager
def written_at(place: Place | None) -> Iterator[None]:
    """Errors and operations have this place, which is not that of the call."""
    trace = current()
    before, trace.place = trace.place, place
    try:
        yield
    finally:
        trace.place = before


@contextmanager
def substituting(substitution: Mapping[str, NatAttr]) -> Iterator[None]:
    """Size variables stand for other sizes."""
    trace = current()
    before, trace.substitution = trace.substitution, substitution
    try:
        yield
    finally:
        trace.substitution = before


def fail(message: str) -> Exception:
    """An error at the place of the present pattern."""
    place = _TRACES[-1].place if _TRACES else None
    return place.error(message) if place is not None else error_here(message)


def size_here(size: object) -> NatAttr:
    """A size of the user; what it assumes becomes part of the program."""
    amount, trace = nat_of(size), current()
    if trace.substitution:
        return amount.substitute(trace.substitution)
    if isinstance(size, Size):
        trace.assumptions.update(size.assumptions)
    return amount


def emit(make: type[OpT], *args: object, remedy: str = "", **kwargs: object) -> OpT:
    """The operation `make(*args, **kwargs)`, at the end of the present block.

    Raises:
        SourceError: it does not fit its operands; `remedy` says what to do.
    """
    try:
        op = make(*args, **kwargs)
    except VerifyException as error:
        raise fail(_sentence(make, in_python(one_line(error)), remedy)) from error
    check_sizes(make, [result.type for result in op.results])
    return add(op)


def add(op: OpT) -> OpT:
    """`op`, at the end of the present block."""
    trace = current()
    op.location = (trace.place or user_place()).location
    trace.blocks[-1].add_op(op)
    return op


def check_sizes(make: type[Operation], types: Sequence[Attribute]) -> None:
    """Check that all sizes are integers. Raises SourceError."""
    assumptions = current().assumptions
    for size in (size for type in types for size in nats_in(type)):
        if size.is_constant and size.denominator == 1 and size.value < 1:
            raise fail(_sentence(make, f"an array would have {size} elements, expected 1 or more"))
        if is_integer(size, assumptions):
            continue
        found = f"the size {size} is not known to be an integer"
        if size.is_constant:
            raise fail(_sentence(make, f"{size.denominator} does not divide its size", ""))
        variable, divisor = size.variables[0], size.denominator
        remedy = (
            f'say {variable} = size("{variable}", divisible_by={divisor}), or write a multiple, '
            f"{divisor} * {variable}, in the type of the parameter"
        )
        raise fail(_sentence(make, found, remedy))


def _sentence(make: type[Operation], found: str, remedy: str = "") -> str:
    name = make.name.removeprefix("pattern.")
    return f"{name}: {found}" + (f"; {remedy}" if remedy else "")


def check_in_scope(value: SSAValue) -> None:
    """Check that a value can be used in the present block. Raises SourceError."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    if block not in current().blocks:
        raise fail(
            "this value belongs to a function that has ended, or to another program; "
            "return it from its function, or make it a parameter"
        )
