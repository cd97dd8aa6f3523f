"""Spaces of tuples `R[y, x, k]` of ids and loop counters, and functions on them."""

from __future__ import annotations

from dataclasses import dataclass, field

import islpy as isl

from polycl.analysis.poly.index import Index, with_parameter
from polycl.dialects.poly.isl_context import isl_context

TUPLE = "R"


@dataclass(eq=False)
class Space:
    """The ids of a work-item, outermost first, and the counters of the enclosing loops."""

    dimensions: tuple[str, ...]
    space: isl.Space
    outer: Space | None = None
    _lifts: dict[Space, isl.MultiAff] = field(default_factory=lambda: {})

    @staticmethod
    def of(dimensions: tuple[str, ...], parameters: tuple[str, ...]) -> Space:
        """The space of the work-items."""
        space = isl.Space.set_alloc(isl_context(), 0, len(dimensions))
        for name in parameters:
            space = with_parameter(space, name)
        return Space(dimensions, _named(space, dimensions))

    def with_counter(self, name: str) -> Space:
        """The space inside another loop."""
        dimensions = (*self.dimensions, name)
        space = self.space.reset_tuple_id(isl.dim_type.set).add_dims(isl.dim_type.set, 1)
        return Space(dimensions, _named(space, dimensions), self)

    def dimension(self, place: int) -> isl.PwAff:
        """A dimension as a function."""
        local = isl.LocalSpace.from_space(self.space)
        return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, place))

    def parameter(self, name: str) -> isl.PwAff:
        """A parameter as a function."""
        place = self.space.find_dim_by_name(isl.dim_type.param, name)
        local = isl.LocalSpace.from_space(self.space)
        return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.param, place))

    def number(self, number: int) -> isl.PwAff:
        """A number as a function."""
        value = isl.Val.int_from_si(self.space.get_ctx(), number)
        local = isl.LocalSpace.from_space(self.space)
        return isl.PwAff.from_aff(isl.Aff.val_on_domain(local, value))

    @property
    def universe(self) -> isl.Set:
        return isl.Set.universe(self.space)

    @property
    def empty(self) -> isl.Set:
        return isl.Set.empty(self.space)

    def lifted(self, found: isl.Set, outer: Space) -> isl.Set:
        """A set of an outer space, for all values of the inner counters."""
        return found if outer is self else found.preimage_multi_aff(self._lift(outer))

    def lifted_index(self, index: Index, outer: Space) -> Index:
        """An index over an outer space."""
        if outer is self:
            return index
        return index.mapped(lambda c: c.pullback_multi_aff(self._lift(outer)))

    def _lift(self, outer: Space) -> isl.MultiAff:
        found = self._lifts.get(outer)
        if found is None:
            first = len(outer.dimensions)
            count = len(self.dimensions) - first
            found = isl.MultiAff.project_out_map(self.space, isl.dim_type.set, first, count)
            found = found.set_tuple_name(isl.dim_type.out, TUPLE)
            self._lifts[outer] = found
        return found


def _named(space: isl.Space, dimensions: tuple[str, ...]) -> isl.Space:
    space = space.set_tuple_name(isl.dim_type.set, TUPLE)
    for place, name in enumerate(dimensions):
        space = space.set_dim_name(isl.dim_type.set, place, name)
    return space


def shift(space: isl.Space, place: int) -> isl.MultiAff:
    """The map of each point to the next one along a dimension."""
    identity = isl.MultiAff.identity(isl.Space.map_from_set(space))
    return identity.set_at(place, identity.get_at(place).add_constant_val(1))


def project_out(found: isl.Set, first: int) -> isl.Set:
    """The projection onto the first dimensions."""
    count = found.dim(isl.dim_type.set) - first
    if not count:
        return found
    names = [found.get_dim_name(isl.dim_type.set, place) for place in range(first)]
    found = found.project_out(isl.dim_type.set, first, count).set_tuple_name(TUPLE)
    for place, name in enumerate(names):
        if name is not None:
            found = found.set_dim_name(isl.dim_type.set, place, name)
    return found
