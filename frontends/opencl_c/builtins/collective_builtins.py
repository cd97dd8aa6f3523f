"""Collective functions of work-groups and sub-groups, and queries of sub-groups.

OpenCL C 3.0, sections 6.15.16 and 6.15.19, and the extensions cl_khr_subgroup_*, cl_intel_subgroups
and cl_intel_subgroups_short. All are made of one reduction, one scan and one shuffle.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, UnitAttr, VectorType, i32
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, CombineKind, GroupScope, SubGroupField
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.builtins.sync_builtins import fenced_spaces
from polycl.frontends.opencl_c.builtins.table import Emit, as_c, element_type
from polycl.frontends.opencl_c.builtins.work_item_builtins import linear_local_id
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import Kind

_KINDS: dict[str, tuple[CombineKind, CombineKind]] = {
    "add": (CombineKind.ADD, CombineKind.ADD),
    "mul": (CombineKind.MUL, CombineKind.MUL),
    "min": (CombineKind.MIN, CombineKind.UMIN),
    "max": (CombineKind.MAX, CombineKind.UMAX),
    "and": (CombineKind.AND, CombineKind.AND),
    "or": (CombineKind.OR, CombineKind.OR),
    "xor": (CombineKind.XOR, CombineKind.XOR),
}
"""The combination of signed and of unsigned integers."""
_LARGEST_CLUSTER = max(ocl.SUB_GROUP_SIZES)


# Parts


def _query(e: ExpressionEmitter, field: SubGroupField) -> SSAValue:
    value = e.value(ocl.SubGroupOp(field))
    e.nonnegative.add(value)
    return value


def _lane(e: ExpressionEmitter) -> SSAValue:
    """The local id in the sub-group as i32."""
    return e.from_index(_query(e, SubGroupField.LOCAL_ID), i32)


def _truth(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    """Whether an integer is not zero."""
    value = e.emit(argument)
    return e.compare(arith.CmpiOp, "ne", value, e.constant(0, value.type))


def _flag(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    """1 where an integer is not zero, else 0."""
    return e.op(arith.ExtUIOp, _truth(e, argument), type=i32)


def _shuffled(
    e: ExpressionEmitter, value: SSAValue, lane: SSAValue, *, non_uniform: bool = True
) -> SSAValue:
    """The value of the work-item with this local id (an i32) in the sub-group."""
    index = e.to_index(lane, signed=False)
    return e.value(ocl.GroupShuffleOp(GroupScope.SUB_GROUP, value, index, non_uniform=non_uniform))


def _combined(e: ExpressionEmitter, kind: CombineKind, value: SSAValue) -> SSAValue:
    """The values of the active work-items of the sub-group, combined."""
    return e.value(ocl.GroupReduceOp(GroupScope.SUB_GROUP, kind, value, non_uniform=True))


def _first_active(e: ExpressionEmitter) -> SSAValue:
    return _combined(e, CombineKind.UMIN, _lane(e))


def _kind(name: str, call: BuiltinCall) -> CombineKind:
    signed, unsigned = _KINDS[name]
    type = element_type(call.type)
    return unsigned if type.kind is not Kind.FLOAT and not type.signed else signed


# Reductions and scans


def _collective(scope: GroupScope, form: str, name: str, *, non_uniform: bool = False) -> Emit:
    """`form` is reduce, scan_inclusive, scan_exclusive or clustered_reduce."""
    logical = name.startswith("logical_")
    name = name.removeprefix("logical_")

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        kind = _kind(name, call)
        argument = call.arguments[0]
        value = _flag(e, argument) if logical else e.emit(argument)
        if form == "clustered_reduce":
            size = _cluster(call.arguments[1])
            return e.value(
                ocl.GroupReduceOp(scope, kind, value, cluster=size, non_uniform=non_uniform)
            )
        if form == "reduce":
            return e.value(ocl.GroupReduceOp(scope, kind, value, non_uniform=non_uniform))
        exclusive = form == "scan_exclusive"
        found = e.value(
            ocl.GroupScanOp(scope, kind, value, exclusive=exclusive, non_uniform=non_uniform)
        )
        if not (logical and exclusive):
            return found
        # The identity of bits has all of them set, that of truth values is 1.
        truth = e.compare(arith.CmpiOp, "ne", found, e.constant(0, i32))
        return e.op(arith.ExtUIOp, truth, type=i32)

    return emit


def _cluster(argument: Expr) -> int:
    """The size of a cluster; all those that are larger than a sub-group are the same."""
    size = int(argument.value) if isinstance(argument, tree.Const) else 0
    if size < 1 or size & (size - 1):
        raise UnsupportedError(
            "the size of a cluster must be a constant power of two", *argument.location
        )
    return min(size, _LARGEST_CLUSTER)


def _vote(scope: GroupScope, name: str, *, non_uniform: bool = False) -> Emit:
    """`all` or `any`."""
    kind = CombineKind.AND if name == "all" else CombineKind.OR

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        flag = _flag(e, call.arguments[0])
        return e.value(ocl.GroupReduceOp(scope, kind, flag, non_uniform=non_uniform))

    return emit


# Votes and ballots of the active work-items


def _elect(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return as_c(e, e.compare(arith.CmpiOp, "eq", _lane(e), _first_active(e)), call)


def _all_equal(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    value = e.emit(call.arguments[0])
    first = _shuffled(e, value, _first_active(e))
    if isinstance(value.type, IntegerType):
        same = e.compare(arith.CmpiOp, "eq", value, first)
    else:
        same = e.compare(arith.CmpfOp, "oeq", value, first)
    return _combined(e, CombineKind.AND, e.op(arith.ExtUIOp, same, type=i32))


def _bit(e: ExpressionEmitter) -> SSAValue:
    """The bit of the own work-item."""
    return e.op(arith.ShLIOp, e.constant(1, i32), _lane(e))


def _bits(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    """The first word of a ballot: a sub-group has at most 32 work-items."""
    return e.lane(e.emit(argument), 0)


def _ballot_of(e: ExpressionEmitter, word: SSAValue, call: BuiltinCall) -> SSAValue:
    return e.with_lane(e.constant(0, call.type.value), word, 0)


def _ballot(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    bit = e.op(arith.SelectOp, _truth(e, call.arguments[0]), _bit(e), e.constant(0, i32), type=i32)
    return _ballot_of(e, _combined(e, CombineKind.OR, bit), call)


def _everyone(e: ExpressionEmitter) -> SSAValue:
    """The bits of all work-items of the largest sub-group."""
    size = e.from_index(_query(e, SubGroupField.MAX_SIZE), i32)
    shift = e.op(arith.SubiOp, e.constant(32, i32), size)
    return e.op(arith.ShRUIOp, e.constant(-1, i32), shift)


def _below(e: ExpressionEmitter) -> SSAValue:
    return e.op(arith.SubiOp, _bit(e), e.constant(1, i32))


def _up_to(e: ExpressionEmitter) -> SSAValue:
    return e.op(arith.OrIOp, _below(e), _bit(e))


def _beyond(e: ExpressionEmitter, mask: SSAValue) -> SSAValue:
    """The other bits of a sub-group."""
    return e.op(arith.AndIOp, e.op(arith.XOrIOp, mask, e.constant(-1, i32)), _everyone(e))


_MASKS: dict[str, Callable[[ExpressionEmitter], SSAValue]] = {
    "eq": _bit,
    "lt": _below,
    "le": _up_to,
    "gt": lambda e: _beyond(e, _up_to(e)),
    "ge": lambda e: _beyond(e, _below(e)),
}


def _mask(name: str) -> Emit:
    return lambda e, call: _ballot_of(e, _MASKS[name](e), call)


def _bit_set(e: ExpressionEmitter, word: SSAValue, lane: SSAValue, call: BuiltinCall) -> SSAValue:
    shifted = e.op(arith.ShRUIOp, word, lane)
    bit = e.op(arith.AndIOp, shifted, e.constant(1, i32))
    return bit if call.type.value == i32 else e.op(arith.TruncIOp, bit, type=call.type.value)


def _inverse_ballot(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return _bit_set(e, _bits(e, call.arguments[0]), _lane(e), call)


def _bit_extract(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    word, index = _bits(e, call.arguments[0]), e.emit(call.arguments[1])
    # An index of a work-item that does not exist has no value; the shift must have one.
    lane = e.op(arith.AndIOp, index, e.constant(31, i32))
    return _bit_set(e, word, lane, call)


def _bit_count(select: Callable[[ExpressionEmitter], SSAValue]) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        word = _bits(e, call.arguments[0])
        return e.op(math.CtPopOp, e.op(arith.AndIOp, word, select(e)))

    return emit


def _find_bit(name: str) -> Emit:
    """`find_lsb` or `find_msb`; without a bit, the result is undefined."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        word = e.op(arith.AndIOp, _bits(e, call.arguments[0]), _everyone(e))
        if name == "lsb":
            return e.op(math.CountTrailingZerosOp, word)
        leading = e.op(math.CountLeadingZerosOp, word)
        return e.op(arith.SubiOp, e.constant(31, i32), leading)

    return emit


# Broadcasts and shuffles


def _work_group_broadcast(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    value = e.emit(call.arguments[0])
    ids = [e.index(argument) for argument in call.arguments[1:]]
    ids += [e.constant(0, INDEX)] * (3 - len(ids))
    index = linear_local_id(e, ids)
    return e.value(ocl.GroupShuffleOp(GroupScope.WORK_GROUP, value, index))


def _broadcast(*, non_uniform: bool) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        value, lane = (e.emit(argument) for argument in call.arguments)
        return _shuffled(e, value, lane, non_uniform=non_uniform)

    return emit


def _broadcast_first(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return _shuffled(e, e.emit(call.arguments[0]), _first_active(e))


_Lane = Callable[[ExpressionEmitter, SSAValue, BuiltinCall], SSAValue]


def _shuffle(lane: _Lane) -> Emit:
    """A shuffle of the first argument to the lane that the second one gives."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        value, number = (e.emit(argument) for argument in call.arguments[:2])
        return _shuffled(e, value, lane(e, number, call))

    return emit


def _rotated(e: ExpressionEmitter, by: SSAValue, call: BuiltinCall) -> SSAValue:
    """The lane `by` after the own one, modulo the size of the cluster."""
    mine = _lane(e)
    moved = e.op(arith.AddiOp, mine, by)
    mask = e.constant(_cluster(call.arguments[2]) - 1, i32)
    outside = e.op(arith.AndIOp, mine, e.op(arith.XOrIOp, mask, e.constant(-1, i32)))
    return e.op(arith.OrIOp, outside, e.op(arith.AndIOp, moved, mask))


_LANES: dict[str, _Lane] = {
    "shuffle": lambda e, number, call: number,
    "shuffle_xor": lambda e, number, call: e.op(arith.XOrIOp, _lane(e), number),
    "shuffle_up": lambda e, number, call: e.op(arith.SubiOp, _lane(e), number),
    "shuffle_down": lambda e, number, call: e.op(arith.AddiOp, _lane(e), number),
    "rotate": lambda e, number, call: e.op(arith.AddiOp, _lane(e), number),
    "clustered_rotate": _rotated,
}


def _shuffle_of_two(*, up: bool) -> Emit:
    """`intel_sub_group_shuffle_up(previous, current, delta)`, or `_down(current, next, delta)`: a
    shift by `delta` of the values of both arguments, one after the other."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        values = [e.emit(argument) for argument in call.arguments[:2]]
        delta = e.emit(call.arguments[2])
        size = e.from_index(_query(e, SubGroupField.MAX_SIZE), i32)
        lane = e.op(arith.SubiOp if up else arith.AddiOp, _lane(e), delta)
        first, second = (_shuffled(e, value, lane) for value in values)
        # As an unsigned number, a lane beyond the first argument or below the second is too large.
        inside = e.compare(arith.CmpiOp, "ult", lane, size)
        chosen = (inside, second, first) if up else (inside, first, second)
        return e.op(arith.SelectOp, *chosen, type=first.type)

    return emit


# Blocks of memory


def _block(e: ExpressionEmitter, pointer: SSAValue, count: int) -> list[SSAValue]:
    """The indices of the work-item's elements: its lane in each of `count` rows."""
    lane, size = _query(e, SubGroupField.LOCAL_ID), _query(e, SubGroupField.MAX_SIZE)
    indices = [lane]
    for _ in range(count - 1):
        indices.append(e.op(arith.AddiOp, indices[-1], size))
    return indices


def _pointer(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    if argument.type.kind is not Kind.POINTER:
        raise UnsupportedError(
            "block reads and writes of images are not supported", *argument.location
        )
    pointer = e.emit(argument)
    assert ocl.space_of(pointer) is not AddressSpace.PRIVATE
    return pointer


def _block_read(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    pointer, type = _pointer(e, call.arguments[0]), call.type.value
    if not isinstance(type, VectorType):
        return e.load_from(pointer, *_block(e, pointer, 1))
    result = e.constant(0, type)
    for number, index in enumerate(_block(e, pointer, type.get_shape()[0])):
        result = e.with_lane(result, e.load_from(pointer, index), number)
    return result


def _block_write(e: ExpressionEmitter, call: BuiltinCall) -> None:
    pointer, value = _pointer(e, call.arguments[0]), e.emit(call.arguments[1])
    if not isinstance(value.type, VectorType):
        e.store_to(value, pointer, *_block(e, pointer, 1))
        return
    for number, index in enumerate(_block(e, pointer, value.type.get_shape()[0])):
        e.store_to(e.lane(value, number), pointer, index)


def _barrier(e: ExpressionEmitter, call: BuiltinCall) -> None:
    spaces = fenced_spaces(e, call.arguments[0])
    properties = {name.removesuffix("_"): UnitAttr() for name, fenced in spaces.items() if fenced}
    e.new(ocl.BarrierOp, properties={"sub_group": UnitAttr(), **properties})


def _sub_group_query(field: SubGroupField) -> Emit:
    return lambda e, call: e.from_index(_query(e, field), call.type.value)


_OPERATIONS = (*_KINDS, "logical_and", "logical_or", "logical_xor")
_FORMS = ("reduce", "scan_inclusive", "scan_exclusive")
_SCOPES = {"work_group": GroupScope.WORK_GROUP, "sub_group": GroupScope.SUB_GROUP}
_FIELDS = {
    "get_sub_group_size": SubGroupField.SIZE,
    "get_max_sub_group_size": SubGroupField.MAX_SIZE,
    "get_num_sub_groups": SubGroupField.COUNT,
    "get_enqueued_num_sub_groups": SubGroupField.ENQUEUED_COUNT,
    "get_sub_group_id": SubGroupField.ID,
    "get_sub_group_local_id": SubGroupField.LOCAL_ID,
}

_SUB_GROUP = GroupScope.SUB_GROUP
TABLE: dict[str, Emit] = (
    {
        f"{prefix}_{form}_{name}": _collective(scope, form, name)
        for prefix, scope in (*_SCOPES.items(), ("intel_sub_group", _SUB_GROUP))
        for form in _FORMS
        for name in _OPERATIONS
    }
    | {
        f"sub_group_non_uniform_{form}_{name}": _collective(
            _SUB_GROUP, form, name, non_uniform=True
        )
        for form in _FORMS
        for name in _OPERATIONS
    }
    | {
        f"sub_group_clustered_reduce_{name}": _collective(
            _SUB_GROUP, "clustered_reduce", name, non_uniform=True
        )
        for name in _OPERATIONS
    }
    | {
        f"{prefix}_{name}": _vote(scope, name)
        for prefix, scope in _SCOPES.items()
        for name in ("all", "any")
    }
    | {
        f"sub_group_non_uniform_{name}": _vote(_SUB_GROUP, name, non_uniform=True)
        for name in ("all", "any")
    }
    | {f"sub_group_{name}": _shuffle(lane) for name, lane in _LANES.items()}
    | {f"intel_sub_group_{name}": _shuffle(_LANES[name]) for name in ("shuffle", "shuffle_xor")}
    | {f"get_sub_group_{name}_mask": _mask(name) for name in _MASKS}
    | {name: _sub_group_query(field) for name, field in _FIELDS.items()}
    | {
        f"intel_sub_group_block_{what}{suffix}{count}": emit
        for what, emit in (("read", _block_read), ("write", _block_write))
        for suffix in ("", "_ui", "_us")
        for count in ("", "2", "4", "8")
    }
    | {
        "intel_sub_group_shuffle_up": _shuffle_of_two(up=True),
        "intel_sub_group_shuffle_down": _shuffle_of_two(up=False),
        "intel_sub_group_broadcast": _broadcast(non_uniform=False),
        "work_group_broadcast": _work_group_broadcast,
        "sub_group_broadcast": _broadcast(non_uniform=False),
        "sub_group_non_uniform_broadcast": _broadcast(non_uniform=True),
        "sub_group_broadcast_first": _broadcast_first,
        "sub_group_elect": _elect,
        "sub_group_non_uniform_all_equal": _all_equal,
        "sub_group_ballot": _ballot,
        "sub_group_inverse_ballot": _inverse_ballot,
        "sub_group_ballot_bit_extract": _bit_extract,
        "sub_group_ballot_bit_count": _bit_count(_everyone),
        "sub_group_ballot_inclusive_scan": _bit_count(_up_to),
        "sub_group_ballot_exclusive_scan": _bit_count(_below),
        "sub_group_ballot_find_lsb": _find_bit("lsb"),
        "sub_group_ballot_find_msb": _find_bit("msb"),
        "sub_group_barrier": _barrier,
    }
)
