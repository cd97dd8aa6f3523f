"""Expressions of the typed tree -> operations."""

from __future__ import annotations

from abc import abstractmethod

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import VectorType, i1, i64
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.conditions import ConditionEmitter
from polycl.frontends.opencl_c.conversions import convert, from_memory, to_memory
from polycl.frontends.opencl_c.effects import (
    is_volatile,
)
from polycl.frontends.opencl_c.operators import COMPARISONS, arithmetic, comparison, negate
from polycl.frontends.opencl_c.places import Lane, Place
from polycl.frontends.opencl_c.tree import Expr
from polycl.frontends.opencl_c.types import LONG, CType, Kind, bytes_of, passed_type, pointer_type


class ExpressionEmitter(ConditionEmitter):
    def effect(self, expr: Expr) -> SSAValue | None:
        outer, self.location = self.location, expr.location
        value = self._expr(expr)
        self.location = outer
        return value

    def _expr(self, expr: Expr) -> SSAValue | None:
        match expr:
            case tree.Const(value=value, type=type):
                return self._constant_of(value, type)
            case tree.Load(place=place):
                return self._load(self.place(place))
            case tree.VarRef() | tree.Literal() | tree.Index():
                # The value of the place is unused; a volatile one is still read.
                if is_volatile(expr):
                    return self._load(self.place(expr))
                if isinstance(expr, tree.Index):
                    # Of C++: an operator's result is a reference, as in `a += b`.
                    self.effect(expr.pointer)
                    if expr.index is not None:
                        self.effect(expr.index)
                return None
            case tree.Member() | tree.Lanes() | tree.Element() if tree.is_place(expr):
                return self._load(self.place(expr))
            case tree.Member() | tree.Lanes() | tree.Element():
                return self._part_of_value(expr)
            case tree.AddressOf(place=place):
                return self.address(place, expr.type)
            case tree.Binary() if expr.op in COMPARISONS and expr.left.type.kind is Kind.VECTOR:
                left, right = self.emit(expr.left), self.emit(expr.right)
                mask = comparison(self, expr.op, left, right, expr.left.type)
                return self.op(arith.ExtSIOp, mask, type=expr.type.value)
            case tree.Unary(op="!") | tree.Logical() if expr.type.kind is Kind.VECTOR:
                return self.vector_logic(expr)
            case tree.Unary(op="!") | tree.Logical():
                return self.truth(expr)
            case tree.Binary(op=op) if op in COMPARISONS:
                return self.truth(expr)
            case tree.Binary():
                return self._binary(expr)
            case tree.Unary(op="-", operand=operand):
                return negate(self, self.emit(operand), expr.type)
            case tree.Unary(op="~", operand=operand):
                value = self.emit(operand)
                return self.op(arith.XOrIOp, value, self.constant(-1, value.type))
            case tree.Conditional():
                return self.conditional(expr)
            case tree.Comma(first=first, second=second):
                self.effect(first)
                return self.effect(second)
            case tree.Assign(place=target, value=tree.Aggregate() as source) if (
                source.type.needs_memory
            ):
                # Of the readers' own variables, whose value is read after it.
                self.initialize(self.pointer_of(self.place(target)), source)
                return None
            case tree.Assign(place=target, value=source):
                return self._assign(target, source)
            case tree.CompoundAssign():
                return self._compound(expr)
            case tree.Increment():
                return self._increment(expr)
            case tree.Cast(operand=operand, type=type):
                return self._cast(operand, type)
            case tree.Reinterpret(operand=operand, type=type):
                value = self.emit(operand)
                if value.type != type.value:
                    return self.op(ocl.BitcastOp, value, type=type.value)
                # `as_int` of an unsigned sum may wrap, as a cast of it may.
                are_numbers = operand.type.kind is type.kind in (Kind.INT, Kind.VECTOR)
                return convert(self, value, operand.type, type) if are_numbers else value
            case tree.Call():
                return self._call(expr)
            case tree.BuiltinCall():
                # The table of builtins calls back into this class.
                from polycl.frontends.opencl_c.builtins import emit_builtin

                return emit_builtin(self, expr)
            case tree.VectorLiteral(parts=parts, type=type):
                return self._vector(parts, type)
            case tree.Aggregate():
                return self._struct(expr)
            case _:
                raise AssertionError(f"{expr} has no value")

    def _constant_of(self, value: int | float, type: CType) -> SSAValue:
        if type.kind is Kind.POINTER:
            return convert(self, self.constant(int(value), i64), LONG, type)
        if type.kind is Kind.EVENT:
            return self.value(ocl.NullEventOp())
        if type.kind is Kind.SAMPLER:
            return self.value(ocl.SamplerOp(int(value)))
        return self.constant(value, type.value)

    def zero(self, type: CType) -> SSAValue:
        """C's zero value of a type that is not an array or union."""
        if type.kind is not Kind.STRUCT:
            return self._constant_of(0, type)
        return self._struct(tree.Aggregate(self.location, type, {}))

    def _load(self, place: Place) -> SSAValue:
        if place.type.kind is not Kind.UNION:
            return self.load(place)
        pointer = self._bytes(self.pointer_of(place), place.type)
        return self.load_from(pointer, volatile=place.volatile)

    def _bytes(self, pointer: SSAValue, union: CType) -> SSAValue:
        """The address of a union as that of a struct of its bytes, which can be a value."""
        return self.op(
            ocl.CastOp, pointer, type=pointer_type(bytes_of(union), ocl.space_of(pointer))
        )

    def _part_of_value(self, expr: tree.Member | tree.Lanes | tree.Element) -> SSAValue:
        base = self.emit(expr.base)
        match expr:
            case tree.Member(field=field):
                return from_memory(self, self.value(ocl.ExtractOp(base, field)), expr.type)
            case tree.Lanes(lanes=lanes) if len(lanes) == 1:
                return self.lane(base, lanes[0])
            case tree.Lanes(lanes=lanes):
                return self.swizzle(base, lanes)
            case tree.Element(index=index):
                return self._part(base, (Lane(self.index(index)),))

    def _binary(self, expr: tree.Binary) -> SSAValue:
        left, right = expr.left, expr.right
        if left.type.kind is Kind.POINTER and right.type.kind is Kind.POINTER:
            return self._pointer_difference(left, right, expr.type)
        if left.type.kind is Kind.POINTER:
            return self._moved(self.emit(left), left.type, right, expr.op == "-")
        if right.type.kind is Kind.POINTER:
            return self._moved(self.emit(right), right.type, left, False)
        a, b = self.emit(left), self.emit(right)
        # A shift's right side keeps its own type.
        if a.type != b.type:
            b = convert(self, b, right.type, left.type)
        return arithmetic(self, expr.op, a, b, expr.type, may_fuse=expr.may_fuse)

    def _pointer_difference(self, left: Expr, right: Expr, type: CType) -> SSAValue:
        a, b = (self.op(ocl.PtrToIntOp, self.emit(side), type=i64) for side in (left, right))
        difference = self.op(arith.SubiOp, a, b)
        size = stride_of(left.type.element.memory)
        if size > 1:
            difference = self.op(arith.DivSIOp, difference, self.constant(size, i64))
        return convert(self, difference, LONG, type)

    def _moved(self, pointer: SSAValue, type: CType, amount: Expr, back: bool) -> SSAValue:
        """`pointer + amount` or `pointer - amount`."""
        index = self.index(amount)
        if back:
            index = self.op(arith.SubiOp, self.constant(0, INDEX), index)
        pointer = self.pointing_to(pointer, type.element)
        return self.op(ocl.OffsetOp, pointer, index)

    @abstractmethod
    def initialize(self, pointer: SSAValue, value: Expr, volatile: bool = False) -> None:
        """Store an initial value; arrays and structs in memory are stored by parts."""

    def _assign(self, target: Expr, source: Expr) -> SSAValue:
        value = self.emit(source)
        place = self.place(target)
        if target.type.kind is Kind.UNION:
            pointer = self._bytes(self.pointer_of(place), target.type)
            self.store_to(value, pointer, volatile=place.volatile)
        else:
            self.store(place, value)
        return value

    def _compound(self, expr: tree.CompoundAssign) -> SSAValue:
        if expr.place.type.kind is Kind.POINTER:
            place = self.place(expr.place)
            old = self.load(place)
            new = self._moved(old, expr.place.type, expr.value, expr.op == "-")
            self.store(place, new)
            return new
        # The right side is first since it may change the place's variable (`x += x++`).
        right = self.emit(expr.value)
        place = self.place(expr.place)
        compute = expr.compute
        left = convert(self, self.load(place), expr.place.type, compute)
        if right.type != left.type:
            right = convert(self, right, expr.value.type, compute)
        value = arithmetic(self, expr.op, left, right, compute, may_fuse=expr.may_fuse)
        value = convert(self, value, compute, expr.place.type)
        self.store(place, value)
        return value

    def _increment(self, expr: tree.Increment) -> SSAValue:
        place = self.place(expr.place)
        old = self.load(place)
        type = expr.place.type
        if type.kind is Kind.POINTER:
            pointer = self.pointing_to(old, type.element)
            new = self.op(ocl.OffsetOp, pointer, self.constant(expr.delta, INDEX))
        elif type.kind is Kind.BOOL:
            one = self.constant(1, i1)
            new = one if expr.delta > 0 else self.op(arith.XOrIOp, old, one)
        else:
            op = "+" if expr.delta > 0 else "-"
            new = arithmetic(self, op, old, self.constant(1, type.value), type)
        self.store(place, new)
        return new if expr.prefix else old

    def _cast(self, operand: Expr, type: CType) -> SSAValue | None:
        if type.kind is Kind.VOID:
            self.effect(operand)
            return None
        if type.kind is Kind.BOOL:
            return self.condition_here(operand)
        return convert(self, self.emit(operand), operand.type, type)

    def _call(self, call: tree.Call) -> SSAValue | None:
        arguments = [self.emit(argument) for argument in call.arguments]
        arguments += [self.slots[v] for v in self.implicit_arguments.get(call.function, ())]
        results = [] if call.type.kind is Kind.VOID else [passed_type(call.type)]
        op = self.add(func.CallOp(call.function, arguments, results))
        return op.results[0] if results else None

    def _vector(self, parts: list[Expr], type: CType) -> SSAValue:
        assert isinstance(type.value, VectorType)
        numbers = [part.value for part in parts if isinstance(part, tree.Const)]
        if len(numbers) == len(parts) and len(set(map(repr, numbers))) == 1:
            return self.constant(numbers[0], type.value)
        values = [self.emit(part) for part in parts]
        return self.op(ocl.ConcatOp, *values, type=type.value)

    def _struct(self, expr: tree.Aggregate) -> SSAValue:
        """A struct value; fields without an entry are zero."""
        type = expr.type
        assert isinstance(type.value, ocl.StructType)
        if type.needs_memory:
            raise UnsupportedError(
                f"a temporary '{type.spelling}' with an array or union in it is not supported",
                *expr.location,
            )
        result = self.poison(type.value)
        for name, field in type.fields:
            entry = expr.entries.get(name)
            value = self.zero(field) if entry is None else self.emit(entry)
            memory = to_memory(self, value, field.memory)
            result = self.value(ocl.InsertOp(memory, result, name))
        return result
