"""Rules for scans: chunks of an array at the same time.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from polycl.lowering.pattern.rules.conditions import associative, divides, divisors, has_neutral
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.rule import Sizes

RULES = (
    rule(
        "x.scan-split",
        r"scan(f,z) -> join o map(\s,xs: scan(f,s) o xs)"
        r" o zip(scan-exclusive(f,z) o join o map(reduce(f,e)) o split^n,split^n)",
        [associative, has_neutral, divides("n")],
        "Each chunk of n elements starts at the reduction of those before it.",
        n=Sizes(divisors),
    ),
)
