"""C types: an IR type with signedness, spelling and qualifiers, which IR types lack."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache

from clang.cindex import Cursor, Type
from xdsl.dialects.builtin import IntegerType, VectorType, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import align_of, field_offset, size_of
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.clang_api import (
    CursorKind,
    TypeKind,
    address_space,
    atomic_value_type,
    canonical_type,
    handle_of,
    is_virtual,
    is_volatile,
    key_of,
    pretty_printed,
)
from polycl.frontends.opencl_c.source import Location


class Kind(Enum):
    VOID = auto()
    BOOL = auto()
    INT = auto()
    FLOAT = auto()
    VECTOR = auto()
    POINTER = auto()
    ARRAY = auto()
    STRUCT = auto()
    UNION = auto()
    EVENT = auto()
    IMAGE = auto()
    SAMPLER = auto()
    PIPE = auto()
    FUNCTION = auto()
    HANDLE = auto()
    """An object of the OpenCL API in a host program: a buffer, an event, a kernel, ..."""


@dataclass(frozen=True, eq=False)
class CType:
    """One C type without its top-level qualifiers.

    `value` is the IR type of an SSA value, `memory` that of an object in memory; they differ for
    bool (i1 and i8) only. `void` and functions have i8, the pointee of `void *`.
    """

    kind: Kind
    value: Attribute
    memory: Attribute
    spelling: str
    signed: bool = False
    count: int = 1
    space: ocl.AddressSpace = ocl.AddressSpace.PRIVATE
    volatile: bool = False
    find_element: Callable[[], CType] | None = None
    fields: tuple[tuple[str, CType], ...] = ()
    flexible: tuple[str, int, CType] | None = None
    """The last field of a struct if it is an array without a size: name, byte offset, element."""
    has_field_values: bool = False
    """Whether a class of C++ gives its fields values of their own."""
    is_padded: bool = False
    """Whether the IR type of a struct has more fields, for the padding bytes."""

    @cached_property
    def element(self) -> CType:
        """The element of a vector or array, the pointee of a pointer, else the type itself."""
        return self.find_element() if self.find_element is not None else self

    @property
    def is_integer(self) -> bool:
        return self.kind in (Kind.INT, Kind.BOOL)

    @property
    def is_scalar(self) -> bool:
        return self.kind in (Kind.INT, Kind.BOOL, Kind.FLOAT)

    @property
    def is_record(self) -> bool:
        return self.kind in (Kind.STRUCT, Kind.UNION)

    @property
    def width(self) -> int:
        """Bits of an integer, a float, or of a vector's element."""
        value = self.element.value if self.kind is Kind.VECTOR else self.value
        if isinstance(value, IntegerType):
            return value.width.data
        return {f16: 16, f32: 32, f64: 64}[value]

    def field(self, name: str) -> CType:
        return dict(self.fields)[name]

    @property
    def needs_memory(self) -> bool:
        """Whether a variable of this type cannot be an SSA value."""
        if self.kind is Kind.STRUCT:
            return self.is_padded or any(type.needs_memory for _, type in self.fields)
        return self.kind in (Kind.ARRAY, Kind.UNION)

    def same_value(self, other: CType) -> bool:
        """Whether both have the same values in the same representation and signedness."""
        return (
            self.value == other.value
            and self.kind is other.kind
            and self.element_signed == other.element_signed
        )

    @property
    def element_signed(self) -> bool:
        return self.element.signed if self.kind is Kind.VECTOR else self.signed


def _integer(value: IntegerType, signed: bool, spelling: str) -> CType:
    return CType(Kind.INT, value, value, spelling, signed)


def _float(value: Attribute, spelling: str) -> CType:
    return CType(Kind.FLOAT, value, value, spelling, True)


VOID = CType(Kind.VOID, i8, i8, "void")
BOOL = CType(Kind.BOOL, i1, i8, "bool")
CHAR = _integer(i8, True, "char")
INT = _integer(i32, True, "int")
UINT = _integer(i32, False, "uint")
LONG = _integer(i64, True, "long")
ULONG = _integer(i64, False, "ulong")
HALF = _float(f16, "half")
FLOAT = _float(f32, "float")
DOUBLE = _float(f64, "double")
RESERVATION = _integer(i64, True, "reserve_id_t")
"""The number of the first packet, or a negative one."""

_SCALARS = {
    TypeKind.VOID: VOID,
    TypeKind.BOOL: BOOL,
    TypeKind.CHAR_S: CHAR,
    TypeKind.SCHAR: CHAR,
    TypeKind.UCHAR: _integer(i8, False, "uchar"),
    TypeKind.CHAR_U: _integer(i8, False, "uchar"),
    TypeKind.SHORT: _integer(i16, True, "short"),
    TypeKind.USHORT: _integer(i16, False, "ushort"),
    TypeKind.INT: INT,
    TypeKind.UINT: UINT,
    TypeKind.LONG: LONG,
    TypeKind.ULONG: ULONG,
    TypeKind.LONGLONG: LONG,
    TypeKind.ULONGLONG: ULONG,
    TypeKind.HALF: HALF,
    TypeKind.FLOAT16: HALF,
    TypeKind.FLOAT: FLOAT,
    TypeKind.DOUBLE: DOUBLE,
    TypeKind.OCLRESERVEID: RESERVATION,
}
_UNSIGNED = {type.width: type for type in _SCALARS.values() if type.is_integer and not type.signed}
_IMAGES = {
    getattr(TypeKind, f"OCL{kind.value.upper().replace('_', '')}{code}"): (kind, access)
    for kind in ocl.ImageKind
    for code, access in (
        ("RO", ocl.ImageAccess.READ),
        ("WO", ocl.ImageAccess.WRITE),
        ("RW", ocl.ImageAccess.READ_WRITE),
    )
}
_BASE_SPECIFIER = CursorKind.CXX_BASE_SPECIFIER
_SPACES = {
    0: ocl.AddressSpace.PRIVATE,
    1: ocl.AddressSpace.GLOBAL,
    2: ocl.AddressSpace.LOCAL,
    3: ocl.AddressSpace.CONSTANT,
    4: ocl.AddressSpace.PRIVATE,
    5: ocl.AddressSpace.GENERIC,
}
BASE = "base"
"""The field of a class that holds what it inherits."""
_THIS_SPACE = re.compile(r"\b__(\w+)[^()]*$")
"""Of the spelling of a method's type: what qualifies the object."""
_QUALIFIERS = re.compile(
    r"\b(?:__private|__global|__local|__constant|__generic|const|volatile|restrict|struct|union|enum"
    r"|class)\b\s*"
)


@lru_cache(1024)
def pointer_type(pointee: Attribute, space: ocl.AddressSpace) -> ocl.PtrType:
    """The IR type. A cached attribute costs less than a new one, which is verified."""
    return ocl.PtrType(pointee, space)


@lru_cache(1024)
def vector_type(element: Attribute, count: int) -> VectorType:
    """The IR type of a vector."""
    return VectorType(element, [count])


def vector_of(element: CType, count: int) -> CType:
    """The type of a vector of scalars."""
    value = vector_type(element.memory, count)
    return CType(
        Kind.VECTOR,
        value,
        value,
        f"{element.spelling}{count}",
        count=count,
        find_element=lambda: element,
    )


def unsigned_of(type: CType, width: int | None = None) -> CType:
    """The unsigned integer type of `width` bits, by default those of `type`."""
    return _UNSIGNED[width or type.width]


def pointer_to(element: CType, space: ocl.AddressSpace, volatile: bool = False) -> CType:
    """The type of a pointer to `element` in `space`."""
    value = pointer_type(element.memory, space)
    return CType(
        Kind.POINTER,
        value,
        value,
        f"{element.spelling}*",
        space=space,
        volatile=volatile,
        find_element=lambda: element,
    )


_shared_pointer = lru_cache(256)(pointer_to)
"""For pointers to scalars, which are the same in all sources."""


def bytes_of(union: CType) -> ocl.StructType:
    """A struct with the size and alignment of a union, which can be an SSA value."""
    array = ocl.ArrayType(size_of(union.memory), i8)
    tag = f"{union.spelling}.bytes"
    return ocl.StructType(tag, [("bytes", array)], alignment=align_of(union.memory))


def passed_type(type: CType) -> Attribute:
    """The type of a function's argument or result; a union is passed as its bytes."""
    return bytes_of(type) if type.kind is Kind.UNION else type.value


def innermost(type: CType) -> CType:
    """What the arrays and vectors of a type are of."""
    while type.kind in (Kind.ARRAY, Kind.VECTOR):
        type = type.element
    return type


def unsigned_parts(type: CType, path: str) -> Iterator[str]:
    """The paths of the unsigned integers in the variable `path`, or in its pointee, such as "n" and
    "body.flags"."""
    is_pointer = False
    while type.kind in (Kind.ARRAY, Kind.VECTOR, Kind.POINTER):
        is_pointer |= type.kind is Kind.POINTER
        type = type.element
    if type.kind is Kind.INT and not type.signed:
        yield path
    if is_pointer and "." in path:
        # The struct may be recursive.
        return
    for name, field in type.fields:
        yield from unsigned_parts(field, f"{path}.{name}")


def is_unnamed(spelling: str) -> bool:
    """Whether libclang's spelling of a field means a struct or union without a name."""
    return not spelling or "(anonymous" in spelling or "(unnamed" in spelling


def has_value(field: Cursor) -> bool:
    """Whether a field's declaration initializes it."""
    printed = pretty_printed(field)
    return "=" in printed or printed.endswith("}")


def is_reference(type: Type) -> bool:
    """Whether it is a reference of C++, which is a pointer here."""
    kind = canonical_type(type).kind
    return kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)


def this_space(spelling: str) -> ocl.AddressSpace:
    """Where the object of a method with a type of this spelling may be."""
    found = _THIS_SPACE.search(spelling)
    return ocl.AddressSpace(found[1]) if found else ocl.AddressSpace.GENERIC


def space_of(type: Type) -> ocl.AddressSpace:
    return _SPACES[address_space(type)]


class TypeTable:
    """clang's types of one translation unit as `CType`s."""

    def __init__(self) -> None:
        self._by_handle: dict[int, CType] = {}
        self._is_array: dict[int, bool] = {}
        self._has_space: dict[int, bool] = {}
        self._records: dict[tuple[int, int], CType] = {}
        self._open_records: set[tuple[int, int]] = set()

    def of(self, type: Type, where: Location) -> CType:
        """The C type of a clang type.

        Raises:
            UnsupportedError: at `where`, naming a type that this compiler does not support.
        """
        handle = handle_of(type)
        found = self._by_handle.get(handle)
        if found is None:
            found = self._find(type, where)
            if not self._open_records:
                self._by_handle[handle] = found
        return found

    def is_array(self, type: Type) -> bool:
        """Whether clang's type is an array, of known or unknown size."""
        handle = handle_of(type)
        if handle not in self._is_array:
            kind = canonical_type(type).kind
            self._is_array[handle] = kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
        return self._is_array[handle]

    def has_space(self, type: Type) -> bool:
        """Whether the type has an address space, as the type of an l-value has."""
        handle = handle_of(type)
        if handle not in self._has_space:
            self._has_space[handle] = address_space(canonical_type(type)) != 0
        return self._has_space[handle]

    def _find(self, type: Type, where: Location) -> CType:
        canonical = canonical_type(type)
        scalar = _SCALARS.get(canonical.kind)
        if scalar is not None:
            return scalar
        handle = handle_of(canonical)
        known = self._by_handle.get(handle)
        if known is not None:
            return known
        was_open = bool(self._open_records)
        made = self._make(canonical, where)
        # A pointer inside its own struct has pointee i8 and is not cached.
        if not was_open:
            self._by_handle[handle] = made
        return made

    def _make(self, type: Type, where: Location) -> CType:
        match type.kind:
            case TypeKind.EXTVECTOR | TypeKind.VECTOR:
                return vector_of(self.of(type.element_type, where), type.element_count)
            case TypeKind.POINTER | TypeKind.LVALUEREFERENCE | TypeKind.RVALUEREFERENCE:
                return self._pointer(type.get_pointee(), where)
            case TypeKind.CONSTANTARRAY:
                element = self.of(type.element_type, where)
                count = type.element_count
                if count < 1:
                    raise UnsupportedError("an array of zero elements is not supported", *where)
                value = ocl.ArrayType(count, element.memory)
                spelling = f"{element.spelling}[{count}]"
                return CType(
                    Kind.ARRAY, value, value, spelling, count=count, find_element=lambda: element
                )
            case TypeKind.RECORD:
                return self._record(type, where)
            case TypeKind.ENUM:
                return self.of(type.get_declaration().enum_type, where)
            case TypeKind.FUNCTIONPROTO | TypeKind.FUNCTIONNOPROTO:
                return CType(Kind.FUNCTION, i8, i8, type.spelling)
            case TypeKind.ATOMIC:
                return self.of(atomic_value_type(type), where)
            case TypeKind.OCLSAMPLER:
                return CType(Kind.SAMPLER, ocl.SamplerType(), ocl.SamplerType(), "sampler_t")
            case kind if kind in _IMAGES:
                image = ocl.ImageType(*_IMAGES[kind])
                return CType(Kind.IMAGE, image, image, f"{image.kind.value}_t")
            case TypeKind.PIPE:
                is_read = "write_only" not in type.spelling
                pipe = ocl.PipeType(ocl.PipeAccess.READ if is_read else ocl.PipeAccess.WRITE)
                spelling = "pipe" + _QUALIFIERS.sub("", type.spelling).partition(" pipe")[2]
                return CType(Kind.PIPE, pipe, pipe, spelling)
            case TypeKind.OCLEVENT:
                return CType(Kind.EVENT, ocl.EventType(), ocl.EventType(), "event_t")
            case _:
                raise UnsupportedError(_refusal(type), *where)

    def _bases(self, declaration: Cursor, where: Location) -> list[tuple[str, CType]]:
        """The field for what a class inherits."""
        children = list(declaration.get_children())
        bases = [child for child in children if child.kind is _BASE_SPECIFIER]
        if len(bases) > 1 or any(is_virtual(base) for base in bases):
            raise UnsupportedError("several or virtual base classes are not supported", *where)
        if any(c.kind is CursorKind.CXX_METHOD and c.is_virtual_method() for c in children):
            raise UnsupportedError("virtual functions are not supported", *where)
        if any(c.kind is CursorKind.DESTRUCTOR and not c.is_default_method() for c in children):
            raise UnsupportedError("destructors are not supported", *where)
        return [(BASE, self.of(base.type, where)) for base in bases]

    def _pointer(self, pointee: Type, where: Location) -> CType:
        canonical = canonical_type(pointee)
        kind = canonical.kind
        if kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
            raise UnsupportedError("function pointers are not supported", *where)
        space = space_of(pointee)
        if kind in _SCALARS:
            return _shared_pointer(_SCALARS[kind], space, is_volatile(canonical))
        value = pointer_type(self._pointee(canonical, where), space)
        return CType(
            Kind.POINTER,
            value,
            value,
            f"{self._spelling(canonical, where)}*",
            space=space,
            volatile=is_volatile(canonical),
            find_element=lambda: self.of(canonical, where),
        )

    def _pointee(self, type: Type, where: Location) -> Attribute:
        """The pointee in the IR: i8 for a struct that is incomplete or not yet made."""
        inner = type
        while inner.kind is TypeKind.POINTER:
            inner = inner.get_pointee().get_canonical()
        if inner.kind is TypeKind.RECORD:
            declaration = inner.get_declaration()
            if key_of(declaration) in self._open_records or inner.get_size() < 0:
                return i8
        return self.of(type, where).memory

    def _spelling(self, type: Type, where: Location) -> str:
        if type.kind is TypeKind.RECORD:
            return _tag(type)
        return self.of(type, where).spelling

    def _record(self, type: Type, where: Location) -> CType:
        declaration = type.get_declaration()
        key = key_of(declaration)
        known = self._records.get(key)
        if known is not None:
            return known
        self._open_records.add(key)
        try:
            made = self._new_record(type, where)
        finally:
            self._open_records.discard(key)
        self._records[key] = made
        return made

    def _new_record(self, type: Type, where: Location) -> CType:
        declaration = type.get_declaration()
        is_union = declaration.kind is CursorKind.UNION_DECL
        fields: list[tuple[str, CType]] = self._bases(declaration, where)
        flexible: tuple[str, int, CType] | None = None
        for number, field in enumerate(type.get_fields()):
            if _has_no_elements(field.type):
                element = self.of(canonical_type(field.type).element_type, where)
                flexible = (field.spelling, field.get_field_offsetof() // 8, element)
                continue
            if field.is_bitfield():
                raise UnsupportedError("bit-fields are not supported", *where)
            # The source has no name for an unnamed union or struct.
            name = f"anon{number}" if is_unnamed(field.spelling) else field.spelling
            fields.append((name, self.of(field.type, where)))
        if not fields and not is_union and type.get_size() == 1:
            # An empty class of C++ has an address, and so a byte.
            fields.append(("empty", _SCALARS[TypeKind.SCHAR]))
        if not fields and (is_union or flexible is not None):
            raise UnsupportedError(f"'{_tag(type)}' without fields is not supported", *where)
        memory = [(name, field.memory) for name, field in fields]
        packed = any(c.kind is CursorKind.PACKED_ATTR for c in declaration.get_children())
        make = ocl.UnionType if is_union else ocl.StructType
        value = make(_tag(type), memory, packed=packed)
        if align_of(value) != type.get_align():
            value = make(_tag(type), memory, packed=packed, alignment=type.get_align())
        if not _has_layout(value, memory, type):
            memory = _padded(memory, type)
            value = make(_tag(type), memory, packed=True, alignment=type.get_align())
            if is_union or not _has_layout(value, memory, type):
                raise UnsupportedError(f"the layout of '{_tag(type)}' is not supported", *where)
        kind = Kind.UNION if is_union else Kind.STRUCT
        is_padded = len(memory) > len(fields)
        return CType(
            kind,
            value,
            value,
            _tag(type),
            fields=tuple(fields),
            flexible=flexible,
            has_field_values=any(map(has_value, type.get_fields())),
            is_padded=is_padded,
        )


def _has_no_elements(type: Type) -> bool:
    """Whether a field is an array without a size, or of no elements."""
    canonical = canonical_type(type)
    if canonical.kind is TypeKind.CONSTANTARRAY:
        return canonical.element_count == 0
    return canonical.kind is TypeKind.INCOMPLETEARRAY


def _offsets(type: Type) -> list[int]:
    bases = [0 for c in type.get_declaration().get_children() if c.kind is _BASE_SPECIFIER]
    offsets = [field.get_field_offsetof() // 8 for field in type.get_fields()]
    return [*bases, *offsets] or [0]


def _has_layout(
    value: ocl.StructType | ocl.UnionType, memory: list[tuple[str, Attribute]], type: Type
) -> bool:
    """Whether the record has the size and the field offsets of clang's."""
    offsets = iter(_offsets(type))
    wanted = [0 if name.startswith("pad.") else next(offsets) for name, _ in memory]
    found = [0 if n.startswith("pad.") else field_offset(value, n) for n, _ in memory]
    return size_of(value) == type.get_size() and (min(wanted, default=0) < 0 or found == wanted)


def _padded(memory: list[tuple[str, Attribute]], type: Type) -> list[tuple[str, Attribute]]:
    """The fields with explicit padding, for a struct whose fields have their own alignment."""
    result: list[tuple[str, Attribute]] = []
    end = 0
    # A flexible array has an offset, and no memory.
    for (name, field), offset in zip(memory, _offsets(type), strict=False):
        if offset > end:
            result.append((f"pad.{end}", ocl.ArrayType(offset - end, i8)))
        result.append((name, field))
        end = offset + size_of(field)
    if type.get_size() > end:
        result.append((f"pad.{end}", ocl.ArrayType(type.get_size() - end, i8)))
    return result


def _tag(type: Type) -> str:
    """The name of a struct, union or typedef, or its source location."""
    spelling = _QUALIFIERS.sub("", type.get_canonical().spelling).strip()
    unnamed = re.search(r"\((?:anonymous|unnamed|lambda).* at .*:(\d+):(\d+)\)", spelling)
    if unnamed:
        return f"unnamed_{unnamed[1]}_{unnamed[2]}"
    # The instance of a template: `Pair<float, 4>`.
    return re.sub(r"[^\w.]+", "_", spelling).strip("_")


def _refusal(type: Type) -> str:
    spelling = _QUALIFIERS.sub("", type.spelling).strip()
    kinds = {
        TypeKind.VARIABLEARRAY: "variable-length arrays are",
        TypeKind.INCOMPLETEARRAY: "arrays of unknown size are",
        TypeKind.BLOCKPOINTER: "blocks are",
    }
    what = (
        f"images of several samples ('{spelling}' of cl_khr_gl_msaa_sharing) are"
        if "msaa" in spelling
        else f"the type '{spelling}' is"
    )
    return f"{kinds.get(type.kind, what)} not supported"
