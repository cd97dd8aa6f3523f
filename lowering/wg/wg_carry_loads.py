"""`wg-carry-loads`: a loop carries what its next iteration would read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, VectorType, i32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.sliding import ends_of, is_fused, next_values
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import UNROLL
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import carry_also
from polycl.lowering.wg.building import erase_unused, operations_for
from polycl.lowering.wg.wg_jam.jam_cost import AVX2, AVX512, Registers, kept_values
from polycl.remarks import emit_remark

OWN = 2
"""Registers for what an iteration reads, and for a factor that all lanes share."""


@dataclass(frozen=True)
class WgCarryLoadsPass(ModulePass):
    """Carry the vectors of an iteration that the next one would read and compute once more.

    The rows that `wg-jam` has put into one body read rows of a picture that overlap, one iteration
    apart:

    ```
                                         %f = scf.if %lb < %ub { %x in the first iteration }
    scf.for %j = %lb to %ub {                  scf.for %j = %lb to %ub iter_args(%x = %f) {
      %a = wg.load %in[%j]
      %x = vec.sitofp %a               ->
      %b = wg.load %in[%j + 1]                   %b = wg.load %in[%j + 1]
      %y = vec.sitofp %b                         %y = vec.sitofp %b
      "use"(%x, %y)                              "use"(%x, %y)
    }                                            scf.yield %y
                                               }
    ```

    With four rows one load and one conversion are left of four. The loop must not write. No more is
    carried than fits the registers: `avx512` is as in `wg-jam`.
    """

    name = "wg-carry-loads"

    avx512: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for region in operations_of(op, wg.ParallelOp):
            for loop in operations_of(region, scf.ForOp):
                later = next_values(loop)
                ends = [v for v in ends_of(later.keys()) if isinstance(v.type, VectorType)]
                carried = _fitting(ends, loop.body.block, AVX512 if self.avx512 else AVX2)
                if carried:
                    emit_remark(
                        loop, self.name, f"carries {len(carried)} vectors to the next iteration"
                    )
                    carry(loop, carried, later)


def _fitting(values: Sequence[SSAValue], body: Block, registers: Registers) -> list[SSAValue]:
    """The first of the values, as many as there are registers beside what the loop keeps."""
    kept = {v for v in kept_values(body) if isinstance(v.type, VectorType)}
    free = registers.free_in(body, OWN) - OWN - sum(map(registers.of, kept))
    found: list[SSAValue] = []
    for value in values:
        free -= registers.of(value)
        if free >= 0:
            found.append(value)
    return found


def carry(loop: scf.ForOp, carried: Sequence[SSAValue], later: Mapping[SSAValue, SSAValue]) -> None:
    """Replace a loop by one that carries these values: `later[value]` is what one is in the next
    iteration."""
    firsts = _firsts(loop, carried)
    body = loop.body.block
    # Unrolled, two iterations have such a product in common: LLVM keeps it, and adds it apart.
    has_common_products = any(
        is_fused(op) and all(operand in later for operand in op.operands) for op in body.ops
    )
    end = terminator(body)
    arguments = [body.insert_arg(value.type, len(body.args)) for value in carried]
    for value, argument in zip(carried, arguments, strict=True):
        value.replace_all_uses_with(argument)
    replaced = dict(zip(carried, arguments, strict=True))
    end.operands = [*end.operands, *(replaced.get(later[v], later[v]) for v in carried)]
    new = carry_also(loop, firsts)
    if has_common_products:
        new.attributes.setdefault(UNROLL, IntegerAttr(-1, i32))
    erase_unused(body)


def _firsts(loop: scf.ForOp, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """The values of the first iteration, if there is one."""
    build = Build(loop)
    predicate = "ult" if UNSIGNED in loop.attributes else "slt"
    runs = build.emit(arith.CmpiOp(loop.lb, loop.ub, predicate))

    def first() -> Sequence[SSAValue]:
        copies: dict[SSAValue, SSAValue] = {loop.body.block.args[0]: loop.lb}
        for op in operations_for(carried, loop):
            build.emit_void(op.clone(copies))
        return [copies[value] for value in carried]

    return build.choose(runs, first, lambda: [build.constant(0, value.type) for value in carried])
