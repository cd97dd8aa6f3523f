"""C types of a host program: arrays are memrefs, objects of the OpenCL API are handles."""

from __future__ import annotations

import re
from functools import cache

from clang.cindex import Type
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8, i64
from xdsl.ir import Attribute

from polycl.dialects import host, ocl
from polycl.dialects.ocl import AddressSpace
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.clang_api import TypeKind, canonical_type, key_of
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.types import (
    VOID,
    CType,
    Kind,
    TypeTable,
    pointer_to,
    vector_type,
)

_VECTOR = re.compile(r"_?(cl_\w+?)(2|4|8|16)")


def _handle(spelling: str, value: Attribute) -> CType:
    return CType(Kind.HANDLE, value, i64, spelling)


KERNEL = _handle("cl_kernel", i8)
EVENT = _handle("cl_event", ocl.EventType())
SETUP = _handle("handle", i8)
"""Objects for the setup of a device, and untracked ones: functions, files, ..."""


@cache
def setup_type(name: str) -> CType:
    """An object for the setup of a device, such as `cl_context`."""
    return _handle(name, i8)


def is_setup(type: CType) -> bool:
    """Whether a type is that of an object for the setup of a device, or of an untracked one."""
    return type.kind is Kind.HANDLE and type.value == i8 and type is not KERNEL


LOCAL_MEMORY = _handle("local memory", host.LocalMemoryType())


@cache
def buffer_type(element: Attribute) -> CType:
    """A `cl_mem` of elements of this type."""
    return _handle("cl_mem", host.BufferType(element))


MEMORY = buffer_type(i8)
"""A `cl_mem` with yet unknown elements."""

_HANDLES = {"_cl_kernel": KERNEL, "_cl_mem": MEMORY, "_cl_event": EVENT}

ADDRESS = pointer_to(VOID, AddressSpace.PRIVATE)
"""`void *` of a program in C's memory."""


def is_buffer(type: CType) -> bool:
    return isinstance(type.value, host.BufferType)


def scalar_of(type: CType) -> tuple[CType, int]:
    """(scalar or struct, number of them) of an object, perhaps an array of arrays."""
    count = 1
    while type.kind is Kind.ARRAY:
        type, count = type.element, count * type.count
    return type, count


@cache
def array_type(element: Attribute) -> MemRefType:
    """The host's memory of elements of this type."""
    return MemRefType(element, [DYNAMIC_INDEX])


class HostTypes(TypeTable):
    """clang's types of a host program as `CType`s."""

    def _make(self, type: Type, where: Location) -> CType:
        match type.kind:
            case TypeKind.POINTER:
                return self._host_pointer(canonical_type(type.get_pointee()), where)
            case TypeKind.RECORD if match := _VECTOR.fullmatch(
                type.get_declaration().spelling or ""
            ):
                return self._vector(type, match, where)
            case TypeKind.RECORD if type.get_size() < 0:
                return SETUP
            case TypeKind.VARIABLEARRAY | TypeKind.INCOMPLETEARRAY:
                return self._host_pointer(canonical_type(type.element_type), where)
            case _:
                return super()._make(type, where)

    def _vector(self, type: Type, match: re.Match[str], where: Location) -> CType:
        """`cl_float4` and similar types: a union in C, a vector in kernels."""
        element = self.of(next(iter(type.get_fields())).type.element_type, where)
        count = int(match[2])
        value = vector_type(element.memory, count)
        spelling = f"{match[1]}{count}"
        return CType(Kind.VECTOR, value, value, spelling, count=count, find_element=lambda: element)

    def _host_pointer(self, pointee: Type, where: Location) -> CType:
        inner = pointee
        while inner.kind in (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY):
            inner = canonical_type(inner.element_type)
        match inner.kind:
            case TypeKind.RECORD if inner.get_size() < 0:
                return _HANDLES.get(inner.get_declaration().spelling, SETUP)
            case TypeKind.FUNCTIONPROTO | TypeKind.FUNCTIONNOPROTO:
                return SETUP
            case TypeKind.VOID:
                value = array_type(i8)
            case TypeKind.RECORD if key_of(inner.get_declaration()) in self._open_records:
                # A list: the struct is not finished.
                value = array_type(i8)
            case _:
                value = array_type(self.of(inner, where).memory)
        return CType(
            Kind.POINTER,
            value,
            i64,
            f"{self._spelling(pointee, where)}*",
            find_element=lambda: self.of(pointee, where),
        )


class CMemoryTypes(HostTypes):
    """clang's types of a whole program, whose memory is C's: pointers are addresses.

    Commands are in one queue, in order, so that events are not followed.
    """

    def _make(self, type: Type, where: Location) -> CType:
        if type.kind is TypeKind.POINTER:
            return self._host_pointer(canonical_type(type.get_pointee()), where)
        return super()._make(type, where)

    def _host_pointer(self, pointee: Type, where: Location) -> CType:
        match pointee.kind:
            case TypeKind.RECORD if pointee.get_size() < 0:
                name = pointee.get_declaration().spelling
                if not name.startswith("_cl_"):
                    return ADDRESS
                is_followed = name in ("_cl_kernel", "_cl_mem")
                return _HANDLES[name] if is_followed else setup_type(name.removeprefix("_"))
            case TypeKind.FUNCTIONPROTO | TypeKind.FUNCTIONNOPROTO:
                return ADDRESS
            case TypeKind.VARIABLEARRAY | TypeKind.INCOMPLETEARRAY:
                return pointer_to(self.of(pointee.element_type, where), AddressSpace.PRIVATE)
            case _:
                try:
                    return self._pointer(pointee, where)
                except UnsupportedError:
                    # For example a struct of a header with bit-fields; its members are errors.
                    return ADDRESS
