"""`wg-unswitch`: all work-items choose between two addresses, or loops, before their region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.parents import is_in_loop
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.ocl.moving import take_side
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, mark_rare, two_versions
from polycl.remarks import emit_remark

Choice: TypeAlias = arith.SelectOp | scf.IfOp

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)

_MOST_SPLITS = 2
"""Of a region, one after the other."""


@dataclass(frozen=True)
class WgUnswitchPass(ModulePass):
    """Give a region that chooses between addresses, or between loops, a version for each choice.

    ```
    wg.parallel (%x, %y, %z) in ... {            %c = arith.cmpi ne, %inverse, %c0 : i32
      scf.for %k = ... {                         scf.if %c {
        %c = arith.cmpi ne, %inverse, %c0          wg.parallel (%x, %y, %z) in ... {
        %at = arith.select %c, %a, %b      ->        scf.for %k = ... { ocl.load %p[%a] }
        ocl.load %p[%at]                           }
      }                                          } else {
    }                                              wg.parallel (%x, %y, %z) in ... {
                                                     scf.for %k = ... { ocl.load %p[%b] }
                                                   }
                                                 }
    ```

    Neighbours read neighbouring elements at one of the addresses maybe, but at neither if nobody
    knows which one it is; and tiles of `wg-jam` choose once for each of them. Of two loops, rows
    of a matrix and its columns say, only one runs, and each wants tiles of its own. The condition
    is the same for the group, and does not depend on what it reads. A region is split once.

    Choices outside of loops, at most two of a region, count where they hide how far neighbours are
    apart: a row or its mirror image, a matrix or its transpose, pixels of 3 or 4 numbers, clamped
    or reflected coordinates. With `loops=false`, only these do: before borders are split. With
    `addresses=false`, they do not: of the versions that they have by then, each would be split as
    often again.
    """

    name = "wg-unswitch"

    loops: bool = True
    addresses: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            todo = [(region, 0) for region in operations_of(function.body, wg.ParallelOp)]
            while todo:
                region, depth = todo.pop()
                choices = self._choices_of_addresses(region, self.loops and depth == 0)
                if not choices:
                    continue
                facts = Uniformity(function)
                choices = [c for c in choices if _is_worth_versions(c, region, facts)]
                if not choices or is_too_large(region, self.name):
                    continue
                copy = self._split(region, choices, facts)
                if copy is not None and depth + 1 < _MOST_SPLITS:
                    todo += [(copy, depth + 1), (region, depth + 1)]

    def _choices_of_addresses(self, region: wg.ParallelOp, loops: bool) -> list[Choice]:
        """Those that decide addresses; with `loops`, also those in loops, and between loops."""
        choices = list(_choices(region))
        if not choices:
            return []
        parts, near_parts = _in_addresses(region), _in_addresses(region, near=True)
        found: list[Choice] = []
        for choice in choices:
            if _chooses_loops(choice):
                wanted = loops
            elif is_in_loop(choice, region):
                wanted = loops and not parts.isdisjoint(choice.results)
            else:
                wanted = self.addresses and not near_parts.isdisjoint(choice.results)
            if wanted:
                found.append(choice)
        return found

    def _split(
        self, region: wg.ParallelOp, choices: Sequence[Choice], facts: Uniformity
    ) -> wg.ParallelOp | None:
        """Split a region by the first choice that can be made before it; its copy."""
        build = GroupBuilder(region)
        for choice in choices:
            try:
                condition = build.lifted(choice.cond)
            except NotLiftable:
                continue
            same = "loop" if _chooses_loops(choice) else "address"
            emit_remark(choice, self.name, f"two versions: all work-items choose the same {same}")
            alike = [same_value(other.cond, choice.cond) for other in _choices(region)]
            copy = two_versions(region, condition)
            if LIKELY in choice.attributes:
                mark_rare(region, 0)
            for version, outcome in ((copy, True), (region, False)):
                for other, is_alike in zip(list(_choices(version)), alike, strict=True):
                    # One that is inside of another may be gone.
                    if is_alike and version.is_ancestor(other):
                        _settle(other, outcome)
            return copy
        return None


def _choices(region: wg.ParallelOp) -> Iterator[Choice]:
    """The choices between loops, and those of integers and pointers."""
    for op in operations_of(region.body, arith.SelectOp, scf.IfOp):
        is_place = any(
            isinstance(type, IntegerType | IndexType | ocl.PtrType) for type in op.result_types
        )
        if _chooses_loops(op) or is_place:
            yield op


def _is_worth_versions(choice: Choice, region: wg.ParallelOp, facts: Uniformity) -> bool:
    if not facts.is_uniform(choice.cond):
        return False
    if _chooses_loops(choice) or is_in_loop(choice, region):
        return True
    return any(
        _hides_stride(result, sides, facts) or _is_factor(result, sides, facts)
        for result, *sides in zip(choice.results, *_sides(choice), strict=True)
    )


def _sides(choice: Choice) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    if isinstance(choice, arith.SelectOp):
        return [choice.lhs], [choice.rhs]
    then, orelse = (terminator(side.block).operands for side in choice.regions)
    return then, orelse


def _hides_stride(result: SSAValue, sides: Sequence[SSAValue], facts: Uniformity) -> bool:
    """Whether neighbours are a known number apart on a side, or clamped coordinates, say, which are
    inside of an array mostly, but not in the result."""
    chosen = facts.lanes(result)
    return any(
        not isinstance(stride, int)
        and (isinstance(of_side, int) or (of_side is VARYING and not _is_from_memory(side)))
        for side in sides
        for stride, of_side in zip(chosen.strides, facts.lanes(side).strides, strict=True)
    )


def _is_from_memory(value: SSAValue) -> bool:
    """Whether a value is computed from what a region reads."""
    parts = _computed_from([value])
    return any(isinstance(part.owner, ocl.LoadOp | ocl.VLoadOp) for part in parts)


def _is_factor(result: SSAValue, sides: Sequence[SSAValue], facts: Uniformity) -> bool:
    """Whether a choice of numbers scales an id."""
    return any(map(_is_number, sides)) and any(
        isinstance(op, arith.MuliOp) and not facts.is_uniform(op.result) for op in _users(result)
    )


def _users(value: SSAValue) -> Iterator[Operation]:
    """The operations that use a value, or casts of it."""
    for use in value.uses:
        yield use.operation
        if isinstance(use.operation, _CASTS):
            yield from _users(use.operation.results[0])


def _chooses_loops(choice: Choice) -> bool:
    return isinstance(choice, scf.IfOp) and all(
        bool(operations_of(side, scf.ForOp, scf.WhileOp)) for side in choice.regions
    )


def _settle(choice: Choice, outcome: bool) -> None:
    if isinstance(choice, scf.IfOp):
        take_side(choice, choice.regions[0 if outcome else 1])
    else:
        Rewriter.replace_op(choice, [], [choice.lhs if outcome else choice.rhs])


def _in_addresses(region: wg.ParallelOp, near: bool = False) -> set[SSAValue]:
    """The values from which addresses are computed; `near`: those by which neighbours may be a
    known number apart, which a product with an argument is not."""
    accesses = operations_of(region.body, ocl.LoadOp, ocl.StoreOp)
    return _computed_from(
        [part for op in accesses for part in (op.pointer, op.index) if part], near
    )


def _computed_from(values: Sequence[SSAValue], near: bool = False) -> set[SSAValue]:
    found: set[SSAValue] = set()
    todo = [*values]
    while todo:
        value = todo.pop()
        op = value.owner
        if value in found or not isinstance(op, Operation):
            continue
        found.add(value)
        if near and isinstance(op, arith.MuliOp) and not any(map(_is_number, op.operands)):
            continue
        if not op.regions and is_side_effect_free(op):
            todo += op.operands
    return found


def _is_number(value: SSAValue) -> bool:
    """Whether a value is a constant, or chosen of constants."""
    while isinstance(value.owner, _CASTS):
        value = value.owner.operands[0]
    if isinstance(value.owner, arith.SelectOp):
        return any(map(_is_number, [value.owner.lhs, value.owner.rhs]))
    return constant_value(value) is not None
