"""The pass `ocl-print-aliases`."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.host.aliases import alias_table


@dataclass(frozen=True)
class OclPrintAliasesPass(ModulePass):
    """Print which objects of host and kernels are the same data, to stderr.

    The output is [ppopencl19], Table 2, for the program of Figure 2:

    ```
    Host Object  Kernel Object  Kernel Argument  Transfer Direction
    h_f          d_f            ker (0th)        read
    h_p          d_p            ker (1st)        write
    h_n          d_n            ker (2nd)        write
    nN           N              ker (3rd)        write
    ```

    Scalars are passed by value: their row has the kernel's parameter.
    """

    name = "ocl-print-aliases"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for line in alias_table(op):
            print(line, file=sys.stderr)
