"""The rewrite rules of patterns: those of the paper by its numbers, further ones as `x.*`.

`RULES` has them by name. What a rule is: `rule.py`; where a step of a derivation stands:
`places.py`; the text of a derivation: `script.py`; replaying it: `derivation.py`.
"""

from __future__ import annotations

from polycl.lowering.pattern_rules import algorithmic, opencl
from polycl.lowering.pattern_rules.rule import PatternRule, Refused

RULES: dict[str, PatternRule] = {
    each.name: each
    for module in (algorithmic, opencl)
    for each in vars(module).values()
    if isinstance(each, PatternRule)
}
"""All rules by name, in the order of the paper."""

__all__ = ["RULES", "PatternRule", "Refused"]
