"""Sums of products of values, of which those that are the same have one number."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.sliding import Index, Products
from polycl.lowering.build import Build
from polycl.symbolic import atom

_MOST_TERMS = 16
"""Of a polynomial that is multiplied."""


class Polynomials(Products):
    """Polynomials over values, that can be computed."""

    def opaque(self, value: SSAValue) -> Index:
        for number, known in enumerate(self.values):
            if same_value(value, known):
                return atom(number)
        return super().opaque(value)

    def product(self, op: arith.MuliOp, x: Index, y: Index) -> Index | None:
        most = len(x.coefficients) * len(y.coefficients)
        return x * y if most <= _MOST_TERMS else None

    rules = {**Products.rules, arith.MuliOp: product}

    def built(self, polynomial: Index, build: Build) -> SSAValue:
        """An index that is computed from the values."""
        total: SSAValue | None = None
        for factors, number in polynomial.coefficients.items():
            term = build.index(number) if number != 1 or not factors else None
            for factor in factors:
                value = build.as_index(self.values[factor])
                term = value if term is None else build.mul(term, value)
            assert term is not None
            total = term if total is None else build.add(total, term)
        return build.index(0) if total is None else total
