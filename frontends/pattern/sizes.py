"""Symbolic sizes as Python objects: `N`, `64 * N`, `N // 4`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from polycl.dialects.pattern import NatAttr, SizeAttr, nat
from polycl.frontends.pattern.places import error_here


class Size:
    """A symbolic size: a polynomial in size variables, with assumptions on them.

    Next to a value of a program it is a number: the operators of the value make the arithmetic.
    """

    def __init__(self, nat: NatAttr, assumptions: Mapping[str, SizeAttr] | None = None):
        self.nat = nat
        self.assumptions = dict(assumptions or {})

    def __add__(self, other: SizeLike) -> Size:
        if _is_value(other):
            return NotImplemented
        return self._with(other, self.nat + nat_of(other))

    def __radd__(self, other: int) -> Size:
        return self + other

    def __sub__(self, other: SizeLike) -> Size:
        if _is_value(other):
            return NotImplemented
        return self._with(other, self.nat - nat_of(other))

    def __rsub__(self, other: int) -> Size:
        return Size(nat_of(other)) - self

    def __mul__(self, other: SizeLike) -> Size:
        if _is_value(other):
            return NotImplemented
        return self._with(other, self.nat * nat_of(other))

    def __rmul__(self, other: int) -> Size:
        return self * other

    def __floordiv__(self, other: SizeLike) -> Size:
        """The exact quotient: it is an error where the division has a remainder."""
        if _is_value(other):
            return NotImplemented
        quotient = self.nat.quotient(nat_of(other))
        if quotient is None:
            raise error_here(
                f"{other} does not divide the size {self}; expected a factor of it, or a number"
            )
        return self._with(other, quotient)

    def _with(self, other: SizeLike, value: NatAttr) -> Size:
        more = other.assumptions if isinstance(other, Size) else {}
        return Size(value, {**self.assumptions, **more})

    def __eq__(self, other: object) -> bool:
        if _is_value(other):
            return NotImplemented
        return isinstance(other, Size | int) and self.nat == nat_of(other)

    def __hash__(self) -> int:
        return hash(self.nat)

    def __bool__(self) -> bool:
        raise error_here(f"the size {self} is symbolic: it has no truth value in Python")

    def __index__(self) -> int:
        if self.nat.is_constant:
            return self.nat.value
        raise error_here(
            f"the size {self} is symbolic: it is no number in Python; in the arithmetic of "
            "a program it can be an operand, and iterate(n, f) and generate(n, f) are its loops"
        )

    def __str__(self) -> str:
        return str(self.nat)

    def __repr__(self) -> str:
        return f"Size({self})"


SizeLike: TypeAlias = Size | int


def _is_value(other: object) -> bool:
    """Whether it is a value of a program, whose class is defined on top of this one."""
    return hasattr(type(other), "ssa")


def nat_of(size: object) -> NatAttr:
    """A size of the user as an attribute."""
    if isinstance(size, Size):
        return size.nat
    if isinstance(size, bool) or not isinstance(size, int):
        raise error_here(
            f"expected a size, got {size!r}; a size is an integer or made of size variables, "
            'N = size("N"), and as a number in arithmetic it is f32(N) or i32(N)'
        )
    return nat(size)


def size(name: str, *, min: int = 0, divisible_by: int = 1) -> Size:
    """The size variable `name`; a call is refused unless it is at least `min` and a multiple of
    `divisible_by`.

    Raises:
        SourceError: the name is no identifier, or a number is negative.
    """
    if not (name.isidentifier() and name.isascii()):
        raise error_here(f"expected a name of letters and digits for a size, got {name!r}")
    if min < 0 or divisible_by < 1:
        raise error_here("expected 'min' of at least 0 and 'divisible_by' of at least 1")
    assumption = SizeAttr(name, min or 1, divisible_by)
    return Size(nat(name), {name: assumption} if min or divisible_by > 1 else {})


def sizes(names: str) -> tuple[Size, ...]:
    """A size variable for each of the names: `N, M = sizes("N M")`."""
    return tuple(size(name) for name in names.replace(",", " ").split())
