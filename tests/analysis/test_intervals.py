"""Bounds of values whose operands' types bound them."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith, builtin, math, test

from polycl.analysis.ocl.intervals import ANY, Interval, bounds


@pytest.mark.parametrize(("type", "expected"), [(builtin.i8, ANY), (builtin.i16, (0, 128))])
def test_the_least_number_of_a_type_has_no_absolute_value(
    type: builtin.IntegerType, expected: Interval
):
    """-128 stays -128 in 8 bits."""
    number = test.TestOp(result_types=[builtin.i8]).results[0]
    value = arith.ExtSIOp(number, builtin.i16).result
    if type == builtin.i8:
        value = arith.TruncIOp(value, type).result
    assert bounds(math.AbsIOp(value).result) == expected
