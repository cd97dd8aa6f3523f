"""Types of the `ocl` dialect as the texts of `polycl.runtime.dataspec`."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, StructType, UnionType
from polycl.dialects.ocl.attributes import is_scalar
from polycl.runtime.dtypes import dtype_of


def type_name(type: Attribute, signed: bool) -> str | None:
    """`type` as `polycl.runtime.dataspec` writes it: `f32`, `u8x4`, `{pos:f32x4,id:i32}`.

    None for what it cannot say: unions, packed structures, arrays of vectors or arrays.
    """
    match type:
        case VectorType():
            return f"{type_name(type.element_type, signed)}x{type.element_count()}"
        case ArrayType() if is_scalar(type.element):
            return f"{type_name(type.element, signed)}[{type.size.data}]"
        case StructType() if not type.is_packed and not type.alignment.data:
            names = [type_name(field, True) for _, field in type.fields]
            if None in names:
                return None
            fields = (
                f"{field}:{name}" for (field, _), name in zip(type.fields, names, strict=True)
            )
            return "{" + ",".join(fields) + "}"
        case ArrayType() | StructType() | UnionType():
            return None
        case _:
            dtype = dtype_of(type, signed)
            return f"{dtype.kind.lower()}{8 * dtype.itemsize}"
