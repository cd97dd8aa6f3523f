"""The order in which the values of a block are placed, and which are placed together.

Values with an effect (stores, copies for the following blocks, the jump) are placed in program
order, each after the values that it needs and that are not placed together with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    ENTRY,
    GUARD,
    JUMP,
    SELECT,
    Graph,
    Value,
)


def drop_dead(graph: Graph) -> None:
    """Removes values that nothing needs."""
    needed: set[Value] = set()
    work = [v for v in graph.values if v.is_store or v.operation in (COPY, JUMP)]
    while work:
        value = work.pop()
        if value not in needed:
            needed.add(value)
            work += [o for o in value.operands if isinstance(o, Value)]
    graph.values = [v for v in graph.values if v in needed]
    for value in (*graph.values, *graph.entries.values()):
        value.users = [u for u in value.users if u in needed]
    graph.entries = {r: v for r, v in graph.entries.items() if v.users or v.live_out}


def choose_roots(graph: Graph, tree: int) -> None:
    """Marks the values that are placed on their own, so that trees have at most `tree` values."""
    sizes: dict[Value, int] = {}
    for value in graph.values:
        value.root = (
            len(value.users) != 1
            or value.guards
            or value.is_store
            or value.operation in (COPY, JUMP, SELECT, GUARD)
        )
        children = [o for o in value.operands if isinstance(o, Value) and o.operation != ENTRY]
        children = sorted((c for c in children if not c.root), key=lambda c: sizes[c])
        while sum(sizes[c] for c in children) >= tree:
            children.pop().root = True
        sizes[value] = 1 + sum(sizes[c] for c in children)


def placement_order(graph: Graph, tree: int, in_program_order: bool = False) -> list[Value]:
    """The roots that `choose_roots` marks, and further ones, in the order of placement.

    The operands of a store or copy come just before it, or else all roots are `in_program_order`
    and the copies follow.
    """
    choose_roots(graph, tree)
    visited: dict[Value, None] = {}
    for value in graph.values:
        if value.is_store:
            _visit(value, visited)
    copies = [v for v in graph.values if v.operation == COPY]
    while copies:
        # The register of a copy is free when all readers of its old content are placed.
        ready = next((c for c in copies if not _blocked(c, graph, visited)), None)
        if ready is None:
            # The condition of the jump may read an old content.
            condition = graph.jump.guard if graph.jump is not None else None
            if not isinstance(condition, Value) or _is_placed(condition, visited):
                break
            _visit(root_of(condition), visited)
            continue
        copies.remove(ready)
        _visit(ready, visited)
    for copy in copies:
        (source,) = copy.inputs
        if isinstance(source, Value) and source.operation == ENTRY:
            # Registers that are swapped: one value passes through a unit.
            source.users.remove(copy)
            source = Value(copy.index, "ior", (source, 0), source=copy.source, users=[copy])
            source.inputs[0].users.append(source)  # pyright: ignore
            graph.values.insert(graph.values.index(copy), source)
            copy.inputs = (source,)
        if isinstance(source, Value):
            source.root = True
            _visit(source, visited)
    for copy in copies:
        _visit(copy, visited)
    if graph.jump is not None:
        _visit(graph.jump, visited)
    if not in_program_order:
        return list(visited)
    ends = [root for root in visited if root.operation in (COPY, JUMP)]
    others = [root for root in visited if root.operation not in (COPY, JUMP)]
    return [*sorted(others, key=lambda root: root.index), *ends]


def _blocked(copy: Value, graph: Graph, visited: dict[Value, None]) -> bool:
    """Whether a reader of the old content of a copy's register is not placed yet."""
    assert copy.target is not None
    old = graph.entries.get(copy.target)
    if old is None:
        return False
    cone: set[Value] = set()
    work = [copy]
    while work:
        value = work.pop()
        if value not in cone and not _is_placed(value, visited):
            cone.add(value)
            work += [o for o in value.operands if isinstance(o, Value)]
    return any(u not in cone and not _is_placed(u, visited) for u in old.users)


def _is_placed(value: Value, visited: dict[Value, None]) -> bool:
    return value.operation == ENTRY or root_of(value) in visited


def root_of(value: Value) -> Value:
    """The root that a value is placed together with."""
    while not value.root:
        value = value.users[0]
    return value


def _visit(root: Value, visited: dict[Value, None]) -> None:
    """Appends a root to `visited`, after all roots that it needs."""
    stack = [root]
    while stack:
        value = stack[-1]
        if value in visited:
            stack.pop()
            continue
        missing = [need for need in _needs(value) if need not in visited]
        for need in missing:
            need.reader = value
        if missing:
            stack += reversed(missing)
        else:
            visited[value] = None
            stack.pop()


def _needs(root: Value) -> list[Value]:
    """The roots that must be placed before a root: its tree reads them or is ordered after them."""
    found: list[Value] = []
    work = [root]
    while work:
        value = work.pop()
        for operand in value.operands:
            if isinstance(operand, Value) and operand.operation != ENTRY:
                (found if operand.root else work).append(operand)
        for other, _ in value.after:
            other_root = root_of(other)
            if other_root is root:
                continue
            if other_root.index >= root.index:
                # The tree of the access comes later, but the access must come before this one.
                other.root = True
                other_root = other
            found.append(other_root)
    return found


def needed(values: Iterable[Value]) -> set[Value]:
    """The values, and all that must be placed before them."""
    found: set[Value] = set()
    work = list(values)
    while work:
        value = work.pop()
        if value not in found:
            found.add(value)
            work += [o for o in value.operands if isinstance(o, Value)]
            work += [other for other, _ in value.after]
    return found
