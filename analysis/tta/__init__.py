"""Proves that a scheduled program is equivalent to its function (translation validation).

docs/tta/pipeline.md specifies what is proved. The parts:

- terms.py: values as hash-consed expressions in a normal form;
- run_function.py: symbolic execution of a block of the function;
- symbolic_memory.py: the order of accesses, and the value of a load;
- path.py: the blocks of the function that run during a block of the program;
- run_schedule.py: symbolic execution of blocks of the program, move by move;
- facts.py: which value of the function a register or port holds at the begin of a block;
- check.py: the fixed point over all edges.

Nothing here is shared with the scheduler (`lowering/tta/tta_schedule/`).
"""

from __future__ import annotations

from polycl.analysis.tta.check import check_schedule

__all__ = ["check_schedule"]
