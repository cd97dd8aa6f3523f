"""Proves that a scheduled program does what the function it was made from does.

See docs/tta/pipeline.md for what exactly is proved. The parts:

- terms.py: what values are, as expressions that are equal if they are the same number;
- function.py: a block of the function, operation by operation;
- memory.py: which accesses must keep their order, and what a load sees;
- machine.py: blocks of the program, move by move;
- facts.py: which value of the function a register or port holds where a block begins;
- check.py: both sides, block by block, until the facts hold on all edges.

Nothing here is shared with the scheduler (`lowering/tta/tta_schedule/`).
"""

from __future__ import annotations

from polycl.analysis.tta.check import check_schedule

__all__ = ["check_schedule"]
