"""Arithmetic of index polynomials such as `x + width * (G1 + y)`, which isl cannot represent.

An index is a sum of monomials (products of uniform values), each times a piecewise affine
coefficient. Sums, differences between neighbours and products with uniform values are computed
monomial by monomial. Nothing is assumed about bounds of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polycl.dialects.poly import AffAttr, IndexAttr
from polycl.dialects.poly.index import Monomial
from polycl.dialects.poly.isl_context import isl_context
from polycl.symbolic import Poly

_AFFINE: Monomial = ()


@dataclass(frozen=True)
class Index:
    """A polynomial over uniform values whose coefficients are affine expressions over one tuple.

    A coefficient may be defined for a part of the tuple only, so zero coefficients are kept.
    """

    poly: Poly[str, isl.PwAff]
    is_partial: bool = False
    """Whether the value is unknown outside the domain of the coefficients."""

    @staticmethod
    def affine(value: isl.PwAff, is_partial: bool = False) -> Index:
        """An index without products."""
        return Index(Poly([(_AFFINE, value)]), is_partial)

    @property
    def terms(self) -> Mapping[Monomial, isl.PwAff]:
        return self.poly.coefficients

    @property
    def is_affine(self) -> bool:
        return not self.poly.degree

    @property
    def value(self) -> isl.PwAff:
        """The affine part, which is the whole index if `is_affine`."""
        return self.terms[_AFFINE]

    def __add__(self, other: Index) -> Index:
        return Index(self.poly + other.poly, self.is_partial or other.is_partial)

    def __sub__(self, other: Index) -> Index:
        return Index(self.poly - other.poly, self.is_partial or other.is_partial)

    def times(self, *names: str) -> Index:
        """The product with uniform values."""
        return Index(Poly(((*m, *names), c) for m, c in self.terms.items()), self.is_partial)

    def scaled(self, number: int) -> Index:
        """The product with a number."""
        by = isl.Val.int_from_si(isl_context(), number)
        return self.mapped(lambda c: c.scale_val(by))

    def mapped(self, change: Callable[[isl.PwAff], isl.PwAff]) -> Index:
        return Index(self.poly.mapped(change), self.is_partial)

    def delta(self, shift: isl.MultiAff) -> Index:
        """The growth from each point to its image by `shift`."""
        return self.mapped(lambda c: c.pullback_multi_aff(shift).sub(c))

    def equals(self, value: int, domain: isl.Set) -> tuple[isl.Set, bool]:
        """The points of `domain` where the index is `value`, and whether these are all.

        A monomial does not matter where its coefficient is 0. Where its coefficient is another
        constant, the product with a single uniform value is affine, as the value is a parameter.
        All other points are left out.
        """
        # Parts of the domain by the uniform values in their sum, each with its factor.
        parts: dict[tuple[tuple[str, int], ...], isl.Set] = {(): domain}
        exact = not self.is_partial
        for monomial, coefficient in self.terms.items():
            pieces = coefficient.get_pieces()
            if monomial == _AFFINE or (len(pieces) == 1 and pieces[0][1].plain_is_zero()):
                continue
            found: dict[tuple[tuple[str, int], ...], isl.Set] = {}
            for shared, part in parts.items():
                for where, factor in pieces:
                    inside, key = part.intersect(where), shared
                    if inside.is_empty():
                        continue
                    if not factor.is_cst():
                        zero = inside.intersect(isl.PwAff.from_aff(factor).zero_set())
                        exact = exact and inside.is_subset(zero)
                        inside = zero
                    elif not factor.plain_is_zero():
                        if len(monomial) > 1:
                            exact = False
                            continue
                        by = factor.get_constant_val().to_python()
                        key = (*shared, *((name, by) for name in monomial))
                    found[key] = found[key].union(inside) if key in found else inside
            parts = {key: part.coalesce() for key, part in found.items()}
        result = isl.Set.empty(domain.get_space())
        for shared, part in parts.items():
            for where, aff in self.value.get_pieces():
                equal = part.intersect(where)
                if shared or not aff.is_cst():
                    equal = equal.intersect(_with_shared(aff, shared, domain, value).zero_set())
                elif aff.get_constant_val().to_python() != value:
                    continue
                result = result.union(equal)
        return result.coalesce(), exact

    def attribute(self) -> IndexAttr:
        """As an attribute, with its canonical text."""
        return IndexAttr(
            (m, AffAttr.of(c.coalesce()))
            for m, c in self.terms.items()
            if m == _AFFINE or not c.plain_is_equal(c.sub(c))
        )


def _with_shared(
    aff: isl.Aff, shared: Sequence[tuple[str, int]], domain: isl.Set, value: int
) -> isl.PwAff:
    """The sum of an expression and multiples of parameters, minus a number."""
    sum = isl.PwAff.from_aff(aff.add_constant_val(isl.Val.int_from_si(domain.get_ctx(), -value)))
    for name, factor in shared:
        by = isl.Val.int_from_si(domain.get_ctx(), factor)
        sum = sum.add(parameter(domain.get_space(), name).scale_val(by))
    return sum


def parameter(space: isl.Space, name: str) -> isl.PwAff:
    """A parameter as a function on a space."""
    space = with_parameter(space, name)
    place = space.find_dim_by_name(isl.dim_type.param, name)
    local = isl.LocalSpace.from_space(space)
    return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.param, place))


def with_parameter(space: isl.Space, name: str) -> isl.Space:
    """A space with a parameter, which is added if it is missing."""
    if space.find_dim_by_name(isl.dim_type.param, name) >= 0:
        return space
    one = isl.Space.params_alloc(space.get_ctx(), 1)
    return space.align_params(one.set_dim_name(isl.dim_type.param, 0, name))
