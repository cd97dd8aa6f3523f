"""`poly-materialize`: a split kernel becomes branches and loops around its codelets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.linear import Linear
from polycl.dialects import poly
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget, isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at
from polycl.lowering.poly_codegen.ast import emit_if
from polycl.lowering.poly_codegen.codelets import (
    Plan,
    emit_plan,
    emit_unsplit,
    plan_of,
    size_along,
)
from polycl.lowering.poly_codegen.fold import fold_codelet
from polycl.lowering.poly_codegen.scope import Condition, Scope, sum_of
from polycl.lowering.poly_codegen.values import emit_score
from polycl.remarks import emit_remark

BUDGET = 1_000_000
"""Operations of isl for the loops of one subkernel: about a second."""


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

    Of several subkernels the one with the best score runs, as `poly.dispatch` says: the scores are
    computed and compared in front. One whose dimension is shorter than its width counts 0, the
    scalar one 1; the first of equals wins. Without a dispatch it is the first that has a full tile,
    else the scalar one. What is known of the parameters leaves no branch.

    With `fold`, what is the same for all work-items of a codelet is simplified in it: minima,
    maxima, comparisons and choices whose outcome the set of its work-items fixes. With
    `whole-groups`, groups in which all tiles are of the same codelet run in one nest of loops,
    over all work-items, and the others as without it.

    Where isl needs more than `BUDGET` operations for a subkernel, the kernel does without it.

    Raises:
        PolyclError: located: the dispatch names a subkernel without a score; or the kernel has no
            operand that is the local size.
    """

    name = "poly-materialize"

    fold: bool = True
    whole_groups: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [op for op in op.walk() if isinstance(op, poly.KernelOp)]:
            materialize(kernel, fold=self.fold, whole_groups=self.whole_groups)


def materialize(kernel: poly.KernelOp, *, fold: bool = True, whole_groups: bool = False) -> None:
    """Replace a kernel that was split by loops around its codelets; see PolyMaterializePass."""
    _Kernel(kernel, PolyMaterializePass(fold, whole_groups)).materialize()


@dataclass
class _Candidate:
    """A subkernel, and the loops around its codelets."""

    subkernel: poly.SubkernelOp
    plan: Plan

    @property
    def is_scalar(self) -> bool:
        return self.subkernel.width.value.data == 1


class _Kernel:
    """Replaces one kernel."""

    def __init__(self, kernel: poly.KernelOp, options: PolyMaterializePass):
        self._kernel = kernel
        self._options = options
        self._env = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
        dispatches = [op for op in kernel.body.block.ops if isinstance(op, poly.DispatchOp)]
        self._has_scores = bool(dispatches)

    def materialize(self) -> None:
        kernel = self._kernel
        scope = Scope(kernel, InsertPoint.before(kernel))
        candidates = self._candidates()
        if candidates:
            self._choose(candidates, scope)
        else:
            emit_unsplit(kernel, scope, self._env)
        Rewriter.erase_op(kernel)

    def _candidates(self) -> list[_Candidate]:
        """The subkernels that may run, in the order in which they are asked for."""
        found: list[_Candidate] = []
        for subkernel in _listed(self._kernel):
            if self._has_scores and subkernel.score is None and subkernel.width.value.data > 1:
                raise error_at(
                    subkernel,
                    f"the dispatch names '{subkernel.sym_name.data}', which has no score; "
                    "run poly-score",
                )
            try:
                with isl_budget(BUDGET):
                    plan = plan_of(subkernel, whole_groups=self._options.whole_groups)
            except BudgetExceeded as error:
                name = f"subkernel '{subkernel.sym_name.data}'"
                emit_remark(self._kernel, self._options.name, f"without {name}: {error}")
                continue
            found.append(_Candidate(subkernel, plan))
        return found

    def _choose(self, candidates: Sequence[_Candidate], scope: Scope) -> None:
        """The subkernel that runs, by what is known in front of them."""
        if len(candidates) == 1:
            self._emit(candidates[0], scope)
        elif self._has_scores:
            scores = [self._score(candidate, scope) for candidate in candidates]
            self._by_score(candidates, scores, scope)
        else:
            order = sorted(candidates, key=lambda candidate: candidate.is_scalar)
            self._by_width(order, scope)

    def _by_width(self, candidates: Sequence[_Candidate], scope: Scope) -> None:
        """The first that has a full tile; the scalar one is the last."""
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
        """The first with the largest score."""
        first, *others = candidates
        if not others:
            self._emit(first, scope)
            return
        best = scope.most(scores[1:])
        emit_if(
            scope,
            scope.compare("sge", scores[0], best),
            lambda inner: self._emit(first, inner),
            lambda inner: self._by_score(others, scores[1:], inner),
        )

    def _score(self, candidate: _Candidate, scope: Scope) -> Linear:
        if candidate.is_scalar:
            return Linear({}, 1)
        assert candidate.subkernel.score is not None
        has_tile = self._has_tile(candidate, scope)
        score = emit_score(candidate.subkernel.score, scope, self._env, self._kernel.known)
        return scope.choice(has_tile, score, Linear({}))

    def _has_tile(self, candidate: _Candidate, scope: Scope) -> Condition:
        """Whether the local size reaches the width."""
        along, width = (
            a.value.data for a in (candidate.subkernel.along, candidate.subkernel.width)
        )
        if width == 1:
            return True
        holds = isl.Set.read_from_str(isl_context(), f"[L{along}] -> {{ : L{along} >= {width} }}")
        known = self._kernel.known
        if known.is_subset(holds):
            return True
        if known.is_disjoint(holds):
            return False
        size = sum_of(size_along(self._kernel, along))
        return scope.compare("sge", size, Linear({}, width))

    def _emit(self, candidate: _Candidate, scope: Scope) -> None:
        if self._options.fold:
            for codelet in candidate.plan.codelets:
                fold_codelet(self._kernel, codelet)
        emit_plan(candidate.plan, self._kernel, scope, self._env)


def _listed(kernel: poly.KernelOp) -> list[poly.SubkernelOp]:
    """The subkernels that the dispatch names, or all."""
    subkernels = [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]
    by_name = {subkernel.sym_name.data: subkernel for subkernel in subkernels}
    for op in kernel.body.block.ops:
        if isinstance(op, poly.DispatchOp):
            return [by_name[symbol.string_value()] for symbol in op.subkernels]
    return subkernels
