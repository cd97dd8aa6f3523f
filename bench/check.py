"""Whether results are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import polycl
from bench.case import Arg, Case, LocalBytes, Tolerance, Variant

Buffers = Mapping[int, NDArray[Any]]


def expected_buffers(case: Case, args: Sequence[Arg]) -> Buffers:
    """All buffers after one launch, by `case.expected`: what it does not name is unchanged."""
    assert case.expected is not None
    before = {i: arg for i, arg in enumerate(args) if isinstance(arg, np.ndarray)}
    return {**before, **case.expected(args)}


def interpreted_buffers(case: Case, variant: Variant, args: Sequence[Arg]) -> Buffers:
    """All buffers after one launch, by the interpreter."""
    values: list[Any] = []
    for arg in args:
        if isinstance(arg, LocalBytes):
            values.append(polycl.Local(arg.nbytes))
        else:
            values.append(arg.copy() if isinstance(arg, np.ndarray) else arg)
    kernel = polycl.load(case.path, case.forms[variant.form]).kernel(case.kernel)
    kernel(
        *values,
        global_size=case.global_size,
        local_size=variant.local_size,
        device="interp",
    )
    return {i: value for i, value in enumerate(values) if isinstance(value, np.ndarray)}


def difference(expected: Buffers, found: Buffers, tolerance: Tolerance) -> str | None:
    """What is wrong with the buffers that were found, or None."""
    for index, right in expected.items():
        if right.dtype == found[index].dtype and right.tobytes() == found[index].tobytes():
            continue
        a, b = _numbers(right), _numbers(found[index])
        finite = np.abs(a[np.isfinite(a)])
        largest = float(finite.max()) if finite.size else 0.0
        allowed = tolerance.relative * largest + tolerance.absolute
        with np.errstate(invalid="ignore"):
            off = ~((np.abs(a - b) <= allowed) | (a == b) | (np.isnan(a) & np.isnan(b)))
        share = float(np.mean(off)) if off.size else 0.0
        if share > tolerance.strays:
            at = int(np.argmax(off))
            return (
                f"{share:.2%} of the elements of argument {index} are wrong, the first at {at}: "
                f"{b[at]:g} instead of {a[at]:g}"
            )
    return None


def _numbers(array: NDArray[Any]) -> NDArray[np.float64]:
    """The numbers of an array, also of one of structures, as one row of f64."""
    if array.dtype.names is not None:
        fields = [_numbers(np.ascontiguousarray(array[name])) for name in array.dtype.names]
        return np.concatenate(fields)
    return array.astype(np.float64).reshape(-1)
