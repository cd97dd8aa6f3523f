"""The data for the runs of candidates.

By default, arrays have the elements -1, 0, 1 and 2, large arrays mostly 0, so that sums and
products are exact in any order: a derivation that reorders a sum gives the same number, and a wrong
one does not. Integers are 0 and 1, which are indices of nearly every array.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from polycl.backends.pattern.pattern_arrays import parts
from polycl.errors import ArgumentError
from polycl.runtime.dataspec import parse_data
from polycl.runtime.pattern.functions import Function
from polycl.runtime.pattern.pattern_program import leaf_shapes

_OTHERS = 1 << 21
"""The approximate number of elements other than 0: their sum fits the 24 bits of a float."""


def check_specs(function: Function, specs: Iterable[tuple[str, str]]) -> None:
    """Raises ArgumentError where one of `specs` names no parameter."""
    names = [parameter.name for parameter in function.parameters]
    for name, _ in specs:
        if name not in names:
            raise ArgumentError(
                f"function '{function.name}' has no parameter '{name}'; "
                f"its parameters: {', '.join(names)}"
            )


def arguments(
    function: Function, sizes: Mapping[str, int], specs: Mapping[str, str], seed: int
) -> list[Any]:
    """An argument for each parameter.

    `specs` has texts as in `polycl.runtime.dataspec` for arguments by name, where `*` stands for
    the shape: `rand:f32:*:0.5:2`. Raises ArgumentError where one is malformed.
    """
    return [
        _argument(p.type, sizes, specs.get(p.name), f"{p.name} {seed}") for p in function.parameters
    ]


def _argument(type: Attribute, sizes: Mapping[str, int], spec: str | None, name: str) -> Any:
    pieces = parts(type)
    if pieces is not None:
        return tuple(_argument(p, sizes, spec, f"{name} {i}") for i, p in enumerate(pieces))
    ((dtype, shape),) = leaf_shapes(type, sizes)
    if spec is not None:
        text = "x".join(map(str, shape))
        value = parse_data(spec.replace("*", text), name)
        return value.reshape(shape) if isinstance(value, np.ndarray) else value
    if not shape:
        return dtype.type(2)
    return _sparse(shape, dtype, zlib.crc32(name.encode()))


def _sparse(shape: tuple[int, ...], dtype: np.dtype[Any], seed: int) -> NDArray[Any]:
    chance = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    limit = min(128, max(4, 256 * _OTHERS // chance.size))
    if dtype.kind != "f":
        return (chance < limit).astype(dtype)
    numbers = np.zeros(256, dtype)
    numbers[:limit] = np.resize(np.array([1, 2, 1, -1], dtype), limit)
    return numbers[chance]
