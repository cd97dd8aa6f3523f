"""isl syntax trees as `scf` loops and branches, with their expressions as `arith`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from polycl.analysis.ocl.linear import Linear
from polycl.dialects.poly.isl_context import isl_context
from polycl.lowering.poly.codegen.scope import Condition, Scope, sum_of
from polycl.symbolic import integer

Env = Mapping[str, SSAValue]
"""The values of parameters and loop counters, by their names."""

Leaf = Callable[[Scope, Sequence[Linear]], None]
"""Adds the code of a point."""

_EXPR = isl.ast_expr_type
_OP = isl.ast_expr_op_type
_NODE = isl.ast_node_type
# islpy's types leave out names that end in "_".
_FOR, _IF = _NODE["for_"], _NODE["if_"]
_AND, _OR = _OP["and_"], _OP["or_"]

_COMPARISONS = {_OP.eq: "eq", _OP.lt: "slt", _OP.le: "sle", _OP.gt: "sgt", _OP.ge: "sge"}


@dataclass(frozen=True)
class Loops:
    """Loops over the points of a set, in lexicographic order."""

    node: isl.AstNode
    counters: tuple[str, ...]
    guard: isl.AstExpr | None = None
    """The condition that a point of the loops is in the set; None if all are."""
    entry: isl.AstExpr | None = None
    """With a guard, a necessary condition that the set is not empty."""


def loops_of(domain: isl.Set, context: isl.Set, box: isl.Set) -> Loops:
    """The loops over a set within a `box`, for parameters in the context.

    The counters have the names of the dimensions. There is one loop nest: for a set that is not
    convex, it covers a larger set, with a guard.
    """
    count = domain.dim(isl.dim_type.set)
    counters = tuple(domain.get_dim_name(isl.dim_type.set, i) or f"c{i}" for i in range(count))
    domain = domain.gist_params(context).coalesce()
    guard = entry = None
    # isl makes one statement, not each second t, of `(n + 16 * t) % 32 > 16`.
    has_quotients = any(part.dim(isl.dim_type.div) for part in domain.get_basic_sets())
    if domain.n_basic_set() > 1 or has_quotients:
        # The rational projection is fast; entering loops without points does no harm.
        some = domain.remove_divs().remove_dims(isl.dim_type.set, 0, count).params()
        entry = condition_of(some.coalesce(), context)
        hull = domain.remove_divs().simple_hull().to_set().intersect(box)
        guard = guard_of(domain, hull, counters)
        domain = hull
    iterators = isl.IdList.alloc(isl_context(), count)
    for name in counters:
        iterators = iterators.add(isl.Id(name, context=isl_context()))
    order = domain.identity().reset_tuple_id(isl.dim_type.out)
    build = _build(context, domain).set_iterators(iterators)
    return Loops(build.node_from_schedule_map(isl.UnionMap.from_map(order)), counters, guard, entry)


def guard_of(domain: isl.Set, around: isl.Set, counters: Sequence[str]) -> isl.AstExpr:
    """The condition that a point of `around` is in `domain`."""
    inside = domain.gist(around)
    for i, name in enumerate(counters):
        inside = inside.set_dim_name(isl.dim_type.set, i, name)
    place, count = inside.dim(isl.dim_type.param), len(counters)
    inside = inside.move_dims(isl.dim_type.param, place, isl.dim_type.set, 0, count).params()
    return condition_of(inside, isl.Set.universe(inside.get_space()))


def emit_loops(loops: Loops, scope: Scope, env: Env, leaf: Leaf) -> None:
    """Emits the loops, with `leaf` at each point."""

    def guarded(scope: Scope, point: Sequence[Linear]) -> None:
        assert loops.guard is not None
        holds = emit_guard(loops.guard, loops.counters, scope, env, point)
        emit_if(scope, holds, lambda inner: leaf(inner, point))

    def enter(scope: Scope) -> None:
        _emit_node(loops.node, scope, env, leaf if loops.guard is None else guarded)

    if loops.entry is None:
        enter(scope)
    else:
        emit_if(scope, _condition(loops.entry, scope, env), enter)


def emit_guard(
    guard: isl.AstExpr, counters: Sequence[str], scope: Scope, env: Env, point: Sequence[Linear]
) -> Condition:
    """Whether a point is in the set of a guard."""
    values = [scope.value(id) for id in point]
    return _condition(guard, scope, {**env, **dict(zip(counters, values, strict=True))})


def expression_of(value: isl.PwAff) -> isl.AstExpr:
    """The value of an expression over parameters."""
    everything = isl.Set.universe(value.domain().get_space())
    return isl.AstBuild.from_context(everything).expr_from_pw_aff(value)


def emit_value(expression: isl.AstExpr, scope: Scope, env: Env) -> Linear:
    """The value of an expression over parameters."""
    return _sum(expression, scope, env)


def condition_of(holds: isl.Set, context: isl.Set) -> isl.AstExpr:
    """Whether the parameters are in a set of parameters, for those of `context`."""
    return _build(context, holds).expr_from_set(holds.gist(context).coalesce())


def _build(context: isl.Set, domain: isl.Set) -> isl.AstBuild:
    """A builder of syntax trees for sets with the parameters of `domain`.

    isl loses parameters in remainders that the context does not have: the guard of
    `[G, h] -> { [t] : h - G - 3 <= 4t < h - G }` for `[G] -> { : G >= 0 }` is `(G + 3) % 4 <= 2`.
    """
    return isl.AstBuild.from_context(context.align_params(domain.get_space()))


def emit_condition(condition: isl.AstExpr, scope: Scope, env: Env) -> Condition:
    """The value of a condition over parameters."""
    return _condition(condition, scope, env)


def _emit_node(node: isl.AstNode, scope: Scope, env: Env, leaf: Leaf) -> None:
    kind = node.get_type()
    if kind == _NODE.block:
        children = node.block_get_children()
        for i in range(children.n_ast_node()):
            _emit_node(children.get_at(i), scope, env, leaf)
    elif kind == _FOR:
        _emit_for(node, scope, env, leaf)
    elif kind == _IF:
        _emit_if(node, scope, env, leaf)
    elif kind == _NODE.user:
        call = node.user_get_expr()
        ids = [call.get_op_arg(i) for i in range(1, call.get_op_n_arg())]
        leaf(scope, [_sum(id, scope, env) for id in ids])
    else:
        raise AssertionError(f"isl makes no nodes of this kind here: {kind}")


def _emit_for(node: isl.AstNode, scope: Scope, env: Env, leaf: Leaf) -> None:
    name = node.for_get_iterator().get_id().get_name()
    assert name is not None
    first = _sum(node.for_get_init(), scope, env)
    if node.for_is_degenerate():
        _emit_node(node.for_get_body(), scope, {**env, name: scope.value(first)}, leaf)
        return
    end_test = node.for_get_cond()
    behind = int(end_test.get_op_type() == _OP.le)
    end = _sum(end_test.get_op_arg(1), scope, env, plus=behind)
    step = _sum(node.for_get_inc(), scope, env)
    emit_for(
        scope,
        (first, end, step),
        name,
        lambda inner, counter: _emit_node(node.for_get_body(), inner, {**env, name: counter}, leaf),
    )


def emit_for(
    scope: Scope,
    bounds: tuple[Linear, Linear, Linear],
    name: str,
    body: Callable[[Scope, SSAValue], None],
) -> None:
    """Emits a loop from the first bound to the second (exclusive), in steps of the third."""
    first, end, step = bounds
    length = end - first
    if not length.factors and length.number <= step.number:
        if length.number > 0:
            body(scope, scope.value(first))
        return
    values = scope.value(first), scope.value(end), scope.value(step)
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = name
    inner = scope.inside(block)
    body(inner, block.args[0])
    inner.add_void(scf.YieldOp())
    scope.add_void(scf.ForOp(*values, [], block))


def _emit_if(node: isl.AstNode, scope: Scope, env: Env, leaf: Leaf) -> None:
    emit_if(
        scope,
        _condition(node.if_get_cond(), scope, env),
        lambda inner: _emit_node(node.if_get_then_node(), inner, env, leaf),
        (lambda inner: _emit_node(node.if_get_else_node(), inner, env, leaf))
        if node.if_has_else_node()
        else None,
    )


def emit_if(
    scope: Scope,
    condition: Condition,
    then: Callable[[Scope], None],
    orelse: Callable[[Scope], None] | None = None,
) -> None:
    """Emits a branch, or one side of it if the condition is known."""
    if isinstance(condition, bool):
        side = then if condition else orelse
        if side is not None:
            side(scope)
        return
    sides = [_side(scope, side) if side is not None else Region() for side in (then, orelse)]
    scope.add_void(scf.IfOp(condition, [], sides[0], sides[1]))


def _side(scope: Scope, emit: Callable[[Scope], None]) -> Region:
    block = Block()
    inner = scope.inside(block)
    emit(inner)
    inner.add_void(scf.YieldOp())
    return Region(block)


def _sum(expr: isl.AstExpr, scope: Scope, env: Env, plus: int = 0) -> Linear:
    """The value of an expression plus a number."""
    if expr.get_type() == _EXPR.op and expr.get_op_type() in (_OP.min, _OP.max):
        operands = [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]
        sums = [_sum(operand, scope, env, plus) for operand in operands]
        return scope.least(sums) if expr.get_op_type() == _OP.min else scope.most(sums)
    sum = _other_sum(expr, scope, env)
    return sum + plus if plus else sum


def _other_sum(expr: isl.AstExpr, scope: Scope, env: Env) -> Linear:
    kind = expr.get_type()
    if kind == _EXPR.int:
        return integer(expr.get_val().to_python())
    if kind == _EXPR.id:
        name = expr.get_id().get_name()
        assert name is not None
        return sum_of(env[name])
    op = expr.get_op_type()
    operands = [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]
    if op in (_OP.cond, _OP.select):
        one, other = (_sum(operand, scope, env) for operand in operands[1:])
        return scope.choice(_condition(operands[0], scope, env), one, other)
    sums = [_sum(operand, scope, env) for operand in operands]
    match op:
        case _OP.minus:
            return -sums[0]
        case _OP.add:
            return sums[0] + sums[1]
        case _OP.sub:
            return sums[0] - sums[1]
        case _OP.mul:
            return scope.product(sums[0], sums[1])
        case _OP.fdiv_q:
            return scope.floor(sums[0], sums[1].number)
        case _OP.pdiv_q | _OP.div:
            return scope.quotient(sums[0], sums[1].number)
        case _OP.pdiv_r | _OP.zdiv_r:
            return scope.remainder(sums[0], sums[1].number, natural=op == _OP.pdiv_r)
        case _:
            raise AssertionError(f"isl makes no such number here: {expr.to_C_str()}")


def _condition(expr: isl.AstExpr, scope: Scope, env: Env) -> Condition:
    if expr.get_type() == _EXPR.int:
        return expr.get_val().to_python() != 0
    op = expr.get_op_type()
    operands = [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]
    if op in _COMPARISONS:
        lhs, rhs = (_sum(operand, scope, env) for operand in operands)
        return scope.compare(_COMPARISONS[op], lhs, rhs)
    conditions = [_condition(operand, scope, env) for operand in operands]
    if op in (_AND, _OP.and_then):
        return scope.all_of(conditions)
    assert op in (_OR, _OP.or_else), expr.to_C_str()
    return scope.any_of(conditions)
