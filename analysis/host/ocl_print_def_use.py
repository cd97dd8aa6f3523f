"""The pass `ocl-print-def-use`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from polycl.analysis.host.def_use import Accesses, DefUse, Effect, arguments, effects
from polycl.analysis.host.fused_program import Program
from polycl.dialects import host
from polycl.dialects.host.launches import is_host_operation

_Row: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True)
class OclPrintDefUsePass(ModulePass):
    """Print which definitions of arrays and buffers reach which uses, to stderr.

    The du-chains of [ppopencl19], section 3.2.2, for the program of Figure 2:

    ```
    host @md
      Operation            Uses                    Defines       Reaches
      arguments                                    neighborIter  0, 6
                                                   h_p           3, 6
                                                   h_f           6
      scf.for
        scf.for
          0: memref.load   neighborIter
          1: memref.store                          h_n           2
      2: host.write        h_n                     d_n           4
      3: host.write        h_p                     d_p           4
      4: host.launch @ker  d_p (p), d_n (n)        d_f (f)       5
      5: host.read         d_f                     h_f           6
      6: func.return       neighborIter, h_p, h_f
    ```

    Operations that use or define memory are numbered. "Reaches" has the numbers of the uses that a
    definition reaches, or `nothing`; a number that is not larger than that of the definition is in
    a later iteration of a loop. In parentheses are the kernel's parameters. Buffers that may be the
    same object have one name, such as `in or out`. Hosts with branches between blocks are refused.
    """

    name = "ocl-print-def-use"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        accesses = Program(op).kernel
        for function in op.walk():
            if isinstance(function, FuncOp) and any(map(is_host_operation, function.walk())):
                table = _Table(function, accesses)
                print(f"host @{function.sym_name.data}", file=sys.stderr)
                for line in table.lines():
                    print(f"  {line}", file=sys.stderr)


class _Table:
    """The table of one host function."""

    def __init__(self, function: FuncOp, accesses: Accesses):
        self._function = function
        self._known = DefUse(function, accesses)
        self._effects = {op: found for op in function.walk() if (found := effects(op, accesses))}
        self._numbers = {op: number for number, op in enumerate(self._effects)}

    def lines(self) -> Iterator[str]:
        rows = [("Operation", "Uses", "Defines", "Reaches")]
        given = [Effect(value, False, True) for value in arguments(self._function)]
        rows += self._of_operation(self._function, "arguments", given) if given else ()
        rows += self._of_block(self._function.body.blocks[0], "")
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()

    def _of_block(self, block: Block, indent: str) -> Iterator[_Row]:
        for op in block.ops:
            if op in self._effects:
                callee = f" {op.kernel}" if isinstance(op, host.LaunchOp) else ""
                text = f"{indent}{self._numbers[op]}: {op.name}{callee}"
                yield from self._of_operation(op, text, self._effects[op])
            elif any(inner in self._effects for inner in op.walk()):
                yield from self._of_regions(op, indent)

    def _of_regions(self, op: Operation, indent: str) -> Iterator[_Row]:
        header = op.name
        for region in op.regions:
            inner = [row for block in region.blocks for row in self._of_block(block, indent + "  ")]
            if inner or region is op.regions[0]:
                yield f"{indent}{header}", "", "", ""
                yield from inner
            header = "else" if isinstance(op, scf.IfOp) else "do"

    def _of_operation(self, op: Operation, text: str, found: list[Effect]) -> Iterator[_Row]:
        """A row, and one more for each further definition."""
        used = ", ".join(dict.fromkeys(self._name(effect) for effect in found if effect.is_used))
        defined = [effect for effect in found if effect.is_defined]
        for effect in defined:
            chain = self._known.chains[self._known.classes.find(effect.memory)]
            uses = ", ".join(map(str, sorted(self._numbers[use] for use in chain[op])))
            yield text, used, self._name(effect), uses or "nothing"
            text, used = "", ""
        if not defined:
            yield text, used, "", ""

    def _name(self, effect: Effect) -> str:
        objects = self._known.objects[self._known.classes.find(effect.memory)]
        names = " or ".join(dict.fromkeys(value.name_hint or "?" for value in objects))
        return f"{names} ({effect.parameter})" if effect.parameter else names
