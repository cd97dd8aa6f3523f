"""`lift-cf-to-scf`: branches between blocks become structured control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, Region
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.lowering.ocl.lift_cf_to_scf.block_program import BlockProgram
from polycl.lowering.ocl.lift_cf_to_scf.emit_scf import Emitter
from polycl.lowering.ocl.lift_cf_to_scf.restructure import restructure


@dataclass(frozen=True)
class LiftCfToScfPass(ModulePass):
    """Turn the blocks of kernels and functions into `scf.if` and `scf.while`, whatever their graph.

    Loops with several entries or exits and branches that meet at several places get a value
    that selects the next block (Bahmann et al., "Perfect Reconstructability of Control Flow from
    Demand Dependence Graphs", TACO 2015); structured programs need none. No code is duplicated,
    so barriers are not either, and a choice that depends on uniform conditions only is uniform. A
    value that is undefined on a path is `ub.poison` there.

    ```
    ^head(%i: i32):                                %r = scf.while (%i = %a) : (i32) -> (i32) {
      %c = arith.cmpi slt, %i, %n : i32              %c = arith.cmpi slt, %i, %n : i32
      cf.cond_br %c, ^body, ^end             ->      scf.condition(%c) %i : i32
    ^body:                                         } do {
      %k = arith.addi %i, %one : i32               ^bb0(%j: i32):
      cf.br ^head(%k : i32)                          %k = arith.addi %j, %one : i32
    ^end:                                            scf.yield %k : i32
                                                   }
    ```

    `ub.unreachable` becomes an edge to the end of the function.

    Raises:
        PolyclError: located: a block that ends in something else than a branch of `cf`, a
            return or `ub.unreachable`.
    """

    name = "lift-cf-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            match function:
                case ocl.KernelOp() if len(function.body.blocks) > 1:
                    _lift(function, function.body, ())
                case func.FuncOp() if len(function.body.blocks) > 1:
                    _lift(function, function.body, function.function_type.outputs.data)


def _lift(function: Operation, body: Region, result_types: Sequence[Attribute]) -> None:
    program = BlockProgram(function, result_types)
    emitter = Emitter(program, restructure(program.successors))
    end = func.ReturnOp() if isinstance(function, func.FuncOp) else ocl.ReturnOp()
    end.location = _end_of(program).location
    emitter.finish(end)
    for block in program.blocks:
        body.detach_block(block)
    for block in program.blocks:
        block.drop_all_references()
    body.add_block(emitter.entry)


def _end_of(program: BlockProgram) -> Operation:
    """The last return of the function in the order of its blocks, if it has one."""
    ends = [block.last_op for block in program.blocks if block.last_op is not None]
    returns = [op for op in ends if isinstance(op, ocl.ReturnOp | func.ReturnOp)]
    return returns[-1] if returns else ends[-1]
