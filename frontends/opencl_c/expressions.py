"""Expressions of the typed tree -> operations."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import VectorType, i1, i64
from xdsl.ir import Block, Region, SSAValue

from polycl.dialects import ocl
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.conversions import convert, from_memory, to_bool, to_memory
from polycl.frontends.opencl_c.effects import (
    assigned_in,
    in_order,
    is_cheap,
    is_volatile,
)
from polycl.frontends.opencl_c.operators import COMPARISONS, arithmetic, comparison, negate
from polycl.frontends.opencl_c.places import Field, Lane, Lanes, Place, Places
from polycl.frontends.opencl_c.tree import Expr, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind, pointer_to


class ExpressionEmitter(Places):
    """Emits expressions; `slots` holds the address of each variable that lies in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.slots: dict[Variable, SSAValue] = {}
        self.first_elements: dict[SSAValue, SSAValue] = {}
        """The address of an array variable -> that of its first element."""

    def emit(self, expr: Expr) -> SSAValue:
        """The value of an expression that has one."""
        value = self.effect(expr)
        assert value is not None, expr
        return value

    def effect(self, expr: Expr) -> SSAValue | None:
        """Evaluate an expression, which may be void."""
        outer, self.location = self.location, expr.location
        value = self._expr(expr)
        self.location = outer
        return value

    def condition(self, expr: Expr) -> SSAValue:
        """Whether a scalar is not zero, as i1 and without a detour over int."""
        outer, self.location = self.location, expr.location
        value = self._condition(expr)
        self.location = outer
        return value

    def _expr(self, expr: Expr) -> SSAValue | None:
        match expr:
            case tree.Const(value=value, type=type):
                return self._constant_of(value, type)
            case tree.Load(place=place):
                return self._load(self.place(place))
            case tree.VarRef() | tree.Index():
                # A place whose value nobody wants; a volatile one is still read.
                return self._load(self.place(expr)) if is_volatile(expr) else None
            case tree.Member() | tree.Lanes() | tree.Element() if tree.is_place(expr):
                return self._load(self.place(expr))
            case tree.Member() | tree.Lanes() | tree.Element():
                return self._part_of_value(expr)
            case tree.AddressOf(place=place):
                return self._address(place, expr.type)
            case tree.Binary() if expr.op in COMPARISONS and expr.left.type.kind is Kind.VECTOR:
                left, right = self.emit(expr.left), self.emit(expr.right)
                mask = self.value(comparison(expr.op, left, right, expr.left.type))
                return self.cast(arith.ExtSIOp, mask, expr.type.value)
            case tree.Unary(op="!") | tree.Logical() if expr.type.kind is Kind.VECTOR:
                return self._vector_logic(expr)
            case tree.Unary(op="!") | tree.Logical():
                return self._truth(expr)
            case tree.Binary(op=op) if op in COMPARISONS:
                return self._truth(expr)
            case tree.Binary():
                return self._binary(expr)
            case tree.Unary(op="-", operand=operand):
                return negate(self, self.emit(operand), expr.type)
            case tree.Unary(op="~", operand=operand):
                value = self.emit(operand)
                return self.value(arith.XOrIOp(value, self.constant(-1, value.type)))
            case tree.Conditional():
                return self._conditional(expr)
            case tree.Comma(first=first, second=second):
                self.effect(first)
                return self.effect(second)
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
                same = value.type == type.value
                return value if same else self.value(ocl.BitcastOp(value, type.value))
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
            case tree.String():
                raise UnsupportedError("strings are supported in printf only", *expr.location)
            case _:
                raise AssertionError(f"{expr} has no value")

    def _constant_of(self, value: int | float, type: CType) -> SSAValue:
        if type.kind is Kind.POINTER:
            return convert(self, self.constant(int(value), i64), LONG, type)
        if type.kind is Kind.EVENT:
            return self.value(ocl.NullEventOp())
        return self.constant(value, type.value)

    def zero(self, type: CType) -> SSAValue:
        """The value that C's zero fill gives an object of a type that is no array or union."""
        if type.kind is not Kind.STRUCT:
            return self._constant_of(0, type)
        return self._struct(tree.Aggregate(self.location, type, {}))

    def _load(self, place: Place) -> SSAValue:
        if place.type.kind is not Kind.UNION:
            return self.load(place)
        pointer = self._bytes(self.pointer_of(place), place.type)
        return self.value(ocl.LoadOp(pointer, volatile=place.volatile))

    def _bytes(self, pointer: SSAValue, union: CType) -> SSAValue:
        """The address of a union as that of a struct of its bytes, which can be a value."""
        assert isinstance(pointer.type, ocl.PtrType)
        return self.value(ocl.CastOp(pointer, ocl.PtrType(bytes_of(union), pointer.type.space)))

    def place(self, expr: Expr) -> Place:
        """Evaluate what a place consists of: pointers and indices."""
        outer, self.location = self.location, expr.location
        place = self._place(expr)
        self.location = outer
        return place

    def _place(self, expr: Expr) -> Place:
        match expr:
            case tree.VarRef(variable=variable):
                type = variable.type
                if not variable.in_memory:
                    return Place(type, type, variable=variable)
                return Place(type, type, pointer=self.slot(variable), volatile=variable.volatile)
            case tree.Index(pointer=pointer, index=index):
                address = self.emit(pointer)
                offset = None if index is None else self.index(index)
                if constant_is_zero(index):
                    offset = None
                # `(p + i)[0]` is `p[i]`.
                if offset is None and isinstance(address.owner, ocl.OffsetOp):
                    address, offset = address.owner.pointer, address.owner.index
                type = expr.type
                address = self._pointing_to(address, type)
                return Place(
                    type, type, pointer=address, index=offset, volatile=pointer.type.volatile
                )
            case tree.Member(base=base, field=field):
                place = self.place(base)
                if place.variable is not None:
                    return _step(place, Field(field), expr.type)
                address = self.value(ocl.MemberOp(self.pointer_of(place), field))
                type = expr.type
                return Place(type, type, pointer=address, volatile=place.volatile)
            case tree.Lanes(base=base, lanes=lanes):
                return _step(self.place(base), Lanes(lanes), expr.type)
            case tree.Element(base=base, index=index):
                place = self.place(base)
                return _step(place, Lane(self.index(index)), expr.type)
            case _:
                raise AssertionError(f"{expr} is no place")

    def _pointing_to(self, address: SSAValue, type: CType) -> SSAValue:
        """A pointer that was written with pointee i8 to keep a struct finite, as it is meant."""
        assert isinstance(address.type, ocl.PtrType)
        if address.type.pointee == type.memory or type.kind in (Kind.VOID, Kind.FUNCTION):
            return address
        return self.value(ocl.CastOp(address, ocl.PtrType(type.memory, address.type.space)))

    def slot(self, variable: Variable) -> SSAValue:
        """The address of a variable in memory."""
        if variable.symbol:
            pointee = ocl.PtrType(variable.type.memory, ocl.AddressSpace.CONSTANT)
            return self.value(ocl.AddressOfOp(variable.symbol, pointee))
        return self.slots[variable]

    def index(self, expr: Expr) -> SSAValue:
        """An integer expression as index."""
        return self.to_index(self.emit(expr), expr.type.signed)

    def _address(self, place: Expr, type: CType) -> SSAValue:
        if isinstance(place, tree.VarRef) and place.variable in self.slots:
            first = self.first_elements.get(self.slots[place.variable])
            if first is not None and first.type == type.value:
                return first
        target = self.place(place)
        return convert(self, self.pointer_of(target), pointer_to(target.type, type.space), type)

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

    def _truth(self, expr: Expr) -> SSAValue:
        """A comparison or logical expression as C's int."""
        value = self._condition(expr)
        if expr.type.value == i1:
            return value
        return self.cast(arith.ExtUIOp, value, expr.type.value)

    def _condition(self, expr: Expr) -> SSAValue:
        match expr:
            case tree.Const(value=value):
                return self.constant(int(value != 0), i1)
            case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
                if left.type.kind is Kind.POINTER or right.type.kind is Kind.POINTER:
                    a, b = self._as_number(left), self._as_number(right)
                    unsigned = pointer_to(left.type, left.type.space)
                    return self.value(comparison(op, a, b, unsigned))
                if op in ("==", "!=") and constant_is_zero(right) and _is_truth(left):
                    value = self.condition(left)
                    return value if op == "!=" else self.invert(value)
                a, b = self.emit(left), self.emit(right)
                return self.value(comparison(op, a, b, left.type))
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
            return self.value(ocl.PtrToIntOp(value))
        return convert(self, value, expr.type, LONG)

    def _short_circuit(self, op: str, left: Expr, right: Expr) -> SSAValue:
        first = self.condition(left)
        if is_cheap(right):
            second = self.condition(right)
            both = arith.AndIOp if op == "&&" else arith.OrIOp
            return self.value(both(first, second))
        short = lambda: self.constant(int(op == "||"), i1)  # noqa: E731
        long = lambda: self.condition(right)  # noqa: E731
        branches = (long, short) if op == "&&" else (short, long)
        result = self.branch(first, *branches, assigned_in([right]))
        assert result is not None
        return result

    def branch(
        self,
        condition: SSAValue,
        then: Callable[[], SSAValue | None],
        otherwise: Callable[[], SSAValue | None],
        written: set[Variable],
    ) -> SSAValue | None:
        """An scf.if inside an expression; `written` become results beside the value."""
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
        op = self.add(scf.IfOp(condition, types, regions[0], regions[1]))
        values = list(op.results)
        result = values.pop(0) if has_value else None
        for variable, value in zip(variables, values, strict=True):
            self.set(variable, value)
        return result

    def _vector_logic(self, expr: tree.Unary | tree.Logical) -> SSAValue:
        operands = [expr.operand] if isinstance(expr, tree.Unary) else [expr.left, expr.right]
        masks: list[SSAValue] = []
        for operand in operands:
            masks.append(self._nonzero_lanes(self.emit(operand), operand.type))
        if isinstance(expr, tree.Unary):
            mask = self.invert(masks[0])
        else:
            both = arith.AndIOp if expr.op == "&&" else arith.OrIOp
            mask = self.value(both(masks[0], masks[1]))
        return self.cast(arith.ExtSIOp, mask, expr.type.value)

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
        return arithmetic(self, expr.op, a, b, expr.type)

    def _pointer_difference(self, left: Expr, right: Expr, type: CType) -> SSAValue:
        from polycl.dialects.ocl.layout import stride_of

        a, b = (self.value(ocl.PtrToIntOp(self.emit(side))) for side in (left, right))
        difference = self.value(arith.SubiOp(a, b))
        size = stride_of(left.type.element.memory)
        if size > 1:
            difference = self.value(arith.DivSIOp(difference, self.constant(size, i64)))
        return convert(self, difference, LONG, type)

    def _moved(self, pointer: SSAValue, type: CType, amount: Expr, back: bool) -> SSAValue:
        """`pointer + amount` or `pointer - amount`."""
        index = self.index(amount)
        if back:
            index = self.value(arith.SubiOp(self.constant(0, INDEX), index))
        pointer = self._pointing_to(pointer, type.element)
        return self.value(ocl.OffsetOp(pointer, index))

    def _conditional(self, expr: tree.Conditional) -> SSAValue | None:
        kind = expr.condition.type.kind
        if kind is Kind.VECTOR:
            mask = self.lane_mask(self.emit(expr.condition))
            then, otherwise = self.emit(expr.then), self.emit(expr.otherwise)
            return self.value(arith.SelectOp(mask, then, otherwise))
        condition = self.condition(expr.condition)
        if expr.type.kind is not Kind.VOID and is_cheap(expr.then) and is_cheap(expr.otherwise):
            then, otherwise = self.emit(expr.then), self.emit(expr.otherwise)
            return self.value(arith.SelectOp(condition, then, otherwise))
        return self.branch(
            condition,
            lambda: self.effect(expr.then),
            lambda: self.effect(expr.otherwise),
            assigned_in([expr.then, expr.otherwise]),
        )

    def _nonzero_lanes(self, value: SSAValue, type: CType) -> SSAValue:
        mask = _comparison_behind(value)
        if mask is not None:
            return mask
        return self.value(comparison("!=", value, self.constant(0, value.type), type))

    def lane_mask(self, value: SSAValue) -> SSAValue:
        """The highest bit of each element (OpenCL 1.2, section 6.3i)."""
        mask = _comparison_behind(value)
        if mask is not None:
            return mask
        return self.value(arith.CmpiOp(value, self.constant(0, value.type), "slt"))

    def truth_of(self, value: SSAValue, type: CType) -> SSAValue:
        """`value != 0` as i1."""
        return to_bool(self, value, type)

    def _assign(self, target: Expr, source: Expr) -> SSAValue:
        if target.type.kind is Kind.UNION:
            value = self.emit(source)
            place = self.place(target)
            pointer = self._bytes(self.pointer_of(place), target.type)
            self.add(ocl.StoreOp(value, pointer, volatile=place.volatile))
            return value
        value = self.emit(source)
        self.store(self.place(target), value)
        return value

    def _compound(self, expr: tree.CompoundAssign) -> SSAValue:
        if expr.place.type.kind is Kind.POINTER:
            place = self.place(expr.place)
            old = self.load(place)
            new = self._moved(old, expr.place.type, expr.value, expr.op == "-")
            self.store(place, new)
            return new
        # The right side first: it may change the place's variable (`x += x++` is undefined).
        right = self.emit(expr.value)
        place = self.place(expr.place)
        compute = expr.compute
        left = convert(self, self.load(place), expr.place.type, compute)
        if right.type != left.type:
            right = convert(self, right, expr.value.type, compute)
        value = arithmetic(self, expr.op, left, right, compute)
        value = convert(self, value, compute, expr.place.type)
        self.store(place, value)
        return value

    def _increment(self, expr: tree.Increment) -> SSAValue:
        place = self.place(expr.place)
        old = self.load(place)
        type = expr.place.type
        if type.kind is Kind.POINTER:
            pointer = self._pointing_to(old, type.element)
            new = self.value(ocl.OffsetOp(pointer, self.constant(expr.delta, INDEX)))
        elif type.kind is Kind.BOOL:
            one = self.constant(1, i1)
            new = one if expr.delta > 0 else self.value(arith.XOrIOp(old, one))
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
            return self._condition(operand)
        return convert(self, self.emit(operand), operand.type, type)

    def _call(self, call: tree.Call) -> SSAValue | None:
        arguments = [self.emit(argument) for argument in call.arguments]
        results = [] if call.type.kind is Kind.VOID else [call.type.value]
        if call.type.kind is Kind.UNION:
            raise UnsupportedError(
                "a function that returns a union is not supported", *call.location
            )
        op = self.add(func.CallOp(call.function, arguments, results))
        return op.results[0] if results else None

    def _vector(self, parts: list[Expr], type: CType) -> SSAValue:
        assert isinstance(type.value, VectorType)
        if all(isinstance(part, tree.Const) for part in parts):
            numbers = [part.value for part in parts if isinstance(part, tree.Const)]
            if len({repr(number) for number in numbers}) == 1:
                return self.constant(numbers[0], type.value)
        values = [self.emit(part) for part in parts]
        return self.value(ocl.ConcatOp(values, type.value))

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


def bytes_of(union: CType) -> ocl.StructType:
    """A struct with the size and alignment of a union, which can be an SSA value."""
    from xdsl.dialects.builtin import i8

    from polycl.dialects.ocl.layout import align_of, size_of

    array = ocl.ArrayType(size_of(union.memory), i8)
    tag = f"{union.spelling}.bytes"
    return ocl.StructType(tag, [("bytes", array)], alignment=align_of(union.memory))


def _comparison_behind(value: SSAValue) -> SSAValue | None:
    """The vector of i1 that a vector of 0 and -1 was made from."""
    if not isinstance(value.owner, arith.ExtSIOp):
        return None
    mask = value.owner.input
    is_mask = isinstance(mask.type, VectorType) and mask.type.element_type == i1
    return mask if is_mask else None


def constant_is_zero(expr: Expr | None) -> bool:
    return isinstance(expr, tree.Const) and expr.value == 0


def _step(place: Place, step: Field | Lanes | Lane, type: CType) -> Place:
    return Place(
        type,
        place.whole,
        place.variable,
        place.pointer,
        place.index,
        (*place.steps, step),
        place.volatile,
    )


def _is_truth(expr: Expr) -> bool:
    """Whether the expression is 0 or 1 by its form."""
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
