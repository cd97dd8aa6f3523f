"""The data of a recorded run (`polycl.dialects.host.recorded`), and what its reads gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from polycl.dialects.host.recorded import EXPECTED, recorded_files
from polycl.errors import PolyclError, location_of

TOLERANCE = 1e-4
"""The largest difference from a recorded result that rounding explains."""

_NUMPY = {"i8": "u1", "i16": "i2", "i32": "i4", "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8"}


def numpy_type(element: Attribute) -> np.dtype[Any]:
    """The type of an array of the host: numbers of the elements, or bytes."""
    scalar = element.element_type if isinstance(element, VectorType) else element
    return np.dtype(_NUMPY.get(str(scalar), "u1"))


@dataclass(frozen=True)
class RecordedArray:
    """The data of an argument."""

    path: Path
    is_expected: bool
    """Whether they are the result; the argument is zeros then."""

    dtype: np.dtype[Any]

    def load(self) -> NDArray[Any]:
        """The recorded contents. Raises PolyclError if the file is not there."""
        try:
            return np.load(self.path).view(np.uint8).view(self.dtype)
        except (OSError, ValueError) as error:
            raise PolyclError(f"{self.path}: recorded data cannot be read: {error}") from error

    def first(self) -> NDArray[Any]:
        """A new array, as it is before the run."""
        found = self.load()
        return np.zeros_like(found) if self.is_expected else found


def recorded_arrays(op: FuncOp, names: tuple[str, ...]) -> dict[str, RecordedArray]:
    """The data of a function's arguments, by their names."""
    where = location_of(op)
    folder = Path(where[0]).parent if where is not None else Path()
    found: dict[str, RecordedArray] = {}
    for name, argument, file in zip(names, op.body.blocks[0].args, recorded_files(op), strict=True):
        if file is not None and isinstance(argument.type, MemRefType):
            dtype = numpy_type(argument.type.element_type)
            found[name] = RecordedArray(folder / file[1], file[0] == EXPECTED, dtype)
    return found


def differences(
    arrays: Mapping[str, RecordedArray], values: Mapping[str, Any]
) -> dict[str, float | None]:
    """How far each recorded result is from `values`: None where it is the same bits, else the
    largest difference relative to the largest number; infinite where a NaN is not one in both."""
    found: dict[str, float | None] = {}
    for name, array in arrays.items():
        if array.is_expected:
            wanted, value = array.load(), np.asarray(values[name])
            found[name] = distance(value.view(np.uint8).view(array.dtype).ravel(), wanted)
    return found


def distance(value: NDArray[Any], wanted: NDArray[Any]) -> float | None:
    """How far an array is from another one, as `differences`."""
    if value.tobytes() == wanted.tobytes():
        return None
    a, b = value.astype(np.float64), wanted.astype(np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    special = ~both
    if (np.isnan(a[special]) != np.isnan(b[special])).any():
        return float("inf")
    a_, b_ = a[special & ~np.isnan(a)], b[special & ~np.isnan(a)]
    if (a_ != b_).any():
        return float("inf")
    if not both.any():
        return 0.0
    scale = float(np.abs(b[both]).max()) or 1.0
    return float(np.abs(a[both] - b[both]).max()) / scale
