"""The rewrite rules of patterns: those of [lift15] by its numbers, further ones as `x.*`.

`RULES` has them by name; the files of the families have the tables. A rule is an equation
(`equations.py`) in the notation of `terms.py`, with conditions (`conditions.py`), or a function
(`rule.py`) that uses `build.py`. `places.py` has the places of steps; `script.py`, `expressions.py`
and `lines.py` the text of derivations; `derivation.py` replays them.
"""

from __future__ import annotations

from polycl.lowering.pattern.rules import (
    algorithmic,
    block_choices,
    choices,
    copies,
    fragments,
    memory,
    movement,
    opencl,
    permutations,
    reductions,
    scans,
    scatters,
    vectors,
)
from polycl.lowering.pattern.rules.rule import PatternRule, Refused

RULES: dict[str, PatternRule] = {
    each.name: each
    for module in (
        algorithmic,
        opencl,
        reductions,
        choices,
        block_choices,
        scans,
        scatters,
        permutations,
        vectors,
        movement,
        memory,
        copies,
        fragments,
    )
    for each in module.RULES
}
"""All rules by name: Figure 3, Figure 4, then the others."""

__all__ = ["RULES", "PatternRule", "Refused"]
