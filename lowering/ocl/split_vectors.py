"""`split-vectors`: vectors of integers that are made of scalars, such as coordinates, go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, vec
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in
from polycl.dialects.ocl import KernelLike
from polycl.dialects.vec import SCALAR_FORMS, count_of, element_of
from polycl.lowering.build import Build

ELEMENTWISE = (
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp,
    arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp,
    arith.AndIOp, arith.OrIOp, arith.XOrIOp,
    arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp,
)  # fmt: skip
CASTS = (vec.ExtSIOp, vec.ExtUIOp, vec.TruncIOp, vec.IndexCastOp)


@dataclass(frozen=True)
class SplitVectorsPass(ModulePass):
    """Compute an element that is extracted from a vector of integers by scalar operations.

    ```
    %at = vector.insert %y, %v [1] : ...                %left = arith.subi %x, %c1 : i32
    %from = arith.subi %at, %d : vector<2xi32>     ->
    %left = vector.extract %from[0] : ...
    ```

    This is so if the vector is computed from scalars alone: `int2` coordinates then are indices
    like others. Vectors from memory stay, as well as those with more than four elements, those of
    8 and 16 bits, and those that loops carry (`split-carried-vectors` runs before).
    """

    name = "split-vectors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, KernelLike):
            elements = Elements()
            for inner in operations_in(kernel.body):
                if isinstance(inner, vector.ExtractOp) and not inner.dynamic_position:
                    replace_by_element(inner, elements)
            for inner in reversed(operations_in(kernel.body)):
                is_vector = any(isinstance(r.type, VectorType) for r in inner.results)
                if is_vector and not inner.regions and is_side_effect_free(inner):
                    if all(result.first_use is None for result in inner.results):
                        Rewriter.erase_op(inner)


def is_split(type: Attribute) -> bool:
    """Whether a vector may be one of coordinates."""
    if not isinstance(type, VectorType) or not isinstance(type.element_type, IntegerType):
        return False
    return type.element_count() <= 4 and type.element_type.width.data not in (8, 16)


def replace_by_element(extract: vector.ExtractOp, elements: Elements) -> None:
    """Extract an element by computing it, if all elements are known."""
    positions = extract.static_position.get_values()
    if len(positions) != 1 or not elements.are_known(extract.vector):
        return
    element = elements.element(extract.vector, int(positions[0]))
    Rewriter.replace_op(extract, [], [element])


class Elements:
    """The elements of vectors, each computed right after its vector."""

    def __init__(self, given: Iterable[SSAValue] = ()) -> None:
        """Of `given` vectors, `note` says what the elements are."""
        self._known: dict[tuple[SSAValue, int], SSAValue] = {}
        self._are_known = dict.fromkeys(given, True)

    def note(self, value: SSAValue, position: int, element: SSAValue) -> None:
        """Say what an element of a given vector is."""
        self._are_known[value] = True
        self._known[value, position] = element

    def are_known(self, value: SSAValue) -> bool:
        """Whether all elements are computed from scalars."""
        if value not in self._are_known:
            self._are_known[value] = self._find_known(value)
        return self._are_known[value]

    def _find_known(self, value: SSAValue) -> bool:
        op = value.owner
        if not is_split(value.type):
            return False
        match op:
            case ocl.ConcatOp():
                return all(
                    not isinstance(part.type, VectorType) or self.are_known(part)
                    for part in op.parts
                )
            case vector.InsertOp():
                if op.dynamic_position or isinstance(op.source.type, VectorType):
                    return False
                # The other elements are inserted, too, or the vector is partly from elsewhere.
                return sets_all(op) or self.are_known(op.dest)
            case vector.BroadcastOp():
                return not isinstance(op.source.type, VectorType)
            case arith.ConstantOp():
                return True
            case _ if isinstance(op, (*ELEMENTWISE, *CASTS, vec.CmpiOp)):
                return all(map(self.are_known, op.operands))
            case vec.SelectOp():
                return all(map(self.are_known, op.operands))
            case arith.SelectOp():
                return self.are_known(op.lhs) and self.are_known(op.rhs)
            case _:
                return False

    def element(self, value: SSAValue, position: int) -> SSAValue:
        key = value, position
        if key not in self._known:
            element = self._computed(value, position)
            # Of another vector: the extraction will be replaced.
            source = element.owner
            if isinstance(source, vector.ExtractOp) and not source.dynamic_position:
                numbers = source.static_position.get_values()
                if len(numbers) == 1 and self.are_known(source.vector):
                    element = self.element(source.vector, int(numbers[0]))
            self._known[key] = element
        return self._known[key]

    def _computed(self, value: SSAValue, position: int) -> SSAValue:
        assert isinstance(value, OpResult)
        op, build = value.op, Build.after(value)
        match op:
            case vector.InsertOp():
                if op.static_position.get_values() == (position,):
                    return op.source
                return self.element(op.dest, position)
            case ocl.ConcatOp():
                for part in op.parts:
                    if position < count_of(part.type):
                        is_scalar = not isinstance(part.type, VectorType)
                        return part if is_scalar else self.element(part, position)
                    position -= count_of(part.type)
                raise AssertionError(position)
            case vector.BroadcastOp():
                return op.source
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as numbers):
                all: list[Any] = list(numbers.get_values())
                number = int(all[position if len(all) > 1 else 0])
                return build.constant(number, element_of(value.type))
            case arith.SelectOp():
                sides = [self.element(side, position) for side in (op.lhs, op.rhs)]
                return build.select(op.cond, *sides)
            case _:
                operands = [self.element(operand, position) for operand in op.operands]
                return of_elements(op, operands, build)


def of_elements(op: Operation, operands: list[SSAValue], build: Build) -> SSAValue:
    """What an operation on vectors computes of one element of each."""
    kind: Any = type(op)
    match op:
        case vec.CmpiOp():
            predicate = predicate_of(op)
            # A vector's condition is -1 or 0, and asks for its sign where it is used.
            source = operands[0].owner
            if predicate == "slt" and constant_value(operands[1]) == 0:
                if isinstance(source, arith.ExtSIOp) and source.input.type == IntegerType(1):
                    return source.input
            return build.compare(predicate, *operands)
        case vec.SelectOp():
            return build.select(*operands)
        case _ if isinstance(op, CASTS):
            element: Any = element_of(op.results[0].type)
            return build.emit(vec.cast(SCALAR_FORMS[kind], operands[0], element))
        case _:
            return build.emit(kind(*operands))


def sets_all(insert: vector.InsertOp) -> bool:
    """Whether a chain of inserts sets all elements."""
    assert isinstance(insert.result.type, VectorType)
    missing = set(range(insert.result.type.element_count()))
    value: SSAValue = insert.result
    while isinstance(op := value.owner, vector.InsertOp) and not op.dynamic_position:
        missing -= set(op.static_position.get_values())
        value = op.dest
    return not missing
