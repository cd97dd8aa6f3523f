"""The functions of the C math library, and the operations that they compute.

The devices `interp` and `cpu` share these tables, call the same library and so agree bit for bit.
A name is the base name in C: `sin` is `sinf` for f32 and `sin` for f64. For f16 the f32 function
is called and its result rounded.
"""

from __future__ import annotations

from xdsl.ir import Operation

from polycl.dialects.ocl.builtins import FUNCTIONS, Builtin, Fact

_COMPUTED = [row for row in FUNCTIONS if Fact.LIBM in row.facts]

MATH_OPS: dict[type[Operation], str] = {
    row.operation: row.name for row in _COMPUTED if row.operation is not None
}
"""Operations of `math` -> base name. The library rounds to nearest even, as `rint` shows.

`math.sqrt`, `math.fma`, `math.absf`, `math.copysign` and `math.rsqrt` are exact arithmetic, not
library functions: `rsqrt(x)` is `1 / sqrt(x)` with two roundings.
"""

LIBM_BUILTINS: dict[str, Builtin] = {row.name: row for row in _COMPUTED if row.operation is None}
"""Functions of `ocl.builtin` that only the library has, by their base name.

`lgamma_r` and `remquo` are the library's, too, but store a second result. All others are
formulas: `ocl-expand-builtins` writes them out.
"""


def symbol(base: str, bits: int) -> str:
    """The name in the library for f32 (and f16) or f64."""
    return base if bits == 64 else base + "f"
