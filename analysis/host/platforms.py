"""The platforms that programs of host and kernels are transformed for.

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
"""The cycles of each class of operations, where an entry says nothing else."""


@dataclass(frozen=True)
class Platform:
    """A device, its compiler and its memory, as far as transformations ask for them.

    Source: the paper's Tables 1 and 3, Algorithms 2 to 4.
    """

    name: str
    description: str

    kind: str
    """`cpu` or `gpu`."""

    mode: str
    """How work-items interleave: `serial` or `data-parallel` (Table 1)."""

    simd_bits: int
    """The width of vector operations, on a GPU of vector loads and stores; 0: there are none."""

    cache_line: int
    """Bytes that come together."""

    registers: int
    """How many there are for a work-item."""

    vectorizes: bool = False
    """Whether the platform's own compiler makes vectors of neighbouring work-items."""

    chooses_dimension: bool = False
    """Whether it does so along the dimension that suits a kernel's accesses, not always along x."""

    vectorizes_without_loops: bool = False
    """Whether it does so for kernels without loops."""

    merges: bool = False
    """Whether the platform's own compiler merges neighbours that repeat each other's work."""

    lanes: int = 1
    """How many work-items do one operation together: N of Table 1."""

    vectors: int = 1
    """How many of these vectors are executed side by side."""

    gathers: bool = True
    """Whether a vector load from different places is no more than that many scalar loads, as the
    paper has it. Where it is not, accesses that are consecutive stay so. It is false, too, for
    platforms whose vectors are best made by `ocl-holistic-vectorize`, of what is consecutive."""

    scratchpad: int = 0
    """Bytes of memory that the compiler manages; it stands for a cache of one such line."""

    transpose: int = 4
    """What it costs to transpose an array, in accesses of kernels to each of its elements."""

    host_line: int = 0
    """What an access of the host costs in the same unit if the one before was to another line; 0:
    the host's loops do not count."""

    min_items: int = 128
    """On a GPU: a work-group keeps at least so many work-items (Algorithm 2)."""

    multiple: int = 32
    """On a GPU: and a multiple of so many."""

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
        """Whether neighbours are to read neighbours, whatever the reuse distances are."""
        return self.is_gpu or not self.gathers

    @property
    def together(self) -> int:
        """How many work-items are executed together: 1 where they are serial."""
        return 1 if self.is_serial else self.lanes * self.vectors

    @property
    def reuse_line(self) -> int:
        """The bytes of a line for reuse distances: the scratchpad's where there is one."""
        return self.scratchpad or self.cache_line


@cache
def platforms() -> Mapping[str, Platform]:
    """All platforms by name, in the order of the file."""
    text = files("polycl").joinpath("analysis/host/platforms.toml").read_text(encoding="utf-8")
    return {name: _platform(name, entry) for name, entry in tomllib.loads(text).items()}


def platform(name: str) -> Platform:
    """The platform of this name. Raises ValueError, with the names there are."""
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
