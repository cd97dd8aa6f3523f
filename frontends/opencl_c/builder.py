"""Builds operations at the end of a block, each with the location of its C expression."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from xdsl.dialects import arith, scf, ub, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import ConstantLike

from polycl.dialects import ocl, vec
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.vec import element_of
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.types import pointer_type, vector_type

INDEX = IndexType()


def with_element(element: Attribute, like: Attribute) -> Attribute:
    """`element`, or a vector of it with as many lanes as the vector `like`."""
    return vector_type(element, like.get_shape()[0]) if isinstance(like, VectorType) else element


_file_name = lru_cache(64)(StringAttr)
_number = lru_cache(4096)(IntAttr)


def _numbered(names: Sequence[str]) -> dict[str, Attribute]:
    return {name: IntegerAttr(number, i64) for number, name in enumerate(names)}


@cache
def _position(lane: int) -> Mapping[str, Attribute]:
    return {"static_position": DenseArrayBase.from_list(i64, [lane])}


def file_location(file: str, line: int, column: int) -> FileLineColLoc:
    """The attribute, without verification, which would take a good part of an import's time: each
    operation has one."""
    location = object.__new__(FileLineColLoc)
    object.__setattr__(location, "filename", _file_name(file))
    object.__setattr__(location, "line", _number(line))
    object.__setattr__(location, "column", _number(column))
    return location


_NONE: Mapping[str, Attribute] = {}
_VOLATILE: Mapping[str, Attribute] = {"volatile": UnitAttr()}
_PREDICATES: dict[object, dict[str, Attribute]] = {
    arith.CmpiOp: _numbered(arith.CMPI_COMPARISON_OPERATIONS),
    arith.CmpfOp: _numbered(arith.CMPF_COMPARISON_OPERATIONS),
}


class Builder:
    """The block to which operations are added, and their source location."""

    def __init__(self) -> None:
        self.block = Block()
        self.location: Location = ("", 0, 0)
        self._constants: dict[tuple[Block, str, Attribute], SSAValue] = {}
        self._locations: dict[Location, FileLineColLoc] = {}
        self.nonnegative: set[SSAValue] = set()
        """Index values that are known to be at least zero, and to fit an `int`."""
        self.arguments: set[SSAValue] = set()
        """Those of the kernel, which nothing in it computes."""
        self.wide_ids = False
        """Whether ids and sizes of a launch may not fit an `int`."""

    def loc(self) -> FileLineColLoc:
        known = self._locations.get(self.location)
        if known is None:
            known = file_location(*self.location)
            self._locations[self.location] = known
        return known

    def add(self, op: Operation) -> Operation:
        op.location = self.loc()
        self.block.add_op(op)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Add an operation with one result."""
        return self.add(op).results[0]

    def new(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NONE,
        regions: Sequence[Region] = (),
    ) -> Operation:
        """Add an operation, without its constructor.

        This costs a third: constructors sort optional and variadic operands, and check facts that
        the verifier checks again.
        """
        op = kind.create(
            operands=operands,
            result_types=types,
            properties=properties,
            location=self.loc(),
            regions=regions,
        )
        self.block.add_op(op)
        return op

    def op(
        self,
        kind: type[Operation],
        *operands: SSAValue,
        type: Attribute | None = None,
        properties: Mapping[str, Attribute] = _NONE,
    ) -> SSAValue:
        """Add an operation with one result, of the first operand's type or of `type`.

        On vectors, an operation that xDSL's `arith` has for scalars only is that of `vec`.
        """
        if operands:
            kind = vec.form_of(kind, operands[0].type)
        types = (operands[0].type if type is None else type,)
        return self.new(kind, operands, types, properties).results[0]

    def load_from(
        self, pointer: SSAValue, index: SSAValue | None = None, *, volatile: bool = False
    ) -> SSAValue:
        """`pointer[index]`."""
        operands = (pointer,) if index is None else (pointer, index)
        properties = _VOLATILE if volatile else _NONE
        return self.op(ocl.LoadOp, *operands, type=ocl.pointee_of(pointer), properties=properties)

    def store_to(
        self,
        value: SSAValue,
        pointer: SSAValue,
        index: SSAValue | None = None,
        *,
        volatile: bool = False,
    ) -> None:
        """`pointer[index] = value`."""
        operands = (value, pointer) if index is None else (value, pointer, index)
        self.new(ocl.StoreOp, operands, properties=_VOLATILE if volatile else _NONE)

    def member_of(self, pointer: SSAValue, field: str) -> SSAValue:
        """`&pointer->field` of a struct or union."""
        record = ocl.pointee_of(pointer)
        assert isinstance(record, ocl.StructType | ocl.UnionType)
        pointee = record.field_type(field)
        assert pointee is not None
        type = pointer_type(pointee, ocl.pointer_type(pointer).space)
        return self.op(ocl.MemberOp, pointer, type=type, properties={"field": StringAttr(field)})

    def compare(
        self, kind: type[arith.CmpiOp | arith.CmpfOp], predicate: str, a: SSAValue, b: SSAValue
    ) -> SSAValue:
        """A comparison as i1, or as a vector of them."""
        properties = {"predicate": _PREDICATES[kind][predicate]}
        return self.op(kind, a, b, type=with_element(i1, a.type), properties=properties)

    def constant(self, value: int | float, type: Attribute) -> SSAValue:
        """A scalar constant, or a vector of it; one operation for each value in a block."""
        if isinstance(type, VectorType) and not _reads_back(value, type.element_type):
            return self.value(vector.BroadcastOp(self.constant(value, type.element_type), type))
        # The text differs for 0 and -0.0, 1 and 1.0, True and 1.
        key = (self.block, repr(value), type)
        found = self._constants.get(key)
        if found is None:
            properties, name = _known_constant(key[1], value, type)
            found = self.op(arith.ConstantOp, type=type, properties=properties)
            found.name_hint = name
            self._constants[key] = found
        return found

    def poison(self, type: Attribute) -> SSAValue:
        return self.value(ub.PoisonOp(type))

    def broadcast(self, scalar: SSAValue, type: Attribute) -> SSAValue:
        """A vector of `type` with the scalar in each lane."""
        assert isinstance(type, VectorType)
        constant = constant_of(scalar)
        if constant is not None:
            return self.constant(constant, type)
        return self.value(vector.BroadcastOp(scalar, type))

    def lane(self, value: SSAValue, lane: int) -> SSAValue:
        return self.op(
            vector.ExtractOp, value, type=element_of(value.type), properties=_position(lane)
        )

    def with_lane(self, value: SSAValue, element: SSAValue, lane: int) -> SSAValue:
        return self.op(vector.InsertOp, element, value, type=value.type, properties=_position(lane))

    def shuffle(self, a: SSAValue, b: SSAValue, lanes: list[int]) -> SSAValue:
        result = vector_type(element_of(a.type), len(lanes))
        properties = {"mask": DenseArrayBase.from_list(i64, lanes)}
        return self.op(vector.ShuffleOp, a, b, type=result, properties=properties)

    def invert(self, condition: SSAValue) -> SSAValue:
        """The opposite of an i1 (or of a vector of them)."""
        owner = condition.owner
        if isinstance(owner, arith.XOrIOp) and constant_of(owner.rhs) == 1:
            return owner.lhs
        if isinstance(owner, vec.AnyCmpi | vec.AnyCmpf):
            kind = arith.CmpiOp if isinstance(owner, vec.AnyCmpi) else arith.CmpfOp
            opposite = _OPPOSITES[kind][owner.predicate.value.data]
            return self.compare(kind, opposite, owner.lhs, owner.rhs)
        return self.op(arith.XOrIOp, condition, self.constant(1, condition.type))

    def to_index(self, value: SSAValue, signed: bool) -> SSAValue:
        """An integer as index, extended by its sign or with zeros.

        An id or loop counter that was cast to an integer is the original index: it is in the
        range of that integer.
        """
        constant = constant_of(value)
        if isinstance(constant, int):
            assert isinstance(value.type, IntegerType)
            width = value.type.width.data
            return self.constant(constant if signed else constant % (1 << width), INDEX)
        original = self.original_index(value, signed)
        if original is not None:
            return original
        if isinstance(value.owner, arith.ExtSIOp):
            value, signed = value.owner.input, True
        assert isinstance(value.type, IntegerType)
        if not signed and value.type.width.data < 64:
            value = self.op(arith.ExtUIOp, value, type=i64)
        return self.op(arith.IndexCastOp, value, type=INDEX)

    def index_sum(self, a: SSAValue, b: SSAValue, sign: int = 1) -> SSAValue:
        """`a + b` or, with sign -1, `a - b` of two index values."""
        x, y = constant_of(a), constant_of(b)
        if isinstance(x, int) and isinstance(y, int):
            return self.constant(x + sign * y, INDEX)
        if y == 0:
            return a
        return self.op(arith.AddiOp if sign > 0 else arith.SubiOp, a, b)

    def from_index(self, value: SSAValue, type: Attribute) -> SSAValue:
        assert isinstance(type, IntegerType)
        if type.width.data < 32:
            wide = self.op(arith.IndexCastOp, value, type=i64)
            return self.op(arith.TruncIOp, wide, type=type)
        return self.op(arith.IndexCastOp, value, type=type)

    def original_index(self, value: SSAValue, signed: bool) -> SSAValue | None:
        """The index from which an integer was cast, if the integer's extension equals it."""
        owner = value.owner
        if isinstance(owner, arith.ExtSIOp):
            return self.original_index(owner.input, True)
        if isinstance(owner, arith.ExtUIOp):
            return self.original_index(owner.input, False)
        if isinstance(owner, arith.IndexCastOp) and owner.input.type == INDEX:
            if signed or owner.input in self.nonnegative or value.type == i64:
                return owner.input
        return None

    def yield_(self, values: list[SSAValue]) -> None:
        self.new(scf.YieldOp, values)


def constant_attribute(
    value: int | float, type: Attribute
) -> IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr:
    """The attribute of a scalar constant, or of a vector with it in each lane."""
    if isinstance(type, VectorType):
        element = type.element_type
        scalar = constant_attribute(value, element)
        assert isinstance(scalar, IntegerAttr | FloatAttr)
        return DenseIntOrFPElementsAttr.from_list(type, [scalar.value.data])
    if isinstance(type, IntegerType | IndexType):
        number = int(value)
        if isinstance(type, IntegerType):
            number = vec.signed(number, type.width.data)
        return IntegerAttr(number, type)
    assert isinstance(type, Float16Type | Float32Type | Float64Type)
    return FloatAttr(float(value), type)


@lru_cache(4096)
def _known_constant(
    text: str, value: int | float, type: Attribute
) -> tuple[Mapping[str, Attribute], str]:
    """The properties and the name of a constant; `text` distinguishes 0.0 and -0.0, which are
    equal in Python."""
    return {"value": constant_attribute(value, type)}, _constant_name(value, type)


def constant_of(value: SSAValue) -> int | float | None:
    """The number of a scalar `arith.constant`."""
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp):
        return None
    attribute = owner.value
    if isinstance(attribute, IntegerAttr | FloatAttr):
        number = attribute.value.data
        return number % 2 if attribute.type == i1 else number
    return None


def _reads_back(value: int | float, element: Attribute) -> bool:
    """Whether the text of a vector of the float is read as the same float.

    xDSL prints some floats as their bits, which it reads as an integer inside `dense<...>`.
    """
    digits = {Float32Type: 9, Float64Type: 17}.get(type(element))
    value = float(value)
    if math.isinf(value) or math.isnan(value):
        return isinstance(element, IntegerType | IndexType)
    return digits is None or "." in f"{value:.{digits}g}" or float(f"{value:.5e}") == value


def _constant_name(value: int | float, type: Attribute) -> str:
    if type == i1:
        return "true" if value else "false"
    if isinstance(type, IndexType):
        return f"c{value}".replace("-", "_")
    if isinstance(type, IntegerType):
        return f"c{value}_{type}".replace("-", "m")
    return "cst"


_OPPOSITES: dict[object, Sequence[str]] = {
    arith.CmpiOp: "ne eq sge sgt sle slt uge ugt ule ult".split(),
    arith.CmpfOp: "true une ule ult uge ugt ueq uno one ole olt oge ogt oeq ord false".split(),
}
"""By the number of a predicate: the name of its negation."""


def _is_empty(op: Operation) -> bool:
    """Whether the regions have no operations but terminators."""
    blocks = [block for region in op.regions for block in region.blocks]
    return all(block.first_op is block.last_op for block in blocks)


def remove_unused(block: Block) -> None:
    """Erase operations without effects (and allocations) whose results are unused."""
    for op in reversed(list(block.ops)):
        if op.regions:
            for region in op.regions:
                for inner in region.blocks:
                    remove_unused(inner)
            if isinstance(op, scf.IfOp) and not op.results and _is_empty(op):
                op.detach()
                op.erase()
            continue
        if not op.results or any(result.first_use is not None for result in op.results):
            continue
        is_pure = is_side_effect_free(op) or op.has_trait(ConstantLike)
        if is_pure or isinstance(op, ocl.AllocaOp | ocl.LocalAllocOp):
            op.detach()
            op.erase()
