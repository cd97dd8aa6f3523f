"""`size N = 64*M` and `size N divisible_by 64`: restrict a derivation to some sizes."""

from __future__ import annotations

import math

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr

from polycl.dialects.pattern import SIZES, NatAttr, SizeAttr, sizes_of
from polycl.dialects.pattern.types import nats_in
from polycl.lowering.pattern.pattern_set_sizes import replace_sizes
from polycl.lowering.pattern.rules.rule import Refused


def variables_of(function: func.FuncOp) -> set[str]:
    """The size variables in the types of its arguments."""
    types = function.function_type.inputs
    return {v for type in types for size in nats_in(type) for v in size.variables}


def replace_variable(function: func.FuncOp, variable: str, size: NatAttr) -> None:
    """Replace the variable by `size` in types and in properties such as split's.

    The assumptions on the variable must follow for the size, or become assumptions on the variable
    of the size. Raises `Refused` where neither holds.
    """
    _check_known(function, variable)
    known = sizes_of(function)
    old = known.pop(variable, None)
    if old is not None:
        for new in _implied(old, size, known):
            known[new.variable.data] = new
        _set_known(function, known)
    replace_sizes(function, {variable: size})


def assume_divisible(function: func.FuncOp, variable: str, divisor: int) -> None:
    """Assume that the variable is a multiple of `divisor`. Raises `Refused`."""
    _check_known(function, variable)
    known = sizes_of(function)
    old = known.get(variable, SizeAttr(variable))
    multiple = math.lcm(old.divisible_by.data, divisor)
    known[variable] = SizeAttr(variable, old.min, multiple)
    _set_known(function, known)


def _check_known(function: func.FuncOp, variable: str) -> None:
    variables = variables_of(function)
    if variable not in variables:
        have = ", ".join(sorted(variables)) or "none"
        raise Refused(f"the arguments have no size variable '{variable}'; they have: {have}")


def _set_known(function: func.FuncOp, known: dict[str, SizeAttr]) -> None:
    function.attributes[SIZES] = ArrayAttr(known.values())


def _implied(old: SizeAttr, size: NatAttr, known: dict[str, SizeAttr]) -> list[SizeAttr]:
    """The assumption with which `old` holds for `size`."""
    minimum, divisor = old.min.data, old.divisible_by.data
    if size.is_constant:
        if size.value < minimum or size.value % divisor:
            raise Refused(f"the size {size} is not what the function takes: {old}")
        return []
    match size.terms:
        case [([variable], coefficient)] if size.denominator == 1:
            other = known.get(variable, SizeAttr(variable))
            multiple = divisor // math.gcd(divisor, coefficient)
            least = max(other.min.data, -(-minimum // coefficient))
            return [SizeAttr(variable, least, math.lcm(other.divisible_by.data, multiple))]
        case _:
            raise Refused(f"expected a number or a multiple of a variable, got {size}: {old}")
