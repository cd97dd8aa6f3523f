"""The wg form of a test kernel, for any local size, and its results on the interpreter.

A launch is compared before and after passes on the wg form, at local sizes that its kernel was not
written for: the result need not make sense, it must only stay the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from launches import Launch, Size
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.interp import InterpDevice
from polycl.backends.interp.checks import CheckError
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.runtime.compare import compare
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import Program

LAST = "wg-lower-contexts"
"""The last pass of the form that the passes for speed start with."""


class GroupForm:
    """A launch with its kernel in the wg form for one local size.

    `early` are passes on the kernel, right before it becomes the wg form.
    """

    def __init__(self, launch: Launch, local_size: Size | None = None, *, early: str = ""):
        self.launch = launch
        self.global_size = launch.global_size
        if local_size is not None:
            pairs = zip(launch.global_size, local_size, strict=True)
            self.global_size = tuple(whole // part * part for whole, part in pairs)
        ndrange = make_ndrange(
            launch.kernel,
            self.global_size,
            local_size or launch.local_size,
            launch.global_offset,
            required=None,
            hint=None,
            needs_local_size="",
        )
        self.local_size = ndrange.local_size
        self.module = only_kernel(launch.load().module, launch.kernel)
        passes = cpu_pipeline(ndrange, contract=False)
        names = [one.name for one in passes]
        cut = names.index("ocl-to-wg")
        run_passes(self.module, (*passes[:cut], *parse_passes(early)))
        run_passes(self.module, passes[cut : names.index(LAST) + 1])
        self.expected = self.run(self.module)

    def run(self, module: ModuleOp, *, check: bool = False) -> dict[str, Any]:
        """The arrays after a launch of `module` on the interpreter."""
        arguments = self.launch.values()
        Program(module).kernel(self.launch.kernel)(
            **arguments,
            global_size=self.global_size,
            local_size=self.local_size[: len(self.global_size)],
            global_offset=self.launch.global_offset,
            device=InterpDevice(check=check),
        )
        return {n: v for n, v in arguments.items() if isinstance(v, np.ndarray)}

    def is_correct(self) -> bool:
        """Whether the checks find no error, so that the results mean something."""
        try:
            self.run(self.module, check=True)
        except CheckError:
            return False
        return True

    def after(self, passes: str) -> ModuleOp:
        """The module after passes."""
        module = self.module.clone()
        run_passes(module, parse_passes(passes))
        return module

    def differences(self, passes: str) -> list[str]:
        """The arrays that passes change in any bit, in words."""
        found = self.run(self.after(passes))
        pairs = ((n, compare(v, found[n])) for n, v in self.expected.items())
        return [f"{passes}: {name}: {difference}" for name, difference in pairs if difference]
