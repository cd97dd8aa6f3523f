"""The pass `ocl-print-wii`."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.host.platforms import platform_option
from polycl.analysis.host.wii import fused_graph


@dataclass(frozen=True)
class OclPrintWiiPass(ModulePass):
    """Print the graph of host and kernels with a platform's order of work-items, to stderr.

    See [ppopencl19], Figures 4 and 5: kernels are printed at their launches with numbered
    operations, which a group executes in the order of `WII(tid, op)` (Table 1). For small groups,
    each step is printed with its operations, as `tid.op`.

    ```
    host @main
      host.write %h, %d
      kernel @k, amd-cpu, serial: 4 work-items in a group, WII(tid, op) = ...
        for tid: 4 times
          0: load a[gid0]
          1: store b[gid0]
        steps:
          0: 0.0
          1: 0.1
    ```

    `platform` is one of analysis/host/platforms.toml; `lanes` replaces its N.
    """

    name = "ocl-print-wii"

    platform: str = "amd-cpu"
    lanes: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for line in fused_graph(op, platform_option(self.platform, self.name), self.lanes):
            print(line, file=sys.stderr)
