"""Elements of arrays of buffers and events that are chosen when the program runs.

    d[from]         =>    from == 0 ? d[0] : d[1]
    d[to] = x;      =>    if (to == 0) d[0] = x; else d[1] = x;

So each use names its element, and the array is split (parts.py).
"""

from __future__ import annotations

from polycl.frontends.host.host_types import EVENT, is_buffer
from polycl.frontends.host.rewriting import change_statements, copied, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, has_effects
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt
from polycl.frontends.opencl_c.types import INT, LONG, Kind

_MOST_ELEMENTS = 8


def choose(body: list[Stmt]) -> tuple[list[Stmt], bool]:
    """The statements with such choices, and whether there were any."""
    body, changed = _writes(body)

    def change(expr: Expr) -> Expr:
        nonlocal changed
        if not isinstance(expr, tree.Load) or (places := _elements(expr.place)) is None:
            return expr
        changed = True
        index = _index(expr.place)
        chosen: Expr = tree.Load(expr.location, expr.type, places[-1])
        for number, place in reversed(list(enumerate(places[:-1]))):
            value = tree.Load(expr.location, expr.type, place)
            chosen = tree.Conditional(expr.location, expr.type, _is(index, number), value, chosen)
        return chosen

    change_statements(body, change)
    return body, changed


def _writes(body: list[Stmt]) -> tuple[list[Stmt], bool]:
    out: list[Stmt] = []
    changed = False
    for statement in body:
        for inner in bodies_of(statement):
            inner[:], inside = _writes(inner)
            changed |= inside
        match statement:
            case tree.Evaluate(expr=tree.Assign(place=place, value=value)) if (
                places := _elements(place)
            ) is not None:
                changed = True
                out += _write(statement, place, places, value)
            case _:
                out.append(statement)
    return out, changed


def _write(statement: Stmt, place: Expr, places: list[Expr], value: Expr) -> list[Stmt]:
    """The value goes where the index says; it is computed once, in the branch that is taken."""
    where, index = statement.location, _index(place)
    chosen: list[Stmt] = []
    for number, one in reversed(list(enumerate(places))):
        own = copied(value, lambda v: v)
        assign = tree.Evaluate(where, tree.Assign(where, one.type, one, own))
        chosen = [tree.If(where, _is(index, number), [assign], chosen)] if chosen else [assign]
    return chosen


def _index(place: Expr) -> Expr:
    assert isinstance(place, tree.Index) and place.index is not None
    return place.index


def _is(index: Expr, number: int) -> Expr:
    where = index.location
    value = tree.Cast(where, LONG, copied(index, lambda v: v))
    return tree.Binary(where, INT, "==", value, Const(where, LONG, number))


def _elements(place: Expr) -> list[Expr] | None:
    """All elements of the array of handles that `place` is one of, if it does not say which."""
    if not isinstance(place, tree.Index) or place.index is None:
        return None
    array = without_casts(place.pointer)
    if not isinstance(array, tree.AddressOf) or array.place.type.kind is not Kind.ARRAY:
        return None
    is_followed = is_buffer(place.type) or place.type is EVENT
    count = array.place.type.count
    if not is_followed or count > _MOST_ELEMENTS or isinstance(without_casts(place.index), Const):
        return None
    if has_effects(place.index):
        return None
    where = place.location
    return [
        tree.Index(where, place.type, copied(place.pointer, lambda v: v), Const(where, LONG, n))
        for n in range(count)
    ]
