"""Short loops over arrays of handles, and over the arguments of a kernel, turn by turn.

    for (i = 0; i < 2; i++) d[i] = buffer(n);    =>    d[0] = buffer(n); d[1] = buffer(n); i = 2;

So each turn names the buffer or the argument that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from polycl.frontends.host.calls import PREFIX
from polycl.frontends.host.rewriting import (
    addressed,
    change_statements,
    copied,
    expressions_in,
    variable_of,
    without_casts,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import assigned, bodies_of, walk, walk_statements
from polycl.frontends.opencl_c.structure import exits_of
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind

_MOST_TURNS = 64

CopyVariable = Callable[[Variable], Variable]


def unroll(body: list[Stmt], copy_variable: CopyVariable) -> tuple[list[Stmt], bool]:
    """The statements without such loops, and whether there were any."""
    out: list[Stmt] = []
    changed = False
    for statement in body:
        for inner in bodies_of(statement):
            inner[:], inside = unroll(inner, copy_variable)
            changed |= inside
        turns = _turns(out[-1], statement) if out and isinstance(statement, tree.While) else None
        if turns is None:
            out.append(statement)
            continue
        variable, numbers = turns
        assert isinstance(statement, tree.While)
        out += [s for n in numbers for s in _turn(statement.body, variable, n, copy_variable)]
        out.append(write(variable, Const(statement.location, variable.type, numbers.stop)))
        changed = True
    return out, changed


def _turns(before: Stmt, loop: tree.While) -> tuple[Variable, range] | None:
    """A loop's variable and its values, where they are few and the turns differ in handles."""
    match before:
        case (
            tree.Declare(variable=variable, initializer=Const(value=int(first)))
            | tree.Evaluate(
                expr=tree.Assign(
                    place=tree.VarRef(variable=variable), value=Const(value=int(first))
                )
            )
        ):
            pass
        case _:
            return None
    match loop.condition, loop.step:
        case (
            tree.Binary(op="<" | "<=" | "!=" as op, left=left, right=right),
            tree.Increment(place=tree.VarRef(variable=stepped), delta=1),
        ):
            last = without_casts(right)
        case _:
            return None
    if variable_of(left) is not variable or stepped is not variable or not isinstance(last, Const):
        return None
    numbers = range(first, int(last.value) + (op == "<="))
    is_fixed = not variable.in_memory and variable not in assigned(loop.body) | addressed(loop.body)
    if not (is_fixed and 0 < len(numbers) <= _MOST_TURNS) or exits_of(loop.body):
        return None
    return (variable, numbers) if _names_handles(loop.body, variable) else None


def _names_handles(body: list[Stmt], variable: Variable) -> bool:
    """Whether the variable says which handle of an array, or which argument, is meant."""
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


def _turn(
    body: list[Stmt], variable: Variable, number: int, copy_variable: CopyVariable
) -> Iterable[Stmt]:
    """A copy of the body for one value of the loop's variable, with variables of its own."""
    own = {
        s.variable: copy_variable(s.variable)
        for s in walk_statements(body)
        if isinstance(s, tree.Declare)
    }
    turn: list[Stmt] = copied(body, lambda v: own.get(v, v))

    def change(expr: Expr) -> Expr:
        is_read = isinstance(expr, tree.Load) and variable_of(expr) is variable
        return Const(expr.location, variable.type, number) if is_read else expr

    change_statements(turn, change)
    return turn
