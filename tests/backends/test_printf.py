"""`printf`: the text of each conversion, as C prints it."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import VectorType, f16, f32, f64, i8, i16, i32, i64
from xdsl.ir import Attribute

import polycl
from polycl.backends.device import NDRange
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import make_context
from polycl.backends.printf import FormatError, format_printf
from polycl.errors import LaunchError
from polycl.frontends.mlir.mlir_text import parse_mlir

_INF, _NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("format", "type", "value", "expected"),
    [
        ("%d", i32, 0xFFFFFFFF, "-1"),
        ("%d", i32, -1, "-1"),
        ("%i|", i32, 5, "5|"),
        ("%u", i32, -1, "4294967295"),
        ("%x", i32, -1, "ffffffff"),
        ("%#X", i32, 255, "0XFF"),
        ("%#x", i32, 0, "0"),
        ("%o", i32, 8, "10"),
        ("%#o", i32, 8, "010"),
        ("%5d|%%", i32, 42, "   42|%"),
        ("%-5d|", i32, 42, "42   |"),
        ("%05d", i32, -42, "-0042"),
        ("%+d", i32, 42, "+42"),
        ("% d", i32, 42, " 42"),
        ("%+u", i32, 42, "42"),
        ("%.3d", i32, 7, "007"),
        ("%06.3d", i32, 7, "   007"),
        ("%.0d|", i32, 0, "|"),
        ("%#06x", i32, 255, "0x00ff"),
        ("%hhd", i32, 0x1FF, "-1"),
        ("%hhu", i8, -1, "255"),
        ("%hd", i16, -2, "-2"),
        ("%ld", i64, -(2**63), "-9223372036854775808"),
        ("%lu", i64, -1, "18446744073709551615"),
        ("%lx", i64, -1, "ffffffffffffffff"),
        ("%d", i64, 2**32 + 5, "5"),
        ("%c%%", i32, 65, "A%"),
        ("%3c|", i8, 66, "  B|"),
        ("%f", f32, 1.5, "1.500000"),
        ("%f", f64, -0.0, "-0.000000"),
        ("%.0f", f64, 2.5, "2"),
        ("%#.0f", f64, 2.0, "2."),
        ("%8.2f|", f64, 3.14159, "    3.14|"),
        ("%-8.2f|", f64, 3.14159, "3.14    |"),
        ("%08.2f", f64, -3.14159, "-0003.14"),
        ("%+.1e", f64, 12345.0, "+1.2e+04"),
        ("%G", f64, 1e-10, "1E-10"),
        ("%g", f32, 0.1, "0.1"),
        ("%f", f64, _INF, "inf"),
        ("%F", f64, -_INF, "-INF"),
        ("%06f", f64, _NAN, "   nan"),
        ("%a", f64, 1.0, "0x1p+0"),
        ("%a", f64, -0.1, "-0x1.999999999999ap-4"),
        ("%.2a", f64, 1.999, "0x2.00p+0"),
        ("%A", f64, 10.0, "0X1.4P+3"),
        ("%a", f64, 0.0, "0x0p+0"),
        ("%.1a", f64, 1.0, "0x1.0p+0"),
        ("%s", i8, "text", "text"),
        ("%.2s|", i8, "text", "te|"),
        ("%p", i64, 4096, "0x1000"),
        ("%p", i64, 0, "(nil)"),
    ],
)
def test_scalar(format: str, type: Attribute, value: Any, expected: str) -> None:
    assert format_printf(format, [(type, value)]) == expected


@pytest.mark.parametrize(
    ("format", "element", "value", "expected"),
    [
        ("%v4hlf", f32, (1.0, 2.0, 3.0, 4.0), "1.000000,2.000000,3.000000,4.000000"),
        ("%v2lf", f64, (1.0, -2.0), "1.000000,-2.000000"),
        ("%v2hg", f16, (0.5, 1.0), "0.5,1"),
        ("%v4hlf".replace("f", ".1f").replace("%v4hl.1f", "%.1v4hlf"), f32, (1, 2, 3, 4),
         "1.0,2.0,3.0,4.0"),
        ("%v4hhx", i8, (0, -1, 16, 1), "0,ff,10,1"),
        ("%#v2hx", i16, (1, 0xFACE), "0x1,0xface"),
        ("%3v2hld|", i32, (-1, 7), " -1,  7|"),
        ("%v3ld", i64, (1, -1, 2), "1,-1,2"),
        ("%v2d", i16, (-1, 3), "-1,3"),
    ],
)  # fmt: skip
def test_vector(format: str, element: Attribute, value: tuple[Any, ...], expected: str) -> None:
    type = VectorType(element, [len(value)])
    assert format_printf(format, [(type, value)]) == expected


def test_plain_text_and_several_arguments() -> None:
    assert format_printf("100%%\n", []) == "100%\n"
    assert format_printf("%d-%s-%f", [(i32, 1), (i8, "x"), (f32, 2.0)]) == "1-x-2.000000"
    assert format_printf("only %d", [(i32, 1), (i32, 2)]) == "only 1"


@pytest.mark.parametrize(
    ("format", "type", "value", "message"),
    [
        ("%d %d", i32, 1, "there is no argument for '%d'"),
        ("%d", f32, 1.0, "'%d' is for an integer, the argument is f32"),
        ("%f", i32, 1, "'%f' is for a float, the argument is i32"),
        ("%q", i32, 1, "'%q' is not a conversion"),
        ("%", i32, 1, "'%' is not a conversion"),
        ("%v5d", i32, 1, "'%v5d' is not a vector conversion"),
        ("%v2s", i32, 1, "'%v2s' is not a vector conversion"),
        ("%v4d", i32, 1, "'%v4d' is for a vector of 4, the argument is i32"),
        ("%d", VectorType(i32, [2]), (1, 2), "'%d' is for a scalar"),
        ("%hlf", f32, 1.0, "the length hl belongs to vectors"),
        ("%s", i8, 1, "'%s' is for a pointer to constant char"),
    ],
)
def test_errors(format: str, type: Attribute, value: Any, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        format_printf(format, [(type, value)])
    assert message in str(caught.value)


def _c_printf() -> Callable[[str, Any], str]:
    library = ctypes.CDLL("libc.so.6")

    def call(format: str, value: Any) -> str:
        buffer = ctypes.create_string_buffer(2048)
        library.snprintf(buffer, 2048, format.encode(), value)
        return buffer.value.decode()

    return call


_FLAGS = st.text("-+ #0", max_size=3)
_WIDTH = st.one_of(st.just(""), st.integers(1, 30).map(str))
_PRECISION = st.one_of(st.just(""), st.integers(0, 20).map(".{}".format))


@settings(max_examples=300, deadline=None)
@given(_FLAGS, _WIDTH, _PRECISION, st.sampled_from("diouxX"), st.integers(-(2**31), 2**31 - 1))
def test_integers_as_c_prints_them(
    flags: str, width: str, precision: str, conversion: str, value: int
) -> None:
    format = f"%{flags}{width}{precision}{conversion}"
    assert format_printf(format, [(i32, value)]) == _c_printf()(format, ctypes.c_int(value))


@settings(max_examples=300, deadline=None)
@given(_FLAGS, _WIDTH, _PRECISION, st.sampled_from("fFeEgGaA"), st.floats(allow_nan=False))
def test_floats_as_c_prints_them(
    flags: str, width: str, precision: str, conversion: str, value: float
) -> None:
    format = f"%{flags}{width}{precision}{conversion}"
    expected = _c_printf()(format, ctypes.c_double(value))
    assert format_printf(format, [(f64, value)]) == expected


_KERNEL = """
ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %i : index to i32
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  %w = vector.broadcast %v : f32 to vector<2xf32>
  %r = ocl.printf "FORMAT"(%n, %w, %x) : (i32, vector<2xf32>, !ocl.ptr<f32, global>) -> i32
  %s = arith.sitofp %r : i32 to f32
  ocl.store %s, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}"""


def _run(format: str) -> list[float]:
    module = parse_mlir(make_context(), _KERNEL.replace("FORMAT", format).encode(), "k.mlir")
    x = np.array([1, 2], "f4")
    ndrange = NDRange((2, 1, 1), (1, 1, 1))
    InterpDevice().compile(module, "k", ndrange).run([x], ndrange)
    return x.tolist()


def test_interpreter_prints_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("%d: %.1v2hlf %p\\n") == [0, 0]
    assert capsys.readouterr().out == "0: 1.0,1.0 0x1000\n1: 2.0,2.0 0x1000\n"


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_texts_in_constant_memory(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = """constant char text[] = "hello";
    kernel void k(int n) {
      constant char *p = n ? text : text + 1;
      printf("%s|%6s|%s %s", (void *)0, 0, text, p);
    }"""
    polycl.load(source, language="cl").kernel("k")(0, global_size=1, local_size=1, device=device)
    assert capsys.readouterr().out == "(null)|(null)|hello ello"


def test_interpreter_locates_a_bad_format() -> None:
    with pytest.raises(LaunchError, match=r"k\.mlir:7:3: error: printf: '%f' is for a float"):
        _run("%f")
