"""`wg-narrow-values`: integers that fit 16 bits are computed in 16 bits, parts of words in 32."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.intervals import Interval
from polycl.analysis.ocl.uniformity import Uniformity, element_number
from polycl.dialects import ocl, vec, wg
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import Kinds, operations_in, operations_of
from polycl.dialects.vec import both, count_of, element_of, width_of
from polycl.lowering.build import Build
from polycl.lowering.wg.before_vectors import Edit, edit_for_vectors
from polycl.lowering.wg.wg_narrow_values.early_cuts import cut_early
from polycl.lowering.wg.wg_narrow_values.needed_bounds import NeededBounds
from polycl.lowering.wg.wg_narrow_values.windows import window_edits
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accessed_type
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT
from polycl.remarks import emit_remark

BITS = 16
"""Of the narrow numbers: processors have hardly any arithmetic on vectors of bytes."""

COST = 3
"""Operations that a conversion to or from the wide type must save."""

DIVISION = 4
"""Operations that a division by a constant saves, too: of 32 bits it is two products of 64."""

WORD = 4
"""Bytes from one lane's element to the next, of which each lane has a whole word."""

_UNSIGNED, _SIGNED = (0, (1 << BITS) - 1), (-(1 << BITS - 1), (1 << BITS - 1) - 1)

_MODULAR = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp)
"""The low bits of their results depend on low bits only."""
_EXTREMES = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)
_SELECT, _COMPARE = both(arith.SelectOp), both(arith.CmpiOp)
_EXTENSIONS, _CUT = both(arith.ExtSIOp, arith.ExtUIOp), both(arith.TruncIOp)
_ZERO_EXTENSIONS = both(arith.ExtUIOp)
_MOVES = (vector.BroadcastOp, vector.ExtractOp, vector.InsertOp, vector.ShuffleOp)
"""They cost nothing where elements of a vector are apart."""
_OTHERS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp, arith.DivSIOp, arith.DivUIOp, math.AbsIOp)
_NARROWED = Kinds(*_MODULAR, *_EXTREMES, *_SELECT, *_COMPARE, *_MOVES, *_OTHERS)
"""What `_fits` knows: bounds of other results need not be found."""


@dataclass(frozen=True)
class WgNarrowValuesPass(ModulePass):
    """Compute in 16 bits what fits them, where vectors are made: a register holds twice as many.

    In C, arithmetic on bytes is of 32 bits.

    ```
    %x = arith.extui %p : i8 to i32              %x = arith.extui %p : i8 to i16
    %y = arith.muli %x, %c77 : i32               %y = arith.muli %x, %c77 : i16
    %z = arith.addi %y, %w : i32          ->     %z = arith.addi %y, %w : i16
    %s = arith.shrsi %z, %c8 : i32               %s = arith.shrui %z, %c8 : i16
    %r = arith.trunci %s : i32 to i8             %r = arith.trunci %s : i16 to i8
    ```

    Bounds of what is read, of constants and of each result tell which do, where the result is
    needed: in `x < 128 ? 2 * x * y : z` the product is below 65536 (`NeededBounds`). All operations
    that use each other's results change at once, if they are many more than the conversions where
    others use them; a division by a constant counts as several. Numbers that are affine in the
    ids stay, as they are scalars. Before, a number of which all uses take the low bits is cut
    where it is computed (`early_cuts`). What is cut out of two words of 32 bits is computed in 32
    bits (`windows`).
    """

    name = "wg-narrow-values"

    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for region in operations_of(op.body, wg.ParallelOp):
            cut_early(region.body, BITS)
        for first in edit_for_vectors(
            op,
            _edits,
            small_buffers=self.small_buffers,
            processor=self.processor,
            may_edit=_has_narrow,
        ):
            is_window = isinstance(first, _CUT)
            bits = "32 bits, as a part of two words" if is_window else f"{BITS} bits"
            emit_remark(first, self.name, f"computed in {bits}")


def _has_narrow(region: wg.ParallelOp) -> bool:
    bounds = NeededBounds(region.body)
    return any(window_edits(region, bounds)) or any(
        _NARROWED[type(op)] and _has_wide(op) and _fits(op, bounds)
        for op in operations_in(region.body)
    )


def _edits(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> Sequence[Edit]:
    bounds = NeededBounds(region.body)
    narrow = [
        op
        for op in operations_in(region.body)
        if _NARROWED[type(op)]
        and _has_wide(op)
        and not isinstance(facts.lanes(op.results[0]).strides[dimension], int)
        and _fits(op, bounds)
    ]
    narrowed: dict[SSAValue, SSAValue] = {}
    windows = [
        (cut, edit)
        for cut, edit in window_edits(region, bounds)
        if not isinstance(facts.lanes(cut.results[0]).strides[dimension], int)
    ]
    # These first: a window may be a part of what is narrow.
    return windows + [
        (ops[0], partial(_rewrite, ops, bounds, narrowed))
        for ops in _connected(narrow)
        if _pays(ops, facts, dimension)
    ]


def _has_wide(op: Operation) -> bool:
    """Whether an operation computes with integers of more than 16 bits."""
    if len(op.results) != 1 or not op.operands:
        return False
    if isinstance(op, _MOVES):
        is_known = not isinstance(op, vector.ExtractOp | vector.InsertOp) or not op.dynamic_position
        element = element_of(op.results[0].type) if is_known else None
    else:
        element = element_of(op.operands[-1].type)
    return isinstance(element, IntegerType) and element.width.data > BITS


def _forms(value: SSAValue, bounds: NeededBounds) -> set[bool]:
    """Whether 16 bits with a sign (True) or without hold a value: both, one of them, or neither."""
    return _forms_within(evaluate(value, bounds))


def _forms_within(limits: Interval) -> set[bool]:
    low, high = limits
    return {
        signed
        for signed, (first, last) in ((False, _UNSIGNED), (True, _SIGNED))
        if first <= low and high <= last
    }


def _common(op: Operation, bounds: NeededBounds) -> set[bool]:
    """The forms that all numbers which an operation uses have."""
    first, *others = map(_forms_within, bounds.operands_of(op)[_places(op)])
    return first.intersection(*others)


def _places(op: Operation) -> slice:
    """Of the operands that become narrow."""
    match op:
        case arith.SelectOp() | vec.SelectOp():
            return slice(1, None)
        case arith.ShLIOp() | arith.ShRSIOp() | arith.ShRUIOp():
            return slice(1)
        case _:
            return slice(None)


def _numbers(op: Operation) -> Sequence[SSAValue]:
    """The operands that become narrow."""
    return op.operands[_places(op)]


def _fits(op: Operation, bounds: NeededBounds) -> bool:
    if isinstance(op, _COMPARE):
        return bool(_common(op, bounds))
    if not _forms(op.results[0], bounds):
        return False
    match op:
        case arith.ShLIOp() | arith.ShRSIOp() | arith.ShRUIOp():
            bits = element_number(op.rhs)
            if bits is None or not 0 <= bits < BITS:
                return False
            # Zeros come in from the left, or the sign.
            return isinstance(op, arith.ShLIOp) or bool(_right(op, bounds))
        case arith.DivSIOp() | arith.DivUIOp():
            return False in _common(op, bounds) and element_number(op.rhs) is not None
        case math.AbsIOp():
            return True in _common(op, bounds)
        case _:
            return isinstance(op, (*_MODULAR, *_MOVES, *_SELECT)) or (
                isinstance(op, _EXTREMES) and bool(_common(op, bounds))
            )


def _right(op: arith.ShRSIOp | arith.ShRUIOp, bounds: NeededBounds) -> set[bool]:
    """How 16 bits are shifted right: with a sign, or without."""
    forms = _common(op, bounds)
    return forms - {True} if isinstance(op, arith.ShRUIOp) else forms


def _connected(ops: Sequence[Operation]) -> Iterable[list[Operation]]:
    """The operations that use each other's results, in the order of the text."""
    groups: dict[Operation, list[Operation]] = {}
    for op in ops:
        group = groups[op] = [op]
        for operand in _numbers(op):
            other = groups.get(operand.owner) if isinstance(operand.owner, Operation) else None
            if other is not None and other is not group:
                small, group = sorted((other, group), key=len)
                group += small
                groups.update(dict.fromkeys(small, group))
    order = {op: number for number, op in enumerate(ops)}
    found = {id(group): group for group in groups.values()}
    return [sorted(group, key=order.__getitem__) for group in found.values()]


def _pays(ops: Sequence[Operation], facts: Uniformity, dimension: int) -> bool:
    """Whether operations are many more than the conversions to and from what is not narrow."""
    inside = set(ops)
    free, paid = set[SSAValue](), set[SSAValue]()
    for op in ops:
        for operand in _numbers(op):
            owner = operand.owner
            stride = facts.lanes(operand).strides[dimension]
            if owner in inside or element_number(operand) is not None or stride == 0:
                continue
            extension = _extension_of(operand)
            is_free = extension is not None and not _fills_words(
                extension.operands[0].owner, facts, dimension
            )
            (free if is_free else paid).add(operand)
        for result in op.results:
            for use in result.uses:
                cut = use.operation
                if cut not in inside and not isinstance(op, _COMPARE):
                    short = isinstance(cut, _CUT) and width_of(cut.results[0].type) <= BITS
                    is_free = short and not any(
                        _fills_words(user.operation, facts, dimension)
                        for user in cut.results[0].uses
                    )
                    (free if is_free else paid).add(result)
    divisions = sum(isinstance(op, arith.DivSIOp | arith.DivUIOp) for op in ops)
    moves = sum(isinstance(op, _MOVES) for op in ops)
    saved = len(ops) - moves + len(free) + DIVISION * divisions
    return bool(free or divisions) and saved >= COST * len(paid) + 2


def _fills_words(access: Operation | Block, facts: Uniformity, dimension: int) -> bool:
    """Whether the lanes' numbers come in words of 32 bits, or go there: they lie that far apart, or
    are gathered."""
    if not isinstance(access, ocl.LoadOp | ocl.StoreOp) or count_of(accessed_type(access)) > 1:
        return False
    return access_stride(facts, access, dimension) in (WORD, None)


def _extension_of(value: SSAValue) -> Operation | None:
    """The extension from at most 16 bits that a number is."""
    op = value.owner
    if not isinstance(op, Operation) or not isinstance(op, _EXTENSIONS):
        return None
    return op if width_of(op.operands[0].type) <= BITS else None


def _rewrite(ops: Sequence[Operation], bounds: NeededBounds, new: dict[SSAValue, SSAValue]) -> None:
    """`new` has the 16 bits of values, for all rewrites of a region."""
    for op in ops:
        build = Build(op)
        operands = [_narrow(build, operand, new) for operand in _numbers(op)]
        result = _built(build, op, operands, bounds)
        if isinstance(op, _COMPARE):
            op.results[0].replace_all_uses_with(result)
        else:
            new[op.results[0]] = result
            result.name_hint = op.results[0].name_hint
    inside = set(ops)
    for op in ops:
        wide = op.results[0]
        if isinstance(op, _COMPARE):
            continue
        outside = [use for use in wide.uses if use.operation not in inside]
        cuts = [use.operation for use in outside if isinstance(use.operation, _CUT)]
        for cut in cuts:
            width = width_of(cut.results[0].type)
            if width <= BITS:
                value = Build(cut).resize(new[wide], width, signed=False)
                Rewriter.replace_op(cut, [], [value])
        if any(use.operation not in inside for use in wide.uses):
            build = Build(op, InsertPoint.after(op))
            signed = False not in _forms(wide, bounds)
            value = build.resize(new[wide], width_of(wide.type), signed=signed)
            wide.replace_uses_with_if(value, lambda use: use.operation not in inside)
    for op in reversed(ops):
        Rewriter.erase_op(op)


def _narrow(build: Build, value: SSAValue, new: dict[SSAValue, SSAValue]) -> SSAValue:
    """The 16 bits of a value."""
    if value in new:
        return new[value]
    number = element_number(value)
    if number is not None:
        return build.constant(number, vec.same_shape(IntegerType(BITS), value.type))
    extension, after = _extension_of(value), Build.after(value)
    source = value if extension is None else extension.operands[0]
    signed = extension is not None and not isinstance(extension, _ZERO_EXTENSIONS)
    new[value] = after.resize(source, BITS, signed=signed)
    return new[value]


def _built(
    build: Build, op: Operation, operands: Sequence[SSAValue], bounds: NeededBounds
) -> SSAValue:
    """The operation on 16 bits."""
    match op:
        case arith.CmpiOp() | vec.CmpiOp():
            name = predicate_of(op)
            if name not in ("eq", "ne"):
                # Numbers of one form are in the same order as those of 32 bits: without a sign
                # where all are above zero, or as they were.
                signed = True in _common(op, bounds) and name.startswith("s")
                name = ("s" if signed else "u") + name[1:]
            return build.compare(name, *operands)
        case arith.SelectOp() | vec.SelectOp():
            return build.select(op.cond, *operands)
        case arith.ShLIOp() | arith.ShRSIOp() | arith.ShRUIOp():
            bits = element_number(op.rhs)
            assert bits is not None
            if isinstance(op, arith.ShLIOp):
                return build.shl(operands[0], bits)
            return build.shr(operands[0], bits, signed=False not in _right(op, bounds))
        case arith.DivSIOp() | arith.DivUIOp():
            return build.alike(arith.DivUIOp, *operands)
        case arith.MaxSIOp() | arith.MaxUIOp():
            return build.max(*operands, signed=_is_signed(op, bounds))
        case arith.MinSIOp() | arith.MinUIOp():
            return build.min(*operands, signed=_is_signed(op, bounds))
        case vector.BroadcastOp() | vector.ExtractOp() | vector.InsertOp() | vector.ShuffleOp():
            type_ = vec.same_shape(IntegerType(BITS), op.results[0].type)
            kind, properties = type(op), op.properties.copy()
            return build.emit(
                kind.create(operands=operands, result_types=[type_], properties=properties)
            )
        case _:
            return build.alike(type(op), *operands)


def _is_signed(op: Operation, bounds: NeededBounds) -> bool:
    """How the larger of two numbers of 16 bits is found."""
    return isinstance(op, arith.MaxSIOp | arith.MinSIOp) and True in _common(op, bounds)
