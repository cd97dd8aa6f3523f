"""Observers of the launches of kernels, such as the recorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from polycl.backends.device import KernelArg, NDRange
    from polycl.runtime.kernel import Kernel


class Observer(Protocol):
    """It is called for launches, and must run them."""

    def launch(
        self,
        kernel: Kernel,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        has_local_size: bool,
        run: Callable[[], None],
    ) -> None:
        """A launch with these arguments; `run()` executes it."""
        ...


OBSERVERS: list[Observer] = []
"""The last one is called."""
