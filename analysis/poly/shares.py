"""The share of a launch that each codelet runs, and its regularity ([split16], Table 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.model import Model, model_of
from polycl.analysis.poly.partition import differing
from polycl.analysis.poly.points import Coordinates, contains
from polycl.analysis.poly.predicates import consecutive, uniform
from polycl.analysis.poly.spaces import TUPLE, project_out
from polycl.analysis.poly.tiles import Tiling
from polycl.dialects.poly import CodeletOp, KernelOp, SubkernelOp
from polycl.dialects.poly.kernel import names_of

_CHUNK = 1 << 21
"""The most points that are counted together."""


@dataclass(frozen=True)
class Share:
    """One codelet: a row of the table."""

    codelet: CodeletOp
    name: str
    items: int
    """Work-items of all groups."""
    loops: frozenset[str]
    """`uni`, `div`: whether the lanes of a tile run the same iterations. Empty for one lane."""
    accesses: frozenset[str]
    """`cons`, `uni`, `div`: how the lanes of a tile access memory. Empty for one lane."""

    @property
    def is_vector(self) -> bool:
        return self.codelet.lanes.value.data > 1


def shares(
    subkernel: SubkernelOp, kernel: KernelOp, values_per_group: Sequence[Mapping[str, int]]
) -> list[Share]:
    """The share of each codelet of a subkernel before `poly-materialize`.

    `values_per_group` are the values of the kernel's parameters by name, for each execution of the
    kernel by a group; the sizes `L0`, `L1`, .. are the same in all.

    Raises:
        KeyError: a parameter has no value.
    """
    found: list[Share] = []
    for codelet in subkernel.codelets:
        is_vector = codelet.lanes.value.data > 1
        loops, accesses = regularity(kernel, codelet) if is_vector else (set[str](), set[str]())
        name = codelet.domain.isl.get_tuple_name() or "codelet"
        items = count_items(kernel, codelet, values_per_group)
        found.append(Share(codelet, name, items, frozenset(loops), frozenset(accesses)))
    return found


def percentages(found: Sequence[Share]) -> list[float]:
    """The share among all vector codelets, as in the last column of [split16], Table 3."""
    total = sum(share.items for share in found if share.is_vector)
    return [100 * share.items / total if share.is_vector and total else 0.0 for share in found]


def count_items(
    kernel: KernelOp, codelet: CodeletOp, values_per_group: Sequence[Mapping[str, int]]
) -> int:
    """The work-items of a codelet in all groups."""
    if not values_per_group:
        return 0
    domain = codelet.domain
    count = len(domain.dimensions)
    lanes = codelet.lanes.value.data
    at: dict[str, int | NDArray[np.int64]] = {}
    shape: list[int] = []
    for place, name in enumerate(domain.dimensions):
        size = values_per_group[0][f"L{count - 1 - place}"]
        if place == codelet.position:
            size = -(-size // lanes)
        shape.append(size)
        at[name] = np.arange(size).reshape([-1 if i == place else 1 for i in range(count)])
    items = 0
    together = max(1, _CHUNK // max(1, int(np.prod(shape))))
    for first in range(0, len(values_per_group), together):
        some = values_per_group[first : first + together]
        for name in domain.parameters:
            values = np.array([each[name] for each in some], np.int64)
            at[name] = values.reshape([-1, *[1] * count])
        items += _count(domain.isl, at, (len(some), *shape))
    return items * lanes


def _count(found: isl.Set, at: Coordinates, shape: tuple[int, ...]) -> int:
    inside = np.asarray(contains(found, at))
    # Points that are equal along a dimension were counted once.
    return int(inside.sum()) * int(np.prod(shape)) // inside.size


def regularity(kernel: KernelOp, codelet: CodeletOp) -> tuple[set[str], set[str]]:
    """The regularity of the loops and of the accesses of a codelet: see `Share`."""
    names = names_of(kernel.work_items)
    tiling = Tiling(names, codelet.position, codelet.lanes.value.data, "tile")
    tiles = codelet.domain.isl.set_tuple_name("T").intersect_params(kernel.known)
    items = tiling.covered(tiles)
    model = model_of(kernel, codelet.body, items)
    dimension = codelet.along.value.data
    loops: set[str] = set()
    all_loops = [control for control in model.controls if control.is_loop]
    for control in all_loops:
        if not _nowhere(control.domain, model):
            if control.is_known:
                around = [other for other in all_loops if other.op is not control.op]
                around = [other for other in around if other.op.is_ancestor(control.op)]
                bad = differing(model, control, dimension, around[-1] if around else None)
                alike = _touches_none(tiling, bad, tiles)
            else:
                alike = model.is_uniform(control.decides, dimension)
            loops.add("uni" if alike else "div")
    accesses: set[str] = set()
    for access in model.accesses:
        if _nowhere(access.domain, model):
            continue
        kind = "div"
        for name, predicate in (("cons", consecutive), ("uni", uniform)):
            where, _ = predicate(model, access, dimension)
            bad = project_out(access.domain.subtract(where), len(names)).set_tuple_name(TUPLE)
            if _touches_none(tiling, bad, tiles):
                kind = name
                break
        accesses.add(kind)
    return loops, accesses


def _nowhere(domain: isl.Set, model: Model) -> bool:
    return domain.intersect_params(model.context).is_empty()


def _touches_none(tiling: Tiling, bad: isl.Set, tiles: isl.Set) -> bool:
    """Whether no lane of a tile, except the last one, is in `bad`."""
    touched = tiling.touched(bad, tiling.width - 1)
    return touched.set_tuple_name("T").is_disjoint(tiles)
