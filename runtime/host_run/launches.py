"""Launches of a running host program: what is the same from one to the next is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from polycl.backends.device import Device, DeviceArray, KernelArg, LocalMemory
from polycl.backends.interp.state import run_error
from polycl.errors import ArgumentError
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.kernel import Kernel

_MOST_KEPT = 256
"""Of so many launches all is kept."""

Sizes = tuple[int, ...]


class Launches:
    """Prepared launches of the kernels of a program on one device."""

    def __init__(self, kernels: Mapping[str, Kernel], device: Device):
        self._kernels = kernels
        self._device = device
        self._ready: dict[tuple[Any, ...], tuple[Callable[[], None], Sequence[KernelArg]]] = {}

    def launch(
        self,
        op: Operation,
        run: Any,
        name: str,
        sizes: Sizes,
        local: Sizes | None,
        offset: Sizes | None,
        args: Sequence[KernelArg],
    ) -> None:
        """Run a kernel. Raises LaunchError at `op` where sizes and arguments do not fit."""
        key = (name, sizes, local, offset, *map(_key, args))
        known = self._ready.get(key)
        if known is None:
            try:
                found = self._prepare(name, sizes, local, offset, args)
            except ArgumentError as error:
                raise run_error(op, run, str(error)) from None
            if len(self._ready) >= _MOST_KEPT:
                self._ready.clear()
            # The arguments are kept, as their addresses are the key.
            self._ready[key] = known = found, args
        known[0]()

    def _prepare(
        self,
        name: str,
        sizes: Sizes,
        local: Sizes | None,
        offset: Sizes | None,
        args: Sequence[KernelArg],
    ) -> Callable[[], None]:
        kernel = self._kernels[name]
        has_local = any(isinstance(arg, LocalMemory) for arg in args)
        ndrange = make_ndrange(
            name,
            sizes,
            local,
            offset,
            required=kernel.required_local_size,
            hint=kernel.local_size_hint,
            needs_local_size="an argument is local memory" if has_local else "",
        )
        bound = kernel.bind_raw(args, ndrange, self._device)
        queued: Callable[..., Callable[[], None]] | None
        queued = getattr(bound.executable, "prepare_queued", None)
        if queued is not None and not any(isinstance(arg, np.ndarray) for arg in bound.args):
            return queued(bound.args, bound.ndrange)
        return bound.launch

    def forget(self) -> None:
        """Memory was released: keep nothing."""
        self._ready.clear()


def _key(arg: KernelArg) -> Any:
    match arg:
        case np.ndarray():
            return (arg.ctypes.data, arg.nbytes)
        case DeviceArray():
            return id(arg)
        case _:
            return arg
