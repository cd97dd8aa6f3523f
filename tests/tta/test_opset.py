"""What operations compute: values at the edges, worked out from the definitions."""

from __future__ import annotations

import struct

import pytest

from polycl.dialects.tta import OPSET
from polycl.dialects.tta.opset import NAN


def f(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0]


TOP = 0x80000000
ONES = 0xFFFFFFFF
TINY = 1
"""The least subnormal float."""


@pytest.mark.parametrize(
    ("name", "inputs", "expected"),
    [
        ("add", (ONES, 2), 1),
        ("sub", (0, 1), ONES),
        ("and", (0b1100, 0b1010), 0b1000),
        ("ior", (0b1100, 0b1010), 0b1110),
        ("xor", (0b1100, 0b1010), 0b0110),
        ("shl", (3, 31), TOP),
        ("shl", (3, 33), 6),
        ("shr", (TOP, 4), 0xF8000000),
        ("shr", (TOP, 36), 0xF8000000),
        ("shru", (TOP, 31), 1),
        *((f"shl{n}_32", (TOP + 3,), 3 << n) for n in (1, 2, 4, 8, 16)),
        ("shr1_32", (TOP + 3,), 0xC0000001),
        ("shr2_32", (TOP,), 0xE0000000),
        ("shr4_32", (TOP,), 0xF8000000),
        ("shr8_32", (TOP,), 0xFF800000),
        ("shr16_32", (TOP,), 0xFFFF8000),
        *((f"shru{n}_32", (TOP,), TOP >> n) for n in (1, 2, 4, 8, 16)),
        ("mul", (ONES, ONES), 1),
        ("mulhi", (ONES, ONES), 0),
        ("mulhi", (TOP, 2), ONES),
        ("mulhiu", (ONES, ONES), 0xFFFFFFFE),
        ("min", (ONES, 1), ONES),
        ("max", (ONES, 1), 1),
        ("minu", (ONES, 1), 1),
        ("maxu", (ONES, 1), ONES),
        ("eq", (ONES, ONES), 1),
        ("ne", (ONES, ONES), 0),
        ("lt", (ONES, 0), 1),
        ("ltu", (ONES, 0), 0),
        ("le", (0, 0), 1),
        ("leu", (0, ONES), 1),
        ("gt", (0, ONES), 1),
        ("gtu", (0, ONES), 0),
        ("ge", (TOP, TOP - 1), 0),
        ("geu", (TOP, TOP - 1), 1),
        ("sxqw", (0x180,), 0xFFFFFF80),
        ("sxqw", (0x17F,), 0x7F),
        ("sxhw", (0x18000,), 0xFFFF8000),
        ("addf", (f(0.1), f(0.2)), 0x3E99999A),
        ("addf", (f(1.0), 0x33800000), f(1.0)),
        ("addf", (0x3F800001, 0x33800000), 0x3F800002),
        ("subf", (f(1.0), f(1.0)), 0),
        ("subf", (f(float("inf")), f(float("inf"))), NAN),
        ("mulf", (TINY, f(0.5)), 0),
        ("mulf", (0x00800000, f(0.5)), 0x00400000),
        ("mulf", (0x7F7FFFFF, f(2.0)), 0x7F800000),
        ("mulf", (0xFFC12345, f(1.0)), NAN),
        ("divf", (f(1.0), f(3.0)), 0x3EAAAAAB),
        ("divf", (f(-1.0), 0), 0xFF800000),
        ("divf", (0, 0), NAN),
        ("sqrtf", (f(2.0),), 0x3FB504F3),
        ("sqrtf", (f(-1.0),), NAN),
        ("negf", (0x7FC12345,), 0xFFC12345),
        ("absf", (0xFFC12345,), 0x7FC12345),
        ("eqf", (TOP, 0), 1),
        ("eqf", (NAN, NAN), 0),
        ("nef", (NAN, NAN), 1),
        ("ltf", (NAN, 0), 0),
        ("gef", (NAN, 0), 0),
        ("ltf", (f(-1.0), f(1.0)), 1),
        ("lef", (f(1.0), f(1.0)), 1),
        ("gtf", (f(2.0), f(1.0)), 1),
        ("cif", (ONES,), f(-1.0)),
        ("cif", (0x01000001,), f(16777216.0)),
        ("cif", (0x01000003,), f(16777220.0)),
        ("cifu", (ONES,), 0x4F800000),
        ("cfi", (f(-1.9),), ONES),
        ("cfi", (f(3e9),), 0x7FFFFFFF),
        ("cfi", (f(float("-inf")),), TOP),
        ("cfi", (NAN,), 0),
        ("cfiu", (f(3e9),), 3000000000),
        ("cfiu", (f(-1.0),), 0),
        ("cfiu", (f(float("inf")),), ONES),
    ],
)
def test_value(name: str, inputs: tuple[int, ...], expected: int):
    compute = OPSET[name].compute
    assert compute is not None
    assert compute(*inputs) == expected
    if OPSET[name].commutative:
        assert compute(*reversed(inputs)) == expected


def test_every_pure_operation_is_tested():
    (mark,) = test_value.pytestmark  # pyright: ignore[reportFunctionMemberAccess]
    tested = {case[0] for case in mark.args[1]}
    assert {name for name, op in OPSET.items() if op.compute is not None} == tested
