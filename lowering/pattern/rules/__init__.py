"""The rewrite rules of patterns: those of the paper by its numbers, further ones as `x.*`.

`RULES` has them by name. What a rule is: `rule.py`; where a step of a derivation stands:
`places.py`; the text of a derivation: `script.py`, `expressions.py`, `lines.py`; replaying it:
`derivation.py`. How rules are written: `conditions.py` for where they apply, `build.py` for what
they make.
"""

from __future__ import annotations

from polycl.lowering.pattern.rules import algorithmic, memory, movement, opencl, reductions, vectors
from polycl.lowering.pattern.rules.rule import PatternRule, Refused

RULES: dict[str, PatternRule] = {
    each.name: each
    for module in (algorithmic, opencl, reductions, vectors, movement, memory)
    for each in vars(module).values()
    if isinstance(each, PatternRule)
}
"""All rules by name: Figure 3, Figure 4, then the others."""

__all__ = ["RULES", "PatternRule", "Refused"]
