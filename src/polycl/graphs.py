"""Directed graphs: what is reachable, cycles, orders. All results are in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

Node = TypeVar("Node")
Successors: TypeAlias = Callable[[int], Iterable[int]]


def topological_order(
    starts: Iterable[Node], successors: Callable[[Node], Iterable[Node]]
) -> list[Node]:
    """All nodes that `starts` reach, themselves included; before their successors where acyclic."""
    done: set[Node] = set()
    postorder: list[Node] = []
    for start in reversed(list(starts)):
        if start in done:
            continue
        done.add(start)
        stack = [(start, iter(list(successors(start))[::-1]))]
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in done), None)
            if following is None:
                postorder.append(node)
                stack.pop()
            else:
                done.add(following)
                stack.append((following, iter(list(successors(following))[::-1])))
    return postorder[::-1]


def cycles(nodes: Iterable[int], successors: Successors) -> list[list[int]]:
    """The strongly connected components that contain a cycle (Kosaraju's algorithm)."""
    inside = set(nodes)
    order = topological_order(sorted(inside), lambda n: [s for s in successors(n) if s in inside])
    predecessors: dict[int, list[int]] = {node: [] for node in order}
    for node in order:
        for successor in successors(node):
            if successor in inside:
                predecessors[successor].append(node)
    found: list[list[int]] = []
    left = set(order)
    for node in order:
        if node not in left:
            continue
        component = topological_order([node], lambda n: [p for p in predecessors[n] if p in left])
        left -= set(component)
        if len(component) > 1 or node in predecessors[node]:
            found.append(sorted(component))
    return found
