"""`split-carried-vectors`: loops that move a vector of integers carry its elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import carry_also
from polycl.lowering.ocl.remove_dead_values import remove_dead_values
from polycl.lowering.ocl.split_vectors import Elements, is_split, replace_by_element
from polycl.remarks import emit_remark

MOST_VECTORS = 64
"""That a loop computes."""

_Loop = scf.WhileOp | scf.ForOp


@dataclass(frozen=True)
class SplitCarriedVectorsPass(ModulePass):
    """Carry the elements of a vector of integers that a loop moves.

    ```
    scf.while (%at = %start) {                          scf.while (%x = %x0, %y = %y0) {
      %x = vector.extract %at[0]
      %go = arith.cmpi slt, %x, %n                        %go = arith.cmpi slt, %x, %n
      scf.condition(%go) %at                       ->     scf.condition(%go) %x, %y
    } do {                                              } do {
      ... %at ...                                         ... %x, %y ...
      %next = vector.insert %x + 1, %at[0]
      scf.yield %next                                     scf.yield %x + 1, %y
    }                                                   }
    ```

    So `for (int2 d = -1; d.y <= 1; d.y++)` is a loop that `count-loops` knows. This is so if the
    loop reads an element, and all elements are computed from scalars, as in `split-vectors`. What
    needs the whole vector joins them.
    """

    name = "split-carried-vectors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, ocl.KernelOp) and len(kernel.body.blocks) == 1:
                if carried := _that_are_split(kernel):
                    _split(kernel, carried)


@dataclass(frozen=True)
class _Carried:
    """A vector that a loop carries."""

    loop: _Loop
    number: int
    """Among what the loop carries."""

    @property
    def start(self) -> SSAValue:
        loop = self.loop
        return (loop.iter_args if isinstance(loop, scf.ForOp) else loop.arguments)[self.number]

    @property
    def end(self) -> SSAValue:
        return terminator(_last_block(self.loop)).operands[self.number]

    @property
    def values(self) -> list[SSAValue]:
        """What has the vector in the loop, and after it."""
        if isinstance(self.loop, scf.ForOp):
            args = [self.loop.body.block.args[self.number + 1]]
        else:
            args = [region.block.args[self.number] for region in self.loop.regions]
        return [*args, self.loop.results[self.number]]


def _last_block(loop: _Loop) -> Block:
    return loop.regions[-1].block


def _that_are_split(kernel: ocl.KernelOp) -> list[_Carried]:
    """The vectors that consist of scalars if all of these do."""
    found = [
        each
        for op in operations_in(kernel.body)
        if isinstance(op, _Loop) and any(is_split(result.type) for result in op.results)
        if _is_short(op)
        if isinstance(op, scf.ForOp) or passes_all_on(op)
        for each in (_Carried(op, number) for number in range(len(op.results)))
        if is_split(each.start.type) and _reads_an_element(each)
    ]
    while found:
        elements = Elements(value for each in found for value in each.values)
        kept = [e for e in found if elements.are_known(e.start) and elements.are_known(e.end)]
        if len(kept) == len(found):
            break
        found = kept
    return found


def _is_short(loop: _Loop) -> bool:
    """Whether a loop has few vectors: hash functions compute with whole ones."""
    count = 0
    for op in loop.walk():
        count += any(is_split(result.type) for result in op.results)
    return count <= MOST_VECTORS


def _reads_an_element(carried: _Carried) -> bool:
    """Whether an iteration reads an element of the vector, or of what is computed of it."""
    todo = carried.values[:-1]
    seen = set(todo)
    while todo:
        for use in todo.pop().uses:
            if isinstance(use.operation, vector.ExtractOp):
                return True
            new = {each for each in use.operation.results if is_split(each.type)} - seen
            if not use.operation.regions and carried.loop.is_ancestor(use.operation):
                todo += [each for each in use.operation.results if each in new]
                seen |= new
    return False


def _split(kernel: ocl.KernelOp, carried: Sequence[_Carried]) -> None:
    elements = Elements(value for each in carried for value in each.values)
    loops = dict.fromkeys(each.loop for each in carried)
    split: list[_Carried] = []
    # The outermost first: an inner loop begins with what is carried around it.
    for loop in loops:
        emit_remark(loop, SplitCarriedVectorsPass.name, "carries the elements of a vector")
        numbers = [each.number for each in carried if each.loop is loop]
        new = _with_elements(loop, numbers, elements)
        split += [_Carried(new, number) for number in numbers]
    for loop in reversed(list(dict.fromkeys(each.loop for each in split))):
        moved = [each for each in split if each.loop is loop]
        ends = [_elements_of(each.end, elements) for each in moved]
        end = terminator(_last_block(loop))
        end.operands = [*end.operands, *(scalar for scalars in ends for scalar in scalars)]
        for each, scalars in zip(moved, ends, strict=True):
            *_, last, _ = each.values
            for position, scalar in enumerate(scalars):
                if scalar is elements.element(last, position):
                    _forward(each, position, elements)
    for op in operations_in(kernel.body):
        if isinstance(op, vector.ExtractOp) and not op.dynamic_position:
            replace_by_element(op, elements)
    for each in split:
        for value in each.values:
            _join(value, each.loop, elements)
    remove_dead_values(kernel)


def _elements_of(value: SSAValue, elements: Elements) -> list[SSAValue]:
    return [elements.element(value, position) for position in range(count_of(value.type))]


def _with_elements(loop: _Loop, numbers: Sequence[int], elements: Elements) -> _Loop:
    """The loop that carries the elements of some vectors as well; the end of an iteration lacks
    them."""
    each = [_elements_of(_Carried(loop, number).start, elements) for number in numbers]
    starts = [start for group in each for start in group]
    types = [start.type for start in starts]
    new = carry_also(loop, starts)
    added: list[Sequence[SSAValue]] = []
    for region in new.regions:
        block = region.block
        added.append([block.insert_arg(type, len(block.args)) for type in types])
    if isinstance(new, scf.WhileOp):
        condition = condition_of(new)
        condition.operands = [*condition.operands, *added[0]]
    added.append(new.results[-len(starts) :])
    first = 0
    for number, group in zip(numbers, each, strict=True):
        last = first + len(group)
        for value, scalars in zip(_Carried(new, number).values, added, strict=True):
            for position, scalar in enumerate(scalars[first:last]):
                scalar.name_hint = value.name_hint
                elements.note(value, position, scalar)
        first = last
    return new


def _forward(carried: _Carried, position: int, elements: Elements) -> None:
    """Read an element that the loop does not change as it is before the loop."""
    start, loop = elements.element(carried.start, position), carried.loop
    ends = [terminator(region.block) for region in loop.regions]
    for value in carried.values:
        scalar = elements.element(value, position)
        scalar.replace_uses_with_if(start, lambda use: use.operation not in ends)
        elements.note(value, position, start)


def _join(value: SSAValue, loop: _Loop, elements: Elements) -> None:
    """Let what needs the whole vector, in the loop or after it, join its elements."""
    ends = [terminator(region.block) for region in loop.regions]
    uses = [use for use in value.uses if use.operation not in ends]
    if uses:
        joined = Build.after(value).joined(_elements_of(value, elements))
        for use in uses:
            use.operation.operands[use.index] = joined
