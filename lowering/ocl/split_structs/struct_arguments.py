"""What is read at a known place of a struct argument's memory is an element of the argument."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.argument_memory import argument_in
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.split_structs.leaves import has_array, is_split

Place = tuple[str | int, ...]
"""Fields, and elements of arrays: `("m", 1, 2)` is `.m[1][2]`."""


def read_arguments(memories: Sequence[ocl.AllocaOp]) -> None:
    """Read arguments at known places instead of private copies of them, and of copies of those."""
    todo = [m for m in memories if has_array(pointer_type(m.result).pointee)]
    while copies := [(m, a) for m in todo if (a := argument_in([m.result])) is not None]:
        for memory, argument in copies:
            todo.remove(memory)
            _read(memory.result, (), argument)
            if memory.result.has_one_use():
                [store] = memory.result.uses
                Rewriter.erase_op(store.operation)
                Rewriter.erase_op(memory)


def _read(pointer: SSAValue, place: Place, argument: SSAValue) -> None:
    """Replace the loads by a pointer to a place of the argument."""
    for use in list(pointer.uses):
        match use.operation:
            case ocl.LoadOp(volatile=None) as op:
                at = _moved(place, op.index, argument.type)
                if at is not None and (not at or _is_value(op.result.type)):
                    Rewriter.replace_op(op, [], [_element(argument, at)])
            case ocl.OffsetOp() as op:
                at = _moved(place, op.index, argument.type)
                _follow(op, at, argument)
            case ocl.MemberOp() as op:
                in_struct = isinstance(pointer_type(pointer).pointee, ocl.StructType)
                _follow(op, (*place, op.field.data) if in_struct else None, argument)
            case ocl.CastOp() as op:
                _follow(op, (*place, 0) if _is_decay(op) else None, argument)
            case _:
                pass


def _follow(op: Operation, place: Place | None, argument: SSAValue) -> None:
    if place is not None:
        _read(op.results[0], place, argument)
    if op.results[0].first_use is None:
        Rewriter.erase_op(op)


def _is_value(type: Attribute) -> bool:
    """Whether a part is a value: structs with arrays or unions are copied in memory."""
    return not isinstance(type, ocl.RecordType) or (is_split(type) and not has_array(type))


def _is_decay(op: ocl.CastOp) -> bool:
    """Whether a cast is that of an array to a pointer to its first element."""
    array, space = pointer_type(op.pointer).pointee, pointer_type(op.pointer).space
    is_array = isinstance(array, ocl.ArrayType)
    return is_array and op.result.type == ocl.PtrType(array.element, space)


def _moved(place: Place, index: SSAValue | None, struct: Attribute) -> Place | None:
    """The place of an element after `place`, if it is known, and inside of the same array."""
    count = 0 if index is None else constant_value(index)
    if count == 0:
        return place
    if count is None or not place or not isinstance(place[-1], int):
        return None
    array, number = _type_at(struct, place[:-1]), place[-1] + count
    assert isinstance(array, ocl.ArrayType)
    return (*place[:-1], number) if 0 <= number < array.size.data else None


def _type_at(type: Attribute, place: Place) -> Attribute:
    for part in place:
        if isinstance(part, int):
            assert isinstance(type, ocl.ArrayType)
            type = type.element
        else:
            assert isinstance(type, ocl.StructType)
            found = type.field_type(part)
            assert found is not None
            type = found
    return type


def _element(argument: SSAValue, place: Place) -> SSAValue:
    """The value at a place, which is one where the kernel begins."""
    build, value = Build.after(argument), argument
    for number, field in enumerate(place):
        if isinstance(field, str):
            indices: list[int] = []
            for index in place[number + 1 :]:
                if isinstance(index, str):
                    break
                indices.append(index)
            value = build.emit(ocl.ExtractOp(value, field, indices))
    return value
