"""The loops around the codelets of a subkernel: first planned with isl, then emitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import islpy as isl
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Region, SSAValue

from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.poly.model import all_items
from polycl.dialects import poly
from polycl.dialects.poly import ClassAttr, SetAttr
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.poly.codegen.isl_ast import (
    Env,
    Leaf,
    Loops,
    condition_of,
    emit_condition,
    emit_for,
    emit_guard,
    emit_if,
    emit_loops,
    guard_of,
    loops_of,
)
from polycl.lowering.poly.codegen.scope import Scope, sum_of
from polycl.symbolic import integer

_MOST_PARTS = 4
"""The most convex parts of a codelet for which whole groups are tested."""


@dataclass
class _Looped:
    """Codelets in the same loops; all but the last one with a guard."""

    codelets: list[poly.CodeletOp]
    loops: Loops
    guards: list[isl.AstExpr] = field(default_factory=lambda: [])
    full: str | None = None
    """The parameter of the loops with the number of work-items in full tiles."""


@dataclass
class Plan:
    """The loops of a subkernel."""

    loops: list[_Looped]
    whole: tuple[isl.AstExpr, _Looped] | None
    """The condition that all work-items of a group are in one codelet, and its loops then."""

    @property
    def codelets(self) -> list[poly.CodeletOp]:
        """The codelets that are not empty."""
        return [codelet for one in self.loops for codelet in one.codelets]


def plan_of(subkernel: poly.SubkernelOp, *, whole_groups: bool) -> Plan:
    """The loops of the codelets; empty codelets are left out."""
    kernel = subkernel.parent_op()
    assert isinstance(kernel, poly.KernelOp)
    known = kernel.known
    everything = all_items(kernel)
    codelets = [
        codelet
        for codelet in subkernel.codelets
        if not codelet.domain.isl.intersect_params(known).is_empty()
    ]
    shared = _shared(codelets, known, everything)
    loops = [shared] if shared is not None else []
    for codelet in codelets:
        if shared is not None and codelet in shared.codelets:
            continue
        rest = _behind_full_tiles(codelet, subkernel, kernel)
        if rest is None:
            box = _box(codelet, everything)
            rest = _Looped([codelet], loops_of(codelet.domain.isl, known, box))
        loops.append(rest)
    return Plan(loops, _whole_plan(kernel, codelets) if whole_groups else None)


def _shared(
    codelets: Sequence[poly.CodeletOp], known: isl.Set, everything: isl.Set
) -> _Looped | None:
    """Codelets whose tiles are not convex, but together are, for example all tiles.

    A guard tests each tile for the codelets, except for the last one, which has the rest.
    """
    parts = [c for c in codelets if c.lanes.value.data > 1 and c.domain.isl.n_basic_set() > 1]
    if len(parts) < 2:
        return None
    names = parts[0].domain.dimensions
    domains = [part.domain.isl.reset_tuple_id().gist_params(known) for part in parts]
    union = reduce(isl.Set.union, domains)
    box = _box(parts[0], everything)
    around = union.simple_hull().to_set().intersect(box.reset_tuple_id())
    if not around.intersect_params(known).is_subset(union):
        return None
    loops = loops_of(around.set_tuple_name("tiles"), known, box)
    guards = [guard_of(domain, around, names) for domain in domains[:-1]]
    return _Looped(parts, loops, guards)


def _box(codelet: poly.CodeletOp, items: isl.Set) -> isl.Set:
    """All tiles or work-items of a group, with the dimension names of the codelet."""
    ids = [f"i{i}" for i in range(len(codelet.body.block.args))]
    first = [*ids]
    first[codelet.position] = f"{codelet.lanes.value.data}{ids[codelet.position]}"
    text = f"{{ [{', '.join(ids)}] -> [{', '.join(first)}] }}"
    box = items.reset_tuple_id().apply(isl.Map.read_from_str(isl_context(), text).reverse())
    for i, name in enumerate(codelet.domain.dimensions):
        box = box.set_dim_name(isl.dim_type.set, i, name)
    return box.set_tuple_name(codelet.domain.isl.get_tuple_name() or "all")


def _behind_full_tiles(
    codelet: poly.CodeletOp, subkernel: poly.SubkernelOp, kernel: poly.KernelOp
) -> _Looped | None:
    """The loops of scalar work-items after the last full tile, if these are all.

    isl would test for each work-item whether it is in a full tile, as it does not find the bound
    `L0 - L0 mod 8`. So the bound is a parameter for isl, and is computed here.
    """
    along, width = subkernel.along.value.data, subkernel.width.value.data
    size = f"L{along}"
    if codelet.lanes.value.data > 1 or constant_value(size_along(kernel, along)) is not None:
        return None
    domain = codelet.domain.isl
    name = domain.get_tuple_name()
    domain = domain.reset_tuple_id()
    ids = [f"i{i}" for i in range(domain.dim(isl.dim_type.set))]
    item = ids[codelet.position]

    def items(params: str, condition: str) -> isl.Set:
        text = f"[{params}] -> {{ [{', '.join(ids)}] : {condition} }}"
        return isl.Set.read_from_str(isl_context(), text)

    behind = items(size, f"{item} >= {width}*floor({size}/{width})")
    if not domain.is_subset(behind):
        return None
    full = "full"
    while full in names_of(kernel.params) or full in names_of(kernel.work_items):
        full += "_"
    domain = domain.gist(behind).intersect(items(full, f"{item} >= {full}"))
    if name is not None:
        domain = domain.set_tuple_name(name)
    bounds = f"[{size}, {full}] -> {{ : 0 <= {full} <= {size} < {full} + {width} }}"
    context = kernel.known.intersect(isl.Set.read_from_str(isl_context(), bounds))
    return _Looped([codelet], loops_of(domain, context, domain), full=full)


def _whole_plan(
    kernel: poly.KernelOp, codelets: Sequence[poly.CodeletOp]
) -> tuple[isl.AstExpr, _Looped] | None:
    """The condition that the first codelet with lanes has all work-items, and its loops then."""
    codelet = next((codelet for codelet in codelets if codelet.lanes.value.data > 1), None)
    if codelet is None or len(codelets) == 1:
        return None
    if codelet.domain.isl.n_basic_set() > _MOST_PARTS:
        return None
    everything = all_items(kernel)
    missing = everything.reset_tuple_id().subtract(codelet.covered)
    holds = kernel.known.subtract(missing.params()).coalesce()
    if holds.is_empty():
        return None
    tiles = _box(codelet, everything)
    condition = condition_of(holds, kernel.known)
    return condition, _Looped([codelet], loops_of(tiles, kernel.known.intersect(holds), tiles))


def emit_plan(plan: Plan, kernel: poly.KernelOp, scope: Scope, env: Env) -> None:
    """Emits all codelets; or for groups with one codelet only that one, in its own loops."""
    if plan.whole is None:
        _emit_all(plan.loops, kernel, scope, env)
        return
    condition, whole = plan.whole
    emit_if(
        scope,
        emit_condition(condition, scope, env),
        lambda inner: _emit_all([whole], kernel, inner, env),
        lambda inner: _emit_all(plan.loops, kernel, inner, env),
    )


def emit_unsplit(kernel: poly.KernelOp, scope: Scope, env: Env) -> None:
    """Emits a loop over all work-items, without isl."""
    body = kernel.body.clone()
    for op in body.block.ops:
        if isinstance(op, poly.AssumeOp):
            op.detach()
            op.erase()
    subkernels = [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]
    if subkernels:
        body = subkernels[0].codelets[0].body.clone()
    names = names_of(kernel.work_items)
    domain = SetAttr.of(all_items(kernel))

    def emit(scope: Scope, ids: Sequence[Linear]) -> None:
        if len(ids) < len(names):
            end = sum_of(size_along(kernel, len(names) - 1 - len(ids)))
            bounds = integer(0), end, integer(1)
            emit_for(scope, bounds, names[len(ids)], lambda s, id: emit(s, [*ids, sum_of(id)]))
            return
        properties: dict[str, Attribute] = {
            "lanes": IntegerAttr(1, i64),
            "along": IntegerAttr(0, i64),
            "class": ClassAttr("partial", "div", "mixed"),
            "domain": domain,
        }
        _emit_codelet(properties, body, scope, ids)

    emit(scope, [])


def size_along(kernel: poly.KernelOp, dimension: int) -> SSAValue:
    """The local size, which is an operand of the kernel."""
    place = names_of(kernel.params).index(f"L{dimension}")
    return kernel.arguments[place]


def _emit_all(loops: Sequence[_Looped], kernel: poly.KernelOp, scope: Scope, env: Env) -> None:
    for one in loops:
        inside = env
        if one.full is not None:
            subkernel = one.codelets[0].parent_op()
            assert isinstance(subkernel, poly.SubkernelOp)
            along = sum_of(size_along(kernel, subkernel.along.value.data))
            rest = scope.remainder(along, subkernel.width.value.data, natural=True)
            inside = {**env, one.full: scope.value(along - rest)}
        emit_loops(one.loops, scope, inside, _leaf(one, one.codelets, one.guards, inside))


def _leaf(
    looped: _Looped,
    codelets: Sequence[poly.CodeletOp],
    guards: Sequence[isl.AstExpr],
    env: Env,
) -> Leaf:
    """Adds a copy of the first codelet whose guard holds at the tile or work-item."""

    def leaf(scope: Scope, ids: Sequence[Linear]) -> None:
        codelet, *others = codelets
        lanes = codelet.lanes.value.data
        first = list(ids)
        first[codelet.position] = lanes * first[codelet.position]

        def run(scope: Scope) -> None:
            _emit_codelet(codelet.properties, codelet.body.clone(), scope, first)

        if not others:
            run(scope)
            return
        holds = emit_guard(guards[0], looped.loops.counters, scope, env, ids)
        rest = _leaf(looped, others, guards[1:], env)
        emit_if(scope, holds, run, lambda inner: rest(inner, ids))

    return leaf


def _emit_codelet(
    properties: Mapping[str, Attribute], body: Region, scope: Scope, first: Sequence[Linear]
) -> None:
    at = [scope.value(id) for id in first]
    scope.add_void(poly.CodeletOp.create(operands=at, properties=dict(properties), regions=[body]))
