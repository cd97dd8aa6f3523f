"""Collective functions of work-groups and sub-groups, and queries of sub-groups."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, VectorType, i1, i32

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import INT, Number
from polycl.backends.opencl_c.text import Expr
from polycl.backends.opencl_c.writer import Expressions, Writer
from polycl.dialects import ocl
from polycl.dialects.ocl import CombineKind, GroupScope, SubGroupField
from polycl.errors import error_at

EXPRESSIONS = Expressions()

_UINT = Number("uint")
_CORE = (CombineKind.ADD, CombineKind.MIN, CombineKind.MAX, CombineKind.UMIN, CombineKind.UMAX)
"""The combinations that functions without an extension have."""
_VOTES = {CombineKind.AND: "all", CombineKind.OR: "any"}


def _function(w: Writer, op: ocl.GroupReduceOp | ocl.GroupScanOp, form: str) -> str:
    """The name of the function of a combination, whose extensions are enabled."""
    kind = op.kind.data
    name = kind.value.removeprefix("u")
    if not op.is_sub_group:
        if kind not in _CORE:
            w.shared.extensions.add("cl_khr_work_group_uniform_arithmetic")
        return f"work_group_{form}_{name}"
    w.shared.extensions.add("cl_khr_subgroups")
    if form == "clustered_reduce":
        w.shared.extensions.add("cl_khr_subgroup_clustered_reduce")
        return f"sub_group_{form}_{name}"
    if op.non_uniform is None and kind in _CORE:
        return f"sub_group_{form}_{name}"
    w.shared.extensions.add("cl_khr_subgroup_non_uniform_arithmetic")
    return f"sub_group_non_uniform_{form}_{name}"


def _type(w: Writer, op: ocl.GroupReduceOp | ocl.GroupScanOp) -> Number:
    kind = op.kind.data
    type = w.number(op.value.type, w.shared.signs.of(op.value), op.value)
    if type.is_float or kind.value.removeprefix("u") not in ("min", "max"):
        return type
    return type.signed(kind.value.startswith("u"))


@EXPRESSIONS.of(ocl.GroupReduceOp)
def _reduce(w: Writer, op: ocl.GroupReduceOp) -> Expr:
    owner, kind = op.value.owner, op.kind.data
    if kind in _VOTES and isinstance(owner, arith.ExtUIOp) and owner.input.type == i1:
        if op.value.type == i32 and op.cluster is None:
            return _vote(w, op)
    type = _type(w, op)
    value = w.exactly(op.value, type)
    if op.cluster is None:
        return w.call(_function(w, op, "reduce"), value, type=type)
    size = text.integer(op.cluster_size or 1, INT)
    return w.call(_function(w, op, "clustered_reduce"), value, size, type=type)


def _vote(w: Writer, op: ocl.GroupReduceOp) -> Expr:
    name = f"{op.scope.data.value}_{_VOTES[op.kind.data]}"
    if op.is_sub_group:
        w.shared.extensions.add("cl_khr_subgroups")
    if op.non_uniform is not None:
        w.shared.extensions.add("cl_khr_subgroup_non_uniform_vote")
        name = name.replace("group_", "group_non_uniform_")
    # Any other number than zero is true; an operation's result must be 0 or 1.
    found = w.call(name, w.exactly(op.value, INT), type=INT)
    return Expr(f"({found.text} != 0)", INT, reads=found.reads)


@EXPRESSIONS.of(ocl.GroupScanOp)
def _scan(w: Writer, op: ocl.GroupScanOp) -> Expr:
    form = "scan_inclusive" if op.exclusive is None else "scan_exclusive"
    type = _type(w, op)
    return w.call(_function(w, op, form), w.exactly(op.value, type), type=type)


@EXPRESSIONS.of(ocl.GroupShuffleOp)
def _shuffle(w: Writer, op: ocl.GroupShuffleOp) -> Expr:
    value, type = w.exact(op.value), w.type_of(op.value)
    index = w.expression(op.index)
    if op.scope.data is GroupScope.WORK_GROUP:
        name = w.name("linear")
        w.line(f"const size_t {name} = {index.text};")
        x, xy = "get_local_size(0)", "(get_local_size(0) * get_local_size(1))"
        ids = (f"{name} % {x}", f"{name} / {x} % get_local_size(1)", f"{name} / {xy}")
        return w.call("work_group_broadcast", value, *map(Expr, ids), type=type)
    w.shared.extensions.add("cl_khr_subgroups")
    lane = text.unary("(uint)", index, _UINT)
    if op.non_uniform is None:
        if type.lanes > 1 or type.width < 32:
            w.shared.extensions.add("cl_khr_subgroup_extended_types")
        return w.call("sub_group_broadcast", value, lane, type=type)
    size = w.call("get_max_sub_group_size", type=_UINT)
    lane = Expr(f"{lane.text} % {size.text}", _UINT, reads=lane.reads)
    if not isinstance(op.value.type, VectorType):
        w.shared.extensions.add("cl_khr_subgroup_shuffle")
        return w.call("sub_group_shuffle", value, lane, type=type)
    element = op.value.type.element_type
    if isinstance(element, IntegerType) and element.width.data != 32 or type.width != 32:
        raise error_at(op, f"OpenCL C has no shuffle of vectors of {element} between work-items")
    w.shared.extensions.add("cl_intel_subgroups")
    return w.call("intel_sub_group_shuffle", value, lane, type=type)


_QUERIES = {
    SubGroupField.SIZE: "get_sub_group_size",
    SubGroupField.MAX_SIZE: "get_max_sub_group_size",
    SubGroupField.COUNT: "get_num_sub_groups",
    SubGroupField.ENQUEUED_COUNT: "get_enqueued_num_sub_groups",
    SubGroupField.ID: "get_sub_group_id",
    SubGroupField.LOCAL_ID: "get_sub_group_local_id",
}


@EXPRESSIONS.of(ocl.SubGroupOp)
def _query(w: Writer, op: ocl.SubGroupOp) -> Expr:
    w.shared.extensions.add("cl_khr_subgroups")
    return w.call(_QUERIES[op.field.data], type=_UINT)
