"""Splitting predicates: where neighbouring lanes access neighbouring elements, or one place.

Seeds/001, section 3.2.2: `F(i + v_d) = F(i) + 1` and `F(i + v_d) = F(i)`. The addresses are
subtracted first and what is left is said in isl, so that a product such as `y * width` that both
addresses have needs no name.
"""

from __future__ import annotations

import islpy as isl

from polycl.analysis.poly.model import Access, Model
from polycl.analysis.poly.spaces import shift


def consecutive(model: Model, access: Access, dimension: int) -> tuple[isl.Set, bool]:
    """Where the next work-item along a dimension accesses the next element, and whether only there.

    The set is a part of `access.domain`.
    """
    return _grows_by(model, access, dimension, 1)


def uniform(model: Model, access: Access, dimension: int) -> tuple[isl.Set, bool]:
    """Where the next work-item accesses the same element, and whether only there."""
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
