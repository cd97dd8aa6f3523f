"""One evaluator of SSA values into a domain: sums, strides, ranges, numbers of bits.

A domain specifies the values of constants, of operations by those of their operands, and of
everything else. The evaluator computes each value once, and it does not recurse: a kernel may have
chains of thousands of operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_value

T = TypeVar("T")

Rule: TypeAlias = Callable[..., Any]
"""`rule(domain, op, *operands)`: the value of the result; None if unknown."""

SUMS: Mapping[type[Operation], Rule] = {
    arith.AddiOp: lambda _, op, x, y: x + y,
    arith.SubiOp: lambda _, op, x, y: x - y,
}
"""For domains whose values have `+` and `-`."""


def same(domain: Domain[Any], op: Operation, *operands: Any) -> Any:
    """The rule of an operation that changes nothing, say a cast."""
    return operands[0]


class Domain(Generic[T]):
    """The values of constants and operations in a domain; None if unknown."""

    rules: Mapping[type[Operation], Rule] = {}
    """The rules of operations; other operations are opaque."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, T] = {}

    def number(self, number: int, value: SSAValue) -> T | None:
        """The value of a constant."""
        return None

    def leaf(self, value: SSAValue) -> T | None:
        """The value regardless of its operation; None to evaluate the operation."""
        number = constant_value(value)
        return None if number is None else self.number(number, value)

    def opaque(self, value: SSAValue) -> T:
        """The value where nothing else is known."""
        raise NotImplementedError


def evaluate(value: SSAValue, domain: Domain[T]) -> T:
    """`value` in a domain."""
    known = domain.known
    operands: dict[SSAValue, tuple[SSAValue, ...]] = {}
    waiting = [value]
    while waiting:
        next = waiting[-1]
        if next in known:
            waiting.pop()
            continue
        op, found = next.owner, None
        if next in operands:
            inputs = [known[operand] for operand in operands[next]]
            if all(input is not None for input in inputs):
                found = domain.rules[type(op)](domain, op, *inputs)  # pyright: ignore[reportArgumentType]
        else:
            found = domain.leaf(next)
            if found is None and isinstance(op, Operation) and type(op) in domain.rules:
                operands[next] = tuple(op.operands)
                waiting += reversed(operands[next])
                continue
        known[next] = domain.opaque(next) if found is None else found
    return known[value]
