"""A picture in the explorer, if the passes split the work-items: which one is in which codelet."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from polycl.backends.device import Device
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.levels import Level
from polycl.runtime.figures.svg import svg
from polycl.runtime.kernel import Kernel
from polycl.runtime.poly import codelets, split


def codelet_levels(
    device: Device, passes: Sequence[ModulePass], kernel: Kernel, launch: Launch
) -> list[Level]:
    """The picture of `ocl-run --plot`, where `poly-split` is among the passes.

    Raises:
        PolyclError: it cannot be drawn.
    """
    if not any(step.name == "poly-split" for step in passes):
        return []
    assert launch.global_size is not None
    found = split(
        kernel,
        launch.values or {},
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.offset,
    )
    region = found.region(None)
    subkernel = found.subkernel(None, region.sym_name.data)
    figure = codelets(subkernel, found.sizes(region), found.groups, found.offset)
    style = "<style>svg { max-width: 100%; height: auto }</style>"
    return [Level("codelets", "picture", [], html=f"<!doctype html>{style}{svg(figure)}")]
