"""The device `cpu`, which notes what passes change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.pipeline import FOR_SPEED
from polycl.backends.device import Executable, NDRange


class NotingDevice(CpuDevice):
    """Compiles anew each time; `changing` are the passes for speed that changed a module then: code
    without another one is the same."""

    def __init__(self, *, threads: int, disable: tuple[str, ...]):
        super().__init__(threads, disable=disable)
        self.changing: list[str] = []

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        """The usual ones; after each the text of the module is compared with that before."""
        passes = super().own_passes(ndrange)
        last = max(i for i, step in enumerate(passes) if step.name in FOR_SPEED)
        text = ""

        def look(step: str, module: ModuleOp) -> None:
            nonlocal text
            before, text = text, str(module)
            if step in FOR_SPEED and text != before and step not in self.changing:
                self.changing.append(step)

        looked = [[_Look(look, "")]] + [
            [step, _Look(look, step.name)] for step in passes[: last + 1]
        ]
        return (*(step for some in looked for step in some), *passes[last + 1 :])

    def kept(self, content: Callable[[], str], kernel: str, ndrange: NDRange) -> None:
        return None

    def keep(
        self, executable: Executable, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> None:
        pass


@dataclass(frozen=True)
class _Look(ModulePass):
    """Shows the module to a function."""

    name = "look"
    show: Callable[[str, ModuleOp], None]
    after: str
    """The pass before this one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.show(self.after, op)
