"""Orders outer products (all pairs of two groups of values, as in a matrix product) by tiles.

With U units, U values of one group stay in operand ports of the units, while the values of the
other group follow each other, each moved to all units at once. So U products take one register
read instead of U.
"""

from __future__ import annotations

from polycl.dialects.tta import Machine
from polycl.lowering.tta.tta_schedule.block_graph import COPY, ENTRY, Graph, Operand, Value


def order_outer_products(graph: Graph, machine: Machine) -> None:
    """Sorts the stores and copies of an outer product in the program order of a block."""
    found: dict[Value, Value] = {}
    for value in graph.values:
        if value.is_store or value.operation == COPY:
            product = _product(value)
            if product is not None:
                found[value] = product
    units = {p.operation: len(machine.units_with(p.operation)) for p in found.values()}
    if len(units) != 1:
        return
    (width,) = units.values()
    rows, columns = (
        {v: i for i, v in enumerate(dict.fromkeys(p.inputs[side] for p in found.values()))}
        for side in (1, 0)
    )
    if width < 2 or min(len(rows), len(columns)) < 2 or len(found) <= width:
        return

    def place(root: Value) -> tuple[int, int, int]:
        column, row = (side[v] for side, v in zip((columns, rows), found[root].inputs, strict=True))
        return row // width, column, row % width

    last = max(i for i, value in enumerate(graph.values) if value in found)
    following = len(graph.values) - last - 1
    graph.values = [v for v in graph.values if v not in found]
    at = len(graph.values) - following
    graph.values[at:at] = sorted(found, key=place)


def _product(root: Value) -> Value | None:
    """The one operation, among those that only `root` needs, whose two inputs are shared."""
    found: list[Value] = []
    work = [root]
    while work:
        value = work.pop()
        if len(value.inputs) == 2 and all(map(_is_shared, value.inputs)):
            found.append(value)
        work += [v for v in value.inputs if isinstance(v, Value) and len(v.users) == 1]
    return found[0] if len(found) == 1 else None


def _is_shared(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.operation != ENTRY and len(operand.users) > 1
