"""Reductions of long arrays by many work-items, where a program does not choose."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polycl.dialects import pattern
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.derivation import Derivation

SCRIPT = Path(__file__).with_name("sums.deriv")

SHORT = 4096
"""One work-item combines fewer elements in microseconds; deriving takes 0.2 s for each size."""


def reduce_in_parallel(module: ModuleOp, function: FuncOp) -> None:
    """Replay `sums.deriv` at the reductions of a program whose sizes are numbers.

    Those that rules may not reorder stay, and those inside of functions, which have work-items.
    """
    for op in list(function.body.block.ops):
        if not isinstance(op, pattern.ReduceOp) or op.assoc is None or op.comm is None:
            continue
        size, use = size_of(op.input), op.result.first_use
        if use is not None and size.is_constant and size.value >= SHORT:
            _sums().replay_at(module, function, use, {"N": size.value})


@cache
def _sums() -> Derivation:
    return Derivation.read(SCRIPT)
