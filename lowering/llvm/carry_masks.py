"""`carry-masks`: masks go from block to block in the form in which comparisons make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    VectorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import llvm as llvm_ext
from polycl.dialects.vec import count_of, width_of
from polycl.lowering.build import Build

_SLT = IntegerAttr(llvm.ICmpPredicateFlag.SLT.to_int(), i64)

_REGISTER_BITS = 512
"""That the lanes of a mask stand for: a vector of work-items has so many."""


@dataclass(frozen=True)
class CarryMasksPass(ModulePass):
    """Pass a mask to another block as floats whose bits are all ones in its lanes.

    ```
    ^loop(%m: vector<16xi1>):             ^loop(%wide: vector<16xf32>):
                                            %bits = llvm.bitcast %wide : ... to vector<16xi32>
                                            %m = llvm.icmp "slt" %bits, %zeros
      ...                           ->      ...
      %next = llvm.and %m, %less            %less_bits = llvm.sext %less : ... to vector<16xi32>
                                            %0 = llvm.and %bits, %less_bits
                                            %1 = llvm.bitcast %0 : ... to vector<16xf32>
                                            %next = llvm.call_intrinsic "...fence..."(%1)
      llvm.br ^loop(%next)                  llvm.br ^loop(%next)
    ```

    Without AVX-512, comparisons of vectors make masks as wide as what they compare, and selections
    and masked accesses want such ones. LLVM packs a mask that is passed to another block into
    bytes, and unpacks it there: half of the instructions of a short loop. Integers that are nothing
    but a mask become one again; what is behind a fence, which there is for floats only, it keeps.
    Masks of narrower elements, such as bytes, have other users in fewer registers: they are widened
    for the branch alone.
    """

    name = "carry-masks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, llvm.FuncOp):
                _Masks().rewrite(function)


def _is_mask(type: Attribute) -> bool:
    """Whether it is one that fills registers: of 2, 4, 8, ... lanes."""
    if not isinstance(type, VectorType) or type.element_type != i1:
        return False
    lanes = count_of(type)
    return lanes > 1 and lanes.bit_count() == 1


def _bits_type(mask: Attribute) -> VectorType[IntegerType]:
    """Integers with an element for each lane."""
    lanes = count_of(mask)
    return VectorType(IntegerType(min(max(8, _REGISTER_BITS // lanes), 64)), [lanes])


class _Masks:
    """The masks of one function that other blocks are given."""

    def __init__(self) -> None:
        self.bits: dict[SSAValue, SSAValue] = {}
        """Of a mask: the integers with all bits set in its lanes."""

    def rewrite(self, function: llvm.FuncOp) -> None:
        blocks = list(function.body.blocks)
        for block in blocks[1:]:
            for argument in block.args:
                if _is_mask(argument.type):
                    self.receive(argument)
        for block in blocks:
            branch = block.last_op
            if isinstance(branch, llvm.BrOp | llvm.CondBrOp):
                for position in range(len(branch.operands)):
                    if _is_mask(branch.operands[position].type):
                        branch.operands[position] = self.passed(branch.operands[position])

    def receive(self, argument: BlockArgument) -> None:
        """Make integers of an argument that was a mask."""
        uses = list(argument.uses)
        type = _bits_type(argument.type)
        self.use_instead(uses, Rewriter.replace_value_with_new_type(argument, type), type)

    def passed(self, mask: SSAValue) -> SSAValue:
        """The integers of `mask`, from which its other users have it, too: it has one form."""
        if mask not in self.bits:
            if not self.is_as_wide(mask):
                return Build.after(mask).cast(llvm.SExtOp, mask, _bits_type(mask.type))
            uses = list(mask.uses)
            bits = self.bits_of(Build.after(mask), mask)
            if isinstance(mask.owner, llvm.ConstantOp):
                self.bits[mask] = bits
            else:
                self.use_instead(uses, bits, _bits_type(mask.type))
            return bits
        return self.bits[mask]

    def is_as_wide(self, mask: SSAValue) -> bool:
        """Whether all that was compared for a mask has the width of the integers."""
        match mask.owner:
            case llvm.ICmpOp(lhs=compared) | llvm_ext.FCmpOp(lhs=compared):
                return width_of(compared.type) == width_of(_bits_type(mask.type))
            case llvm.AndOp() | llvm.OrOp() as op:
                return all(map(self.is_as_wide, op.operands))
            case llvm_ext.SelectOp(cond=both, lhs=x, rhs=y) if _is_false(y):
                return self.is_as_wide(both) and self.is_as_wide(x)
            case _:
                return True

    def bits_of(self, b: Build, mask: SSAValue) -> SSAValue:
        """`mask` as integers. Masks of masks are computed in these."""
        if mask in self.bits:
            return self.bits[mask]
        condition = _uniform_condition(mask)
        if condition is not None:
            return _fenced(b, _splat(b, condition, _bits_type(mask.type)))
        match mask.owner:
            case llvm.ConstantOp():
                return b.cast(llvm.SExtOp, mask, _bits_type(mask.type))
            case llvm.AndOp() | llvm.OrOp() as op:
                return b.alike(op.__class__, *(self.bits_of(b, x) for x in op.operands))
            case llvm_ext.SelectOp(cond=both, lhs=x, rhs=y) if _is_false(y):
                return b.alike(llvm.AndOp, self.bits_of(b, both), self.bits_of(b, x))
            case _:
                return _fenced(b, b.cast(llvm.SExtOp, mask, _bits_type(mask.type)))

    def use_instead(
        self, uses: Iterable[Use], bits: SSAValue, type: VectorType[IntegerType]
    ) -> None:
        """Where a mask was used, use the one that comes from `bits`."""
        b = Build.after(bits)
        zeros = b.emit(llvm.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [0]), type))
        mask = b.emit(llvm.ICmpOp(bits, zeros, _SLT))
        for use in uses:
            use.operation.operands[use.index] = mask
        self.bits[mask] = bits


def _fenced(b: Build, bits: SSAValue) -> SSAValue:
    """The same integers, of which LLVM does not know that they are a mask."""
    floats = VectorType(f32, [count_of(bits.type) * width_of(bits.type) // 32])
    value = b.cast(llvm.BitcastOp, bits, floats)
    name = f"llvm.arithmetic.fence.v{count_of(floats)}f32"
    value = b.emit(llvm.CallIntrinsicOp(name, [value], [floats]))
    return b.cast(llvm.BitcastOp, value, bits.type)


def _uniform_condition(mask: SSAValue) -> SSAValue | None:
    """What all lanes of a mask are, if that is one number."""
    match mask.owner:
        case llvm.ShuffleVectorOp(v1=OpResult(op=llvm.InsertElementOp(value=value))) as shuffle:
            return value if set(shuffle.mask.iter_values()) == {0} else None
        case _:
            return None


def _splat(b: Build, condition: SSAValue, type: VectorType[IntegerType]) -> SSAValue:
    """All bits of all lanes are `condition`."""
    poison = b.emit(llvm_ext.PoisonOp(type))
    lane = b.cast(llvm.SExtOp, condition, type.element_type)
    zero = b.emit(llvm.ConstantOp(IntegerAttr(0, i64), i64))
    first = b.emit(llvm.InsertElementOp(poison, lane, zero))
    lanes = DenseArrayBase.from_list(i32, [0] * count_of(type))
    return b.emit(llvm.ShuffleVectorOp(first, poison, lanes, type))


def _is_false(mask: SSAValue) -> bool:
    match mask.owner:
        case llvm.ConstantOp(value=DenseIntOrFPElementsAttr() as value):
            return value.is_splat() and not value.get_values()[0]
        case _:
            return False
