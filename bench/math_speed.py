"""Time of the math functions: what `expand-math` writes against calls of the C math library.

    python bench/math_speed.py [FUNCTION...] [--type double] [--width 8] [--json FILE]

Prints nanoseconds for each element, on one thread, over arrays that stay in the cache, and the
same as a number of fused multiply-adds of a float at the peak rate that the machine reached in
this run.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import polycl

ELEMENTS = 1 << 14
LOCAL = 64
LIBRARY = (
    f"inline-functions,ocl-set-local-size{{size={LOCAL},1,1}},ocl-to-wg,ocl-expand-builtins,"
    "wg-to-scf,wg-to-launch,scf-to-cf,convert-to-llvm"
)
"""The passes of the CPU without expand-math."""

RANGES = {
    "exp": (-10, 10), "exp2": (-10, 10), "exp10": (-5, 5), "expm1": (-3, 3),
    "log": (0.5, 50), "log2": (0.5, 50), "log10": (0.5, 50), "log1p": (-0.5, 5),
    "sin": (-30, 30), "cos": (-30, 30), "tan": (-30, 30), "sinpi": (-30, 30),
    "native_sin": (-30, 30), "asin": (-1, 1), "acos": (-1, 1), "atan": (-5, 5),
    "sinh": (-5, 5), "cosh": (-5, 5), "tanh": (-3, 3), "asinh": (-5, 5), "acosh": (1, 9),
    "atanh": (-0.9, 0.9), "erf": (-3, 3), "erfc": (-3, 3), "tgamma": (-5, 20),
    "lgamma": (-5, 20), "cbrt": (-9, 9), "rsqrt": (0.1, 9),
    "pow": (0.1, 9), "powr": (0.1, 9), "atan2": (-5, 5), "hypot": (-5, 5),
}  # fmt: skip
TYPES = {"float": np.float32, "double": np.float64}
TWO = ("pow", "powr", "atan2", "hypot")

FMA_CHAINS = 12
FMA_STEPS = 4096


def seconds(launch: Callable[[], None]) -> float:
    """The shortest of some runs of at least a millisecond each."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            launch()
        passed = time.perf_counter() - start
        if passed > 1e-3:
            break
        count *= 2
    best = passed / count
    for _ in range(15):
        start = time.perf_counter()
        for _ in range(count):
            launch()
        best = min(best, (time.perf_counter() - start) / count)
    return best


def time_function(name: str, element: str, width: int, pipeline: str | None) -> float:
    """Nanoseconds for each element."""
    type = f"{element}{width if width > 1 else ''}"
    second = "y[i]" if name in TWO else ""
    call = f"{name}(x[i]{', ' + second if second else ''})"
    source = (
        f"kernel void f(global const {type} *x, global const {type} *y, global {type} *z) "
        f"{{ size_t i = get_global_id(0); z[i] = {call}; }}"
    )
    random = np.random.default_rng(1)
    low, high = RANGES[name]
    dtype = TYPES[element]
    x, y = (random.uniform(low, high, ELEMENTS).astype(dtype) for _ in range(2))
    z = np.zeros(ELEMENTS, dtype)
    bound = (
        polycl.load(source)
        .kernel("f")
        .bind(
            x, y, z, global_size=ELEMENTS // width, local_size=LOCAL,
            device=polycl.device("cpu", threads=1), pipeline=pipeline,
        )
    )  # fmt: skip
    return seconds(bound.launch) / ELEMENTS * 1e9


def time_fma() -> float:
    """Nanoseconds for one fused multiply-add of one element, in many independent chains."""
    names = [f"a{i}" for i in range(FMA_CHAINS)]
    values = ", ".join(f"{name} = x[{i}]" for i, name in enumerate(names))
    steps = " ".join(f"{name} = fma({name}, b, b);" for name in names)
    source = (
        f"kernel void f(global float16 *x) {{ float16 {values}, b = x[{FMA_CHAINS}]; "
        f"for (int i = 0; i < {FMA_STEPS}; i++) {{ {steps} }} x[0] = {' + '.join(names)}; }}"
    )
    x = np.full(16 * (FMA_CHAINS + 1), 0.5, np.float32)
    device = polycl.device("cpu", threads=1)
    bound = polycl.load(source).kernel("f").bind(x, global_size=1, local_size=1, device=device)
    return seconds(bound.launch) / (FMA_STEPS * FMA_CHAINS * 16) * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="default: all")
    parser.add_argument("--type", choices=TYPES, default="float")
    parser.add_argument("--width", type=int, default=16, choices=(1, 4, 8, 16))
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    fma = time_fma()
    print(f"peak: {2 / fma:.0f} GFLOP/s, {fma:.4f} ns for each element of a fused multiply-add")
    print(f"{'function':12} {'ns':>7} {'in fma':>7} {'libm ns':>8} {'times':>6}")
    rows: list[dict[str, Any]] = []
    for name in arguments.functions or RANGES:
        ours = time_function(name, arguments.type, arguments.width, None)
        library = time_function(name, arguments.type, arguments.width, LIBRARY)
        row = {"function": name, "ns": ours, "fma": ours / fma, "libm_ns": library}
        rows.append(row)
        print(f"{name:12} {ours:7.3f} {ours / fma:7.1f} {library:8.3f} {library / ours:6.1f}")
    if arguments.json is not None:
        report = {
            "type": arguments.type,
            "width": arguments.width,
            "fma_ns": fma,
            "functions": rows,
        }
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
