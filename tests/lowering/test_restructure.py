"""Random graphs, walked with the same decisions as the tree that is made of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polycl.lowering.ocl.lift_cf_to_scf.region_tree import (
    Branch,
    Choice,
    Item,
    Items,
    Leaf,
    Loop,
    Pass,
    Set,
)
from polycl.lowering.ocl.lift_cf_to_scf.restructure import restructure

Graph = list[list[int]]
STEPS = 200


def graphs(nodes: int) -> st.SearchStrategy[Graph]:
    """Graphs of up to `nodes` nodes with up to three edges out of each."""
    return st.integers(1, nodes).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
    )


def decide(seed: int, node: int, visit: int, ways: int) -> int:
    """The way that control takes out of a node when it is there for the `visit`-th time."""
    return (seed * 2654435761 + node * 40503 + visit * 69069 + 12345 >> 7) % ways


class _Stop(Exception):
    """Enough was seen."""


class _Walk:
    def __init__(self, graph: Graph, seed: int):
        self.graph, self.seed = graph, seed
        self.trace: list[str] = []
        self.visits: Counter[int] = Counter()
        self.way: dict[int, int] = {}
        self.choices: dict[Choice, int] = {}

    def visit(self, node: int) -> None:
        if len(self.trace) >= STEPS:
            raise _Stop
        self.visits[node] += 1
        ways = max(len(self.graph[node]), 1)
        self.way[node] = decide(self.seed, node, self.visits[node], ways)
        self.trace.append(str(node))

    def walk_graph(self) -> list[str]:
        node: int | None = 0
        try:
            while node is not None:
                self.visit(node)
                self.trace.append(f"{node}:{self.way[node]}")
                node = self.graph[node][self.way[node]] if self.graph[node] else None
        except _Stop:
            pass
        return self.trace[:STEPS]

    def walk_tree(self, tree: Items) -> list[str]:
        try:
            self._sequence(tree)
        except _Stop:
            pass
        return self.trace[:STEPS]

    def _sequence(self, items: Items) -> None:
        for item in items:
            self._item(item)

    def _way(self, decider: int | Choice) -> int:
        return self.choices[decider] if isinstance(decider, Choice) else self.way[decider]

    def _item(self, item: Item) -> None:
        match item:
            case Leaf(node):
                self.visit(node)
            case Pass(node, slot):
                assert self.way[node] == slot
                self.trace.append(f"{node}:{slot}")
            case Set(choice, value):
                assert value < choice.arms
                self.choices[choice] = value
            case Branch(decider, arms):
                self._sequence(arms[self._way(decider)])
            case Loop():
                self._sequence(item.before)
                while self._way(item.decider) == item.stays:
                    self._sequence(item.after)
                    self._sequence(item.before)


def items_of(items: Items) -> list[Item]:
    found: list[Item] = []
    for item in items:
        found.append(item)
        if isinstance(item, Branch):
            found += [inner for arm in item.arms for inner in items_of(arm)]
        if isinstance(item, Loop):
            found += items_of(item.before) + items_of(item.after)
    return found


def check(graph: Graph, seed: int) -> None:
    tree = restructure(graph)
    assert _Walk(graph, seed).walk_graph() == _Walk(graph, seed).walk_tree(tree)
    items = items_of(tree)
    leaves = Counter(item.node for item in items if isinstance(item, Leaf))
    assert set(leaves.values()) <= {1}, "a node stands at two places"
    choices = {item.choice for item in items if isinstance(item, Set)}
    assert len(choices) <= 3 * len(graph)


@settings(max_examples=400, deadline=None)
@given(graphs(9), st.integers(0, 1000))
def test_random_graphs(graph: Graph, seed: int) -> None:
    check(graph, seed)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@settings(max_examples=10000, deadline=None)
@given(graphs(14), st.integers(0, 1000))
def test_many_random_graphs(graph: Graph, seed: int) -> None:
    check(graph, seed)


STRUCTURED: dict[str, Graph] = {
    "straight": [[1], []],
    "if": [[1, 2], [2], []],
    "if else": [[1, 2], [3], [3], []],
    "early return": [[1, 2], [], [3], []],
    "switch": [[1, 2, 3, 4], [4], [4], [4], []],
    "while": [[1], [2, 3], [1], []],
    "do while": [[1], [1, 2], []],
    "nested loops": [[1], [2, 6], [3], [4, 5], [3], [1], []],
    "loop with an if": [[1], [2, 5], [3, 4], [4], [1], []],
    "test in the middle": [[1], [2], [3, 4], [1], []],
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_structured_graphs_need_no_choice(name: str) -> None:
    items = items_of(restructure(STRUCTURED[name]))
    assert not [item for item in items if isinstance(item, Set)]


def test_a_loop_of_two_entries_chooses_where_to_enter_it() -> None:
    items = items_of(restructure([[1, 2], [2], [1, 3], []]))
    assert {item.choice.name for item in items if isinstance(item, Set)} == {"enter"}


def test_many_jumps_to_one_place_stay_linear() -> None:
    """`if (a) goto out;` sixty times, and each block can also go on to the next but one."""
    n = 60
    graph = [[i + 1, min(i + 2, n), n] for i in range(n)] + [[]]
    items = items_of(restructure(graph))
    assert len(items) < 12 * n
