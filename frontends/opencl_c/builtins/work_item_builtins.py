"""Work-item queries (OpenCL 1.2, section 6.12.1)."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall

_OF_GROUP = (ocl.LocalIdOp, ocl.LocalSizeOp, ocl.EnqueuedLocalSizeOp)
"""The queries with small values in every launch."""

_DIMENSIONS = [{"dim": IntegerAttr(number, i32)} for number in range(3)]


def _query(kind: type[Operation], beyond: int) -> Emit:
    """A query of a dimension; `beyond` is its value in other dimensions than 0 to 2."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        dimension = call.arguments[0]
        if isinstance(dimension, tree.Const):
            number = int(dimension.value)
            if 0 <= number < 3:
                return _cast(e, _dimension(e, kind, number), _fits_int(e, kind))
            return e.constant(beyond, i64)
        chosen = e.emit(dimension)
        result = e.constant(beyond, INDEX)
        for number in (2, 1, 0):
            is_this = e.compare(arith.CmpiOp, "eq", chosen, e.constant(number, chosen.type))
            query = _dimension(e, kind, number)
            result = e.op(arith.SelectOp, is_this, query, result, type=query.type)
        return _cast(e, result, _fits_int(e, kind))

    return emit


def _dimension(e: ExpressionEmitter, kind: type[Operation], number: int) -> SSAValue:
    return e.op(kind, type=INDEX, properties=_DIMENSIONS[number])


def _fits_int(e: ExpressionEmitter, kind: type[Operation]) -> bool:
    return kind in _OF_GROUP or not e.wide_ids


def _cast(e: ExpressionEmitter, value: SSAValue, fits_int: bool) -> SSAValue:
    """The query as size_t."""
    if fits_int:
        e.nonnegative.add(value)
    return e.op(arith.IndexCastOp, value, type=i64)


def _work_dim(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    value = e.value(ocl.WorkDimOp())
    e.nonnegative.add(value)
    return e.op(arith.IndexCastOp, value, type=call.type.value)


def _linear_id(e: ExpressionEmitter, ids: list[SSAValue], size: type[Operation]) -> SSAValue:
    """`(z * size_y + y) * size_x + x` (OpenCL 2.0, section 6.13.1)."""
    x, y, z = ids
    sizes = [_dimension(e, size, d) for d in range(2)]
    row = e.op(arith.AddiOp, e.op(arith.MuliOp, z, sizes[1]), y)
    return e.op(arith.AddiOp, e.op(arith.MuliOp, row, sizes[0]), x)


def linear_local_id(e: ExpressionEmitter, ids: list[SSAValue]) -> SSAValue:
    """The linear id, an index, of the work-item with these local ids."""
    return _linear_id(e, ids, ocl.LocalSizeOp)


def _global_linear_id(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    sides = (ocl.GlobalIdOp, ocl.GlobalOffsetOp)
    ids = [e.op(arith.SubiOp, *[_dimension(e, kind, d) for kind in sides]) for d in range(3)]
    # The number of all work-items may be large where no id is.
    return _cast(e, _linear_id(e, ids, ocl.GlobalSizeOp), fits_int=False)


def _local_linear_id(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    ids = [_dimension(e, ocl.LocalIdOp, d) for d in range(3)]
    return _cast(e, linear_local_id(e, ids), fits_int=True)


TABLE: dict[str, Emit] = {
    "get_global_id": _query(ocl.GlobalIdOp, 0),
    "get_local_id": _query(ocl.LocalIdOp, 0),
    "get_group_id": _query(ocl.GroupIdOp, 0),
    "get_global_offset": _query(ocl.GlobalOffsetOp, 0),
    "get_global_size": _query(ocl.GlobalSizeOp, 1),
    "get_local_size": _query(ocl.LocalSizeOp, 1),
    "get_enqueued_local_size": _query(ocl.EnqueuedLocalSizeOp, 1),
    "get_num_groups": _query(ocl.NumGroupsOp, 1),
    "get_work_dim": _work_dim,
    "get_global_linear_id": _global_linear_id,
    "get_local_linear_id": _local_linear_id,
}
