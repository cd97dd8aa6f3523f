"""The last level of a kernel on the device tta in the explorer: its schedule."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from polycl.backends.device import Device
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.schedule_page import schedule_page
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.levels import Level
from polycl.runtime.kernel import Kernel
from polycl.tools.tta.run_tta import launch_of


def schedule_levels(
    device: Device, passes: Sequence[ModulePass], kernel: Kernel, launch: Launch
) -> list[Level]:
    """The page of the schedule, after a launch that counts the runs of each block.

    Raises:
        PolyclError: the device cannot compile or run the kernel.
    """
    if not isinstance(device, TtaDevice):
        return []
    bound = launch.bind(kernel, device)
    bound.launch()
    done = launch_of(device, bound)
    program = done.schedule.program
    title = f"{program.name}: {done.result.cycles} cycles"
    return [Level("schedule", "machine", [], html=schedule_page(program, done.blocks, title))]
