"""Struct and union types are equal where all their parts are."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32, i8, i32

from polycl.dialects.ocl import StructType, UnionType


@pytest.mark.parametrize("record", [StructType, UnionType])
def test_types_differ_in_each_part(record: type[StructType] | type[UnionType]) -> None:
    fields = [("x", f32), ("n", i32)]
    types = [
        record("s", fields),
        record("t", fields),
        record("s", [("y", f32), ("n", i32)]),
        record("s", [("x", f32), ("n", i8)]),
        record("s", fields[:1]),
        record("s", fields, packed=True),
        record("s", fields, alignment=16),
    ]
    assert len(set(types)) == len(types)
    assert record("s", list(fields)) == types[0]
    assert hash(record("s", list(fields))) == hash(types[0])


def test_a_struct_is_no_union() -> None:
    assert StructType("s", [("x", f32)]) != UnionType("s", [("x", f32)])
