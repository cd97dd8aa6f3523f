"""`promote-private-arrays`: private arrays whose indices are known become SSA values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.promote_private_memory import promote
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.remarks import emit_remark
from polycl.symbolic import integer

MOST_ELEMENTS = 64
"""More values do not fit the registers, whatever their form."""

MOST_OPERATIONS = 3000
"""Of a kernel after its loops are unrolled."""

MOST_ADDED = 400
"""Operations that unrolling adds to a kernel without barriers: LLVM unrolls loops, too."""


@dataclass(frozen=True)
class PromotePrivateArraysPass(ModulePass):
    """Turn the elements of private arrays into SSA values.

    ```
    %sum = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
    scf.for %i = %c0 to %c2 step %c1 {
      %v = ocl.load %sum[%i]                      %sum0 = arith.addf %sum_0, %a
      %w = arith.addf %v, %a             ->       %sum1 = arith.addf %sum_1, %a
      ocl.store %w, %sum[%i]
    }
    ```

    Loops whose counters are in an index are unrolled, if their bounds are constant and the kernel
    stays below 3000 operations or does not grow, and without barriers grows by at most 400; then
    all indices of the array must be known. An array of a work-item would be memory, where
    neighbours are far apart after a barrier, and if its elements are vectors; what is computed from
    an element, such as an address, is only known of a value. Arrays of more than 64 elements, and
    arrays whose address escapes or that are read as other types, stay.
    """

    name = "promote-private-arrays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, ocl.KernelOp) and len(kernel.body.blocks) == 1:
                # The elements of an array may be indices of others.
                while self._promote_some(kernel):
                    pass

    def _promote_some(self, kernel: ocl.KernelOp) -> bool:
        """Promote the arrays whose indices are known; whether there were any."""
        promoted: list[ocl.AllocaOp] = []
        size = _Size.of(kernel)
        for alloca in [inner for inner in kernel.body.block.ops if isinstance(inner, ocl.AllocaOp)]:
            loops = _loops_to_unroll(alloca, size)
            if loops:
                _unroll_all(loops)
                size = _Size.of(kernel)
            if loops is not None and _is_promoted(alloca):
                promoted.append(alloca)
        for alloca in promoted:
            emit_remark(alloca, self.name, f"'{alloca.result.name_hint}' is in registers")
            _split(alloca)
        if promoted:
            promote(kernel.body.block)
        return bool(promoted)


class _Refusal(Exception):
    """The array stays in memory."""


@dataclass(frozen=True)
class _Access:
    op: ocl.LoadOp | ocl.StoreOp
    element: Linear
    """The number of the element."""
    parts: int = 1
    """Into how many parts each element is divided, which `element` counts then."""


@dataclass(frozen=True)
class _Size:
    """What is counted once for all arrays of a kernel."""

    operations: int
    has_barriers: bool

    @classmethod
    def of(cls, kernel: ocl.KernelOp) -> _Size:
        operations = list(kernel.body.walk())
        barriers = any(isinstance(op, ocl.BarrierOp) for op in operations)
        return cls(len(operations), barriers)


def _loops_to_unroll(alloca: ocl.AllocaOp, size: _Size) -> set[scf.ForOp] | None:
    """The loops without which all indices of an array may be known; None if it stays in memory."""
    pointee = pointer_type(alloca.result).pointee
    if not isinstance(pointee, ocl.ArrayType) or _count(pointee) > MOST_ELEMENTS:
        return None
    try:
        accesses = list(_accesses(alloca.result, integer(0), _leaf(pointee)))
        loops = {loop for access in accesses for loop in _loops_of(access)}
    except _Refusal:
        return None
    added = sum(
        _count_unrolled(loop, loops) - _count_unrolled(loop, set())
        for loop in loops
        if not any(other.is_ancestor(loop) for other in loops - {loop})
    )
    # No access is left.
    grown = added - sum(_copies(access.op, loops) for access in accesses)
    if grown > max(MOST_OPERATIONS - size.operations, 0):
        return None
    if added > MOST_ADDED and not size.has_barriers:
        return None
    return loops


def _is_promoted(alloca: ocl.AllocaOp) -> bool:
    """Whether all indices of an array are numbers within it."""
    pointee = pointer_type(alloca.result).pointee
    accesses = list(_accesses(alloca.result, integer(0), _leaf(pointee)))
    most = _count(pointee)
    return all(0 <= access.element.number < most * access.parts for access in accesses)


def _leaf(type: Attribute) -> Attribute:
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type


def _count(type: Attribute) -> int:
    """The number of elements of an array of arrays; 1 for anything else."""
    count = 1
    while isinstance(type, ocl.ArrayType):
        count *= type.size.data
        type = type.element
    return count


def _accesses(
    pointer: SSAValue, element: Linear, leaf: Attribute, parts: int = 1
) -> Iterator[_Access]:
    """The loads and stores through a pointer to an array, an element of it, or one of the `parts`
    of an element that is a vector.

    Raises:
        _Refusal: there are other uses.
    """
    pointee = pointer_type(pointer).pointee
    if parts == 1 and isinstance(leaf, VectorType) and pointee == leaf.element_type:
        leaf, parts = pointee, stride_of(leaf) // stride_of(pointee)
        element = element * parts
    if _leaf(pointee) != leaf or pointer_type(pointer).address_space != ocl.AddressSpace.PRIVATE:
        raise _Refusal
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op:
                yield from _accesses(op.result, element, leaf, parts)
            case ocl.OffsetOp() as op:
                moved = element + linear(op.index) * _count(pointee)
                yield from _accesses(op.result, moved, leaf, parts)
            case ocl.LoadOp() | ocl.StoreOp() as op:
                is_pointer = isinstance(op, ocl.LoadOp) or use.index == 1
                if pointee != leaf or op.volatile is not None or not is_pointer:
                    raise _Refusal
                moved = element if op.index is None else element + linear(op.index)
                yield _Access(op, moved, parts)
            case _:
                raise _Refusal


def _loops_of(access: _Access) -> Iterator[scf.ForOp]:
    """The loops whose counters are in an index.

    Raises:
        _Refusal: the index depends on something else, or the bounds of a loop are not constant.
    """
    for value in access.element.factors:
        loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
        if not isinstance(loop, scf.ForOp) or value is not loop.body.block.args[0]:
            raise _Refusal
        if any(constant_value(bound) is None for bound in (loop.lb, loop.ub, loop.step)):
            raise _Refusal
        yield loop


def _rounds(loop: scf.ForOp) -> range:
    lb, ub, step = map(constant_value, (loop.lb, loop.ub, loop.step))
    assert lb is not None and ub is not None and step is not None
    return range(lb, ub, step)


def _count_unrolled(op: Operation, loops: set[scf.ForOp]) -> int:
    """The number of operations, with those inside, after loops were unrolled."""
    inner = sum(
        _count_unrolled(one, loops)
        for region in op.regions
        for block in region.blocks
        for one in block.ops
    )
    return 1 + inner * (len(_rounds(op)) if isinstance(op, scf.ForOp) and op in loops else 1)


def _copies(op: Operation, loops: set[scf.ForOp]) -> int:
    """How often an operation is there after loops were unrolled."""
    return prod(len(_rounds(loop)) for loop in loops if loop.is_ancestor(op))


def _unroll_all(loops: set[scf.ForOp]) -> None:
    # The innermost first: it is copied with what was unrolled.
    while loops:
        loop = next(one for one in loops if not any(one.is_ancestor(o) for o in loops - {one}))
        loops.remove(loop)
        _unroll(loop)


def _unroll(loop: scf.ForOp) -> None:
    values = list(loop.iter_args)
    for number in _rounds(loop):
        counter = Build(loop).constant(number, loop.lb.type)
        body = loop.body.block
        copies = copy_of(body, [counter, *values], InsertPoint.before(loop))
        values = [copies.get(value, value) for value in terminator(body).operands]
    Rewriter.replace_op(loop, [], values)


def _split(alloca: ocl.AllocaOp) -> None:
    """Give each element memory of its own."""
    leaf = _leaf(pointer_type(alloca.result).pointee)
    elements: dict[int, SSAValue] = {}
    for access in list(_accesses(alloca.result, integer(0), leaf)):
        number, part = divmod(access.element.number, access.parts)
        if number not in elements:
            element = Build(alloca).emit(ocl.AllocaOp(leaf))
            element.name_hint = f"{alloca.result.name_hint or 'v'}_{number}"
            elements[number] = element
        build = Build(access.op)
        pointer, index = elements[number], None
        if access.parts > 1:
            type = pointer_type(access.op.pointer)
            pointer, index = build.emit(ocl.CastOp(pointer, type)), build.index(part)
        if isinstance(access.op, ocl.LoadOp):
            value = build.emit(ocl.LoadOp(pointer, index))
            Rewriter.replace_op(access.op, [], [value])
        else:
            build.emit_void(ocl.StoreOp(access.op.value, pointer, index))
            Rewriter.erase_op(access.op)
    _erase_unused(alloca)


def _erase_unused(op: Operation) -> None:
    """Erase an allocation and the pointers into it."""
    for use in list(op.results[0].uses):
        _erase_unused(use.operation)
    Rewriter.erase_op(op)
