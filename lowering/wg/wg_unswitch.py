"""`wg-unswitch`: all work-items choose between two addresses, or loops, before their loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.uniformity import Uniformity
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


@dataclass(frozen=True)
class WgUnswitchPass(ModulePass):
    """Give a region whose loops choose between two addresses, or which chooses between loops, a
    version for each choice.

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
    """

    name = "wg-unswitch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                choices = [c for c in _choices(region) if _is_worth_versions(c)]
                if choices and not is_too_large(region, self.name):
                    self._split(region, choices, Uniformity(function))

    def _split(self, region: wg.ParallelOp, choices: Sequence[Choice], facts: Uniformity) -> None:
        build = GroupBuilder(region)
        for choice in choices:
            if not facts.is_uniform(choice.cond):
                continue
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
            return


def _choices(region: wg.ParallelOp) -> Iterator[Choice]:
    """The choices between loops, and those of integers in the loops of a region."""
    for op in operations_of(region.body, arith.SelectOp, scf.IfOp):
        is_integer = any(isinstance(type, IntegerType | IndexType) for type in op.result_types)
        if _chooses_loops(op) or (is_integer and is_in_loop(op, region)):
            yield op


def _is_worth_versions(choice: Choice) -> bool:
    return _chooses_loops(choice) or any(map(_is_address, choice.results))


def _chooses_loops(choice: Choice) -> bool:
    return isinstance(choice, scf.IfOp) and all(
        bool(operations_of(side, scf.ForOp, scf.WhileOp)) for side in choice.regions
    )


def _settle(choice: Choice, outcome: bool) -> None:
    if isinstance(choice, scf.IfOp):
        take_side(choice, choice.regions[0 if outcome else 1])
    else:
        Rewriter.replace_op(choice, [], [choice.lhs if outcome else choice.rhs])


def _is_address(value: SSAValue) -> bool:
    """Whether an index of memory is computed from a value."""
    pending, seen = [value], {value}
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if isinstance(user, ocl.LoadOp | ocl.StoreOp):
                if user.index is not None and user.operands[use.index] is user.index:
                    return True
            elif not user.regions and is_side_effect_free(user):
                new = [result for result in user.results if result not in seen]
                seen.update(new)
                pending += new
    return False
