"""An estimate of the cycles of a schedule: the length of each block times how often it runs.

Trip counts that are constant are known: those of loops over the work-items of a group, which differ
between the methods, always are. Every other loop counts as `UNKNOWN` iterations. Each side of a
branch that leaves no loop counts half.
"""

from __future__ import annotations

from collections import defaultdict
from math import prod

from xdsl.dialects import arith, cf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue

from polycl.lowering.tta.tta_schedule import Schedule, is_kernel
from polycl.lowering.tta.tta_schedule.build_graph import source_of
from polycl.lowering.tta.tta_schedule.modulo_pipeline import UNKNOWN
from polycl.lowering.tta.tta_schedule.registers import edges
from polycl.lowering.tta.word_builder import constant_of, signed


def estimated_cycles(function: FuncOp, scheduled: Schedule) -> int:
    """The cycles of one work-group, or of a launch whose groups are counted by constants."""
    blocks = list(function.body.blocks)
    trips, runs = _frequencies(blocks)
    fills: dict[int, int] = defaultdict(int)
    parts: dict[int, int] = defaultdict(int)
    for bound in scheduled.bounds:
        if _is_fill(bound.block):
            fills[scheduled.origins[bound.block]] += 1
        parts[scheduled.origins.get(bound.block, -1)] += is_kernel(bound.block)
    total = 0.0
    for bound in scheduled.bounds:
        index = scheduled.origins.get(bound.block)
        if index is None:
            continue
        block = blocks[index]
        times = runs[block]
        if "_" in bound.block:
            times /= trips[block]
            if is_kernel(bound.block):
                times *= max(trips[block] - fills[index], 0) / parts[index]
            elif "_drain_kernel" in bound.block:
                continue  # an unrolled kernel ends in one of its drains
        elif f"{bound.block}_kernel" in scheduled.origins:
            times /= trips[block]
        total += times * bound.achieved
    return round(total)


def _is_fill(name: str) -> bool:
    return "_fill" in name or "_" not in name


def _frequencies(blocks: list[Block]) -> tuple[dict[Block, int], dict[Block, float]]:
    """The trip count of the loop that each block begins (else 1), and how often each block runs.

    A loop spans from the target of a back edge to its source, as blocks are laid out.
    """
    position = {block: i for i, block in enumerate(blocks)}
    trips: dict[Block, int] = dict.fromkeys(blocks, 1)
    last: dict[Block, int] = {}
    for i, block in enumerate(blocks):
        for successor, _ in edges(block):
            if position[successor] <= i:
                last[successor] = max(last.get(successor, 0), i)
                trips[successor] = _trip_count(blocks, successor, block) or UNKNOWN
    loops = [(position[header], end, trips[header]) for header, end in last.items()]
    runs: dict[Block, float] = dict.fromkeys(blocks, 0.0)
    runs[blocks[0]] = 1.0
    for i, block in enumerate(blocks):
        around = [count for begin, end, count in loops if begin <= i <= end]
        # A loop may have several exits, and a jump may lead anywhere.
        runs[block] = min(runs[block] * trips[block], prod(around))
        shares: list[tuple[Block, float]] = []
        for successor, _ in edges(block):
            at = position[successor]
            left = [n for begin, end, n in loops if begin <= i <= end and not begin <= at <= end]
            shares.append((successor, 1 / prod(left)))
        staying = sum(share == 1 for _, share in shares)
        for successor, share in shares:
            if position[successor] > i:
                runs[successor] += runs[block] * share / (staying if share == 1 else 1)
    return trips, runs


def _trip_count(blocks: list[Block], header: Block, latch: Block) -> int | None:
    """The iterations of a loop that counts from a constant to a constant."""
    branch = latch.last_op
    if not isinstance(branch, cf.ConditionalBranchOp):
        return None
    test = branch.cond.owner
    if not isinstance(test, arith.CmpiOp):
        return None
    for counter, bound in ((test.lhs, test.rhs), (test.rhs, test.lhs)):
        limit, step, argument = constant_of(source_of(bound)), *_step(counter, header, latch)
        if limit is None or not step or argument is None:
            continue
        starts = {
            constant_of(source_of(values[argument.index]))
            for block in blocks
            if block is not latch
            for successor, values in edges(block)
            if successor is header
        }
        first = starts.pop() if len(starts) == 1 else None
        if first is not None:
            distance = signed((limit - first) & 0xFFFFFFFF)
            return max(1, -(-distance // step))
    return None


def _step(
    counter: SSAValue, header: Block, latch: Block
) -> tuple[int | None, BlockArgument | None]:
    """The constant that a counter grows by, and the header's argument that it continues."""
    for successor, values in edges(latch):
        if successor is not header:
            continue
        for argument, value in zip(header.args, values, strict=True):
            grown = source_of(value).owner
            if not isinstance(grown, arith.AddiOp | arith.SubiOp):
                continue
            step = constant_of(source_of(grown.rhs))
            if source_of(grown.lhs) is argument and step is not None:
                if source_of(counter) in (source_of(value), argument):
                    sign = 1 if isinstance(grown, arith.AddiOp) else -1
                    return sign * signed(step), argument
    return None, None
