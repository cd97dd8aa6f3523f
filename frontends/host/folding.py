"""Constants through variables, and the code that they show to be dead.

A variable all of whose values are the same constant is that constant: the status of calls that
are taken to succeed, the number of platforms, a text. What a program does about errors stands
under conditions that are false then. Objects of the API and arrays are never null.
"""

from __future__ import annotations

from polycl.frontends.host.calls import PREFIX, QUERY
from polycl.frontends.host.host_types import SETUP
from polycl.frontends.host.rewriting import (
    change_all,
    change_statements,
    expressions_in,
    is_null,
    text_of,
    without_casts,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.constants import fold_binary, fold_cast, fold_unary, wrap
from polycl.frontends.opencl_c.effects import (
    bodies_of,
    expressions_of,
    has_effects,
    walk,
    walk_statements,
)
from polycl.frontends.opencl_c.operators import COMPARISONS
from polycl.frontends.opencl_c.structure import exits_of
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, String, Variable
from polycl.frontends.opencl_c.types import INT, CType, Kind

_PURE_CALLS = (QUERY, f"{PREFIX}kernel", "strlen")


_ALLOCATIONS = ("malloc", "calloc", "aligned_alloc")


def fold(body: list[Stmt], parameters: list[Variable]) -> list[Stmt]:
    """The statements with constants folded and dead code removed, until nothing changes."""
    while True:
        change_statements(body, folded)
        body, changed = _Cleaner().clean(body)
        constants = _constant_variables(body, parameters)
        if constants:
            change_statements(body, lambda expr: _with_constant(expr, constants))
        body, dropped = _without_unread(body, parameters)
        if not (changed or constants or dropped):
            return body


def folded(expr: Expr) -> Expr:
    """The expression, whose parts are folded, itself folded."""
    where = expr.location
    match expr:
        case tree.Cast(operand=operand, type=type):
            return fold_cast(operand, type) or expr
        case tree.Unary(op="!", operand=operand):
            known = truth_of(operand)
            return expr if known is None else Const(where, INT, int(not known))
        case tree.Unary(op=op, operand=operand, type=type):
            return fold_unary(op, operand, type) or expr
        case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
            return _comparison(expr, op, left, right)
        case tree.Binary(op=op, left=left, right=right, type=type):
            return fold_binary(op, left, right, type) or expr
        case tree.Logical(op=op, left=left, right=right):
            return _logical(expr, op, left, right)
        case tree.Conditional(condition=condition):
            known = truth_of(condition)
            return expr if known is None else expr.then if known else expr.otherwise
        case tree.Comma(first=first, second=second) if not has_effects(first):
            return second
        case tree.CompoundAssign(op="|" | "+" | "-" | "^", value=Const(value=0), place=place):
            return tree.Load(where, expr.type, place)
        case tree.Index(pointer=pointer, index=index):
            return _index(expr, pointer, index)
        case tree.Load(place=place) if not tree.is_place(place):
            # What stood for a variable is a value by now.
            return place
        case tree.AddressOf(place=tree.Index(pointer=pointer, index=index)) if (
            index is None or is_null(index)
        ):
            return pointer if pointer.type.element.kind is not Kind.ARRAY else expr
        case _:
            return expr


def truth_of(expr: Expr) -> bool | None:
    """Whether a condition holds, where that is known."""
    plain = without_casts(expr)
    match plain:
        case Const(value=value) if plain.type.kind is not Kind.POINTER:
            return value != 0
        case tree.BuiltinCall(name=name) if not name.startswith((PREFIX, *_ALLOCATIONS)):
            return None
        case _ if plain.type.kind in (Kind.HANDLE, Kind.POINTER):
            return None if is_null(plain) else True
        case _:
            return None


def _index(expr: Expr, pointer: Expr, index: Expr | None) -> Expr:
    """`(&x)[0]` is x."""
    pointer = without_casts(pointer)
    if index is not None and not is_null(index):
        return expr
    if isinstance(pointer, tree.AddressOf) and pointer.place.type.kind is not Kind.ARRAY:
        if pointer.place.type.memory == expr.type.memory:
            return pointer.place
    return expr


def _comparison(expr: Expr, op: str, left: Expr, right: Expr) -> Expr:
    where = expr.location
    if op in ("==", "!=") and (is_null(left) or is_null(right)):
        other = left if is_null(right) else right
        if without_casts(other).type.kind in (Kind.HANDLE, Kind.POINTER):
            known = truth_of(other)
            if known is not None:
                return Const(where, INT, int(known == (op == "!=")))
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return expr
    a, b = left.value, right.value
    holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    return Const(where, INT, int(holds))


def _logical(expr: tree.Logical, op: str, left: Expr, right: Expr) -> Expr:
    known, decides = truth_of(left), op == "||"
    if known is decides:
        return Const(expr.location, INT, int(decides))
    other = truth_of(right)
    if known is not None:
        return right if other is None else Const(expr.location, INT, int(other))
    if other is (not decides):
        return left
    return expr


class _Cleaner:
    """Removes branches that are not taken, and statements that do nothing."""

    def __init__(self) -> None:
        self.changed = False

    def clean(self, statements: list[Stmt]) -> tuple[list[Stmt], bool]:
        return self._list(statements), self.changed

    def _list(self, statements: list[Stmt]) -> list[Stmt]:
        return [kept for statement in statements for kept in self._statement(statement)]

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case tree.Evaluate(expr=expr):
                if _is_idle(expr):
                    self.changed = True
                    return []
            case tree.Declare(variable=variable, initializer=initializer):
                if (
                    initializer is not None
                    and _is_no_object(variable.type, initializer)
                    and _is_idle(initializer)
                ):
                    statement.initializer, self.changed = None, True
            case tree.If():
                known = truth_of(statement.condition)
                if known is not None:
                    self.changed = True
                    taken = statement.then if known else statement.otherwise
                    return self._list(taken)
                statement.then = self._list(statement.then)
                statement.otherwise = self._list(statement.otherwise)
                if not (statement.then or statement.otherwise):
                    self.changed = True
                    return [tree.Evaluate(statement.location, statement.condition)]
            case tree.While(condition=condition, body=body):
                if condition is not None and truth_of(condition) is False:
                    self.changed = True
                    return []
                statement.body = self._list(body)
            case tree.DoWhile(condition=condition, body=body):
                statement.body = self._list(body)
                once = truth_of(condition) is False
                if once and not exits_of(statement.body) & {"break", "continue"}:
                    self.changed = True
                    return statement.body
            case tree.CountedLoop():
                statement.body = self._list(statement.body)
                if not statement.body:
                    # The loop's variable may be read behind it.
                    return [statement]
            case tree.Block():
                self.changed = True
                return self._list(statement.body)
            case tree.Switch():
                for segment in statement.segments:
                    segment.body = self._list(segment.body)
        return [statement]


def _is_idle(expr: Expr) -> bool:
    """Whether nothing is lost where an expression is not evaluated."""
    for node in walk(expr):
        match node:
            case tree.BuiltinCall(name=name) if name.startswith(_PURE_CALLS):
                continue
            case tree.BuiltinCall() | tree.Call():
                return False
            case tree.Assign(place=place, value=value) if node is expr:
                if place.type is not SETUP and not _is_no_object(place.type, value):
                    return False
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return False
    return True


def _is_no_object(type: CType, value: Expr) -> bool:
    """Whether a handle is set to null, or is one that is not followed."""
    is_null_array = type.kind is Kind.POINTER and is_null(value)
    return is_null_array or type.kind is Kind.HANDLE and (type is SETUP or is_null(value))


def _constant_variables(body: list[Stmt], parameters: list[Variable]) -> dict[Variable, Expr]:
    """The variables that are only ever one constant or one text."""
    values: dict[Variable, Expr | None] = dict.fromkeys(parameters)

    def give(variable: Variable, value: Expr) -> None:
        known = values.get(variable, value)
        text = text_of(value) if variable.type.kind is Kind.POINTER else None
        if not (text or isinstance(value, Const)) or not _is_same(known, value):
            values[variable] = None
        elif variable.type.kind is not Kind.HANDLE:
            values[variable] = text or value

    for statement in walk_statements(body):
        if isinstance(statement, tree.CountedLoop):
            values[statement.variable] = None
        if isinstance(statement, tree.Declare) and statement.initializer is not None:
            give(statement.variable, statement.initializer)
        for outer in expressions_of(statement):
            for node in walk(outer):
                match node:
                    case tree.Assign(place=tree.VarRef(variable=variable), value=value):
                        give(variable, value)
                    case (
                        tree.Assign(place=place)
                        | tree.CompoundAssign(place=place)
                        | tree.Increment(place=place)
                        | tree.AddressOf(place=place)
                    ):
                        root = tree.root(place)
                        if isinstance(root, tree.VarRef):
                            values[root.variable] = None
    return {
        variable: value
        for variable, value in values.items()
        if value is not None and not variable.in_memory and _is_read(variable, body)
    }


def _is_same(known: Expr | None, value: Expr) -> bool:
    if known is None:
        return False
    texts = text_of(known), text_of(value)
    if texts[0] is not None and texts[1] is not None:
        return texts[0].text == texts[1].text
    a, b = without_casts(known), without_casts(value)
    return isinstance(a, Const) and isinstance(b, Const) and repr(a.value) == repr(b.value)


def _is_read(variable: Variable, body: list[Stmt]) -> bool:
    return any(
        isinstance(node, tree.Load)
        and isinstance(node.place, tree.VarRef)
        and node.place.variable is variable
        for node in expressions_in(body)
    )


def _with_constant(expr: Expr, constants: dict[Variable, Expr]) -> Expr:
    if not (isinstance(expr, tree.Load) and isinstance(expr.place, tree.VarRef)):
        return expr
    value = constants.get(expr.place.variable)
    if isinstance(value, Const):
        number = value.value
        type = expr.place.variable.type
        if type.kind is Kind.INT and isinstance(number, int):
            number = wrap(number, type)
        return Const(expr.location, type, number)
    if isinstance(value, String):
        return tree.AddressOf(expr.location, expr.type, value)
    return expr


def _without_unread(body: list[Stmt], parameters: list[Variable]) -> tuple[list[Stmt], bool]:
    """Without the variables that nobody reads; what gave them values stays where it does more."""
    needed = set(parameters)
    for outer in (e for s in walk_statements(body) for e in expressions_of(s)):
        stores = {id(node.place) for node in walk(outer) if isinstance(node, tree.Assign)}
        for node in walk(outer):
            if isinstance(node, tree.VarRef) and id(node) not in stores:
                needed.add(node.variable)
    needed |= {s.variable for s in walk_statements(body) if isinstance(s, tree.CountedLoop)}
    changed = False

    def without(expr: Expr) -> Expr:
        nonlocal changed
        if isinstance(expr, tree.Assign) and isinstance(expr.place, tree.VarRef):
            if expr.place.variable not in needed:
                changed = True
                return expr.value
        return expr

    def visit(statements: list[Stmt]) -> list[Stmt]:
        nonlocal changed
        kept: list[Stmt] = []
        for statement in statements:
            if isinstance(statement, tree.Declare) and statement.variable not in needed:
                changed = True
                if statement.initializer is not None:
                    kept.append(tree.Evaluate(statement.location, statement.initializer))
                continue
            if isinstance(statement, tree.Evaluate):
                statement.expr = change_all(statement.expr, without)
            for inner in bodies_of(statement):
                inner[:] = visit(inner)
            kept.append(statement)
        return kept

    return visit(body), changed
