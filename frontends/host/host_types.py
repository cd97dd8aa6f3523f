"""C types of a host program: arrays are memrefs, objects of the OpenCL API are handles."""

from __future__ import annotations

import re
from functools import cache

from clang.cindex import Type
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8, i64
from xdsl.ir import Attribute

from polycl.dialects import host, ocl
from polycl.frontends.opencl_c.clang_api import TypeKind, canonical_type, key_of
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.types import CType, Kind, TypeTable, vector_type

_VECTOR = re.compile(r"_(cl_\w+?)(2|4|8|16)")


def _handle(spelling: str, value: Attribute) -> CType:
    return CType(Kind.HANDLE, value, i64, spelling)


KERNEL = _handle("cl_kernel", i8)
EVENT = _handle("cl_event", ocl.EventType())
SETUP = _handle("handle", i8)
"""Objects for the setup of a device, and untracked ones: functions, files, ..."""
LOCAL_MEMORY = _handle("local memory", host.LocalMemoryType())


@cache
def buffer_type(element: Attribute) -> CType:
    """A `cl_mem` of elements of this type."""
    return _handle("cl_mem", host.BufferType(element))


MEMORY = buffer_type(i8)
"""A `cl_mem` with yet unknown elements."""

_HANDLES = {"_cl_kernel": KERNEL, "_cl_mem": MEMORY, "_cl_event": EVENT}


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
