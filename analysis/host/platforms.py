"""The target platforms of programs of host and kernels.

A platform is an entry of `analysis/host/platforms.toml`: data. `platform("amd-cpu")` reads it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

from xdsl.utils.exceptions import PassFailedException

from polycl.diagnostics import unknown_name

LATENCIES: Mapping[str, int] = {
    "load": 4,
    "store": 1,
    "local": 4,
    "constant": 4,
    "integer": 1,
    "multiply": 3,
    "divide": 20,
    "float": 4,
    "math": 20,
    "branch": 2,
    "barrier": 20,
}
"""The default cycles of each class of operations."""


@dataclass(frozen=True)
class Platform:
    """The parameters of a device, its compiler and its memory ([ppopencl19], Tables 1 and 3,
    Algorithms 2 to 4).
    """

    name: str
    description: str

    kind: str
    """`cpu` or `gpu`."""

    mode: str
    """How work-items interleave: `serial` or `data-parallel` (Table 1)."""

    simd_bits: int
    """The width of vector operations (on a GPU: of vector loads and stores), or 0."""

    cache_line: int
    """Bytes that are fetched together."""

    registers: int
    """The number of registers of a work-item."""

    vectorizes: bool = False
    """Whether the platform's own compiler vectorizes over neighbouring work-items."""

    chooses_dimension: bool = False
    """Whether it does so along the dimension that suits a kernel's accesses, not always along x."""

    vectorizes_without_loops: bool = False
    """Whether it does so for kernels without loops."""

    vectorizes_branches: bool = False
    """Whether it does so for kernels without loops even if most of their work is in branches that
    neighbours do not share."""

    least_row: int = 1
    """The least local size along x for that: compilers unroll loops over fewer work-items."""

    weak_in_loops: bool = False
    """Whether its vectors are slower than those of `ocl-holistic-vectorize` in kernels that access
    consecutive elements in loops."""

    packing: int = 0
    """The cycles of what is computed, for each one of scattered accesses, from which vectors of
    `ocl-holistic-vectorize` pay although their elements are loaded one by one; 0: never."""

    least_gain: float = 1.12
    """Work-items are merged if the speedup by the model is larger: below, the effect of longer code
    on compilers outweighs it."""

    lanes: int = 1
    """The number of work-items that execute one operation together: N of Table 1."""

    vectors: int = 1
    """The number of these vectors that are executed in parallel."""

    gathers: bool = True
    """Whether a gather costs no more than the scalar loads, as in [ppopencl19]. If not, consecutive
    accesses stay consecutive. It is false also for platforms where `ocl-holistic-vectorize` makes
    the best vectors, of consecutive accesses."""

    scratchpad: int = 0
    """Bytes of the scratchpad that the compiler manages, modelled as a cache of one line."""

    transpose: int = 4
    """The cost of a transpose of an array, in accesses of kernels to each of its elements."""

    host_line: int = 0
    """The cost, in the same unit, of an access of the host to another line than the previous one;
    0: the host's loops do not count."""

    host_access: int = 1
    """The cost of an access of the host, in accesses of kernels: a GPU makes many at a time. It
    counts where the host transposes what kernels could read as it is."""

    min_items: int = 128
    """On a GPU: the minimal number of work-items of a work-group (Algorithm 2)."""

    multiple: int = 32
    """On a GPU: the number of work-items is a multiple of it."""

    latency: Mapping[str, int] = field(default_factory=dict[str, int])
    """Cycles of the classes of LATENCIES."""

    @property
    def is_serial(self) -> bool:
        return self.mode == "serial"

    @property
    def is_gpu(self) -> bool:
        return self.kind == "gpu"

    @property
    def wants_neighbours(self) -> bool:
        """Whether neighbours shall access neighbouring elements, regardless of reuse distances."""
        return self.is_gpu or not self.gathers

    @property
    def together(self) -> int:
        """The number of work-items that are executed together: 1 for serial execution."""
        return 1 if self.is_serial else self.lanes * self.vectors

    @property
    def reuse_line(self) -> int:
        """The bytes of a line for reuse distances: of the scratchpad, if there is one."""
        return self.scratchpad or self.cache_line


@cache
def platforms() -> Mapping[str, Platform]:
    """All platforms by name, in the order of the file."""
    text = files("polycl").joinpath("analysis/host/platforms.toml").read_text(encoding="utf-8")
    return {name: _platform(name, entry) for name, entry in tomllib.loads(text).items()}


def platform(name: str) -> Platform:
    """The platform of this name. Raises ValueError, with the known names."""
    known = platforms()
    if name not in known:
        raise ValueError(unknown_name("platform", name, list(known)))
    return known[name]


def _platform(name: str, entry: Mapping[str, Any]) -> Platform:
    known = {f.name for f in fields(Platform)} - {"name"}
    for key in entry:
        if key not in known:
            raise ValueError(f"platforms.toml, [{name}]: " + unknown_name("key", key, list(known)))
    latency: Mapping[str, int] = entry.get("latency", {})
    for key in latency:
        if key not in LATENCIES:
            text = unknown_name("class of operations", key, list(LATENCIES))
            raise ValueError(f"platforms.toml, [{name}], latency: {text}")
    made = Platform(name=name, **{**entry, "latency": {**LATENCIES, **latency}})
    for key, allowed in (("kind", ("cpu", "gpu")), ("mode", ("serial", "data-parallel"))):
        if getattr(made, key) not in allowed:
            raise ValueError(
                f"platforms.toml, [{name}]: {key} is one of {', '.join(allowed)}, "
                f"got '{getattr(made, key)}'"
            )
    return made


def platform_option(name: str, asked_by: str) -> Platform:
    """The platform of a pass's option. Raises PassFailedException."""
    try:
        return platform(name)
    except ValueError as error:
        raise PassFailedException(f"{asked_by}: {error}") from None
