"""Attributes and types of the `ocl` dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

VECTOR_WIDTHS = (2, 3, 4, 8, 16)
"""Element counts of OpenCL C vector types (OpenCL 1.2, section 6.1.2)."""

NO_CONTRACT = "ocl.no_contract"
"""Attribute (UnitAttr) of an `arith.addf`, `subf`, `mulf`, `divf` or `math.sqrt` that is rounded
correctly and on its own, whatever contraction and estimates the target allows: compensated
arithmetic would be wrong with fused operations, and a product that leaves its expression is rounded
in OpenCL C. Passes that replace such an operation (by a wider one, say) keep its attributes."""

SCALES = "ocl.scales"
"""Attribute (IntegerAttr) of the `math.fma` with which `expand-math` multiplies by a power of two:
the bits of a fraction that the exponent has in addition, which do not count."""

UNROLL = "ocl.unroll"
"""Attribute (IntegerAttr) of a loop: what the program says about its unrolling. 0: it is worth it;
1: it is not; N: by N iterations (`#pragma unroll`; OpenCL 2.0, section 6.11.5). A pass may add -1:
it is worth it where LLVM's code becomes machine code, not before; -2: nor are vectors; -3: the loop
must stay as it is; -4: vectors are not worth it, unrolling may be; -5: iterations are vectors, and
those that do not fill one are one under a mask; -6: it must be unrolled as a whole; -7: as -1, and
an iteration of its vectors is one of them."""

ASYNC = "ocl.async"
"""Attribute (UnitAttr) of an `ocl.store` of a loaded value: an asynchronous copy, where the target
has one (`ocl.commit_copies`)."""

INT_COUNTER = "ocl.int_counter"
"""Attribute (UnitAttr) of an `scf.for`: the program counts in an `int` to a last number, or by more
than 1, and the `int` does not overflow after the last iteration, as that is undefined in C."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
"""The names that the text form can parse."""


class AddressSpace(StrEnum):
    PRIVATE = "private"
    GLOBAL = "global"
    CONSTANT = "constant"
    LOCAL = "local"
    GENERIC = "generic"


class AtomicKind(StrEnum):
    ADD = "add"
    SUB = "sub"
    XCHG = "xchg"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SMIN = "smin"
    SMAX = "smax"
    UMIN = "umin"
    UMAX = "umax"
    FADD = "fadd"
    FMIN = "fmin"
    FMAX = "fmax"


class FenceOrder(StrEnum):
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"


class Rounding(StrEnum):
    """Rounding modes of `convert_*` (OpenCL 1.2, section 6.2.3.2)."""

    RTE = "rte"
    RTZ = "rtz"
    RTP = "rtp"
    RTN = "rtn"


@irdl_attr_definition
class AtomicKindAttr(EnumAttribute[AtomicKind], SpacedOpaqueSyntaxAttribute):
    name = "ocl.atomic_kind"


@irdl_attr_definition
class FenceOrderAttr(EnumAttribute[FenceOrder], SpacedOpaqueSyntaxAttribute):
    name = "ocl.fence_order"


@irdl_attr_definition
class RoundingAttr(EnumAttribute[Rounding], SpacedOpaqueSyntaxAttribute):
    name = "ocl.rounding"


@irdl_attr_definition
class AddressSpaceAttr(EnumAttribute[AddressSpace], SpacedOpaqueSyntaxAttribute):
    name = "ocl.address_space"


@irdl_attr_definition
class EventType(ParametrizedAttribute, TypeAttribute):
    """`event_t`: the completion of an async copy (OpenCL 1.2, section 6.12.10)."""

    name = "ocl.event"


@irdl_attr_definition
class ArrayType(ParametrizedAttribute, TypeAttribute):
    """A C array: `!ocl.array<16 x f32>`. It lives in memory only, never in an SSA value."""

    name = "ocl.array"
    size: IntAttr
    element: Attribute

    def __init__(self, size: int | IntAttr, element: Attribute):
        super().__init__(IntAttr(size) if isinstance(size, int) else size, element)

    def verify(self) -> None:
        if self.size.data < 1:
            raise VerifyException(f"array size must be positive, got {self.size.data}")
        verify_storable(self.element, "array element")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            # Always with spaces: the lexer sees a hexadecimal number in `0x..`.
            size = parser.parse_integer(allow_boolean=False)
            parser.parse_keyword("x")
            return (IntAttr(size), parser.parse_type())

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.size.data} x ")
            printer.print_attribute(self.element)


# A dataclass, since types are equal if their fields are: `irdl_attr_definition` sees those of
# dataclasses.
@dataclass(frozen=True, init=False)
class _RecordType(ParametrizedAttribute, TypeAttribute):
    """A tag and named fields in order: a struct or a union."""

    tag: StringAttr
    field_names: ArrayAttr[StringAttr]
    field_types: ArrayAttr[Attribute]
    packed: IntAttr
    alignment: IntAttr

    def __init__(
        self,
        tag: str | StringAttr,
        fields: Iterable[tuple[str, Attribute]],
        *,
        packed: bool = False,
        alignment: int = 0,
    ):
        fields = tuple(fields)
        super().__init__(
            StringAttr(tag) if isinstance(tag, str) else tag,
            ArrayAttr(StringAttr(name) for name, _ in fields),
            ArrayAttr(type for _, type in fields),
            IntAttr(int(packed)),
            IntAttr(alignment),
        )

    @property
    def fields(self) -> tuple[tuple[str, Attribute], ...]:
        names = (name.data for name in self.field_names)
        return tuple(zip(names, self.field_types, strict=True))

    @property
    def is_packed(self) -> bool:
        return bool(self.packed.data)

    def field_type(self, name: str) -> Attribute | None:
        """The type of field `name`, or None where there is no such field."""
        return dict(self.fields).get(name)

    def field_index(self, name: str) -> int:
        """The position of field `name`. Raises ValueError where there is no such field."""
        return self.field_names.data.index(StringAttr(name))

    def verify(self) -> None:
        names = [name for name, _ in self.fields]
        for name, type in self.fields:
            if not _IDENTIFIER.fullmatch(name):
                raise VerifyException(f"'{name}' is not a name of a field")
            if names.count(name) > 1:
                raise VerifyException(f"{self.name} has two fields named '{name}'")
            verify_storable(type, f"field '{name}'")
        align = self.alignment.data
        if align < 0 or align & (align - 1):
            raise VerifyException(f"alignment must be a power of two, got {align}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def parse_field() -> tuple[StringAttr, Attribute]:
            name = parser.parse_identifier(context_msg=" as a field name")
            parser.parse_punctuation(":")
            return StringAttr(name), parser.parse_type()

        with parser.in_angle_brackets():
            tag = parser.parse_str_literal()
            parser.parse_punctuation(",")
            fields = parser.parse_comma_separated_list(parser.Delimiter.BRACES, parse_field)
            packed = parser.parse_optional_keyword("packed") is not None
            alignment = 0
            if parser.parse_optional_keyword("align") is not None:
                parser.parse_punctuation("=")
                alignment = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return (
            StringAttr(tag),
            ArrayAttr(name for name, _ in fields),
            ArrayAttr(type for _, type in fields),
            IntAttr(int(packed)),
            IntAttr(alignment),
        )

    def print_parameters(self, printer: Printer) -> None:
        def print_field(field: tuple[str, Attribute]) -> None:
            printer.print_string(f"{field[0]}: ")
            printer.print_attribute(field[1])

        with printer.in_angle_brackets():
            printer.print_string_literal(self.tag.data)
            printer.print_string(", ")
            with printer.in_braces():
                printer.print_list(self.fields, print_field)
            if self.is_packed:
                printer.print_string(" packed")
            if self.alignment.data:
                printer.print_string(f" align = {self.alignment.data}")


@irdl_attr_definition
class StructType(_RecordType):
    """A C struct: `!ocl.struct<"body", {pos: vector<4xf32>, id: i32}>`.

    `packed` drops the padding, `align = 16` raises the alignment of the whole
    (OpenCL 1.2, section 6.11.1).
    """

    name = "ocl.struct"

    __init__ = _RecordType.__init__  # Else type checkers derive one from the parameters.


@irdl_attr_definition
class UnionType(_RecordType):
    """A C union: `!ocl.union<"bits", {f: f32, u: i32}>`. It lives in memory only."""

    name = "ocl.union"

    __init__ = _RecordType.__init__  # Else type checkers derive one from the parameters.


@irdl_attr_definition
class PtrType(ParametrizedAttribute, TypeAttribute):
    """A typed pointer into one address space: `!ocl.ptr<f32, global>`.

    `void *` has pointee i8. A pointer inside the struct that it points to is written with
    pointee i8 and cast where it is used, so that types stay finite.
    """

    name = "ocl.ptr"
    pointee: Attribute
    space: AddressSpaceAttr

    def __init__(self, pointee: Attribute, space: AddressSpace | AddressSpaceAttr):
        if isinstance(space, AddressSpace):
            space = AddressSpaceAttr(space)
        super().__init__(pointee, space)

    @property
    def address_space(self) -> AddressSpace:
        return self.space.data

    def verify(self) -> None:
        verify_storable(self.pointee, "pointee")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            pointee = parser.parse_type()
            parser.parse_punctuation(",")
            space = parser.parse_str_enum(AddressSpace)
            return (pointee, AddressSpaceAttr(space))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.pointee)
            printer.print_string(f", {self.address_space.value}")


RecordType: TypeAlias = StructType | UnionType


def is_scalar(type: Attribute) -> bool:
    """Whether `type` is one of OpenCL C's arithmetic types as they are in memory."""
    if isinstance(type, IntegerType):
        return type.width.data in (8, 16, 32, 64)
    return isinstance(type, Float16Type | Float32Type | Float64Type)


def is_vector(type: Attribute) -> bool:
    """Whether `type` is one of OpenCL C's vector types."""
    if not isinstance(type, VectorType):
        return False
    shape = type.get_shape()
    return len(shape) == 1 and shape[0] in VECTOR_WIDTHS and is_scalar(type.element_type)


def verify_storable(type: Attribute, what: str) -> None:
    """Refuse a type that has no layout in memory, such as i1, index or memref.

    Raises:
        VerifyException: naming `what` and the type.
    """
    if is_scalar(type) or is_vector(type):
        return
    if isinstance(type, PtrType | ArrayType | StructType | UnionType | EventType):
        return
    hint = "; a C bool is i8 in memory" if type == IntegerType(1) else ""
    raise VerifyException(f"{what} cannot have type {type}{hint}")
