"""Copies to local memory ahead of their use, in a reduction by a group.

What `to_local ahead n` marks is computed n elements early, into one of n + 1 buffers:

    compute 0 to buffer 0, ..., n-1 to buffer n-1
    for each element i:
        wait until element i is there; barrier
        compute i+n to buffer (i+n) mod (n+1)
        the rest of the function, which reads buffer i mod (n+1)

One barrier an element is enough: the buffer that is written is the one that was read before it.
Where tensor cores still compute products of element i-1 when element i is there, the buffer of
element i-2 is written, one of n + 2.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects import arith
from xdsl.ir import Block, Operation

from polycl.analysis.ocl.index_arith import Expr, integer, mod
from polycl.dialects import ocl, pattern
from polycl.dialects.pattern.memory import needs_in_block
from polycl.dialects.pattern.types import array
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.bodies import (
    emit,
    load_scalars,
)
from polycl.lowering.pattern.pattern_to_ocl.destinations import destinations
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kinds import COMPUTING, is_computed_when_read
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import ArrayView, View, buffers_in
from polycl.lowering.pattern.pattern_to_ocl.wide_products import (
    overlaps_products,
    wait_for_products,
)


class CopiesAhead:
    """The copies of one reduction `op`, whose function is generated in one scope."""

    def __init__(
        self,
        gen: KernelGenerator,
        op: pattern.ReduceBase,
        scopes: Sequence[Scope],
        inputs: Sequence[ArrayView],
    ):
        self._gen, self._op = gen, op
        self._marks = [o for o in op.body.block.ops if isinstance(o, pattern.ToLocalOp) and o.ahead]
        self._needed = {
            value.owner
            for mark in self._marks
            for value in needs_in_block(mark)
            if isinstance(value.owner, Operation)
        }
        self.done = _computing(op.body.block, self._needed).union(self._marks)
        """The operations of the function that are computed ahead."""

        if not self._marks:
            return
        counts = {mark.elements_ahead for mark in self._marks}
        if len(counts) != 1 or len(scopes) != 1 or not gen.by_group:
            raise error_at(
                self._marks[0],
                "'ahead' needs a reduction by a group, with the same number of elements for all",
            )
        (self._count,) = counts
        (self._scope,), (self._input,) = scopes, inputs
        self._overlaps = gen.emitter.async_copies and overlaps_products(gen.emitter, op)
        self._stages = self._count + (2 if self._overlaps else 1)
        self._buffers = [self._allocate(mark) for mark in self._marks]

    def _allocate(self, mark: pattern.ToLocalOp) -> ArrayView:
        """Memory for several elements' values."""
        type = array(self._stages, mark.result.type)
        view = self._gen.allocate_local(mark, type, self._scope.sizes)
        for buffer in buffers_in(view, self._gen.emitter):
            buffer.ahead = True
        assert isinstance(view, ArrayView)
        return view

    def start(self) -> None:
        """Before the first element."""
        if not self._marks:
            return
        emitter = self._gen.emitter
        if emitter.block is not emitter.kernel.block:
            # The reduction may have run before, in a loop around it.
            emitter.add(ocl.BarrierOp(local=True))
        for i in range(self._count):
            self._compute_if_there(integer(i), integer(i))

    def step(self, i: Expr, scopes: Sequence[Scope]) -> None:
        """At the start of the function for element `i`, whose scope gets the values."""
        if not self._marks:
            return
        emitter, stages = self._gen.emitter, integer(self._stages)
        if emitter.async_copies:
            emitter.add(ocl.WaitCopiesOp(self._count - 1, for_products=self._overlaps))
        self._gen.overlaps_products = self._overlaps
        emitter.add(ocl.BarrierOp(local=True))
        later = i + self._count
        self._compute_if_there(later, mod(later, stages, emitter.env))
        now = mod(i, stages, emitter.env)
        for mark, buffer in zip(self._marks, self._buffers, strict=True):
            scopes[0].bind(mark.result, buffer.at(emitter, now))

    def finish(self, accumulators: Sequence[View]) -> None:
        """After the last element: its products may still run."""
        if self._marks and self._overlaps:
            self._gen.overlaps_products = False
            for view in accumulators:
                wait_for_products(self._gen.emitter, view)

    def _compute_if_there(self, i: Expr, stage: Expr) -> None:
        emitter = self._gen.emitter
        size = self._input.size
        if i.constant is None or size.constant is None:
            condition = emitter.result(arith.CmpiOp(emitter.index(i), emitter.index(size), "ult"))
            emitter.when(condition, lambda: self._compute(i, stage), shared=True)
        elif i.constant < size.constant:
            self._compute(i, stage)
        if emitter.async_copies:
            emitter.add(ocl.CommitCopiesOp())

    def _compute(self, i: Expr, stage: Expr) -> None:
        gen, block = self._gen, self._op.body.block
        emitter, scope = gen.emitter, Scope(self._scope)
        element = load_scalars(emitter, self._input.at(emitter, i))
        scope.bind_parts(self._op.element_args, element)
        values = [mark.input for mark in self._marks]
        places = [[buffer.at(emitter, stage)] for buffer in self._buffers]
        plan = destinations(block, values, places, [scope], emitter)
        for op in block.ops:
            if op in self._needed:
                emit(gen, op, [scope], plan.places)
        for value, (place,) in plan.copies:
            gen.copy(scope.view(value, emitter), place, value.type, scope.sizes)


def _computing(block: Block, needed: Collection[Operation]) -> set[Operation]:
    """Those of the operations that are no views of the element."""
    found: set[Operation] = set()
    for op in block.ops:
        if op not in needed:
            continue
        computes = isinstance(op, COMPUTING) and not is_computed_when_read(op)
        if computes or any(operand.owner in found for operand in op.operands):
            found.add(op)
    return found
