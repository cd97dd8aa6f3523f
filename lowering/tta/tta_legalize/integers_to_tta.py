"""Legalisation of integer operations of all widths to 32-bit words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from polycl.lowering.tta.word_builder import WordBuilder, constant_of, digits

Value: TypeAlias = Sequence[SSAValue]
"""The words of a scalar."""

MOST_TERMS = 2
"""A product with a constant is at most so many shifts where the processor multiplies."""

Binary: TypeAlias = Callable[[WordBuilder, int, Value, Value], Value]
"""The legalisation of an operation on two integers of the given width."""


def narrowed(w: WordBuilder, width: int, word: SSAValue) -> SSAValue:
    """The lowest `width` bits; the others are zero."""
    return word if width >= 32 else w.and_(word, (1 << width) - 1)


def sign_extended(w: WordBuilder, width: int, word: SSAValue) -> SSAValue:
    """The sign extension of `width` bits to 32."""
    if width == 1:
        return w.sub(w.constant(0), w.extend(word))
    return word if width >= 32 else w.shr(w.shl(word, 32 - width), 32 - width)


def selected(w: WordBuilder, flag: SSAValue, a: Value, b: Value) -> Value:
    return [w.select(flag, x, y) for x, y in zip(a, b, strict=True)]


# Addition and subtraction


def _add(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [w.differ(a[0], b[0])]
    if width == 64:
        low = w.add(a[0], b[0])
        carry = w.extend(w.compare("ult", low, a[0]))
        return low, w.add(w.add(a[1], b[1]), carry)
    return [narrowed(w, width, w.add(a[0], b[0]))]


def _sub64(w: WordBuilder, a: Value, b: Value) -> Value:
    borrow = w.extend(w.compare("ult", a[0], b[0]))
    return w.sub(a[0], b[0]), w.sub(w.sub(a[1], b[1]), borrow)


def _sub(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [w.differ(a[0], b[0])]
    if width == 64:
        return _sub64(w, a, b)
    return [narrowed(w, width, w.sub(a[0], b[0]))]


# Bits


def _bitwise(name: str) -> Binary:
    def binary(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
        if width == 1:
            flags = {"and": w.both, "or": w.either, "xor": w.differ}
            return [flags[name](a[0], b[0])]
        words = {"and": w.and_, "or": w.or_, "xor": w.xor}
        return [words[name](x, y) for x, y in zip(a, b, strict=True)]

    return binary


def _shift_left(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [w.both(a[0], w.invert(b[0]))]
    if width == 64:
        known = constant_of(b[0])
        if known is not None:
            return _shift_left_by(w, a, known & 63)
        count, inverse, crosses = _shift_count(w, b)
        low = w.shl(a[0], count)
        high = w.or_(w.shl(a[1], count), w.shru(w.shru(a[0], 1), inverse))
        return selected(w, crosses, (w.constant(0), low), (low, high))
    return [narrowed(w, width, w.shl(a[0], b[0]))]


def _shift_left_by(w: WordBuilder, a: Value, count: int) -> Value:
    if count == 0:
        return a
    if count >= 32:
        return w.constant(0), w.shl(a[0], count - 32)
    return w.shl(a[0], count), w.or_(w.shl(a[1], count), w.shru(a[0], 32 - count))


def _shift_right_by(
    w: WordBuilder,
    a: Value,
    count: int,
    shift: Callable[[SSAValue, int], SSAValue],
    sign: SSAValue,
) -> Value:
    """`shift` is that of a word, and `sign` a word of the bits that come in."""
    if count == 0:
        return a
    if count >= 32:
        return shift(a[1], count - 32), sign
    return w.or_(w.shru(a[0], count), w.shl(a[1], 32 - count)), shift(a[1], count)


def _shift_right(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [w.both(a[0], w.invert(b[0]))]
    if width == 64:
        known = constant_of(b[0])
        if known is not None:
            return _shift_right_by(w, a, known & 63, w.shru, w.constant(0))
        count, inverse, crosses = _shift_count(w, b)
        high = w.shru(a[1], count)
        low = w.or_(w.shru(a[0], count), w.shl(w.shl(a[1], 1), inverse))
        return selected(w, crosses, (high, w.constant(0)), (low, high))
    return [w.shru(a[0], b[0])]


def _shift_right_signed(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [a[0]]
    if width == 64:
        known = constant_of(b[0])
        if known is not None:
            return _shift_right_by(w, a, known & 63, w.shr, w.shr(a[1], 31))
        count, inverse, crosses = _shift_count(w, b)
        high = w.shr(a[1], count)
        low = w.or_(w.shru(a[0], count), w.shl(w.shl(a[1], 1), inverse))
        return selected(w, crosses, (high, w.shr(a[1], 31)), (low, high))
    return [narrowed(w, width, w.shr(sign_extended(w, width, a[0]), b[0]))]


def _shift_count(w: WordBuilder, b: Value) -> tuple[SSAValue, SSAValue, SSAValue]:
    """The shift within a word, 31 minus that, and whether bits cross to the other word."""
    count = w.and_(b[0], 31)
    return count, w.xor(count, 31), w.compare("ne", w.and_(b[0], 32), 0)


# Comparisons


def compare(w: WordBuilder, predicate: str, width: int, a: Value, b: Value) -> SSAValue:
    if width == 64:
        return _compare64(w, predicate, a, b)
    x, y = a[0], b[0]
    if width == 1 and predicate in ("eq", "ne"):
        differs = w.differ(x, y)
        return differs if predicate == "ne" else w.invert(differs)
    if predicate.startswith("s"):
        x, y = sign_extended(w, width, x), sign_extended(w, width, y)
    elif width == 1:
        x, y = w.extend(x), w.extend(y)
    return w.compare(predicate, x, y)


def _compare64(w: WordBuilder, predicate: str, a: Value, b: Value) -> SSAValue:
    if predicate in ("eq", "ne"):
        difference = w.or_(w.xor(a[0], b[0]), w.xor(a[1], b[1]))
        return w.compare(predicate, difference, 0)
    strict = predicate[:2] + "t"
    upper = w.compare(strict, a[1], b[1])
    lower = w.compare("u" + predicate[1:], a[0], b[0])
    return w.either(upper, w.both(w.compare("eq", a[1], b[1]), lower))


def _extreme(predicate: str) -> Binary:
    """The operand for which the predicate holds."""

    def binary(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
        return selected(w, compare(w, predicate, width, a, b), a, b)

    return binary


# Products


def _multiply(w: WordBuilder, width: int, a: Value, b: Value) -> Value:
    if width == 1:
        return [w.both(a[0], b[0])]
    if constant_of(a[0]) is not None:
        a, b = b, a
    if width == 64:
        return _multiply64(w, a, b)
    return [narrowed(w, width, _multiply_words(w, a[0], b[0]))]


def _multiply_words(w: WordBuilder, a: SSAValue, b: SSAValue) -> SSAValue:
    factor = constant_of(b)
    if factor is None or (w.multiplies and len(digits(factor, 32)) > MOST_TERMS):
        return w.mul(a, b)
    return w.times(a, factor)


def _multiply64(w: WordBuilder, a: Value, b: Value) -> Value:
    low, high = (constant_of(word) for word in b)
    if low is not None and high is not None:
        terms = digits(low | high << 32, 64)
        if not w.multiplies or len(terms) <= MOST_TERMS:
            return _times64(w, a, terms)
    cross = w.add(_multiply_words(w, a[0], b[1]), _multiply_words(w, a[1], b[0]))
    upper = w.compute("mulhiu", a[0], b[0])
    return _multiply_words(w, a[0], b[0]), w.add(upper, cross)


def _times64(w: WordBuilder, a: Value, terms: Sequence[tuple[int, bool]]) -> Value:
    total: Value = (w.constant(0), w.constant(0))
    for shift, positive in terms:
        term = _shift_left(w, 64, a, (w.constant(shift), w.constant(0)))
        total = _add(w, 64, total, term) if positive else _sub64(w, total, term)
    return total


# Conversions


def extended(w: WordBuilder, value: Value, have: int, want: int, signed: bool) -> Value:
    """From `have` to `want` bits, more or fewer."""
    if have == 64:
        return value if want == 64 else truncated(w, value, want)
    if want <= have:
        return truncated(w, value, want)
    word = value[0]
    if signed:
        word = sign_extended(w, have, word)
    elif have == 1:
        word = w.extend(word)
    if want == 64:
        return word, w.shr(word, 31) if signed else w.constant(0)
    return [narrowed(w, want, word)]


def truncated(w: WordBuilder, value: Value, width: int) -> Value:
    if width == 1:
        return [value[0] if value[0].type == i1 else w.odd(value[0])]
    return [narrowed(w, width, value[0])]


BINARY: dict[type[Operation], Binary] = {
    arith.AddiOp: _add,
    arith.SubiOp: _sub,
    arith.MuliOp: _multiply,
    arith.AndIOp: _bitwise("and"),
    arith.OrIOp: _bitwise("or"),
    arith.XOrIOp: _bitwise("xor"),
    arith.ShLIOp: _shift_left,
    arith.ShRUIOp: _shift_right,
    arith.ShRSIOp: _shift_right_signed,
    arith.MinSIOp: _extreme("slt"),
    arith.MaxSIOp: _extreme("sgt"),
    arith.MinUIOp: _extreme("ult"),
    arith.MaxUIOp: _extreme("ugt"),
}
"""Operations on two integers of one width."""
