"""Places: variables and memory, and the parts of them that C can read and write."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c.builder import INDEX, Builder
from polycl.frontends.opencl_c.conversions import from_memory, to_memory
from polycl.frontends.opencl_c.tree import Variable
from polycl.frontends.opencl_c.types import CType, Kind, pointer_type


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
    """A variable, or `pointer[index]`, and the way from there to a part of it.

    `type` is the type of the part, `whole` that of the variable or of the pointee.
    """

    type: CType
    whole: CType
    variable: Variable | None = None
    pointer: SSAValue | None = None
    index: SSAValue | None = None
    steps: tuple[Step, ...] = ()
    volatile: bool = False


class Places(Builder):
    """Reads and writes places. `values` holds the SSA value that each variable has now."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[Variable, SSAValue] = {}

    def get(self, variable: Variable) -> SSAValue:
        """The present value; of a variable without one, whatever."""
        if variable not in self.values:
            self.values[variable] = self.poison(variable.type.value)
        return self.values[variable]

    def set(self, variable: Variable, value: SSAValue) -> None:
        # A block has one constant of each value: it is not this variable's alone.
        if value.name_hint is None and not isinstance(value.owner, arith.ConstantOp):
            value.name_hint = variable.hint
        self.values[variable] = value

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
        # Each element of a vector is written alone: other work-items may write the others.
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
        vector_pointer = self.pointer_of(
            Place(place.whole, place.whole, pointer=place.pointer, index=place.index)
        )
        assert isinstance(vector_pointer.type, ocl.PtrType)
        pointer = self.value(
            ocl.CastOp(vector_pointer, pointer_type(element.type, vector_pointer.type.space))
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
                    assert isinstance(value.type, VectorType)
                    value = self.value(vector.ExtractOp(value, [index], value.type.element_type))
        return value

    def swizzle(self, value: SSAValue, lanes: tuple[int, ...]) -> SSAValue:
        """The lanes of a vector; lane 3 of a 3-element vector (`.hi`, `.odd`) is undefined."""
        assert isinstance(value.type, VectorType)
        count = value.type.element_count()
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
        assert isinstance(whole.type, VectorType)
        if len(lanes) == 1:
            return self.with_lane(whole, value, lanes[0])
        count = whole.type.element_count()
        if len(lanes) == count and set(lanes) == set(range(count)):
            return self.shuffle(value, value, [lanes.index(lane) for lane in range(count)])
        # Lanes from the old vector, or (numbered behind those) from the new value.
        chosen = [count + lanes.index(lane) if lane in lanes else lane for lane in range(count)]
        return self.shuffle(whole, value, chosen)
