"""Reductions of long arrays by many work-items, where a program does not choose."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.pattern_rewriter import PatternRewriter

from polycl.dialects import pattern
from polycl.dialects.pattern.nat import nat
from polycl.lowering.pattern.rules.block_choices import choose_by_blocks
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.choices import choose_by_position
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.lowering.pattern.rules.rule import Refused

SCRIPT = Path(__file__).with_name("sums.deriv")
CHOICES = Path(__file__).with_name("choices.deriv")

SHORT = 4096
"""One work-item combines fewer elements in microseconds; deriving takes 0.2 s for each size."""


def reduce_in_parallel(module: ModuleOp, function: FuncOp) -> None:
    """Replay `sums.deriv` at the reductions of a program whose sizes are numbers.

    Reductions that keep one of their elements find its position first. Those that rules may not
    reorder stay, and those inside of functions, which have work-items.
    """
    _choose(module, function)
    for op in list(function.body.block.ops):
        if not isinstance(op, pattern.ReduceOp) or op.assoc is None or op.comm is None:
            continue
        size, use = size_of(op.input), op.result.first_use
        if use is not None and size.is_constant and size.value >= SHORT:
            sums_script().replay_at(module, function, use, {"N": size.value})


def _choose(module: ModuleOp, function: FuncOp) -> None:
    """Find what reductions keep by the best keys of blocks, or else by the position of the best.

    Those whose function is known to be associative and commutative are not looked at.
    """
    for op in list(function.body.block.ops):
        if not isinstance(op, pattern.ReduceOp) or (use := op.result.first_use) is None:
            continue
        size, known = size_of(op.input), op.assoc is not None and op.comm is not None
        if known or not size.is_constant or size.value < SHORT:
            continue
        # As many blocks as a block has elements: both are gone through one by one in the end.
        block = nat(1 << (size.value.bit_length() // 2 + 1))
        try:
            choose_by_blocks.apply(op, PatternRewriter(op), n=block)
        except Refused:
            with suppress(Refused):
                choose_by_position.apply(op, PatternRewriter(op))
        else:
            _script(CHOICES).replay_at(module, function, use, {"B": block.value})


def sums_script() -> Derivation:
    """The derivation of sums, which is read once."""
    return _script(SCRIPT)


@cache
def _script(path: Path) -> Derivation:
    return Derivation.read(path)
