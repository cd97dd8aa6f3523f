"""Time of the math functions: what `expand-math` writes against calls of the C math library.

`python -m bench --math`. Cycles for each element, on one thread, over arrays that stay in the
cache: loads, stores and the launch are in it, for both. The kernels are scalar source, as most
are; how many work-items share a vector is the cpu device's choice. The library is called for each
of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import polycl
from bench.machine import cycle_seconds

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
    "lgamma": (-5, 20), "cbrt": (-9, 9), "sqrt": (0.1, 9), "rsqrt": (0.1, 9),
    "pow": (0.1, 9), "powr": (0.1, 9), "atan2": (-5, 5), "hypot": (-5, 5),
}  # fmt: skip
"""The functions, and where their arguments lie."""
TYPES = {"float": np.float32, "double": np.float64}
TWO = ("pow", "powr", "atan2", "hypot")


def print_math_speeds(functions: Sequence[str]) -> dict[str, Any]:
    """Measure `functions` of RANGES and print a table; the same figures are what is returned."""
    cycle = cycle_seconds()
    print(f"one cycle: {cycle * 1e9:.3f} ns ({1e-9 / cycle:.2f} GHz)")
    print("cycles for each element: polycl, the C math library, and how many times as many")
    heads = "".join(f"{f'{type}: polycl':>16} {'libm':>7} {'ratio':>6}" for type in TYPES)
    print(f"{'function':10}{heads}")
    rows: list[dict[str, Any]] = []
    for name in functions:
        line = f"{name:10}"
        for type in TYPES:
            ours, library = (_seconds(name, type, p) / cycle for p in (None, LIBRARY))
            rows.append({"function": name, "type": type, "cycles": ours, "libm_cycles": library})
            line += f"{ours:16.2f} {library:7.2f} {library / ours:6.1f}"
        print(line, flush=True)
    return {"cycle_seconds": cycle, "functions": rows}


def _seconds(name: str, type: str, pipeline: str | None) -> float:
    """For one element."""
    call = f"{name}(x[i], y[i])" if name in TWO else f"{name}(x[i])"
    source = (
        f"kernel void f(global const {type} *x, global const {type} *y, global {type} *z) "
        f"{{ size_t i = get_global_id(0); z[i] = {call}; }}"
    )
    random = np.random.default_rng(1)
    low, high = RANGES[name]
    dtype = TYPES[type]
    x, y = (random.uniform(low, high, ELEMENTS).astype(dtype) for _ in range(2))
    z = np.zeros(ELEMENTS, dtype)
    device = polycl.device("cpu", threads=1)
    bound = (
        polycl.load(source)
        .kernel("f")
        .bind(x, y, z, global_size=ELEMENTS, local_size=LOCAL, device=device, pipeline=pipeline)
    )
    return _shortest(bound.launch) / ELEMENTS


def _shortest(launch: Callable[[], None]) -> float:
    """The shortest of some runs of at least a millisecond each, in seconds for one launch."""
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
