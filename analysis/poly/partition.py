"""Splits a work-group into classes of tiles, and the remaining work-items.

[split16], section 4.2, in the space of tiles instead of work-items. There are three differences,
where the formulas of [split16] give less than intended:

- A part of a predicate that fixes parameters, such as `width = 1`, does not count as consecutive:
  otherwise the interior of all accesses would be empty in all other launches.
- Predicates relate a lane to the next one. The last lane of a tile does not depend on the next
  tile, and an access that is consecutive for every other pair of lanes is consecutive in no tile.
- A tile is full if all its work-items exist, independent of accesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polycl.analysis.poly.model import Access, Control, Model
from polycl.analysis.poly.predicates import consecutive
from polycl.analysis.poly.spaces import TUPLE, project_out, shift
from polycl.analysis.poly.tiles import Tiling

PREDICATES = ("full", "mem", "ctl")

MOST_GUARDS = 2
"""With more branches there is no codelet for tiles that take the first side of all of them."""


@dataclass(frozen=True)
class Part:
    """Tiles (or work-items, with one lane) of a class: a cell of [split16], Table 1."""

    name: str
    domain: isl.Set
    lanes: int
    tile: str = "full"
    mem: str = "div"
    ctl: str = "mixed"


@dataclass(frozen=True)
class Partition:
    """The parts of a group along a dimension."""

    domain: isl.Set
    """The work-items with effects, and all others in their tiles."""
    parts: tuple[Part, ...]
    gaining: tuple[Access, ...] = ()
    """The accesses that are consecutive in some tiles only."""


def partition(
    model: Model,
    dimension: int,
    width: int,
    predicates: Sequence[str] = PREDICATES,
    most: int = 4,
) -> Partition:
    """Splits the work-items of a model into at most `most` classes of tiles, and the rest."""
    place = model.place_of(dimension)
    tiling = Tiling(model.names, place, width, _tile_name(model))
    context = model.context
    items = model.items
    living = live_items(model)
    full = tiling.with_lane(items, 0).intersect(tiling.with_lane(items, width - 1))
    full = full.intersect_params(context)
    live = full
    if not items.is_subset(living):
        live = full.intersect(tiling.touched(living, width)).coalesce()
    rest = living.subtract(tiling.covered(full)).coalesce()
    parts: list[Part] = []
    gaining: list[Access] = []
    if "mem" not in predicates and "ctl" not in predicates:
        parts.append(Part("full", live, width))
    else:
        regular = full
        if "mem" in predicates:
            regular, gaining = _consecutive_tiles(model, dimension, tiling, full)
        alike = full
        if "ctl" in predicates:
            alike = _uniform_tiles(model, dimension, tiling, full)
        mem = "cons" if "mem" in predicates else "div"
        splits_control = "ctl" in predicates
        ctl = "uniform" if splits_control and _agree_elsewhere(model, dimension) else "mixed"
        regular = regular.intersect(live).coalesce()
        interior = _busy(regular.intersect(alike).coalesce(), model, tiling)
        guards = [c for c in model.controls if c.is_known and c.is_first and not c.is_loop]
        if splits_control and 0 < len(guards) <= MOST_GUARDS and most >= 4:
            passed = interior.intersect(_passing_tiles(guards, model, tiling, full)).coalesce()
            parts.append(Part("interior", passed, width, "full", mem, ctl))
            parts.append(Part("uniform", interior.subtract(passed), width, "full", mem, ctl))
        else:
            parts.append(Part("interior", interior, width, "full", mem, ctl))
        mixed = regular.subtract(interior)
        if most >= 3:
            parts.append(Part("mixed", mixed, width, "full", mem))
            parts.append(Part("divergent", live.subtract(regular), width))
        else:
            parts.append(Part("divergent", live.subtract(interior), width))
    parts.append(Part("partial", rest, 1, "partial"))
    # A tile runs as a whole, including its work-items without effects.
    domain = living.union(tiling.covered(live)).coalesce()
    found = tuple(_named(part) for part in parts if not part.domain.is_empty())
    return Partition(domain, found, tuple(gaining))


def _named(part: Part) -> Part:
    domain = part.domain.coalesce().set_tuple_name(part.name)
    return Part(part.name, domain, part.lanes, part.tile, part.mem, part.ctl)


def _tile_name(model: Model) -> str:
    name, number = "t", 0
    taken = {*model.names, *model.parameters}
    while name in taken:
        number += 1
        name = f"t{number}"
    return name


def live_items(model: Model) -> isl.Set:
    """The work-items with an effect."""
    count = len(model.names)
    found = isl.Set.empty(model.items.get_space())
    for op in model.effects:
        domain = model.domain_at(op)
        if domain.dim(isl.dim_type.set) == count and domain.plain_is_equal(model.items):
            return model.items
        found = found.union(project_out(domain, count).set_tuple_name(TUPLE))
    return found.intersect(model.items).coalesce()


def _consecutive_tiles(
    model: Model, dimension: int, tiling: Tiling, full: isl.Set
) -> tuple[isl.Set, list[Access]]:
    """The tiles in which each access that is consecutive in any tile is consecutive, and the
    accesses that are consecutive in some tiles only."""
    found = full
    gaining: list[Access] = []
    for access in model.accesses:
        tiles = _tiles_of(model, access, dimension, tiling, full)
        if tiles is not None and not tiles.is_empty():
            found = found.intersect(tiles).coalesce()
            gaining.append(access)
    return found, gaining


def _tiles_of(
    model: Model, access: Access, dimension: int, tiling: Tiling, full: isl.Set
) -> isl.Set | None:
    """The tiles in which an access is consecutive; None if that is all tiles or none."""
    where, _ = consecutive(model, access, dimension)
    if where.is_empty() or access.domain.is_subset(where):
        return None
    where = without_thin(where, model.context)
    if where.is_empty():
        return None
    count = len(model.names)
    bad = where.gist(access.domain).complement()
    counters = bad.dim(isl.dim_type.set) - count
    if bad.involves_dims(isl.dim_type.set, count, counters):
        bad = access.domain.subtract(where)
    # Else neither the iterations of loops nor the work-items that run them matter.
    bad = project_out(bad, count).set_tuple_name(TUPLE).intersect_params(model.context)
    # All lanes of a full tile exist: other work-items do not matter.
    good = tiling.touched(bad, tiling.width - 1).complement().coalesce()
    return full.intersect(good).coalesce()


def without_thin(found: isl.Set, context: isl.Set) -> isl.Set:
    """The set without the parts that fix parameters which the context does not fix."""
    kept = isl.Set.empty(found.get_space())
    for piece in found.get_basic_sets():
        whole = isl.Set.from_basic_set(piece).intersect_params(context)
        if whole.is_empty():
            continue
        hull = isl.Set.from_basic_set(whole.params().affine_hull())
        if context.is_subset(hull):
            kept = kept.union(isl.Set.from_basic_set(piece))
    return kept.coalesce()


def _uniform_tiles(model: Model, dimension: int, tiling: Tiling, full: isl.Set) -> isl.Set:
    """The tiles whose work-items take the same branches and run the same iterations, for branches
    and loops with known domains."""
    found = full
    for control in model.controls:
        if control.is_known:
            unlike = differing(model, control, dimension)
            found = found.subtract(tiling.touched(unlike, tiling.width - 1)).coalesce()
    return found


def _agree_elsewhere(model: Model, dimension: int) -> bool:
    """Whether branches and loops with unknown domains are uniform by the uniformity analysis."""
    unknown = [control for control in model.controls if not control.is_known]
    return all(model.is_uniform(control.decides, dimension) for control in unknown)


def differing(
    model: Model, control: Control, dimension: int, around: Control | None = None
) -> isl.Set:
    """The work-items whose next work-item runs other iterations of a loop or another branch.

    With `around`, an enclosing loop, only iterations of that loop that both run count.
    """
    domain = control.domain
    place = model.place_of(dimension)
    next = domain.preimage_multi_aff(shift(domain.get_space(), place))
    differs = domain.subtract(next).union(next.subtract(domain))
    if around is not None:
        outer = around.domain
        both = outer.intersect(outer.preimage_multi_aff(shift(outer.get_space(), place)))
        more = domain.dim(isl.dim_type.set) - outer.dim(isl.dim_type.set)
        both = both.add_dims(isl.dim_type.set, more).set_tuple_name(TUPLE)
        differs = differs.intersect(both)
    items = model.items
    pairs = items.intersect(items.preimage_multi_aff(shift(items.get_space(), place)))
    found = project_out(differs, len(model.names)).set_tuple_name(TUPLE)
    return found.intersect(pairs).coalesce()


def _busy(tiles: isl.Set, model: Model, tiling: Tiling) -> isl.Set:
    """The tiles without the pieces in which no loop runs. These are unusual launches, such as an
    image without columns, which would make the domains of all codelets more complicated."""
    loops = [control for control in model.controls if control.is_loop]
    if not loops or tiles.n_basic_set() < 2:
        return tiles
    count = len(model.names)
    space = tiles.get_space()
    running = isl.Set.empty(model.items.get_space())
    for loop in loops:
        if not any(other is not loop and loop.op.is_ancestor(other.op) for other in loops):
            domain = project_out(loop.domain, count).set_tuple_name(TUPLE)
            running = running.union(domain)
    touched = tiling.touched(running.intersect(model.items), tiling.width)
    found = isl.Set.empty(space)
    for piece in tiles.get_basic_sets():
        if not touched.is_disjoint(isl.Set.from_basic_set(piece)):
            found = found.union(isl.Set.from_basic_set(piece))
    return found.coalesce()


def _passing_tiles(
    guards: Sequence[Control], model: Model, tiling: Tiling, full: isl.Set
) -> isl.Set:
    """The tiles whose work-items all take the first side of each branch."""
    found = full
    count = len(model.names)
    for guard in guards:
        if guard.domain.dim(isl.dim_type.set) == count:
            missing = model.items.subtract(guard.domain.set_tuple_name(TUPLE))
            found = found.subtract(tiling.touched(missing, tiling.width)).coalesce()
    return found
