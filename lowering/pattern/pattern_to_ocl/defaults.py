"""Default mapping to OpenCL of patterns without one, so that all programs run.

An outermost `map` that computes more than a scalar for a reader becomes a `map_global`, whose
function one work-item runs. All other `map`s and `reduce`s are loops, or are computed where they
are read.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter

from polycl.dialects import pattern
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import has_arrays
from polycl.lowering.pattern.pattern_to_ocl.kinds import has_parallel, is_computed_when_read
from polycl.lowering.pattern.pattern_to_ocl.layouts import is_layout
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.permutations import filter_by_places, sort_by_network
from polycl.lowering.pattern.rules.rule import PatternRule, Refused
from polycl.remarks import emit_remark

_EXPANSIONS: dict[type[Operation], PatternRule] = {
    pattern.FilterOp: filter_by_places,
    pattern.SortOp: sort_by_network,
}


def expand(function: FuncOp, *, networks: bool) -> None:
    """Put other patterns in the place of those without code of their own: filters, and sorts of
    elements that are arrays, or of an unknown number. With `networks`, all sorts."""
    for op in list(function.walk()):
        if isinstance(op, pattern.SortOp) and not networks:
            if size_of(op.input).is_constant and not has_arrays(op.element_type):
                continue
        for kind, rule in _EXPANSIONS.items():
            if isinstance(op, kind):
                try:
                    rule.apply(op, PatternRewriter(op))
                except Refused as error:
                    raise error_at(op, f"it cannot be lowered to OpenCL: {error}") from None


def choose_plainly(block: Block, pass_name: str) -> None:
    """Map the unmapped maps of the host's `block` to work-items."""
    for op in list(block.ops):
        if isinstance(op, pattern.IterateOp):
            choose_plainly(op.body.block, pass_name)
        elif isinstance(op, pattern.MapOp) and not has_parallel(op) and not is_layout(op):
            if is_computed_when_read(op) and not _is_needed_in_memory(op):
                continue
            emit_remark(op, pass_name, "this map is not mapped to work-items: map_global was taken")
            new = pattern.MapGlobalOp(op.input, op.detach_region(op.body))
            new.location = op.location
            Rewriter.replace_op(op, new)


def _is_needed_in_memory(op: Operation) -> bool:
    """Whether the result of `op` has several uses, or is a result of its function."""
    (result,) = op.results
    uses = [use.operation for use in result.uses]
    if len(uses) != 1:
        return True
    (user,) = uses
    if user.name in ("func.return", "pattern.yield"):
        return True
    return is_layout(user) and (len(user.results) != 1 or _is_needed_in_memory(user))
