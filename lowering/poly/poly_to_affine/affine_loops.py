"""A kernel as `affine.for` loops around the code of its work-items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from polycl.analysis.poly.model import all_items
from polycl.dialects.poly import AssumeOp, CodeletOp, DispatchOp, KernelOp, SubkernelOp
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.build import Build
from polycl.lowering.poly.poly_to_affine.affine_expressions import (
    Names,
    bound_of,
    conditions_of,
    value_of,
)

_NODE = isl.ast_node_type
_FOR, _IF = _NODE["for_"], _NODE["if_"]
_LE = isl.ast_expr_op_type.le


def export_kernel(kernel: KernelOp) -> None:
    """Adds the loops before a kernel.

    Raises:
        NotAffine: a bound or a condition is not affine.
    """
    subkernel = _first_subkernel(kernel)
    build = Build(kernel)
    if subkernel is None:
        items = all_items(kernel)
        _Loops(kernel, None, items, names_of(kernel.work_items)).add_to(build)
        return
    for codelet in subkernel.codelets:
        domain = codelet.domain.isl
        for part in domain.make_disjoint().get_basic_sets():
            convex = isl.Set.from_basic_set(part)
            if not convex.intersect_params(kernel.known).is_empty():
                _Loops(kernel, codelet, convex, codelet.domain.dimensions).add_to(build)


def _first_subkernel(kernel: KernelOp) -> SubkernelOp | None:
    """The first subkernel of the dispatch, if any; all subkernels are equivalent."""
    subkernels = {
        op.sym_name.data: op for op in kernel.body.block.ops if isinstance(op, SubkernelOp)
    }
    for op in kernel.body.block.ops:
        if isinstance(op, DispatchOp) and len(op.subkernels):
            return subkernels[op.subkernels.data[0].string_value()]
    return next(iter(subkernels.values()), None)


@dataclass
class _Loops:
    """The loops over the domain of a codelet, or of a kernel that is not split."""

    kernel: KernelOp
    codelet: CodeletOp | None
    domain: isl.Set
    dimensions: Sequence[str]

    def add_to(self, build: Build) -> None:
        """One loop for each dimension, with its name."""
        known = self.kernel.known
        order = self.domain.gist_params(known).identity().reset_tuple_id(isl.dim_type.out)
        counters = isl.IdList.alloc(isl_context(), len(self.dimensions))
        for name in self.dimensions:
            counters = counters.add(isl.Id(name, context=isl_context()))
        # With all parameters, since isl would lose some in remainders otherwise.
        known = known.align_params(order.get_space().params())
        tree = isl.AstBuild.from_context(known).set_iterators(counters)
        self._node(tree.node_from_schedule_map(isl.UnionMap.from_map(order)), build, {})

    def _names(self, counters: Mapping[str, SSAValue]) -> Names:
        params = names_of(self.kernel.params)
        return Names(counters, dict(zip(params, self.kernel.arguments, strict=True)))

    def _inside(self, block: Block) -> Build:
        return Build(self.kernel, block)

    def _node(self, node: isl.AstNode, build: Build, counters: Mapping[str, SSAValue]) -> None:
        kind = node.get_type()
        if kind == _NODE.block:
            children = node.block_get_children()
            for i in range(children.n_ast_node()):
                self._node(children.get_at(i), build, counters)
        elif kind == _FOR:
            self._for(node, build, counters)
        elif kind == _IF:
            self._if(node, build, counters)
        else:
            call = node.user_get_expr()
            ids = [call.get_op_arg(i) for i in range(1, call.get_op_n_arg())]
            self._leaf([self._value(id, build, counters) for id in ids], build)

    def _value(self, expr: isl.AstExpr, build: Build, counters: Mapping[str, SSAValue]) -> SSAValue:
        if expr.get_type() == isl.ast_expr_type.id:
            name = expr.get_id().get_name()
            if name in counters:
                return counters[name]
        names = self._names(counters)
        map = names.map([value_of(expr, names)])
        return build.emit(affine.ApplyOp(names.operands, map))

    def _for(self, node: isl.AstNode, build: Build, counters: Mapping[str, SSAValue]) -> None:
        name = node.for_get_iterator().get_id().get_name() or ""
        body = node.for_get_body()
        if node.for_is_degenerate():
            value = self._value(node.for_get_init(), build, counters)
            self._node(body, build, {**counters, name: value})
            return
        lower, upper = self._names(counters), self._names(counters)
        starts = bound_of(node.for_get_init(), "max", lower)
        test = node.for_get_cond()
        plus = int(test.get_op_type() == _LE)
        ends = [end + plus for end in bound_of(test.get_op_arg(1), "min", upper)]
        step = node.for_get_inc().get_val().to_python()
        block = _add_for(build, (lower, starts), (upper, ends), step, name)
        inner = self._inside(block)
        self._node(body, inner, {**counters, name: block.args[0]})
        inner.emit_void(affine.YieldOp.get())

    def _if(self, node: isl.AstNode, build: Build, counters: Mapping[str, SSAValue]) -> None:
        names = self._names(counters)
        constraints = list(conditions_of(node.if_get_cond(), names))
        sides = [node.if_get_then_node()]
        if node.if_has_else_node():
            sides.append(node.if_get_else_node())
        regions: list[Region] = []
        for side in sides:
            block = Block()
            inner = self._inside(block)
            self._node(side, inner, counters)
            inner.emit_void(affine.YieldOp.get())
            regions.append(Region(block))
        if len(regions) == 1:
            regions.append(Region())
        build.emit_void(
            affine.IfOp.build(
                operands=[names.operands],
                result_types=[[]],
                properties={"condition": names.set(constraints)},
                regions=regions,
            )
        )

    def _leaf(self, ids: list[SSAValue], build: Build) -> None:
        """Adds the code of a work-item, in a loop over the lanes if there are several."""
        codelet = self.codelet
        if codelet is None or codelet.lanes.value.data == 1:
            self._copy(ids, build)
            return
        lanes, tile = codelet.lanes.value.data, ids[codelet.position]
        lower, upper = Names({"tile": tile}, {}), Names({"tile": tile}, {})
        starts = [lower.expression("tile") * lanes]
        ends = [upper.expression("tile") * lanes + lanes]
        name = names_of(self.kernel.work_items)[codelet.position]
        block = _add_for(build, (lower, starts), (upper, ends), 1, name)
        loop = block.parent_op()
        assert loop is not None
        loop.attributes["codelet"] = StringAttr(codelet.domain.isl.get_tuple_name() or "")
        for key in ("tile", "mem", "ctl"):
            loop.attributes[key] = getattr(codelet.class_, key)
        inner = self._inside(block)
        ids[codelet.position] = block.args[0]
        self._copy(ids, inner)
        inner.emit_void(affine.YieldOp.get())

    def _copy(self, ids: Sequence[SSAValue], build: Build) -> None:
        block = (self.codelet or self.kernel).body.clone().block
        for op in block.walk():
            for key in [key for key in op.attributes if key.startswith("poly.")]:
                del op.attributes[key]
        for argument, id in zip(block.args, ids, strict=True):
            argument.replace_all_uses_with(id)
        for op in list(block.ops):
            op.detach()
            if isinstance(op, AssumeOp):
                op.erase()
            else:
                location = op.location
                build.emit_void(op)
                op.location = location


def _add_for(
    build: Build,
    lower: tuple[Names, list[AffineExpr]],
    upper: tuple[Names, list[AffineExpr]],
    step: int,
    name: str,
) -> Block:
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = name
    (first, starts), (last, ends) = lower, upper
    build.emit_void(
        affine.ForOp.from_region(
            first.operands,
            last.operands,
            [],
            [],
            first.map(starts),
            last.map(ends),
            Region(block),
            step,
        )
    )
    return block
