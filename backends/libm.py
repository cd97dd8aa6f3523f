"""The C math library: which of its functions computes which operation.

The devices `interp` and `cpu` share this table, call the same library and so agree bit for bit.
A name is the base name in C: `sin` is `sinf` for f32 and `sin` for f64. For f16 the f32 function
is called and its result rounded.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from functools import cache
from typing import Any

from polycl.errors import LaunchError

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
    "fdim": "fdim",
    "fmod": "fmod",
    "hypot": "hypot",
    "ldexp": "ldexp",
    "lgamma": "lgamma",
    "logb": "logb",
    "ilogb": "ilogb",
    "remainder": "remainder",
    "tgamma": "tgamma",
}
"""Functions of `ocl.builtin` that the library computes as they are -> base name.

`native_f` and `half_f` are the function f itself. The other floating-point builtins are formulas:
see `polycl.backends.interp.ops.float_builtins`.
"""


def symbol(base: str, bits: int) -> str:
    """The name in the library for f32 (and f16) or f64."""
    return base if bits == 64 else base + "f"


@cache
def _library() -> ctypes.CDLL:
    # Native code calls the same library: it is already a part of this process.
    for name in ("libm.so.6", ctypes.util.find_library("m")):
        if name is not None:
            try:
                return ctypes.CDLL(name)
            except OSError:
                continue
    raise LaunchError("the C math library (libm) was not found; expected it on this system")


@cache
def libm(base: str, bits: int, arity: int = 1) -> Callable[..., float]:
    """The library's function on `arity` floats of 32 or 64 bits.

    Raises:
        LaunchError: the library has no such function.
    """
    return _function(base, bits, ("float",) * arity, "float")


@cache
def libm_with_int(base: str, bits: int) -> Callable[[float, int], float]:
    """The library's function of a float and a C int, say `ldexp`."""
    return _function(base, bits, ("float", "int"), "float")


@cache
def libm_to_int(base: str, bits: int) -> Callable[[float], int]:
    """The library's function from a float to a C int, say `ilogb`."""
    return _function(base, bits, ("float",), "int")


@cache
def libm_lgamma_r(bits: int) -> Callable[[float], tuple[float, int]]:
    """`lgamma_r`: the logarithm of |gamma(x)| and the sign of gamma(x)."""
    real = ctypes.c_double if bits == 64 else ctypes.c_float
    function = getattr(_library(), symbol("lgamma", bits) + "_r")
    function.argtypes = (real, ctypes.POINTER(ctypes.c_int))
    function.restype = real

    def call(x: float) -> tuple[float, int]:
        sign = ctypes.c_int(0)
        return function(x, ctypes.byref(sign)), sign.value

    return call


def _function(base: str, bits: int, arguments: tuple[str, ...], result: str) -> Callable[..., Any]:
    name = symbol(base, bits)
    try:
        # A function object of its own: argument types belong to one signature.
        function = _library()[name]
    except AttributeError as error:
        raise LaunchError(f"the C math library has no function '{name}'") from error
    kinds = {"float": ctypes.c_double if bits == 64 else ctypes.c_float, "int": ctypes.c_int}
    function.argtypes = tuple(kinds[argument] for argument in arguments)
    function.restype = kinds[result]
    return function
