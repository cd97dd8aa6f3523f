"""Products of all pairs of two groups of values, as in a matrix product: in which order.

With U units, U values of one group wait in the units' ports while those of the other group come by
one after the other, each for all units at once. That takes one read of a register for U products
instead of one each.
"""

from __future__ import annotations

from polycl.dialects.tta import Machine
from polycl.lowering.tta.tta_schedule.block_graph import COPY, ENTRY, Graph, Operand, Value


def order_by_tiles(graph: Graph, machine: Machine) -> None:
    """Moves the stores and copies of such products in the program order of a block."""
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
    behind = len(graph.values) - last - 1
    graph.values = [v for v in graph.values if v not in found]
    at = len(graph.values) - behind
    graph.values[at:at] = sorted(found, key=place)


def _product(root: Value) -> Value | None:
    """The one operation of two values with several readers in what only `root` needs."""
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
