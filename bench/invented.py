"""Arguments for kernels of which nothing is known but the types of their parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.errors import PolyclError
from polycl.runtime.parameters import Parameter


def invented_argument(
    parameter: Parameter, random: np.random.Generator, elements: int, size: int
) -> NDArray[Any] | np.generic | None:
    """A number, or a buffer of `elements` numbers; None for a parameter of another type.

    Integers are `size` where they are passed by value, and about as large in buffers: as sizes,
    counts and indices they stay inside of the buffers.
    """
    try:
        dtype = parameter.dtype
    except (PolyclError, TypeError):  # An image, a sampler: nothing that lies in memory.
        return None
    base = dtype.base
    if base.kind not in "iufb" or (parameter.space is None and dtype.shape):
        return None
    shape = () if parameter.space is None else (elements, *dtype.shape)
    if base.kind == "f":
        values = np.asarray(random.uniform(0.5, 2, shape))
    else:
        values = np.asarray(random.integers(1, 2 * size, shape) if shape else size)
    cast = values.astype(base)
    return cast if shape else cast[()]
