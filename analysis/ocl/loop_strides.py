"""By how much values in a loop grow from one iteration to the next."""

from __future__ import annotations

from xdsl.dialects import scf, vector
from xdsl.ir import SSAValue

from polycl.analysis.ocl.lane_stride import ALL_VARYING, UNIFORM, Lanes, local_id
from polycl.analysis.ocl.uniformity import Uniformity, constant_value


class LoopStrides(Uniformity):
    """The strides of the values of one work-item along a loop, as if its iterations were the
    work-items along x.

    An estimate, for costs: what the loop reads at one place counts as the same in each iteration,
    though the loop may write there, and buffers as small (`Uniformity`).
    """

    def __init__(self, loop: scf.ForOp, *, small_buffers: bool = True):
        self._home = loop
        super().__init__(None, small_buffers=small_buffers)
        self.facts[loop.body.block.args[0]] = local_id(0).scaled(constant_value(loop.step))
        self.visit_block(loop.body.block)

    def lanes(self, value: SSAValue) -> Lanes:
        owner = value.owner
        fact = self.facts.get(value)
        if fact is None and not self._home.is_ancestor(owner):
            return UNIFORM
        # The lanes of one work-item's vector go on together.
        if isinstance(owner, vector.BroadcastOp):
            return self.lanes(owner.source)
        return ALL_VARYING if fact is None else fact

    def of(self, value: SSAValue) -> Lanes:
        return self.lanes(value)
