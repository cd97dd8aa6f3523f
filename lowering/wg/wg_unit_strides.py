"""`wg-unit-strides`: groups whose arrays have the stride 1, or pixels of 3 or 4 numbers, read and
write rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import size_of_access
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.build import Build
from polycl.lowering.wg.two_versions import MOST_OPERATIONS, is_too_large, two_versions
from polycl.remarks import emit_remark

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_SUMS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, *_CASTS)

_COMPARISONS = (arith.CmpiOp, arith.MinSIOp, arith.MaxSIOp)

_CHANNELS = (3, 4)
"""The numbers of a pixel in pictures with colours."""

_STEPS = (1, 2)
"""The steps of a window that moves over an array."""

_MOST_OF_PIXELS = MOST_OPERATIONS // len(_CHANNELS)
"""Operations of a region with versions for pixels or steps, of which there are several."""


@dataclass(frozen=True)
class WgUnitStridesPass(ModulePass):
    """Give a region whose neighbours are an argument apart a version in which they are adjacent.

    ```
    wg.parallel (%x, %y, %z) in ... {            %one = arith.cmpi eq, %inc, %c1 : index
      %at = arith.muli %x, %inc : index          scf.if %one {
      ocl.load %p[%at]                             wg.parallel (%x, %y, %z) in ... {
    }                                       ->       ocl.load %p[%x]
                                                   }
                                                 } else {
                                                   wg.parallel ...                  // as it was
                                                 }
    ```

    Functions on vectors (BLAS) and on pictures take such arguments, and mostly get 1. The product
    is an address without what loops count: `row * width + k` is the place of a row, whose width is
    not 1. It may be one with multiples of another argument: `x * stride + k * dilation` is a tap of
    a convolution. Strides in bytes, as tensors have them (`*(float *)(p + x * stride)`), are the
    size of an element there. All strides of a region have to be so. A region of more than 400
    operations stays whole.

    Where ids along two dimensions are multiplied by it, as in `(y * width + x) * channels`, the
    argument is the size of a pixel, and there are versions for 3 and 4, too, of a region of at most
    200 operations: what is so far apart is accessed in rows. Where a window moves by it, as in
    `x * stride + k` with a counter `k` and a comparison with a border, there are versions for 1 and
    2.
    """

    name = "wg-unit-strides"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [
                region
                for region in operations_of(function.body, wg.ParallelOp)
                if any(_argument(value) for op in _products(region) for value in op.operands)
            ]
            if not regions:
                continue
            for region in regions:
                _move_parts_out(region)
            facts = Uniformity(function)
            for region in regions:
                found = [_stride(op, region, facts) for op in _products(region)]
                strides: dict[SSAValue, int] = {}
                for argument, unit in filter(None, found):
                    strides.setdefault(argument, unit)
                steps = [step for step in _steps(region, facts) if step not in strides]
                channels = [c for c in _channels(region, facts) if c not in steps]
                if not (strides or channels or steps) or is_too_large(region, self.name):
                    continue
                if strides:
                    emit_remark(region, self.name, "two versions: neighbours are adjacent in one")
                    copy = _version(region, strides)
                    for product, stride in zip(_products(copy), found, strict=True):
                        if stride is not None:
                            factor = product.operands[_argument(product.lhs) is stride[0]]
                            times = _times(product, factor, strides[stride[0]])
                            Rewriter.replace_op(product, [], [times])
                for arguments, numbers, what in (
                    (channels, _CHANNELS, "pixels are {} numbers"),
                    (steps, _STEPS, "windows move by {}"),
                ):
                    if not arguments or is_too_large(region, self.name, _MOST_OF_PIXELS):
                        continue
                    for number in numbers:
                        emit_remark(region, self.name, f"version: {what.format(number)}")
                        _set(_version(region, dict.fromkeys(arguments, number)), arguments, number)


def _move_parts_out(region: wg.ParallelOp) -> None:
    """Move parts of struct arguments before a region: comparisons there read them, and the copies
    of a region share them."""
    for op in operations_of(region.body, ocl.ExtractOp):
        if _argument(op.result) is not None:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(region))


def _version(region: wg.ParallelOp, numbers: dict[SSAValue, int]) -> wg.ParallelOp:
    """A copy of the region that runs where all arguments are those numbers."""
    build = Build(region)
    tests = [
        build.compare("eq", argument, build.constant(number, argument.type))
        for argument, number in numbers.items()
    ]
    return two_versions(region, reduce(build.and_, tests))


def _set(region: wg.ParallelOp, arguments: list[SSAValue], number: int) -> None:
    """Put a number in the place of arguments in a region."""
    build = Build(region, constants={})
    for op in operations_in(region.body):
        for i, operand in enumerate(op.operands):
            if (
                isinstance(operand.type, IntegerType | IndexType)
                and _argument(operand) in arguments
            ):
                op.operands[i] = build.constant(number, operand.type)


def _times(product: arith.MuliOp, factor: SSAValue, unit: int) -> SSAValue:
    """A product with a stride where that is `unit`."""
    if unit == 1:
        return factor
    build = Build(product)
    return build.mul(factor, build.constant(unit, factor.type))


def _products(region: wg.ParallelOp) -> list[arith.MuliOp]:
    return operations_of(region.body, arith.MuliOp)


def _stride(
    op: arith.MuliOp, region: wg.ParallelOp, facts: Uniformity
) -> tuple[SSAValue, int] | None:
    """The argument by which an address grows from one neighbour to the next, and what it is where
    they are adjacent."""
    for number, stride in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        argument = _argument(stride)
        if argument is not None and facts.lanes(number).x == 1:
            unit = next(_units(op.result, region), None)
            if unit is not None:
                return argument, unit
    return None


def _channels(region: wg.ParallelOp, facts: Uniformity) -> list[SSAValue]:
    """The arguments by which ids along x and along another dimension are multiplied, or along x,
    and bound those along z."""
    found: dict[SSAValue, set[int]] = {}
    for op in operations_of(region.body, arith.MuliOp, arith.CmpiOp):
        for number, factor in (op.operands, reversed(op.operands)):
            argument = _argument(factor)
            if argument is None:
                continue
            along = _dimensions(number, region)
            if isinstance(op, arith.CmpiOp):
                along &= {2}
            elif facts.lanes(number).x not in (1, -1):
                along -= {0}
            found.setdefault(argument, set()).update(along)
    return [argument for argument, along in found.items() if 0 in along and len(along) > 1]


def _steps(region: wg.ParallelOp, facts: Uniformity) -> list[SSAValue]:
    """The arguments by which a window moves from one neighbour to the next: `x * stride + k` with a
    counter `k`, or with a loop that counts from it, is compared with something, as at a border, or
    `y * stride + j` is there, too. Else, or if loops count to it, it may be the length of a row."""
    ends = {
        _argument(bound)
        for loop in operations_of(region.body, scf.ForOp)
        for bound in (loop.lb, loop.ub)
    }
    along_others: set[SSAValue] = set()
    along_x: dict[SSAValue, bool] = {}
    for op in _products(region):
        for number, factor in (op.operands, reversed(op.operands)):
            argument = _argument(factor)
            if argument is None or argument in ends:
                continue
            along = _dimensions(number, region)
            if along == {0} and facts.lanes(number).x == 1:
                counted = [sum for sum in _sums(op.result) if _counts(sum, region)]
                starts = any(map(_is_start, _sums(op.result)))
                if starts or any(map(_is_index, counted)):
                    is_compared = starts or any(map(_is_compared, counted))
                    along_x[argument] = along_x.get(argument, False) or is_compared
            elif along and 0 not in along:
                along_others.add(argument)
    return [x for x, is_compared in along_x.items() if is_compared or x in along_others]


def _sums(value: SSAValue) -> list[SSAValue]:
    """A value, and the sums that it is a part of, clamped ones, too."""
    found = [value]
    for sum in found:
        for use in sum.uses:
            user = use.operation
            if isinstance(
                user, (arith.AddiOp, arith.SubiOp, arith.MinSIOp, arith.MaxSIOp, *_CASTS)
            ):
                found += [result for result in user.results if result not in found]
    return found


def _is_index(value: SSAValue) -> bool:
    """Whether memory is accessed at a value."""
    users = [use.operation for use in value.uses]
    return any(isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.index is value for op in users)


def _is_start(value: SSAValue) -> bool:
    """Whether a loop counts from a value that a border bounds from below: rows begin where others
    end."""
    first = value
    while isinstance(first.owner, _CASTS):
        first = first.owner.operands[0]
    if not isinstance(first.owner, arith.MaxSIOp):
        return False
    return any(isinstance(use.operation, scf.ForOp) and use.index == 0 for use in value.uses)


def _is_compared(value: SSAValue) -> bool:
    return any(isinstance(use.operation, _COMPARISONS) for use in value.uses)


def _dimensions(value: SSAValue, region: wg.ParallelOp) -> set[int]:
    """The dimensions of the ids of which a number is a sum or product."""
    found: set[int] = set()
    todo, seen = [value], {value}
    while todo:
        owner = (value := todo.pop()).owner
        if value in region.local_ids:
            found.add(region.local_ids.index(value))
        elif isinstance(owner, ocl.GroupIdOp):
            found.add(owner.dimension)
        elif isinstance(owner, _SUMS):
            todo += [operand for operand in owner.operands if operand not in seen]
            seen.update(owner.operands)
    return found


def _argument(value: SSAValue) -> SSAValue | None:
    """The integer argument of the function that `value` is, or a part of a struct."""
    while isinstance(value.owner, _CASTS):
        value = value.owner.operands[0]
    block = value.owner
    while isinstance(block, ocl.ExtractOp):
        block = block.struct.owner
    is_argument = isinstance(block, Block) and isinstance(block.parent_op(), wg.FuncOp)
    return value if is_argument else None


def _units(value: SSAValue, region: wg.ParallelOp) -> Iterator[int]:
    """How much larger than a value is its neighbour's, where both access memory at it, plus what is
    the same in all iterations of loops, and are adjacent."""
    for use in value.uses:
        user = use.operation
        match user:
            case ocl.LoadOp() | ocl.StoreOp() if user.index is value:
                yield 1
            case ocl.OffsetOp() if not _counts(user.pointer, region):
                step = size_of(ocl.pointee_of(user.pointer))
                for size in _accessed_sizes(user.result, region):
                    # A larger one does not fit a stride of 8 bits.
                    if size % step == 0 and size // step < 128:
                        yield size // step
            case arith.AddiOp() | arith.SubiOp():
                if not _counts(user.operands[1 - use.index], region):
                    yield from _units(user.result, region)
            case _ if isinstance(user, _CASTS):
                yield from _units(user.results[0], region)
            case _:
                pass


def _accessed_sizes(pointer: SSAValue, region: wg.ParallelOp) -> Iterator[int]:
    """The sizes of what is accessed at a pointer, plus what is the same in all iterations."""
    for use in pointer.uses:
        user = use.operation
        match user:
            case ocl.LoadOp() | ocl.StoreOp() if user.pointer is pointer:
                if user.index is None or not _counts(user.index, region):
                    yield size_of_access(user)
            case ocl.OffsetOp() if not _counts(user.index, region):
                yield from _accessed_sizes(user.result, region)
            case ocl.CastOp():
                yield from _accessed_sizes(user.result, region)
            case _:
                pass


def _counts(value: SSAValue, region: wg.ParallelOp) -> bool:
    """Whether a value may be another one in each iteration of a loop in the region."""
    todo, seen = [value], {value}
    while todo:
        owner = todo.pop().owner
        if owner is region.body.block or not region.is_ancestor(owner):
            continue
        if isinstance(owner, arith.MuliOp) and any(map(_argument, owner.operands)):
            # A counter times another argument, a dilation, does not count elements of a row.
            continue
        if isinstance(owner, Block) or owner.regions:
            return True
        todo += [operand for operand in owner.operands if operand not in seen]
        seen.update(owner.operands)
    return False
