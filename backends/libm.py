"""Calls of the C math library by the table that all devices share: `polycl.analysis.llvm.libm`."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from polycl.analysis.llvm.libm import symbol
from polycl.errors import LaunchError

T = TypeVar("T")


def load_libm(load: Callable[[str], T]) -> T:
    """The result of `load` for the first name of the C math library that it can load."""
    # To find a library by its short name is slow: it starts other programs.
    for find in (lambda: "libm.so.6", lambda: ctypes.util.find_library("m")):
        name = find()
        if name is not None:
            with suppress(OSError, RuntimeError):
                return load(name)
    raise LaunchError("the C math library (libm) was not found; expected it on this system")


@cache
def _library() -> ctypes.CDLL:
    # Native code calls the same library, which is already in this process.
    return load_libm(ctypes.CDLL)


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
        # Indexing gives a new object, and argument types belong to one signature.
        return _library()[name]
    except AttributeError as error:
        raise LaunchError(f"the C math library has no function '{name}'") from error
