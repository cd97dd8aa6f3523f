"""The BLAS libraries that Python packages bring, as peers of `bench.lift`."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.lift_contender import Contender
from bench.lift_works import Work

_ROW_MAJOR, _AS_IT_IS = 101, 111
"""Of the C interface of BLAS."""


class Blas:
    """One library. `names` is how it names a function: `cblas_{}`. `wide`: sizes are 64 bits."""

    def __init__(self, name: str, path: Path, names: str, wide: bool):
        self.name = name
        library = ctypes.CDLL(str(path))
        size = ctypes.c_int64 if wide else ctypes.c_int
        number, pointer, flag = ctypes.c_float, ctypes.c_void_p, ctypes.c_int

        def function(short: str, result: Any, *types: Any) -> Callable[..., Any]:
            found = library[names.format(short)]
            found.restype, found.argtypes = result, types
            return found

        vector, matrix = (pointer, size), (pointer, size)
        self._asum = function("sasum", number, size, *vector)
        self._dot = function("sdot", number, size, *vector, *vector)
        self._scal = function("sscal", None, size, number, *vector)
        self._gemv = function(
            "sgemv", None, flag, flag, size, size, number, *matrix, *vector, number, *vector
        )
        self._gemm = function(
            "sgemm", None, *[flag] * 3, *[size] * 3, number, *matrix, *matrix, number, *matrix
        )

    def contender(self, work: Work, values: dict[str, Any]) -> Contender | None:
        """None where BLAS has no such function."""
        at = {k: v.ctypes.data for k, v in values.items() if isinstance(v, np.ndarray)}
        found: list[float] = [0.0]

        def scalar(compute: Callable[[], float]) -> Contender:
            def call() -> None:
                found[0] = compute()

            return Contender(self.name, call, lambda: np.array(found))

        if work.name == "asum":
            return scalar(lambda: self._asum(work.sizes["N"], at["x"], 1))
        if work.name == "dot":
            return scalar(lambda: self._dot(work.sizes["N"], at["x"], 1, at["y"], 1))
        if work.name == "scal":
            n, a = work.sizes["N"], float(values["a"])
            return Contender(self.name, lambda: self._scal(n, a, at["x"], 1), lambda: values["x"])
        if work.name == "gemv":
            return self._gemv_contender(work, values, at)
        if work.name == "matmul":
            return self._matmul_contender(work, at)
        return None

    def _gemv_contender(self, work: Work, values: dict[str, Any], at: dict[str, int]) -> Contender:
        m, k = work.sizes["M"], work.sizes["K"]
        a, b = float(values["a"]), float(values["b"])
        y = np.empty_like(values["y"])

        def call() -> None:
            # It overwrites y; what the copy of a vector takes is not seen beside a matrix.
            y[:] = values["y"]
            matrix = (m, k, a, at["A"], k)
            self._gemv(_ROW_MAJOR, _AS_IT_IS, *matrix, at["x"], 1, b, y.ctypes.data, 1)

        return Contender(self.name, call, lambda: y)

    def _matmul_contender(self, work: Work, at: dict[str, int]) -> Contender:
        m, k, n = (work.sizes[name] for name in "MKN")
        product: NDArray[np.float32] = np.zeros((m, n), np.float32)
        flags = (_ROW_MAJOR, _AS_IT_IS, _AS_IT_IS)

        def call() -> None:
            self._gemm(*flags, m, n, k, 1, at["A"], k, at["B"], n, 0, product.ctypes.data, n)

        return Contender(self.name, call, lambda: product)


def libraries() -> tuple[list[Blas], dict[str, str]]:
    """Those that are installed, and by name why others are missing."""
    found: list[Blas] = []
    missing: dict[str, str] = {}
    # How long, in ms, MKL's threads look out for work: shorter than the pause between two turns.
    os.environ["KMP_BLOCKTIME"] = "30"
    for name, package, start, names, wide in (
        ("OpenBLAS (numpy)", "numpy", "libscipy_openblas64_", "scipy_cblas_{}64_", True),
        ("OpenBLAS (scipy)", "scipy", "libscipy_openblas-", "scipy_cblas_{}", False),
        ("MKL", "mkl", "libmkl_rt", "cblas_{}", False),
    ):
        try:
            if package == "mkl":
                # libmkl_rt looks it up by its name, where the loader does not find it.
                ctypes.CDLL(str(_library("intel-openmp", "libiomp5.so")), mode=ctypes.RTLD_GLOBAL)
            found.append(Blas(name, _library(package, start), names, wide))
        except (FileNotFoundError, OSError) as error:
            missing[name] = str(error)
    return found, missing


def _library(package: str, start: str) -> Path:
    try:
        paths = files(package) or []
    except PackageNotFoundError:
        raise FileNotFoundError(f"the package '{package}' is not installed") from None
    for path in paths:
        if path.name.startswith(start) and ".so" in path.name:
            return Path(str(path.locate())).resolve()
    raise FileNotFoundError(f"the package '{package}' has no {start}*.so")
