"""Arrays of which each access is of a whole element, or of an element of a vector."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import pointee_of, pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.promote_private_arrays.accesses import Access, count_of, leaf_of
from polycl.symbolic import integer


def split_elements(array: ocl.AllocaOp, accesses: Sequence[Access]) -> None:
    """Let `accesses` be of variables, one for each element of `array`."""
    leaf = leaf_of(pointee_of(array.result))
    elements: dict[int, SSAValue] = {}

    def element(number: int) -> SSAValue:
        if number not in elements:
            memory = Build(array).emit(ocl.AllocaOp(leaf))
            memory.name_hint = f"{array.result.name_hint or 'v'}_{number}"
            elements[number] = memory
        return elements[number]

    for access in accesses:
        op, build = access.op, Build(access.op)
        assert isinstance(op, ocl.LoadOp | ocl.StoreOp)
        if access.place.factors:
            assert access.index is not None
            count = count_of(pointee_of(array.result))
            _choose(op, _Choice(access.index, [element(number) for number in range(count)]))
            continue
        number, place = divmod(access.place.number, stride_of(leaf))
        pointer, index = element(number), None
        if access.type != leaf:
            pointer = build.emit(ocl.CastOp(pointer, pointer_type(op.pointer)))
            index = build.index(place // stride_of(access.type))
        if isinstance(op, ocl.LoadOp):
            Rewriter.replace_op(op, [], [build.emit(ocl.LoadOp(pointer, index))])
        else:
            build.emit_void(ocl.StoreOp(op.value, pointer, index))
            Rewriter.erase_op(op)


def _choose(op: ocl.LoadOp | ocl.StoreOp, choice: _Choice) -> None:
    """Replace an access of an element whose number is not known."""
    build = Build(op)
    if isinstance(op, ocl.LoadOp):
        Rewriter.replace_op(op, [], [choice.load(build)])
        return
    for number in sorted(choice.numbers):
        kept = build.emit(ocl.LoadOp(choice.elements[number]))
        value = build.select(choice.is_number(build, number), op.value, kept)
        build.emit_void(ocl.StoreOp(value, choice.elements[number]))
    Rewriter.erase_op(op)


class _Choice:
    """One of the elements of an array, by an index that is not known."""

    def __init__(self, index: SSAValue, elements: Sequence[SSAValue]):
        self.elements = elements
        self._index = _narrowed(index)
        self._steps: list[tuple[SSAValue, int, bool]] | None = []
        """Conditions, and numbers that the index is if they are true (or false), the last first."""
        self._last = 0
        self._follow(self._index)
        self.numbers = {number for _, number, _ in self._steps or ()} | {self._last}
        if self._steps is None:
            self.numbers = set(range(len(elements)))

    def _follow(self, value: SSAValue) -> None:
        """An index such as that of the least element was decided by one comparison for each."""
        offset = 0
        while True:
            number = linear(value) + integer(offset)
            if not number.factors and number.number in range(len(self.elements)):
                self._last = number.number
                return
            offset = number.number
            step = _decision(*number.factors) if list(number.factors.values()) == [1] else None
            assert self._steps is not None
            if step is None or len(self._steps) == len(self.elements):
                self._steps = None
                return
            condition, then, orelse = step
            is_then = not linear(then).factors
            known = linear(then if is_then else orelse) + integer(offset)
            if known.factors or known.number not in range(len(self.elements)):
                self._steps = None
                return
            self._steps.append((condition, known.number, is_then))
            value = orelse if is_then else then

    def load(self, build: Build) -> SSAValue:
        loaded = {n: build.emit(ocl.LoadOp(self.elements[n])) for n in sorted(self.numbers)}
        if self._steps is None:
            value = loaded.pop(0)
            for number, other in loaded.items():
                value = build.select(self.is_number(build, number), other, value)
            return value
        value = loaded[self._last]
        for condition, number, is_then in reversed(self._steps):
            pair = (loaded[number], value) if is_then else (value, loaded[number])
            value = build.select(condition, *pair)
        return value

    def is_number(self, build: Build, number: int) -> SSAValue:
        return build.compare("eq", self._index, build.constant(number, self._index.type))


def _narrowed(index: SSAValue) -> SSAValue:
    """An index in 32 bits, if it was extended: twice as many are compared at once."""
    op = index.owner
    if isinstance(op, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
        source = op.operands[0]
        if source.type == i32 or source.type == i64 and op.results[0].type == IndexType():
            return _narrowed(source)
    return index


def _decision(value: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue] | None:
    """The condition that decides between two values, and these."""
    op = value.owner
    if isinstance(op, arith.SelectOp):
        return op.cond, op.lhs, op.rhs
    if not isinstance(op, scf.IfOp) or not op.false_region.blocks:
        return None
    place = op.results.index(value)
    then, orelse = (
        terminator(region.block).operands[place] for region in (op.true_region, op.false_region)
    )
    is_outside = not any(_is_inside(one, op) for one in (then, orelse) if linear(one).factors)
    return (op.cond, then, orelse) if is_outside else None


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent_block()
    assert block is not None
    parent = block.parent_op()
    return parent is not None and op.is_ancestor(parent)
