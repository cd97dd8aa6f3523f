"""Arrays that are smaller than what a launch certainly accesses: the launch is refused.

The facts are those of `polycl.analysis.ocl.reaches`: an access counts if there is a work-item that
makes it. Most accesses are in bounds for reasons that are not looked for here; what is refused is
wrong in any case. A repeated launch compares sizes only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerType

from polycl.analysis.ocl.reaches import (
    ARGUMENT,
    GLOBAL_ID,
    GROUP_ID,
    LOCAL_ID,
    OFFSET,
    ProvedAccess,
    Witness,
    numbers_of,
    reaches,
)
from polycl.backends.device import DeviceArray, KernelArg, LocalMemory, NDRange
from polycl.dialects.ocl.layout import size_of
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import signedness
from polycl.runtime.parameters import Parameter

_MOST_NUMBERS = 256
"""Different integers for which one index space is looked at: a program may give others to each
launch, and a look takes longer than a small launch."""


def check_sizes(
    accesses: Sequence[ProvedAccess],
    parameters: Sequence[Parameter],
    values: Sequence[KernelArg],
    ndrange: NDRange,
) -> None:
    """Refuse a launch that certainly accesses bytes outside of its arrays.

    Raises:
        ArgumentError: with the access, and the sizes that the array has and would need.
    """
    numbers = _sizes(ndrange) | {
        ARGUMENT.format(i): _integer(parameter, value)
        for i, (parameter, value) in enumerate(zip(parameters, values, strict=False))
        if isinstance(value, bytes) and isinstance(parameter.type, IntegerType)
    }
    for witness in reaches(accesses, numbers):
        nbytes = _nbytes(witness.access, values)
        if nbytes is not None and not 0 <= witness.start <= witness.end <= nbytes:
            raise _error(witness, parameters, nbytes, numbers, ndrange)


class SizeLimits:
    """The least sizes of the arrays of repeated launches, which differ in arrays and numbers."""

    def __init__(
        self,
        accesses: Sequence[ProvedAccess],
        parameters: Sequence[Parameter],
        values: Sequence[KernelArg],
        ndrange: NDRange,
    ):
        used = {name for a in accesses for form in (a.place, *a.conditions) for name in form.atoms}
        self._accesses = accesses
        self._sizes = _sizes(ndrange)
        self._values = [None if isinstance(value, np.ndarray) else value for value in values]
        self._arrays = [i for i, value in enumerate(values) if isinstance(value, np.ndarray)]
        self._integers = [i for i in range(len(parameters)) if ARGUMENT.format(i) in used]
        self._known: dict[tuple[int, ...], tuple[int, ...] | None] = {}

    def hold(self, data: Sequence[int], ranges: Sequence[tuple[int, int]]) -> bool:
        """Whether the arrays are large enough: the arguments as numbers, and the addresses and
        sizes of the arrays among them, in order."""
        numbers = tuple([data[i] for i in self._integers])
        try:
            least = self._known[numbers]
        except KeyError:
            if len(self._known) >= _MOST_NUMBERS:
                return True
            least = self._known[numbers] = self._least(numbers)
        if least is None:
            return False
        for (_, nbytes), needed in zip(ranges, least, strict=True):
            if nbytes < needed:
                return False
        return True

    def _least(self, numbers: Sequence[int]) -> tuple[int, ...] | None:
        """The least size of each array; None if the launch is wrong whatever their sizes are."""
        given = zip(self._integers, numbers, strict=True)
        arguments = {ARGUMENT.format(i): int(number) for i, number in given}
        least = dict.fromkeys(self._arrays, 0)
        for witness in reaches(self._accesses, self._sizes | arguments):
            array = witness.access.array
            if array in least and isinstance(array, int):
                least[array] = max(least[array], witness.end)
                nbytes = witness.end
            else:
                nbytes = _nbytes(witness.access, self._values)
            if nbytes is not None and not 0 <= witness.start <= witness.end <= nbytes:
                return None
        return tuple(least.values())


def _sizes(ndrange: NDRange) -> dict[str, int]:
    return numbers_of(
        ndrange.global_size, ndrange.local_size, ndrange.num_groups, ndrange.global_offset
    )


def _integer(parameter: Parameter, value: bytes) -> int:
    signed = signedness(parameter.spelling) is not False
    return int.from_bytes(value[: size_of(parameter.type)], "little", signed=signed)


def _nbytes(access: ProvedAccess, values: Sequence[KernelArg]) -> int | None:
    """The size of what is accessed; None if it is not known."""
    if isinstance(access.array, str):
        return access.nbytes
    if access.array >= len(values):
        return None
    match values[access.array]:
        case np.ndarray() | DeviceArray() | LocalMemory() as memory:
            return memory.nbytes
        case None:
            return 0
        case _:
            return None


def _error(
    witness: Witness,
    parameters: Sequence[Parameter],
    nbytes: int,
    numbers: Mapping[str, int],
    ndrange: NDRange,
) -> ArgumentError:
    access = witness.access
    kernel = parameters[0].kernel if parameters else ""
    where = f" at {access.location}" if access.location else ""
    item = _work_item(witness, numbers, ndrange)
    what = f"{item} {access.word} {access.size} bytes at byte offset {witness.start}{where}"
    if isinstance(access.array, str):
        return ArgumentError(
            f"kernel '{kernel}': its array '{access.array}' has {nbytes} bytes, but {what}; "
            f"expected an index within the array: enlarge it, or launch smaller groups than "
            f"{_text(ndrange.local_size, ndrange)}. Nothing was run"
        )
    parameter = parameters[access.array]
    if witness.start < 0:
        remedy = "expected no access in front of the array: guard it in the kernel"
    else:
        unit = _unit(parameter, witness.end)
        remedy = (
            f"expected at least {witness.end} bytes{unit}: pass a larger one, launch fewer "
            "work-items, or guard the access in the kernel"
        )
    return parameter.error(f"it has {nbytes} bytes, but {what}; {remedy}. Nothing was run")


def _unit(parameter: Parameter, nbytes: int) -> str:
    element = size_of(parameter.pointee)
    if parameter.is_void_pointer or element <= 1 or nbytes % element:
        return ""
    return f" ({nbytes // element} elements)"


def _work_item(witness: Witness, numbers: Mapping[str, int], ndrange: NDRange) -> str:
    """The work-item of a witness; ids that do not matter are the first."""
    ids: list[int] = []
    for d in range(3):
        values = witness.values
        group = values.get(GROUP_ID.format(d), 0) * ndrange.local_size[d]
        start = numbers[OFFSET.format(d)]
        own = start + group + values.get(LOCAL_ID.format(d), 0)
        ids.append(values.get(GLOBAL_ID.format(d), own))
    return f"the work-item with global id {_text(ids, ndrange)}"


def _text(numbers: Sequence[int], ndrange: NDRange) -> str:
    rank = ndrange.work_dim
    return str(numbers[0]) if rank == 1 else f"({', '.join(map(str, numbers[:rank]))})"
