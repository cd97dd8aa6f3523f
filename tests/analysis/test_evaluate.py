"""`analysis.evaluate`, and what is computed with it, on chains that are too long to recurse."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate, same
from polycl.analysis.ocl.linear import linear
from polycl.analysis.wg.clamps import Term, bits_of, largest_of, smallest_of
from polycl.symbolic import atom

LONG = 5000


def values(count: int) -> tuple[SSAValue, ...]:
    return tuple(Block(arg_types=[i32] * count).args)


class Depth(Domain[int | None]):
    """How many operations there are below a value; each is counted where it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def number(self, number: int, value: SSAValue) -> int:
        return 0

    def opaque(self, value: SSAValue) -> int | None:
        return None if isinstance(value.owner, Operation) else 0

    def one_more(self, op: Operation, x: int, y: int) -> int:
        self.asked += 1
        return 1 + max(x, y)

    rules = {**SUMS, arith.AddiOp: one_more, arith.ExtSIOp: same}


def test_each_value_is_computed_once():
    (value,) = values(1)
    for _ in range(LONG):
        value = arith.AddiOp(value, value).result
    depth = Depth()
    assert evaluate(value, depth) == LONG == depth.asked
    assert evaluate(value, depth) == LONG == depth.asked


def test_what_is_made_of_something_unknown_is_unknown():
    a, b = values(2)
    unknown = arith.MuliOp(a, b).result
    one = arith.ConstantOp(IntegerAttr(1, i32)).result
    assert evaluate(arith.SubiOp(one, unknown).result, Depth()) is None
    assert evaluate(arith.AddiOp(one, b).result, Depth()) == 1


def test_long_sums():
    x, n = values(2)
    value = x
    for _ in range(LONG):
        value = arith.SubiOp(n, value).result
    assert linear(value) == atom(x)
    assert bits_of(value) == 32


def test_long_minima():
    value, *others = values(20)
    for other in others:
        value = arith.MinSIOp(value, other).result
    assert len(smallest_of(value)) == 20
    assert largest_of(value) == [Term(value)]
