"""Exploration: a search over derivations of a pattern program, and over their parameters.

`structures.py` finds derivations with open parameters, by strategies (`moves.py`), lowerings
(`lowerings.py`) and a cost model (`cost_model.py`); `tuning.py` chooses values for the parameters
in the tree of legal combinations (`space.py`); `measuring.py` checks and times the programs;
`database.py` stores the results. `exploration.py` is the whole search. See docs/pattern/explore.md.
"""

from polycl.runtime.pattern.explore.exploration import Exploration, explore

__all__ = ["Exploration", "explore"]
