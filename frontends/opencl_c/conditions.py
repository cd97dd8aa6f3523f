"""Comparisons, logic, and expressions that are evaluated under a condition."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Region, SSAValue

from polycl.dialects import ocl, vec
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.conversions import convert, to_bool
from polycl.frontends.opencl_c.effects import assigned_in, in_order, is_cheap
from polycl.frontends.opencl_c.operators import COMPARISONS, comparison
from polycl.frontends.opencl_c.places import Places, constant_is_zero
from polycl.frontends.opencl_c.tree import Expr, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind, pointer_to


class ConditionEmitter(Places):
    """Emits conditions as i1 (or vectors of it), without a conversion to C's int."""

    def condition(self, expr: Expr) -> SSAValue:
        """Whether a scalar is not zero, as i1."""
        outer, self.location = self.location, expr.location
        value = self.condition_here(expr)
        self.location = outer
        return value

    def truth(self, expr: Expr) -> SSAValue:
        """A comparison or logical expression as C's int."""
        value = self.condition_here(expr)
        if expr.type.value == i1:
            return value
        return self.op(arith.ExtUIOp, value, type=expr.type.value)

    def condition_here(self, expr: Expr) -> SSAValue:
        match expr:
            case tree.Const(value=value):
                return self.constant(int(value != 0), i1)
            case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
                if left.type.kind is Kind.POINTER or right.type.kind is Kind.POINTER:
                    a, b = self._as_number(left), self._as_number(right)
                    unsigned = pointer_to(left.type, left.type.space)
                    return comparison(self, op, a, b, unsigned)
                if op in ("==", "!=") and constant_is_zero(right) and _is_truth(left):
                    value = self.condition(left)
                    return value if op == "!=" else self.invert(value)
                a, b = self.emit(left), self.emit(right)
                return comparison(self, op, a, b, left.type)
            case tree.Unary(op="!", operand=operand):
                return self.invert(self.condition(operand))
            case tree.Logical(op=op, left=left, right=right):
                return self._short_circuit(op, left, right)
            case tree.Cast(operand=operand, type=type) if (
                type.is_integer and operand.type.is_integer and _keeps_zero(operand.type, type)
            ):
                return self.condition(operand)
            case _:
                return to_bool(self, self.emit(expr), expr.type)

    def _as_number(self, expr: Expr) -> SSAValue:
        value = self.emit(expr)
        if isinstance(value.type, ocl.PtrType):
            return self.op(ocl.PtrToIntOp, value, type=i64)
        return convert(self, value, expr.type, LONG)

    def _short_circuit(self, op: str, left: Expr, right: Expr) -> SSAValue:
        first = self.condition(left)
        if is_cheap(right):
            second = self.condition(right)
            both = arith.AndIOp if op == "&&" else arith.OrIOp
            return self.op(both, first, second)
        sides = [lambda: self.condition(right), lambda: self.constant(int(op == "||"), i1)]
        then, otherwise = sides if op == "&&" else reversed(sides)
        result = self.branch(first, then, otherwise, assigned_in([right]))
        assert result is not None
        return result

    def branch(
        self,
        condition: SSAValue,
        then: Callable[[], SSAValue | None],
        otherwise: Callable[[], SSAValue | None],
        written: set[Variable],
    ) -> SSAValue | None:
        """An scf.if inside an expression, with the value and the `written` variables as results."""
        variables = in_order(written)
        outer_block, outer_values = self.block, dict(self.values)
        regions: list[Region] = []
        results: list[list[SSAValue]] = []
        has_value = True
        for emit in (then, otherwise):
            self.block = Block()
            self.values = dict(outer_values)
            value = emit()
            has_value = value is not None
            results.append([*([] if value is None else [value]), *map(self.get, variables)])
            self.yield_(results[-1])
            regions.append(Region(self.block))
        self.block, self.values = outer_block, outer_values
        types = [result.type for result in results[0]]
        op = self.new(scf.IfOp, [condition], types, regions=regions)
        values = list(op.results)
        result = values.pop(0) if has_value else None
        for variable, value in zip(variables, values, strict=True):
            self.set(variable, value)
        return result

    def vector_logic(self, expr: tree.Unary | tree.Logical) -> SSAValue:
        operands = [expr.operand] if isinstance(expr, tree.Unary) else [expr.left, expr.right]
        masks = [self._nonzero_lanes(self.emit(operand), operand.type) for operand in operands]
        if isinstance(expr, tree.Unary):
            mask = self.invert(masks[0])
        else:
            both = arith.AndIOp if expr.op == "&&" else arith.OrIOp
            mask = self.op(both, masks[0], masks[1])
        return self.op(arith.ExtSIOp, mask, type=expr.type.value)

    def conditional(self, expr: tree.Conditional) -> SSAValue | None:
        kind = expr.condition.type.kind
        if kind is Kind.VECTOR:
            mask = self.lane_mask(self.emit(expr.condition))
            then, otherwise = self.emit(expr.then), self.emit(expr.otherwise)
            return self.op(arith.SelectOp, mask, then, otherwise, type=then.type)
        condition = self.condition(expr.condition)
        if expr.type.kind is not Kind.VOID and is_cheap(expr.then) and is_cheap(expr.otherwise):
            then, otherwise = self.emit(expr.then), self.emit(expr.otherwise)
            return self.op(arith.SelectOp, condition, then, otherwise, type=then.type)
        return self.branch(
            condition,
            lambda: self.effect(expr.then),
            lambda: self.effect(expr.otherwise),
            assigned_in([expr.then, expr.otherwise]),
        )

    def _nonzero_lanes(self, value: SSAValue, type: CType) -> SSAValue:
        mask = _mask_of(value)
        if mask is not None:
            return mask
        return comparison(self, "!=", value, self.constant(0, value.type), type)

    def lane_mask(self, value: SSAValue) -> SSAValue:
        """The highest bit of each element (OpenCL 1.2, section 6.3i)."""
        mask = _mask_of(value)
        if mask is not None:
            return mask
        return self.compare(arith.CmpiOp, "slt", value, self.constant(0, value.type))


def _mask_of(value: SSAValue) -> SSAValue | None:
    """The vector of i1 whose sign extension a vector is."""
    if not isinstance(value.owner, vec.ExtSIOp):
        return None
    mask = value.owner.input
    return mask if vec.element_of(mask.type) == i1 else None


def _is_truth(expr: Expr) -> bool:
    """Whether the expression is 0 or 1 because of its operator."""
    match expr:
        case tree.Binary(op=op):
            return op in COMPARISONS and expr.type.kind is not Kind.VECTOR
        case tree.Unary(op="!") | tree.Logical():
            return expr.type.kind is not Kind.VECTOR
        case tree.Cast(operand=operand, type=type):
            return type.is_integer and (operand.type.kind is Kind.BOOL or _is_truth(operand))
        case _:
            return expr.type.kind is Kind.BOOL


def _keeps_zero(source: CType, target: CType) -> bool:
    return target.kind is Kind.BOOL or target.width >= source.width
