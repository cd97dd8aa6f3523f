"""Calls the C math library by the table that all devices share: `polycl.analysis.llvm.libm`."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from functools import cache
from typing import Any

from polycl.analysis.llvm.libm import symbol
from polycl.errors import LaunchError


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
    real = ctypes.c_double if bits == 64 else ctypes.c_float
    function = _function(symbol(base, bits))
    function.argtypes = (real,) * arity
    function.restype = real
    return function


@cache
def libm_lgamma_r(bits: int) -> Callable[[float], tuple[float, int]]:
    """`lgamma_r`: the logarithm of |gamma(x)| and the sign of gamma(x)."""
    real = ctypes.c_double if bits == 64 else ctypes.c_float
    function = _function(symbol("lgamma", bits) + "_r")
    function.argtypes = (real, ctypes.POINTER(ctypes.c_int))
    function.restype = real

    def call(x: float) -> tuple[float, int]:
        sign = ctypes.c_int(0)
        return function(x, ctypes.byref(sign)), sign.value

    return call


def _function(name: str) -> Any:
    try:
        # An object of its own: argument types belong to one signature.
        return _library()[name]
    except AttributeError as error:
        raise LaunchError(f"the C math library has no function '{name}'") from error
