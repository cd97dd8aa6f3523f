"""By-value arguments: which values fit, their bytes, and what the others are told."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl import ArgumentError, Local
from polycl.runtime.arguments import to_kernel_arg
from polycl.runtime.parameters import Parameter

MakeParameter = Callable[..., Parameter]

PAIR = '!ocl.struct<"pair", {n: i8, v: vector<2xf32>}>'
PAIR_DTYPE = np.dtype({"names": ["n", "v"], "formats": ["i1", ("<f4", 2)], "offsets": [0, 8]})
UNION = '!ocl.union<"u", {f: f32, b: !ocl.array<4 x i8>}>'


@pytest.mark.parametrize(
    ("type", "spelling", "value", "data"),
    [
        ("i32", "int", -7, b"\xf9\xff\xff\xff"),
        ("i32", "int", True, b"\1\0\0\0"),
        ("i32", "uint", 2**32 - 1, b"\xff" * 4),
        ("i32", "", 2**32 - 1, b"\xff" * 4),
        ("i32", "", -1, b"\xff" * 4),
        ("i64", "size_t", np.uint8(3), b"\3" + b"\0" * 7),
        ("i16", "short", np.array(-2, np.int64), b"\xfe\xff"),
        ("f32", "float", 1.5, struct.pack("f", 1.5)),
        ("f32", "float", 3, struct.pack("f", 3)),
        ("f32", "float", np.float64(0.1), struct.pack("f", 0.1)),
        ("f32", "float", float("inf"), struct.pack("f", float("inf"))),
        ("f64", "double", np.float32(0.1), struct.pack("d", np.float32(0.1))),
        ("f16", "half", 1.5, b"\x00\x3e"),
        ("f32", "float", np.uint32(0x7F800001).view(np.float32), b"\x01\x00\x80\x7f"),
        ("vector<2xi32>", "int2", (1, -1), struct.pack("2i", 1, -1)),
        ("vector<4xf32>", "float4", np.arange(4), struct.pack("4f", 0, 1, 2, 3)),
        ("vector<3xf32>", "float3", [1, 2, 3], struct.pack("4f", 1, 2, 3, 0)),
        (PAIR, "pair", {"n": 1, "v": (2, 3)}, struct.pack("b7x2f", 1, 2, 3)),
        (PAIR, "pair", np.array((1, (2, 3)), PAIR_DTYPE), struct.pack("b7x2f", 1, 2, 3)),
        (PAIR, "pair", np.array((1, (2, 3)), PAIR_DTYPE)[()], struct.pack("b7x2f", 1, 2, 3)),
        (PAIR, "pair", b"0123456789abcdef", b"0123456789abcdef"),
        (UNION, "u", {"b": list(b"abcd")}, b"abcd"),
        (UNION, "u", {"f": 1.0}, struct.pack("f", 1)),
    ],
)
def test_bytes(
    make_parameter: MakeParameter, type: str, spelling: str, value: Any, data: bytes
) -> None:
    assert to_kernel_arg(make_parameter(type, spelling), value) == data


@pytest.mark.parametrize(
    ("type", "spelling", "value", "message"),
    [
        ("i32", "int", 1.0, "expected an integer, got float 1.0; convert it with int()"),
        ("i32", "int", None, "expected an integer, got None"),
        ("i32", "int", 2**31, "2147483648 is out of range; expected -2147483648 to 2147483647"),
        ("i32", "uint", -1, "-1 is out of range; expected 0 to 4294967295"),
        ("i32", "", 2**32, "4294967296 is out of range; expected -2147483648 to 4294967295"),
        ("i8", "uchar", 256, "256 is out of range; expected 0 to 255"),
        ("f32", "float", "2", "expected a number, got str '2'"),
        ("f32", "float", 1j, "expected a number, got complex 1j"),
        ("f32", "float", 1e300, "1e+300 is too large for float32"),
        ("f64", "double", 10**400, f"{10**400} is too large for float64"),
        ("f32", "float", np.float64(1e300), "1e+300 is too large for float32"),
        ("f32", "float", [1.0], "expected a number, got list [1.0]"),
        ("f32", "float", np.zeros(1), "expected a number, got an array of float64, shape 1"),
        ("f32", "float", Local(4), "expected a number, got polycl.Local(4)"),
        ("vector<4xf32>", "float4", 1.0, "expected a sequence of 4 numbers, got float 1.0"),
        ("vector<4xf32>", "float4", (1, 2, 3), "expected 4 numbers, got 3"),
        ("vector<2xi32>", "int2", (1, 2.5), None),
        (PAIR, "pair", {"n": 1}, "the field 'v' has no value"),
        (PAIR, "pair", {"n": 1, "w": 1}, "there is no field 'w'; the fields: n, v"),
        (PAIR, "pair", {"n": 1, "v": (1, "a")}, "'v[1]': expected a number, got str 'a'"),
        (PAIR, "pair", b"", "expected 16 bytes, got 0"),
        (PAIR, "pair", 3, None),
        (PAIR, "pair", np.zeros((), "i1,f4")[()], None),
        (PAIR, "pair", np.zeros(2, PAIR_DTYPE), None),
        (UNION, "u", {}, "expected a value for one of the fields f, b"),
    ],
)
def test_misfits(
    make_parameter: MakeParameter, type: str, spelling: str, value: Any, message: str | None
) -> None:
    with pytest.raises(ArgumentError) as error:
        to_kernel_arg(make_parameter(type, spelling), value)
    start = f"kernel 'k', parameter 'p' ({spelling or type}): "
    assert str(error.value).startswith(start)
    if message is not None:
        assert str(error.value).removeprefix(start) == message
