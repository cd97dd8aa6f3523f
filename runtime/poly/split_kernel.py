"""A kernel that is split for the sizes and arguments of a launch, for pictures; it is not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.pipeline import run_passes
from polycl.dialects.poly import KernelOp, SubkernelOp
from polycl.errors import ArgumentError
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.lowering.ocl.ocl_to_wg import OclToWgPass
from polycl.lowering.poly.poly_extract import PolyExtractPass
from polycl.lowering.poly.poly_normalize import PolyNormalizePass
from polycl.lowering.poly.poly_score import PolyScorePass
from polycl.lowering.poly.poly_split import PolySplitPass
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.kernel import Kernel
from polycl.runtime.poly.grid import Sizes, Space
from polycl.runtime.poly.parameters import sizes_of, values_of_group


@dataclass(frozen=True)
class SplitKernel:
    """A split kernel and a launch of it."""

    name: str
    kernels: list[KernelOp]
    """The parallel regions, in order: a kernel without barriers has one."""
    space: Space
    arguments: Mapping[str, Any]
    """The arguments that are known, by name."""

    @property
    def groups(self) -> tuple[int, int, int]:
        """The number of work-groups in each dimension."""
        return self.space.groups

    @property
    def offset(self) -> tuple[int, int, int]:
        """The first global ids."""
        return self.space.offset

    def region(self, name: str | None = None) -> KernelOp:
        """A region by its name, or the first one that has vectors.

        Raises:
            ArgumentError: there is none.
        """
        if not self.kernels:
            raise ArgumentError(
                f"kernel '{self.name}' has no parallel region that can be split; "
                "`--remarks` of poly-extract tell why"
            )
        if name is None:
            return next((k for k in self.kernels if has_vectors(k)), self.kernels[0])
        return _named(name, self.kernels, f"kernel '{self.name}' has no region")

    def subkernel(self, name: str | None = None, region: str | None = None) -> SubkernelOp:
        """A subkernel by its name, or the one that the launch runs."""
        from polycl.analysis.poly.dispatch import decision

        kernel = self.region(region)
        found = subkernels_of(kernel)
        if not has_vectors(kernel):
            sizes = "x".join(map(str, self.space.local))
            raise ArgumentError(
                f"@{kernel.sym_name.data} is not split: no dimension of the local size {sizes} "
                "has as many work-items as a vector"
            )
        if name is None:
            first = {n: int(np.ravel(v)[0]) for n, v in self.sizes(kernel).items()}
            name = decision(kernel, first)
        return _named(name, found, f"@{kernel.sym_name.data} has no subkernel")

    def sizes(self, kernel: KernelOp) -> Sizes:
        """The values of a region's parameters.

        Raises:
            PolyclError: one is not known before the kernel runs.
        """
        return sizes_of(kernel, self.arguments, self.space)

    def values(
        self, group: tuple[int, int, int] = (0, 0, 0), region: str | None = None
    ) -> dict[str, int]:
        """The values of a region's parameters in one work-group."""
        for d in range(3):
            if not 0 <= group[d] < self.groups[d]:
                raise ArgumentError(
                    f"there is no group {group[d]} in dimension {d}, which has {self.groups[d]}"
                )
        return values_of_group(self.sizes(self.region(region)), group)


def split(
    kernel: Kernel,
    arguments: Mapping[str, Any],
    *,
    global_size: int | Sequence[int],
    local_size: int | Sequence[int] | None = None,
    global_offset: int | Sequence[int] | None = None,
    width: int = 8,
    constant_size: bool = True,
) -> SplitKernel:
    """Split `kernel` by the `poly` passes, after the passes of the cpu device that make
    work-groups of work-items, for vectors of `width` lanes.

    Of the arguments, by name, only those are needed on which domains depend; arrays are so where
    an index or a bound is read from memory. Without `constant_size` the code is one for all local
    sizes, which are parameters.

    Raises:
        ArgumentError: an argument or a size does not fit.
        PolyclError: a pass failed.
    """
    for name in arguments:
        kernel.parameter(name)
    ndrange = make_ndrange(
        kernel.name,
        global_size,
        local_size,
        global_offset,
        required=kernel.required_local_size,
    )
    module = only_kernel(kernel.module, kernel.name)
    passes = [
        *_front(cpu_pipeline(ndrange, contract=True), constant_size),
        PolyNormalizePass(),
        PolyExtractPass(),
        PolySplitPass(width=width),
        # Vectors are drawn even if scalar code is faster.
        PolyScorePass(profit=False),
    ]
    run_passes(module, tuple(passes))
    space = Space(ndrange.local_size, ndrange.num_groups, ndrange.global_offset)
    kernels = [op for op in module.walk() if isinstance(op, KernelOp)]
    return SplitKernel(kernel.name, kernels, space, arguments)


def _front(passes: Sequence[Any], constant_size: bool) -> list[Any]:
    """The device's own passes up to ocl-to-wg."""
    last = next(i for i, step in enumerate(passes) if isinstance(step, OclToWgPass))
    front = passes[: last + 1]
    return [s for s in front if constant_size or not isinstance(s, OclSetLocalSizePass)]


def subkernels_of(kernel: KernelOp) -> list[SubkernelOp]:
    """All subkernels, also those that are never chosen."""
    return [op for op in kernel.body.block.ops if isinstance(op, SubkernelOp)]


def has_vectors(kernel: KernelOp) -> bool:
    """Whether a work-group can be large enough for a vector."""
    return any(each.width.value.data > 1 for each in subkernels_of(kernel))


def _named(name: str, choices: Sequence[Any], problem: str) -> Any:
    for op in choices:
        if op.sym_name.data == name:
            return op
    names = ", ".join(f"@{op.sym_name.data}" for op in choices)
    raise ArgumentError(f"{problem} @{name}; expected one of {names}")
