"""`poly-split`: input space splitting of a kernel into codelets for classes of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import Facts, constant_value
from polycl.analysis.poly.dispatch import Rival
from polycl.analysis.poly.model import Model, model_of
from polycl.analysis.poly.partition import PREDICATES, Part, Partition, live_items, partition
from polycl.dialects import poly
from polycl.dialects.poly import BudgetExceeded, isl_budget
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at
from polycl.lowering.poly.poly_score import PolyScorePass, add_dispatch
from polycl.remarks import emit_remark

FULL = ("full",)


@dataclass(frozen=True)
class PolySplitPass(ModulePass):
    """Split a kernel along each of its dimensions, by the predicates of [split16].

    ```
    poly.kernel @conv_0(...) ... {
    ^bb0(%y: index, %x: index):
      body
    }
    ```

    becomes

    ```
    poly.kernel @conv_0(...) ... {
    ^bb0(%y: index, %x: index):
      poly.subkernel @conv_0_x along 0 width 8 domain #poly.set<"..."> {
        poly.codelet lanes 8 ... domain #poly.set<"... { interior[y, t] : ... }"> { body }
        poly.codelet lanes 8 ... domain #poly.set<"... { mixed[y, t] : ... }"> { body }
        ...
      }
      poly.subkernel @conv_0_scalar along 0 width 1 ...
    }
    ```

    `predicates` are those of [split16], section 3.2: `full` tiles, memory accesses (`mem`), control
    flow (`ctl`). With all of them, the codelets are `interior` (accesses and control flow are
    regular; with at most two branches, all work-items take their first sides), `uniform` (control
    flow is uniform in a tile), `mixed` (accesses are regular, control flow is not), `divergent`,
    and `partial`, for single work-items outside full tiles. `max-codelets` is the most classes of
    tiles: with 2, all tiles outside the interior are `divergent`. Without `dims`, there is a
    subkernel for each dimension that can have `width` work-items, and a scalar one for groups that
    are too small.

    With `score`, the dimensions are scored first, as by `poly-score`: subkernels have scores and a
    dispatch, and subkernels that cannot win are not made.

    `max-ops` is the budget of isl operations for a kernel. If it is exceeded, only full tiles are
    split off, with a remark.
    """

    name = "poly-split"

    width: int = 8
    dims: tuple[int, ...] = ()
    predicates: tuple[str, ...] = PREDICATES
    max_codelets: int = 4
    max_ops: int = 400_000
    score: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        unknown = [name for name in self.predicates if name not in PREDICATES]
        if unknown:
            raise PassFailedException(
                f"{self.name}: there is no predicate '{unknown[0]}'; "
                f"the predicates: {', '.join(PREDICATES)}"
            )
        if self.width < 2 or self.width & (self.width - 1):
            raise PassFailedException(
                f"{self.name}: width must be a power of two from 2, got {self.width}"
            )
        facts = Facts()
        for kernel in [k for k in op.walk() if isinstance(k, poly.KernelOp)]:
            if not any(isinstance(inner, poly.SubkernelOp) for inner in kernel.body.block.ops):
                self._split(kernel, model_of(kernel, facts=facts))

    def _split(self, kernel: poly.KernelOp, model: Model) -> None:
        """Replaces the code of a kernel by subkernels."""
        count = len(kernel.work_items)
        wrong = [d for d in self.dims if not 0 <= d < count]
        if wrong:
            raise error_at(
                kernel, f"{self.name}: dims names {wrong[0]}, but the kernel has no such dimension"
            )
        dims = [d for d in self.dims or range(count) if _can_fill(kernel, d, self.width)]
        wanted = [*((d, self.width) for d in dims), (0, 1)]
        rivals = self._rivals(kernel, model, wanted) if self.score else []
        if rivals:
            wanted = [(rival.dimension, rival.width) for rival in rivals]
        found = [(d, width, self._partition(kernel, model, d, width)) for d, width in wanted]
        body = take_code(kernel)
        last = len(found) - 1
        subkernels = [
            add_subkernel(kernel, d, width, parts, body, is_last=place == last)
            for place, (d, width, parts) in enumerate(found)
        ]
        if rivals:
            for subkernel, rival in zip(subkernels, rivals, strict=True):
                subkernel.score = rival.score
            add_dispatch(kernel, rivals)

    def _rivals(
        self, kernel: poly.KernelOp, model: Model, wanted: Sequence[tuple[int, int]]
    ) -> list[Rival]:
        """The dimensions and widths that may win; none if the budget is exceeded."""
        judge = PolyScorePass()
        shapes = {_name(kernel, d, width): (d, width) for d, width in wanted}
        try:
            with isl_budget(self.max_ops):
                return judge.elect(kernel, judge.rivals(kernel, model, kernel.body.block, shapes))
        except BudgetExceeded as error:
            emit_remark(kernel, self.name, f"not scored: {error}")
            return []

    def _partition(
        self, kernel: poly.KernelOp, model: Model, dimension: int, width: int
    ) -> Partition:
        if width == 1:
            items = live_items(model)
            return Partition(items, (Part("scalar", items.set_tuple_name("scalar"), 1, "partial"),))
        try:
            with isl_budget(self.max_ops):
                parts = partition(model, dimension, width, self.predicates, self.max_codelets)
        except BudgetExceeded as error:
            emit_remark(kernel, self.name, f"only full tiles are split off: {error}")
            parts = partition(model, dimension, width, FULL, self.max_codelets)
        names = ", ".join(part.name for part in parts.parts) or "nothing to do"
        emit_remark(kernel, self.name, f"along {'xyz'[dimension]}: {names}")
        return parts


def _can_fill(kernel: poly.KernelOp, dimension: int, width: int) -> bool:
    """Whether a group may have a whole vector along a dimension."""
    sizes = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
    size = constant_value(sizes[f"L{dimension}"])
    return size is None or size >= width


def take_code(kernel: poly.KernelOp) -> Region:
    """Moves the program of a work-item out of the kernel; assumptions stay."""
    old = kernel.body.block
    new = Block(arg_types=[argument.type for argument in old.args])
    for argument, replacement in zip(old.args, new.args, strict=True):
        argument.replace_all_uses_with(replacement)
    for op in list(old.ops):
        if not isinstance(op, poly.AssumeOp):
            op.detach()
            new.add_op(op)
    return Region(new)


def add_subkernel(
    kernel: poly.KernelOp,
    dimension: int,
    width: int,
    parts: Partition,
    body: Region,
    *,
    is_last: bool = True,
) -> poly.SubkernelOp:
    """Adds a subkernel with the given parts; the scalar one has the width 1.

    The last part of the last subkernel gets the code itself, the others copies.
    """
    context = kernel.known
    codelets: list[Operation] = []
    for part in parts.parts:
        codelet = poly.CodeletOp.create(
            properties={
                "lanes": IntegerAttr(part.lanes, i64),
                "along": IntegerAttr(dimension, i64),
                "class": poly.ClassAttr(part.tile, part.mem, part.ctl),
                "domain": poly.SetAttr.of(part.domain.gist_params(context).coalesce()),
            },
            regions=[body if is_last and part is parts.parts[-1] else body.clone()],
        )
        codelet.location = kernel.location
        codelets.append(codelet)
    subkernel = poly.SubkernelOp.create(
        properties={
            "sym_name": StringAttr(_name(kernel, dimension, width)),
            "along": IntegerAttr(dimension, i64),
            "width": IntegerAttr(width, i64),
            "domain": poly.SetAttr.of(parts.domain.gist_params(context).coalesce()),
        },
        regions=[Region(Block(codelets))],
    )
    subkernel.location = kernel.location
    kernel.body.block.add_op(subkernel)
    return subkernel


def _name(kernel: poly.KernelOp, dimension: int, width: int) -> str:
    return f"{kernel.sym_name.data}_{'xyz'[dimension] if width > 1 else 'scalar'}"
