"""The pass that makes arguments constants, where a launch fixes them."""

from __future__ import annotations

from xdsl.passes import ModulePass

from polycl.backends.device import NDRange
from polycl.lowering.wg.wg_specialize import WgSpecializePass


def specialization(ndrange: NDRange) -> tuple[ModulePass, ...]:
    """`wg-specialize` with the launch's constants; no pass where there are none."""
    constants = ndrange.facts.constants
    if not constants:
        return ()
    positions, values = zip(*constants, strict=True)
    return (WgSpecializePass(positions, values),)
