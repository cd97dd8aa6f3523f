"""[lift15, Figure 3]: the algorithmic rules.

`f o g` is f applied to the result of g, N the size of the array that the first pattern on the left
reads; `terms.py` has the whole notation. A rule is applied at the operation that makes the value of
its left-hand side, the leftmost pattern in the equation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import array, nat
from polycl.dialects.pattern.types import nats_in
from polycl.lowering.pattern.rules.build import element_of, make_lambda, size_of
from polycl.lowering.pattern.rules.conditions import (
    associative,
    commutative,
    condition,
    divide,
    divides,
    divisors,
    expect,
    holds,
    neutral,
)
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.rule import Counts, Refused, Rewrite, Sizes, function_rule


def _parts(op: Operation) -> Iterator[int]:
    if isinstance(op, pattern.IterateOp) and op.n.is_constant:
        yield from range(1, op.count)


@condition("m is at least 1 and less than the number of iterations")
def some_iterations(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.IterateOp)
    if op.number is not None:
        raise Refused("the function takes the number of the iteration, which would start again")
    if not op.n.is_constant:
        raise Refused(f"the number of iterations, {op.n}, is not known")
    if not 0 < sizes["m"].value < op.count:
        raise Refused(
            f"m = {sizes['m']} must be at least 1 and less than the {op.count} iterations"
        )


def _iterations(op: Operation) -> Iterator[int]:
    if isinstance(op, pattern.PartRedOp):
        factor = size_of(op.input).exact_div(size_of(op.result))
        if factor is not None and factor.is_constant:
            yield from (n for n in range(1, factor.value.bit_length()) if _root(factor.value, n))


@function_rule("3d.iterate", n=Counts(_iterations))
def part_red_iterated(op: Operation, n: int) -> Rewrite:
    """part-red(f,z) -> iterate^n(part-red(f,z))

    Each iteration combines k elements: the size is k^n times m. f is associative, z neutral.

    An equation cannot state it: k is a root, and the function is of arrays of a new size variable.
    """
    op = expect(op, pattern.PartRedOp)
    associative.check(op, {})
    neutral.check(op, {})
    factor = divide(op, size_of(op.input), size_of(op.result), "m")
    k = _root(factor.value, n) if factor.is_constant and n > 0 else None
    if k is None:
        raise Refused(f"it reduces {factor} elements to one; expected k^{n} for some k > 1")

    def rewrite(b: Builder) -> SSAValue:
        def step(b: Builder, values: SSAValue) -> SSAValue:
            part = pattern.PartRedOp(values, op.init, op.body.clone(), size)
            part.properties.update(op.properties)
            part.attributes.update(op.attributes)
            return b.insert(part).result

        symbol, element = _new_variable(op), element_of(op.input)
        size = nat(symbol)
        body = make_lambda([array(size * k, element)], step)
        return b.insert(pattern.IterateOp(op.input, n, body, symbol)).result

    return rewrite


def _root(number: int, n: int) -> int | None:
    """k > 1 with k^n = number."""
    k = round(number ** (1 / n))
    return k if k > 1 and k**n == number else None


def _new_variable(op: Operation) -> str:
    """A size variable without uses in the function around `op`."""
    top = op
    while (parent := top.parent_op()) is not None and not isinstance(top, FuncOp):
        top = parent
    used: set[str] = set()
    for inner in top.walk():
        blocks = [block for region in inner.regions for block in region.blocks]
        values = [*inner.results, *(arg for block in blocks for arg in block.args)]
        used.update(v for value in values for size in nats_in(value.type) for v in size.variables)
    names = itertools.chain(["S"], (f"S{i}" for i in itertools.count(1)))
    return next(name for name in names if name not in used)


RULES = (
    rule(
        "3a",
        "iterate^(m+n)(f) -> iterate^m(f) o iterate^n(f)",
        [some_iterations],
        m=Counts(_parts),
    ),
    rule("3b.out", "map(f) o reorder -> reorder o map(f)"),
    rule("3b.in", "reorder o map(f) -> map(f) o reorder"),
    rule("3c", "map(f) -> join o map(map(f)) o split^n", [divides("n")], n=Sizes(divisors)),
    rule(
        "3d.reduce",
        "reduce(f,z) -> reduce(f,z) o part-red^m(f,z)",
        [
            associative,
            neutral,
            holds("m is not N", "m = {m} is the whole size: nothing would be reduced"),
            divides("m"),
        ],
        "z counts m times more.",
        m=Sizes(divisors),
    ),
    rule(
        "3d.full",
        "part-red^m(f,z) -> reduce(f,z)",
        [holds("m is 1", "it leaves {m} elements, where reduce leaves 1")],
    ),
    rule("3d.reorder", "part-red^m(f,z) -> part-red^m(f,z) o reorder", [associative, commutative]),
    rule(
        "3d.split",
        "part-red^m(f,z) -> join o map(part-red^(m/(N/n))(f,z)) o split^n",
        [divides("n"), divides("N/n", "m", "the number of chunks, size/n")],
        "The chunks share the results out.",
        n=Sizes(divisors),
    ),
    part_red_iterated,
    rule("3e.split-join", "split^n o join^n -> id"),
    rule("3e.join-split", "join^n o split^n -> id"),
    rule("3e.vec-scal", "asVector^n o asScalar^n -> id"),
    rule("3e.scal-vec", "asScalar^n o asVector^n -> id"),
    rule(
        "3e",
        "split^n o join^n | join^n o split^n | asVector^n o asScalar^n | asScalar^n o asVector^n"
        " -> id",
    ),
    rule("3f.map", "map-k(f) o map-k(g) -> map-k(f o g)"),
    rule("3f.reduce", r"reduce-seq(f,z) o map-seq(g) -> reduce-seq(\acc,x: f(acc,g(x)),z)"),
)
