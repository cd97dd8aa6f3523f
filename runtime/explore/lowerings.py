"""The last phase of the search: who runs which map, and everything else in sequence.

A draft of any stage can be lowered, so every draft can be estimated, and most can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import Operation

from polycl.dialects.pattern import (
    MapBase,
    MapLocalOp,
    MapOp,
    MapWorkgroupOp,
    NatAttr,
    OneToOneOp,
    PartRedOp,
    ReduceOp,
    ReduceSeqOp,
    ReorderOp,
    VectOp,
    YieldOp,
)
from polycl.lowering.pattern_rules import RULES, Refused
from polycl.runtime.explore.draft import Draft, Inapplicable, inside, size_of

Lowering = Callable[[Draft], Draft]
"""Makes a low-level program of any draft; raises Inapplicable where it cannot."""


def in_sequence(draft: Draft) -> Draft:
    """Everything by one work-item."""
    return _rest(draft.noted("one work-item"))


def one_item_groups(draft: Draft) -> Draft:
    """map-workgroup outside; each group has one work-item."""
    return _rest(_outer_maps(draft.noted("work-groups of one work-item"), "workgroup"))


def global_items(draft: Draft) -> Draft:
    """map-global outside."""
    return _rest(_outer_maps(draft.noted("work-items without work-groups"), "global"))


def groups_of_items(draft: Draft) -> Draft:
    """map-workgroup outside, map-local in it."""
    draft = _outer_maps(draft.noted("work-groups of work-items"), "workgroup")
    inner = [at for op, at in draft.sites(MapOp) if isinstance(op.parent_op(), MapWorkgroupOp)]
    if not inner:
        raise Inapplicable("no map in a work-group")
    for at in inner:
        draft = draft.step(f"4a.local @{at}")
    together = [
        (size_of(op), at)
        for op, at in draft.sites(ReduceOp)
        if isinstance(op.parent_op(), MapWorkgroupOp)
    ]
    for size, at in together:
        draft = _by_one_item(draft, size, at)
    for op, at in list(draft.sites(MapLocalOp)):
        if isinstance(op, MapLocalOp) and _is_read(op):
            draft = draft.tried(f"4d.local @{at}")
    return _rest(draft)


def _by_one_item(draft: Draft, size: NatAttr, at: str) -> Draft:
    """reduce(f) -> join o map-local(reduce(f)) o split-n, with one chunk"""
    if size.is_constant and any(choice.typical is not None for choice in draft.plan.choices):
        raise Inapplicable("the size depends on tunables in a way that was not kept")
    draft = draft.step(f"3d.reduce m=1 @{at}").step(f"x.reduce-one @{at}")
    draft = draft.step(f"3d.split n={draft.text(size)} @{at}")
    mapped = inside(at, "in")
    return draft.step(f"3d.full @{inside(mapped, 'fn')}").step(f"4a.local @{mapped}")


def _is_read(op: MapLocalOp) -> bool:
    """Whether another pattern of the work-group reads the result."""
    values = [op.result]
    for value in values:
        for use in value.uses:
            if isinstance(use.operation, OneToOneOp):
                values.append(use.operation.result)
            elif not isinstance(use.operation, YieldOp):
                return True
    return False


LOWERINGS: tuple[Lowering, ...] = (one_item_groups, global_items, groups_of_items)


def _outer_maps(draft: Draft, level: str) -> Draft:
    outer = [at for op, at in draft.sites(MapOp) if op.parent_op() is draft.function]
    if not outer:
        raise Inapplicable("no map at the outermost level")
    for at in outer:
        draft = draft.step(f"4a.{level} @{at}")
    return draft


def _rest(draft: Draft) -> Draft:
    """What is left is done by one work-item, one thing after the other, and fused."""
    for rule, kind in (("4c.id", ReorderOp), ("3d.full", PartRedOp), ("4b", ReduceOp)):
        draft = _everywhere(draft, rule, kind)
    while (at := _unfused(draft)) is not None:
        draft = draft.step(f"4a.seq @{inside(at, 'in')}").step(f"3f.reduce @{at}")
    for rule, kind in _LAST_RULES:
        draft = _everywhere(draft, rule, kind)
    return draft


_LAST_RULES: tuple[tuple[str, type[Operation]], ...] = (
    ("x.zip-map", MapOp),
    ("4a.seq", MapOp),
    ("3f.map", MapBase),
    ("3f.reduce", ReduceSeqOp),
    ("x.vect-fuse", VectOp),
    ("x.vect", VectOp),
)


def _unfused(draft: Draft) -> str | None:
    """Where a reduction reads what a map made for it."""
    for op, at in draft.sites(ReduceSeqOp):
        mapping = op.operands[0].owner
        if isinstance(mapping, MapOp) and mapping.result.has_one_use():
            return at
    return None


def _everywhere(draft: Draft, rule: str, kind: type[Operation]) -> Draft:
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
