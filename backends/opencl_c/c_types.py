"""Types as OpenCL C spells them (OpenCL 1.2, section 6.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, ImageAccess
from polycl.errors import error_at

SIGNED = {8: "char", 16: "short", 32: "int", 64: "long"}
_WIDTHS = {
    **{name: width for width, name in SIGNED.items()},
    **{f"u{name}": width for width, name in SIGNED.items()},
    **{"bool": 1, "half": 16, "float": 32, "double": 64},
}
LANES = (2, 3, 4, 8, 16)


class NoSuchType(Exception):
    """OpenCL C does not have the type."""


@contextmanager
def types_at(op: Operation) -> Generator[None]:
    """Inside the `with` block, NoSuchType becomes an error located at `op`."""
    try:
        yield
    except NoSuchType as error:
        raise error_at(op, str(error)) from None


@dataclass(frozen=True)
class Number:
    """An arithmetic type: a scalar, or a vector of it."""

    name: str
    lanes: int = 1

    def __str__(self) -> str:
        return self.name if self.lanes == 1 else f"{self.name}{self.lanes}"

    @property
    def width(self) -> int:
        return _WIDTHS[self.name]

    @property
    def is_float(self) -> bool:
        return self.name in ("half", "float", "double")

    @property
    def is_unsigned(self) -> bool:
        return self.name.startswith("u") or self.name == "bool"

    @property
    def element(self) -> Number:
        return Number(self.name)

    def signed(self, unsigned: bool = False) -> Number:
        """The integer type of this width with the given sign."""
        return Number(("u" if unsigned else "") + SIGNED[self.width], self.lanes)

    def times(self, lanes: int) -> Number:
        return Number(self.name, lanes)


BOOL, INT, UINT, LONG, ULONG = map(Number, ("bool", "int", "uint", "long", "ulong"))


def number(type: Attribute, unsigned: bool = False) -> Number:
    """The C type of an arithmetic type; the IR's integers are signless.

    Raises:
        NoSuchType: `type` is not arithmetic, or it is too wide.
    """
    match type:
        case IntegerType() if type.width.data == 1:
            return BOOL
        case IntegerType() if type.width.data in SIGNED:
            return Number(("u" if unsigned else "") + SIGNED[type.width.data])
        case IndexType():
            return LONG
        case Float16Type():
            return Number("half")
        case Float32Type():
            return Number("float")
        case Float64Type():
            return Number("double")
        case VectorType() if type.get_shape() in {(n,) for n in LANES}:
            return number(type.element_type, unsigned).times(type.element_count())
        case _:
            raise NoSuchType(f"OpenCL C has no type for {type}")


def is_number(type: Attribute) -> bool:
    return isinstance(
        type, IntegerType | IndexType | Float16Type | Float32Type | Float64Type | VectorType
    )


_ACCESS = {
    ImageAccess.READ: "read_only",
    ImageAccess.WRITE: "write_only",
    ImageAccess.READ_WRITE: "read_write",
}


def identifier(text: str) -> str:
    """`text` with `_` for each character that names in C cannot have."""
    name = re.sub(r"\W", "_", text)
    return name if name and not name[0].isdigit() else f"_{name}"


class TypeNames:
    """Spells types, and collects the definitions of the structures.

    `field_is_unsigned(record, field)` is the sign of the integers in a field.
    """

    def __init__(
        self,
        field_is_unsigned: Callable[[ocl.RecordType, str], bool],
        explicit_private: bool = False,
        taken: Iterable[str] = (),
    ):
        self.definitions: list[str] = []
        self._taken = set(taken)
        self._names: dict[ocl.RecordType, str] = {}
        self._field_is_unsigned = field_is_unsigned
        # Since OpenCL 2.0 a pointer without an address space is generic.
        private = "private" if explicit_private else ""
        self._spaces = {AddressSpace.PRIVATE: private, AddressSpace.GENERIC: ""}

    def space(self, space: AddressSpace) -> str:
        return self._spaces.get(space, space.value)

    def declare(
        self, type: Attribute, unsigned: bool, name: str, space: str = "", qualifiers: str = ""
    ) -> str:
        """The declaration of `name`, say `const local float *p` or `int (*rows)[16]`.

        `space` is the address space of the object itself; `qualifiers` apply to the innermost type.
        """
        match type:
            case ocl.ArrayType():
                name = f"{name}[{type.size.data}]"
                return self.declare(type.element, unsigned, name, space, qualifiers)
            case ocl.PtrType():
                inner = f"*{space} {name}" if space else f"*{name}"
                if isinstance(type.pointee, ocl.ArrayType):
                    inner = f"({inner})"
                space = self.space(type.address_space)
                return self.declare(type.pointee, unsigned, inner, space, qualifiers)
            case _:
                words = (qualifiers, space, self.base(type, unsigned), name)
                return " ".join(word for word in words if word)

    def pointer(self, type: ocl.PtrType, unsigned: bool, qualifiers: str = "") -> str:
        """A pointer type as a cast writes it."""
        text = self.declare(type, unsigned, "", qualifiers=qualifiers)
        return text.replace("* ", "*").strip()

    def base(self, type: Attribute, unsigned: bool) -> str:
        """A type that is neither a pointer nor an array."""
        match type:
            case ocl.StructType() | ocl.UnionType():
                return self.record(type)
            case ocl.EventType():
                return "event_t"
            case ocl.SamplerType():
                return "sampler_t"
            case ocl.ImageType():
                return f"{_ACCESS[type.access.data]} {type.kind.value}_t"
            case ocl.PipeType():
                raise NoSuchType(f"{type} is written after 'ocl-expand-pipes' only, as a pointer")
            case IntegerType() if type.width.data == 1:
                return "bool"
            case _:
                return str(number(type, unsigned))

    def record(self, type: ocl.RecordType) -> str:
        """The name of a structure or union, which is defined at its first use."""
        if type in self._names:
            return self._names[type]
        name = wanted = identifier(type.tag.data or "record")
        count = 0
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        fields = [
            self.declare(field_type, self._field_is_unsigned(type, field), identifier(field))
            for field, field_type in type.fields
        ]
        attributes = ["packed"] * type.is_packed
        if type.alignment.data:
            attributes.append(f"aligned({type.alignment.data})")
        suffix = f" __attribute__(({', '.join(attributes)}))" if attributes else ""
        keyword = "struct" if isinstance(type, ocl.StructType) else "union"
        body = "".join(f"  {field};\n" for field in fields)
        self.definitions.append(f"typedef {keyword} {{\n{body}}}{suffix} {name};\n")
        self._names[type] = name
        return name
