"""Constant propagation over the statements of a program, and the dead code that it shows.

    int n = 0, status = 0;
    status |= argument(k, n++, a);              argument(k, 0, a);
    status |= argument(k, n++, b);      =>      argument(k, 1, b);
    if (status != 0) exit(1);
    for (i = 0; i < 2; i++) d[i] = f(i);        d[0] = f(0); d[1] = f(1);

Statements are evaluated in order. After a branch a variable is known if both sides agree, in a loop
if the loop does not assign another value. Loops whose iterations name different buffers or kernel
arguments are unrolled.

This happens before there is IR because types depend on it: the kernel of an argument determines the
elements of its buffer, and error paths have calls without an operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import MemRefType

from polycl.frontends.host.calls import PREFIX, QUERY
from polycl.frontends.host.folding import folded, truth_of
from polycl.frontends.host.host_types import is_setup
from polycl.frontends.host.rewriting import (
    addressed,
    assignments,
    change_all,
    change_parts,
    copied,
    expressions_in,
    is_null,
    text_of,
    without_casts,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.constants import fold_binary, fold_cast
from polycl.frontends.opencl_c.effects import (
    always_exits,
    assigned,
    bodies_of,
    exits_of,
    expressions_of,
    walk,
    walk_statements,
)
from polycl.frontends.opencl_c.jumps import Label
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import CType, Kind

_Known = dict[Variable, Const | tree.String | None]
"""Constants and texts; None if a variable has no value yet. Other variables are unknown."""

_PURE_CALLS = (QUERY, f"{PREFIX}kernel", "strlen")
_MAX_UNROLLED = 64


def evaluate(
    body: list[Stmt],
    outside: Sequence[Variable],
    copy_variable: Callable[[Variable], Variable],
    unset: Iterable[Variable] = (),
    untracked: Iterable[Variable] = (),
) -> list[Stmt]:
    """Propagate constants in the statements until nothing changes.

    `outside` are read after the statements. `unset` are variables of objects that do not exist
    before the statements set them: programs set up a device once in this way. `untracked` may
    change in ways that the statements do not show.
    """
    while True:
        evaluator = _Evaluator(body, copy_variable, untracked)
        set_here = set_in(body)
        start: _Known = {v: _null(v) for v in unset if v in set_here - evaluator.untracked}
        body = evaluator.follow(body, start)
        body, is_dropped = _without_unread(body, outside)
        if not (evaluator.changed or is_dropped):
            return body


class _Evaluator:
    def __init__(
        self,
        body: list[Stmt],
        copy_variable: Callable[[Variable], Variable],
        untracked: Iterable[Variable],
    ):
        self.copy_variable = copy_variable
        # The API sets objects by their address, and keeps no address.
        in_memory = {v for v in addressed(body) if v.type.kind is not Kind.HANDLE}
        self.untracked = in_memory.union(untracked)
        self.written = self._written(body)
        declared = {s.variable for s in walk_statements(body) if isinstance(s, tree.Declare)}
        self.at_labels = {v: c for v, c in self.written.items() if c is not None and v in declared}
        self.changed = False

    def follow(self, statements: list[Stmt], known: _Known) -> list[Stmt]:
        """The changed statements; `known` is updated to the facts after them."""
        return [kept for statement in statements for kept in self._statement(statement, known)]

    def _statement(self, statement: Stmt, known: _Known) -> list[Stmt]:
        match statement:
            case tree.While() if trips := self._trip_count(statement, known):
                return self._changed(self._unrolled(statement, trips), known)
            case tree.DoWhile(condition=condition, body=body) if _is_once(condition, body):
                return self._changed(body, known)
            case tree.While() | tree.DoWhile() | tree.CountedLoop() | tree.Switch():
                self._forget(self._written([statement]), known)
            case Label():
                # The jumps to it are not followed.
                known.clear()
                known |= self.at_labels
            case _:
                pass
        self._change(statement, known)
        match statement:
            case tree.Declare(variable=variable, initializer=value):
                self._give(variable, value, known)
                if value is not None and _is_no_object(variable.type, value) and _is_idle(value):
                    statement.initializer, self.changed = None, True
            case tree.Evaluate(expr=expr):
                statement.expr = expr = self._as_assignment(expr, known)
                if isinstance(expr, tree.Assign) and isinstance(expr.place, tree.VarRef):
                    self._give(expr.place.variable, expr.value, known)
                if _is_idle(expr):
                    self.changed = True
                    return []
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                truth = truth_of(condition)
                if truth is not None:
                    return self._changed(then if truth else otherwise, known)
                ways = [dict(known), dict(known)]
                statement.then = self.follow(then, ways[0])
                statement.otherwise = self.follow(otherwise, ways[1])
                _join(known, statement, *ways)
                if not (statement.then or statement.otherwise):
                    return self._changed([tree.Evaluate(statement.location, condition)], known)
            case tree.While(condition=condition) if condition and truth_of(condition) is False:
                self.changed = True
                return []
            case tree.Block(body=body):
                return self._changed(body, known)
            case _:
                for inner in bodies_of(statement):
                    inner[:] = self.follow(inner, dict(known))
        return [statement]

    def _changed(self, statements: list[Stmt], known: _Known) -> list[Stmt]:
        self.changed = True
        return self.follow(statements, known)

    def _change(self, statement: Stmt, known: _Known) -> None:
        """Put the known values into the expressions of a statement."""
        for expr in expressions_of(statement):
            inner = tree.children(expr) if isinstance(statement, tree.Evaluate) else [expr]
            for node in (node for part in inner for node in walk(part)):
                if (variable := _variable_set(node)) is not None:
                    # The order of this and of the reads of the variable is unknown.
                    known.pop(variable, None)
        change_parts(statement, lambda expr: self._value(expr, known))

    def _value(self, expr: Expr, known: _Known) -> Expr:
        def change(part: Expr) -> Expr:
            match part:
                case tree.Load(place=tree.VarRef(variable=variable)):
                    value = known.get(variable)
                    if value is None:
                        return part
                    self.changed = True
                    if isinstance(value, Const):
                        return Const(part.location, part.type, value.value)
                    return tree.AddressOf(part.location, part.type, value)
                case _:
                    return folded(part)

        return change_all(expr, change)

    def _as_assignment(self, expr: Expr, known: _Known) -> Expr:
        """`n += 2` and `n++` as assignments of their values, if known."""
        match expr:
            case tree.CompoundAssign(op=op, place=tree.VarRef(variable=variable), compute=compute):
                amount: Expr = expr.value
            case tree.Increment(place=tree.VarRef(variable=variable), delta=delta):
                op, compute = "+", variable.type
                amount = Const(expr.location, compute, delta)
            case _:
                return expr
        old = known.pop(variable, None)
        old = None if old is None else fold_cast(old, compute)
        new = None if old is None else fold_binary(op, old, amount, compute)
        value = None if new is None else fold_cast(new, variable.type)
        if value is None:
            return expr
        self.changed = True
        return tree.Assign(expr.location, expr.type, expr.place, value)

    def _give(self, variable: Variable, value: Expr | None, known: _Known) -> None:
        if value is None:
            # A variable of the program may be known to be null here.
            if variable not in self.untracked:
                known.setdefault(variable, None)
            return
        known.pop(variable, None)
        constant = self._constant(variable, value)
        if constant is not None:
            known[variable] = constant

    def _constant(self, variable: Variable, value: Expr) -> Const | tree.String | None:
        """The known value of a variable to which `value` is assigned."""
        type = variable.type
        if variable in self.untracked or variable.in_memory:
            return None
        if type.is_scalar:
            return fold_cast(value, type)
        if type.kind is Kind.POINTER:
            return text_of(value) or (value if isinstance(value, Const) else None)
        plain = without_casts(value)
        return plain if type.kind is Kind.HANDLE and isinstance(plain, Const) else None

    def _written(self, statements: list[Stmt]) -> _Known:
        """The assigned variables, with the value if there is only one."""
        found: _Known = {}

        def give(variable: Variable, value: Expr | None) -> None:
            constant = None if value is None else self._constant(variable, value)
            found[variable] = constant if _same(found.get(variable, constant), constant) else None

        for statement in walk_statements(statements):
            match statement:
                case tree.Declare(variable=variable, initializer=value) if value is not None:
                    give(variable, value)
                case tree.CountedLoop(variable=variable):
                    give(variable, None)
                case _:
                    pass
            for node in (node for expr in expressions_of(statement) for node in walk(expr)):
                match node:
                    case tree.Assign(place=tree.VarRef(variable=variable), value=value):
                        give(variable, value)
                    case _ if (variable := _variable_set(node)) is not None:
                        give(variable, None)
                    case _:
                        pass
        return found

    def _forget(self, written: _Known, known: _Known) -> None:
        """Keep the facts before a loop that hold in each iteration."""
        for variable in written.keys() & known.keys():
            old, new = known.pop(variable), written[variable]
            if new is not None and (old is None or _same(old, new)):
                known[variable] = new

    # Loops that name buffers and arguments.

    def _trip_count(self, loop: tree.While, known: _Known) -> int:
        """The trip count of a loop whose variable names handles; 0 for other loops."""
        match loop.step:
            case (
                tree.Increment(place=tree.VarRef(variable=variable))
                | tree.CompoundAssign(place=tree.VarRef(variable=variable))
            ) if known.get(variable) is not None:
                pass
            case _:
                return 0
        is_fixed = variable not in assigned(loop.body) and not exits_of(loop.body)
        if not is_fixed or loop.condition is None or not _names_handles(loop.body, variable):
            return 0
        turn = dict(known)
        self._forget(self._written([loop]), turn)
        turn[variable] = known[variable]
        changed = self.changed
        holds, number = True, -1
        while holds and number < _MAX_UNROLLED:
            holds, number = truth_of(self._value(copied(loop.condition), turn)), number + 1
            self._statement(tree.Evaluate(loop.location, copied(loop.step)), turn)
        # Nothing is changed but the copies.
        self.changed = changed
        return number if holds is False else 0

    def _unrolled(self, loop: tree.While, turns: int) -> list[Stmt]:
        """The unrolled iterations, each with its own variables."""
        assert loop.step is not None
        out: list[Stmt] = []
        for _ in range(turns):
            own = {
                s.variable: self.copy_variable(s.variable)
                for s in walk_statements(loop.body)
                if isinstance(s, tree.Declare)
            }
            out += copied(loop.body, lambda v, own=own: own.get(v, v))
            out.append(tree.Evaluate(loop.location, copied(loop.step)))
        return out


_READERS = ("clSetKernelArg", "clCreateProgramWithSource")


def set_in(body: list[Stmt]) -> set[Variable]:
    """The variables that the statements may set; `_READERS` only read by an address."""
    found = {variable for variable, _ in assignments(body)}
    for expr in (expr for s in walk_statements(body) for expr in expressions_of(s)):
        reads = {
            id(node)
            for call in walk(expr)
            if isinstance(call, BuiltinCall) and call.name in _READERS
            for node in walk(call)
        }
        for node in walk(expr):
            if id(node) not in reads and (variable := _variable_set(node)) is not None:
                found.add(variable)
    return found


def _null(variable: Variable) -> Const:
    return Const(variable.location, variable.type, 0)


def _variable_set(node: Expr) -> Variable | None:
    """The variable that this node assigns, or whose address it passes."""
    if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment | tree.AddressOf):
        root = tree.root(node.place)
        return root.variable if isinstance(root, tree.VarRef) else None
    return None


def _same(a: Const | tree.String | None, b: Const | tree.String | None) -> bool:
    if isinstance(a, Const) and isinstance(b, Const):
        # 0.0 differs from -0.0.
        return repr(a.value) == repr(b.value)
    return isinstance(a, tree.String) and isinstance(b, tree.String) and a.text == b.text


def _join(known: _Known, branch: tree.If, then: _Known, otherwise: _Known) -> None:
    """The facts after a branch."""
    known.clear()
    if always_exits(branch.then):
        known |= otherwise
    elif always_exits(branch.otherwise):
        known |= then
    else:
        for variable in then.keys() & otherwise.keys():
            a, b = then[variable], otherwise[variable]
            if a is None or b is None or _same(a, b):
                known[variable] = a or b


def _is_once(condition: Expr, body: list[Stmt]) -> bool:
    return truth_of(condition) is False and not exits_of(body) & {"break", "continue"}


def _names_handles(body: list[Stmt], variable: Variable) -> bool:
    """Whether the variable selects a handle of an array, or an argument."""
    for expr in expressions_in(body):
        match expr:
            case tree.Index(index=index, type=type) if index is not None:
                if type.kind is Kind.HANDLE and _reads(index, variable):
                    return True
            case BuiltinCall(name=name, arguments=[_, index, *_]):
                if name == f"{PREFIX}set_argument" and _reads(index, variable):
                    return True
            case _:
                pass
    return False


def _reads(expr: Expr, variable: Variable) -> bool:
    return any(isinstance(node, tree.VarRef) and node.variable is variable for node in walk(expr))


# Dead code.


def _is_idle(expr: Expr) -> bool:
    """Whether an expression has no effects."""
    for node in walk(expr):
        match node:
            case tree.BuiltinCall(name=name) if name.startswith(_PURE_CALLS):
                continue
            case tree.BuiltinCall() | tree.Call():
                return False
            case tree.Assign(place=place, value=value) if node is expr:
                if not is_setup(place.type) and not _is_no_object(place.type, value):
                    return False
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return False
    return True


def _is_no_object(type: CType, value: Expr) -> bool:
    """Whether a handle is set to null, or is not tracked."""
    is_null_array = isinstance(type.value, MemRefType) and is_null(value)
    return is_null_array or type.kind is Kind.HANDLE and (is_setup(type) or is_null(value))


def _without_unread(body: list[Stmt], outside: Iterable[Variable]) -> tuple[list[Stmt], bool]:
    """Remove the variables that are never read; their initialisers with effects stay."""
    needed = set(outside)
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
