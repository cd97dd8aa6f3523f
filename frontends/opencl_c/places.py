"""Places: variables and memory, and the parts of them that C can read and write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith, vector
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.vec import count_of, element_of
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, Builder
from polycl.frontends.opencl_c.conversions import convert, from_memory, to_memory, with_sign
from polycl.frontends.opencl_c.debug_variables import DebugVariables
from polycl.frontends.opencl_c.strings import Strings
from polycl.frontends.opencl_c.tree import Expr, Variable
from polycl.frontends.opencl_c.types import CType, Kind, pointer_to, pointer_type


@dataclass(frozen=True)
class Field:
    """`.name` of a struct that is an SSA value."""

    name: str


@dataclass(frozen=True)
class Lanes:
    """`.xyz` of a vector."""

    lanes: tuple[int, ...]


@dataclass(frozen=True)
class Lane:
    """`[i]` of a vector."""

    index: SSAValue


Step = Field | Lanes | Lane


@dataclass(frozen=True)
class Place:
    """A variable or `pointer[index]`, and the steps to a part of it.

    `type` is the type of the part, `whole` that of the variable or of the pointee.
    """

    type: CType
    whole: CType
    variable: Variable | None = None
    pointer: SSAValue | None = None
    index: SSAValue | None = None
    steps: tuple[Step, ...] = ()
    volatile: bool = False


class Places(Builder, ABC):
    """Emits, reads and writes places.

    `values` holds the present SSA value of each variable, `slots` the address of each variable in
    memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[Variable, SSAValue] = {}
        self.slots: dict[Variable, SSAValue] = {}
        self.first_elements: dict[SSAValue, SSAValue] = {}
        """The address of an array variable -> that of its first element."""
        self.strings = Strings()
        self.debug: DebugVariables | None = None
        self.implicit_arguments: Mapping[str, Sequence[Variable]] = {}
        """The variables whose addresses a function takes after its arguments."""

    @abstractmethod
    def effect(self, expr: Expr) -> SSAValue | None:
        """Evaluate an expression, which may be void."""

    @abstractmethod
    def initialize(self, pointer: SSAValue, value: Expr, volatile: bool = False) -> None:
        """Store an initial value; arrays and structs in memory are stored by parts."""

    def emit(self, expr: Expr) -> SSAValue:
        """The value of an expression that has one."""
        value = self.effect(expr)
        assert value is not None, expr
        return value

    def set_slot(self, variable: Variable, slot: SSAValue) -> None:
        """Define the address of a variable, and of an array's first element, once for all uses."""
        slot.name_hint = variable.hint
        self.slots[variable] = slot
        if variable.type.kind is Kind.ARRAY:
            first = pointer_type(variable.type.element.memory, variable.space)
            self.first_elements[slot] = self.op(ocl.CastOp, slot, type=first)

    def place(self, expr: Expr) -> Place:
        """Evaluate the pointers and indices of a place."""
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
            case tree.Literal(variable=variable, value=value):
                self.initialize(self.slots[variable], value)
                return Place(variable.type, variable.type, pointer=self.slots[variable])
            case tree.String(type=type):
                pointee = pointer_type(type.memory, ocl.AddressSpace.CONSTANT)
                symbol = self.strings.symbol(expr)
                return Place(type, type, pointer=self.value(ocl.AddressOfOp(symbol, pointee)))
            case tree.Index(pointer=pointer, index=index):
                address = self.emit(pointer)
                offset = None if index is None else self.index(index)
                if constant_is_zero(index):
                    offset = None
                # `(p + i)[0]` is `p[i]`.
                if offset is None and isinstance(address.owner, ocl.OffsetOp):
                    address, offset = address.owner.pointer, address.owner.index
                type = expr.type
                address = self.pointing_to(address, type)
                return Place(
                    type, type, pointer=address, index=offset, volatile=pointer.type.volatile
                )
            case tree.Member(base=base, field=field):
                place = self.place(base)
                if place.variable is not None:
                    return _step(place, Field(field), expr.type)
                address = self.member_of(self.pointer_of(place), field)
                type = expr.type
                if place.type.kind is Kind.UNION:
                    for _, other in place.type.fields:
                        address = with_sign(self, address, other, type)
                return Place(type, type, pointer=address, volatile=place.volatile)
            case tree.Lanes(base=base, lanes=lanes):
                return _step(self.place(base), Lanes(lanes), expr.type)
            case tree.Element(base=base, index=index):
                place = self.place(base)
                return _step(place, Lane(self.index(index)), expr.type)
            case _:
                raise AssertionError(f"{expr} is not a place")

    def pointing_to(self, address: SSAValue, type: CType) -> SSAValue:
        """A pointer to `type`; the fields of a recursive struct have pointee i8 instead."""
        if ocl.pointee_of(address) == type.memory or type.kind in (Kind.VOID, Kind.FUNCTION):
            return address
        return self.op(ocl.CastOp, address, type=pointer_type(type.memory, ocl.space_of(address)))

    def slot(self, variable: Variable) -> SSAValue:
        """The address of a variable in memory."""
        if variable.space is ocl.AddressSpace.CONSTANT:
            pointee = pointer_type(variable.type.memory, ocl.AddressSpace.CONSTANT)
            return self.value(ocl.AddressOfOp(variable.symbol, pointee))
        return self.slots[variable]

    def index(self, expr: Expr) -> SSAValue:
        """An integer expression as index."""
        return self.to_index(self.emit(expr), expr.type.signed)

    def address(self, place: Expr, type: CType) -> SSAValue:
        if isinstance(place, tree.VarRef) and place.variable in self.slots:
            first = self.first_elements.get(self.slots[place.variable])
            if first is not None and first.type == type.value:
                return first
        target = self.place(place)
        return convert(self, self.pointer_of(target), pointer_to(target.type, type.space), type)

    def get(self, variable: Variable) -> SSAValue:
        """The present value, or poison for a variable without one."""
        if variable not in self.values:
            self.values[variable] = self.poison(variable.type.value)
        return self.values[variable]

    def set(self, variable: Variable, value: SSAValue) -> None:
        # Equal constants of a block are one operation, which other variables may share.
        if value.name_hint is None and not isinstance(value.owner, arith.ConstantOp):
            value.name_hint = variable.hint
        self.values[variable] = value
        if self.debug is not None:
            self.debug.keep(variable)

    def pointer_of(self, place: Place) -> SSAValue:
        """The address of a place in memory without steps."""
        assert place.pointer is not None and not place.steps
        if place.index is None:
            return place.pointer
        return self.op(ocl.OffsetOp, place.pointer, place.index)

    def load(self, place: Place) -> SSAValue:
        whole = self._load_whole(place)
        return from_memory(self, self._part(whole, place.steps), place.type)

    def store(self, place: Place, value: SSAValue) -> None:
        if place.variable is not None:
            whole = self.get(place.variable) if place.steps else None
            self.set(place.variable, self._with_part(whole, place.steps, value))
            return
        assert place.pointer is not None
        if not place.steps:
            self._store_whole(place, value)
            return
        # Only the selected elements are written: other work-items may write the others.
        match place.steps:
            case (Lanes(lanes),):
                for position, lane in enumerate(lanes):
                    if lane >= place.whole.count and len(place.steps) == 1:
                        continue  # the padding of a 3-element vector
                    element = value if len(lanes) == 1 else self.lane(value, position)
                    self._store_element(place, element, self.constant(lane, INDEX))
            case (Lane(index),):
                self._store_element(place, value, index)
            case _:
                whole = self._load_whole(place)
                self._store_whole(place, self._with_part(whole, place.steps, value))

    def _load_whole(self, place: Place) -> SSAValue:
        if place.variable is not None:
            return self.get(place.variable)
        assert place.pointer is not None
        if place.whole.kind is Kind.UNION:
            raise AssertionError("a union is copied as bytes")
        return self.load_from(place.pointer, place.index, volatile=place.volatile)

    def _store_whole(self, place: Place, value: SSAValue) -> None:
        pointer = place.pointer
        assert pointer is not None and isinstance(pointer.type, ocl.PtrType)
        value = to_memory(self, value, pointer.type.pointee)
        self.store_to(value, pointer, place.index, volatile=place.volatile)

    def _store_element(self, place: Place, element: SSAValue, lane: SSAValue) -> None:
        vector_pointer = self.pointer_of(replace(place, steps=()))
        pointer = self.value(
            ocl.CastOp(vector_pointer, pointer_type(element.type, ocl.space_of(vector_pointer)))
        )
        self.store_to(element, pointer, lane, volatile=place.volatile)

    def _part(self, value: SSAValue, steps: tuple[Step, ...]) -> SSAValue:
        for step in steps:
            match step:
                case Field(name):
                    value = self.value(ocl.ExtractOp(value, name))
                case Lanes((lane,)):
                    value = self.lane(value, lane)
                case Lanes(lanes):
                    value = self.swizzle(value, lanes)
                case Lane(index):
                    value = self.value(vector.ExtractOp(value, [index], element_of(value.type)))
        return value

    def swizzle(self, value: SSAValue, lanes: tuple[int, ...]) -> SSAValue:
        """The lanes of a vector. Lane 3 of a 3-element vector (`.hi`, `.odd`) is undefined."""
        count = count_of(value.type)
        return self.shuffle(value, value, [min(lane, count - 1) for lane in lanes])

    def _with_part(
        self, whole: SSAValue | None, steps: tuple[Step, ...], value: SSAValue
    ) -> SSAValue:
        """`whole` with the part at the end of `steps` replaced."""
        if not steps:
            return value
        assert whole is not None
        step, *rest = steps
        if rest:
            value = self._with_part(self._part(whole, (step,)), tuple(rest), value)
        match step:
            case Field(name):
                assert isinstance(whole.type, ocl.StructType)
                memory = whole.type.field_type(name)
                assert memory is not None
                return self.value(ocl.InsertOp(to_memory(self, value, memory), whole, name))
            case Lane(index):
                return self.value(vector.InsertOp(value, whole, [index]))
            case Lanes(lanes):
                return self._with_lanes(whole, lanes, value)

    def _with_lanes(self, whole: SSAValue, lanes: tuple[int, ...], value: SSAValue) -> SSAValue:
        if len(lanes) == 1:
            return self.with_lane(whole, value, lanes[0])
        count = count_of(whole.type)
        if len(lanes) == count and set(lanes) == set(range(count)):
            return self.shuffle(value, value, [lanes.index(lane) for lane in range(count)])
        # Lanes of the old vector, or (with the following numbers) of the new value.
        chosen = [count + lanes.index(lane) if lane in lanes else lane for lane in range(count)]
        return self.shuffle(whole, value, chosen)


def constant_is_zero(expr: Expr | None) -> bool:
    return isinstance(expr, tree.Const) and expr.value == 0


def _step(place: Place, step: Step, type: CType) -> Place:
    return replace(place, type=type, steps=(*place.steps, step))
