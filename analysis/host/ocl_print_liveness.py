"""The pass `ocl-print-liveness`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.host.def_use import Accesses, effects
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.liveness import Liveness
from polycl.dialects import host
from polycl.dialects.host.launches import is_host_operation


@dataclass(frozen=True)
class OclPrintLivenessPass(ModulePass):
    """Print which memory is live and which is equal in programs of host and kernels, to stderr.

    The liveness of [ppopencl19], section 3.2.2. `@twice` writes an array twice, and clears a buffer
    that it overwrites:

    ```
    host @twice
      Operation            Live after  Equal before
      host.fill d          h                         dead
      host.write h to d    h, d
      host.launch @double  h, d, e     d = h
      host.write h to d    d, e        d = h         redundant
      host.launch @double  e           d = h
      host.read e to h     h           d = h
      func.return
    ```

    An array or buffer is live after an operation if its contents may be used later. Two are equal
    before an operation if the last thing that happened to both was a transfer of the whole from one
    to the other. `ocl-remove-transfers` removes the dead and the redundant ones.
    """

    name = "ocl-print-liveness"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        accesses = Program(op).kernel
        for function in op.walk():
            if isinstance(function, FuncOp) and any(map(is_host_operation, function.walk())):
                print(f"host @{function.sym_name.data}", file=sys.stderr)
                for line in _Table(function, accesses).lines():
                    print(f"  {line}".rstrip(), file=sys.stderr)


class _Table:
    """The table of one host function."""

    def __init__(self, function: FuncOp, accesses: Accesses):
        self._function = function
        self._accesses = accesses
        self._known = Liveness(function, accesses)

    def lines(self) -> Iterator[str]:
        rows = [("Operation", "Live after", "Equal before", "")]
        rows += self._of_block(self._function.body.block, "")
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True))

    def _of_block(self, block: Block, indent: str) -> Iterator[tuple[str, str, str, str]]:
        for op in block.ops:
            if op.regions and any(effects(inner, self._accesses) for inner in op.walk()):
                header = op.name
                for region in op.regions:
                    rows = [row for b in region.blocks for row in self._of_block(b, indent + "  ")]
                    if rows or region is op.regions[0]:
                        yield f"{indent}{header}", "", "", ""
                        yield from rows
                    header = "else" if isinstance(op, scf.IfOp) else "do"
            elif effects(op, self._accesses):
                pairs = [" = ".join(self._sorted(pair)) for pair in self._known.equal[op]]
                live = ", ".join(self._sorted(self._known.live[op]))
                yield indent + self._text(op), live, ", ".join(sorted(pairs)), self._verdict(op)

    def _text(self, op: Operation) -> str:
        match op:
            case host.LaunchOp():
                return f"{op.name} {op.kernel}"
            case host.WriteOp() | host.ReadOp() | host.CopyOp():
                return f"{op.name} {self._known.name(op.source)} to {self._known.name(op.target)}"
            case host.FillOp():
                return f"{op.name} {self._known.name(op.target)}"
            case _:
                return op.name

    def _verdict(self, op: Operation) -> str:
        if self._known.is_dead(op):
            return "dead"
        return "redundant" if self._known.is_redundant(op) else ""

    def _sorted(self, memory: Iterable[SSAValue]) -> list[str]:
        return sorted(map(self._known.name, memory))
