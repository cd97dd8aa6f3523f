"""Calls the C math library by the table that all devices share: `polycl.analysis.libm`."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from functools import cache
from typing import Any

from polycl.analysis.libm import BUILTINS, MATH_OPS, symbol
from polycl.errors import LaunchError

__all__ = [
    "BUILTINS",
    "MATH_OPS",
    "libm",
    "libm_lgamma_r",
    "libm_to_int",
    "libm_with_int",
    "symbol",
]


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
