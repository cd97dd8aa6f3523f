"""`poly-score`: what each subkernel of a split kernel is worth, and which ones are never chosen."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.polyhedral.dispatch import has_full_tile, is_at_least
from polycl.analysis.polyhedral.model import model_of
from polycl.analysis.polyhedral.scores import Weights, score_of
from polycl.dialects import poly
from polycl.dialects.poly import BudgetExceeded, ScoreAttr, isl_budget
from polycl.remarks import emit_remark, remarks_wanted

_SCALAR = ScoreAttr.of([((), 1)])


@dataclass(frozen=True)
class PolyScorePass(ModulePass):
    """Give each subkernel a score and each kernel a dispatch.

    ```
    poly.subkernel @copy_x along 0 width 8 domain ... { ... }
    poly.subkernel @copy_y along 1 width 8 domain ... { ... }
    poly.subkernel @copy_scalar along 0 width 1 domain ... { ... }
    ```

    becomes, where `a[y * n + x]` is read and written,

    ```
    poly.subkernel @copy_x along 0 width 8 score #poly.score<"8*[L0]*[L1]"> domain ... { ... }
    poly.subkernel @copy_y along 1 width 8 score #poly.score<"0"> domain ... { ... }
    poly.subkernel @copy_scalar along 0 width 1 score #poly.score<"1"> domain ... { ... }
    poly.dispatch [@copy_x, @copy_y, @copy_scalar]
    ```

    The dispatch runs the one with the highest score; one whose dimension has no full tile counts
    0. `cons`, `uni` and `other` are what consecutive accesses, uniform ones and operations on data
    count (`polycl.analysis.polyhedral.scores` says why).

    With `eliminate`, a subkernel goes that cannot win: another one counts as much at least, and has
    a full tile wherever this one has. The paper drops it without the second condition, and then
    has a regression where the other one has no full tile (section 6.4). Here `copy_y` goes, as the
    scalar one counts more.

    isl may do `max-ops` operations for a kernel; if it needs more, the kernel stays without scores:
    then the first subkernel with a full tile runs.

    Raises:
        PassFailedException: a weight is negative.
    """

    name = "poly-score"

    cons: int = 4
    uni: int = 2
    other: int = 1
    eliminate: bool = True
    max_ops: int = 400_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if min(self.cons, self.uni, self.other) < 0:
            raise PassFailedException(f"{self.name}: expected weights of at least 0")
        for kernel in [k for k in op.walk() if isinstance(k, poly.KernelOp)]:
            found = [s for s in kernel.body.block.ops if isinstance(s, poly.SubkernelOp)]
            if not any(subkernel.codelets for subkernel in found):
                continue
            try:
                with isl_budget(self.max_ops):
                    self._score(kernel, found)
                    kept = self._kept(kernel, found) if self.eliminate else found
            except BudgetExceeded as error:
                emit_remark(kernel, self.name, f"not scored: {error}")
                for subkernel in found:
                    subkernel.score = None
                continue
            for subkernel in found:
                if subkernel not in kept:
                    Rewriter.erase_op(subkernel)
            _dispatch(kernel, kept)

    def _score(self, kernel: poly.KernelOp, found: list[poly.SubkernelOp]) -> None:
        weights = Weights(self.cons, self.uni, self.other)
        # Each codelet has the whole body, and all subkernels have the same one.
        body = next(codelet.body for subkernel in found for codelet in subkernel.codelets)
        model = model_of(kernel, body)
        for subkernel in found:
            width = subkernel.width.value.data
            if width == 1:
                subkernel.score = _SCALAR
                continue
            dimension = subkernel.along.value.data
            subkernel.score = score_of(model, body.block, dimension, width, weights)
            if remarks_wanted():
                emit_remark(kernel, self.name, f"{subkernel.sym_name.data}: {subkernel.score}")

    def _kept(self, kernel: poly.KernelOp, found: list[poly.SubkernelOp]) -> list[poly.SubkernelOp]:
        """Those that may win. Of two that count the same the first one does."""
        kept = list(found)
        for loser in reversed(found):
            where = kernel.known.intersect(has_full_tile(kernel, loser))
            name = loser.sym_name.data
            if where.is_empty() and len(kept) > 1:
                kept.remove(loser)
                emit_remark(kernel, self.name, f"{name} dropped: no group has a full tile for it")
                continue
            assert loser.score is not None
            for winner in kept:
                assert winner.score is not None
                if (
                    winner is not loser
                    and where.is_subset(has_full_tile(kernel, winner))
                    and is_at_least(winner.score, loser.score, where)
                ):
                    kept.remove(loser)
                    reason = f"{winner.sym_name.data} counts as much at least"
                    emit_remark(kernel, self.name, f"{name} dropped: {reason}")
                    break
        return kept


def _dispatch(kernel: poly.KernelOp, kept: list[poly.SubkernelOp]) -> None:
    block = kernel.body.block
    for op in [op for op in block.ops if isinstance(op, poly.DispatchOp)]:
        Rewriter.erase_op(op)
    names = ArrayAttr([SymbolRefAttr(subkernel.sym_name.data) for subkernel in kept])
    dispatch = poly.DispatchOp.create(properties={"subkernels": names})
    dispatch.location = kernel.location
    Rewriter.insert_op(dispatch, InsertPoint.at_end(block))
