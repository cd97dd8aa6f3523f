"""Launches whose arrays are too small are refused, and only those."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from launches import Launch, all_launches, sampled
from polycl import ArgumentError, Local
from polycl.analysis.ocl.reaches import ARGUMENT, numbers_of, reaches
from polycl.backends.interp import InterpDevice
from polycl.backends.interp.checks import CheckError
from polycl.runtime import array_sizes, repeated

KERNELS = all_launches(*(Path(__file__).parents[1] / folder for folder in ("kernels", "oracle")))

SOURCE = """
kernel void shift(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i + 1];
}
kernel void guarded(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  if (i < 0 || i >= n) return;
  y[i] = x[i];
}
kernel void left(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i - 1];
}
kernel void product(global const float *a, global const float *b, global float *c, uint n) {
  size_t i = get_global_id(0), j = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += a[j * n + k] * b[k * n + i];
  c[j * n + i] = sum;
}
kernel void triangle(global int *x, int n) {
  for (int k = get_global_id(0); k < n; k += 3)
    x[k * 2] = 1;
}
kernel void groups(global const int *x, global int *y, local int *t) {
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    y[get_group_id(0)] = t[get_local_size(0) - 1];
}
kernel void tile(global int *x) {
  local int t[64];
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[0];
}
kernel void data(global const int *x, global int *y) {
  int i = get_global_id(0);
  if (x[0] > 0)
    y[i + 100] = x[i];
  y[x[i]] = 1;
}
kernel void vectors(global const float *x, global float4 *y) {
  y[get_global_id(0)] = vload4(get_global_id(0), x);
}
kernel void wraps(global int *x, int n) {
  uint i = get_global_id(0) - 1;
  if (i < n) x[i] = 1;
}
kernel void cancels(global const int *x, global int *y, int n, int stride) {
  int i = get_global_id(0);
  if (i * stride - i < n) y[i] = x[i];
}
kernel void unknown(global const int *x, global int *y, long n) {
  long i = get_global_id(0), centre = n / 2, first = max(i - centre, 0L);
  int sum = 0;
  for (long k = first; k <= i; k++) sum += x[i - k + centre];
  y[i] = sum;
}
"""


@pytest.fixture(scope="module")
def program() -> polycl.Program:
    return polycl.load(SOURCE)


def ints(n: int) -> Any:
    return np.zeros(n, np.int32)


def floats(n: int) -> Any:
    return np.zeros(n, np.float32)


ENOUGH = [
    ("shift", (ints(9), ints(8)), 8, None),
    ("guarded", (ints(8), ints(8), 8), 64, None),
    ("guarded", (ints(2), ints(2), 2), 64, None),
    ("product", (floats(64), floats(64), floats(64), 8), (8, 8), None),
    ("triangle", (ints(15), 8), 64, None),
    ("groups", (ints(96), ints(3), Local(128)), 96, 32),
    ("tile", (ints(64),), 64, 64),
    ("data", (ints(8), ints(8)), 8, None),
    ("vectors", (floats(32), floats(32).reshape(8, 4)), 8, None),
    ("wraps", (ints(7), 7), 8, None),
    ("cancels", (ints(8), ints(8), 8, 1), 8, None),
    ("unknown", (ints(9), ints(32), 8), 32, None),
]
"""Kernel, arguments, global and local size."""

TOO_SMALL = [
    (*ENOUGH[0], 0, "it has 32 bytes, but the work-item with global id 7 reads 4 bytes at byte "
     "offset 32 at <source>.cl:4:10; expected at least 36 bytes (9 elements)"),
    (*ENOUGH[1], 0, "with global id 7 reads 4 bytes at byte offset 28 at <source>.cl:9:10"),
    (*ENOUGH[1], 1, "with global id 7 writes 4 bytes at byte offset 28 at <source>.cl:9:3"),
    (*ENOUGH[2], 0, "global id 1 reads"),
    (*ENOUGH[3], 0, "with global id (0, 7) reads 4 bytes at byte offset 252"),
    (*ENOUGH[3], 1, "with global id (7, 0) reads 4 bytes at byte offset 252"),
    (*ENOUGH[3], 2, "with global id (7, 7) writes 4 bytes at byte offset 252"),
    (*ENOUGH[4], 0, "writes 4 bytes at byte offset 56"),
    (*ENOUGH[5], 0, "with global id 95 reads"),
    (*ENOUGH[5], 1, "with global id 64 writes 4 bytes at byte offset 8"),
    (*ENOUGH[5], 2, "writes 4 bytes at byte offset 124"),
    (*ENOUGH[8], 0, "reads 16 bytes at byte offset 112"),
    (*ENOUGH[8], 1, "writes 16 bytes at byte offset 112"),
    (*ENOUGH[10], 0, "with global id 7 reads 4 bytes at byte offset 28"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "size", "local"), ENOUGH)
def test_large_enough(program: polycl.Program, name: str, args: Any, size: Any, local: Any):
    program.kernel(name)(*args, global_size=size, local_size=local)


def one_less(value: Any) -> Any:
    return Local(value.nbytes - 4) if isinstance(value, Local) else value[:-1]


@pytest.mark.parametrize(("name", "args", "size", "local", "position", "text"), TOO_SMALL)
def test_one_element_less(
    program: polycl.Program,
    name: str,
    args: Any,
    size: Any,
    local: Any,
    position: int,
    text: str,
):
    given = [one_less(value) if i == position else value for i, value in enumerate(args)]
    with pytest.raises(ArgumentError) as caught:
        program.kernel(name)(*given, global_size=size, local_size=local)
    assert text in str(caught.value)
    assert str(caught.value).endswith("Nothing was run")


def test_in_front_of_an_array_and_after_one_of_the_kernel(program: polycl.Program):
    with pytest.raises(
        ArgumentError, match=r"offset -4 at <source>\.cl:13:10; expected no access in fro"
    ):
        program.kernel("left")(ints(8), ints(8), global_size=8)
    with pytest.raises(ArgumentError, match=r"its array 't' has 256 bytes, but the work-item with"):
        program.kernel("tile")(ints(128), global_size=128, local_size=128)
    with pytest.raises(ArgumentError, match="it has 0 bytes"):
        program.kernel("shift")(ints(9), None, global_size=8)


def test_devices_that_find_it_themselves(program: polycl.Program):
    for device in (polycl.device("interp", check=True), polycl.device("cpu", check=True)):
        with pytest.raises(CheckError, match="out of bounds"):
            program.kernel("shift")(ints(8), ints(8), global_size=8, device=device)


def test_repeated_launches(program: polycl.Program, monkeypatch: pytest.MonkeyPatch):
    """They look once at each size and number, and compare sizes after that."""
    looks = 0

    def counted(*args: Any) -> Any:
        nonlocal looks
        looks += 1
        return reaches(*args)

    monkeypatch.setattr(array_sizes, "reaches", counted)
    device = polycl.device("cpu", threads=1)
    kernel = program.kernel("guarded")
    for n in (8, 4, 8, 5, 4):
        kernel(ints(8), ints(8), n, global_size=64, device=device)
        if repeated.READS_ADDRESSES:
            with pytest.raises(ArgumentError, match="global id 8"):
                kernel(ints(8), ints(9), 9, global_size=64, device=device)
    assert looks <= 16
    kernel(ints(9), ints(9), 9, global_size=64, device=device)
    known = looks
    for n in (9, 8, 5, 4):
        kernel(ints(9), ints(9), n, global_size=64, device=device)
    assert looks <= known + 4


def test_a_program_with_ever_new_numbers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(array_sizes, "_MOST_NUMBERS", 3)
    kernel = polycl.load(SOURCE).kernel("guarded")
    for n in range(20):
        kernel(ints(20), ints(20), n, global_size=64)
    limits = [call._limits for call in kernel._repeated.values()]
    assert all(limit is None or len(limit._known) <= 3 for limit in limits)


@pytest.mark.parametrize("launch", sampled(KERNELS, 8))
def test_what_is_refused_is_wrong(launch: Launch):
    """A right launch is not refused; with an array that is one element too small for a proved
    access, the interpreter finds an access out of bounds."""
    planted = launch.path.parent.name == "oracle"
    kernel = launch.load().kernel(launch.kernel)
    values = launch.values()
    sizes: dict[str, Any] = {
        "global_size": launch.global_size,
        "local_size": launch.local_size,
        "global_offset": launch.global_offset,
    }
    bound = kernel.bind(**values, **sizes, device=InterpDevice())
    ndrange, accesses = bound.ndrange, kernel._signature.accesses
    try:
        array_sizes.check_sizes(accesses, kernel.parameters, bound.args, ndrange)
    except ArgumentError:
        assert planted
        return
    numbers = numbers_of(
        ndrange.global_size, ndrange.local_size, ndrange.num_groups, ndrange.global_offset
    )
    for i, (parameter, arg) in enumerate(zip(kernel.parameters, bound.args, strict=False)):
        if isinstance(arg, bytes):
            numbers[ARGUMENT.format(i)] = array_sizes._integer(parameter, arg)
    for witness in reaches(accesses, numbers):
        position = witness.access.array
        # Program-scope variables follow the parameters.
        if not isinstance(position, int) or position >= len(kernel.parameters):
            continue
        parameter = kernel.parameters[position]
        given = values[parameter.name]
        if not isinstance(given, np.ndarray) or given.ndim != 1 or witness.end > given.nbytes:
            continue
        size = parameter.dtype.itemsize
        kept = (witness.end - 1) // size * size // given.itemsize
        less = values | {parameter.name: given[:kept]}
        # Of a wrong launch the interpreter may find the other mistake first.
        checks = True if planted else ["bounds"]
        smaller = kernel.bind(**less, **sizes, device=InterpDevice(check=checks))
        with pytest.raises(ArgumentError, match="Nothing was run"):
            array_sizes.check_sizes(accesses, kernel.parameters, smaller.args, ndrange)
        with pytest.raises(CheckError):
            smaller.launch()
        return
