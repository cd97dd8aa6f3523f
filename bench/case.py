"""What is measured: one kernel with its data, in all the ways in which it may be launched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LocalBytes:
    """An argument for a `local` pointer."""

    nbytes: int


Arg: TypeAlias = "NDArray[Any] | np.generic | LocalBytes"
"""A buffer, a value, or local memory."""

AS_WRITTEN: Mapping[str, tuple[str, ...]] = {"": ()}


@dataclass(frozen=True)
class Tolerance:
    """How far results may be off: sums may be added in another order, or be contracted."""

    relative: float = 1e-5
    """To the largest expected value of the buffer."""
    absolute: float = 0.0
    strays: float = 0.0
    """Share of the elements that may be off by more: where one bit decides on a branch."""

    def __str__(self) -> str:
        bounds = [f"{self.relative:g} of the largest value"] if self.relative else []
        bounds += [f"{self.absolute:g}"] if self.absolute else []
        text = " + ".join(bounds) or "bit for bit"
        return text + (f", but for {self.strays:g} of the elements" if self.strays else "")


EXACT = Tolerance(relative=0.0)


@dataclass(frozen=True)
class Case:
    """One kernel with its data.

    Its results are checked against `expected`, which gets the arguments before the launch and
    gives the buffers after it, by their index. Where it is missing, `small` is the same kernel
    on less data, checked against the interpreter, and on the full data the runtimes must agree.
    """

    name: str
    path: Path
    kernel: str
    args: Callable[[], list[Arg]]
    global_size: tuple[int, ...]
    local_sizes: Sequence[tuple[int, ...]]
    """Every runtime may take the best of them."""
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: AS_WRITTEN)
    """Forms of the same source, by name, and the build options that make them."""
    peer_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """More of them, which only other runtimes may take."""
    expected: Callable[[Sequence[Any]], dict[int, NDArray[Any]]] | None = None
    small: Case | None = None
    tolerance: Tolerance = Tolerance()
    flops: float = 0
    """What the source computes, at least; a math function counts as one. 0: not counted."""
    bytes: float = 0
    """What must go between memory and the core, at least. A line that is written without being
    read counts twice, as it is fetched before. 0: not counted."""
    reads_only: bool = False
    """What it writes is next to nothing of `bytes`."""
    restore: bool = False
    """A launch leaves nothing to do for the next: buffers are filled anew before each."""

    def variants(self, peer: bool = False) -> list[Variant]:
        forms = [*self.forms, *(self.peer_forms if peer else ())]
        return [Variant(form, size) for form in forms for size in self.local_sizes]


@dataclass(frozen=True)
class Variant:
    """One way to launch a case."""

    form: str
    local_size: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(filter(None, [self.form, "x".join(map(str, self.local_size))]))
