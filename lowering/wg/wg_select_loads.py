"""`wg-select-loads`: a load from one of two rows of neighbours is a load of each, under a mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.build import Build
from polycl.lowering.wg.wg_split_guards import depends_on_group
from polycl.lowering.wg.wg_vectorize.accesses import access_stride
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes
from polycl.remarks import emit_remark

MOST_ROWS = 4
"""The most loads that a load becomes."""

_EXTREMES = {
    arith.MaxSIOp: "sgt",
    arith.MinSIOp: "slt",
    arith.MaxUIOp: "ugt",
    arith.MinUIOp: "ult",
}
"""Operations -> when they are their first operand."""
_OTHER_EXTREMES = {
    arith.MaxSIOp: arith.MinSIOp,
    arith.MinSIOp: arith.MaxSIOp,
    arith.MaxUIOp: arith.MinUIOp,
    arith.MinUIOp: arith.MaxUIOp,
}
"""Operations -> those that are below (above) a bound if both of their operands are."""

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_LINEAR = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp, *_CASTS)


@dataclass(frozen=True)
class WgSelectLoadsPass(ModulePass):
    """Load the neighbours on either side of a border, instead of a selected address.

    ```
    %i = arith.select %inside, %left, %mirrored : index
    %v = ocl.load %in[%i]
    ```

    becomes

    ```
    %v = scf.if %inside {
      %a = ocl.load %in[%left]        // consecutive in neighbouring work-items
      scf.yield %a
    } else {
      %b = ocl.load %in[%mirrored]    // backwards
      scf.yield %b
    }
    ```

    In vectors, an address that is selected is gathered, and each of these is one load under a mask.
    So that is done where each address is the same for all work-items, or grows or falls by one
    element from one to the next; minima and maxima are selections. One on which neighbours agree,
    as of a row, stays, and a branch that they take alike need only have such addresses on the first
    side. A load becomes at most four, and is of
    `least_bits` or more: the processor has no masks for less. Without `ends`, loads stay whose
    address only one dimension moves, in no row of the group and no loop: the border is the two ends
    of an array, where few groups are, and masked lanes in front of its first page take longer than
    a gather.
    """

    name = "wg-select-loads"

    least_bits: int = 32
    ends: bool = True
    small_buffers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            loads = [load for load in operations_of(function.body, ocl.LoadOp) if self._may(load)]
            if not loads:
                continue
            facts = Uniformity(function, small_buffers=self.small_buffers)
            for region in operations_of(function.body, wg.ParallelOp):
                inside = [load for load in loads if region.is_ancestor(load)]
                dimension = _dimension(region, facts) if inside else None
                if dimension is not None:
                    chosen = [x for x in inside if self.ends or _has_rows(x, facts, dimension)]
                    count = sum([_split(load, facts, dimension) for load in chosen])
                    if count:
                        emit_remark(region, self.name, f"{count} loads of selected addresses")

    def _may(self, load: ocl.LoadOp) -> bool:
        type = load.result.type
        if not isinstance(type, AnyFloat | IntegerType) or load.volatile is not None:
            return False
        is_wide = 8 * size_of(type) >= self.least_bits
        return is_wide and load.index is not None and _selection(load.index) is not None


def _dimension(region: wg.ParallelOp, facts: Uniformity) -> int | None:
    lanes = region.attributes.get(LANES)
    if region.step is not None:
        return None
    if isinstance(lanes, DenseArrayBase):
        counts = list(lanes.get_values())
        return counts.index(max(counts))
    return best_dimension(region, facts, largest_sizes(region))


def _has_rows(load: ocl.LoadOp, facts: Uniformity, dimension: int) -> bool:
    """Whether another dimension moves the address, too, or the group itself or a loop, beside what
    is selected."""
    assert load.index is not None
    strides = (facts.lanes(value).strides for value in (load.pointer, load.index))
    if any(stride != 0 for each in strides for d, stride in enumerate(each) if d != dimension):
        return True
    index = load.index
    while isinstance(index.owner, _CASTS):
        index = index.owner.input
    terms = linear(index).factors
    return any(
        facts.is_uniform(term) and (_counts(term) or depends_on_group(term, set()))
        for term in terms
    )


def _counts(value: SSAValue) -> bool:
    """Whether it is the counter of a loop."""
    block = value.owner
    return (
        isinstance(block, Block)
        and isinstance(block.parent_op(), scf.ForOp)
        and value is block.args[0]
    )


def is_selectable(load: ocl.LoadOp, facts: Uniformity, dimension: int) -> bool:
    """Whether a load that would be gathered can be loads of rows under masks."""
    made = _rows(load, facts, dimension)
    if made is not None:
        made[0].erase()
    return made is not None


def _split(load: ocl.LoadOp, facts: Uniformity, dimension: int) -> bool:
    """Replace a load that would be gathered; whether it was."""
    made = _rows(load, facts, dimension)
    if made is None:
        return False
    block, value = made
    value.name_hint = load.result.name_hint
    Rewriter.inline_block(block, InsertPoint.before(load))
    Rewriter.replace_op(load, [], [value])
    return True


def _rows(load: ocl.LoadOp, facts: Uniformity, dimension: int) -> tuple[Block, SSAValue] | None:
    """The loads under masks, in a block of their own, and their result."""
    strides = (0, size_of(load.result.type), -size_of(load.result.type))
    if load.index is None or access_stride(facts, load, dimension) in strides:
        return None
    rows = _Rows(load, facts, dimension)
    block = Block()
    value = rows.load(Build(load, block), load.index)
    found = [access_stride(facts, row, dimension) for row in rows.loads]
    if not 2 <= len(found) <= MOST_ROWS or not all(stride in strides for stride in found):
        block.erase()
        return None
    return block, value


class _Rows:
    """The loads that a load becomes, with what is known of them."""

    def __init__(self, load: ocl.LoadOp, facts: Uniformity, dimension: int):
        self._load, self._facts, self._dimension = load, facts, dimension
        self.loads: list[ocl.LoadOp] = []

    def load(self, build: Build, index: SSAValue) -> SSAValue:
        """The element at an index."""
        selection = self._varying_selection(index) if len(self.loads) < MOST_ROWS else None
        if selection is None:
            self.loads.append(row := self._copy(index))
            return build.emit(row)

        def of_side(side: int) -> Sequence[SSAValue]:
            at = self._with(build, index, self._side(build, selection, side))
            if side == 1 and self._is_agreed(selection):
                return [build.emit(self._copy(at))]
            return [self.load(build, at)]

        condition = self._condition(build, selection)
        return build.choose(condition, lambda: of_side(0), lambda: of_side(1))[0]

    def _varying_selection(self, index: SSAValue) -> Operation | None:
        for selection in _selections(index):
            if not self._is_agreed(selection) or isinstance(selection, scf.IfOp):
                return selection
        return None

    def _is_agreed(self, selection: Operation) -> bool:
        """Whether neighbours are on the same side."""
        deciding = map(self._facts.lanes, _deciding(selection))
        return all(lanes.strides[self._dimension] == 0 for lanes in deciding)

    def _copy(self, index: SSAValue) -> ocl.LoadOp:
        copy = self._load.clone()
        copy.operands[1] = index
        return copy

    def _condition(self, build: Build, selection: Operation) -> SSAValue:
        if isinstance(selection, arith.SelectOp | scf.IfOp):
            return selection.operands[0]
        kind, (x, y) = type(selection), selection.operands
        if isinstance(x.owner, Operation) and isinstance(x.owner, _OTHER_EXTREMES[kind]):
            # Of ids and bounds, which need no lanes of 64 bits as extremes of them do.
            sides = [build.compare(_EXTREMES[kind], side, y) for side in x.owner.operands]
            return build.and_(*sides)
        return build.compare(_EXTREMES[kind], x, y)

    def _side(self, build: Build, selection: Operation, side: int) -> dict[SSAValue, SSAValue]:
        """The results of a selection -> their values on one side of it."""
        if not isinstance(selection, scf.IfOp):
            return {selection.results[0]: selection.operands[-2:][side]}
        copies: dict[SSAValue, SSAValue] = {}
        *body, last = selection.regions[side].block.ops
        for op in body:
            build.emit_void(copy := op.clone(copies))
            self._facts.visit(copy)
        yielded = (copies.get(value, value) for value in last.operands)
        return dict(zip(selection.results, yielded, strict=True))

    def _with(self, build: Build, value: SSAValue, known: dict[SSAValue, SSAValue]) -> SSAValue:
        """A value that is computed from others instead of those that are `known`."""
        if value in known:
            return known[value]
        op = value.owner
        result = value
        if isinstance(op, Operation) and isinstance(op, (*_LINEAR, arith.SelectOp, *_EXTREMES)):
            operands = [self._with(build, each, known) for each in op.operands]
            if any(x is not y for x, y in zip(operands, op.operands, strict=True)):
                copy = op.clone()
                copy.operands = operands
                result = build.emit(copy)
                self._facts.visit(copy)
        known[value] = result
        return result


def _selection(index: SSAValue) -> Operation | None:
    return next(_selections(index), None)


def _selections(index: SSAValue) -> Iterator[Operation]:
    """What an index is a sum of and that is one of two values, the last one first."""
    todo, seen = [index], {index}
    while todo:
        op = todo.pop(0).owner
        if isinstance(op, Block):
            continue
        if isinstance(op, (arith.SelectOp, *_EXTREMES)):
            yield op
            more = list(op.operands[-2:])
        elif isinstance(op, scf.IfOp) and _computes(op):
            yield op
            continue
        elif isinstance(op, _LINEAR):
            more = list(op.operands)
        else:
            continue
        for value in more:
            if value not in seen:
                seen.add(value)
                todo.append(value)


def _computes(op: scf.IfOp) -> bool:
    """Whether a branch does nothing but compute its results, without branches of its own."""
    inside = operations_in(op)
    return all(not each.regions and is_side_effect_free(each) for each in inside if each is not op)


def _deciding(selection: Operation) -> list[SSAValue]:
    """The values that decide which side a selection is."""
    if isinstance(selection, arith.SelectOp | scf.IfOp):
        return [selection.operands[0]]
    return list(selection.operands)
