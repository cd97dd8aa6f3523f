"""Collective operations of sub-groups: shuffles of a warp's lanes.

A sub-group of 8, 16 or 32 work-items is as many lanes that start at a multiple of its size: the
lanes of a warp are work-items whose linear ids follow each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, VectorType, i1, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.llvm import CALLING_CONVENTION
from polycl.dialects.ocl import CombineKind, sub_group_size_of
from polycl.dialects.ocl.collectives import identity_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import count_of
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import bits_of

_INTEGERS: dict[CombineKind, type[Operation]] = {
    CombineKind.ADD: llvm.AddOp,
    CombineKind.MUL: llvm.MulOp,
    CombineKind.AND: llvm.AndOp,
    CombineKind.OR: llvm.OrOp,
    CombineKind.XOR: llvm.XOrOp,
}
_FLOATS: dict[CombineKind, type[Operation]] = {
    CombineKind.ADD: llvm.FAddOp,
    CombineKind.MUL: llvm.FMulOp,
}
_INTRINSICS = {
    CombineKind.MIN: ("smin", "minimumnum"),
    CombineKind.MAX: ("smax", "maximumnum"),
    CombineKind.UMIN: ("umin", ""),
    CombineKind.UMAX: ("umax", ""),
}


def _width(op: Operation) -> int:
    """The size of the sub-groups of the kernel that `op` is in."""
    function = next(parent for parent in parents(op) if isinstance(parent, FuncOp))
    if CALLING_CONVENTION not in function.attributes:
        raise error_at(op, f"'{op.name}' in a function: run inline-functions before ocl-to-nvvm")
    return sub_group_size_of(function)


def _lane(low: FunctionLowering) -> SSAValue:
    return low.intrinsic_named("llvm.nvvm.read.ptx.sreg.laneid", [], i32)


def own_lanes(op: Operation, low: FunctionLowering) -> SSAValue:
    """The mask of the lanes of this sub-group. Those that are not there do not count."""
    width = _width(op)
    if width == 32:
        return low.constant(-1, i32)
    start = low.emit(llvm.AndOp(_lane(low), low.constant(-width, i32)))
    return low.emit(llvm.ShlOp(low.constant((1 << width) - 1, i32), start))


class _Lanes:
    """The lanes that take part in one operation."""

    def __init__(self, op: ocl.Collective, low: FunctionLowering, width: int | None = None):
        self.op = op
        self.low = low
        self.width = width or _width(op)
        self.lane = _lane(low)
        if op.non_uniform is not None:
            self.mask = low.intrinsic_named("llvm.nvvm.activemask", [], i32)
        else:
            self.mask = own_lanes(op, low)

    def active(self) -> SSAValue:
        """The mask of the lanes that are there."""
        if self.op.non_uniform is not None:
            return self.mask
        args = [self.mask, self.low.constant(1, i1)]
        return self.low.intrinsic_named("llvm.nvvm.vote.ballot.sync", args, i32)

    def has(self, lane: SSAValue, active: SSAValue) -> SSAValue:
        """Whether a lane of this warp is active."""
        low = self.low
        bit = low.emit(llvm.AndOp(low.emit(llvm.LShrOp(active, lane)), low.constant(1, i32)))
        return low.icmp("ne", bit, low.constant(0, i32))

    def inside(self) -> SSAValue:
        """The number of this lane in its sub-group or cluster."""
        return self.low.emit(llvm.AndOp(self.lane, self.low.constant(self.width - 1, i32)))

    def shuffle(self, mode: str, value: SSAValue, by: SSAValue) -> SSAValue:
        """The value of another lane of the sub-group, in words of 32 bits. `mode` is `idx`, `bfly`
        or `up`."""
        low, type = self.low, value.type
        clamp = (32 - self.width) << 8 | (0 if mode == "up" else 31)
        limit = low.constant(clamp, i32)
        name = f"llvm.nvvm.shfl.sync.{mode}.i32"

        def move(word: SSAValue) -> SSAValue:
            return low.intrinsic_named(name, [self.mask, word, by, limit], i32)

        words = _to_words(low, value)
        return _from_words(low, [move(word) for word in words], type)


def _to_words(low: FunctionLowering, value: SSAValue) -> list[SSAValue]:
    """The bits of a value in i32s."""
    type = value.type
    nbits = bits_of(type) * count_of(type)
    whole = IntegerType(nbits)
    bits = value if type == whole else low.emit(llvm.BitcastOp(value, whole))
    if nbits < 32:
        return [low.emit(llvm.ZExtOp(bits, i32))]
    if nbits == 32:
        return [bits]
    count = -(-nbits // 32)
    if nbits % 32:
        bits = low.emit(llvm.ZExtOp(bits, IntegerType(32 * count)))
    vector = low.emit(llvm.BitcastOp(bits, VectorType(i32, [count])))
    return [low.extract_element(vector, i) for i in range(count)]


def _from_words(low: FunctionLowering, words: Sequence[SSAValue], type: Attribute) -> SSAValue:
    nbits = bits_of(type) * count_of(type)
    whole = IntegerType(nbits)
    if len(words) == 1:
        bits = words[0]
    else:
        vector_type = VectorType(i32, [len(words)])
        vector = low.poison(vector_type)
        for i, word in enumerate(words):
            vector = low.insert_element(vector, word, i)
        bits = low.emit(llvm.BitcastOp(vector, IntegerType(32 * len(words))))
    if bits.type != whole:
        bits = low.emit(llvm.TruncOp(bits, whole))
    return bits if type == whole else low.emit(llvm.BitcastOp(bits, type))


def _combine(low: FunctionLowering, kind: CombineKind, x: SSAValue, y: SSAValue) -> SSAValue:
    is_integer = isinstance(x.type, IntegerType)
    if kind in _INTRINSICS:
        return low.intrinsic(_INTRINSICS[kind][not is_integer], [x, y], of=x.type)
    return low.new((_INTEGERS if is_integer else _FLOATS)[kind], [x, y], x.type)


def _refuse_work_group(op: ocl.Collective) -> None:
    if not op.is_sub_group:
        raise error_at(op, f"'{op.name}' of a work-group: run ocl-expand-collectives before")


def _reduce(op: ocl.GroupReduceOp, low: FunctionLowering) -> SSAValue:
    """Halves of the sub-group, then quarters, and so on."""
    _refuse_work_group(op)
    kind, value = op.kind.data, low.value(op.value)
    width = op.cluster_size or _width(op)
    lanes = _Lanes(op, low, width)
    active = lanes.active()
    nothing = low.constant(identity_of(kind, value.type), value.type)
    distance = width // 2
    while distance:
        step = low.constant(distance, i32)
        other = lanes.shuffle("bfly", value, step)
        partner = low.emit(llvm.XOrOp(lanes.lane, step))
        other = low.select(lanes.has(partner, active), other, nothing)
        value = _combine(low, kind, value, other)
        distance //= 2
    return value


def _scan(op: ocl.GroupScanOp, low: FunctionLowering) -> SSAValue:
    _refuse_work_group(op)
    kind, value = op.kind.data, low.value(op.value)
    lanes = _Lanes(op, low)
    active, inside = lanes.active(), lanes.inside()
    nothing = low.constant(identity_of(kind, value.type), value.type)

    def before(value: SSAValue, distance: int) -> SSAValue:
        """The value of the lane `distance` before this one; nothing where there is none."""
        step = low.constant(distance, i32)
        other = lanes.shuffle("up", value, step)
        source = low.emit(llvm.AndOp(low.emit(llvm.SubOp(lanes.lane, step)), low.constant(31, i32)))
        there = low.icmp("uge", inside, step)
        there = low.emit(llvm.AndOp(there, lanes.has(source, active)))
        return low.select(there, other, nothing)

    distance = 1
    while distance < lanes.width:
        value = _combine(low, kind, before(value, distance), value)
        distance *= 2
    if op.exclusive is None:
        return value
    value = before(value, 1)
    if kind is CombineKind.ADD and not isinstance(value.type, IntegerType):
        value = low.emit(llvm.FAddOp(value, low.constant(0.0, value.type)))
    return value


def _shuffle(op: ocl.GroupShuffleOp, low: FunctionLowering) -> SSAValue:
    _refuse_work_group(op)
    index = low.emit(llvm.TruncOp(low.value(op.index), i32))
    return _Lanes(op, low).shuffle("idx", low.value(op.value), index)


def _sub_group(op: ocl.SubGroupOp, low: FunctionLowering) -> SSAValue:
    raise error_at(op, "a query of sub-groups is left: run ocl-expand-sub-groups before")


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.GroupReduceOp: _reduce,
    ocl.GroupScanOp: _scan,
    ocl.GroupShuffleOp: _shuffle,
    ocl.SubGroupOp: _sub_group,
}
