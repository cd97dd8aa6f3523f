"""Gathers of elements that are probably near each other, or in a small table: calls of functions
that load them at once (`near_function`, `table_function`)."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType, i8, i32
from xdsl.ir import SSAValue

from polycl.dialects import ocl, vec, wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.dialects.wg.attributes import IN_REACH, MAPPED, NEAR, TABLE
from polycl.lowering.llvm.alignment import pointer_alignment
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.numbers_to_llvm import has_numbers
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.near_lanes import SIZES

PREFIX = "polycl_near"
"""`elements polycl_near.SIZE.LANES.KIND(pointer, indices)`, with `.mask` for one more argument, and
`.words` where lanes that are apart gather words, `.numbers` where they do so by 32 bits each."""

TABLE_PREFIX = "polycl_table"
"""`bytes polycl_table.COUNT.LANES(pointer, indices)`, with `.mapped` where all are there, and
`.mask` for one more argument."""


def gather_near(op: wg.GatherOp, low: FunctionLowering) -> SSAValue | None:
    """The elements of a gather with `wg.near`; None if it has other ones than a row has. Those of
    a small vector are one."""
    type, lanes = op.result.type, count_of(op.indices.type)
    element = element_of(type)
    if NEAR not in op.attributes or not low.conventions.tables or isinstance(element, ocl.PtrType):
        return None
    size = count_of(type) // lanes * size_of(element)
    if size not in SIZES or wg.stride_in_bytes(op) != size or lanes * size > REGISTER_BYTES:
        return None
    by_words = size < LEAST_GATHERED and (op.mask is not None or low.conventions.words)
    if by_words and pointer_alignment(op.pointer) < size:
        return None
    indices, kind = _narrow(op.indices)
    is_cut = kind == "i64" and IN_REACH in op.attributes
    if is_cut:
        # Those of parts of words have no sign.
        kind = "zext" if size < LEAST_GATHERED else "sext"
    name = f"{PREFIX}.{size}.{lanes}.{kind}"
    if op.mask is not None:
        name += ".mask"
    if by_words:
        name += ".words"
    if (by_words or size == LEAST_GATHERED) and has_numbers(low, op):
        name += ".numbers"
    args = [low.value(value) for value in (op.pointer, indices, op.mask) if value is not None]
    if is_cut:
        args[1] = low.emit(llvm.TruncOp(args[1], VectorType(i32, [lanes])))
    result = VectorType(IntegerType(8 * size), [lanes])
    types = [POINTER, *(arg.type for arg in args[1:])]
    low.symbols.declare(name, types, result, ())
    found = low.emit(llvm.CallOp(name, *args, return_type=result))
    type = VectorType(element, [count_of(type)])
    return found if type == result else low.emit(llvm.BitcastOp(found, type))


def gather_from_table(op: wg.GatherOp, low: FunctionLowering) -> SSAValue | None:
    """The bytes of a gather with `wg.table`, chosen in registers; None for another one."""
    count, lanes = op.attributes.get(TABLE), count_of(op.indices.type)
    if not isinstance(count, IntegerAttr) or not low.conventions.tables:
        return None
    name = f"{TABLE_PREFIX}.{count.value.data}.{lanes}"
    name += ".mapped" * (MAPPED in op.attributes) + ".mask" * (op.mask is not None)
    result = VectorType(i8, [lanes])
    indices = low.value(op.indices)
    if indices.type != result:
        indices = low.emit(llvm.TruncOp(indices, result))
    args = [low.value(op.pointer), indices, *([] if op.mask is None else [low.value(op.mask)])]
    low.symbols.declare(name, [POINTER, *(arg.type for arg in args[1:])], result, ())
    return low.emit(llvm.CallOp(name, *args, return_type=result))


def _narrow(indices: SSAValue) -> tuple[SSAValue, str]:
    """Indices as they were before they got 64 bits, and how they did."""
    match indices.owner:
        case vec.IndexCastOp() | vec.ExtSIOp() | vec.ExtUIOp() as op:
            if element_of(op.operands[0].type) == i32:
                return op.operands[0], "zext" if isinstance(op, vec.ExtUIOp) else "sext"
        case _:
            pass
    return indices, "i64"
