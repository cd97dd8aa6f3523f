"""The worst error of the f32 math functions of one argument over all 2^32 floats.

    python bench/math_all_floats.py [FUNCTION...]             # print
    python bench/math_all_floats.py [FUNCTION...] --write     # and put into docs/math-accuracy.md

A kernel computes the function in f32 and, as what is right, in f64, on one thread of the CPU
device: 15 to 60 seconds a function. The f64 functions are off by less than 5 units of their last
place (the table of docs/math-accuracy.md), each 2^-29 of one of f32;
tests/lowering/test_math_ulp.py has mpmath compute the error again at the argument that is found.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import polycl
from polycl.lowering.llvm.expand_math import SINGLE

PAGE = Path(__file__).resolve().parent.parent / "docs" / "math-accuracy.md"
BLOCK = 1 << 24
LOCAL = 256
HEAD = """\
## All floats

The worst error of each function of one `float` over all of them, measured against the `double`
function by `bench/math_all_floats.py`.

| function | worst | at |
|---|---|---|
"""

TWO = (
    *("pow", "powr", "pown", "rootn", "hypot", "atan2", "atan2pi", "sincos", "lgamma_r"),
    *("fmod", "remainder", "remquo"),
)
"""Of two arguments, or results."""
SLOW = ("lgamma",)
"""In f64 they call the C library for each number: an hour."""
SAME = tuple(name for name in SINGLE if name.startswith("half_"))
"""As the native_ ones."""
NAMES = [name for name in (*SINGLE, "rsqrt") if name not in (*TWO, *SLOW, *SAME)]

KERNEL = """
kernel void errors(uint start, global float *error) {
  size_t i = get_global_id(0);
  float x = as_float(start + (uint)i);
  double wide = x;
  double y = NAME(x), right = FUNCTION(wide);
  // The unit in the last place of the floats near the right value is 2^(exponent - 23).
  long exponent = max((long)(as_ulong(fabs(right)) >> 52) - 1023, -126L);
  double units = fabs(y - right) * as_double((ulong)(1023 + 23 - exponent) << 52);
  bool same_sign = signbit(y) == signbit(right);
  bool is_right = (isnan(y) && isnan(right)) || (y == right && same_sign)
    || (isinf(y) && fabs(right) >= FLT_MAX && same_sign);
  bool is_wrong = isnan(y) || isnan(right) || isinf(y) || isinf(right) || right == 0.0;
  float result = is_right ? 0.0f : is_wrong ? INFINITY : (float)units;
  error[i] = fabs(x) <= DOMAIN ? result : 0.0f;
}
"""


def measure(name: str) -> tuple[float, np.float32]:
    """The largest error and where it is."""
    is_native = name.startswith("native_")
    source = KERNEL.replace("NAME", name).replace("FUNCTION", name.removeprefix("native_"))
    # NaN is left out where there is a bound.
    source = source.replace("fabs(x) <= DOMAIN", "fabs(x) <= 65536.0f" if is_native else "true")
    errors = np.zeros(BLOCK, np.float32)
    kernel = polycl.load(source).kernel("errors")
    device = polycl.device("cpu", threads=1)
    worst, at = -1.0, np.uint32(0)
    for start in range(0, 2**32, BLOCK):
        kernel.bind(
            np.uint32(start), errors, global_size=BLOCK, local_size=LOCAL, device=device
        ).launch()
        i = int(errors.argmax())
        if errors[i] > worst:
            worst, at = float(errors[i]), np.uint32(start + i)
    return worst, at.view(np.float32)


def write(rows: dict[str, str]) -> None:
    """Put rows into the section of the page, or in the place of those that it has."""
    before, _, section = PAGE.read_text().partition(HEAD)
    old = {row.split("`")[1]: row for row in section.splitlines(keepends=True)}
    merged = old | rows
    table = "".join(merged[name] for name in NAMES if name in merged)
    PAGE.write_text(f"{before.rstrip()}\n\n{HEAD}{table}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="default: all")
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    arguments = parser.parse_args()
    for name in arguments.functions or NAMES:
        start = time.perf_counter()
        worst, at = measure(name)
        row = f"| `{name}` | {worst:.3f} | {at:.9g} |\n"
        print(row.rstrip(), f"{time.perf_counter() - start:.0f} s", flush=True)
        if arguments.write:
            write({name: row})


if __name__ == "__main__":
    main()
