"""Arguments that a caller may leave out, since other arguments imply their values.

A kernel of MLIR's `gpu` dialect takes memrefs. For dynamic sizes, strides and offsets
`convert-gpu-to-ocl` adds parameters, for example `x_size0`. Their values come from the numpy array:
its shape, the strides of a C-contiguous array of that shape, and 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from polycl.runtime.parameters import Parameter
from polycl.runtime.value_arguments import describe_value

_SOURCE = re.compile(r"(?P<array>.+)\.(?P<what>offset|size|stride)(?P<dim>\d*)")


def fill_implied(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` (by name) and the implied values that are not among them.

    Raises:
        ArgumentError: the argument that implies one is not an array, or has too few dimensions.
    """
    filled = dict(values)
    for parameter in parameters:
        source = _SOURCE.fullmatch(parameter.implied)
        if source is not None and parameter.name not in values and source["array"] in values:
            filled[parameter.name] = _implied(parameter, source, values[source["array"]])
    return filled


def _implied(parameter: Parameter, source: re.Match[str], array: Any) -> int:
    name, what = source["array"], source["what"]
    if not isinstance(array, np.ndarray):
        raise parameter.error(f"'{name}' is {describe_value(array)}, which has no {what}; pass it")
    if what == "offset":
        return 0
    dim = int(source["dim"])
    if dim >= array.ndim:
        raise parameter.error(
            f"'{name}' is {describe_value(array)}, which has no dimension {dim}; pass an array "
            f"with that many dimensions, or {parameter.name}"
        )
    return int(array.shape[dim] if what == "size" else math.prod(array.shape[dim + 1 :]))
