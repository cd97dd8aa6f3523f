"""A tile of work-items, and what it costs: what the estimates of `profit.py` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from xdsl.dialects import func, scf
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.lowering.wg.wg_vectorize.accesses import Access, access_stride
from polycl.lowering.wg.wg_vectorize.cycles import Cycles
from polycl.lowering.wg.wg_vectorize.loop_vectors import vectorizes_alone

LOOP_WEIGHT = 8
"""How often a loop's body is taken to run, where it is not known."""


@dataclass
class Costs:
    """Cycles for a tile."""

    vector: float = 0
    scalar: float = 0

    def add(self, other: Costs, vector: float, scalar: float) -> None:
        self.vector += other.vector * vector
        self.scalar += other.scalar * scalar


@dataclass(frozen=True)
class Tile:
    """As many neighbours along a dimension as a vector has lanes, and what is known where they are:
    in a loop, or a branch."""

    facts: Uniformity
    dimension: int
    lanes: int
    strides: Mapping[Operation, int]
    cycles: Cycles
    loop: LoopStrides | None = None
    """What is known of the innermost loop with a counter."""
    iterations: int = 1
    """How often that loop's body runs."""
    is_row: bool = False
    """Whether LLVM makes vectors of that loop where one work-item runs it."""
    masks: bool = True
    """Whether the processor has AVX-512."""
    tables: bool = True
    """Whether it looks elements of small tables up in registers."""
    is_masked: bool = False
    """Whether the operations are those of a branch that some lanes may not take."""
    skips: bool = False
    """Whether no work-item does what a branch on data has it do or leave."""
    calls: dict[func.FuncOp, Costs] = field(default_factory=dict[func.FuncOp, Costs])
    """What a call of each function costs."""

    def inside(self, op: Operation) -> Tile:
        """The same for the operations in a loop or a branch."""
        match op:
            case scf.ForOp():
                loop = LoopStrides(op)
                count = max(1, trip_count(op) or LOOP_WEIGHT)
                return replace(self, loop=loop, iterations=count, is_row=vectorizes_alone(op, loop))
            case scf.IfOp() if self.stride_of(op.cond) != 0:
                return replace(self, is_masked=True)
            case _:
                return self

    def stride_of_access(self, op: Access) -> int | None:
        known = self.strides.get(op)
        return access_stride(self.facts, op, self.dimension) if known is None else known

    def is_uniform(self, value: SSAValue) -> bool:
        return self.stride_of(value) == 0

    def stride_of(self, value: SSAValue) -> Stride:
        return self.facts.lanes(value).strides[self.dimension]
