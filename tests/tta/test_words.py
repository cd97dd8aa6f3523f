"""Kernels in words (`tta-legalize`) leave what the interpreter leaves, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tta_words import WordsDevice

import polycl
from launches import Launch, launches_of
from polycl.backends.device import Device
from polycl.backends.tta.pipeline import METHODS, WgMethod
from polycl.frontends.opencl_c import import_source
from polycl.lowering.tta import tta_expand_arith
from polycl.runtime.compare import compare

KERNELS = Path(__file__).parents[1] / "kernels"

CHOSEN = (
    "barrier_in_function barrier_while compaction crc32 edit_distance expressions "
    "float_comparisons goto_duff histogram integer_builtins local_memory long_integers "
    "pointers shifts sobel_bytes struct_memory switch_statements unions "
    "vector_literals_swizzles vload_vstore work_item_queries"
).split()

ARITHMETIC = """
kernel void floats(global const float *a, global const float *b, global const float *c,
                   global float *out, global long *whole) {
  size_t i = get_global_id(0);
  global float *r = out + 11 * i;
  r[0] = a[i] / b[i];
  r[1] = sqrt(a[i]);
  r[2] = fma(a[i], b[i], c[i]);
  r[3] = rint(a[i]) + trunc(b[i]);
  r[4] = floor(a[i]) - ceil(b[i]);
  r[5] = round(c[i]);
  r[6] = vload_half(0, (global half *)(a + i));
  vstore_half(c[i], 0, (global half *)(r + 7));
  r[8] = fmod(a[i], b[i]);
  r[9] = remainder(b[i], c[i]);
  r[10] = ldexp(a[i], (as_int(c[i]) & 1023) - 512);
  whole[i] = fabs(c[i]) < 0x1p60f ? (long)c[i] : 0;
}

kernel void integers(global const ulong *a, global const ulong *b, global ulong *out) {
  size_t i = get_global_id(0);
  global ulong *r = out + 12 * i;
  ulong x = a[i], y = b[i] >> (i & 63), divisor = y ? y : 1;
  r[0] = x * y;
  r[1] = x / divisor;
  r[2] = x % divisor;
  r[3] = (long)x / (long)(divisor | 1);
  r[4] = (uint)x / ((uint)y | 1);
  r[5] = (int)x % ((int)y | 1);
  r[6] = mul_hi(x, y) + mul_hi((int)x, (int)y);
  r[7] = mul_hi((long)x, (long)y) + mul_hi((uint)x, (uint)y);
  r[8] = clz(y) + popcount(x) + clz((uint)y) + clz((uchar)y);
  r[9] = as_uint((float)x) + ((ulong)as_uint((float)(long)y) << 32);
  r[10] = x << (i & 63) ^ (long)y >> (i & 63) ^ x >> (y & 63);
  r[11] = (char)x * (char)y + (ushort)x / ((uchar)y | 1) + rotate(x, y) + 123 * x;
}
"""

DOUBLES = """
kernel void doubles(global const double *a, global const double *b, global const double *c,
                    global double *out, global long *whole) {
  size_t i = get_global_id(0);
  global double *r = out + 24 * i;
  double x = a[i], y = b[i], z = c[i];
  r[0] = x + y;
  r[1] = x - z;
  r[2] = x * y;
  r[3] = x / y;
  r[4] = sqrt(x);
  r[5] = rsqrt(z);
  r[6] = fma(x, y, z);
  r[7] = fma(x, y, -x * y);
  r[8] = rint(x);
  r[9] = trunc(y);
  r[10] = floor(z);
  r[11] = ceil(x);
  r[12] = round(y);
  r[13] = fmod(x, y * 0x1p-9);
  r[14] = remainder(y, z * 0x1p-9);
  r[15] = fmin(x, y) + fmax(y, z);
  r[16] = copysign(fabs(x), y);
  r[17] = (float)x;
  r[18] = as_float((uint)(as_ulong(y) >> 16));
  r[19] = vload_half(i & 3, (global half *)(a + i));
  // The bits of a NaN are not those of the interpreter.
  vstore_half(isnan(z) ? 0.0 : z, 0, (global half *)(r + 20));
  r[21] = as_long(x);
  r[22] = as_ulong(y);
  r[23] = (isnan(x) ? 0 : as_int((float)x)) + (double)(uint)as_ulong(z);
  global long *w = whole + 3 * i;
  w[0] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y) +
         64 * isordered(x, y) + 128 * isunordered(y, z) + 256 * isgreater(x, z) +
         512 * !(x < z) + 1024 * islessgreater(x, y) + 2048 * isnan(x) + 4096 * !(z >= y);
  w[1] = fabs(x) < 0x1p63 ? (long)x : 0;
  w[2] = fabs(y) < 0x1p31 ? (int)y + (ulong)(uint)fabs(y) : 0;
}
"""


def run_on(device: Device, launch: Launch) -> dict[str, np.ndarray]:
    values = launch.values()
    kernel = polycl.load(launch.path, launch.build_options).kernel(launch.kernel)
    _launch(kernel, values, device, launch.global_size, launch.local_size, launch.global_offset)
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def _launch(
    kernel: polycl.Kernel,
    values: dict[str, Any],
    device: Device,
    global_size: Any,
    local_size: Any = None,
    offset: Any = None,
) -> None:
    kernel(
        **values,
        global_size=global_size,
        local_size=local_size,
        global_offset=offset,
        device=device,
        pipeline="expand-math{fused=false}" if device.name == "interp" else None,
    )


def same(left: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> None:
    for name, array in left.items():
        assert compare(array, right[name]) is None, name


@pytest.mark.parametrize("name", CHOSEN)
def test_kernels_in_words(name: str):
    launch = launches_of(KERNELS / f"{name}.cl")[0]
    same(run_on(WordsDevice(), launch), run_on(polycl.device("interp"), launch))


@pytest.mark.parametrize("method", METHODS)
def test_methods(method: WgMethod):
    launch = launches_of(KERNELS / "barrier_straight.cl")[2]
    same(run_on(WordsDevice(wg_method=method), launch), run_on(polycl.device("interp"), launch))


def special_floats(count: int, seed: int) -> np.ndarray:
    """Any bits; zeros, infinities, NaNs and numbers near each other come up more often."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 1 << 32, count, np.uint32)
    few = np.array([0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000])
    special = few[random.integers(0, len(few), count)] | random.integers(0, 2, count) << 31
    small = 0x3F000000 + (bits & 0x1FFFFFF)
    kind = random.integers(0, 4, count)
    return np.choose(kind, [bits, special, small, small]).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize("machine", ["paper", "paper multipliers=1"])
def test_arithmetic_without_units(machine: str):
    """Every function of tta_functions.cl, on numbers with all the special cases."""
    count = 100
    program = polycl.load(ARITHMETIC)
    random = np.random.default_rng(7)
    results: list[dict[str, np.ndarray]] = []
    for device in (WordsDevice(machine), polycl.device("interp")):
        a, b, c = (special_floats(count, seed) for seed in range(3))
        values = dict(a=a, b=b, c=c, out=np.zeros(11 * count, np.float32))
        values["whole"] = np.zeros(count, np.int64)
        _launch(program.kernel("floats"), values, device, count)
        results.append(values)
    same(*results)
    numbers = random.integers(0, 1 << 64, (2, count), np.uint64)
    results = []
    for device in (WordsDevice(machine), polycl.device("interp")):
        values = dict(a=numbers[0], b=numbers[1], out=np.zeros(12 * count, np.uint64))
        _launch(program.kernel("integers"), values, device, count)
        results.append(values)
    same(*results)


def special_doubles(count: int, seed: int) -> np.ndarray:
    """As `special_floats`; some have the fewest bits of a float, some are whole."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 1 << 64, count, np.uint64)
    few = np.array([0, 0, 1, (1 << 52) - 1, 1 << 52, 1023 << 52, (2047 << 52) - 1, 2047 << 52])
    special = few[random.integers(0, len(few), count)].astype(np.uint64)
    quiet = np.full(count, 0x7FF8000000000000, np.uint64)
    near = np.uint64(1000 << 52) + (bits & np.uint64((1 << 58) - 1))
    halves = (random.integers(-9, 9, count) / 2).view(np.uint64)
    floats = special_floats(count, seed)
    floats = np.nan_to_num(floats).astype(np.float64).view(np.uint64)
    subnormal = bits & np.uint64((1 << 53) - 1)
    kinds = [bits, special, near, near, halves, floats, subnormal, quiet]
    kind = random.choice(8, count, p=[0.1, 0.15, 0.25, 0.15, 0.1, 0.1, 0.13, 0.02])
    sign = random.integers(0, 2, count).astype(np.uint64) << np.uint64(63)
    return (np.choose(kind, kinds) ^ sign).view(np.float64)


@pytest.mark.parametrize("machine", ["paper", "paper multipliers=1"])
def test_double_precision(machine: str):
    """Every function on doubles of tta_functions.cl, on numbers with all the special cases."""
    count = 60
    program = polycl.load(DOUBLES)
    results: list[dict[str, np.ndarray]] = []
    for device in (WordsDevice(machine), polycl.device("interp")):
        a, b, c = (special_doubles(count, seed) for seed in range(3))
        values = dict(a=a, b=b, c=c, out=np.zeros(24 * count), whole=np.zeros(3 * count, np.int64))
        _launch(program.kernel("doubles"), values, device, count)
        results.append(values)
    same(*results)


DIVISORS = {
    "uint": (1, 2, 3, 7, 10, 641, 1 << 31, (1 << 31) + 1, (1 << 32) - 1),
    "int": (1, -1, 2, -4, 3, -7, 10, 1000, (1 << 31) - 1, -(1 << 31)),
    "ushort": (1, 5, 256, 65535),
    "short": (3, -3, -128, 32767, -32768),
    "uchar": (3, 200, 255),
    "char": (-1, 10, -100, -128),
}
"""Constant divisors of each type."""


@pytest.mark.parametrize("machine", ["paper", "wide"])
def test_divisions(machine: str):
    """By constants, by an argument, and by what is loaded; narrow types are divided in vectors."""
    pairs: list[str] = []
    for type, numbers in DIVISORS.items():
        # The quotient of the smallest number and -1 is undefined.
        x = f"({type}2)(a[i]{' | 1' if type[0] != 'u' else ''}, 5)"
        for divisor in (*numbers, "n", "(b[i] | 1)"):
            y = f"({type}2)({divisor}, 3)"
            pairs.append(f"{{ {type}2 x = {x}, y = {y}, q = x / y, e = x % y; ")
            pairs[-1] += f"r[{len(pairs) - 1}] = (long)q.x << 32 ^ e.x; }}"
    count = len(pairs) + 5
    source = f"""
kernel void k(global const uint *a, global const uint *b, global long *out, int n) {{
  size_t i = get_global_id(0);
  global long *r = out + {count} * i;
  {chr(10).join(pairs)}
  r += {len(pairs)};
  r[0] = a[i] / 10u + 3u * (b[i] % 7u) + b[i] % 1000000u;
  ulong low = a[i] | 1, shifted = ((ulong)b[i] << 32) >> 40;
  r[1] = (ulong)b[i] / low + shifted % low;
  r[2] = (ulong)a[i] * b[i] >> 20;
  r[3] = (get_global_id(0) * n + 5) % get_global_size(0);
  for (uint k = 0; k < 3; k++) r[4] += (a[i] + k) / (uint)n;
}}"""
    random = np.random.default_rng(3)
    items = 16
    numbers = random.integers(0, 1 << 32, (2, items)) >> random.integers(0, 25, (2, items))
    numbers[0, :4] = 0, 1 << 31, (1 << 32) - 1, 1
    results: list[dict[str, np.ndarray]] = []
    for device in (WordsDevice(machine), polycl.device("interp")):
        values: dict[str, Any] = dict(
            a=numbers[0].astype(np.uint32), b=numbers[1].astype(np.uint32)
        )
        values |= dict(out=np.zeros(count * items, np.int64), n=13)
        _launch(polycl.load(source).kernel("k"), values, device, items)
        results.append({"out": values["out"]})
    same(*results)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("out[0] = lgamma((double)out[0]);", "'lgamma' cannot be mapped"),
    ],
)
def test_what_cannot_be_mapped_is_a_located_error(body: str, message: str):
    kernel = polycl.load(f"kernel void k(global float *out) {{\n  {body}\n}}").kernel("k")
    with pytest.raises(polycl.PolyclError, match=rf":[12]:\d+: error: .*{message}"):
        kernel(np.zeros(2, np.float32), global_size=1, device=WordsDevice())


def test_functions_are_those_of_the_source():
    folder = Path(tta_expand_arith.__file__).parent
    module = import_source((folder / "tta_functions.cl").read_bytes(), "tta_functions.cl")
    text = (folder / "tta_functions.mlir").read_text(encoding="utf-8")
    assert str(module).strip() == text.strip(), (
        "write it again: ocl-opt tta_functions.cl > tta_functions.mlir"
    )
