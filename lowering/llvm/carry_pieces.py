"""`carry-pieces`: vectors of 3, 6, 48, ... elements go from block to block in full registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    IntegerType,
    ModuleOp,
    VectorType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects.vec import count_of, width_of
from polycl.lowering.build import Build

_LEAST_BITS = 64
"""Of a vector that is carried: with less, LLVM's elements are in few registers, too."""

_REGISTER_BITS = 128
"""Of the smallest register for vectors: a smaller piece does not fill one."""


@dataclass(frozen=True)
class CarryPiecesPass(ModulePass):
    """Pass a vector to another block in pieces of 4, 8, 16, ... elements.

    ```
    ^loop(%sum: vector<48xf32>):          ^loop(%a: vector<16xf32>, %b: ..., %c: ...):
                                            %sum = ...        // %a, %b and %c behind fences
      %next = llvm.fadd %sum, %x     ->     %next = llvm.fadd %sum, %x
                                            %0 = llvm.shufflevector %next, ... [0, ..., 15]
      llvm.br ^loop(%next)                  llvm.br ^loop(%0, %1, %2)
    ```

    LLVM computes with 48 elements as with three vectors of 16, which are those of 16 work-items
    that each add up a `float3`. But it passes each of the elements on its own to another block,
    most of them on the stack. Where pieces would not fill registers, as of a `float3` itself, there
    is one piece of the next power of two. Without the fences LLVM would see that the pieces are one
    vector, and pass that again.
    """

    name = "carry-pieces"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, llvm.FuncOp):
                _carry(function)


def _carry(function: llvm.FuncOp) -> None:
    blocks = list(function.body.blocks)
    for block in blocks:
        branch = block.last_op
        if isinstance(branch, llvm.BrOp | llvm.CondBrOp) and any(
            _pieces_of(value.type) for value in branch.operands
        ):
            _pass(branch)
    for block in blocks[1:]:
        _receive(block)


def _pass(branch: llvm.BrOp | llvm.CondBrOp) -> None:
    parts = {value: _parts(Build(branch), value) for value in branch.operands}

    def parted(values: Sequence[SSAValue]) -> list[SSAValue]:
        return [piece for value in values for piece in parts[value]]

    if isinstance(branch, llvm.BrOp):
        new: Operation = llvm.BrOp(branch.successor, *parted(branch.arguments))
    else:
        then, other = parted(branch.then_arguments), parted(branch.else_arguments)
        new = llvm.CondBrOp(branch.cond, branch.then_block, then, branch.else_block, other)
    new.attributes |= branch.attributes
    new.location = branch.location
    Rewriter.replace_op(branch, new)


def _receive(block: Block) -> None:
    """Take pieces in place of vectors, which are put together at the start of a block."""
    for argument in list(block.args):
        if types := _pieces_of(argument.type):
            at = argument.index
            pieces = [block.insert_arg(type, at + i) for i, type in enumerate(types)]
            b = Build.after(pieces[-1])
            argument.replace_all_uses_with(_joined(b, [_fenced(b, p) for p in pieces], argument))
            block.erase_arg(argument)


def _pieces_of(type: Attribute) -> list[VectorType[Attribute]]:
    """The types in which a vector is carried; none if it is carried as it is."""
    if not isinstance(type, VectorType) or type.element_type == i1:
        return []
    lanes = count_of(type)
    if lanes.bit_count() == 1 or not isinstance(type.element_type, IntegerType | AnyFloat):
        return []
    bits = width_of(type)
    if lanes * bits < _LEAST_BITS:
        return []
    least = lanes & -lanes
    if least * bits < _REGISTER_BITS:
        return [VectorType(type.element_type, [1 << lanes.bit_length()])]
    return [VectorType(type.element_type, [least])] * (lanes // least)


def _parts(b: Build, value: SSAValue) -> list[SSAValue]:
    """The pieces of a vector; or anything else as it is."""
    types = _pieces_of(value.type)
    starts = [i * count_of(type) for i, type in enumerate(types)]
    return [_lanes(b, value, value, s, count_of(types[0])) for s in starts] or [value]


def _joined(b: Build, pieces: Sequence[SSAValue], vector: SSAValue) -> SSAValue:
    lanes = count_of(vector.type)
    whole, *others = pieces
    for piece in others:
        known = count_of(whole.type)
        wide = _lanes(b, piece, piece, 0, known) if piece.type != whole.type else piece
        whole = _lanes(b, whole, wide, 0, known + count_of(piece.type))
    return _lanes(b, whole, whole, 0, lanes) if count_of(whole.type) != lanes else whole


def _lanes(b: Build, x: SSAValue, y: SSAValue, start: int, count: int) -> SSAValue:
    """Elements of two vectors in a row, from `start` on; those of one vector twice are any."""
    assert isinstance(x.type, VectorType)
    most = count_of(x.type) * (1 if x is y else 2)
    lanes = [i if i < most else -1 for i in range(start, start + count)]
    type = VectorType(x.type.element_type, [count])
    return b.emit(llvm.ShuffleVectorOp(x, y, DenseArrayBase.from_list(i32, lanes), type))


def _fenced(b: Build, value: SSAValue) -> SSAValue:
    """The same vector, of which LLVM does not know where it comes from."""
    floats = VectorType(f32, [count_of(value.type) * width_of(value.type) // 32])
    name = f"llvm.arithmetic.fence.v{count_of(floats)}f32"
    fenced = b.cast(llvm.BitcastOp, value, floats) if value.type != floats else value
    fenced = b.emit(llvm.CallIntrinsicOp(name, [fenced], [floats]))
    return b.cast(llvm.BitcastOp, fenced, value.type) if value.type != floats else fenced
