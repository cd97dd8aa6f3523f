"""Facts about expressions and statements: variables read and written, effects, exits.

Only variables that are SSA values count: memory is not tracked.
"""

from __future__ import annotations

from collections.abc import Iterable

from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.builtins import FUNCTIONS, Fact
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind

_CHEAP_BUILTINS = frozenset(
    """
    get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups
    get_enqueued_local_size get_global_offset get_work_dim isnan isequal
    """.split()
).union(row.spelling for row in FUNCTIONS if Fact.CHEAP in row.facts)

_COMPUTING_BUILTINS = _CHEAP_BUILTINS.union(row.spelling for row in FUNCTIONS)
"""They have no effects but through pointers."""


def expressions_of(statement: Stmt) -> list[Expr]:
    """The expressions of a statement, without those of its inner statements."""
    match statement:
        case tree.Evaluate(expr=expr):
            return [expr]
        case tree.Declare(initializer=initializer):
            return [] if initializer is None else [initializer]
        case tree.If(condition=condition) | tree.DoWhile(condition=condition):
            return [condition]
        case tree.While():
            found = [statement.condition, statement.step]
            return [expr for expr in found if expr is not None]
        case tree.CountedLoop():
            return [statement.bound, statement.step]
        case tree.Switch(value=value):
            return [value]
        case tree.Return(value=value):
            return [] if value is None else [value]
        case _:
            return []


def bodies_of(statement: Stmt) -> list[list[Stmt]]:
    """The statement lists inside a statement."""
    match statement:
        case tree.If():
            return [statement.then, statement.otherwise]
        case tree.While() | tree.DoWhile() | tree.CountedLoop() | tree.Block():
            return [statement.body]
        case tree.Switch():
            return [segment.body for segment in statement.segments]
        case _:
            return []


def walk(expr: Expr) -> Iterable[Expr]:
    """The expression and its parts, in preorder."""
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        yield node
        parts = tree.children(node)
        if parts:
            waiting.extend(reversed(parts))


def walk_statements(statements: Iterable[Stmt]) -> Iterable[Stmt]:
    """All statements and those inside them."""
    for statement in statements:
        yield statement
        for body in bodies_of(statement):
            yield from walk_statements(body)


def assigned_variable(expr: Expr) -> Variable | None:
    """The SSA variable that this node itself writes, if any."""
    match expr:
        case (
            tree.Assign(place=place)
            | tree.CompoundAssign(place=place)
            | tree.Increment(place=place)
        ):
            root = tree.root(place)
            if isinstance(root, tree.VarRef) and not root.variable.in_memory:
                return root.variable
    return None


_WRITERS = (tree.Assign, tree.CompoundAssign, tree.Increment)


def assigned_in(expressions: Iterable[Expr]) -> set[Variable]:
    """The SSA variables that any of the expressions writes."""
    found: set[Variable] = set()
    waiting = list(expressions)
    while waiting:
        node = waiting.pop()
        if type(node) in _WRITERS and (variable := assigned_variable(node)) is not None:
            found.add(variable)
        waiting.extend(tree.children(node))
    return found


def written_here(statement: Stmt) -> set[Variable]:
    """The SSA variables that a statement writes, without its inner statements."""
    written = assigned_in(expressions_of(statement))
    match statement:
        case tree.Declare(variable=variable) if not variable.in_memory:
            written.add(variable)
        case tree.CountedLoop(variable=variable):
            written.add(variable)
    return written


def assigned(statements: Iterable[Stmt]) -> set[Variable]:
    """The SSA variables that the statements write, declarations included."""
    return {v for statement in walk_statements(statements) for v in written_here(statement)}


def used(expr: Expr) -> set[Variable]:
    """The SSA variables that an expression reads. `x = 1` alone does not read x."""
    found: set[Variable] = set()
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        match node:
            case tree.VarRef(variable=variable):
                if not variable.in_memory:
                    found.add(variable)
            case tree.Assign(place=tree.VarRef(), value=value):
                waiting.append(value)
            case tree.Comma(first=tree.Assign(place=tree.VarRef(variable=v)) as first):
                found |= used(first) | (used(node.second) - {v})
            case _:
                waiting.extend(tree.children(node))
    return found


def in_order(variables: Iterable[Variable]) -> list[Variable]:
    """Variables in the order of their declarations, which is their order in the IR."""
    return sorted(variables, key=lambda variable: variable.number)


def has_effects(expr: Expr) -> bool:
    """Whether evaluation has an effect: it writes, calls or reads volatile memory."""
    for node in walk(expr):
        match node:
            case tree.Assign() | tree.CompoundAssign() | tree.Increment() | tree.Call():
                return True
            case tree.BuiltinCall(name=name) if name not in _CHEAP_BUILTINS:
                return True
            case tree.Load(place=place) if is_volatile(place):
                return True
    return False


def writes_memory(statements: Iterable[Stmt]) -> bool:
    """Whether the statements may change memory that they do not declare, or let other work-items
    change it: they write it, call functions or synchronize."""
    return any(
        _writes_memory(node)
        for statement in walk_statements(statements)
        for expr in expressions_of(statement)
        for node in walk(expr)
    )


def _writes_memory(node: Expr) -> bool:
    if type(node) in _WRITERS:
        return assigned_variable(node) is None
    if isinstance(node, tree.BuiltinCall):
        takes_pointers = any(arg.type.kind is Kind.POINTER for arg in node.arguments)
        return node.name not in _COMPUTING_BUILTINS or takes_pointers
    return isinstance(node, tree.Call)


def is_volatile(place: Expr) -> bool:
    """Whether accesses of the place are volatile."""
    match tree.root(place):
        case tree.Index(pointer=pointer):
            return pointer.type.volatile
        case tree.VarRef(variable=variable):
            return variable.volatile
        case _:
            return False


def is_cheap(expr: Expr) -> bool:
    """Whether the expression may be evaluated speculatively: it has no effect, cannot trap, reads
    no memory but private variables, and costs a few operations."""
    if has_effects(expr):
        return False
    nodes = list(walk(expr))
    return len(nodes) <= 24 and all(_is_safe(node) for node in nodes)


def _is_safe(node: Expr) -> bool:
    match node:
        case tree.Load(place=place):
            root = tree.root(place)
            if not isinstance(root, tree.VarRef):
                return False
            variable = root.variable
            is_private = variable.space is AddressSpace.PRIVATE
            return is_private and variable.type.kind is not Kind.ARRAY
        case tree.Binary(op="/" | "%", type=type, right=right) if type.kind is not Kind.FLOAT:
            divisor = right.value if isinstance(right, tree.Const) else 0
            return type.is_integer and divisor not in (0, -1)
        case tree.Aggregate() | tree.String():
            return False
        case _:
            return True


def exits(statement: Stmt) -> set[str]:
    """The jumps with which control may leave a statement."""
    match statement:
        case tree.Break():
            return {"break"}
        case tree.Continue():
            return {"continue"}
        case tree.Return():
            return {"return"}
        case tree.If():
            return exits_of(statement.then) | exits_of(statement.otherwise)
        case tree.Block():
            return exits_of(statement.body)
        case tree.While() | tree.DoWhile():
            return exits_of(statement.body) & {"return"}
        case tree.Switch():
            inner = {name for segment in statement.segments for name in exits_of(segment.body)}
            return inner - {"break"}
        case _:
            return set()


def exits_of(statements: list[Stmt]) -> set[str]:
    return {name for statement in statements for name in exits(statement)}


def always_exits(statements: list[Stmt]) -> bool:
    """Whether control never reaches the end of the statements."""
    for statement in statements:
        match statement:
            case tree.Break() | tree.Continue() | tree.Return():
                return True
            case tree.Block(body=body) if always_exits(body):
                return True
            case tree.If() if always_exits(statement.then) and always_exits(statement.otherwise):
                return True
    return False
