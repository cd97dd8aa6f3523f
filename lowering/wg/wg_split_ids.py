"""`wg-split-ids`: a local id that is divided by a constant becomes two ids, without divisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.linear import Sums
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, constant_value
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.wg.index_arithmetic import compute_in_index
from polycl.lowering.wg.wg_split_rows import QUOTIENTS, REMAINDERS, in_addresses
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import tile_costs
from polycl.lowering.wg.wg_vectorize.shape import natural_width
from polycl.remarks import emit_remark

SHORTEST_ROW = 4
"""Rows are multiples of so many work-items: no vectors are made of shorter ones."""

LONG_ROW = 16
"""Rows that are multiples of so many work-items fill vectors."""


@dataclass(frozen=True)
class WgSplitIdsPass(ModulePass):
    """Run a region whose id is divided by a constant as rows of so many work-items.

    ```
    wg.parallel (%x, %y, %z) in (%c128, %c1, %c1) {      wg.parallel (%x, %y, %z) in (%c8, %c16, ...
      %column = arith.remui %x, %c8 : index         ->
      %row = arith.divui %x, %c8 : index                   ... %x ... %y ...
    ```

    Neighbours then are neighbours in memory, and the row is the same for all of a vector. The
    dividend may be a multiple of the id, as in `(2 * id + 1) % 64`; remainders are masks, and
    quotients shifts, too. Of several divisors the smallest one gives the rows, and others that are
    multiples of it divide the row's number. Where all dividends are smaller than the divisor, there
    is nothing to divide. Short rows make short vectors: they are tried, and stay where a work-item
    takes less time by the estimates of `wg-vectorize`. `processor` is as of that pass.
    """

    name = "wg-split-ids"

    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            facts: Uniformity | None = None
            for region in operations_of(function.body, wg.ParallelOp):
                found = _rows(region) if region.step is None else None
                if found is None:
                    continue
                divisions, width, size = found
                facts = facts or Uniformity(function)
                is_long = width % LONG_ROW == 0
                before, cost = region.clone(), 0 if is_long else self._cost(region, facts)
                _in_rows(region, divisions, width, size)
                compute_in_index(region.body, function)
                if is_long or self._cost(region, facts) < cost:
                    emit_remark(region, self.name, f"in rows of {width} work-items")
                    # Its uses of arrays would count.
                    before.erase()
                else:
                    Rewriter.replace_op(region, before)
                    facts.visit(before)

    def _cost(self, region: wg.ParallelOp, facts: Uniformity) -> float:
        """The estimated cycles of a work-item, as the region is now."""
        facts.visit_changed(region)
        cycles = cycles_of(self.processor)
        size = constant_index(region.sizes[0])
        assert size is not None
        lanes = min(natural_width(region, facts, 0, size), size)
        costs = tile_costs(region.body.block, facts, 0, lanes, cycles=cycles)
        # The last vector of a row may have few lanes.
        vectors = -(-size // lanes)
        return min(costs.vector * vectors / size, costs.scalar / lanes)


@dataclass(frozen=True)
class _Division:
    """Of `factor * (x + shift) + rest` by `factor * width`, where `rest` is below `factor`."""

    op: Operation
    factor: int
    shift: int
    rest: int
    width: int


def _rows(region: wg.ParallelOp) -> tuple[Sequence[_Division], int, int] | None:
    """The divisions of the id, the length of the rows that they make, and the region's size."""
    size, *others = map(constant_index, region.sizes)
    if size is None or others != [1, 1]:
        return None
    divisions = _divisions(region, size)
    addresses = in_addresses(region) if divisions else set[SSAValue]()
    widths = [d.width for d in divisions if d.op.results[0] in addresses]
    widths = [w for w in widths if (w % SHORTEST_ROW == 0 or w > LONG_ROW) and size % w == 0]
    return (divisions, min(widths), size) if widths else None


def _divisions(region: wg.ParallelOp, size: int) -> list[_Division]:
    """The divisions of the id, but for those that are known to be none, which go."""
    x = region.local_ids[0]
    found = operations_of(region.body, *QUOTIENTS, *REMAINDERS)
    sums = Sums({x: range(size)})
    divisions = [d for d in (_division(op, x, size, sums) for op in found) if d]
    for division in divisions:
        build = Build(division.op)
        if division.width == 1:
            _replace(division, build.index(0), _moved(build, x, division.shift))
        elif division.width >= division.shift + size:
            _replace(division, _moved(build, x, division.shift), build.index(0))
    return [d for d in divisions if 1 < d.width < d.shift + size]


def _division(op: Operation, x: SSAValue, size: int, sums: Sums) -> _Division | None:
    """What is known of a division, if only the id along x decides what is divided."""
    divisor = _divisor(op)
    if divisor is None:
        return None
    dividend = evaluate(op.operands[0], sums)
    factor = dividend.factors.get(x, 0)
    if len(dividend.factors) != 1 or factor < 1 or divisor % factor:
        return None
    # Of an unsigned sum, what wraps in between does not matter.
    most = factor * (size - 1) + dividend.number
    if dividend.number < 0 or most >= 1 << (min(bits_of(op.operands[0].type), 32) - 1):
        return None
    shift, rest = divmod(dividend.number, factor)
    return _Division(op, factor, shift, rest, divisor // factor)


def _divisor(op: Operation) -> int | None:
    """By what is divided: a positive constant."""
    number = constant_value(op.operands[1])
    if number is None:
        return None
    match op:
        case arith.AndIOp():
            return number + 1 if number >= 0 and number & (number + 1) == 0 else None
        case arith.ShRSIOp() | arith.ShRUIOp():
            return 1 << number if 0 <= number < bits_of(op.result.type) else None
        case _:
            return number if number > 0 else None


def _in_rows(region: wg.ParallelOp, divisions: Sequence[_Division], width: int, size: int) -> None:
    before = Build(region)
    region.operands[0], region.operands[1] = before.index(width), before.index(size // width)
    region.attributes[SPREAD] = UnitAttr()
    x, y, _ = region.local_ids
    inner = Build(region, InsertPoint.at_start(region.body.block))
    y.replace_all_uses_with(inner.index(0))
    id = inner.linear([(y, width), (x, 1)])
    x.replace_uses_with_if(id, lambda use: use.operation is not id.owner)
    for division in divisions:
        if division.width % width or division.shift % width:
            continue
        build = Build(division.op)
        column, row = x, _moved(build, y, division.shift // width)
        if division.width > width:
            rows = build.index(division.width // width)
            row, part = (build.emit(op(row, rows)) for op in (arith.DivUIOp, arith.RemUIOp))
            column = build.linear([(part, width), (x, 1)])
        _replace(division, column, row)


def _moved(build: Build, value: SSAValue, by: int) -> SSAValue:
    return build.add(value, build.index(by)) if by else value


def _replace(division: _Division, column: SSAValue, row: SSAValue) -> None:
    """A division by the number of its row, or what is left of it."""
    op, build = division.op, Build(division.op)
    value = row
    if isinstance(op, REMAINDERS):
        value = _moved(build, build.linear([(column, division.factor)]), division.rest)
    value.name_hint = value.name_hint or op.results[0].name_hint
    Rewriter.replace_op(op, [], [build.index_cast(value, op.results[0].type)])
