"""clang's own atomics (`__atomic_fetch_add`, `__c11_atomic_load`, ...) as those of OpenCL C."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.block_expressions import BlockExpressions
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr
from polycl.frontends.opencl_c.types import INT, CType, Kind

_NAME = re.compile(
    r"__(?P<family>atomic|c11_atomic|opencl_atomic|scoped_atomic)_(?P<operation>\w+)"
)
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
_ACQUIRE_FROM = {1: 2}
"""`consume` is `acquire`; the other numbers of clang's orders are those of OpenCL C."""


def is_atomic(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def read_atomic(
    name: str,
    type: CType,
    operands: Sequence[Cursor],
    value: Callable[[Cursor], Expr],
    blocks: BlockExpressions,
    where: Location,
) -> Expr:
    """The call of an atomic builtin.

    `operands` are in clang's order: the pointer, the order, a value, the order of a failure, a
    second value, and whether the exchange may fail. `value` reads one of them.

    Raises:
        UnsupportedError: an operation, or a type of the object, that this compiler does not have.
    """
    match = _NAME.fullmatch(name)
    assert match is not None
    operation = match["operation"]
    by_pointer = match["family"] in ("atomic", "scoped_atomic") and operation in (
        *("load", "store", "exchange", "compare_exchange"),
    )
    operation = operation.removesuffix("_n")
    pointer = value(operands[0])
    object_ = pointer.type.element
    is_number = object_.kind in (Kind.INT, Kind.FLOAT)
    if not is_number or (object_.kind is Kind.FLOAT and object_.width < 32):
        raise UnsupportedError(
            f"builtin '{name}' is supported for integers, float and double", *where
        )
    order = _order(operands[1]) if operation != "init" else 0

    def given(cursor: Cursor) -> Expr:
        """A value, or what a pointer to it points to."""
        found = value(cursor)
        if by_pointer:
            found = tree.Load(where, object_, tree.Index(where, object_, found))
        return found if found.type.same_value(object_) else tree.Cast(where, object_, found)

    def call(function: str, result: CType, *arguments: Expr) -> Expr:
        ordered = [*arguments, Const(where, INT, order)]
        return BuiltinCall(where, result, f"atomic_{function}_explicit", [pointer, *ordered])

    fetched = re.fullmatch(r"fetch_(add|sub|and|or|xor|min|max)", operation)
    changed = re.fullmatch(r"(add|sub|and|or|xor)_fetch", operation)
    if operation == "init":
        return BuiltinCall(where, type, "atomic_init", [pointer, given(operands[1])])
    if operation == "load":
        loaded = call("load", object_)
        return _stored(loaded, value(operands[2])) if by_pointer else loaded
    if operation == "store":
        return call("store", type, given(operands[2]))
    if operation == "exchange":
        exchanged = call("exchange", object_, given(operands[2]))
        return _stored(exchanged, value(operands[3])) if by_pointer else exchanged
    if operation.startswith("compare_exchange"):
        expected = value(operands[2])
        return call("compare_exchange_strong", type, expected, given(operands[4]))
    if fetched is not None:
        return call(operation, object_, given(operands[2]))
    if changed is not None:
        variable = blocks.temporary(object_, where)
        first = tree.assignment(variable, given(operands[2]), where)
        other = tree.read(variable, where)
        old = call(f"fetch_{changed[1]}", object_, other)
        new = tree.Binary(where, object_, _OPERATORS[changed[1]], old, other)
        return tree.Comma(where, object_, first, new)
    raise UnsupportedError(f"builtin '{name}' is not supported: use OpenCL C's atomics", *where)


def _order(cursor: Cursor) -> int:
    number = clang_api.evaluate(cursor)
    order = int(number) if number is not None else _ORDERS.index("seq_cst")
    return _ACQUIRE_FROM.get(order, order)


def _stored(value: Expr, pointer: Expr) -> Expr:
    place = tree.Index(value.location, value.type, pointer)
    return tree.Assign(value.location, value.type, place, value)
