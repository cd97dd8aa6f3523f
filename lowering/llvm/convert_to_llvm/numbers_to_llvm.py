"""Gathers by numbers of 32 bits: of 16 lanes at once. LLVM chooses so only where it sees in the
same block that 64 bits are an extension, and gathers in two halves otherwise."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, VectorType, i32
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.dialects.wg.attributes import IN_REACH
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering

LARGEST_SCALE = 8
"""Bytes by which a processor's addresses scale an index."""

LANES = 16
WORDS = VectorType(i32, [LANES])


def has_numbers(low: FunctionLowering, op: wg.GatherOp) -> bool:
    """Whether distances in bytes have 32 bits, and the processor gathers by so many numbers. It
    extends these by their sign: they count two bytes or more."""
    return (
        count_of(op.indices.type) == LANES and low.conventions.masks and IN_REACH in op.attributes
    )


def gather_elements(
    low: FunctionLowering, op: wg.GatherOp, units: Attribute, mask: SSAValue
) -> SSAValue | None:
    """Gather words, whose numbers are the indices; None for other elements."""
    stride = wg.stride_in_bytes(op)
    if size_of(element_of(units)) != 4 or stride % 2 != 0:
        return None
    scale = min(stride & -stride, LARGEST_SCALE)
    numbers = low.emit(llvm.TruncOp(low.value(op.indices), WORDS))
    if stride > scale:
        numbers = low.emit(llvm.MulOp(numbers, low.constant(stride // scale, WORDS)))
    return gather_numbers(low, low.value(op.pointer), numbers, scale, units, mask)


def gather_numbers(
    low: FunctionLowering,
    pointer: SSAValue,
    numbers: SSAValue,
    scale: int,
    units: Attribute,
    mask: SSAValue,
) -> SSAValue:
    """Gather the words that are `numbers * scale` bytes from a pointer."""
    kind = "dpi" if isinstance(element_of(units), IntegerType) else "dps"
    args = [low.constant(0, units), pointer, numbers, mask, low.constant(scale, i32)]
    return low.intrinsic_named(f"llvm.x86.avx512.mask.gather.{kind}.512", args, units)
