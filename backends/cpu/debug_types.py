"""The types of variables as debug metadata of LLVM IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl.attributes import ArrayType, PtrType, StructType, UnionType
from polycl.dialects.ocl.debug import SourceVariable
from polycl.dialects.ocl.layout import field_offsets, size_of

_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}


class DebugTypes:
    """The types of one module. They have OpenCL's names; those of typedefs are not known."""

    def __init__(self, target: ir.Module):
        self._add: Callable[..., Any] = target.add_debug_info
        self._list: Callable[..., Any] = target.add_metadata

    def of_variable(self, memory: Attribute, shown: SourceVariable) -> Any:
        """The type of a variable; `memory` is what it has in memory, or its address."""
        if shown.is_address:
            assert isinstance(memory, PtrType)
            memory = memory.pointee
        return self._of(memory, "", frozenset(shown.unsigned))

    def _of(self, type: Attribute, path: str, unsigned: frozenset[str]) -> Any:
        match type:
            case IntegerType():
                return self._integer(type.width.data, path in unsigned)
            case Float16Type():
                return self._basic("half", 16, "DW_ATE_float")
            case Float32Type():
                return self._basic("float", 32, "DW_ATE_float")
            case Float64Type():
                return self._basic("double", 64, "DW_ATE_float")
            case PtrType():
                fields = {
                    "tag": ir.DIToken("DW_TAG_pointer_type"),
                    "baseType": self._of(type.pointee, path, unsigned),
                    "size": 64,
                }
                return self._add("DIDerivedType", fields)
            case VectorType():
                element = self._of(type.element_type, path, unsigned)
                vector = {"flags": ir.DIToken("DIFlagVector")}
                return self._array(element, type.element_count(), size_of(type), vector)
            case ArrayType():
                element = self._of(type.element, path, unsigned)
                return self._array(element, type.size.data, size_of(type), {})
            case StructType() | UnionType():
                return self._record(type, path, unsigned)
            case _:
                # An event, or a handle: a number.
                return self._integer(64, True)

    def _integer(self, width: int, is_unsigned: bool) -> Any:
        name = _INTEGERS.get(width, f"int{width}_t")
        sign = "unsigned" if is_unsigned else "signed"
        encoding = f"DW_ATE_{sign}_char" if width == 8 else f"DW_ATE_{sign}"
        return self._basic("u" * is_unsigned + name, width, encoding)

    def _basic(self, name: str, bits: int, encoding: str) -> Any:
        fields = {"name": name, "size": bits, "encoding": ir.DIToken(encoding)}
        return self._add("DIBasicType", fields)

    def _array(self, element: Any, count: int, nbytes: int, more: dict[str, Any]) -> Any:
        fields = {
            "tag": ir.DIToken("DW_TAG_array_type"),
            "baseType": element,
            "size": 8 * nbytes,
            "elements": self._list([self._add("DISubrange", {"count": count})]),
            **more,
        }
        return self._add("DICompositeType", fields)

    def _record(self, type: StructType | UnionType, path: str, unsigned: frozenset[str]) -> Any:
        members: list[Any] = []
        for (name, field), offset in zip(type.fields, field_offsets(type), strict=True):
            fields = {
                "tag": ir.DIToken("DW_TAG_member"),
                "name": name,
                "baseType": self._of(field, f"{path}.{name}", unsigned),
                "size": 8 * size_of(field),
                "offset": 8 * offset,
            }
            members.append(self._add("DIDerivedType", fields))
        kind = "structure" if isinstance(type, StructType) else "union"
        fields = {
            "tag": ir.DIToken(f"DW_TAG_{kind}_type"),
            "name": type.tag.data,
            "size": 8 * size_of(type),
            "elements": self._list(members),
        }
        return self._add("DICompositeType", fields)
