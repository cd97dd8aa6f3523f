"""Orders outer products (all pairs of two groups of values, as in a matrix product) by tiles.

With U units, U values of one group stay in operand ports of the units, while the values of the
other group follow each other, each moved to all units at once. So U products take one register
read instead of U.
"""

from __future__ import annotations

from polycl.dialects.tta import Machine
from polycl.lowering.tta.tta_schedule.block_graph import COPY, ENTRY, Graph, Operand, Value


def order_outer_products(graph: Graph, machine: Machine) -> list[Value]:
    """Sorts the stores and copies of an outer product in the program order of a block.

    A sum of several products takes as many units at once. Each product of a row has a unit of its
    own, which keeps the operand of the row, and so has each sum. Returns the products.
    """
    found: dict[Value, list[Value]] = {}
    for value in graph.values:
        if value.is_store or value.operation == COPY:
            products = _products(value)
            if products:
                found[value] = products
    kinds = {(len(ps), p.operation) for ps in found.values() for p in ps}
    if len(kinds) != 1:
        return []
    ((count, operation),) = kinds
    width = len(machine.units_with(operation)) // count
    sides = {root: _sides(products) for root, products in found.items()}
    columns, rows = (
        {v: i for i, v in enumerate(dict.fromkeys(side[at] for side in sides.values()))}
        for at in (0, 1)
    )
    if width < 2 or min(len(rows), len(columns)) < 2 or len(found) <= width:
        return []

    def place(root: Value) -> tuple[int, int, int]:
        column, row = (side[v] for side, v in zip((columns, rows), sides[root], strict=True))
        return row // width, column, row % width

    last = max(i for i, value in enumerate(graph.values) if value in found)
    following = len(graph.values) - last - 1
    graph.values = [v for v in graph.values if v not in found]
    at = len(graph.values) - following
    graph.values[at:at] = sorted(found, key=place)
    for root, products in found.items():
        for number, product in enumerate(sorted(products, key=lambda p: p.index)):
            _choose_unit(product, number * width + place(root)[2], root, machine)
    return [product for products in found.values() for product in products]


def _choose_unit(product: Value, number: int, root: Value, machine: Machine) -> None:
    """Has a product, and the sum that reads it, executed by the units of that number."""
    product.unit = number
    (user,) = product.users
    if user is not root and number < len(machine.units_with(user.operation)):
        user.unit = number


_Side = tuple[Operand, ...]


def _sides(products: list[Value]) -> tuple[_Side, _Side]:
    """The operands of products: those that come first, and those that come second."""
    first, second = zip(*(product.inputs for product in products), strict=True)
    return first, second


def _products(root: Value) -> list[Value]:
    """The operations, among those that only `root` needs, whose two inputs are shared."""
    found: list[Value] = []
    work = [root]
    while work:
        value = work.pop()
        # A store has an address and a value, but makes nothing of them.
        if value is not root and len(value.inputs) == 2 and all(map(_is_shared, value.inputs)):
            found.append(value)
        work += [v for v in value.inputs if isinstance(v, Value) and len(v.users) == 1]
    return found


def _is_shared(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.operation != ENTRY and len(operand.users) > 1
