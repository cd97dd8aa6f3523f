"""Which integers are powers of two, or masks of low bits, whatever the iteration of a loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.ir import Attribute, Block, SSAValue

from polycl.analysis.ocl.integers import bits_of, signed, unsigned
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.sources import direct_sources


class _Kind(Enum):
    POWER = "zero, or a power of two"
    SMALL = "the same, and not negative"
    MASK = "one less than a power of two, or all ones"
    EVEN_MASK = "twice a mask"


_Fact: TypeAlias = tuple[SSAValue, _Kind]


def is_low_mask(value: SSAValue) -> bool:
    """Whether an integer is one less than a power of two, or -1: its ones are its lowest bits.

    So are `2 * s - 1` in a loop that doubles `s`, beginning with 1, `(1 << i) - 1`, and what is
    doubled, plus 1. A loop's value is one if the first one is, and each is if the one before is.
    """
    facts = [(value, _Kind.MASK)]
    seen: set[_Fact] = set()
    while facts:
        fact = facts.pop()
        if fact in seen:
            continue
        seen.add(fact)
        needed = _needed(*fact)
        if needed is None:
            return False
        facts += needed
    return True


def _needed(value: SSAValue, kind: _Kind) -> Sequence[_Fact] | None:
    """What a fact follows from; None where it does not."""
    number = constant_value(value)
    if number is not None:
        return () if _holds(number, value.type, kind) else None
    owner, bits = value.owner, bits_of(value.type)
    if isinstance(owner, Block):
        is_counter = isinstance(owner.parent_op(), scf.ForOp) and value is owner.args[0]
        return None if is_counter else _of_each(direct_sources(value), kind)
    match owner:
        case arith.IndexCastOp() | arith.ExtSIOp() if bits > bits_of(owner.input.type):
            # The highest bit of a power would be copied; a mask with it is all ones.
            kind = _Kind.SMALL if kind is _Kind.POWER else kind
            return ((owner.input, kind),)
        case arith.ExtUIOp():
            return ((owner.input, _Kind.POWER if kind is _Kind.SMALL else kind),)
        case arith.IndexCastOp() | arith.TruncIOp():
            is_sign_lost = kind is _Kind.SMALL and bits < bits_of(owner.input.type)
            return None if is_sign_lost else ((owner.input, kind),)
        case arith.SelectOp():
            return ((owner.lhs, kind), (owner.rhs, kind))
        case scf.IfOp() | scf.ForOp() | scf.WhileOp():
            return _of_each(direct_sources(value), kind)
        case _ if kind is _Kind.MASK:
            return _of_mask(value)
        case _ if kind is _Kind.EVEN_MASK:
            return _of_double(value)
        case _:
            return _of_power(value, kind)


def _holds(number: int, type: Attribute, kind: _Kind) -> bool:
    bits = unsigned(number, type)
    is_power, is_mask = bits & (bits - 1) == 0, bits & (bits + 1) == 0
    match kind:
        case _Kind.POWER:
            return is_power
        case _Kind.SMALL:
            return is_power and signed(number, type) >= 0
        case _Kind.MASK:
            return is_mask
        case _Kind.EVEN_MASK:
            return bits & 1 == 0 and bits & (bits + 2) == 0


def _of_each(values: Iterable[SSAValue], kind: _Kind) -> Sequence[_Fact] | None:
    return [(value, kind) for value in values] or None


def _of_power(value: SSAValue, kind: _Kind) -> Sequence[_Fact] | None:
    match value.owner:
        case arith.ShLIOp() | arith.MuliOp() as op if kind is _Kind.POWER:
            needed = op.operands if isinstance(op, arith.MuliOp) else op.operands[:1]
            return [(operand, kind) for operand in needed]
        case arith.ShRUIOp() as op:
            return ((op.lhs, kind),)
        case arith.ShRSIOp() as op:
            return ((op.lhs, _Kind.SMALL),)
        case arith.DivSIOp() | arith.DivUIOp() as op:
            return [(operand, _Kind.SMALL) for operand in op.operands]
        case _:
            return None


def _of_mask(value: SSAValue) -> Sequence[_Fact] | None:
    match value.owner:
        case arith.AddiOp() | arith.OrIOp() | arith.SubiOp() as op:
            sides = [(op.lhs, op.rhs)]
            if not isinstance(op, arith.SubiOp):
                sides.append((op.rhs, op.lhs))
            for side, other in sides:
                number = constant_value(other)
                number = None if number is None else signed(number, other.type)
                one_less = 1 if isinstance(op, arith.SubiOp) else -1
                if number == one_less and not isinstance(op, arith.OrIOp):
                    return ((side, _Kind.POWER),)
                if number == 1 and not isinstance(op, arith.SubiOp):
                    return ((side, _Kind.EVEN_MASK),)
            return None
        case arith.ShRUIOp() | arith.ShRSIOp() as op:
            return ((op.lhs, _Kind.MASK),)
        case arith.AndIOp() as op:
            return ((op.lhs, _Kind.MASK), (op.rhs, _Kind.MASK))
        case _:
            return None


def _of_double(value: SSAValue) -> Sequence[_Fact] | None:
    match value.owner:
        case arith.ShLIOp(lhs=x, rhs=bits) if constant_value(bits) == 1:
            return ((x, _Kind.MASK),)
        case arith.MuliOp(lhs=x, rhs=y):
            for side, other in ((x, y), (y, x)):
                if constant_value(other) == 2:
                    return ((side, _Kind.MASK),)
            return None
        case arith.AddiOp(lhs=x, rhs=y) if x is y:
            return ((x, _Kind.MASK),)
        case _:
            return None
