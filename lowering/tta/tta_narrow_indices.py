"""`tta-narrow-indices`: arithmetic whose result becomes an index is done in 32 bits."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.lowering.tta.word_builder import MASK, signed

_ARITHMETIC = (arith.AddiOp, arith.SubiOp, arith.MuliOp)
_index = IndexType()


@dataclass(frozen=True)
class TtaNarrowIndicesPass(ModulePass):
    """Compute 64-bit sums and products in `index` if only their lower half is used.

    ```
    %0 = arith.index_cast %group : index to i64
    %1 = arith.extsi %width : i32 to i64              %2 = arith.index_cast %width : i32 to index
    %2 = arith.muli %0, %1 : i64                ->    %3 = arith.muli %group, %2 : index
    %3 = arith.index_cast %2 : i64 to index
    ```

    In C, `get_group_id(0) * width` has 64 bits. An index has 32 bits on the simulated processor,
    and the lower half of a sum or product depends on the lower halves of its operands alone.
    `tta-widen-loops` runs before: it needs the types to see which values may exceed an index.
    """

    name = "tta-narrow-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        narrowing = _Narrowing()
        for cast in [o for o in op.walk() if isinstance(o, arith.IndexCastOp | arith.TruncIOp)]:
            value = cast.input
            if value.type != i64 or cast.result.type not in (_index, i32):
                continue
            if not isinstance(value.owner, Operation) or not narrowing.is_narrow(value.owner):
                continue
            found = narrowing.as_index(value)
            if cast.result.type == i32:
                narrow = arith.IndexCastOp(found, i32)
                narrow.location = cast.location
                Rewriter.insert_op(narrow, InsertPoint.before(cast))
                found = narrow.result
            Rewriter.replace_op(cast, [], [found])


@dataclass
class _Narrowing:
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """64-bit values, and the indices that are their lower halves."""
    narrow: dict[Operation, bool] = field(default_factory=dict[Operation, bool])

    def is_narrow(self, op: Operation) -> bool:
        """Whether this is arithmetic whose upper half is not used."""
        if op not in self.narrow:
            self.narrow[op] = self._is_arithmetic(op) and all(
                self._cuts(use.operation) or self.is_narrow(use.operation)
                for use in op.results[0].uses
            )
        return self.narrow[op]

    @staticmethod
    def _is_arithmetic(op: Operation) -> bool:
        if isinstance(op, arith.ShLIOp):
            count = constant_value(op.rhs)
            return op.result.type == i64 and count is not None and 0 <= count < 32
        return isinstance(op, _ARITHMETIC) and op.result.type == i64

    @staticmethod
    def _cuts(op: Operation) -> bool:
        return isinstance(op, arith.IndexCastOp | arith.TruncIOp) and op.result.type != i64

    def as_index(self, value: SSAValue) -> SSAValue:
        if value not in self.values:
            self.values[value] = self._make(value)
        return self.values[value]

    def _make(self, value: SSAValue) -> SSAValue:
        owner, number = value.owner, constant_value(value)
        if isinstance(owner, arith.IndexCastOp) and owner.input.type == _index:
            return owner.input
        if isinstance(owner, Operation) and self._is_arithmetic(owner):
            operands = [self.as_index(operand) for operand in owner.operands]
            new = type(owner).create(operands=operands, result_types=[_index])
        elif number is not None:
            new = arith.ConstantOp(IntegerAttr(signed(number & MASK), _index))
        elif isinstance(owner, arith.ExtSIOp | arith.ExtUIOp) and owner.input.type == i32:
            new = arith.IndexCastOp(owner.input, _index)
        else:
            new = arith.IndexCastOp(value, _index)
        if isinstance(owner, Operation):
            new.location = owner.location
            Rewriter.insert_op(new, InsertPoint.after(owner))
        else:
            Rewriter.insert_op(new, InsertPoint.at_start(owner))
        return new.results[0]
