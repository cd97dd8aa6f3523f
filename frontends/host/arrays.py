"""The host's memory: arrays are one-dimensional memrefs, pointers have an offset in one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Region, SSAValue

from polycl.errors import UnsupportedError
from polycl.frontends.host.host_types import SETUP, is_setup, scalar_of
from polycl.frontends.host.rewriting import is_null, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.conversions import to_memory
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.operators import COMPARISONS, comparison
from polycl.frontends.opencl_c.places import Field, Place
from polycl.frontends.opencl_c.statements import StatementEmitter
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind

Pointer = tuple[SSAValue, SSAValue | None]
"""An array and an offset in elements of it (None: zero)."""


class ArrayEmitter(StatementEmitter):
    """Emits statements; `slots` has the array of each variable in memory."""

    def __init__(self, liveness: Liveness) -> None:
        super().__init__(liveness)
        self.offsets: dict[Variable, SSAValue] = {}
        """The offsets of pointers that do not point to the start of their array."""

    @abstractmethod
    def new_array(self, call: tree.BuiltinCall, element: CType) -> SSAValue | None:
        """The array that malloc or a similar function allocates; None for other calls."""

    def allocate(self, variable: Variable) -> None:
        """Allocate memory for a variable."""
        element, count = scalar_of(variable.type)
        slot = self.array(self.constant(count, INDEX), element.memory)
        slot.name_hint = variable.hint
        self.slots[variable] = slot

    @abstractmethod
    def array(self, count: SSAValue, element: Attribute) -> SSAValue:
        """A new array of the host."""

    # Pointers.

    def pointer(self, expr: Expr, element: CType | None = None) -> Pointer:
        """The array and offset of a pointer; `element` is its pointee.

        Raises:
            UnsupportedError: the pointer does not point into a known array.
        """
        outer, self.location = self.location, expr.location
        found = self._pointer(expr, element or expr.type.element)
        self.location = outer
        return found

    def _pointer(self, expr: Expr, element: CType) -> Pointer:
        match expr:
            case tree.Cast(operand=operand) if operand.type.kind in (Kind.POINTER, Kind.ARRAY):
                is_known = element.kind is not Kind.VOID
                return self._pointer(operand, element if is_known else operand.type.element)
            case tree.Load(place=tree.VarRef(variable=variable)) if not variable.in_memory:
                return self.get(variable), self.offsets.get(variable)
            case tree.AddressOf(place=tree.VarRef(variable=variable)) if variable in self.slots:
                return self.slots[variable], None
            case tree.AddressOf(place=tree.Index(pointer=pointer, index=index)):
                return self._moved_by(self.pointer(pointer), pointer, index)
            case tree.Binary(op="+" | "-" as op, left=left, right=right):
                if right.type.kind is Kind.POINTER:
                    left, right = right, left
                return self._moved_by(self.pointer(left), left, right, -1 if op == "-" else 1)
            case tree.BuiltinCall():
                array = self.new_array(expr, element)
                if array is not None:
                    return array, None
            case tree.Comma(first=first, second=second):
                self.effect(first)
                return self._pointer(second, element)
            case _:
                pass
        what = "a null pointer" if is_null(expr) else "this pointer"
        raise UnsupportedError(
            f"{what} is not supported here: expected an array, a pointer to one, or malloc",
            *expr.location,
        )

    def _moved_by(self, base: Pointer, pointer: Expr, index: Expr | None, sign: int = 1) -> Pointer:
        """`pointer + index`; an element of an array of arrays is several elements."""
        array, offset = base
        if index is None:
            return base
        _, count = scalar_of(pointer.type.element)
        amount = self.index(index)
        if count > 1:
            amount = self.product(amount, self.constant(count, INDEX))
        if offset is None and sign < 0:
            offset = self.constant(0, INDEX)
        if constant_of(amount) == 0:
            return array, offset
        return array, amount if offset is None else self.index_sum(offset, amount, sign)

    @abstractmethod
    def product(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a * b` of two index values."""

    def set_pointer(self, variable: Variable, value: Expr) -> None:
        """`variable = value` of a pointer."""
        array, offset = self.pointer(value, variable.type.element)
        if array.type != variable.type.value:
            raise UnsupportedError(
                f"an array of '{value.type.element.spelling}' as one of "
                f"'{variable.type.element.spelling}' is not supported on the host",
                *value.location,
            )
        self.set(variable, array)
        self.offsets.pop(variable, None)
        if offset is not None:
            self.offsets[variable] = offset

    def statement(self, statement: Stmt) -> None:
        match statement:
            case tree.Evaluate(expr=expr) if expr.type.kind is Kind.POINTER and not isinstance(
                expr, tree.Assign | tree.BuiltinCall
            ):
                # Such as `p++`, whose value is unused.
                self.pointer(expr)
            case _:
                super().statement(statement)

    def _pointer_difference(self, left: Expr, right: Expr, type: CType) -> SSAValue:
        start, end = self._offsets(left, right)
        return self.from_index(self.index_sum(start, end, -1), type.value)

    def _compared(self, expr: tree.Binary) -> SSAValue:
        """A comparison of pointers into the same array."""
        start, end = self._offsets(expr.left, expr.right)
        return comparison(self, expr.op, start, end, LONG)

    def _offsets(self, left: Expr, right: Expr) -> tuple[SSAValue, SSAValue]:
        (first, start), (second, end) = self.pointer(left), self.pointer(right)
        if first is not second:
            raise UnsupportedError(
                "pointers into different arrays cannot be compared or subtracted", *left.location
            )
        zero = self.constant(0, INDEX)
        return start or zero, end or zero

    def _declare(self, variable: Variable, initializer: Expr | None) -> None:
        if variable.type.kind is Kind.POINTER and not variable.in_memory:
            self.values.pop(variable, None)
            self.offsets.pop(variable, None)
            if initializer is not None:
                self.set_pointer(variable, initializer)
            return
        if is_setup(variable.type):
            if initializer is not None:
                self.effect(initializer)
            return
        super()._declare(variable, initializer)

    def _assign(self, target: Expr, source: Expr) -> SSAValue:
        if target.type.kind is Kind.POINTER:
            if not isinstance(target, tree.VarRef) or target.variable.in_memory:
                raise UnsupportedError(
                    "pointers in arrays and structs are not supported on the host; use one "
                    "array for all of them",
                    *target.location,
                )
            self.set_pointer(target.variable, source)
            return self.values[target.variable]
        if is_setup(target.type):
            self.effect(source)
            return self.constant(0, SETUP.value)
        return super()._assign(target, source)

    def get(self, variable: Variable) -> SSAValue:
        if variable.type.kind is Kind.POINTER and variable not in self.values:
            raise UnsupportedError(
                f"'{variable.name}' does not point to an array on all paths to this place",
                *self.location,
            )
        return super().get(variable)

    def yield_(self, values: list[SSAValue]) -> None:
        moved = [v for v, value in self.values.items() if v in self.offsets and value in values]
        if moved and any(isinstance(value.type, MemRefType) for value in values):
            raise UnsupportedError(
                f"'{moved[0].name}' points into the middle of an array after a branch or loop; "
                "use an index instead",
                *self.location,
            )
        super().yield_(values)

    # Places.

    def _place(self, expr: Expr) -> Place:
        match expr:
            case tree.VarRef(variable=variable) if variable.in_memory:
                if variable not in self.slots:
                    self.allocate(variable)
                return Place(variable.type, variable.type, pointer=self.slots[variable])
            case tree.Index(pointer=pointer):
                if expr.type.kind in (Kind.POINTER, Kind.HANDLE, Kind.UNION):
                    raise UnsupportedError(
                        f"'{expr.type.spelling}' in an array is not supported on the host where "
                        "the index is not a constant",
                        *expr.location,
                    )
                array, offset = self.pointer(tree.AddressOf(expr.location, pointer.type, expr))
                assert isinstance(array.type, MemRefType)
                if array.type.element_type != expr.type.memory:
                    raise UnsupportedError(
                        f"an access of '{expr.type.spelling}' in an array of "
                        f"{array.type.element_type} is not supported on the host",
                        *expr.location,
                    )
                return Place(expr.type, expr.type, pointer=array, index=offset)
            case tree.Member(base=base, field=field):
                if base.type.kind is Kind.UNION:
                    raise UnsupportedError("unions are not supported on the host", *expr.location)
                if expr.type.kind in (Kind.POINTER, Kind.HANDLE, Kind.ARRAY):
                    raise UnsupportedError(
                        f"'{field}' of type '{expr.type.spelling}' is not supported on the host "
                        "in a struct in memory",
                        *expr.location,
                    )
                place = self.place(base)
                steps = (*place.steps, Field(field))
                return Place(
                    expr.type, place.whole, place.variable, place.pointer, place.index, steps
                )
            case _:
                return super()._place(expr)

    def address(self, place: Expr, type: CType) -> SSAValue:
        array, offset = self.pointer(tree.AddressOf(place.location, type, place))
        if offset is not None:
            raise UnsupportedError(
                "the address of a part of an array is not supported here", *place.location
            )
        return array

    def load_from(
        self, pointer: SSAValue, index: SSAValue | None = None, *, volatile: bool = False
    ) -> SSAValue:
        index = self.constant(0, INDEX) if index is None else index
        return self.value(memref.LoadOp.get(pointer, [index]))

    def store_to(
        self,
        value: SSAValue,
        pointer: SSAValue,
        index: SSAValue | None = None,
        *,
        volatile: bool = False,
    ) -> None:
        index = self.constant(0, INDEX) if index is None else index
        self.add(memref.StoreOp.get(value, pointer, [index]))

    def store(self, place: Place, value: SSAValue) -> None:
        if place.pointer is not None and place.steps:
            value = self._with_part(self._load_whole(place), place.steps, value)
            place = Place(place.whole, place.whole, pointer=place.pointer, index=place.index)
        super().store(place, value)

    def _store_whole(self, place: Place, value: SSAValue) -> None:
        array = place.pointer
        assert array is not None and isinstance(array.type, MemRefType)
        self.store_to(to_memory(self, value, array.type.element_type), array, place.index)

    # Initial values.

    def initialize(self, pointer: SSAValue, value: Expr, volatile: bool = False) -> None:
        if value.type.kind is not Kind.ARRAY:
            self._initialize_value(pointer, self.emit(value))
            return
        self._initialize_from(pointer, value, 0)

    def _initialize_value(self, array: SSAValue, value: SSAValue, index: int = 0) -> None:
        assert isinstance(array.type, MemRefType)
        stored = to_memory(self, value, array.type.element_type)
        self.store_to(stored, array, self.constant(index, INDEX))

    def _initialize_from(self, array: SSAValue, value: Expr, start: int) -> None:
        assert isinstance(value, tree.Aggregate)
        type = value.type
        scalar, size = scalar_of(type.element)
        if len(value.entries) < type.count:
            zero = to_memory(self, self.zero(scalar), scalar.memory)
            low = self.constant(start, INDEX)
            self.fill(array, low, self.constant(start + type.count * size, INDEX), zero)
        for key, entry in value.entries.items():
            place = start + int(key) * size
            if entry.type.kind is Kind.ARRAY:
                self._initialize_from(array, entry, place)
            else:
                self._initialize_value(array, self.emit(entry), place)

    def fill(self, array: SSAValue, low: SSAValue, high: SSAValue, value: SSAValue) -> None:
        """`array[low .. high) = value`."""
        self.loop(low, high, lambda index: self.store_to(value, array, index))

    def loop(self, low: SSAValue, high: SSAValue, body: Callable[[SSAValue], None]) -> None:
        """A loop over the numbers from `low` to `high`; `body` emits its body."""
        step = self.constant(1, INDEX)
        outer, block = self.block, Block(arg_types=[INDEX])
        block.args[0].name_hint = "i"
        self.block = block
        body(block.args[0])
        super().yield_([])
        self.block = outer
        self.new(scf.ForOp, [low, high, step], regions=[Region(block)])

    def _cast(self, operand: Expr, type: CType) -> SSAValue | None:
        if type.kind is Kind.POINTER and operand.type.kind is not Kind.POINTER:
            raise UnsupportedError(
                "a pointer that is not an array is not supported on the host", *operand.location
            )
        return super()._cast(operand, type)

    # Truth.

    def condition_here(self, expr: Expr) -> SSAValue:
        plain = without_casts(expr)
        if isinstance(expr, tree.Binary) and expr.op in COMPARISONS:
            if expr.left.type.kind is Kind.POINTER and expr.right.type.kind is Kind.POINTER:
                return self._compared(expr)
        if plain.type.kind in (Kind.POINTER, Kind.HANDLE):
            raise UnsupportedError(
                "a test of this pointer is not supported on the host", *expr.location
            )
        return super().condition_here(expr)
