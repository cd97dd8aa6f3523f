"""Sets of tiles: `T[y, t]` has the work-items `w*t .. w*t + w - 1` along one dimension.

Properties of all lanes of a tile are computed by the complement, for some lane. The lane has the
coefficient 1 in the map to tiles, so isl eliminates it exactly and needs no new variables.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from polycl.analysis.poly.spaces import TUPLE
from polycl.dialects.poly.isl_context import isl_context


@dataclass(frozen=True)
class Tiling:
    """Tiles of `width` work-items; dimension `place`, with the name `tile`, counts them."""

    names: tuple[str, ...]
    place: int
    width: int
    tile: str

    def with_lane(self, items: isl.Set, lane: int) -> isl.Set:
        """The tiles whose lane `lane` is in a set."""
        return self._tiles(items.apply(self._map(lane, lane)))

    def touched(self, items: isl.Set, lanes: int) -> isl.Set:
        """The tiles with one of their first `lanes` work-items in a set."""
        return self._tiles(items.apply(self._map(0, lanes - 1))).coalesce()

    def covered(self, tiles: isl.Set) -> isl.Set:
        """The work-items of tiles."""
        items = tiles.apply(self._map(0, self.width - 1).reverse()).set_tuple_name(TUPLE)
        return _with_names(items, self.names)

    def _tiles(self, found: isl.Set) -> isl.Set:
        names = list(self.names)
        names[self.place] = self.tile
        return _with_names(found, names)

    def _map(self, first: int, last: int) -> isl.Map:
        ids = [f"i{place}" for place in range(len(self.names))]
        tiles = list(ids)
        tiles[self.place] = "t"
        item, start = ids[self.place], f"{self.width}t"
        text = (
            f"{{ {TUPLE}[{', '.join(ids)}] -> T[{', '.join(tiles)}] : "
            f"{start} + {first} <= {item} <= {start} + {last} }}"
        )
        return isl.Map.read_from_str(isl_context(), text)


def _with_names(found: isl.Set, names: tuple[str, ...] | list[str]) -> isl.Set:
    for place, name in enumerate(names):
        found = found.set_dim_name(isl.dim_type.set, place, name)
    return found
