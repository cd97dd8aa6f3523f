"""`poly-extract`: parallel regions become `poly.kernel`s with explicit parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.analysis.poly.model import Model, model_of
from polycl.analysis.poly.values import ARITHMETIC, Leaf
from polycl.dialects import ocl, poly, wg
from polycl.dialects.comparisons import is_unsigned
from polycl.dialects.poly.assumptions import assumptions_of
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark

_QUERIES: dict[type[Operation], str] = {
    ocl.GroupIdOp: "group",
    ocl.GlobalSizeOp: "global_size",
    ocl.GlobalOffsetOp: "offset",
    ocl.NumGroupsOp: "groups",
    ocl.LocalSizeOp: "L",
}
"""Nonnegative values, and the prefixes of their names; the dimension follows."""

_UNSIGNED = (
    arith.ExtUIOp,
    arith.DivUIOp,
    arith.RemUIOp,
    arith.ShRUIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
)


@dataclass(frozen=True)
class PolyExtractPass(ModulePass):
    """Make each parallel region a `poly.kernel`, whose operands are its parameters.

    ```
    wg.parallel (%x, %y, %z) in (%lx, %ly, %c1) {
      %left = arith.maxsi %c0, %from : index
      ...
    ```

    becomes

    ```
    poly.kernel @conv_0(%lx, %ly, %first_x, %width) params ["L0", "L1", "G0", "width"]
        work_items ["y", "x"] context #poly.set<"[G0] -> { : G0 >= 0 }"> {
    ^bb0(%y: index, %x: index):
      ...
    ```

    The parameters are the arguments of the kernel and other uniform values from which addresses,
    conditions and loop bounds are computed; G0 is the first global id of dimension 0. Dimensions
    after the last one with several work-items are left out. The user's assumptions (`assume`)
    become `poly.assume`.

    With `annotate`, loads and stores get their index and loops their domain as attributes, for
    readers only. A region with results is not changed.
    """

    name = "poly-extract"

    annotate: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, wg.FuncOp)]:
            number = 0
            for region in [r for r in function.body.walk() if isinstance(r, wg.ParallelOp)]:
                if region.step is not None:
                    continue
                if region.res:
                    emit_remark(region, self.name, "not extracted: the region has results")
                    continue
                kernel = extract(region, function, f"{function.sym_name.data}_{number}")
                number += 1
                if self.annotate:
                    annotate(kernel, model_of(kernel))


def extract(region: wg.ParallelOp, function: wg.FuncOp, name: str) -> poly.KernelOp:
    """Replaces a region by a kernel."""
    _unify_queries(region)
    leaves = _Leaves(region)
    sizes = [constant_index(size) for size in region.sizes]
    count = max((d + 1 for d in range(3) if sizes[d] != 1), default=1)
    before = Build(region)
    names = _Names([f"L{d}" for d in range(count)])
    operands = list(region.sizes[:count])
    params = [f"L{d}" for d in range(count)]
    context = [f"L{d} {_least(region.sizes[d])} 0" for d in range(count) if sizes[d] is None]
    known = dict(zip(operands, params, strict=True))
    work_items: list[str] = []
    for d in range(count):
        work_items.append(names.new(region.local_ids[d].name_hint or "xyz"[d]))
    arguments = {name: f"other_{name}" for name in function.integer_param_names}
    for value, unsigned in leaves.found:
        if not unsigned and value in known:
            continue
        param = names.new(leaves.name_of(value))
        params.append(param)
        operands.append((before.unsigned_index if unsigned else before.as_index)(value))
        if unsigned or leaves.is_natural(value):
            context.append(f"{param} >= 0")
        if isinstance(value, BlockArgument) and unsigned == function.is_small_unsigned(value.index):
            arguments[function.param_names[value.index]] = param
    kernel = poly.KernelOp.create(
        operands=operands,
        properties={
            "sym_name": StringAttr(name),
            "params": ArrayAttr([StringAttr(param) for param in params]),
            "work_items": ArrayAttr([StringAttr(item) for item in reversed(work_items)]),
            "context": poly.SetAttr(_set_text(context)),
        },
        regions=[Region(_moved(region, count))],
    )
    kernel.location = region.location
    Rewriter.replace_op(region, kernel, [])
    _add_assumptions(kernel, function, arguments)
    return kernel


def _unify_queries(region: wg.ParallelOp) -> None:
    """Makes a region use one operation before it for each query about the launch."""
    before = Build(region)
    known: dict[tuple[type[Operation], int], SSAValue] = {}
    for op in list(region.body.walk()):
        for place, operand in enumerate(op.operands):
            query = operand.owner
            if not isinstance(query, tuple(_QUERIES)):
                continue
            assert isinstance(query, Operation)
            key = type(query), query.dimension  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
            if key not in known:
                inside = region.is_ancestor(query)
                known[key] = before.emit(query.clone()) if inside else operand
            op.operands[place] = known[key]


def annotate(kernel: poly.KernelOp, model: Model) -> None:
    """Adds the facts of the model to the operations as attributes."""
    for access in model.accesses:
        index = poly.IndexAttr(None) if access.index is None else access.index.attribute()
        access.op.attributes["poly.access"] = poly.AccessAttr(access.direction, access.array, index)
    for control in model.controls:
        if control.is_loop and control.is_known:
            domain = control.domain.gist_params(model.context)
            control.op.attributes["poly.domain"] = poly.SetAttr.of(domain)


def _moved(region: wg.ParallelOp, count: int) -> Block:
    """The body, with the ids outermost first, and 0 for ids that are left out."""
    old = region.body.block
    new = Block(arg_types=[IndexType()] * count)
    for d, id in enumerate(region.local_ids):
        if d < count:
            argument = new.args[count - 1 - d]
            argument.name_hint = id.name_hint or "xyz"[d]
            id.replace_all_uses_with(argument)
        elif id.first_use is not None:
            zero = Build(region, InsertPoint.at_start(old)).index(0)
            id.replace_all_uses_with(zero)
    for op in list(old.ops):
        if isinstance(op, wg.YieldOp):
            continue
        op.detach()
        new.add_op(op)
    return new


def _least(size: SSAValue) -> str:
    return ">" if isinstance(size.owner, ocl.LocalSizeOp) else ">="


def _set_text(conditions: Sequence[str]) -> str:
    names = [condition.split()[0] for condition in conditions]
    return f"[{', '.join(names)}] -> {{ : {' and '.join(conditions) or 'true'} }}"


def _add_assumptions(
    kernel: poly.KernelOp, function: wg.FuncOp, arguments: Mapping[str, str]
) -> None:
    """Adds the consequences of the assumptions for the parameters of this kernel. An assumption is
    about the value of an argument in C, not about a parameter with another signedness."""
    sets = [known.isl for known in assumptions_of(function, arguments)]
    if not sets:
        return
    together = reduce(isl.Set.intersect, sets)
    names = names_of(kernel.params)
    for i in reversed(range(together.dim(isl.dim_type.param))):
        if together.get_dim_name(isl.dim_type.param, i) not in names:
            together = together.project_out(isl.dim_type.param, i, 1)
    known = together.coalesce().remove_redundancies()
    if not known.plain_is_universe():
        start = Build(kernel, InsertPoint.at_start(kernel.body.block))
        start.emit_void(poly.AssumeOp.create(properties={"set": poly.SetAttr.of(known)}))


class _Names:
    """Unique names that isl accepts."""

    def __init__(self, taken: Sequence[str]):
        self._taken = {*taken, "R", "mod", "floor", "min", "max", "and", "or", "exists"}

    def new(self, wanted: str) -> str:
        name, number = wanted, 0
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name


class _Leaves:
    """The values from outside a region from which its addresses and conditions are computed."""

    def __init__(self, region: wg.ParallelOp):
        self._region = region
        self.found: dict[Leaf, None] = {}
        self._seen: set[Leaf] = set()
        for op in region.body.walk():
            match op:
                case ocl.LoadOp() | ocl.StoreOp() | ocl.VLoadOp() | ocl.VStoreOp():
                    if op.index is not None:
                        self._visit(op.index)
                case ocl.OffsetOp():
                    self._visit(op.index)
                case scf.ForOp():
                    for bound in (op.lb, op.ub, op.step):
                        self._visit(bound)
                case scf.IfOp():
                    self._visit(op.cond)
                case _:
                    pass

    def name_of(self, value: SSAValue) -> str:
        """The name of the parameter."""
        first = _first_id(value)
        if first is not None:
            return f"G{first}"
        for query, name in _QUERIES.items():
            if isinstance(value.owner, query):
                return f"{name}{value.owner.dimension}"  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        hint = value.name_hint or ""
        return hint if hint.isidentifier() else "v"

    def is_natural(self, value: SSAValue) -> bool:
        """Whether a value is never negative."""
        return _first_id(value) is not None or isinstance(value.owner, tuple(_QUERIES))

    def _visit(self, value: SSAValue, unsigned: bool = False) -> None:
        if (value, unsigned) in self._seen or constant_value(value) is not None:
            return
        self._seen.add((value, unsigned))
        if not isinstance(value.type, IndexType | IntegerType):
            return
        owner = value.owner
        inside = self._is_inside(value)
        if isinstance(owner, Operation) and _first_id(value) is None:
            if inside and isinstance(owner, ARITHMETIC):
                below = _reads_unsigned(owner)
                for operand in owner.operands:
                    self._visit(operand, below)
                    if below:
                        self._visit(operand)
                return
            if inside and isinstance(owner, scf.IfOp) and isinstance(value, OpResult):
                for region in owner.regions:
                    end = region.block.last_op
                    assert end is not None
                    self._visit(end.operands[value.index])
                return
            if not inside and not unsigned and _is_sum(owner):
                for operand in owner.operands:
                    self._visit(operand, isinstance(owner, arith.ExtUIOp))
                return
        if not inside and value.type != IntegerType(1):
            self.found[value, unsigned] = None

    def _is_inside(self, value: SSAValue) -> bool:
        owner = value.owner
        return self._region.is_ancestor(owner)


def _reads_unsigned(op: Operation) -> bool:
    """Whether the operands are read as unsigned numbers with less than 64 bits."""
    type = op.operands[0].type
    if isinstance(type, IndexType) or (isinstance(type, IntegerType) and type.width.data >= 64):
        return False
    if isinstance(op, arith.CmpiOp):
        return is_unsigned(op) is True
    return isinstance(op, _UNSIGNED)


def _is_sum(op: Operation) -> bool:
    """Whether a uniform value is affine in its operands."""
    match op:
        case arith.AddiOp() | arith.SubiOp():
            return True
        case arith.MuliOp():
            return any(constant_value(operand) is not None for operand in op.operands)
        case arith.IndexCastOp() | arith.ExtSIOp():
            type = op.input.type
            return not isinstance(type, IntegerType) or type.width.data >= 32
        case arith.ExtUIOp():
            return True
        case _:
            return False


def _first_id(value: SSAValue) -> int | None:
    """The dimension of the first global id of the group, if a value is one."""
    owner = value.owner
    if not isinstance(owner, arith.AddiOp):
        return None
    product, offset = owner.lhs.owner, owner.rhs.owner
    if not isinstance(product, arith.MuliOp) or not isinstance(offset, ocl.GlobalOffsetOp):
        return None
    group = product.lhs.owner
    if isinstance(group, ocl.GroupIdOp) and group.dimension == offset.dimension:
        return group.dimension
    return None
