"""The pass `ocl-print-reuse`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.host.buffers import buffer_groups
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.kernel_access import KernelAccesses
from polycl.analysis.host.layout import compared
from polycl.analysis.host.plan import plans
from polycl.analysis.host.platforms import Platform, platform_option
from polycl.analysis.host.reuse_distance import example_sizes, reuse_of, with_examples
from polycl.dialects import ocl


@dataclass(frozen=True)
class OclPrintReusePass(ModulePass):
    """Print the reuse distances of buffers on a platform, to stderr.

    ```
    xeon-phi, data-parallel, 16 together, lines of 64 bytes
    kernel @kmeans, 256 work-items in a group
      features: reuse distance 33, 1 lines a step, steps 51200 lines apart
    buffers
      d_features: coalesced 33 -> continuous 15, %m x %n
    ```

    For a kernel without a host, they are those of its arguments. `sizes` has the values of scalars,
    as in `sizes="npoints=819200,nfeatures=34"`, `global` and `local` the sizes of the launch;
    example values replace missing ones. Buffers of a host program are printed in both layouts.
    """

    name = "ocl-print-reuse"

    platform: str = "amd-cpu"
    sizes: str = ""
    global_size: tuple[int, ...] = ()
    local_size: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = platform_option(self.platform, self.name)
        for line in self._lines(op, target):
            print(line, file=sys.stderr)

    def _lines(self, module: ModuleOp, target: Platform) -> Iterator[str]:
        together = "" if target.together == 1 else f", {target.together} together"
        yield f"{target.name}, {target.mode}{together}, lines of {target.reuse_line} bytes"
        values = dict(_number(text) for text in self.sizes.split(",") if text)
        for kernel in module.walk():
            if isinstance(kernel, ocl.KernelLike):
                known = KernelAccesses(kernel)
                given = self.local_size or kernel.required_size or ()
                sizes = example_sizes(len(self.global_size), values, self.global_size, given)
                sizes = with_examples(known, sizes)
                yield f"kernel @{kernel.sym_name.data}, {sizes.items} work-items in a group"
                for number, name in enumerate(kernel.param_names):
                    if known.of(number):
                        yield f"  {name}: {reuse_of(known, [number], target, sizes)}"
        groups = buffer_groups(module)
        if groups:
            yield "buffers"
        program = Program(module)
        for group in groups:
            found, why = plans(group, program)
            for plan in found:
                both = compared(plan, target, program)
                (now, other), (first, second) = plan.kinds, both.distance
                yield f"  {group.name}: {now} {first:.3g} -> {other} {second:.3g}, {plan.shape}"
            if not found:
                yield f"  {group.name}: {why}"


def _number(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not number.strip().isdecimal():
        raise PassFailedException(
            f"{OclPrintReusePass.name}: sizes are written name=number, got '{text}'"
        )
    return name.strip(), int(number)
