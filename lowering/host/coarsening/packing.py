"""The values of a kernel that become vectors when neighbours along x are merged.

Operands of addresses and branches stay scalars for each work-item. Other values become one vector
for all work-items, if OpenCL C has such a vector type. Vectors of the work-items are concatenated
to a wider vector.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.speculation import is_speculatable, may_fail
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.ocl.attributes import VECTOR_WIDTHS
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.host.coarsening.coarse_dependence import (
    ACCESSES,
    Access,
    KernelDependence,
    shared_loads,
)

_ELEMENTWISE_SECTIONS = ("6.12.2", "6.12.3", "6.12.4")
_NOT_ELEMENTWISE = (arith.ConstantOp, arith.BitcastOp)


class Packing:
    """The packed values, `factor` work-items in a vector."""

    def __init__(self, kernel: ocl.KernelOp, dependence: KernelDependence, factor: int):
        self.dependence = dependence
        self.factor = factor
        branches = [op for op in kernel.body.walk() if isinstance(op, scf.IfOp)]
        self.selected: set[Operation] = {op for op in branches if self._may_select(op)}
        """Branches so small that both sides are executed, and the results selected."""
        self._numbers = _needed_as_numbers(kernel, self.selected)
        self._packed: set[SSAValue] = set()
        self._mark(kernel.body.block)

    def is_packed(self, value: SSAValue) -> bool:
        return value in self._packed

    def vector_type(self, type: Attribute) -> VectorType | None:
        """The vector type of all work-items' values; None if OpenCL C has no such type."""
        element, count = element_of(type), count_of(type)
        is_number = isinstance(element, IntegerType | AnyFloat)
        if not is_number or count == 3 or count * self.factor not in VECTOR_WIDTHS:
            return None
        return VectorType(element, [count * self.factor])

    def is_continuous(self, op: Access) -> bool:
        """Whether the work-items access consecutive elements."""
        if getattr(op, "volatile", None) is not None:
            return False
        value = op.result if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value
        return self.vector_type(value.type) is not None and self.dependence.is_consecutive(op)

    def is_elementwise(self, op: Operation) -> bool:
        """Whether an operation has a form on vectors."""
        if op.regions or len(op.results) != 1 or may_fail(op) or not op.operands:
            return False
        if any(self.vector_type(v.type) is None for v in (*op.operands, *op.results)):
            return False
        if any(_is_flag(v) and v not in self._packed for v in op.operands):
            return False
        counts = {count_of(v.type) for v in (*op.operands, *op.results)}
        if isinstance(op, ocl.BuiltinOp):
            builtin = BUILTINS[op.function.data]
            plain = not set("Eb") & set(builtin.arguments + builtin.results)
            return plain and builtin.section.startswith(_ELEMENTWISE_SECTIONS) and len(counts) == 1
        if isinstance(op, _NOT_ELEMENTWISE):
            return False
        return op.dialect_name() in ("arith", "math", "vec") and len(counts) == 1

    def _may_select(self, op: scf.IfOp) -> bool:
        if not self.dependence.of(op.cond) or not op.results:
            return False
        if any(self.vector_type(result.type) is None for result in op.results):
            return False
        loads = set(shared_loads(op, self.dependence))
        inside = [inner for region in op.regions for inner in region.block.ops]
        return all(
            inner in loads or isinstance(inner, scf.YieldOp) or is_speculatable(inner)
            for inner in inside
        )

    # Packed values

    def _mark(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.ForOp():
                    self._mark_links(op.body.block.args[1:], op.results)
                    self._mark(op.body.block)
                case scf.WhileOp():
                    self._mark_links(op.before_region.block.args, ())
                    self._mark_links(op.after_region.block.args, op.results)
                    self._mark(op.before_region.block)
                    self._mark(op.after_region.block)
                case scf.IfOp():
                    for region in op.regions:
                        for inner in region.blocks:
                            self._mark(inner)
                    self._packed |= {r for r in op.results if self._may_pack(r)}
                case ocl.LoadOp() | ocl.VLoadOp():
                    if self.is_continuous(op) and op.result not in self._numbers:
                        self._packed.add(op.result)
                case _ if op.results and self.is_elementwise(op) and self._packs_result(op):
                    self._packed.add(op.results[0])
                case _:
                    pass

    def _packs_result(self, op: Operation) -> bool:
        result = op.results[0]
        differing = [v for v in op.operands if self.dependence.of(v)]
        if not self.dependence.of(result) or not differing:
            return False
        if isinstance(result.type, IntegerType) and result.type.width.data == 1:
            return all(value in self._packed for value in differing)
        return self._may_pack(result)

    def _mark_links(self, args: Iterable[SSAValue], results: Iterable[SSAValue]) -> None:
        """Pack the values carried by a loop with its results, or none of them."""
        args, results = list(args), list(results)
        for place, arg in enumerate(args):
            pair = [arg, *results[place : place + 1]]
            if all(map(self._may_pack, pair)):
                self._packed.update(pair)

    def _may_pack(self, value: SSAValue) -> bool:
        if not self.dependence.of(value) or value in self._numbers:
            return False
        return self.vector_type(value.type) is not None and not _is_flag(value)


def _is_flag(value: SSAValue) -> bool:
    """Whether a value is an i1, of which only comparisons of vectors make vectors."""
    element = element_of(value.type)
    return isinstance(element, IntegerType) and element.width.data == 1


def _needed_as_numbers(kernel: ocl.KernelOp, selected: set[Operation]) -> set[SSAValue]:
    """The values from which each work-item computes addresses, branches and bounds.

    Floats are not followed: their lanes are extracted from the vector.
    """
    found: set[SSAValue] = set()
    pending: list[SSAValue] = []
    for op in kernel.body.walk():
        match op:
            case ocl.LoadOp() | ocl.VLoadOp():
                pending += op.operands
            case ocl.StoreOp() | ocl.VStoreOp():
                pending += [v for v in op.operands if v is not op.value]
            case scf.IfOp() if op not in selected:
                pending.append(op.cond)
            case scf.ForOp():
                pending += [op.lb, op.ub, op.step]
            case scf.WhileOp():
                pending.append(condition_of(op).condition)
            case ocl.OffsetOp() | ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp():
                pending += op.operands
            case _:
                pass
    while pending:
        value = pending.pop()
        if value in found or isinstance(element_of(value.type), AnyFloat):
            continue
        found.add(value)
        pending += _sources(value)
    return found


def _sources(value: SSAValue) -> list[SSAValue]:
    """The values from which a value is computed, except through memory."""
    owner = value.owner
    if isinstance(owner, Block):
        loop, place = owner.parent_op(), list(owner.args).index(value)  # pyright: ignore
        match loop:
            case scf.ForOp() if place > 0:
                return [loop.iter_args[place - 1], terminator(owner).operands[place - 1]]
            case scf.WhileOp() if owner is loop.before_region.block:
                last = terminator(loop.after_region.block)
                return [loop.arguments[place], last.operands[place]]
            case scf.WhileOp():
                return [condition_of(loop).args[place]]
            case _:
                return []
    place = list(owner.results).index(value)  # pyright: ignore
    match owner:
        case scf.IfOp():
            return [terminator(region.block).operands[place] for region in owner.regions]
        case scf.ForOp():
            return [owner.body.block.args[place + 1], owner.iter_args[place]]
        case scf.WhileOp():
            return [condition_of(owner).args[place]]
        case _ if isinstance(owner, ACCESSES) or owner.regions:
            return []
        case _:
            return list(owner.operands)
