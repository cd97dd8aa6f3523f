"""Launches of a running host program. A launch that equals an earlier one, except for numbers among
its arguments, reuses the prepared launch and replaces these numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from polycl.backends.device import Device, KernelArg, LocalMemory
from polycl.backends.interp.buffers import Buffer as HostArray
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import Step, Translator
from polycl.dialects import host
from polycl.errors import ArgumentError
from polycl.runtime.host.run.device_memory import Buffer, host_bytes
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.kernel import Kernel

_MOST_KEPT = 256
"""The maximal number of prepared launches of a run."""

Number = Callable[[Frame], bytes]
"""An argument that is passed by value."""


class Ready:
    """The prepared launches of one run of a host program."""

    def __init__(self, device: Device):
        self.device = device
        self._kept: dict[tuple[Any, ...], _Prepared] = {}

    def find(self, key: tuple[Any, ...]) -> _Prepared | None:
        return self._kept.get(key)

    def keep(self, key: tuple[Any, ...], launch: _Prepared) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = launch

    def forget(self) -> None:
        """Drop the prepared launches, since memory was released."""
        self._kept.clear()


@dataclass
class _Prepared:
    launch: Callable[[], None]
    replace: Callable[[int, bytes], None] | None
    """Sets the argument at a position; None if it takes a new launch."""

    numbers: list[bytes]
    memory: tuple[Any, ...]
    """Kept alive, since their identities are a part of the key."""


def launch_step(
    op: Operation,
    t: Translator,
    kernel: Callable[[Any], Kernel],
    arguments: Sequence[SSAValue | Number],
    sizes: Sequence[SSAValue] = (),
    local: Sequence[SSAValue] = (),
    offset: Sequence[SSAValue] = (),
    device: Device | None = None,
) -> Step:
    """The step of a launch; without sizes, of one work-item on `device`.

    `kernel` gives the kernel for a run. Arguments are buffers, arrays, local memory, and numbers,
    whose operands are values of types that kernels take.
    """
    places: list[int] = []
    memory: list[int] = []
    numbers: list[tuple[int, Number]] = []
    for position, argument in enumerate(arguments):
        if isinstance(argument, SSAValue):
            places.append(position)
            memory.append(t.slot(argument))
        else:
            numbers.append((position, argument))
    size_slots, local_slots, offset_slots = t.slots(sizes), t.slots(local), t.slots(offset)
    fixed = (1,) if not sizes else None

    def step(frame: Frame) -> None:
        run = frame[0]
        held = tuple(frame[slot] for slot in memory)
        globals_ = fixed or tuple(frame[slot] for slot in size_slots)
        locals_ = fixed or tuple(frame[slot] for slot in local_slots)
        first = tuple(frame[slot] for slot in offset_slots)
        given = [take(frame) for _, take in numbers]
        key = (op, globals_, locals_, first, *map(_identity, held))
        known = run.ready.find(key)
        if known is not None and known.numbers != given:
            if known.replace is None:
                known = None
            else:
                for (position, _), old, new in zip(numbers, known.numbers, given, strict=True):
                    if old != new:
                        known.replace(position, new)
                known.numbers = given
        if known is None:
            args: list[KernelArg] = [None] * len(arguments)
            for place, value in zip(places, held, strict=True):
                args[place] = _argument(value)
            for (position, _), data in zip(numbers, given, strict=True):
                args[position] = data
            try:
                on = device or run.ready.device
                launch, replace = _prepare(
                    kernel(run), on, args, globals_, locals_ or None, first or None
                )
            except ArgumentError as error:
                raise run_error(op, run, str(error)) from None
            known = _Prepared(launch, replace, given, held)
            run.ready.keep(key, known)
        known.launch()

    return step


def _prepare(
    kernel: Kernel,
    device: Device,
    args: Sequence[KernelArg],
    sizes: tuple[int, ...],
    local: tuple[int, ...] | None,
    offset: tuple[int, ...] | None,
) -> tuple[Callable[[], None], Callable[[int, bytes], None] | None]:
    has_local = any(isinstance(arg, LocalMemory) for arg in args)
    ndrange = make_ndrange(
        kernel.name,
        sizes,
        local,
        offset,
        required=kernel.required_local_size,
        hint=kernel.local_size_hint,
        needs_local_size="an argument is local memory" if has_local else "",
    )
    bound = kernel.bind_raw(args, ndrange, device)
    launch: Callable[[], None] = bound.prepared
    queued: Callable[..., Callable[[], None]] | None
    queued = getattr(bound.executable, "prepare_queued", None)
    if queued is not None and not any(isinstance(arg, np.ndarray) for arg in bound.args):
        launch = queued(bound.args, bound.ndrange)
    # Assumptions about the numbers are checked when a launch is prepared.
    return launch, None if kernel.assumptions else getattr(launch, "replace", None)


def _identity(memory: Any) -> Any:
    match memory:
        case None:
            return None
        case Buffer():
            return id(memory)
        case HostArray():
            # Freed memory has no size.
            return (id(memory), memory.size)
        case _:
            return memory.nbytes


def _argument(memory: Any) -> KernelArg:
    match memory:
        case Buffer():
            return memory.argument
        case HostArray():
            return host_bytes(memory)
        case _:
            return memory


def is_memory(value: SSAValue) -> bool:
    """Whether a value is passed as memory, not as a number."""
    return isinstance(value.type, host.BufferType | host.LocalMemoryType | MemRefType)
