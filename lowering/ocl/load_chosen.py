"""`load-chosen`: an element of a vector that a loop's counter chooses is loaded from its place."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.integers import compared
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark

MOST_ITERATIONS = 16
"""As many as a vector has elements."""

_Load = ocl.LoadOp | ocl.VLoadOp


@dataclass(frozen=True)
class LoadChosenPass(ModulePass):
    """Load the element that the counter of a loop chooses from a vector in memory.

    ```
    scf.for %k = %c0 to %c2 step %c1 {             scf.for %k = %c0 to %c2 step %c1 {
      %v = ocl.vload %in[%i] -> vector<2xf32>        %first = arith.muli %i, %c2
      %is_first = arith.cmpi eq, %k, %c0             %at = arith.addi %first, %k
      %x = vector.extract %v[0]               ->     %e = ocl.load %in[%at]
      %y = vector.extract %v[1]                      ...
      %e = arith.select %is_first, %x, %y
    ```

    So `k == 0 ? v.x : k == 1 ? v.y : ...` is an access like others, and the iterations can become
    work-items. The counter has known values, for each of which the element is as far from its
    place. Nothing writes to this memory between the vector's load and the choice; with `distinct`,
    parameters have arrays of their own.
    """

    name = "load-chosen"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            counters = _values(loop)
            # The last selection of a chain is first, so that those that it chooses from go with it.
            for select in reversed(operations_of(loop.body, arith.SelectOp) if counters else []):
                chosen = _chosen(select.result, loop.body.block.args[0], counters)
                if select.result.first_use is None:
                    Rewriter.erase_op(select)
                elif chosen is not None and self._is_unchanged(chosen[0], select):
                    emit_remark(select, self.name, "the counter chooses an element in memory")
                    _load(select, *chosen, loop.body.block.args[0])
        for load in operations_of(op, ocl.LoadOp, ocl.VLoadOp):
            extracts = [use.operation for use in load.result.uses]
            if extracts and all(
                isinstance(use, vector.ExtractOp) and use.result.first_use is None
                for use in extracts
            ):
                for extract in extracts:
                    Rewriter.erase_op(extract)
                Rewriter.erase_op(load)

    def _is_unchanged(self, load: _Load, select: arith.SelectOp) -> bool:
        """Whether memory has the loaded value where it is chosen."""
        between: list[Operation] = []
        last: Operation = select
        while last.parent is not load.parent:
            parent = last.parent_op()
            if parent is None:
                return False
            # What follows in a loop's body runs before the next iteration.
            between += operations_in(parent)
            last = parent
        op = load.next_op
        while op is not None and op is not last:
            between += [op, *(inner for region in op.regions for inner in operations_in(region))]
            op = op.next_op
        return op is last and all(self._keeps(op, load.pointer) for op in between if not op.regions)

    def _keeps(self, op: Operation, pointer: SSAValue) -> bool:
        match op:
            case ocl.StoreOp() | ocl.VStoreOp():
                return are_apart(op.pointer, pointer, self.distinct)
            case ocl.LoadOp() | ocl.VLoadOp() | scf.YieldOp() | scf.ConditionOp():
                return True
            case _:
                return is_side_effect_free(op)


def _values(loop: scf.ForOp) -> list[int]:
    """The counter's values in the iterations of a short loop that runs a known number of times."""
    count, first, step = trip_count(loop), constant_index(loop.lb), constant_index(loop.step)
    if count is None or first is None or step is None or not 2 <= count <= MOST_ITERATIONS:
        return []
    return [first + i * step for i in range(count)]


def _chosen(value: SSAValue, counter: SSAValue, counters: list[int]) -> tuple[_Load, int] | None:
    """The load of the vector of which `value` is an element, and its place less the counter."""
    found: set[tuple[SSAValue, int]] = set()
    for number in counters:
        element = _side(value, counter, number).owner
        if not isinstance(element, vector.ExtractOp) or element.dynamic_position:
            return None
        found.add((element.vector, int(element.static_position.get_values()[0]) - number))
    if len(found) != 1:
        return None
    [(whole, distance)] = found
    load = whole.owner
    if isinstance(load, ocl.VLoadOp) or (isinstance(load, ocl.LoadOp) and load.volatile is None):
        return load, distance
    return None


def _side(value: SSAValue, counter: SSAValue, number: int) -> SSAValue:
    """What is chosen where the counter is a number."""
    while isinstance(select := value.owner, arith.SelectOp):
        compare = select.cond.owner
        if not isinstance(compare, arith.CmpiOp):
            break
        operands = [
            number if _without_cast(operand) is counter else constant_value(operand)
            for operand in compare.operands
        ]
        if operands[0] is None or operands[1] is None:
            break
        value = select.lhs if compared(compare, operands[0], operands[1]) else select.rhs
    return value


def _without_cast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, arith.IndexCastOp):
        value = value.owner.input
    return value


def _load(select: arith.SelectOp, load: _Load, distance: int, counter: SSAValue) -> None:
    """Replace a selection by a load of the element at the counter and a distance."""
    build, type = Build(select), load.result.type
    assert isinstance(type, VectorType)
    pointer, index, size = load.pointer, load.index, type.element_count()
    if isinstance(load, ocl.LoadOp):
        # Vectors of three elements lie as those of four.
        size = size_of(type) // size_of(type.element_type)
        space = ocl.space_of(pointer)
        pointer = build.emit(ocl.CastOp(pointer, ocl.PtrType(type.element_type, space)))
    at = build.add(counter, build.index(distance)) if distance else counter
    if index is not None:
        at = build.add(build.mul(index, build.index(size)), at)
    element = build.emit(ocl.LoadOp(pointer, at))
    Rewriter.replace_op(select, [], [element])
