"""Splitting predicates: where neighbouring lanes access neighbouring elements, or the same one.

[split16], section 3.2.2: `F(i + v_d) = F(i) + 1` and `F(i + v_d) = F(i)`. The addresses are
subtracted as index polynomials first, so common products such as `y * width` cancel out before isl
is used.
"""

from __future__ import annotations

import islpy as isl

from polycl.analysis.poly.model import Access, Model
from polycl.analysis.poly.spaces import shift


def consecutive(model: Model, access: Access, dimension: int) -> tuple[isl.Set, bool]:
    """Where the next work-item along a dimension accesses the next element, a subset of
    `access.domain`, and whether the set is exact."""
    return _grows_by(model, access, dimension, 1)


def uniform(model: Model, access: Access, dimension: int) -> tuple[isl.Set, bool]:
    """Where the next work-item accesses the same element, and whether the set is exact."""
    return _grows_by(model, access, dimension, 0)


def _grows_by(model: Model, access: Access, dimension: int, amount: int) -> tuple[isl.Set, bool]:
    key = access.op, dimension, amount
    if key not in model.growth:
        model.growth[key] = _growth(model, access, dimension, amount)
    return model.growth[key]


def _growth(model: Model, access: Access, dimension: int, amount: int) -> tuple[isl.Set, bool]:
    domain = access.domain
    if access.index is None:
        stride = model.stride(access, dimension)
        found = domain if stride == amount else isl.Set.empty(domain.get_space())
        return found, stride is not None
    by = access.index.delta(shift(domain.get_space(), model.place_of(dimension)))
    return by.equals(amount, domain)
