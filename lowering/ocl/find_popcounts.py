"""`find-popcounts`: a loop that counts the bits of a number is a population count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark

_CASTS = arith.ExtSIOp | arith.ExtUIOp | arith.TruncIOp

_Bit: TypeAlias = tuple[SSAValue, SSAValue | None]
"""A number, and which of its bits; None for the lowest one."""


@dataclass(frozen=True)
class FindPopcountsPass(ModulePass):
    """Replace loops that count bits by `math.ctpop`.

    ```
    while (v) { v &= v - 1; n++; }                       n += popcount(v)
    while (v) { n += v & 1; v >>= 1; }             ->    n += popcount(v)
    for (i = 0; i < 20; i++) n += (v >> i) & 1;          n += popcount(v & 0xfffff)
    for (i = 0; i < 32; i++) if (v & (1 << i)) n++;      n += popcount(v)
    ```

    LLVM knows the first one, in scalar code; here it is known before work-items become vectors,
    whose lanes would wait for the one with the most bits.
    """

    name = "find-popcounts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.WhileOp, scf.ForOp):
            if isinstance(loop, scf.ForOp):
                results = _counted(loop)
            else:
                results = _until_zero(loop)
            if results is not None:
                emit_remark(loop, self.name, "counts bits: a population count")
                Rewriter.replace_op(loop, [], results)


def _is_plain(block: Block) -> bool:
    """Whether a block does nothing but arithmetic, with branches perhaps."""
    *ops, _ = block.ops
    return all(
        is_side_effect_free(op)
        if not op.regions
        else isinstance(op, scf.IfOp) and all(_is_plain(b) for r in op.regions for b in r.blocks)
        for op in ops
    )


def _until_zero(loop: scf.WhileOp) -> list[SSAValue] | None:
    """What a loop over a number that ends as 0 leaves."""
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    test = condition.condition.owner
    if not isinstance(test, arith.CmpiOp) or predicate_of(test) != "ne":
        return None
    if test.lhs not in before.args or constant_value(test.rhs) != 0:
        return None
    if tuple(condition.args) != tuple(before.args) or not (_is_plain(before) and _is_plain(after)):
        return None
    place = before.args.index(test.lhs)  # pyright: ignore[reportArgumentType]
    number, following = after.args[place], terminator(after).operands
    kind = _step(number, following[place])
    if kind is None:
        return None
    build = Build(loop)
    start = loop.arguments[place]
    factors: list[int] = []
    for own, next in zip(after.args, following, strict=True):
        if not isinstance(own.type, IntegerType):
            return None
        factor = 0 if own is number else _added(own, next, number, kind)
        if factor is None:
            return None
        factors.append(factor)
    bits = build.emit(math.CtPopOp(start))
    found = [
        _sum(build, begin, bits, factor)
        for begin, factor in zip(loop.arguments, factors, strict=True)
    ]
    found[place] = build.constant(0, number.type)
    return found


def _step(number: SSAValue, next: SSAValue) -> type[arith.AndIOp] | type[arith.ShRUIOp] | None:
    """How a number becomes 0: its lowest bit is cleared, or all move down by one."""
    match next.owner:
        case arith.AndIOp(lhs=x, rhs=y) if number in (x, y):
            return arith.AndIOp if _is_one_less(y if x is number else x, number) else None
        case arith.ShRUIOp(lhs=x, rhs=by) if x is number and constant_value(by) == 1:
            return arith.ShRUIOp
        case arith.DivUIOp(lhs=x, rhs=by) if x is number and constant_value(by) == 2:
            return arith.ShRUIOp
        case _:
            return None


def _is_one_less(value: SSAValue, number: SSAValue) -> bool:
    match value.owner:
        case arith.SubiOp(lhs=x, rhs=y):
            return x is number and constant_value(y) == 1
        case arith.AddiOp(lhs=x, rhs=y):
            return x is number and constant_value(y) == -1
        case _:
            return False


def _added(own: SSAValue, next: SSAValue, number: SSAValue, kind: type) -> int | None:
    """The factor of the bits in what iterations add to a value; None if it is something else."""
    if next is own:
        return 0
    if kind is arith.ShRUIOp:
        return 1 if _added_bit(own, next) == (number, None) else None
    if isinstance(next.owner, arith.SubiOp) and next.owner.lhs is own:
        less = constant_value(next.owner.rhs)
        return None if less is None else -less
    more = _summand(own, next)
    return None if more is None else constant_value(more)


def _summand(own: SSAValue, sum: SSAValue) -> SSAValue | None:
    """x in `own + x`, which may be computed in a wider type."""
    while isinstance(sum.owner, _CASTS) and width_of(sum.owner.input.type) >= width_of(own.type):
        sum = sum.owner.input
    add = sum.owner
    if not isinstance(add, arith.AddiOp):
        return None
    for x, y in (add.operands, reversed(add.operands)):
        if x is own or (
            isinstance(x.owner, arith.ExtSIOp | arith.ExtUIOp) and x.owner.input is own
        ):
            return y
    return None


def _added_bit(own: SSAValue, next: SSAValue) -> _Bit | None:
    """The bit of which number is added to `own`: by `own + (v >> k & 1)`, or as a branch."""
    branch = next.owner
    if not isinstance(branch, scf.IfOp):
        more = _summand(own, next)
        return None if more is None else _bit_of(_narrow(more), tested=False)
    place = branch.results.index(next)  # pyright: ignore[reportArgumentType]
    then, other = (terminator(region.block).operands[place] for region in branch.regions)
    more = _summand(own, then)
    if other is not own or more is None or constant_value(more) != 1:
        return None
    test = branch.cond.owner
    if not isinstance(test, arith.CmpiOp) or constant_value(test.rhs) != 0:
        return None
    return _bit_of(test.lhs, tested=True) if predicate_of(test) == "ne" else None


def _narrow(value: SSAValue) -> SSAValue:
    """A bit before it is cast to another type."""
    while isinstance(value.owner, arith.ExtUIOp | arith.TruncIOp):
        value = value.owner.operands[0]
    return value


def _bit_of(value: SSAValue, *, tested: bool) -> _Bit | None:
    """v and k in `v >> k & 1`, and in `v & 1 << k` if it is `tested` for not being 0."""
    if not isinstance(value.owner, arith.AndIOp):
        return None
    for x, y in (value.owner.operands, reversed(value.owner.operands)):
        if constant_value(y) == 1:
            if isinstance(x.owner, arith.ShRUIOp | arith.ShRSIOp):
                return x.owner.lhs, x.owner.rhs
            return x, None
        if tested and isinstance(y.owner, arith.ShLIOp) and constant_value(y.owner.lhs) == 1:
            return x, y.owner.rhs
    return None


def _counted(loop: scf.ForOp) -> list[SSAValue] | None:
    """What a loop over the first bits of a number leaves, if it carries their sum alone."""
    body, count = loop.body.block, constant_value(loop.ub)
    if (constant_value(loop.lb), constant_value(loop.step)) != (0, 1) or len(body.args) != 2:
        return None
    counter, own = body.args
    if not isinstance(own.type, IntegerType):
        return None
    bit = _added_bit(own, terminator(body).operands[0])
    if bit is None or bit[1] is None:
        return None
    number, distance = bit
    assert distance is not None and isinstance(number.type, IntegerType)
    width = number.type.width.data
    if count is None or not 2 <= count <= width or not _is_plain(body):
        return None
    if loop.is_ancestor(number.owner) or _unmasked(distance, width) is not counter:
        return None
    build = Build(loop)
    mask = build.constant((1 << count) - 1, number.type)
    first = number if count == width else build.and_(number, mask)
    return [_sum(build, loop.iter_args[0], build.emit(math.CtPopOp(first)), 1)]


def _unmasked(bits: SSAValue, width: int) -> SSAValue:
    """A distance of a shift before it is cast, and before OpenCL C's `& (width - 1)`."""
    while True:
        match bits.owner:
            case arith.AndIOp(lhs=x, rhs=mask) if constant_value(mask) == width - 1:
                bits = x
            case arith.ExtUIOp() | arith.ExtSIOp() | arith.TruncIOp() | arith.IndexCastOp():
                bits = bits.owner.operands[0]
            case _:
                return bits


def _sum(build: Build, start: SSAValue, bits: SSAValue, factor: int) -> SSAValue:
    if not factor:
        return start
    assert isinstance(start.type, IntegerType)
    bits = build.resize(bits, start.type.width.data, signed=False)
    return build.add(
        start, bits if factor == 1 else build.mul(bits, build.constant(factor, bits.type))
    )
