"""Values of a parallel region that are the same for all work-items, computed for the group."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, vec, wg
from polycl.lowering.build import Build

_LIFTED = vec.both(
    arith.ConstantOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.CmpiOp,
    arith.SelectOp,
    # The amount is below the width: OpenCL C masks it.
    arith.ShLIOp,
    arith.ShRSIOp,
    arith.ShRUIOp,
)
"""Operations that may run where the region might not: without effect, and always defined."""

_QUERIES = (
    ocl.GroupIdOp,
    ocl.NumGroupsOp,
    ocl.LocalSizeOp,
    ocl.GlobalSizeOp,
    ocl.GlobalOffsetOp,
)
"""What is asked of the launch, where a branch around it keeps it in a region."""

_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


class NotLiftable(Exception):
    """A value is not computed from arguments and ids alone."""


class GroupBuilder(Build):
    """Adds operations before a region."""

    def __init__(self, region: wg.ParallelOp):
        super().__init__(region, constants={})
        self._region = region
        self._copies = _Copies(self, region)
        self._added: list[Operation] = []

    def emit_void(self, op: Operation) -> None:
        self._added.append(op)
        super().emit_void(op)

    def constant(self, value: float, type: Attribute) -> SSAValue:
        result = super().constant(value, type)
        result.name_hint = f"c{value}"
        return result

    def erase_unused(self) -> None:
        """Erase what was added in vain."""
        for op in reversed(self._added):
            if all(result.first_use is None for result in op.results):
                Rewriter.erase_op(op)

    def lifted(self, value: SSAValue) -> SSAValue:
        """A value that is the same for all work-items, computed for the one with the ids 0.

        Raises:
            NotLiftable: it depends on memory, on a loop, or on an operation with effects.
        """
        return evaluate(value, self._copies)


class _Copies(Domain[SSAValue]):
    """The values of a region, computed before it."""

    def __init__(self, builder: GroupBuilder, region: wg.ParallelOp):
        super().__init__()
        self._builder = builder
        self._region = region

    def leaf(self, value: SSAValue) -> SSAValue | None:
        if value.owner is self._region.body.block:
            return self._builder.index(0)
        return None if self._region.is_ancestor(value.owner) else value

    def opaque(self, value: SSAValue) -> SSAValue:
        raise NotLiftable

    def copy(self, op: Operation, *operands: SSAValue) -> SSAValue:
        return self._builder.emit(op.clone(dict(zip(op.operands, operands, strict=True))))

    def divide(self, op: Operation, *operands: SSAValue) -> SSAValue | None:
        """A division that is always defined: by a positive number."""
        divisor = constant_value(op.operands[1])
        return self.copy(op, *operands) if divisor is not None and divisor > 0 else None

    rules = {**dict.fromkeys((*_LIFTED, *_QUERIES), copy), **dict.fromkeys(_DIVISIONS, divide)}
