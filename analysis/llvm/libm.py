"""The C math library: which of its functions computes which operation.

The devices `interp` and `cpu` share this table, call the same library and so agree bit for bit.
A name is the base name in C: `sin` is `sinf` for f32 and `sin` for f64. For f16 the f32 function
is called and its result rounded.
"""

from __future__ import annotations

MATH_OPS: dict[str, str] = {
    "math.acos": "acos",
    "math.acosh": "acosh",
    "math.asin": "asin",
    "math.asinh": "asinh",
    "math.atan": "atan",
    "math.atan2": "atan2",
    "math.atanh": "atanh",
    "math.cbrt": "cbrt",
    "math.ceil": "ceil",
    "math.cos": "cos",
    "math.cosh": "cosh",
    "math.erf": "erf",
    "math.exp": "exp",
    "math.exp2": "exp2",
    "math.expm1": "expm1",
    "math.floor": "floor",
    "math.log": "log",
    "math.log10": "log10",
    "math.log1p": "log1p",
    "math.log2": "log2",
    "math.powf": "pow",
    "math.round": "round",
    "math.roundeven": "rint",
    "math.sin": "sin",
    "math.sinh": "sinh",
    "math.tan": "tan",
    "math.tanh": "tanh",
    "math.trunc": "trunc",
}
"""Operations of `math` -> base name. The library rounds to nearest even, as `rint` shows.

`math.sqrt`, `math.fma`, `math.absf`, `math.copysign` and `math.rsqrt` are exact arithmetic, not
library functions: `rsqrt(x)` is `1 / sqrt(x)` with two roundings.
"""

BUILTINS: dict[str, str] = {
    "erfc": "erfc",
    "exp10": "exp10",
    "fmod": "fmod",
    "hypot": "hypot",
    "lgamma": "lgamma",
    "remainder": "remainder",
    "tgamma": "tgamma",
}
"""Functions of `ocl.builtin` that only the library has -> base name.

`lgamma_r` and `remquo` are the library's, too, but store a second result. All others are
formulas: `ocl-expand-builtins` writes them out.
"""


def symbol(base: str, bits: int) -> str:
    """The name in the library for f32 (and f16) or f64."""
    return base if bits == 64 else base + "f"
