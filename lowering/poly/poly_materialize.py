"""`poly-materialize`: a split kernel becomes branches and loops around its codelets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import poly
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget, isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at
from polycl.lowering.poly.codegen.codelet_loops import (
    Plan,
    emit_plan,
    emit_unsplit,
    plan_of,
    size_along,
)
from polycl.lowering.poly.codegen.fold import fold_codelets
from polycl.lowering.poly.codegen.isl_ast import emit_if
from polycl.lowering.poly.codegen.isl_values import Score, emit_score, score_of
from polycl.lowering.poly.codegen.scope import Condition, Scope, sum_of
from polycl.remarks import emit_remark
from polycl.symbolic import integer

BUDGET = 300_000
"""The budget of isl for the loops of one subkernel, about 50 ms; a convolution takes a tenth."""


@dataclass(frozen=True)
class PolyMaterializePass(ModulePass):
    """Turn the subkernels of each `poly.kernel` into loops over tiles and work-items.

    ```
    poly.subkernel @foo_x along 0 width 8 ... {         %full = arith.shrsi %L0, %c3
      poly.codelet lanes 8 ... domain                   scf.for %t = %c1 to %full step %c1 {
        #poly.set<"{ interior[t] : t > 0 and   ->         %x = arith.muli %t, %c8
                     8t + 7 < L0 }"> { A }                poly.codelet (%x) lanes 8 ... { A }
    }                                                   }
    ```

    With a `poly.dispatch`, the scores of the subkernels are computed and compared first, and the
    subkernel with the best score runs. A subkernel whose dimension is shorter than its width has
    the score 0, the scalar one 1; the first of equals wins. Without a dispatch, the first subkernel
    with a full tile runs, else the scalar one. Conditions that are known need no branch.

    With `fold`, minima, maxima, comparisons and selects that are the same for all work-items of a
    codelet are folded in it. With `whole-groups`, groups in which all tiles are in the same codelet
    run in one loop nest over all work-items.

    A subkernel for which isl needs more than `BUDGET` operations is left out.

    Raises:
        PolyclError: with its location: the dispatch names a subkernel without a score; or the
            kernel has no operand that is the local size.
    """

    name = "poly-materialize"

    fold: bool = True
    whole_groups: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [op for op in op.walk() if isinstance(op, poly.KernelOp)]:
            materialize(kernel, fold=self.fold, whole_groups=self.whole_groups)


def materialize(kernel: poly.KernelOp, *, fold: bool = True, whole_groups: bool = False) -> None:
    """Replaces a split kernel by loops around its codelets; see PolyMaterializePass."""
    _Kernel(kernel, PolyMaterializePass(fold, whole_groups)).materialize()


@dataclass
class _Candidate:
    """A subkernel, the loops around its codelets, and the condition under which it runs."""

    subkernel: poly.SubkernelOp
    plan: Plan
    has_tile: bool | None
    """Whether its dimension is as long as its width; None if unknown."""
    score: Score

    @property
    def is_scalar(self) -> bool:
        return self.subkernel.width.value.data == 1


class _Kernel:
    """Replaces one kernel: all plans are made with isl first, then code is emitted."""

    def __init__(self, kernel: poly.KernelOp, options: PolyMaterializePass):
        self._kernel = kernel
        self._options = options
        self._known = kernel.known
        self._env = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
        dispatches = [op for op in kernel.body.block.ops if isinstance(op, poly.DispatchOp)]
        self._has_scores = bool(dispatches)

    def materialize(self) -> None:
        kernel = self._kernel
        candidates = self._candidates()
        if self._options.fold:
            codelets = [c for candidate in candidates for c in candidate.plan.codelets]
            fold_codelets(kernel, [c for c in codelets if c.lanes.value.data > 1])
        scope = Scope(kernel, InsertPoint.before(kernel))
        if not candidates:
            emit_unsplit(kernel, scope, self._env)
        elif len(candidates) == 1:
            self._emit(candidates[0], scope)
        elif self._has_scores:
            self._by_score(candidates, [self._score(c, scope) for c in candidates], scope)
        else:
            self._by_width(sorted(candidates, key=lambda c: c.is_scalar), scope)
        Rewriter.erase_op(kernel)

    def _candidates(self) -> list[_Candidate]:
        """The subkernels that may run, in order."""
        found: list[_Candidate] = []
        for subkernel in _listed(self._kernel):
            try:
                with isl_budget(BUDGET):
                    found.append(self._candidate(subkernel))
            except BudgetExceeded as error:
                name = f"subkernel '{subkernel.sym_name.data}'"
                emit_remark(self._kernel, self._options.name, f"without {name}: {error}")
        # Drop subkernels that never run; the scalar one is kept.
        if self._has_scores and any(c.is_scalar for c in found):
            found = [c for c in found if c.has_tile is not False]
        return found

    def _candidate(self, subkernel: poly.SubkernelOp) -> _Candidate:
        score: Score = []
        if self._has_scores and subkernel.width.value.data > 1:
            if subkernel.score is None:
                name = subkernel.sym_name.data
                reason = f"the dispatch names '{name}', which has no score; run poly-score"
                raise error_at(subkernel, reason)
            score = score_of(subkernel.score, self._known)
        plan = plan_of(subkernel, whole_groups=self._options.whole_groups)
        return _Candidate(subkernel, plan, self._is_known_to_have_tile(subkernel), score)

    def _is_known_to_have_tile(self, subkernel: poly.SubkernelOp) -> bool | None:
        along, width = subkernel.along.value.data, subkernel.width.value.data
        size = constant_value(size_along(self._kernel, along))
        if width == 1 or size is not None:
            return width == 1 or size is None or size >= width
        holds = isl.Set.read_from_str(isl_context(), f"[L{along}] -> {{ : L{along} >= {width} }}")
        if self._known.is_subset(holds):
            return True
        return False if self._known.is_disjoint(holds) else None

    def _by_width(self, candidates: Sequence[_Candidate], scope: Scope) -> None:
        """Emits the first subkernel with a full tile; the scalar one is the last."""
        first, *others = candidates
        if not others:
            self._emit(first, scope)
            return
        emit_if(
            scope,
            self._has_tile(first, scope),
            lambda inner: self._emit(first, inner),
            lambda inner: self._by_width(others, inner),
        )

    def _by_score(
        self, candidates: Sequence[_Candidate], scores: Sequence[Linear], scope: Scope
    ) -> None:
        """Emits the first subkernel with the highest score."""
        first, *others = candidates
        if not others:
            self._emit(first, scope)
            return
        emit_if(
            scope,
            scope.compare("sge", scores[0], scope.most(scores[1:])),
            lambda inner: self._emit(first, inner),
            lambda inner: self._by_score(others, scores[1:], inner),
        )

    def _score(self, candidate: _Candidate, scope: Scope) -> Linear:
        if candidate.is_scalar:
            return integer(1)
        has_tile = self._has_tile(candidate, scope)
        return scope.choice(has_tile, emit_score(candidate.score, scope, self._env), integer(0))

    def _has_tile(self, candidate: _Candidate, scope: Scope) -> Condition:
        """Whether the local size reaches the width."""
        if candidate.has_tile is not None:
            return candidate.has_tile
        size = size_along(self._kernel, candidate.subkernel.along.value.data)
        width = candidate.subkernel.width.value.data
        return scope.compare("sge", sum_of(size), integer(width))

    def _emit(self, candidate: _Candidate, scope: Scope) -> None:
        emit_plan(candidate.plan, self._kernel, scope, self._env)


def _listed(kernel: poly.KernelOp) -> list[poly.SubkernelOp]:
    """The subkernels that the dispatch names, or all subkernels."""
    subkernels = [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]
    by_name = {subkernel.sym_name.data: subkernel for subkernel in subkernels}
    for op in kernel.body.block.ops:
        if isinstance(op, poly.DispatchOp):
            return [by_name[symbol.string_value()] for symbol in op.subkernels]
    return subkernels
