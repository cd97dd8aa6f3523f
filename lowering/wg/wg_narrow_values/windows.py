"""32 bits out of two words are computed of these, not of one number of 64 bits.

```
%two = hi << 32 | lo : i64
%s = arith.shrui %two, %by : i64        ->    lo >> by | hi << 1 << (31 - by) : i32
%r = arith.trunci %s : i64 to i32             (where by is 0 to 31)
```

A vector has twice as many numbers of 32 bits, and some processors shift two words at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.intervals import Bounds
from polycl.analysis.ocl.uniformity import element_number
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import both, same_shape, width_of
from polycl.lowering.build import Build
from polycl.lowering.wg.before_vectors import Edit

_WORD = 32

_CUT, _ZERO_EXTENSION = both(arith.TruncIOp), both(arith.ExtUIOp)
_EXTENSIONS = both(arith.ExtUIOp, arith.ExtSIOp)
_JOIN = (arith.OrIOp, arith.AddiOp, arith.XOrIOp)
_BITWISE = (arith.AndIOp, arith.OrIOp, arith.XOrIOp)
_RIGHT = (arith.ShRUIOp, arith.ShRSIOp)

_Low: TypeAlias = Callable[[Build], SSAValue]
"""Builds the low 32 bits of a number."""


def window_edits(region: wg.ParallelOp, bounds: Bounds) -> Iterable[Edit]:
    """The numbers of at most 32 bits that are a part of two words."""
    for cut in operations_of(region.body, *_CUT):
        value = cut.operands[0]
        if width_of(value.type) == 2 * _WORD and width_of(cut.results[0].type) <= _WORD:
            low = _window(value, bounds)
            if low is not None:
                yield cut, partial(_rewrite, cut, low)


def _rewrite(cut: Operation, low: _Low) -> None:
    build = Build(cut)
    width = width_of(cut.results[0].type)
    Rewriter.replace_op(cut, [], [build.resize(low(build), width, signed=False)])


def _window(value: SSAValue, bounds: Bounds) -> _Low | None:
    """The low 32 bits of two words that are shifted, also under a mask."""
    op = value.owner
    if isinstance(op, _BITWISE):
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            low = _shifted_words(one, bounds)
            if low is not None:
                return lambda build: build.alike(type(op), low(build), _low(build, other))
    return _shifted_words(value, bounds)


def _shifted_words(value: SSAValue, bounds: Bounds) -> _Low | None:
    op = _bits(value).owner
    if not isinstance(op, _RIGHT) or not _is_cut(value):
        return None
    left = _bits(op.lhs).owner
    if isinstance(left, arith.ShLIOp) and element_number(op.rhs) == _WORD:
        words = _words(left.lhs, bounds)
        if words is not None and _within(left.rhs, bounds, 0):
            return lambda build: _shifted(build, *words, _low(build, left.rhs), up=True)
        return None
    words = _words(op.lhs, bounds)
    if words is None:
        return None
    if _within(op.rhs, bounds, 0):
        return lambda build: _shifted(build, *words, _low(build, op.rhs), up=False)
    if _within(op.rhs, bounds, 1):
        return lambda build: _shifted(
            build, *words, _rest(build, _low(build, op.rhs), _WORD), up=True
        )
    return None


def _is_cut(value: SSAValue) -> bool:
    """Whether nothing else than the low 32 bits of a number is used, also under a mask."""
    return all(
        width_of(use.operation.results[0].type) <= _WORD
        if isinstance(use.operation, _CUT)
        else isinstance(use.operation, _BITWISE)
        and all(isinstance(other.operation, _CUT) for other in use.operation.result.uses)
        for use in value.uses
    )


def _bits(value: SSAValue) -> SSAValue:
    """A number before it is taken for one with or without a sign."""
    op = value.owner
    while isinstance(op, ocl.BitcastOp) and op.source.type == op.result.type:
        value, op = op.source, op.source.owner
    return value


def _words(two: SSAValue, bounds: Bounds) -> tuple[SSAValue, SSAValue] | None:
    """The lower and the upper half of a number that is put together from both."""
    op = _bits(two).owner
    if isinstance(op, _JOIN):
        for low, high in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            upper = _bits(high).owner
            if (
                isinstance(upper, arith.ShLIOp)
                and element_number(upper.rhs) == _WORD
                and _is_word(low, bounds)
            ):
                return low, upper.lhs
    return None


def _is_word(value: SSAValue, bounds: Bounds) -> bool:
    """Whether the upper half of a number is zero."""
    op = _bits(value).owner
    if isinstance(op, _ZERO_EXTENSION) and width_of(op.operands[0].type) <= _WORD:
        return True
    first, last = evaluate(value, bounds)
    return first >= 0 and last < 1 << _WORD


def _within(bits: SSAValue, bounds: Bounds, least: int) -> bool:
    first, last = evaluate(bits, bounds)
    return least <= first and last < least + _WORD


def _shifted(build: Build, low: SSAValue, high: SSAValue, bits: SSAValue, *, up: bool) -> SSAValue:
    """The upper word of both after a shift to the left, or the lower one after one to the right."""
    low, high = _low(build, low), _low(build, high)
    rest = _rest(build, bits, _WORD - 1)
    if up:
        low = build.shr(build.shr(low, 1, signed=False), rest, signed=False)
        return build.or_(build.shl(high, bits), low)
    return build.or_(build.shr(low, bits, signed=False), build.shl(build.shl(high, 1), rest))


def _rest(build: Build, bits: SSAValue, all: int) -> SSAValue:
    return build.sub(build.constant(all, bits.type), bits)


def _low(build: Build, value: SSAValue) -> SSAValue:
    """The low 32 bits of a number."""
    number, op = element_number(value), _bits(value).owner
    if number is not None:
        return build.constant(number, same_shape(IntegerType(_WORD), value.type))
    if isinstance(op, _EXTENSIONS) and width_of(op.operands[0].type) <= _WORD:
        value = op.operands[0]
        return build.resize(value, _WORD, signed=not isinstance(op, _ZERO_EXTENSION))
    return build.resize(value, _WORD, signed=False)
