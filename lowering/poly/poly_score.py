"""`poly-score`: scores the subkernels of a split kernel, and drops those that are never chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import Facts
from polycl.analysis.poly.dispatch import Rival, may_win
from polycl.analysis.poly.model import Model, model_of
from polycl.analysis.poly.scores import Scored, Weights, score_of
from polycl.dialects import poly
from polycl.dialects.poly import BudgetExceeded, ScoreAttr, isl_budget
from polycl.lowering.wg.wg_vectorize.accesses import Access, access_size
from polycl.lowering.wg.wg_vectorize.profit import Verdict, vectors_pay
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
    count (`polycl.analysis.poly.scores` says why).

    With `eliminate`, a subkernel goes that cannot win: another one counts as much at least, and has
    a full tile wherever this one has. The paper drops it without the second condition, and then
    has a regression where the other one has no full tile (section 6.4). Here `copy_y` goes, as the
    scalar one counts more.

    With `profit`, a subkernel counts 0 where its vectors take longer than its work-items one by
    one, as far as `wg-vectorize` can tell (`wg_vectorize/profit.py`): what a divergent
    access costs has no place in the paper's score, and where gathers are slow it is more than all
    other accesses save.

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
    profit: bool = True
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
        # Each codelet has the whole body, and all subkernels have the same one.
        body = next(codelet.body for subkernel in found for codelet in subkernel.codelets)
        names = [subkernel.sym_name.data for subkernel in found]
        shapes = [(s.along.value.data, s.width.value.data) for s in found]
        model = model_of(kernel, body, facts=facts)
        rivals = self.rivals(kernel, model, body.block, dict(zip(names, shapes, strict=True)))
        kept = self.elect(kernel, rivals)
        for subkernel, rival in zip(found, rivals, strict=True):
            subkernel.score = rival.score
            if rival not in kept:
                Rewriter.erase_op(subkernel)
        for op in [op for op in kernel.body.block.ops if isinstance(op, poly.DispatchOp)]:
            Rewriter.erase_op(op)
        add_dispatch(kernel, kept)

    def rivals(
        self,
        kernel: poly.KernelOp,
        model: Model,
        body: Block,
        shapes: Mapping[str, tuple[int, int]],
    ) -> list[Rival]:
        """Subkernels with scores: by name, the dimension and the width."""
        weights = Weights(self.cons, self.uni, self.other)
        found: list[Rival] = []
        for name, (dimension, width) in shapes.items():
            scored = score_of(model, body, dimension, width, weights)
            score, why = scored.value, ""
            if self.profit and not _vectors_pay(model, body, dimension, width, scored):
                score, why = (
                    ScoreAttr.of([]),
                    ", as its vectors take longer than scalar code",
                )
            found.append(Rival(name, dimension, width, score))
            if width > 1 and remarks_wanted():
                emit_remark(kernel, self.name, f"{name}: {score}{why}")
        return found

    def elect(self, kernel: poly.KernelOp, rivals: list[Rival]) -> list[Rival]:
        """The candidates that may win; remarks have the reasons against the others."""
        if not self.eliminate:
            return rivals
        return may_win(kernel, rivals, lambda text: emit_remark(kernel, self.name, text))


def _vectors_pay(model: Model, body: Block, dimension: int, width: int, scored: Scored) -> bool:
    accesses = [access.op for access in model.accesses]
    if width == 1 or model.facts is None or all(op in scored.growth for op in accesses):
        return True
    strides: dict[Operation, int] = {
        op: growth * access_size(op)
        for op, growth in scored.growth.items()
        if isinstance(op, Access)
    }
    return vectors_pay(body, model.facts, dimension, width, strides) is Verdict.PAYS


def add_dispatch(kernel: poly.KernelOp, kept: list[Rival]) -> None:
    """Adds a dispatch to the kernel."""
    names = ArrayAttr([SymbolRefAttr(rival.name) for rival in kept])
    dispatch = poly.DispatchOp.create(properties={"subkernels": names})
    dispatch.location = kernel.location
    Rewriter.insert_op(dispatch, InsertPoint.at_end(kernel.body.block))
