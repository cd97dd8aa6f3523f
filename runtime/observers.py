"""Who wants to know of each launch of a kernel: the recorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from polycl.backends.device import KernelArg, NDRange
    from polycl.runtime.kernel import Kernel


class Observer(Protocol):
    """Told of launches; it must run them."""

    def launch(
        self,
        kernel: Kernel,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        has_local_size: bool,
        run: Callable[[], None],
    ) -> None:
        """A launch with these arguments; `run()` does it."""
        ...


OBSERVERS: list[Observer] = []
"""The last one is asked."""
