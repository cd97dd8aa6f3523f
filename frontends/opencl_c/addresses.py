"""What the places of the typed tree stand for: addresses and variables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.conversions import convert
from polycl.frontends.opencl_c.places import Field, Lane, Lanes, Place, Places
from polycl.frontends.opencl_c.strings import Strings
from polycl.frontends.opencl_c.tree import Expr, Variable
from polycl.frontends.opencl_c.types import CType, Kind, pointer_to, pointer_type


class AddressEmitter(Places, ABC):
    """Emits places; `slots` holds the address of each variable that lies in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.slots: dict[Variable, SSAValue] = {}
        self.first_elements: dict[SSAValue, SSAValue] = {}
        """The address of an array variable -> that of its first element."""
        self.strings = Strings()
        self.implicit_arguments: Mapping[str, Sequence[Variable]] = {}
        """The variables whose addresses a function takes behind its arguments."""

    @abstractmethod
    def emit(self, expr: Expr) -> SSAValue:
        """The value of an expression that has one."""

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
                return Place(type, type, pointer=address, volatile=place.volatile)
            case tree.Lanes(base=base, lanes=lanes):
                return _step(self.place(base), Lanes(lanes), expr.type)
            case tree.Element(base=base, index=index):
                place = self.place(base)
                return _step(place, Lane(self.index(index)), expr.type)
            case _:
                raise AssertionError(f"{expr} is no place")

    def pointing_to(self, address: SSAValue, type: CType) -> SSAValue:
        """A pointer that was written with pointee i8 to keep a struct finite, as it is meant."""
        assert isinstance(address.type, ocl.PtrType)
        if address.type.pointee == type.memory or type.kind in (Kind.VOID, Kind.FUNCTION):
            return address
        return self.op(ocl.CastOp, address, type=pointer_type(type.memory, address.type.space))

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
