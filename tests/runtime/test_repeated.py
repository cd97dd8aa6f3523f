"""Calls that repeat an earlier one: the same results and the same errors as the first."""

from __future__ import annotations

import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import polycl
from polycl import ArgumentError, Local
from polycl.backends.cpu import CpuDevice
from polycl.runtime import arguments, kernel

SOURCE = """
kernel void add(global int *x, global const int *y, int n) {
  int i = get_global_id(0);
  x[i] = y[i] + n;
}
kernel void numbers(global double *out, char a, uchar b, short c, ushort d, int e, uint f,
                    long g, ulong h, float i, double j) {
  out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = h;
  out[8] = i; out[9] = j;
}
kernel void vectors(global float4 *x, float4 v) { x[get_global_id(0)] += v; }
kernel void reverse(global int *x, local int *t, global int *sum) {
  int l = get_local_id(0), n = get_local_size(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[n - 1 - l];
  if (sum && l == 0) atomic_add(sum, n);
}
kernel void say(int n) { printf("%d\\n", n); }
"""


@pytest.fixture(scope="module")
def program() -> polycl.Program:
    return polycl.load(SOURCE)


class LongWay:
    """How many arguments were checked."""

    checked = 0


@pytest.fixture
def long_way(monkeypatch: pytest.MonkeyPatch) -> LongWay:
    count = LongWay()

    def counted(parameter: Any, value: Any) -> Any:
        count.checked += 1
        return arguments.to_kernel_arg(parameter, value)

    monkeypatch.setattr(kernel, "to_kernel_arg", counted)
    return count


def test_other_arrays_and_values(program: polycl.Program, long_way: LongWay) -> None:
    add = program.kernel("add")
    for size in (8, 32, 8):
        for n in (1, -5):
            y = np.arange(size, dtype=np.int32)
            x = np.zeros_like(y)
            add(x, y, n, global_size=8)
            assert x[:8].tolist() == [i + n for i in range(8)]
    assert long_way.checked == 3


def test_numbers_at_their_limits(program: polycl.Program, long_way: LongWay) -> None:
    numbers = program.kernel("numbers")
    low = (-128, 0, -(1 << 15), 0, -(1 << 31), 0, -(1 << 63), 0, -0.0, -1e300)
    high = (127, 255, 32767, 65535, (1 << 31) - 1, (1 << 32) - 1, (1 << 53), (1 << 53), 1.5, 0.1)
    out = np.zeros(10)
    for values in (low, high, low):
        numbers(out, *values, global_size=1)
        assert out.tolist() == [float(v) for v in values]
        assert np.signbit(out[8]) == np.signbit(values[8])
    assert long_way.checked == 11
    for position, limits in enumerate(zip(low[:8], high[:6], strict=False)):
        for wrong in (limits[0] - 1, limits[1] + 1):
            values = list(low)
            values[position] = wrong
            with pytest.raises(ArgumentError, match=f"{wrong} is out of range"):
                numbers(out, *values, global_size=1)
    with pytest.raises(ArgumentError, match="too large for float32"):
        numbers(out, *low[:8], 1e39, 0.0, global_size=1)
    numbers(out, *low, global_size=1)
    assert out.tolist() == [float(v) for v in low]


def test_errors_are_those_of_a_first_call(program: polycl.Program) -> None:
    add = program.kernel("add")
    x, y = np.zeros(8, np.int32), np.zeros(8, np.int32)
    add(x, y, 1, global_size=8)
    fixed = np.zeros(8, np.int32)
    fixed.flags.writeable = False
    odd = np.frombuffer(bytes(33), np.uint8)[1:].view(np.int32)
    for args, message in [
        ((x.astype(np.int64), y, 1), "expected an array of int32"),
        ((x.astype(">i4"), y, 1), "expected an array of int32"),
        ((x.view(np.uint32), y, 1), "expected an array of int32"),
        ((np.zeros(16, np.int32)[::2], y, 1), "not C-contiguous"),
        ((fixed, y, 1), "read-only"),
        ((x, odd, 1), "not aligned"),
        ((x, y, 1.0), "expected an integer"),
        ((x, y), "missing 'n'"),
        ((x, y, 1, 2), "takes 3 arguments"),
        ((x, [1], 1), "expected a numpy array"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            add(*args, global_size=8)
    add(x, fixed, True, global_size=8)
    assert x.tolist() == [1] * 8


def test_an_array_that_changed_in_place(program: polycl.Program) -> None:
    add = program.kernel("add")
    x: Any = np.zeros(8, np.int32)
    y = np.zeros(8, np.int32)
    add(x, y, 1, global_size=8)
    y.resize(4096, refcheck=False)
    y[:8] = 5
    add(x, y, 1, global_size=8)
    assert x.tolist() == [6] * 8
    x.dtype = np.dtype(np.float32)
    with pytest.raises(ArgumentError, match="expected an array of int32"):
        add(x, y, 1, global_size=8)


def test_the_shape_counts_where_an_element_is_a_vector(program: polycl.Program) -> None:
    vectors = program.kernel("vectors")
    for shape in ((8, 4), (32,), (2, 4, 4), (8, 4)):
        x = np.zeros(shape, np.float32)
        vectors(x, (1, 2, 3, 4), global_size=8)
        assert x.reshape(-1, 4).tolist() == [[1, 2, 3, 4]] * 8
    with pytest.raises(ArgumentError, match="shape"):
        vectors(np.zeros((4, 8), np.float32), (1, 2, 3, 4), global_size=8)


def test_local_memory_and_null_pointers(program: polycl.Program, long_way: LongWay) -> None:
    reverse = program.kernel("reverse")
    for _ in range(3):
        for nbytes in (64, 128):
            x = np.arange(32, dtype=np.int32)
            reverse(x, Local(nbytes), None, global_size=32, local_size=16)
            assert x.tolist() == [*range(15, -1, -1), *range(31, 15, -1)]
    sum = np.zeros(1, np.int32)
    reverse(np.zeros(32, np.int32), Local(64), sum, global_size=32, local_size=16)
    assert sum[0] == 32


def test_arrays_are_not_kept_alive(program: polycl.Program) -> None:
    add = program.kernel("add")
    for _ in range(2):
        x, y = np.zeros(8, np.int32), np.zeros(8, np.int32)
        add(x, y, 1, global_size=8)
        alive = weakref.ref(x), weakref.ref(y)
        del x, y
        assert [ref() for ref in alive] == [None, None]


def test_several_threads_call_one_kernel(program: polycl.Program) -> None:
    add = program.kernel("add")
    device = CpuDevice(threads=2)

    def run(n: int) -> bool:
        x, y = np.zeros(4096, np.int32), np.arange(4096, dtype=np.int32)
        right = True
        for i in range(200):
            add(x, y, n + i, global_size=4096, device=device)
            right &= bool((x == y + n + i).all())
        return right

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(run, range(0, 6000, 1000)))


def test_printf_in_repeated_calls(program: polycl.Program, capsys) -> None:
    for n in (3, 1, 2):
        program.kernel("say")(n, global_size=1)
    assert capsys.readouterr().out == "3\n1\n2\n"


def test_many_sizes(program: polycl.Program) -> None:
    add = program.kernel("add")
    y = np.ones(300, np.int32)
    for size in (*range(1, 300, 2), 1, 3, 299):
        x = np.zeros(300, np.int32)
        add(x, y, 1, global_size=[size])
        add(x, y, 1, global_size=size)
        assert x.sum() == 2 * size
