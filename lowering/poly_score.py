"""`poly-score`: what each subkernel of a split kernel is worth, and which ones are never chosen."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.polyhedral.dispatch import Rival, may_win
from polycl.analysis.polyhedral.model import Facts, model_of
from polycl.analysis.polyhedral.scores import Weights, score_of
from polycl.dialects import poly
from polycl.dialects.poly import BudgetExceeded, isl_budget
from polycl.remarks import emit_remark, remarks_wanted


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
        facts = Facts()
        for kernel in [k for k in op.walk() if isinstance(k, poly.KernelOp)]:
            found = [s for s in kernel.body.block.ops if isinstance(s, poly.SubkernelOp)]
            if not any(subkernel.codelets for subkernel in found):
                continue
            try:
                with isl_budget(self.max_ops):
                    self._score(kernel, found, facts)
            except BudgetExceeded as error:
                emit_remark(kernel, self.name, f"not scored: {error}")

    def _score(self, kernel: poly.KernelOp, found: list[poly.SubkernelOp], facts: Facts) -> None:
        weights = Weights(self.cons, self.uni, self.other)
        # Each codelet has the whole body, and all subkernels have the same one.
        body = next(codelet.body for subkernel in found for codelet in subkernel.codelets)
        model = model_of(kernel, body, facts=facts)
        rivals = [
            Rival(
                s.sym_name.data,
                dimension,
                width,
                score_of(model, body.block, dimension, width, weights),
            )
            for s in found
            for dimension, width in [(s.along.value.data, s.width.value.data)]
        ]
        kept = elect(kernel, rivals, self.name) if self.eliminate else rivals
        for subkernel, rival in zip(found, rivals, strict=True):
            subkernel.score = rival.score
            if rival not in kept:
                Rewriter.erase_op(subkernel)
        for op in [op for op in kernel.body.block.ops if isinstance(op, poly.DispatchOp)]:
            Rewriter.erase_op(op)
        add_dispatch(kernel, kept)


def elect(kernel: poly.KernelOp, rivals: list[Rival], pass_name: str) -> list[Rival]:
    """Those that may win; remarks tell the scores, and why the others may not."""
    for rival in rivals:
        if rival.width > 1 and remarks_wanted():
            emit_remark(kernel, pass_name, f"{rival.name}: {rival.score}")
    return may_win(kernel, rivals, lambda text: emit_remark(kernel, pass_name, text))


def add_dispatch(kernel: poly.KernelOp, kept: list[Rival]) -> None:
    """Let the kernel run the best of these."""
    names = ArrayAttr([SymbolRefAttr(rival.name) for rival in kept])
    dispatch = poly.DispatchOp.create(properties={"subkernels": names})
    dispatch.location = kernel.location
    Rewriter.insert_op(dispatch, InsertPoint.at_end(kernel.body.block))
