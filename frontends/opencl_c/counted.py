"""Recognises `for (i = a; i < b; i += c)` whose trip count is fixed when the loop starts.

`i != b` is read as `i < b` where each step is 1 and the numbers below b are behind.

The step may be one of several, as in `++i, p += n`, or the last statement of a `while`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import (
    assigned,
    assigned_in,
    expressions_of,
    has_effects,
    used,
    walk,
    walk_statements,
    writes_memory,
)
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import INT, CType

_SIZE_QUERIES = (
    "get_global_size",
    "get_local_size",
    "get_enqueued_local_size",
    "get_num_groups",
)
_QUERIES = (
    *_SIZE_QUERIES,
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_global_offset",
    "get_work_dim",
)
_LOCAL_QUERIES = ("get_local_id", "get_local_size", "get_enqueued_local_size", "get_work_dim")
_SMALL = 1 << 16
_FAR = 1 << 62
"""Farther than any loop counts that ends."""
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}


class Definitions:
    """The values of variables that are assigned only in their declarations."""

    def __init__(self, body: list[Stmt]):
        written: set[Variable] = set()
        self._values: dict[Variable, Expr] = {}
        for statement in walk_statements(body):
            written |= assigned_in(expressions_of(statement))
            if isinstance(statement, tree.Declare) and statement.initializer is not None:
                self._values[statement.variable] = statement.initializer
        self._values = {
            variable: value
            for variable, value in self._values.items()
            if variable not in written and not variable.in_memory
        }

    def follow(self, expr: Expr) -> Expr:
        """The expression that defines the variable which `expr` reads, if any."""
        while isinstance(expr, tree.Load) and isinstance(expr.place, tree.VarRef):
            value = self._values.get(expr.place.variable)
            if value is None:
                return expr
            expr = value
        return expr

    def is_nonnegative(self, expr: Expr) -> bool:
        """Whether the value, as a mathematical integer, is proven to be in 0 .. 2**63 - 1."""
        expr = self.follow(expr)
        match expr:
            case Const(value=value):
                return 0 <= value < 2**63
            case tree.BuiltinCall(name=name):
                return name in _QUERIES
            case tree.Cast(operand=operand) if operand.type.is_integer and expr.type.is_integer:
                if not operand.type.signed and operand.type.width < expr.type.width:
                    return True
                return expr.type.width >= operand.type.width and self.is_nonnegative(operand)
            case tree.Binary(op="/" | ">>" | "%" | "&", left=left, right=right):
                return self.is_nonnegative(left) and self.is_nonnegative(right)
            case _ if expr.type.is_integer and not expr.type.signed and expr.type.width <= 32:
                return True
            case tree.Binary(op="+" | "*"):
                return self.is_id(expr)
            case _:
                return False

    def is_id(self, expr: Expr) -> bool:
        """Whether a value is a sum of ids and sizes, also times small numbers: no launch has so
        many work-items that it reaches 2**63."""
        expr = self.follow(expr)
        match expr:
            case Const(value=value):
                return 0 <= value < _SMALL
            case tree.BuiltinCall(name=name):
                return name in _QUERIES
            case tree.Cast(operand=operand, type=type) if type.is_integer:
                return type.width >= 32 and self.is_id(operand)
            case tree.Binary(op="+", left=left, right=right):
                return self.is_id(left) and self.is_id(right)
            case tree.Binary(op="*", left=left, right=right):
                sides = self.follow(left), self.follow(right)
                return all(map(self.is_id, sides)) and any(map(self._is_small, sides))
            case _:
                return False

    def _uncast(self, expr: Expr) -> Expr:
        """What an expression is without conversions to integers of 32 or 64 bits."""
        expr = self.follow(expr)
        while isinstance(expr, tree.Cast) and expr.type.is_integer and expr.type.width >= 32:
            expr = self.follow(expr.operand)
        return expr

    def _is_small(self, expr: Expr) -> bool:
        while isinstance(expr, tree.Cast):
            expr = self.follow(expr.operand)
        if isinstance(expr, tree.BuiltinCall):
            return expr.name in _LOCAL_QUERIES
        return isinstance(expr, Const)

    def is_positive(self, expr: Expr) -> bool:
        """Whether the value is greater than zero: a small constant (a large one may be a negative
        step of an unsigned variable), or a size of the NDRange, also as `groups * local size`."""
        expr = self.follow(expr)
        match expr:
            case Const(value=value):
                return 0 < value <= _SMALL
            case tree.BuiltinCall(name=name):
                return name in _SIZE_QUERIES
            case tree.Cast(operand=operand, type=type):
                return type.is_integer and type.width >= 32 and self.is_positive(operand)
            case tree.Binary(op="*", left=left, right=right):
                return self._is_global_size(left, right) or self._is_global_size(right, left)
            case _:
                return False

    def _is_global_size(self, groups: Expr, size: Expr) -> bool:
        """Whether a product is the number of groups times the local size of the same dimension."""
        groups, size = self._uncast(groups), self._uncast(size)
        match groups, size:
            case (
                tree.BuiltinCall(name="get_num_groups", arguments=[first]),
                tree.BuiltinCall(
                    name="get_local_size" | "get_enqueued_local_size", arguments=[second]
                ),
            ):
                first, second = self._uncast(first), self._uncast(second)
                if not (isinstance(first, Const) and isinstance(second, Const)):
                    return False
                return first.value == second.value
            case _:
                return False


def counted_loop(
    loop: tree.While, body: list[Stmt], before: list[Stmt], definitions: Definitions
) -> tree.CountedLoop | None:
    """The loop as a `CountedLoop`, or None where its trip count is not fixed at its start.

    `body` is the structured body, without exits from the loop. The last statement of `before`,
    which precedes the loop, may set the variable.

    An unsigned variable is assumed not to wrap around past its bound (by a step above 1 and a
    bound near 2**32): such a loop would not terminate. Nor would one of steps of 1 whose variable
    is a char or a short, and whose bound is no number of its type.
    """
    found = _tested_step(loop, body)
    if found is None:
        return None
    (variable, amount, descending), (op, bound, compared), body = found
    if variable.in_memory or not variable.type.is_integer:
        return None
    start = start_of(variable, before)
    if op == "!=":
        if not _meets(variable.type, compared, start, bound, amount, descending):
            return None
        op = ">" if descending else "<"
    if (op in (">", ">=")) != descending or not definitions.is_positive(amount):
        return None
    written = assigned(body)
    if variable in written or (used(bound) | used(amount)) & written:
        return None
    if not (_is_fixed(bound, body) and _is_fixed(amount, [])):
        return None
    inclusive = op in ("<=", ">=")
    starts_nonnegative = start is not None and definitions.is_nonnegative(start)
    facts = _Facts(
        variable.type,
        compared,
        bound,
        amount,
        inclusive,
        starts_nonnegative,
        start is not None and definitions.is_id(start),
        definitions.is_nonnegative(bound),
    )
    if not descending and facts.compares_with_any_64_bits():
        # A bound of 2**63 or more is the cast of a negative number: no such loop ends.
        limit = Const(bound.location, compared, _FAR)
        bound = tree.BuiltinCall(bound.location, compared, "min", [bound, limit])
        facts.bound, facts.bound_nonnegative = bound, True
    unsigned = facts.unsigned_descending() if descending else facts.unsigned_ascending()
    if unsigned is None:
        return None
    return tree.CountedLoop(
        loop.location, variable, bound, amount, inclusive, descending, unsigned, body, loop.unroll
    )


def is_limit(call: tree.BuiltinCall) -> bool:
    """Whether the call is the limit of a counted loop's bound, and no function of the program."""
    last = call.arguments[-1] if call.name == "min" else None
    return isinstance(last, Const) and last.value == _FAR


def counted_do(
    loop: tree.DoWhile, body: list[Stmt], before: list[Stmt], definitions: Definitions
) -> tree.CountedLoop | None:
    """`do { ... i += c; } while (i < b)`, or `while (++i < b)`, as a `CountedLoop`.

    It begins with any number: an unsigned one might wrap around, and the loop end after that.
    """
    where, test = loop.location, loop.condition
    if isinstance(test, tree.Binary) and isinstance(test.left, tree.Increment):
        step = test.left
        if not (step.prefix and isinstance(step.place, tree.VarRef)):
            return None
        body = [*body, tree.Evaluate(where, step)]
        test = replace(test, left=tree.read(step.place.variable, where))
    tested_first = tree.While(where, test, body, None, loop.unroll)
    found = counted_loop(tested_first, body, before, definitions)
    if found is None or found.variable.type.width < 32:
        return None
    if not found.variable.type.signed:
        start = start_of(found.variable, before)
        if start is None or found.descending or not definitions.is_id(start):
            return None
        if isinstance(test, tree.Binary) and test.op == "!=":
            return None
    return replace(found, at_least_once=True)


def _meets(
    type: CType, compared: CType, start: Expr | None, bound: Expr, step: Expr, descending: bool
) -> bool:
    """Whether `i != bound` is as good as `i < bound`, or `i > bound`: steps of 1 meet the bound.

    From the other side of it, a signed number would overflow, which C leaves undefined.
    """
    if not (isinstance(step, Const) and step.value == 1):
        return False
    if type.signed and compared.signed and type.width >= 32:
        return True
    if type.width < 32 and not (isinstance(bound, Const) and bound.value >= 0 and not descending):
        return False
    first = bound if descending else start
    while isinstance(first, tree.Cast) and first.type.is_integer:
        first = first.operand
    return isinstance(first, Const) and first.value == 0


_Step: TypeAlias = tuple[Variable, Expr, bool]
"""The variable, the amount, and whether it counts down."""
_Test: TypeAlias = tuple[str, Expr, CType]
"""The operator, the bound, and the type of the comparison."""


def _tested_step(loop: tree.While, body: list[Stmt]) -> tuple[_Step, _Test, list[Stmt]] | None:
    """The step whose variable the condition tests, and a body that ends with all other steps."""
    last = loop.step
    if last is None and body and isinstance(body[-1], tree.Evaluate):
        last, body = body[-1].expr, body[:-1]
    if last is None or loop.condition is None:
        return None
    steps = _parts(last)
    for number, expr in enumerate(steps):
        step = _step(expr)
        test = None if step is None else _test(loop.condition, step[0])
        if step is None or test is None:
            continue
        # After the step the variable would have its next value.
        if any(step[0] in used(other) for other in steps[number + 1 :]):
            return None
        others = [other for other in steps if other is not expr]
        return step, test, [*body, *(tree.Evaluate(o.location, o) for o in others)]
    return None


def _parts(expr: Expr) -> list[Expr]:
    """The expressions that commas separate."""
    if isinstance(expr, tree.Comma):
        return [*_parts(expr.first), *_parts(expr.second)]
    return [expr]


@dataclass
class _Facts:
    """Decides whether 64-bit signed arithmetic has the trip count of the C types."""

    type: CType
    compared: CType
    bound: Expr
    step: Expr
    inclusive: bool
    start_nonnegative: bool
    starts_at_id: bool
    """Perhaps cast to an int: what is negative then is, unsigned, above all other ids."""
    bound_nonnegative: bool

    def compares_with_any_64_bits(self) -> bool:
        """Whether a 64-bit counter is below 2**63, but its bound may not be."""
        is_unsigned = not self.type.signed and not self.compared.signed
        is_wide = self.type.width == self.compared.width == 64
        return is_unsigned and is_wide and self.start_nonnegative and not self.bound_nonnegative

    def unsigned_ascending(self) -> bool | None:
        """Whether to extend with zeros; None where the trip count may differ."""
        type, compared = self.type, self.compared
        if type.width < 32:
            return self._narrow()
        if compared.signed:
            if type.signed:
                return False
            # An unsigned int that is compared as a long stays below 2**32.
            return True if isinstance(self.bound, Const) and self._fits() else None
        if type.signed:
            # The comparison is unsigned, which makes no difference from 0 up.
            if compared.width == 32:
                return True if self.start_nonnegative or self.starts_at_id else None
            return True if self.start_nonnegative and self.bound_nonnegative else None
        if type.width == 32:
            if compared.width == 32:
                return True
            return True if self.bound_nonnegative else None
        return True if self.bound_nonnegative and self.start_nonnegative else None

    def unsigned_descending(self) -> bool | None:
        type, compared = self.type, self.compared
        if type.width < 32:
            return self._narrow_in_ones()
        if type.width != compared.width or type.signed != compared.signed:
            return None
        if type.signed:
            return False
        # An unsigned variable wraps around below zero: the last step must not reach it.
        step = self.step.value if isinstance(self.step, Const) else None
        bound = self.bound.value if isinstance(self.bound, Const) else None
        if type.width == 64 and not self.start_nonnegative:
            return None
        if not self.inclusive:
            return True if step == 1 and (type.width == 32 or self.bound_nonnegative) else None
        return True if step is not None and bound is not None and bound >= step else None

    def _narrow(self) -> bool | None:
        """A char or short counts like an int if it does not wrap around before the bound."""
        if self._fits() and self.compared.signed:
            return not self.type.signed
        return self._narrow_in_ones()

    def _narrow_in_ones(self) -> bool | None:
        """If it wraps around in steps of 1, it never passes the bound."""
        is_one = isinstance(self.step, Const) and self.step.value == 1
        is_known = self.compared.signed and (self.type.signed or self.bound_nonnegative)
        return not self.type.signed if is_one and is_known else None

    def _fits(self) -> bool:
        if not (isinstance(self.bound, Const) and isinstance(self.step, Const)):
            return False
        limit = 1 << (self.type.width - self.type.signed)
        return 0 <= self.bound.value and self.bound.value + self.step.value < limit


def _step(expr: Expr) -> _Step | None:
    """(variable, amount, descending) of `i++`, `i -= c`, `i = i + c` and similar steps."""
    where = expr.location
    match expr:
        case tree.Increment(place=tree.VarRef(variable=variable), delta=delta):
            return variable, Const(where, INT, 1), delta < 0
        case tree.CompoundAssign(
            op="+" | "-" as op, place=tree.VarRef(variable=variable), value=value
        ):
            return _signed_step(variable, value, op == "-")
        case tree.Assign(place=tree.VarRef(variable=variable), value=value):
            # `c = c + 1` of a char is computed as int; `_fits` excludes a wraparound.
            while isinstance(value, tree.Cast) and value.type.is_integer:
                value = value.operand
            if not isinstance(value, tree.Binary) or value.op not in ("+", "-"):
                return None
            if _is_read_of(value.left, variable):
                return _signed_step(variable, value.right, value.op == "-")
            if value.op == "+" and _is_read_of(value.right, variable):
                return _signed_step(variable, value.left, False)
    return None


def _signed_step(variable: Variable, amount: Expr, descending: bool) -> _Step | None:
    """`i += -2` counts down by 2."""
    if not amount.type.is_integer:
        return None
    if isinstance(amount, Const) and amount.value < 0:
        positive = Const(amount.location, amount.type, -amount.value)
        return variable, positive, not descending
    return variable, amount, descending


def _test(condition: Expr, variable: Variable) -> _Test | None:
    """(operator, bound, type of the comparison) of `i < bound` or `bound > i`."""
    if not isinstance(condition, tree.Binary) or condition.op not in _MIRRORED:
        return None
    if not condition.left.type.is_integer:
        return None
    if _is_read_of(condition.left, variable):
        return condition.op, condition.right, condition.left.type
    if _is_read_of(condition.right, variable):
        return _MIRRORED[condition.op], condition.left, condition.left.type
    return None


def start_of(variable: Variable, before: list[Stmt]) -> Expr | None:
    """The value of the variable if the statement immediately before the loop sets it."""
    match before[-1:]:
        case [tree.Declare(variable=declared, initializer=value)] if declared is variable:
            return value
        case [tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=target), value=value))] if (
            target is variable
        ):
            return value
        case _:
            return None


def _is_read_of(expr: Expr, variable: Variable) -> bool:
    """Whether the expression reads the variable, perhaps with widening integer conversions."""
    while isinstance(expr, tree.Cast) and expr.type.is_integer and expr.operand.type.is_integer:
        if expr.type.width < expr.operand.type.width:
            return False
        expr = expr.operand
    match expr:
        case tree.Load(place=tree.VarRef(variable=read)):
            return read is variable
        case _:
            return False


def _is_fixed(expr: Expr, body: list[Stmt]) -> bool:
    """Whether a loop with this body does not change the value: it depends on variables, or on
    memory that nothing changes, and has no effects."""
    if has_effects(expr):
        return False
    places = [node.place for node in walk(expr) if isinstance(node, tree.Load)]
    return all(map(_is_variable, places)) or not writes_memory(body)


def _is_variable(place: Expr) -> bool:
    root = tree.root(place)
    return isinstance(root, tree.VarRef) and not root.variable.in_memory
