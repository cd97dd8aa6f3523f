"""The effects of operations, as xDSL's traits give them, and none for two of `arith`.

xDSL 0.74 gives `arith.extsi` and `arith.remui` no `Pure`, so that xDSL's own functions take them
for operations with unknown effects. This can go when xDSL has the traits.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache

from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    get_effects,
)

PURE_WITHOUT_TRAIT = (arith.ExtSIOp, arith.RemUIOp)


def effects_of(op: Operation) -> AbstractSet[EffectInstance] | None:
    """The effects of `op` and of the operations in its regions; None where they are unknown."""
    if isinstance(op, PURE_WITHOUT_TRAIT):
        return frozenset()
    if not op.regions or not op.has_trait(RecursiveMemoryEffect, value_if_unregistered=False):
        return get_effects(op)
    effects: set[EffectInstance] = set()
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                found = effects_of(inner)
                if found is None:
                    return None
                effects |= found
    return effects


@cache
def _is_always_free(kind: type[Operation]) -> bool:
    """Whether no operation of a class has effects."""
    traits = kind.get_traits_of_type(MemoryEffect)
    return bool(traits) and all(isinstance(trait, NoMemoryEffect) for trait in traits)


def is_side_effect_free(op: Operation) -> bool:
    """Whether `op` may be removed if nothing uses its results."""
    if _is_always_free(type(op)):
        return True
    effects = effects_of(op)
    return effects is not None and not effects
