"""The values of variables at the start of each block of a graph.

A variable that is live at the start of a block has the value of one dominating block, or is an
argument of the block where several values meet.
"""

from __future__ import annotations

from typing import TypeAlias

from polycl.frontends.opencl_c.effects import assigned, assigned_in, in_order, used
from polycl.frontends.opencl_c.jumps import SimpleBlock
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.tree import Variable

START = SimpleBlock(("", 0, 0))
"""The source of the variables before the first block, which are parameters."""

_Sources: TypeAlias = dict[Variable, SimpleBlock]


class Joins:
    """The `arguments` and `sources` of each block.

    The source of a variable is the dominating block at whose end it has the value.
    """

    def __init__(self, blocks: list[SimpleBlock]):
        self._live = live_at_start(blocks)
        self._assigned = {
            block: assigned(block.statements) | assigned_in(block.expressions()) for block in blocks
        }
        self._before: dict[SimpleBlock, list[SimpleBlock]] = {block: [] for block in blocks}
        for block in blocks:
            for target in block.targets():
                self._before[target].append(block)
        self._before[blocks[0]].insert(0, START)
        self.sources: dict[SimpleBlock, _Sources] = {block: {} for block in blocks}
        self._joined: dict[SimpleBlock, set[Variable]] = {block: set() for block in blocks}
        while any([self._visit(block) for block in blocks]):
            pass
        self.arguments = {block: in_order(self._joined[block]) for block in blocks}

    def _visit(self, block: SimpleBlock) -> bool:
        """Update a block from its predecessors; returns whether it has changed."""
        changed = False
        for variable in in_order(self._live[block] - self._joined[block]):
            found = [self._at_end(source, variable) for source in self._before[block]]
            found = list(dict.fromkeys(source for source in found if source is not None))
            if len(found) > 1:
                self._joined[block].add(variable)
                self.sources[block].pop(variable, None)
                changed = True
            elif found and self.sources[block].get(variable) is not found[0]:
                self.sources[block][variable] = found[0]
                changed = True
        return changed

    def _at_end(self, block: SimpleBlock, variable: Variable) -> SimpleBlock | None:
        """The block whose value the variable has at the end of `block`; None: yet unknown."""
        if block is START or variable in self._assigned[block] | self._joined[block]:
            return block
        return self.sources[block].get(variable)


def live_at_start(blocks: list[SimpleBlock]) -> dict[SimpleBlock, set[Variable]]:
    """The variables that are live at the start of each block."""
    live: dict[SimpleBlock, set[Variable]] = {block: set() for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            after = {variable for target in block.targets() for variable in live[target]}
            after = after.union(*map(used, block.expressions()))
            before = Liveness().before(block.statements, after)
            changed |= before != live[block]
            live[block] = before
    return live
