"""`carry-chosen`: an element whose number a loop carries is carried itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import address_of, are_apart
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.carry_stores import accesses_in
from polycl.lowering.ocl.moving import carry_also, hoisted, is_hoistable
from polycl.lowering.ocl.promote_loop_memory import load_if_runs
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class CarryChosenPass(ModulePass):
    """Carry through an `scf.for` the element at a place that it carries, as of the largest one.

    ```
                                                %f = ocl.load %x[%first]
    scf.for %i = ... iter_args(%b = %first) {   scf.for ... iter_args(%b = %first, %w = %f) {
      %v = ocl.load %x[%i]                        %v = ocl.load %x[%i]
      %w = ocl.load %x[%b]                 ->
      %c = arith.cmpf ogt, %v, %w                 %c = arith.cmpf ogt, %v, %w
      %d = arith.select %c, %i, %b                %d = arith.select %c, %i, %b
                                                  %e = arith.select %c, %v, %w
      scf.yield %d                                scf.yield %d, %e
    ```

    The next comparison does not wait for an address that depends on this one, and lanes do not
    gather. The carried place is chosen between itself and places of elements that the iteration
    loads, too. The loop has no branches, and writes nothing to this memory. With `distinct`,
    buffers of different parameters do not overlap: the launch checks it.
    """

    name = "carry-chosen"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            if not any(
                isinstance(value.owner, arith.SelectOp)
                for value in terminator(loop.body.block).operands
            ):
                continue
            accesses = accesses_in(loop)
            loads = [access for access in accesses or () if isinstance(access, ocl.LoadOp)]
            for load in loads:
                places = _places(load, loop)
                if len(places) == 1 and self._is_kept(load, accesses or ()):
                    new = _carry(loop, load, places[0], loads)
                    if new is not None:
                        emit_remark(new, self.name, "an element is carried with its place")
                        loop, loads = new, [other for other in loads if other is not load]

    def _is_kept(self, load: ocl.LoadOp, accesses: Sequence[ocl.LoadOp | ocl.StoreOp]) -> bool:
        return all(
            isinstance(other, ocl.LoadOp) or are_apart(load.pointer, other.pointer, self.distinct)
            for other in accesses
        )


def _places(load: ocl.LoadOp, loop: scf.ForOp) -> list[BlockArgument]:
    """What the loop carries that changes the address of a load, which nothing else in it does."""
    factors = address_of(load)[1].factors
    return [
        arg
        for arg in loop.body.block.args[1:]
        if factors.get(arg, 0) != 0
        and all(is_hoistable(value, loop, [arg]) for value in load.operands)
    ]


def _carry(
    loop: scf.ForOp, load: ocl.LoadOp, place: BlockArgument, loads: Sequence[ocl.LoadOp]
) -> scf.ForOp | None:
    """Carry what is loaded from a place that the loop carries; None where it cannot be."""
    body = loop.body.block
    end = terminator(body)
    chosen = end.operands[place.index - 1]
    if not _is_choice(chosen, load, place, loads):
        return None
    before = Build(load, InsertPoint.before(loop))
    known: dict[SSAValue, SSAValue] = {place: loop.iter_args[place.index - 1]}
    pointer = hoisted(load.pointer, loop, known)
    first = ocl.LoadOp(pointer, None if load.index is None else hoisted(load.index, loop, known))
    if trip_count(loop):
        start = before.emit(first)
    else:
        order = "ult" if UNSIGNED in loop.attributes else "slt"
        start = load_if_runs(before, before.compare(order, loop.lb, loop.ub), first)
    carried = body.insert_arg(load.result.type, len(body.args))
    carried.name_hint = load.result.name_hint
    at_end = Build(load, InsertPoint.before(end))

    def element(value: SSAValue) -> SSAValue:
        if value is place:
            return carried
        found = _element_at(value, load, place, loads)
        if found is not None:
            return found.result
        assert isinstance(value.owner, arith.SelectOp)
        return at_end.select(value.owner.cond, element(value.owner.lhs), element(value.owner.rhs))

    end.operands = [*end.operands, element(chosen)]
    Rewriter.replace_op(load, [], [carried])
    return carry_also(loop, [start])


def _is_choice(
    value: SSAValue, load: ocl.LoadOp, place: BlockArgument, loads: Sequence[ocl.LoadOp]
) -> bool:
    """Whether a place is chosen between the one before and those of elements that are loaded."""
    if not isinstance(value.owner, arith.SelectOp) or value.owner.parent is not place.block:
        return False
    return all(
        side is place
        or _element_at(side, load, place, loads) is not None
        or _is_choice(side, load, place, loads)
        for side in (value.owner.lhs, value.owner.rhs)
    )


def _element_at(
    value: SSAValue, load: ocl.LoadOp, place: BlockArgument, loads: Sequence[ocl.LoadOp]
) -> ocl.LoadOp | None:
    """The load of what `load` reads where `value` is the carried place."""
    root, bytes = address_of(load)
    moved = bytes + (linear(value) - linear(place)) * bytes.factors[place]
    for other in loads:
        its_root, its_bytes = address_of(other)
        if its_root is root and other.result.type == load.result.type:
            if other is not load and (its_bytes - moved).constant == 0:
                return other
    return None
