"""The last phase of the search: the levels of maps, and sequential code for the rest.

A draft of any stage can be lowered, so every draft can be estimated, and most can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import Operation

from polycl.dialects.pattern import (
    MapBase,
    MapGlobalOp,
    MapLocalOp,
    MapOp,
    MapWorkgroupOp,
    OneToOneOp,
    PartRedOp,
    ReduceOp,
    ReduceSeqOp,
    ReorderOp,
    VectOp,
    YieldOp,
)
from polycl.lowering.pattern.rules import RULES, Refused
from polycl.runtime.pattern.explore.accesses import is_view
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, inside, size_of

_SHORT = 16
"""The most iterations of a loop that is unrolled."""

Lowering = Callable[[Draft], Draft]
"""Makes a low-level program of a draft; raises Inapplicable where that is impossible."""


def in_sequence(draft: Draft) -> Draft:
    """Everything by one work-item."""
    return _rest(draft.noted("one work-item"))


def one_item_groups(draft: Draft) -> Draft:
    """map-workgroup outside; each group has one work-item."""
    return _rest(_outer_maps(draft.noted("work-groups of one work-item"), "workgroup"))


def global_items(draft: Draft) -> Draft:
    """map-global outside."""
    return _rest(_outer_maps(draft.noted("work-items without work-groups"), "global"))


def global_items_of_rows(draft: Draft) -> Draft:
    """map-global outside, along the second dimension; map-global in it along the first one."""
    draft = draft.noted("rows of work-items without work-groups")
    for at in _outermost(draft):
        draft = draft.step(f"4a.global dim=1 @{at}")
    # Work-items do not wait for what others compute.
    inner = [at for at in _maps_in(draft, MapGlobalOp) if not _is_read(_at(draft, at))]
    if not inner:
        raise Inapplicable("no map there for work-items")
    for at in inner:
        draft = draft.step(f"4a.global @{at}")
    return _rest(draft)


def as_it_is(draft: Draft) -> Draft:
    """What a strategy has chosen."""
    if not any(isinstance(op, MapWorkgroupOp | MapGlobalOp) for op in draft.function.walk()):
        raise Inapplicable("no strategy has chosen work-items")
    return _rest(draft.noted("the rest in sequence"))


def groups_of_items(draft: Draft) -> Draft:
    """map-workgroup outside, map-local in it."""
    draft = _outer_maps(draft.noted("work-groups of work-items"), "workgroup")
    for at in _maps_in(draft, MapWorkgroupOp):
        draft = draft.step(f"4a.local @{at}")
    return _rest(_in_local_memory(draft))


def groups_of_rows(draft: Draft) -> Draft:
    """The same, and map-local in map-local: the outer one is along the second dimension."""
    return _in_two_dimensions(draft.noted("work-groups of rows of work-items"), 1, 0)


def groups_of_columns(draft: Draft) -> Draft:
    """The same, with the inner one along the second dimension."""
    return _in_two_dimensions(draft.noted("work-groups of columns of work-items"), 0, 1)


def _in_two_dimensions(draft: Draft, outer: int, inner: int) -> Draft:
    for at in _outermost(draft):
        # One work-group along the second dimension.
        draft = draft.step(f"3c n=1 @{at}").step(f"4a.workgroup @{inside(at, 'in')}")
        draft = draft.step(f"4a.workgroup dim=1 @{inside(at, 'in', 'fn')}")
    rows = _maps_in(draft, MapWorkgroupOp)
    for at in rows:
        draft = draft.step(f"4a.local{_dim(outer)} @{at}")
    for at in _maps_in(draft, MapLocalOp):
        draft = draft.step(f"4a.local{_dim(inner)} @{at}")
    return _rest(_in_local_memory(draft))


def _dim(dim: int) -> str:
    return f" dim={dim}" if dim else ""


def _maps_in(draft: Draft, level: type[Operation]) -> list[str]:
    """The places of the maps directly in maps of a level. Raises Inapplicable without any."""
    found = [
        at
        for op, at in draft.sites(MapOp)
        if isinstance(op.parent_op(), level) and isinstance(op, MapOp) and not is_view(op)
    ]
    if not found:
        raise Inapplicable("no map there for work-items")
    return found


def _in_local_memory(draft: Draft) -> Draft:
    """Puts intermediate results of a work-group into local memory."""
    # The innermost first, which changes no place of the others.
    for op, at in sorted(draft.sites(MapLocalOp), key=lambda site: -site[1].count("/")):
        if isinstance(op, MapLocalOp) and _is_read(op):
            draft = draft.tried(f"4d.local @{at}")
    return draft


def _at(draft: Draft, at: str) -> Operation:
    return next(op for op, place in draft.sites(MapOp) if place == at)


def _is_read(op: Operation) -> bool:
    """Whether another pattern beside this one reads the result."""
    values = list(op.results)
    for value in values:
        for use in value.uses:
            if isinstance(use.operation, OneToOneOp):
                values.append(use.operation.result)
            elif not isinstance(use.operation, YieldOp):
                return True
    return False


LOWERINGS: tuple[Lowering, ...] = (
    as_it_is,
    one_item_groups,
    global_items,
    global_items_of_rows,
    groups_of_items,
    groups_of_rows,
    groups_of_columns,
)


def _outer_maps(draft: Draft, level: str) -> Draft:
    for at in _outermost(draft):
        draft = draft.step(f"4a.{level} @{at}")
    return draft


def _outermost(draft: Draft) -> list[str]:
    found = [
        at
        for op, at in draft.sites(MapOp)
        if op.parent_op() is draft.function and isinstance(op, MapOp) and not is_view(op)
    ]
    if not found:
        raise Inapplicable("no map at the outermost level")
    return found


def _rest(draft: Draft) -> Draft:
    """The remaining patterns become sequential code of one work-item, and are fused."""
    for rule, kind in (("4c.id", ReorderOp), ("3d.full", PartRedOp), ("4b", ReduceOp)):
        draft = _everywhere(draft, rule, kind)
    while (at := _unfused(draft)) is not None:
        draft = draft.step(f"4a.seq @{inside(at, 'in')}").step(f"3f.reduce @{at}")
    for rule, kind in _LAST_RULES:
        draft = _everywhere(draft, rule, kind)
    return _unrolled(draft)


_LAST_RULES: tuple[tuple[str, type[Operation]], ...] = (
    ("x.zip-map", MapOp),
    ("4a.seq", MapOp),
    ("3f.map", MapBase),
    ("3f.reduce", ReduceSeqOp),
    ("x.vect-fuse", VectOp),
    ("x.vect", VectOp),
)


def _unrolled(draft: Draft) -> Draft:
    """Short loops over constant sizes, such as those of windows."""
    for op, at in list(draft.sites(ReduceSeqOp)):
        size = size_of(op)
        if size.is_constant and size.value <= _SHORT:
            draft = draft.tried(f"x.unroll @{at}")
    return draft


def _unfused(draft: Draft) -> str | None:
    """The place of a reduction that reads the result of a map without other uses, or None."""
    for op, at in draft.sites(ReduceSeqOp):
        mapping = op.operands[0].owner
        if isinstance(mapping, MapOp) and mapping.result.has_one_use():
            return at
    return None


def _everywhere(draft: Draft, rule: str, kind: type[Operation]) -> Draft:
    if rule == "4a.seq":
        # A map that only rearranges what it reads costs nothing where it is.
        for op, at in list(draft.sites(MapOp)):
            if isinstance(op, MapOp) and not is_view(op):
                draft = draft.tried(f"4a.seq @{at}")
        return draft
    while any(isinstance(op, kind) and _matches(op, rule) for op in draft.function.walk()):
        draft = draft.step(f"{rule} @everywhere")
    return draft


def _matches(op: Operation, rule: str) -> bool:
    try:
        RULES[rule].match(op)
    except Refused:
        return False
    return True


def completions(draft: Draft) -> Iterator[Draft]:
    """The draft lowered in each way that applies."""
    for lowering in LOWERINGS:
        try:
            yield lowering(draft)
        except Inapplicable:
            continue
