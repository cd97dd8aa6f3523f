"""`vector`: elements in and out, shuffles; and the values of `ocl`: structs, reinterpretation."""

from __future__ import annotations

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.vec import count_of
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import llvm_type


def _position(op: vector.ExtractOp | vector.InsertOp, low: FunctionLowering) -> SSAValue | int:
    positions = op.get_mixed_position()
    if len(positions) != 1:
        raise error_at(op, f"'{op.name}' works on one element here, got {len(positions)} positions")
    (position,) = positions
    return position if isinstance(position, int) else low.value(position)


def _extract(op: vector.ExtractOp, low: FunctionLowering) -> SSAValue:
    return low.extract_element(low.value(op.vector), _position(op, low))


def _insert(op: vector.InsertOp, low: FunctionLowering) -> SSAValue:
    to, taken = _position(op, low), op.source.owner
    if isinstance(taken, vector.ExtractOp) and taken.vector.type == op.dest.type:
        # LLVM 22 inserts element 0 of a <3 x double> where element 1 was extracted from it.
        at = _position(taken, low)
        if isinstance(at, int) and isinstance(to, int):
            size = count_of(low.value(op.dest).type)
            mask = [size + at if i == to else i for i in range(size)]
            return low.shuffle(low.value(op.dest), low.value(taken.vector), mask)
    return low.insert_element(low.value(op.dest), low.value(op.source), to)


def _broadcast(op: vector.BroadcastOp, low: FunctionLowering) -> SSAValue:
    source, result = low.value(op.source), llvm_type(op.vector.type)
    if source.type == result:
        return source
    if isinstance(source.type, VectorType):
        raise error_at(op, f"cannot broadcast {op.source.type} to {op.vector.type}")
    return low.splat(source, result)


def _shuffle(op: vector.ShuffleOp, low: FunctionLowering) -> SSAValue:
    x, y = low.value(op.v1), low.value(op.v2)
    mask = [int(i) for i in op.mask.get_values()]
    have = (count_of(x.type), count_of(y.type))
    if have[0] != have[1]:
        # LLVM needs two vectors of one length: positions in the second start at the longer length.
        longer = max(have)
        x, y = (v if count_of(v.type) == longer else low.resized(v, longer) for v in (x, y))
        mask = [i if i < have[0] else i - have[0] + longer for i in mask]
    return low.shuffle(x, y, mask)


def _fma(op: vector.FMAOp, low: FunctionLowering) -> SSAValue:
    args = low.values_of(op.operands)
    return low.intrinsic("fma", args, of=args[0].type)


def _bitcast(op: ocl.BitcastOp | vector.BitcastOp, low: FunctionLowering) -> SSAValue:
    """The same bits; a 3-element vector has the bits of 4 elements."""
    value, result = low.value(op.operands[0]), low.type(op.results[0].type)
    if value.type == result:
        return value
    if count_of(value.type) == count_of(result):
        return low.emit(llvm.BitcastOp(value, result))
    if count_of(value.type) == 3:
        value = low.resized(value, 4)
    if count_of(result) != 3:
        return low.emit(llvm.BitcastOp(value, result))
    assert isinstance(result, VectorType)
    four = VectorType(result.element_type, [4])
    return low.resized(low.emit(llvm.BitcastOp(value, four)), 3)


def _extract_field(op: ocl.ExtractOp, low: FunctionLowering) -> SSAValue:
    assert isinstance(op.struct.type, ocl.StructType)
    type = op.struct.type.field_type(op.field.data)
    assert type is not None
    index = op.struct.type.field_index(op.field.data)
    value = low.extract_value(low.value(op.struct), index, low.type(type))
    for place in op.indices:
        assert isinstance(type, ocl.ArrayType)
        type = type.element
        value = low.extract_value(value, place, low.type(type))
    return value


def _insert_field(op: ocl.InsertOp, low: FunctionLowering) -> SSAValue:
    assert isinstance(op.struct.type, ocl.StructType)
    index = op.struct.type.field_index(op.field.data)
    return low.insert_value(low.value(op.struct), low.value(op.value), index)


CONVERTERS: dict[type[Operation], Converter] = {
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    vector.BroadcastOp: _broadcast,
    vector.ShuffleOp: _shuffle,
    vector.FMAOp: _fma,
    vector.BitcastOp: _bitcast,
    ocl.BitcastOp: _bitcast,
    ocl.ExtractOp: _extract_field,
    ocl.InsertOp: _insert_field,
}
