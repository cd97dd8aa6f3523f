"""`tta-pair-iterations`: two iterations of a loop that keeps values in memory are one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, IntAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import address_of
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.wg.merged_items.item_emitter import REGION
from polycl.remarks import emit_remark

MOST = 1024
"""The most operations of an iteration: the scheduler places two of them as one block."""

LEAST = 32
"""The fewest places for which the moves of an iteration, not the chain of a sum, limit the loop."""

_Access = ocl.LoadOp | ocl.StoreOp
_Place = tuple[int, Attribute, SSAValue]
"""The address of a variable in the kernel's own memory, its type, and the pointer to the memory."""


@dataclass(frozen=True)
class TtaPairIterationsPass(ModulePass):
    """Execute two iterations in one, and the last one of an odd number after the loop.

    ```
    scf.for %k = 0 to %n step 1 {               scf.for %k = 0 to %n & -2 step 2 {
      %s = ocl.load %sum[%c5]                     %s = ocl.load %sum[%c5]
      %t = arith.addf %s, ...              ->     %t = arith.addf %s, ...
      ocl.store %t, %sum[%c5]                     %u = arith.addf %t, ...
    }                                             ocl.store %u, %sum[%c5]
                                                }
                                                scf.if %n & 1 is not 0 and %n is positive { ... }
    ```

    In a loop that `wg-interchange` made and `wg-replicate` unrolled, each work-item has its sum in
    memory. It is now loaded and stored half as often, and the first of two sums moves from adder to
    adder. Loops that count from 0 by 1, have no loops or branches inside, and load and store at
    least `least` places of the kernel's own memory are taken; all their accesses of that memory
    must have constant addresses. `tta-reduce-strength` runs before: pointers are carried, not
    computed.
    """

    name = "tta-pair-iterations"

    least: int = LEAST

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        regions = [o.attributes[REGION] for o in op.walk() if REGION in o.attributes]
        last = max((r.data for r in regions if isinstance(r, IntAttr)), default=-1)
        unused = count(last + 1)
        for loop in [o for o in op.walk() if isinstance(o, scf.ForOp)]:
            if _is_taken(loop, self.least):
                emit_remark(loop, self.name, "two iterations are executed in one")
                _pair(loop, unused)


def _is_taken(loop: scf.ForOp, least: int) -> bool:
    """Whether a pair of iterations has fewer accesses than two iterations, of `least` places."""
    body = loop.body.block
    times = constant_index(loop.ub)
    if constant_index(loop.lb) != 0 or constant_index(loop.step) != 1:
        return False
    if loop.lb.type != IndexType() or (times is not None and times < 2):
        return False
    operations = list(body.ops)
    if len(operations) > MOST or any(op.regions for op in operations):
        return False
    accessed: tuple[set[_Place], set[_Place]] = set(), set()
    for op in operations:
        if isinstance(op, _Access):
            place = _place_of(op)
            if place is not None:
                accessed[isinstance(op, ocl.StoreOp)].add(place)
            elif ocl.space_of(op.pointer) in (ocl.AddressSpace.PRIVATE, ocl.AddressSpace.GENERIC):
                return False
        elif op is not terminator(body) and not is_side_effect_free(op):
            return False
    places = accessed[0] | accessed[1]
    return len(accessed[0] & accessed[1]) >= least and not _overlap(places)


def _overlap(places: set[_Place]) -> bool:
    """Whether different places have some bytes in common."""
    ordered = sorted((address, size_of(type)) for address, type, _ in places)
    return any(
        start + size > next for (start, size), (next, _) in zip(ordered, ordered[1:], strict=False)
    )


def _place_of(op: _Access) -> _Place | None:
    """The constant address of an access of the kernel's own memory; None for others."""
    if op.volatile is not None or ocl.space_of(op.pointer) != ocl.AddressSpace.PRIVATE:
        return None
    root, place = address_of(op)
    address = place.constant
    if address is None or not isinstance(root.owner, Block):
        return None
    if not isinstance(root.owner.parent_op(), FuncOp):
        return None
    return address, op.result.type if isinstance(op, ocl.LoadOp) else op.value.type, root


def _pair(loop: scf.ForOp, unused: Iterator[int]) -> None:
    """`unused` are numbers of regions: accesses of two iterations may meet."""
    build = Build(loop)
    one = build.index(1)
    times = constant_index(loop.ub)
    if times is None:
        even = build.and_(loop.ub, build.index(-2))
    else:
        even = build.index(times & ~1)

    body = Block(arg_types=[arg.type for arg in loop.body.block.args])
    for arg, old in zip(body.args, loop.body.block.args, strict=True):
        arg.name_hint = old.name_hint
    counter, *carried = body.args
    inside = Build(loop, body)
    carried = _iteration(loop, inside, counter, carried, None)
    carried = _iteration(loop, inside, inside.add(counter, one), carried, unused)
    inside.emit_void(scf.YieldOp(*carried))
    pairs = scf.ForOp(loop.lb, even, build.index(2), loop.iter_args, Region(body))
    build.emit_void(pairs)
    pairs.attributes = dict(loop.attributes)

    results: Sequence[SSAValue] = pairs.results
    if times is None:
        odd = build.compare("ne", build.and_(loop.ub, one), loop.lb)
        if UNSIGNED not in loop.attributes:
            odd = build.and_(odd, build.compare("slt", loop.lb, loop.ub))
        last, rest = Block(), Block()
        inside = Build(loop, last)
        inside.emit_void(scf.YieldOp(*_iteration(loop, inside, even, results, unused)))
        rest.add_op(scf.YieldOp(*results))
        types = [result.type for result in results]
        left = scf.IfOp(odd, types, Region(last), Region(rest))
        build.emit_void(left)
        results = left.results
    elif times % 2:
        results = _iteration(loop, build, even, results, unused)
    Rewriter.replace_op(loop, [], results)
    _forward(body)


def _iteration(
    loop: scf.ForOp,
    build: Build,
    counter: SSAValue,
    carried: Sequence[SSAValue],
    unused: Iterator[int] | None,
) -> list[SSAValue]:
    """Copies an iteration, as parts of `unused` regions; returns what it passes to the next one.

    Work-items of one region do not meet, of two they may: each region has a number of its own.
    """
    numbers: dict[Attribute, IntAttr] = {}
    body = loop.body.block
    values: dict[SSAValue, SSAValue] = dict(zip(body.args, [counter, *carried], strict=True))
    end = terminator(body)
    for op in body.ops:
        if op is not end:
            copy = op.clone(values)
            if unused is not None and REGION in copy.attributes:
                before = copy.attributes[REGION]
                if before not in numbers:
                    numbers[before] = IntAttr(next(unused))
                copy.attributes[REGION] = numbers[before]
            Rewriter.insert_op(copy, build.point)
    return [values.get(value, value) for value in end.operands]


def _forward(body: Block) -> None:
    """Replaces loads of what was stored before in a body, and removes what is stored again."""
    stores: dict[_Place, ocl.StoreOp] = {}
    for op in list(body.ops):
        place = _place_of(op) if isinstance(op, _Access) else None
        if place is None:
            continue
        before = stores.get(place)
        if isinstance(op, ocl.StoreOp):
            if before is not None:
                Rewriter.erase_op(before)
            stores[place] = op
        elif before is not None:
            Rewriter.replace_op(op, [], [before.value])
