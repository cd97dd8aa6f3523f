"""Rules for reductions that [lift15] does not have, but that its Figure 9 and a fast gemv need.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.ir import Operation

from polycl.dialects import pattern
from polycl.dialects.pattern.types import is_scalar
from polycl.lowering.pattern.rules.conditions import (
    associative,
    commutative,
    condition,
    divides,
    holds,
    neutral,
)
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.opencl import WIDTHS, vectorizable
from polycl.lowering.pattern.rules.rule import Refused


@condition("z is a scalar")
def from_scalar(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.PartRedOp)
    if not is_scalar(op.init.type):
        raise Refused(f"there are no vectors of {op.init.type}")


RULES = (
    rule(
        "x.reduce-one",
        "reduce(f,z) | part-red(f,z) -> id",
        [neutral, holds("N is 1", "it reduces {N} elements, expected 1")],
    ),
    rule(
        "x.part-red-vect",
        "part-red^m(f,z) -> asScalar o part-red^(m/n)(vect^n(f),vect^n(z)) o asVector^n",
        [associative, commutative, divides("n"), divides("n", "m"), from_scalar, vectorizable],
        n=WIDTHS,
    ),
    rule(
        "x.accumulators",
        r"part-red^m(f,z) -> join o reduce(\accs,xs: map(f) o zip(accs,xs),z^m) o split^m",
        [
            associative,
            commutative,
            divides("m"),
            holds("m is not 1", "it leaves one element: there would be one accumulator"),
        ],
        "m accumulators go through the array side by side: result i combines the elements i, i+m,"
        " i+2m...",
    ),
    rule(
        "x.map-reduce",
        r"map(reduce(f,z)) -> transpose o reduce(\accs,xs: map(f) o zip(accs,xs),z^N) o transpose",
        note="The rows are reduced side by side, an accumulator for each; f and z are the same for"
        " all rows.",
    ),
)
