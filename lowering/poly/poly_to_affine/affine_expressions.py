"""isl expressions, bounds and conditions as affine maps and sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
    AffineSet,
)

_PARAMETERS, _DIMENSIONS, _INPUTS, _FLOORS = (
    isl.dim_type.param,
    isl.dim_type.set,
    isl.dim_type.in_,
    isl.dim_type.div,
)
_EXPR = isl.ast_expr_type
_OP = isl.ast_expr_op_type

_AND = _OP["and_"]
_EXTREMES = {"max": _OP.max, "min": _OP.min}


class NotAffine(Exception):
    """An expression that a map or a set of the `affine` dialect cannot represent."""


class Names:
    """The values of names, and the names that a map or set uses: loop counters are dimensions,
    parameters are symbols, numbered in the order of their use."""

    def __init__(self, dimensions: Mapping[str, SSAValue], symbols: Mapping[str, SSAValue]):
        self._known = dimensions, symbols
        self._used: tuple[dict[str, SSAValue], dict[str, SSAValue]] = {}, {}

    def expression(self, name: str) -> AffineExpr:
        """The dimension or symbol of a name."""
        kind = 0 if name in self._known[0] else 1
        used = self._used[kind]
        used.setdefault(name, self._known[kind][name])
        place = list(used).index(name)
        return AffineExpr.symbol(place) if kind else AffineExpr.dimension(place)

    @property
    def operands(self) -> list[SSAValue]:
        """Dimensions, then symbols."""
        return [value for used in self._used for value in used.values()]

    def map(self, results: Sequence[AffineExpr]) -> AffineMapAttr:
        """A map with the dimensions and symbols that are used so far."""
        dimensions, symbols = self._used
        return AffineMapAttr(AffineMap(len(dimensions), len(symbols), tuple(results)))

    def set(self, constraints: Sequence[AffineConstraintExpr]) -> AffineSetAttr:
        """A set with the dimensions and symbols that are used so far."""
        dimensions, symbols = self._used
        return AffineSetAttr(AffineSet(len(dimensions), len(symbols), tuple(constraints)))


def constraints_of(part: isl.BasicSet, names: Names) -> list[AffineConstraintExpr]:
    """The constraints of a convex set, with integer divisions."""
    found: list[AffineConstraintExpr] = []
    for constraint in part.get_constraints():
        floors = _floors(constraint, names)
        value = _sum(constraint, _DIMENSIONS, names, floors)
        found.append(_constraint(constraint.is_equality(), value))
    return found


def expression_of(aff: isl.Aff, names: Names) -> AffineExpr:
    """One affine expression."""
    return _affine(aff, names, _floors(aff, names))


def _floors(found: isl.Aff | isl.Constraint, names: Names) -> list[AffineExpr]:
    """The integer divisions in an expression; each may use those before it."""
    floors: list[AffineExpr] = []
    for i in range(found.get_local_space().dim(_FLOORS)):
        floors.append(_affine(found.get_div(i), names, floors))
    return floors


def _affine(aff: isl.Aff, names: Names, floors: Sequence[AffineExpr]) -> AffineExpr:
    denominator = aff.get_denominator_val()
    value = _sum(aff.scale_val(denominator), _INPUTS, names, floors)
    divisor = denominator.to_python()
    return value if divisor == 1 else value // divisor


def _sum(
    found: isl.Aff | isl.Constraint, dims: isl.dim_type, names: Names, floors: Sequence[AffineExpr]
) -> AffineExpr:
    """The sum of nonzero terms, as xDSL would print a zero as `(s0 * 0)`."""
    total = AffineExpr.constant(0)
    for kind in (dims, _PARAMETERS, _FLOORS):
        for i in range(found.get_local_space().dim(kind)):
            factor = found.get_coefficient_val(kind, i).to_python()
            if factor:
                name = found.get_dim_name(kind, i) or ""
                value = floors[i] if kind == _FLOORS else names.expression(name)
                total = total + value * factor
    return total + found.get_constant_val().to_python()


def _constraint(is_equality: bool, value: AffineExpr) -> AffineConstraintExpr:
    kind = AffineConstraintKind.eq if is_equality else AffineConstraintKind.ge
    return AffineConstraintExpr(kind, value, AffineExpr.constant(0))


# ---- expressions of isl's syntax trees ----


def bound_of(expr: isl.AstExpr, extreme: str, names: Names) -> list[AffineExpr]:
    """The terms whose `max` or `min` is a bound.

    Raises:
        NotAffine: the bound is another expression.
    """
    if _is_op(expr, _EXTREMES[extreme]):
        return [term for side in _operands(expr) for term in bound_of(side, extreme, names)]
    return [value_of(expr, names)]


def value_of(expr: isl.AstExpr, names: Names) -> AffineExpr:
    """An expression without minima and maxima.

    Raises:
        NotAffine: it has one, or a choice by a condition.
    """
    kind = expr.get_type()
    if kind == _EXPR.int:
        return AffineExpr.constant(expr.get_val().to_python())
    if kind == _EXPR.id:
        return names.expression(expr.get_id().get_name() or "")
    op = expr.get_op_type()
    if op in (_OP.min, _OP.max, _OP.cond, _OP.select):
        raise NotAffine(f"'{expr.to_C_str()}' is not one affine expression")
    operands = [value_of(operand, names) for operand in _operands(expr)]
    match op:
        case _OP.minus:
            return -operands[0]
        case _OP.add:
            return operands[0] + operands[1]
        case _OP.sub:
            return operands[0] - operands[1]
        case _OP.mul:
            return operands[0] * operands[1]
        case _OP.fdiv_q | _OP.pdiv_q | _OP.div:
            return operands[0] // operands[1]
        case _OP.pdiv_r | _OP.zdiv_r:
            return operands[0] % operands[1]
        case _:
            raise NotAffine(f"'{expr.to_C_str()}' is not an affine expression")


def conditions_of(expr: isl.AstExpr, names: Names) -> Iterator[AffineConstraintExpr]:
    """The constraints of a conjunction.

    Raises:
        NotAffine: the condition is a disjunction.
    """
    op = expr.get_op_type() if expr.get_type() == _EXPR.op else None
    if op in (_AND, _OP.and_then):
        for side in _operands(expr):
            yield from conditions_of(side, names)
        return
    sides = {
        _OP.eq: (0, 1, 0),
        _OP.ge: (0, 1, 0),
        _OP.gt: (0, 1, 1),
        _OP.le: (1, 0, 0),
        _OP.lt: (1, 0, 1),
    }
    if op not in sides:
        raise NotAffine(f"'{expr.to_C_str()}' is not a conjunction of comparisons")
    large, small, by = sides[op]
    operands = _operands(expr)
    kinds = ("max", "min") if op != _OP.eq else (None, None)
    for least in _terms(operands[large], kinds[1], names):
        for most in _terms(operands[small], kinds[0], names):
            yield _constraint(op == _OP.eq, least - most - by)


def _terms(expr: isl.AstExpr, extreme: str | None, names: Names) -> list[AffineExpr]:
    return [value_of(expr, names)] if extreme is None else bound_of(expr, extreme, names)


def _operands(expr: isl.AstExpr) -> list[isl.AstExpr]:
    return [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]


def _is_op(expr: isl.AstExpr, op: isl.ast_expr_op_type) -> bool:
    return expr.get_type() == _EXPR.op and expr.get_op_type() == op
