"""Kernels of Rodinia and Parboil, with data of our own.

The suites stay where they are: `rodinia.py` and `parboil.py` only name kernels, files and the
arguments of launches. `suite_cases(DIR)` expects checkouts of both in `DIR/rodinia` and
`DIR/parboil` (of https://github.com/yuhc/gpu-rodinia, https://github.com/yuhc/gpu-parboil).

S. Che et al.: Rodinia: a benchmark suite for heterogeneous computing. IISWC 2009.
J. Stratton et al.: Parboil: a revised benchmark suite for scientific and commercial throughput
computing. University of Illinois, IMPACT-12-01, 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import Arg, Case, Tolerance


@dataclass(frozen=True)
class SuiteKernel:
    """One kernel; `args`, `global_size` and the counts are functions of one size `n`."""

    file: str
    kernel: str
    size: int
    small: int
    """The size at which the interpreter judges; every local size must divide what it makes."""
    args: Callable[[int], list[Arg]]
    global_size: Callable[[int], tuple[int, ...]]
    local_sizes: Sequence[tuple[int, ...]]
    options: tuple[str, ...] = ()
    tolerance: Tolerance = Tolerance()
    flops: Callable[[int], float] = lambda n: 0
    bytes: Callable[[int], float] = lambda n: 0
    restore: bool = False

    def case(self, name: str, folder: Path) -> Case:
        path = folder / self.file
        small = Case(
            name=name,
            path=path,
            kernel=self.kernel,
            args=lambda: self.args(self.small),
            global_size=self.global_size(self.small),
            local_sizes=self.local_sizes,
            forms={"": (*self.options, f"-I{path.parent}", f"-I{path.parent.parent}")},
            tolerance=self.tolerance,
        )
        return replace(
            small,
            small=small,
            args=lambda: self.args(self.size),
            global_size=self.global_size(self.size),
            flops=self.flops(self.size),
            bytes=self.bytes(self.size),
            restore=self.restore,
        )


def suite_cases(folder: Path) -> list[Case]:
    """All of them. Raises FileNotFoundError: a file of the suites is not there."""
    # Late, as both need what is above.
    from bench.parboil import PARBOIL
    from bench.rodinia import RODINIA

    cases = [kernel.case(name, folder / "rodinia") for name, kernel in RODINIA.items()]
    cases += [kernel.case(name, folder / "parboil") for name, kernel in PARBOIL.items()]
    for case in cases:
        if not case.path.is_file():
            raise FileNotFoundError(f"--suites: there is no {case.path}")
    return cases


def uniform(*shape: int, low: float = 0, high: float = 1, seed: int = 1) -> NDArray[np.float32]:
    generator = np.random.default_rng(seed)
    return (generator.random(shape, np.float32) * (high - low) + low).astype(np.float32)


def integers(*shape: int, most: int, seed: int = 1) -> NDArray[np.int32]:
    """0 to `most`, inclusive."""
    return np.random.default_rng(seed).integers(0, most, shape, np.int32, endpoint=True)


def zeros(*shape: int) -> NDArray[np.float32]:
    return np.zeros(shape, np.float32)


def ints(*values: int) -> list[Arg]:
    return [np.int32(value) for value in values]


def floats(*values: float) -> list[Arg]:
    return [np.float32(value) for value in values]


def structure(**fields: Any) -> np.dtype[Any]:
    """A structure as C lays it out."""
    return np.dtype(list(fields.items()), align=True)
