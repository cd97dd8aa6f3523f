"""A launch for which an assumption does not hold is refused before anything is compiled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IntegerType

from polycl.backends.device import KernelArg, NDRange
from polycl.dialects.ocl.assumptions import parse_assumption
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import signedness
from polycl.runtime.parameters import Parameter


def integer_names(parameters: Iterable[Parameter]) -> list[str]:
    """The names that an assumption may have."""
    return [p.name for p in parameters if isinstance(p.type, IntegerType)]


def check_launch(
    kernel: str,
    assumptions: Iterable[str],
    parameters: Sequence[Parameter],
    args: Sequence[KernelArg],
    ndrange: NDRange,
) -> None:
    """Raises ArgumentError where an assumption of the kernel does not hold for a launch."""
    known: dict[str, int] = {}
    for dimension in range(3):
        known[f"local_size{dimension}"] = ndrange.local_size[dimension]
        known[f"global_size{dimension}"] = ndrange.global_size[dimension]
    for parameter, arg in zip(parameters, args, strict=False):
        if isinstance(parameter.type, IntegerType) and isinstance(arg, bytes):
            signed = signedness(parameter.spelling) is not False
            known[parameter.name] = int.from_bytes(arg, "little", signed=signed)
    for text in assumptions:
        assumption = parse_assumption(text)
        for name in assumption.names:
            if known[name] >= 1 << 63:
                raise ArgumentError(
                    f"kernel '{kernel}' assumes '{text}', so '{name}' must be less than 2^63, "
                    f"got {known[name]}"
                )
        if not assumption.holds(known):
            values = ", ".join(f"{name} = {known[name]}" for name in assumption.names)
            raise ArgumentError(
                f"kernel '{kernel}' assumes '{text}', which does not hold for this launch: "
                f"{values or 'it never does'}"
            )
