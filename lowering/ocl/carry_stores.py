"""`carry-stores`: what an iteration stores, and the next one would load, is carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import address_of, are_apart, size_of_access
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable, with_results
from polycl.lowering.ocl.promote_loop_memory import load_if_runs
from polycl.remarks import emit_remark

_Access = ocl.LoadOp | ocl.StoreOp


@dataclass(frozen=True)
class CarryStoresPass(ModulePass):
    """Carry through an `scf.for` what one iteration stores where the next one loads.

    ```
                                              %s0 = ocl.load %a[%c0]
    scf.for %i = %c1 to %n step %c1 {         scf.for %i = ... iter_args(%q = %s0) {
      %p = ocl.load %a[%i]                      %p = ocl.load %a[%i]
      %j = arith.subi %i, %c1            ->
      %q = ocl.load %a[%j]
      %s = arith.addf %p, %q                    %s = arith.addf %p, %q
      ocl.store %s, %a[%i]                      ocl.store %s, %a[%i]
    }                                           scf.yield %s
                                              }
    ```

    What is left of the loop are rows that are read and written in order, as `wg-read-rows` and
    `wg-vectorize` want them. The store is made in each iteration, after the load, and it is the
    only one to this memory. Other work-items cannot see the difference: they would race. With
    `distinct`, buffers of different parameters do not overlap: the launch checks it.
    """

    name = "carry-stores"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            step = constant_value(loop.step)
            accesses = accesses_in(loop)
            if step is not None and accesses is not None:
                self._carry(loop, step, accesses)

    def _carry(self, loop: scf.ForOp, step: int, accesses: Sequence[_Access]) -> None:
        counter = loop.body.block.args[0]
        stores = [op for op in accesses if isinstance(op, ocl.StoreOp)]
        places = {op: address_of(op) for op in accesses} if stores else {}
        for store in stores:
            root, place = places[store]
            others = [op for op in stores if op is not store]
            if not _is_known(place, root, loop) or not all(
                are_apart(root, places[other][0], self.distinct) for other in others
            ):
                continue
            moves = place.factors.get(counter, 0) * step
            if abs(moves) < size_of_access(store):
                continue
            for load in accesses[: accesses.index(store)]:
                its_root, its_place = places[load]
                if (
                    isinstance(load, ocl.LoadOp)
                    and its_root is root
                    and load.result.type == store.value.type
                    and (place - its_place).constant == moves
                    and all(is_hoistable(value, loop, [counter]) for value in load.operands)
                ):
                    emit_remark(load, self.name, "carried from the iteration that stores it")
                    _replace(loop, load, store.value)
                    return


def accesses_in(loop: scf.ForOp) -> list[_Access] | None:
    """The loads and stores of a loop, in order; None if it does anything else."""
    found: list[_Access] = []
    for op in loop.body.block.ops:
        if isinstance(op, _Access):
            if op.volatile is not None:
                return None
            found.append(op)
        elif op.regions or not (is_side_effect_free(op) or isinstance(op, scf.YieldOp)):
            return None
    return found


def _is_known(place: Linear, root: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a place depends on nothing in the loop but its counter."""
    counter = loop.body.block.args[0]
    return not loop.is_ancestor(root.owner) and all(
        value is counter or not loop.is_ancestor(value.owner) for value in place.factors
    )


def _replace(loop: scf.ForOp, load: ocl.LoadOp, stored: SSAValue) -> None:
    """Load for the first iteration before the loop, and carry what is stored to the next one."""
    before = Build(load, InsertPoint.before(loop))
    known: dict[SSAValue, SSAValue] = {loop.body.block.args[0]: loop.lb}
    pointer = hoisted(load.pointer, loop, known)
    first = ocl.LoadOp(pointer, None if load.index is None else hoisted(load.index, loop, known))
    if trip_count(loop):
        start = before.emit(first)
    else:
        start = load_if_runs(before, before.compare("slt", loop.lb, loop.ub), first)
    body = loop.body.block
    carried = body.insert_arg(load.result.type, len(body.args))
    carried.name_hint = load.result.name_hint
    stored = carried if stored is load.result else stored
    Rewriter.replace_op(load, [], [carried])
    end = terminator(body)
    end.operands = [*end.operands, stored]
    new = with_results(loop, [*loop.operands, start], [*loop.result_types, carried.type])
    Rewriter.replace_op(loop, [], new.results[:-1])
