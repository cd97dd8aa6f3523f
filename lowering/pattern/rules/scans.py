"""Rules for scans: chunks of an array at the same time.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.conditions import (
    associative,
    divides,
    divisors,
    expect,
    has_neutral,
)
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, Sizes, function_rule


@function_rule("x.pad-scan", n=Sizes(lambda _: ()))
def pad_before_scan(op: Operation, n: NatAttr) -> Rewrite:
    """scan(f,z) -> take^N o scan(f,z) o pad-0-n-clamp

    n elements more, after all others, so that chunks fit. n is at least 0, and less than N if both
    are numbers.

    An equation cannot state it: the notation has no pad.
    """
    op = expect(op, pattern.ScanOp)
    if any(coefficient < 0 for _, coefficient in n.terms):
        raise Refused(f"n = {n} is negative")
    size = size_of(op.input)
    if size.is_constant and n.is_constant and n.value >= size.value:
        raise Refused(f"n = {n} elements more would be most of the work: there are {size}")

    def rewrite(b: Builder) -> SSAValue:
        more = b.insert(pattern.PadOp(op.input, 0, n)).result
        scan = pattern.ScanOp(more, op.init, op.body.clone(), attributes=dict(op.attributes))
        scan.properties.update(op.properties)
        return b.insert(pattern.TakeOp(b.insert(scan).result, size)).result

    return rewrite


RULES = (
    pad_before_scan,
    rule(
        "x.scan-split",
        r"scan(f,z) -> join o map(\s,xs: scan(f,s) o xs)"
        r" o zip(scan-exclusive(f,z) o join o map(reduce(f,e)) o split^n,split^n)",
        [associative, has_neutral, divides("n")],
        "Each chunk of n elements starts at the reduction of those before it.",
        n=Sizes(divisors),
    ),
)
