"""Assumptions on size variables, and exact divisions of symbolic sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, nat

SIZES = "pattern.sizes"
"""Key of the attribute of a function that lists the assumptions on its size variables."""


@irdl_attr_definition
class SizeAttr(ParametrizedAttribute):
    """An assumption on a size variable: `#pattern.size<N, min = 1024, divisible_by = 64>`."""

    name = "pattern.size"

    variable: StringAttr
    min: IntAttr
    divisible_by: IntAttr

    def __init__(
        self, variable: str | StringAttr, min: int | IntAttr = 1, divisible_by: int | IntAttr = 1
    ):
        super().__init__(
            variable if isinstance(variable, StringAttr) else StringAttr(variable),
            min if isinstance(min, IntAttr) else IntAttr(min),
            divisible_by if isinstance(divisible_by, IntAttr) else IntAttr(divisible_by),
        )

    def verify(self) -> None:
        if self.min.data < 1 or self.divisible_by.data < 1:
            raise VerifyException("expected 'min' and 'divisible_by' to be at least 1")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        values = {"min": 1, "divisible_by": 1}
        with parser.in_angle_brackets():
            variable = parser.parse_identifier()
            while parser.parse_optional_punctuation(","):
                key = parser.parse_identifier()
                if key not in values:
                    parser.raise_error(f"expected 'min' or 'divisible_by', got '{key}'")
                parser.parse_punctuation("=")
                values[key] = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return StringAttr(variable), IntAttr(values["min"]), IntAttr(values["divisible_by"])

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.variable.data)
            if self.min.data != 1:
                printer.print_string(f", min = {self.min.data}")
            if self.divisible_by.data != 1:
                printer.print_string(f", divisible_by = {self.divisible_by.data}")


def sizes_of(op: Operation) -> dict[str, SizeAttr]:
    """The assumptions on size variables of `op` or the function around it.

    Raises:
        VerifyException: the attribute is not a list of assumptions, one for each variable.
    """
    function: Operation | None = op
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    known = None if function is None else function.attributes.get(SIZES)
    if known is None:
        return {}
    if not isinstance(known, ArrayAttr) or not all(isinstance(size, SizeAttr) for size in known):
        raise VerifyException(f"expected '{SIZES} = [#pattern.size<...>, ...]', got {known}")
    found: dict[str, SizeAttr] = {}
    for size in known:
        assert isinstance(size, SizeAttr)
        if size.variable.data in found:
            raise VerifyException(f"'{SIZES}' names the variable {size.variable.data} twice")
        found[size.variable.data] = size
    return found


def is_integer(size: NatAttr, sizes: Mapping[str, SizeAttr]) -> bool:
    """Whether a size is an integer for all values of its variables that `sizes` allows.

    A variable that is a multiple of d is d times another variable. A polynomial with integer
    coefficients is then an integer.
    """
    return all(
        coefficient
        * math.prod(sizes[v].divisible_by.data for v in variables if v in sizes)
        % size.denominator
        == 0
        for variables, coefficient in size.terms
    )


def exact_div(
    size: NatAttr, divisor: NatAttr | int | str, sizes: Mapping[str, SizeAttr]
) -> NatAttr | None:
    """The quotient, where the division is known to be exact; else None."""
    quotient = size.quotient(divisor)
    return quotient if quotient is not None and is_integer(quotient, sizes) else None


def quotient(size: NatAttr, divisor: NatAttr, what: str) -> NatAttr:
    """The quotient in a type. Raises VerifyException where there is none."""
    result = size.quotient(divisor)
    if result is None:
        raise VerifyException(f"{what}: {divisor} does not divide {size}")
    return result


def verify_integer(op: Operation, size: NatAttr, what: str) -> None:
    """Check that a quotient is an integer under the assumptions of the function around `op`."""
    if size.denominator == 1 or is_integer(size, sizes_of(op)):
        return
    message = f"{what}: {size} is not known to be an integer"
    constant = dict(size.terms).get((), 0)
    if not size.is_constant and constant % size.denominator == 0:
        variable = size.variables[0]
        message += (
            f"; say so by '{SIZES} = [#pattern.size<{variable}, divisible_by = "
            f"{size.denominator}>]' on the function, or write a multiple, say "
            f"{size.denominator}*{variable}, in the type of its argument"
        )
    raise VerifyException(message)


def solve_sizes(
    equations: Iterable[tuple[NatAttr, int]], known: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The values of the variables in `equations`, each a size and the integer that it is.

    It solves an equation for a variable that is its only unknown and alone in its term, until none
    is left.

    Raises:
        ValueError: the equations contradict each other or do not determine a variable.
    """
    env = dict(known or {})
    open_equations = list(equations)
    while open_equations:
        left: list[tuple[NatAttr, int]] = []
        for size, value in open_equations:
            rest = size.substitute({v: nat(n) for v, n in env.items()})
            if rest.is_constant:
                if rest != nat(value):
                    raise ValueError(f"the size {size} is {rest} here, got {value}")
                continue
            unknown, *others = rest.variables
            if others or any(len(variables) > 1 for variables, _ in rest.terms):
                left.append((size, value))
                continue
            constant = rest.substitute({unknown: nat(0)})
            slope = (rest - constant).substitute({unknown: nat(1)})
            solution = (value - constant).quotient(slope)
            if solution is None or solution.denominator != 1:
                raise ValueError(
                    f"the size {size} cannot be {value}: {unknown} is an integer"
                    + (f"; pass a multiple of {slope}" if constant == nat(0) else "")
                )
            env[unknown] = solution.value
        if len(left) == len(open_equations):
            size, value = left[0]
            raise ValueError(
                f"cannot tell the variables {', '.join(size.variables)} from {size} = {value}"
            )
        open_equations = left
    return env
