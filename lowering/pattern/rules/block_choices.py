"""A rule for reductions that keep one of two elements, as an argmax: blocks by their best keys.

The reduction of a block's keys alone is one operation for each element. The function itself goes
over the few blocks that have what the loop over all elements would keep.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, i32
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.lowering.pattern.rules.build import (
    Values,
    constant,
    element_of,
    fit,
    inline,
    make_lambda,
    size_of,
)
from polycl.lowering.pattern.rules.choices import (
    choice_of,
    compare,
    first_of,
    select,
    worst_key,
)
from polycl.lowering.pattern.rules.conditions import expect
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, Sizes, function_rule


@function_rule("x.choose-block", n=Sizes(lambda op: ()))
def choose_by_blocks(op: Operation, n: NatAttr) -> Rewrite:
    r"""reduce(f,z) x -> map(\keys: reduce(f, reduce(f, reduce(f,z) b[q]) b[p]) r) o split^N o join o map(reduce(g,e)) b

    f yields one of its arguments, by comparisons of one part, the key, of both. b is the N blocks
    of n elements of x, and r the rest, which is shorter than a block. g keeps the better key, and e
    is worse than all. p is the block with the best key, and of equal ones the first or last one, as
    f keeps them. Where f keeps the element if a key is NaN, q is the last block with a NaN, and p
    comes after it if there is such a block; b[q] is left out where f never does so.

    An equation cannot state it: p and q depend on what f compares.
    """  # noqa: E501
    op = expect(op, pattern.ReduceOp)
    size = size_of(op.input)
    if not size.is_constant or not n.is_constant or not 0 < n.value <= size.value < 2**31:
        raise Refused(f"expected numbers, and blocks of 1 to {size} elements, got n = {n}")
    choice = choice_of(op)
    key = choice.keys[0]
    type = op.yielded[key.part].type
    if len(choice.keys) > 1 or isinstance(type, IndexType):
        raise Refused("expected one key, an integer or a float")
    is_float = isinstance(type, AnyFloat)
    if is_float and not choice.first and not choice.restarts:
        # Blocks of NaN alone look like those whose best is an infinity, which is kept.
        raise Refused("expected that the first of equal elements is kept, or that a NaN may be")
    count = len(op.yielded)
    whole = size.value - size.value % n.value

    def rewrite(b: Builder) -> SSAValue:
        def key_of(b: Builder, x: SSAValue) -> SSAValue:
            return fit(b, [x], count)[key.part]

        def worst(b: Builder) -> SSAValue:
            return b.insert(constant(worst_key(key, type), type)).result

        def candidate(b: Builder, x: SSAValue) -> Values:
            k = key_of(b, x)
            if not is_float:
                return [k]
            nan = b.insert(arith.CmpfOp(k, k, "uno")).result
            if not choice.restarts:
                return select(b, nan, [worst(b)], [k])
            # The keys of blocks with a NaN are not used: those up to the last one are left out.
            return [k, *select(b, nan, [_number(b, 1)], [_number(b, 0)])]

        def better(b: Builder, *args: SSAValue) -> Values:
            old, new = args[: len(args) // 2], args[len(args) // 2 :]
            best = select(b, compare(b, key, new[0], old[0])[0], new[:1], old[:1])
            nan = [b.insert(arith.OrIOp(old[1], new[1])).result] if choice.restarts else []
            return [*best, *nan]

        def best_of_block(b: Builder, block: SSAValue) -> SSAValue:
            body = make_lambda([element_of(block)], candidate)
            candidates = b.insert(pattern.MapOp(block, body)).result
            start = worst(b)
            types = [type]
            if choice.restarts:
                start = b.insert(pattern.TupleOp(start, _number(b, 0))).result
                types.append(i32)
            body = make_lambda([*types, *types], better)
            best = pattern.ReduceOp(candidates, start, body, assoc=True, comm=True, neutral=True)
            return b.insert(best).result

        def next_block(b: Builder, *args: SSAValue) -> Values:
            """Of the best key so far and its block, and the last block with a NaN."""
            old, p, q, i, new = args[:5]
            is_better, same = compare(b, key, new, old)
            if not choice.first:
                is_better = b.insert(arith.OrIOp(is_better, same)).result
            none = b.insert(arith.CmpiOp(p, q, "sle")).result
            takes = b.insert(arith.OrIOp(is_better, none)).result
            best = select(b, takes, [new, i, q], [old, p, q])
            if choice.restarts:
                nan = b.insert(arith.CmpiOp(args[5], _number(b, 0), "ne")).result
                best = select(b, nan, [worst(b), i, i], best)
            return [*best, b.insert(arith.AddiOp(i, _number(b, 1))).result]

        def chosen(b: Builder, blocks: SSAValue, bests: SSAValue) -> SSAValue:
            none = _number(b, -1)
            start = b.insert(pattern.TupleOp(worst(b), none, none, _number(b, 0))).result
            types = [type, i32, i32, i32, type, *([i32] if choice.restarts else [])]
            fold = pattern.ReduceSeqOp(bests, start, make_lambda(types, next_block))
            _, p, q, _ = fit(b, [first_of(b, b.insert(fold).result)], 4)
            parts = [b.insert(pattern.AtOp(blocks, p)).result]
            if choice.restarts:
                some = b.insert(arith.CmpiOp(q, none, "ne")).result
                q = b.insert(arith.SelectOp(some, q, p)).result
                parts.insert(0, b.insert(pattern.AtOp(blocks, q)).result)
            if whole < size.value:
                parts.append(b.insert(pattern.DropOp(op.input, nat(whole))).result)
            value = op.init
            for part in parts:
                body = make_lambda(
                    [arg.type for arg in op.body.block.args],
                    lambda b, *args: inline(b, op.body, args),
                )
                found = b.insert(pattern.ReduceSeqOp(part, value, body)).result
                value = first_of(b, found)
            return value

        taken = op.input
        if whole < size.value:
            taken = b.insert(pattern.TakeOp(taken, nat(whole))).result
        blocks = b.insert(pattern.SplitOp(taken, n)).result
        body = make_lambda([element_of(blocks)], best_of_block)
        bests = b.insert(pattern.JoinOp(b.insert(pattern.MapOp(blocks, body)).result)).result
        together = b.insert(pattern.SplitOp(bests, size_of(bests))).result
        body = make_lambda([element_of(together)], lambda b, bests: chosen(b, blocks, bests))
        return b.insert(pattern.MapOp(together, body)).result

    return rewrite


def _number(b: Builder, value: int) -> SSAValue:
    return b.insert(constant(value, i32)).result


RULES = (choose_by_blocks,)
