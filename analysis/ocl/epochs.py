"""Which operations of a kernel work-items may execute between the same two barriers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.ir import Block, Operation

from polycl.dialects import ocl

Live: TypeAlias = frozenset[Operation]
"""Operations since the last barrier, on any path."""


class Epochs:
    """Pairs of operations of a structured kernel that no barrier separates.

    `at` chooses the operations, `orders` the barriers that count.
    """

    def __init__(
        self,
        kernel: ocl.KernelLike,
        at: Callable[[Operation], bool],
        orders: Callable[[ocl.BarrierOp], bool],
    ):
        self._at = at
        self._orders = orders
        self.together: set[tuple[Operation, Operation]] = set()
        """Each pair in the order in which one work-item may execute it, and each operation with
        itself."""
        self.over_iterations: set[tuple[Operation, Operation]] = set()
        """Those of them that may be of different iterations of a loop."""
        self._carried: Live = frozenset()
        self._block(kernel.body.block, frozenset())

    def _block(self, block: Block, live: Live) -> Live:
        for op in block.ops:
            live = self._operation(op, live)
        return live

    def _operation(self, op: Operation, live: Live) -> Live:
        match op:
            case ocl.BarrierOp():
                return frozenset() if self._orders(op) else live
            case scf.ForOp():
                return live | self._loop([op.body.block], live)
            case scf.WhileOp():
                return self._loop([op.before_region.block, op.after_region.block], live)
            case _ if op.regions:
                sides = [self._block(block, live) for r in op.regions for block in r.blocks]
                one_side = isinstance(op, scf.IfOp) and not op.false_region.blocks
                return live.union(*sides) if one_side else frozenset[Operation]().union(*sides)
            case _:
                if not self._at(op):
                    return live
                for other in (*live, op):
                    self.together.add((other, op))
                    if other in self._carried:
                        self.over_iterations.add((other, op))
                return live | {op}

    def _loop(self, blocks: list[Block], live: Live) -> Live:
        outer = self._carried
        left: Live = frozenset()
        before: Live | None = None
        while before != live:
            before = live
            now = live
            for number, block in enumerate(blocks):
                now = self._block(block, now)
                if number == 0:
                    # A loop that tests first ends here.
                    left = left | now
            self._carried = outer | now
            live = live | now
        self._carried = outer
        return left | live
