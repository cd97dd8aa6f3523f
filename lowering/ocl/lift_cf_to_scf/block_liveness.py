"""The variables that a tree assigns, and those that are live at each of its items.

At the start of a block these are the live variables of the graph. No choice is live there: the
choice of an edge is read before control reaches the next block.
"""

from __future__ import annotations

from typing import TypeAlias

from polycl.lowering.ocl.lift_cf_to_scf import region_tree as tree
from polycl.lowering.ocl.lift_cf_to_scf.block_program import BlockProgram, Variable

Live: TypeAlias = frozenset[Variable]


class Liveness:
    """Facts about a tree, by items; backwards, with a fixed point for each loop."""

    def __init__(self, program: BlockProgram, items: tree.Items, live: Live):
        self._program = program
        self._at_block = _before_blocks(program)
        self.after: dict[tree.Item, Live] = {}
        """The variables that are live after a branch or loop."""
        self.at_head: dict[tree.Loop, Live] = {}
        """The variables that are live at the start of each iteration of a loop."""
        self.at_test: dict[tree.Loop, Live] = {}
        """The variables that are live after the test of a loop, on one of its two edges."""
        self._assigned: dict[tree.Item, Live] = {}
        self._choices = frozenset(v for v in self.assigned(items) if isinstance(v, tree.Choice))
        self._before(items, live)

    def _before(self, items: tree.Items, live: Live) -> Live:
        for item in reversed(items):
            live = self._before_item(item, live)
        return live

    def _before_item(self, item: tree.Item, live: Live) -> Live:
        match item:
            case tree.Leaf(node):
                return self._at_block[node]
            case tree.Pass():
                return _before_edge(self._program, item, live)
            case tree.Set(choice):
                return live - {choice}
            case tree.Branch(decider, arms):
                self.after[item] = live
                before = [self._before(arm, live) for arm in arms]
                return frozenset().union(*before, self._decides(decider))
            case tree.Loop():
                return self._before_loop(item, live)

    def _before_loop(self, loop: tree.Loop, live: Live) -> Live:
        self.after[loop] = live
        head: Live = frozenset()
        while True:
            self.at_head[loop] = head
            at_test = live | self._before(loop.after, head)
            self.at_test[loop] = at_test
            grown = head | self._before(loop.before, at_test | self._decides(loop.decider))
            grown = grown - self._choices | _choice_at_start(loop.before)
            if grown == head:
                return head
            head = grown

    def _decides(self, decider: int | tree.Choice) -> Live:
        variable: Variable = (
            decider if isinstance(decider, tree.Choice) else self._program.condition(decider)
        )
        return frozenset([variable])

    def after_edge(self, edge: tree.Pass) -> Live:
        """The variables that are live at the target of an edge of the source graph."""
        targets = self._program.successors[edge.node]
        return self._at_block[targets[edge.slot]] if targets else frozenset(self._program.results)

    def assigned(self, items: tree.Items) -> Live:
        """The variables that some item assigns."""
        return frozenset().union(*(self._assigned_by(item) for item in items))

    def _assigned_by(self, item: tree.Item) -> Live:
        match item:
            case tree.Leaf(node):
                return frozenset(self._program.defs[node])
            case tree.Pass():
                return frozenset(target for target, _ in self._program.assignments(item))
            case tree.Set(choice):
                return frozenset([choice])
            case tree.Branch() | tree.Loop():
                if item not in self._assigned:
                    parts = (
                        item.arms if isinstance(item, tree.Branch) else [item.before, item.after]
                    )
                    self._assigned[item] = frozenset().union(*map(self.assigned, parts))
                return self._assigned[item]


def _choice_at_start(items: tree.Items) -> Live:
    """The choice at the start of an iteration, which selects the entry of the loop."""
    match items:
        case [tree.Branch(decider=tree.Choice() as choice), *_]:
            return frozenset([choice])
        case [tree.Loop(before=before), *_]:
            return _choice_at_start(before)
        case _:
            return frozenset()


def _before_edge(program: BlockProgram, edge: tree.Pass, live: Live) -> Live:
    pairs = program.assignments(edge)
    needed = {source for target, source in pairs if target in live}
    return (live - {target for target, _ in pairs}) | needed


def _before_blocks(program: BlockProgram) -> list[Live]:
    """The variables that are live at the start of each block."""
    live: list[Live] = [frozenset()] * len(program.blocks)
    ends: Live = frozenset(program.results)
    changed = True
    while changed:
        changed = False
        for node in reversed(range(len(live))):
            successors = program.successors[node]
            after: set[Variable] = set()
            for slot in range(max(len(successors), 1)):
                target = live[successors[slot]] if successors else ends
                after |= _before_edge(program, tree.Pass(node, slot), target)
            if len(successors) > 1:
                after.add(program.condition(node))
            before = frozenset(after - set(program.defs[node])) | frozenset(program.uses[node])
            changed |= before != live[node]
            live[node] = before
    return live
