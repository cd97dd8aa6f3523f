"""`wg-private-counters` beside numpy: several threads, arrays that overlap, and proven bounds."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import arith, test
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i8, i32, i64
from xdsl.ir import Operation, SSAValue

import polycl
from polycl.analysis.ocl.intervals import ANY, bounds, interval

COUNT = """
kernel void count(global const uchar *data, global uint *bins) {
  atomic_inc(&bins[data[get_global_id(0)]]);
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_add_what_each_has_counted(threads: int) -> None:
    data = np.random.default_rng(1).integers(0, 256, 1 << 16, np.uint8)
    bins = np.arange(256, dtype=np.uint32)
    count = polycl.load(COUNT).kernel("count")
    device = polycl.device("cpu", threads=threads)
    for _ in range(3):
        count(data, bins, global_size=data.size, local_size=64, device=device)
    expected = np.arange(256) + 3 * np.bincount(data, minlength=256)
    assert np.array_equal(bins, expected)


def test_counters_that_the_kernel_reads_as_data_are_added_at_once() -> None:
    """Each addition changes or uses what the next one reads: the counter that it adds to."""
    source = """
    kernel void follow(global const uchar *data, global uint *bins) {
      for (int k = 0; k < 64; k++) atomic_inc(&bins[data[0]]);
    }
    """
    bins, on_interp = np.zeros(256, np.uint32), np.zeros(256, np.uint32)
    follow = polycl.load(source).kernel("follow")
    follow(bins.view(np.uint8), bins, global_size=1, local_size=1)
    follow(on_interp.view(np.uint8), on_interp, global_size=1, local_size=1, device="interp")
    assert list(bins[:2]) == [1, 63]
    assert np.array_equal(bins, on_interp)


def _value(type: IntegerType) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


def _with(kind: type[Operation], x: SSAValue, number: int) -> SSAValue:
    assert isinstance(x.type, IntegerType)
    constant = arith.ConstantOp(IntegerAttr(number, x.type))
    return kind.create(operands=[x, constant.result], result_types=[x.type]).results[0]


def test_bounds_of_bytes_masks_remainders_and_shifts() -> None:
    byte, word = _value(i8), _value(i32)
    assert bounds(arith.ExtUIOp(byte, i64).result) == (0, 255)
    assert bounds(arith.ExtUIOp(word, i64).result) == ANY
    assert bounds(_with(arith.AndIOp, word, 15)) == (0, 15)
    assert bounds(_with(arith.AndIOp, word, -16)) == ANY
    assert bounds(_with(arith.RemUIOp, word, 10)) == (0, 9)
    assert bounds(_with(arith.ShRUIOp, word, 24)) == (0, 255)
    assert bounds(_with(arith.ShRUIOp, word, 0)) == ANY
    assert bounds(_with(arith.ShRSIOp, word, 24)) == ANY


def test_sums_of_bytes_may_wrap() -> None:
    masked = _with(arith.AndIOp, _value(i8), 100)
    assert bounds(_with(arith.AddiOp, masked, 27)) == (27, 127)
    assert bounds(_with(arith.AddiOp, masked, 28)) == ANY


def test_an_interval_is_of_counters_only() -> None:
    assert interval(_with(arith.AndIOp, _value(i32), 15)) == ANY
