"""`select-values`: branches that only choose between integers are selects."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build

_MOST = 4
"""Operations of both sides: fewer than a mispredicted branch costs."""


@dataclass(frozen=True)
class SelectValuesPass(ModulePass):
    """Compute both sides of a branch that only chooses between integers, and select.

    ```
    int inside(int x, int n) {               %n1 = arith.subi %n, %c1
      if (x < 0) return 0;                   %r1 = arith.select %high, %n1, %x
      if (x >= n) return n - 1;       ->     %r = arith.select %low, %c0, %r1
      return x;
    }
    ```

    So a clamp is the same however it is written, and what follows knows it: borders of arrays,
    and neighbours that read neighbouring elements. A flag (`i1`) that is known on one side, as in
    `any(p < 0) || any(p >= size)`, is `or` or `and`; those that loops ask for or carry stay. Where
    a `switch` with returns is left without a result, that is the one that follows (`return -1;`).
    """

    name = "select-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pattern = _SelectValues()
        # Inner branches first: they may become values before the outer one is looked at.
        for branch in reversed(operations_of(op, scf.IfOp)):
            pattern.match_and_rewrite(branch, PatternRewriter(branch))


class _SelectValues(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter) -> None:
        is_flag = _is_flag(op)
        if not op.results or not (is_flag or all(_is_number(type) for type in op.result_types)):
            return
        sides = [region.block for region in (op.true_region, op.false_region)]
        ops = [inner for side in sides for inner in side.ops if inner is not side.last_op]
        computed = [inner for inner in ops if not isinstance(inner, arith.ConstantOp)]
        if len(computed) > _MOST or not all(map(is_speculatable, ops)):
            return
        ends = [terminator(side) for side in sides]
        chosen = [*zip(*(end.operands for end in ends), strict=True)]
        for side, end in zip(sides, ends, strict=True):
            rewriter.erase(end)
            rewriter.inline_block(side, InsertPoint.before(op))
        if is_flag:
            rewriter.replace(op, [], [_flag(Build(op), op.cond, *chosen[0])])
            return
        selects = [arith.SelectOp(op.cond, yes, no) for yes, no in chosen]
        rewriter.replace(op, selects, [select.result for select in selects])
        for select in selects:
            _yield_default(select)


def _yield_default(select: arith.SelectOp) -> None:
    """`returned ? result : default`, where a branch yields a result and whether it has returned:
    its sides that have not, yield the default."""
    returned, result, default = select.cond, select.lhs, select.rhs
    if isinstance(returned.owner, arith.XOrIOp) and constant_value(returned.owner.rhs):
        returned, result, default = returned.owner.lhs, default, result
    branch = returned.owner
    if not isinstance(branch, scf.IfOp) or result.owner is not branch or not result.has_one_use():
        return
    known = constant_value(default)
    if known is None or not isinstance(default.type, IntegerType | IndexType):
        return
    ends = _not_returned(returned, result)
    if ends is None:
        return
    constant = Build(branch).constant(known, default.type)
    for end, number in ends:
        end.operands[number] = constant
    Rewriter.replace_op(select, [], [result])


def _not_returned(returned: SSAValue, result: SSAValue) -> list[tuple[Operation, int]] | None:
    """The ends of a branch's sides that yield false for `returned`, with the number of `result`;
    None if one of them yields something that is not known."""
    branch, ends = returned.owner, list[tuple[Operation, int]]()
    assert isinstance(branch, scf.IfOp)
    number = branch.results.index(result)
    for region in branch.regions:
        end = terminator(region.block)
        flag, value = (end.operands[branch.results.index(each)] for each in (returned, result))
        known = constant_value(flag)
        if known == 0:
            ends.append((end, number))
        elif known is None:
            is_pair = isinstance(flag.owner, scf.IfOp) and value.owner is flag.owner
            inner = _not_returned(flag, value) if is_pair and value.has_one_use() else None
            if inner is None:
                return None
            ends += inner
    return ends


def _is_flag(op: scf.IfOp) -> bool:
    """Whether a branch chooses a flag that is known on one side, and not for a loop."""
    if list(op.result_types) != [i1]:
        return False
    if any(isinstance(use.operation, scf.ConditionOp | scf.YieldOp) for use in op.results[0].uses):
        return False
    sides = [constant_value(terminator(side.block).operands[0]) for side in op.regions]
    return sides.count(None) == 1


def _flag(build: Build, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    """`condition ? yes : no`, where one of them is known."""
    if (number := constant_value(yes)) is not None:
        if number:
            return build.or_(condition, no)
        return build.and_(build.not_(condition), no)
    if constant_value(no):
        return build.or_(build.not_(condition), yes)
    return build.and_(condition, yes)


def _is_number(type: Attribute) -> bool:
    return isinstance(type, IndexType) or (isinstance(type, IntegerType) and type.width.data > 1)
