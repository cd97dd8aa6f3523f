"""`p[x / 18 * width + x % 18]`: lanes in runs of neighbours, each of which is a masked access."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i8, i32
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.dialects import ocl
from polycl.dialects.parents import owner_of
from polycl.lowering.wg.naturals import is_natural
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.lane_addresses import MAX_REACH, cast_to, pointee_stride
from polycl.lowering.wg.wg_vectorize.lane_values import NotVectorizable, Scalar
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

_REMAINDERS = (arith.RemSIOp, arith.RemUIOp, arith.AndIOp)
_SIGNED = (arith.DivSIOp, arith.RemSIOp, arith.ShRSIOp)

_NO_NUMBER = "lanes have numbers of their own where they are known to be neighbours"

MOST_DEPTH = 40
"""Operations between an index and the id."""


@dataclass(frozen=True)
class Runs:
    """The lanes whose `number` divided by `length` is the same are a run."""

    number: SSAValue
    """What grows by one from lane to lane."""
    length: int
    widened: frozenset[Operation]
    """Extensions of unsigned numbers that grow in a run."""
    divisions: frozenset[Operation]
    """Those of the number by the length."""
    are_row: bool
    """Whether each run goes on where the one before ends: `p[x / 18 * 18 + x % 18]`."""

    def most(self, lanes: int) -> int:
        """The runs that a tile may have parts of."""
        return 1 if self.are_row else (self.length + lanes - 2) // self.length + 1


def runs_of(
    pointer: SSAValue,
    index: SSAValue | None,
    size: int,
    lanes: int,
    stride_of: Callable[[SSAValue], Stride | None],
    small_buffers: bool,
) -> Runs | None:
    """The runs of an access whose index counts `size` bytes, if lanes are neighbours in them and
    they are few: each register of one takes as long as two lanes of a gather."""
    found = _Steps(stride_of, small_buffers)
    step = found.of(pointer)
    if index is not None and step is not None:
        step = step.plus(found.of(index), size)
    if step is None or step.by != size or found.number is None:
        return None
    length = min(found.lengths)
    divisions = frozenset(op for op in found.divisions if _divisor(op) == length)
    are_row = step.over == 0 and len(found.lengths) == 1
    runs = Runs(found.number, length, frozenset(found.widened), divisions, are_row)
    is_common = all(other % length == 0 for other in found.lengths)
    registers = max(1, size * lanes // REGISTER_BYTES)
    is_few = are_row or 2 * registers * runs.most(lanes) <= lanes
    return runs if is_common and is_few else None


@dataclass(frozen=True)
class _Step:
    """By how much a value grows."""

    by: int
    """From a lane to the next one of its run."""
    over: int | None
    """How much more it grows from the last lane of a run to the next one, if that is known."""

    def plus(self, other: _Step | None, factor: int = 1) -> _Step | None:
        if other is None:
            return None
        by = self.by + other.by * factor
        if self.over is None or other.over is None:
            return _Step(by, None)
        return _Step(by, self.over + other.over * factor)


@dataclass
class _Steps:
    """By how much values grow from lane to lane."""

    stride_of: Callable[[SSAValue], Stride | None]
    small_buffers: bool
    number: SSAValue | None = None
    lengths: set[int] = field(default_factory=set[int])
    widened: set[Operation] = field(default_factory=set[Operation])
    divisions: set[Operation] = field(default_factory=set[Operation])
    known: dict[SSAValue, _Step | None] = field(default_factory=dict[SSAValue, "_Step | None"])
    depth: int = 0

    def of(self, value: SSAValue) -> _Step | None:
        if value not in self.known:
            self.depth += 1
            self.known[value] = self._found(value) if self.depth < MOST_DEPTH else None
            self.depth -= 1
        return self.known[value]

    def _found(self, value: SSAValue) -> _Step | None:
        stride, owner = self.stride_of(value), value.owner
        if isinstance(stride, int):
            return _Step(stride, 0)
        if not isinstance(owner, Operation):
            return None
        divisor = _divisor(owner)
        if divisor is not None and self._is_counted(owner, divisor):
            return _Step(1, -divisor) if isinstance(owner, _REMAINDERS) else _Step(0, 1)
        match owner:
            case ocl.OffsetOp(pointer=pointer, index=index):
                return self._sum(pointer, index, pointee_stride(pointer))
            case ocl.CastOp() | ocl.MemberOp():
                return self.of(owner.pointer)
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                return self._sum(lhs, rhs, 1)
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                return self._sum(lhs, rhs, -1)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                x, y = self.of(lhs), self.of(rhs)
                for step, factor in ((x, constant_value(rhs)), (y, constant_value(lhs))):
                    if factor is not None:
                        return _Step(0, 0).plus(step, factor)
                return _Step(0, None) if _are_same(x, y) else None
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp():
                [source] = owner.operands
                step = self.of(source)
                is_exact = not (is_narrow(source) or is_narrow(value))
                if isinstance(owner, arith.ExtUIOp) and not _are_same(step):
                    # A wrapped index would name no element (`first_index`).
                    is_exact &= self.small_buffers and bits_of(source.type) == 32
                    self.widened.add(owner)
                return step if is_exact else _Step(0, None) if _are_same(step) else None
            case _ if owner.name.startswith("arith.") and is_speculatable(owner):
                return _Step(0, None) if _are_same(*map(self.of, owner.operands)) else None
            case _:
                return None

    def _sum(self, x: SSAValue, y: SSAValue, factor: int) -> _Step | None:
        base = self.of(x)
        return None if base is None else base.plus(self.of(y), factor)

    def _is_counted(self, op: Operation, length: int) -> bool:
        """Whether what is divided grows by one and does not wrap, as a remainder of that does by a
        multiple of the divisor."""
        dividend = op.operands[0]
        if not isinstance(self.stride_of(dividend), int):
            rest = _rest_in(dividend, length)
            if rest is None or (step := self.of(rest)) is None or step.by != 1:
                return False
            # A remainder by the length itself is in one run: what is divided by it does not grow.
            divisor = _divisor(rest.owner)
            if divisor is None or divisor == length or divisor % length:
                return False
        elif self.stride_of(dividend) != 1 or not is_natural(
            dividend, signed=isinstance(op, _SIGNED)
        ):
            return False
        elif self.number is None:
            self.number = dividend
        elif linear(dividend) != linear(self.number):
            return False
        self.lengths.add(length)
        if dividend is self.number:
            self.divisions.add(op)
        return True


def _are_same(*steps: _Step | None) -> bool:
    """Whether the lanes of a run have the same values."""
    return all(step is not None and step.by == 0 for step in steps)


def _rest_in(dividend: SSAValue, length: int) -> SSAValue | None:
    """The remainder that a dividend is but for a multiple of the divisor."""
    while True:
        sum = linear(dividend)
        is_multiple = sum.number % length == 0 and 0 <= sum.number < 1 << 30
        if list(sum.factors.values()) != [1] or not is_multiple:
            return None
        [value] = sum.factors
        if isinstance(value.owner, _REMAINDERS):
            return value
        if not isinstance(value.owner, arith.ExtUIOp) or is_narrow(value.owner.input):
            return None
        dividend = value.owner.input


def _divisor(op: Operation | Block) -> int | None:
    """The divisor of a quotient or a remainder, a number."""
    match op:
        case arith.DivSIOp() | arith.DivUIOp() | arith.RemSIOp() | arith.RemUIOp():
            number = constant_value(op.rhs)
            return number if number is not None and 1 < number < 1 << 31 else None
        case arith.ShRSIOp() | arith.ShRUIOp():
            number = constant_value(op.rhs)
            return 1 << number if number is not None and 0 < number < 31 else None
        case arith.AndIOp():
            number = constant_value(op.rhs)
            is_mask = number is not None and 0 < number < 1 << 30 and number & (number + 1) == 0
            return number + 1 if is_mask and number is not None else None
        case _:
            return None


@dataclass(frozen=True)
class Run:
    """The part of a tile that is in one run."""

    pointer: SSAValue
    index: SSAValue
    """Of lane 0, were it in the run."""
    mask: SSAValue | None
    """The lanes that are on and in it; None: all."""


def parts_of(e: Emitter, runs: Runs, pointer: SSAValue, index: SSAValue | None) -> list[Run]:
    """The runs of a tile."""
    number = e.value(runs.number)
    if not isinstance(number, Scalar):
        raise NotVectorizable(owner_of(runs.number), _NO_NUMBER)
    length = e.constant(runs.length, runs.number.type)
    quotient, rest = (e.emit(op(number.value, length)) for op in (arith.DivUIOp, arith.RemUIOp))
    places = None if runs.are_row else _places(e, rest)
    found: list[Run] = []
    for run in range(runs.most(e.lanes)):
        # Where the last run is beyond the tile, so is this lane.
        first = run * runs.length
        next = e.add(quotient, e.constant(run, quotient.type)) if run else quotient
        known: dict[SSAValue, SSAValue] = {
            op.results[0]: rest if isinstance(op, _REMAINDERS) else next for op in runs.divisions
        }
        lane = _Lane(e, first, runs.widened, known)
        start = e.index(0) if index is None else lane.of(index)
        place = lane.of(pointer), e.sub(start, e.index(first))
        if places is None:
            found.append(Run(*place, e.mask))
            continue
        inside = e.sub(places, e.per_lane([first] * e.lanes, i32)) if first else places
        mask = e.compare("ult", inside, e.per_lane([runs.length] * e.lanes, i32))
        found.append(Run(*place, mask if e.mask is None else e.and_(e.mask, mask)))
    return found


def _places(e: Emitter, rest: SSAValue) -> SSAValue:
    """How far each lane is from the start of the first run."""
    phase = e.emit(arith.IndexCastOp(rest, i32)) if isinstance(rest.type, IndexType) else rest
    return e.add(e.splat(e.resize(phase, 32, signed=False)), e.lane_numbers(i32, 1))


@dataclass
class _Lane:
    """Values of one lane, computed as one work-item does."""

    e: Emitter
    number: int
    widened: frozenset[Operation]
    known: dict[SSAValue, SSAValue]

    def of(self, old: SSAValue) -> SSAValue:
        if old not in self.known:
            self.known[old] = self._computed(old)
        return self.known[old]

    def _computed(self, old: SSAValue) -> SSAValue:
        e, value, owner = self.e, self.e.value(old), old.owner
        if isinstance(value, Scalar):
            distance = self.number * value.stride
            return value.value if distance == 0 else self._moved(value.value, distance)
        if not isinstance(owner, Operation):
            raise NotVectorizable(owner_of(old), _NO_NUMBER)
        operands = [self.of(operand) for operand in owner.operands]
        if owner not in self.widened:
            return e.emit_copy(owner, operands, [old.type]).results[0]
        # A lane that is off may have a negative index.
        margin = e.constant(MAX_REACH, operands[0].type)
        wide = e.emit_copy(owner, [e.add(operands[0], margin)], [old.type]).results[0]
        return e.sub(wide, e.constant(MAX_REACH, old.type))

    def _moved(self, value: SSAValue, distance: int) -> SSAValue:
        e = self.e
        if not isinstance(value.type, ocl.PtrType):
            return e.add(value, e.constant(distance, value.type))
        bytes = cast_to(e, value, ocl.PtrType(i8, ocl.space_of(value)))
        return cast_to(e, e.emit(ocl.OffsetOp(bytes, e.index(distance))), value.type)
