"""Any control-flow graph -> a tree of sequences, branches and loops.

After H. Bahmann, N. Reissmann, M. Jahre, J. C. Meyer, "Perfect Reconstructability of Control Flow
from Demand Dependence Graphs", ACM TACO 11(4), 2015, section 4:

- each cycle gets one entry (a choice selects the node to enter), one test that repeats it and one
  exit (a choice selects its target), and becomes a loop, whose body is restructured, too;
- the rest has no cycles: each branch keeps the nodes that only one of its arms reaches; if the arms
  meet at more than one node, a choice selects the next one.

No node is duplicated, and the number of choices is linear in that of the nodes. A loop with one
test and one exit, and branches that meet at one node, need no choice: structured programs stay as
they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polycl.graphs import cycles, topological_order
from polycl.lowering.ocl.lift_cf_to_scf import region_tree as tree


def restructure(successors: Sequence[Sequence[int]]) -> tree.Items:
    """The tree of a graph; `successors[node]` are the targets of a node's edges, in order.

    Control starts at node 0 and ends at a node without successors; the tree then has a `Pass` of
    slot 0 of that node.
    """
    return _Restructurer(successors).run()


@dataclass(frozen=True)
class Arrow:
    """An edge and its actions."""

    target: int
    actions: tuple[tree.Action, ...] = ()

    def to(self, target: int, *actions: tree.Action) -> Arrow:
        """The same edge to another node, with more actions."""
        return Arrow(target, (*self.actions, *actions))


class _Restructurer:
    def __init__(self, successors: Sequence[Sequence[int]]):
        count = len(successors)
        self._end = count
        self._next_node = count + 1
        self._choices = 0
        self._arrows: dict[int, list[Arrow]] = {}
        self._content: dict[int, tree.Item | tree.Choice | None] = {}
        for node in topological_order([0], lambda n: successors[n]):
            targets = successors[node] or [self._end]
            self._arrows[node] = [Arrow(t, (tree.Pass(node, i),)) for i, t in enumerate(targets)]
            self._content[node] = tree.Leaf(node)

    def run(self) -> tree.Items:
        nodes = set(self._content)
        start = self._node(None, [Arrow(0)])
        nodes.add(start)
        self._collapse(nodes, self._end)
        return self._sequence(start, self._end)

    def _node(self, content: tree.Item | tree.Choice | None, arrows: list[Arrow]) -> int:
        node = self._next_node
        self._next_node += 1
        self._content[node] = content
        self._arrows[node] = arrows
        return node

    def _choice(self, name: str, arms: int, origin: int) -> tree.Choice:
        self._choices += 1
        content = self._content.get(origin)
        return tree.Choice(self._choices, arms, name, _origin(content))

    def _targets(self, node: int) -> list[int]:
        return [arrow.target for arrow in self._arrows[node]]

    def _redirect(self, nodes: set[int], old: int, new: int, *actions: tree.Action) -> None:
        for node in nodes:
            self._arrows[node] = [
                arrow.to(new, *actions) if arrow.target == old else arrow
                for arrow in self._arrows[node]
            ]

    # Loops

    def _collapse(self, nodes: set[int], end: int) -> None:
        """Replace each cycle among `nodes` by one node; an infinite one gets an edge to `end`."""
        for component in cycles(nodes, self._targets):
            self._loop(set(component), nodes, end)

    def _loop(self, inside: set[int], nodes: set[int], end: int) -> None:
        header = self._single_entry(inside, nodes)
        test = self._natural_test(inside, header)
        if test is None:
            test = self._single_test(inside, header, nodes, end)
        again = self._next_node
        self._next_node += 1
        self._redirect(inside, header, again)
        self._collapse(inside, end)
        stays = 0 if self._targets(test)[0] in inside | {again} else 1
        stay, leave = self._arrows[test][stays], self._arrows[test][1 - stays]
        before = self._sequence(header, test) + self._items(test)
        after = [*stay.actions, *self._sequence(stay.target, again)]
        loop = self._node(tree.Loop(before, self._decider(test), stays, after), [leave])
        nodes -= inside
        self._redirect(nodes, header, loop)
        nodes.add(loop)

    def _single_entry(self, inside: set[int], nodes: set[int]) -> int:
        """The node at which the cycle is entered; several entries get a common predecessor."""
        entered = {t for node in nodes - inside for t in self._targets(node) if t in inside}
        entries = sorted(entered)
        if len(entries) == 1:
            return entries[0]
        # Of the edges inside, only those to one entry start a new iteration. The others stay;
        # a remaining cycle is an inner loop.
        start = next((e for e in entries if not self._is_cyclic(inside, e)), entries[0])
        choice = self._choice("enter", len(entries), start)
        header = self._node(choice, [Arrow(entry) for entry in entries])
        for number, entry in enumerate(entries):
            sources = nodes if entry == start else nodes - inside
            self._redirect(sources, entry, header, tree.Set(choice, number))
        inside.add(header)
        nodes.add(header)
        return header

    def _is_cyclic(self, nodes: set[int], without: int) -> bool:
        """Whether there are cycles among `nodes` without one of them."""
        return bool(cycles(nodes - {without}, self._targets))

    def _natural_test(self, inside: set[int], header: int) -> int | None:
        """The node that each iteration passes once and that has the only exit, if there is one."""
        leaving = [node for node in sorted(inside) for t in self._targets(node) if t not in inside]
        if len(leaving) != 1 or len(self._arrows[leaving[0]]) != 2:
            return None
        [test] = leaving

        def inner(node: int) -> list[int]:
            return [t for t in self._targets(node) if t in inside and t != header]

        def around(node: int) -> list[int]:
            return [] if node == test else inner(node)

        unseen = set(topological_order([header], around)) - {test}
        if any(header in self._targets(node) for node in unseen):
            return None
        if test in topological_order(inner(test), inner):
            return None
        return test

    def _single_test(self, inside: set[int], header: int, nodes: set[int], end: int) -> int:
        """A node at the end of every iteration, which repeats the loop or leaves it."""
        targets: list[int] = []
        for node in sorted(inside):
            targets += [t for t in self._targets(node) if t not in inside and t not in targets]
        repeat = self._choice("repeat", 2, header)
        test = self._node(repeat, [])
        exit_choice: tree.Choice | None = None
        following = targets[0] if targets else end
        if len(targets) > 1:
            exit_choice = self._choice("exit", len(targets), header)
            following = self._node(exit_choice, [Arrow(target) for target in targets])
            nodes.add(following)
        self._redirect(inside, header, test, tree.Set(repeat, 0))
        for number, target in enumerate(targets):
            where = () if exit_choice is None else (tree.Set(exit_choice, number),)
            self._redirect(inside, target, test, tree.Set(repeat, 1), *where)
        self._arrows[test] = [Arrow(header), Arrow(following)]
        inside.add(test)
        nodes.add(test)
        return test

    # Branches

    def _sequence(self, node: int, stop: int) -> tree.Items:
        """The items from `node` until control reaches `stop`; there are no cycles."""
        out: tree.Items = []
        while node != stop:
            out += self._items(node)
            if len(self._arrows[node]) == 1:
                [arrow] = self._arrows[node]
                out += arrow.actions
                node = arrow.target
                continue
            meeting = self._meeting(node, stop)
            arms = [
                [*arrow.actions, *self._sequence(arrow.target, meeting)]
                for arrow in self._arrows[node]
            ]
            out.append(tree.Branch(self._decider(node), arms))
            node = meeting
        return out

    def _meeting(self, branch: int, stop: int) -> int:
        """The node at which the arms of a branch meet; several get a common predecessor."""

        def targets(node: int) -> list[int]:
            return [t for t in self._targets(node) if t != stop]

        order = topological_order(targets(branch), targets)
        reached_from: dict[int, list[int]] = {node: [] for node in [*order, stop]}
        for arm, target in enumerate(self._targets(branch)):
            reached_from[target].append(arm)
        shared = -1
        arm_of: dict[int, int] = {stop: shared}
        for node in order:
            arms = reached_from[node]
            arm_of[node] = arms[0] if len(set(arms)) == 1 else shared
            for target in self._targets(node):
                reached_from[target].append(arm_of[node])
        own = {branch, *(node for node in order if arm_of[node] != shared)}
        found = {t for node in own for t in self._targets(node) if arm_of[t] == shared}
        meetings = [node for node in [*order, stop] if node in found]
        if len(meetings) == 1:
            return meetings[0]
        choice = self._choice("next", len(meetings), branch)
        meeting = self._node(choice, [Arrow(node) for node in meetings])
        for number, node in enumerate(meetings):
            self._redirect(own, node, meeting, tree.Set(choice, number))
        return meeting

    # Tree

    def _items(self, node: int) -> tree.Items:
        content = self._content[node]
        return [] if content is None or isinstance(content, tree.Choice) else [content]

    def _decider(self, node: int) -> int | tree.Choice:
        content = self._content[node]
        assert isinstance(content, tree.Leaf | tree.Choice)
        return content if isinstance(content, tree.Choice) else content.node


def _origin(content: tree.Item | tree.Choice | None) -> int:
    match content:
        case tree.Leaf(node):
            return node
        case tree.Choice():
            return content.origin
        case tree.Loop(decider=decider):
            return decider if isinstance(decider, int) else decider.origin
        case _:
            return 0
