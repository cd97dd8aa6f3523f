"""The launch that the explorer shows: what is not given is guessed from the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from polycl.analysis.ocl.module_parts import find_kernel
from polycl.backends.device import ArgumentFacts, Device, NDRange, Size3
from polycl.backends.interp import InterpDevice
from polycl.runtime.check_passes.generate import NoInput, typical_trial
from polycl.runtime.check_passes.trial import GeneratedTrial, Size
from polycl.runtime.kernel import BoundKernel, Kernel


@dataclass(frozen=True)
class Launch:
    """The sizes of a launch, and its arguments if there are any."""

    global_size: Size | None = None
    local_size: Size | None = None
    offset: Size | None = None
    values: Mapping[str, Any] | None = None
    """The arguments by name."""
    texts: Mapping[str, str] | None = None
    """The arguments as `ocl-run --arg` takes them, where they came from texts."""
    group: Size3 = (0, 0, 0)
    """The work-group that is looked at."""
    guessed: bool = False
    """Whether nobody gave the arguments."""

    def completed(self, kernel: Kernel) -> Launch:
        """The same with sizes; with arguments, too, if neither sizes nor arguments are given."""
        if self.global_size is not None:
            return self
        guess = _guess(kernel)
        if guess is None:
            return replace(self, global_size=self.local_size or (1024,))
        if self.local_size is None and self.values is None:
            return replace(
                self,
                global_size=guess.global_size,
                local_size=guess.local_size,
                offset=guess.offset,
                values=guess.values(),
                texts=guess.texts,
                guessed=True,
            )
        local = self.local_size or guess.local_size
        return replace(self, global_size=tuple(2 * n for n in local), local_size=local)

    def ndrange(self, kernel: Kernel) -> NDRange:
        """The index space, and what is known of the arguments: without them, that they do not
        overlap. Raises ArgumentError."""
        assert self.global_size is not None
        if self.values is not None:
            return self.bind(kernel, InterpDevice()).ndrange
        space = kernel.index_space(self.global_size, self.local_size, self.offset)
        return replace(space, facts=ArgumentFacts(distinct_buffers=True, small_buffers=True))

    def bind(self, kernel: Kernel, device: Device) -> BoundKernel:
        """The launch on copies of its arguments. Raises PolyclError."""
        assert self.global_size is not None
        values = {name: deepcopy(value) for name, value in (self.values or {}).items()}
        return kernel.bind(
            **values,
            global_size=self.global_size,
            local_size=self.local_size,
            global_offset=self.offset,
            device=device,
        )


def _guess(kernel: Kernel) -> GeneratedTrial | None:
    module = kernel.module
    try:
        return typical_trial(module, find_kernel(module, kernel.name))
    except NoInput:
        return None
