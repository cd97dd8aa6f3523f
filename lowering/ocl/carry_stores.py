"""`carry-stores`: what an iteration stores, and the next one would load, is carried."""

from __future__ import annotations

from collections.abc import Mapping
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
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import carry_also, hoisted, is_hoistable
from polycl.lowering.ocl.promote_loop_memory import load_if_runs
from polycl.remarks import emit_remark

_Access = ocl.LoadOp | ocl.StoreOp

MOST_ITERATIONS = 4
"""That a value is carried through: each takes a register."""


@dataclass(frozen=True)
class CarryStoresPass(ModulePass):
    """Carry through an `scf.for` what one iteration stores where the next ones load.

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
    `wg-vectorize` want them. A load may be up to four iterations behind, as in a recurrence of
    `a[i - 1]` and `a[i - 2]`. The store is made in each iteration, and it is the only one to this
    memory. Other work-items cannot see the difference: they would race. With `distinct`, buffers of
    different parameters do not overlap: the launch checks it.
    """

    name = "carry-stores"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            carrying: scf.ForOp | None = loop
            while carrying is not None:
                carrying = self._carry_one(carrying)

    def _carry_one(self, loop: scf.ForOp) -> scf.ForOp | None:
        """The loop that carries what loads would read of one store; None if there are none."""
        accesses = accesses_in(loop)
        if accesses is None:
            return None
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
            moves, size = _moves(loop, store), size_of_access(store)
            if abs(moves) < size:
                continue
            most = MOST_ITERATIONS if moves % size == 0 else 1
            loads: dict[ocl.LoadOp, int] = {}
            for load in accesses:
                its_root, its_place = places[load]
                if (
                    isinstance(load, ocl.LoadOp)
                    and its_root is root
                    and load.result.type == store.value.type
                    and (distance := (place - its_place).constant) is not None
                    and distance % moves == 0
                    and 0 < distance // moves <= most
                    and all(is_hoistable(value, loop, [counter]) for value in load.operands)
                ):
                    loads[load] = distance // moves
                    emit_remark(load, self.name, "carried from the iteration that stores it")
            if loads:
                return _replace(loop, loads, store)
        return None


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


def _replace(loop: scf.ForOp, loads: Mapping[ocl.LoadOp, int], store: ocl.StoreOp) -> scf.ForOp:
    """The loop, which carries the stored value through as many iterations as each load is behind.

    What the first iterations would read is loaded before, if there is one: it is between what that
    reads and what it stores.
    """
    far, body = max(loads, key=lambda load: loads[load]), loop.body.block
    starts = _starts(loop, far, loads[far], store)
    carried = [body.insert_arg(start.type, len(body.args)) for start in starts]
    stored = store.value
    for load, back in loads.items():
        carried[back - 1].name_hint = load.result.name_hint
        stored = carried[back - 1] if stored is load.result else stored
        Rewriter.replace_op(load, [], [carried[back - 1]])
    end = terminator(body)
    end.operands = [*end.operands, stored, *carried[:-1]]
    return carry_also(loop, starts)


def _starts(loop: scf.ForOp, load: ocl.LoadOp, count: int, store: ocl.StoreOp) -> list[SSAValue]:
    """The elements in the last `count` places before that of the first iteration's store; `load`
    reads the farthest one. Its neighbours' are counted from there: a later counter might wrap."""
    before, counter = Build(load, InsertPoint.before(loop)), loop.body.block.args[0]
    known: dict[SSAValue, SSAValue] = {counter: loop.lb}
    pointer = hoisted(load.pointer, loop, known)
    index = None if load.index is None else hoisted(load.index, loop, known)
    by = _moves(loop, store) // size_of_access(store)
    starts: list[SSAValue] = []
    for after in reversed(range(count)):
        place = index
        if after:
            place = before.add(index or before.index(0), before.index(after * by))
        first = ocl.LoadOp(pointer, place)
        if trip_count(loop):
            starts.append(before.emit(first))
        else:
            order = "ult" if UNSIGNED in loop.attributes else "slt"
            starts.append(load_if_runs(before, before.compare(order, loop.lb, loop.ub), first))
    return starts


def _moves(loop: scf.ForOp, store: ocl.StoreOp) -> int:
    """How many bytes the place of a store goes on by in each iteration."""
    factor = address_of(store)[1].factors.get(loop.body.block.args[0], 0)
    return factor * (constant_value(loop.step) or 0)
