"""Buffers: which arrays fit which pointer, and what the others are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl import ArgumentError, Local
from polycl.backends.device import LocalMemory
from polycl.runtime.arguments import match_arguments, to_kernel_arg
from polycl.runtime.dtypes import describe_dtype
from polycl.runtime.parameters import Parameter

MakeParameter = Callable[..., Parameter]

BODY = '!ocl.struct<"body", {pos: vector<3xf32>, id: i32, tag: !ocl.array<2 x i8>}>'
BODY_DTYPE = np.dtype(
    {
        "names": ["pos", "id", "tag"],
        "formats": [("<f4", 3), "<i4", ("i1", 2)],
        "offsets": [0, 16, 20],
        "itemsize": 32,
    }
)
XYZ = np.dtype({"names": ["x", "y", "z"], "formats": ["<f4"] * 3, "itemsize": 16})


def refusal(parameter: Parameter, value: Any) -> str:
    """The message of the error, without the part that names the parameter."""
    with pytest.raises(ArgumentError) as error:
        to_kernel_arg(parameter, value)
    start = f"kernel 'k', parameter 'p' ({parameter.type_text}): "
    assert str(error.value).startswith(start)
    return str(error.value).removeprefix(start)


@pytest.mark.parametrize(
    ("pointee", "spelling", "dtype", "shape"),
    [
        ("f32", "float*", "f4", (3, 5)),
        ("f32", "", "f4", (0,)),
        ("f16", "half*", "f2", (8,)),
        ("f64", "double*", "f8", ()),
        ("i32", "int*", "i4", (7,)),
        ("i32", "uint*", "u4", (7,)),
        ("i32", "", "u4", (7,)),
        ("i32", "", "i4", (7,)),
        ("i64", "size_t*", "u8", (7,)),
        ("i8", "uchar*", "u1", (480, 640, 3)),
        ("i8", "bool*", "?", (4,)),
        ("i8", "bool*", "u1", (4,)),
        ("i8", "void*", "c16", (4,)),
        ("vector<4xf32>", "float4*", "f4", (6, 4)),
        ("vector<4xf32>", "float4*", "f4", (24,)),
        ("vector<4xf32>", "float4*", "f4", (0, 4)),
        ("vector<3xf32>", "float3*", "f4", (6, 4)),
        ("vector<3xf32>", "float3*", XYZ, (6,)),
        ("vector<4xi8>", "uchar4*", "u1", (48, 64, 4)),
        ("!ocl.array<2 x vector<2xi16>>", "", "i2", (5, 2, 2)),
        (BODY, "body*", BODY_DTYPE, (9,)),
        ('!ocl.union<"u", {f: f32, i: i32}>', "u*", "f4", (9,)),
        ('!ocl.union<"u", {f: f32, i: i32}>', "u*", "V4", (9,)),
    ],
)
def test_fitting_arrays_are_passed_as_they_are(
    make_parameter: MakeParameter, pointee: str, spelling: str, dtype: Any, shape: tuple[int, ...]
) -> None:
    parameter = make_parameter(f"!ocl.ptr<{pointee}, global>", spelling)
    array = np.zeros(shape, dtype)
    assert to_kernel_arg(parameter, array) is array


@pytest.mark.parametrize(
    ("pointee", "spelling", "dtype", "shape", "message"),
    [
        (
            "f32",
            "float*",
            "f8",
            (4,),
            "expected an array of float32, got one of float64; convert it with .astype(np.float32)",
        ),
        (
            "i32",
            "uint*",
            "i4",
            (4,),
            "expected an array of uint32, got one of int32; pass .view(np.uint32) of it to keep "
            "the bits, or convert it with .astype",
        ),
        (
            "f32",
            "float*",
            ">f4",
            (4,),
            "expected an array of float32, got one of float32 with swapped bytes; "
            "convert it with .astype(np.float32)",
        ),
        (
            "i8",
            "char*",
            "O",
            (4,),
            "expected an array of int8, got one of object; convert it with .astype(np.int8)",
        ),
        ("i8", "void*", "O", (4,), "an array of Python objects has no representation on a device"),
        (
            "vector<4xf32>",
            "float4*",
            "f4",
            (6, 3),
            "expected an array whose shape ends in (4), or a one-dimensional one of a multiple "
            "of 4 elements, got shape 6x3",
        ),
        (
            "vector<3xf32>",
            "float3*",
            "f4",
            (6, 3),
            "expected an array whose shape ends in (4), or a one-dimensional one of a multiple "
            "of 4 elements, got shape 6x3; in memory a 3-element vector takes the space of 4 "
            "elements",
        ),
        ("vector<4xf32>", "float4*", "f4", (6,), None),
        (
            "vector<4xf32>",
            "float4*",
            XYZ,
            (6,),
            "expected an array of float32[4], got one of {x: float32, y: float32, z: float32}: "
            "it has no field at byte 12 for '[3]'",
        ),
        (BODY, "body*", "u1", (32,), None),
        (
            BODY,
            "body*",
            [("pos", "f4", 3), ("id", "i4")],
            (32,),
            "expected an array of {pos: float32[3], id: int32, tag: int8[2]}, got one of "
            "{pos: float32[3], id: int32}: it has 16 bytes, expected 32",
        ),
        (
            BODY,
            "body*",
            np.dtype({"names": ["a", "b"], "formats": ["V16", "<f4"], "itemsize": 32}),
            (2,),
            None,
        ),
    ],
)
def test_other_arrays_are_refused(
    make_parameter: MakeParameter,
    pointee: str,
    spelling: str,
    dtype: Any,
    shape: tuple[int, ...],
    message: str | None,
) -> None:
    parameter = make_parameter(f"!ocl.ptr<{pointee}, global>", spelling)
    got = refusal(parameter, np.zeros(shape, dtype))
    if message is not None:
        assert got == message


def test_structure_fields_are_compared_one_by_one(make_parameter: MakeParameter) -> None:
    parameter = make_parameter('!ocl.ptr<!ocl.struct<"s", {a: i32, b: f32}>, global>', "s*")
    assert refusal(parameter, np.zeros(2, [("a", "i4"), ("b", "i4")])) == (
        "expected an array of {a: int32, b: float32}, got one of {a: int32, b: int32}: "
        "field 'b' at byte 4 is int32, expected float32"
    )
    other_names = np.zeros(2, [("first", "u4"), ("second", "f4")])
    assert to_kernel_arg(parameter, other_names) is other_names
    packed = np.dtype(
        {"names": ["a", "c", "b"], "formats": ["i4", "i2", "f4"], "offsets": [0, 2, 4]}
    )
    assert refusal(parameter, np.zeros(2, packed)).endswith("field 'c' at byte 2 overlaps 'a'")


def test_layout_of_arrays(make_parameter: MakeParameter) -> None:
    parameter = make_parameter("!ocl.ptr<f32, global>", "float*")
    array = np.zeros((4, 4), np.float32)
    assert refusal(parameter, array.T[:2]) == (
        "the array is not C-contiguous; pass a copy made by np.ascontiguousarray "
        "(the kernel then writes into the copy)"
    )
    crooked = np.zeros(17, np.uint8)[1:].view(np.float32)
    assert refusal(parameter, crooked).startswith("the array is not aligned")


def test_read_only_arrays(make_parameter: MakeParameter) -> None:
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    assert refusal(make_parameter("!ocl.ptr<f32, global>", "float*"), array) == (
        "the array is read-only, but the kernel may write through this parameter; "
        "pass a copy, or declare the parameter const"
    )
    assert to_kernel_arg(make_parameter("!ocl.ptr<f32, global>", const=True), array) is array
    assert to_kernel_arg(make_parameter("!ocl.ptr<f32, constant>"), array) is array


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ([1.0, 2.0], "list [1.0, 2.0]"),
        (3, "int 3"),
        (np.float32(1), "float32 1.0"),
        (Local(16), "polycl.Local(16); local memory goes to local pointers"),
        ("x" * 100, "str '" + "x" * 36 + "..."),
    ],
)
def test_what_is_no_array(make_parameter: MakeParameter, value: Any, got: str) -> None:
    parameter = make_parameter("!ocl.ptr<f32, global>", "float*")
    assert refusal(parameter, value) == f"expected a numpy array of float32, got {got}"


def test_null_pointers(make_parameter: MakeParameter) -> None:
    assert to_kernel_arg(make_parameter("!ocl.ptr<f32, global>"), None) is None
    assert to_kernel_arg(make_parameter("!ocl.ptr<f32, constant>"), None) is None


def test_local_memory(make_parameter: MakeParameter) -> None:
    parameter = make_parameter("!ocl.ptr<f32, local>", "float*")
    assert to_kernel_arg(parameter, Local(64)) == LocalMemory(64)
    assert refusal(parameter, Local(0)) == "expected at least 1 byte of local memory, got 0"
    assert refusal(parameter, Local(1 << 40)).endswith("it is the size for one work-group")
    half: Any = 1.5
    assert refusal(parameter, Local(half)) == "expected an integer number of bytes, got float 1.5"
    assert refusal(parameter, None) == "expected polycl.Local(bytes), got None"
    assert refusal(parameter, np.zeros(4, np.float32)) == (
        "expected polycl.Local(bytes), got an array of float32, shape 4"
    )


def test_matching_by_position_and_name(make_parameter: MakeParameter) -> None:
    p = make_parameter("f32", "float")
    q = Parameter("k", "q", p.type, "float", const=False)

    def match(*args: Any, **named: Any) -> list[Any]:
        return match_arguments("k", (p, q), args, named)

    assert match(1, 2) == match(1, q=2) == match(q=2, p=1) == [1, 2]
    for args, named, message in [
        ((), {}, "kernel 'k' takes 2 arguments, got 0: missing 'p' (float), 'q' (float)"),
        ((1, 2, 3), {}, "kernel 'k' takes 2 arguments (p, q), got 3"),
        ((1,), {"p": 1}, "kernel 'k': parameter 'p' is given twice"),
        (
            (1,),
            {"qq": 1},
            "kernel 'k': unknown parameter 'qq'; did you mean 'q'? (its parameters: p, q)",
        ),
    ]:
        with pytest.raises(ArgumentError) as error:
            match(*args, **named)
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("type", "spelling", "text"),
    [
        ("!ocl.ptr<i32, global>", "uint*", "uint32"),
        ("!ocl.ptr<vector<3xf32>, global>", "float3*", "float32[4]"),
        ("vector<3xf32>", "float3", "float32[3]"),
        (f"!ocl.ptr<{BODY}, global>", "body*", "{pos: float32[3], id: int32, tag: int8[2]}"),
        ('!ocl.union<"u", {f: f32, i: vector<2xi32>}>', "u", "{f: float32, i: int32[2]}"),
        ("!ocl.ptr<!ocl.ptr<f32, global>, global>", "float**", "uint64"),
    ],
)
def test_dtype(make_parameter: MakeParameter, type: str, spelling: str, text: str) -> None:
    parameter = make_parameter(type, spelling)
    assert describe_dtype(parameter.dtype) == text


def test_dtype_makes_fitting_arrays(make_parameter: MakeParameter) -> None:
    for pointee in ("i8", "vector<3xf64>", "!ocl.array<3 x vector<4xi16>>", BODY):
        parameter = make_parameter(f"!ocl.ptr<{pointee}, global>")
        array = np.zeros(5, parameter.dtype)
        assert to_kernel_arg(parameter, array) is array
    assert make_parameter(f"!ocl.ptr<{BODY}, global>").dtype == BODY_DTYPE
