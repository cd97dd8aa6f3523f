"""Exploration: a search over derivations of a pattern program, and over their parameters.

`structures.py` finds derivations whose parameters are open, by strategies (`moves.py`), ways to
lower (`lowerings.py`) and a cost model (`cost.py`); `tuning.py` chooses values for the parameters
in the tree of those that go together (`space.py`); `measuring.py` checks and times what comes of
them; `database.py` keeps it. `exploration.py` puts it together. See docs/pattern/explore.md.
"""

from polycl.runtime.pattern.explore.exploration import Exploration, explore

__all__ = ["Exploration", "explore"]
