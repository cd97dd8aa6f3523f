"""`join-bytes`: a number that is put together from neighbouring bytes is read at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, VectorType, i8, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import address_of
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.known_steps import fold_known, operations_between
from polycl.lowering.ocl.simplify_loops import unroll
from polycl.remarks import emit_remark

COUNTS = (2, 4, 8)
"""Bytes of a number."""

_SUMS = arith.OrIOp | arith.XOrIOp | arith.AddiOp
"""What puts bytes together that have no bits in common."""

MOST_OPERATIONS = 48
"""Of a number that is put together."""


@dataclass(frozen=True)
class JoinBytesPass(ModulePass):
    """Read 2, 4 or 8 neighbouring bytes at once where a number is made of them.

    ```
    p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24       ->     as_uint(vload4(0, p))
    p[0] << 8 | p[1]                                 ->     as_ushort(vload2(0, p).yx)
    p[0] + 256 * p[1]                                ->     as_ushort(vload2(0, p))
    for (m = 0, i = 0; i < 8; i++) m |= (ulong)p[i] << (8 * i);
                                                     ->     as_ulong(vload8(0, p))
    for (m = 0, i = 7; i >= 0; i--) m = m << 8 | p[i];
                                                     ->     as_ulong(vload8(0, p))
    ```

    LLVM does this for one work-item; vectors of work-items would gather each byte. Nothing is
    written between the loads, which are in one block.
    """

    name = "join-bytes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            if _collects_bytes(loop):
                _unroll(loop)
        joined: set[Operation] = set()
        found: list[tuple[Operation, _Number, list[ocl.LoadOp]]] = []
        # The last operation of a sum is that of all of it.
        for last in reversed(operations_of(op, arith.OrIOp, arith.XOrIOp, arith.AddiOp)):
            if last in joined:
                continue
            number = _Number(last.result)
            order = _order_of(number)
            if order:
                joined.update(number.ops)
                found.append((last, number, order))
        for last, number, order in reversed(found):
            emit_remark(last, self.name, f"reads {len(order)} bytes at once")
            _join(number, order)


class _Number:
    """A sum of bytes that are read."""

    def __init__(self, value: SSAValue):
        self.value = value
        self.ops: list[Operation] = []
        """What computes it, which nothing else uses, each after those that use it."""
        self.bits: dict[ocl.LoadOp, int] = {}
        """By how many bits each byte is shifted; none if the value is something else."""
        if not self._is_sum(value, 0):
            self.bits = {}

    def _is_sum(self, value: SSAValue, shift: int) -> bool:
        op = value.owner
        if constant_value(value) == 0:
            return True
        if not isinstance(op, Operation) or len(self.ops) > MOST_OPERATIONS:
            return False
        if value is not self.value and not value.has_one_use():
            return False
        self.ops.append(op)
        match op:
            case arith.OrIOp() | arith.XOrIOp() | arith.AddiOp():
                return self._is_sum(op.lhs, shift) and self._is_sum(op.rhs, shift)
            case arith.ShLIOp():
                by = constant_value(op.rhs)
                return by is not None and by >= 0 and self._is_sum(op.lhs, shift + by)
            case arith.MuliOp():
                known, factor = constant_value(op.lhs), op.rhs
                if known is None:
                    known, factor = constant_value(op.rhs), op.lhs
                if known is None or known <= 0 or known & (known - 1):
                    return False
                return self._is_sum(factor, shift + known.bit_length() - 1)
            case arith.ExtUIOp(input=byte) if byte.type == i8 and byte.has_one_use():
                load = byte.owner
                if not isinstance(load, ocl.LoadOp):
                    return False
                self.ops.append(load)
                self.bits[load] = shift
                return True
            case _:
                return False


def _order_of(number: _Number) -> list[ocl.LoadOp]:
    """The loads of the bytes in the order of memory, if they are neighbours, lie in one block with
    no writes in between, and make a number of their own, of which no bit is lost."""
    type, loads = number.value.type, list(number.bits)
    count = len(loads)
    if count not in COUNTS or not isinstance(type, IntegerType) or type.width.data < 8 * count:
        return []
    root, place = address_of(loads[0])
    distances: dict[int, ocl.LoadOp] = {}
    for load in loads:
        its_root, its_place = address_of(load)
        if its_root is not root or its_place.factors != place.factors:
            return []
        if load.volatile is not None or load.parent is not loads[0].parent:
            return []
        distances[its_place.number] = load
    if ocl.space_of(root) is ocl.AddressSpace.PRIVATE:
        # LLVM makes values of it.
        return []
    if len(distances) != count or max(distances) - min(distances) != count - 1:
        return []
    ordered = [distances[place] for place in sorted(distances)]
    shifts = [number.bits[load] for load in ordered]
    upwards = [8 * byte for byte in range(count)]
    return ordered if shifts in (upwards, upwards[::-1]) and _are_together(loads) else []


def _are_together(loads: Sequence[ocl.LoadOp]) -> bool:
    """Whether nothing between the loads writes to memory, or waits for others."""
    left = {*loads}
    op: Operation | None = _first(loads)
    while op is not None and left:
        left.discard(op)
        is_read = isinstance(op, ocl.LoadOp | ocl.VLoadOp)
        if not is_read and (op.regions or not is_side_effect_free(op)):
            return False
        op = op.next_op
    return not left


def _first(loads: Sequence[ocl.LoadOp]) -> ocl.LoadOp:
    first = loads[0]
    for load in loads[1:]:
        if load.is_before_in_block(first):
            first = load
    return first


def _join(number: _Number, loads: Sequence[ocl.LoadOp]) -> None:
    first, count = _first(loads), len(loads)
    build = Build(first)
    index = build.index(0) if first.index is None else first.index
    if before := loads.index(first):
        index = build.sub(index, build.constant(before, index.type))
    start = build.emit(ocl.OffsetOp(first.pointer, index))
    bytes = VectorType(i8, [count])
    row = build.emit(ocl.VLoadOp(start, build.index(0), bytes))
    if number.bits[loads[0]] != 0:
        order = DenseArrayBase.from_list(i64, [*range(count)][::-1])
        row = build.emit(vector.ShuffleOp(row, row, order, result_type=bytes))
    result = build.emit(ocl.BitcastOp(row, IntegerType(8 * count)))
    if result.type != number.value.type:
        result = build.cast(arith.ExtUIOp, result, number.value.type)
    last, *others = number.ops
    Rewriter.replace_op(last, [], [result])
    for op in others:
        Rewriter.erase_op(op)


def _collects_bytes(loop: scf.ForOp) -> bool:
    """Whether a loop shifts what it has by a byte, and adds one that it reads, or adds to what it
    has a byte that it shifts, a few times."""
    count = trip_count(loop)
    if count not in COUNTS or len(loop.results) != 1 or constant_value(loop.lb) is None:
        return False
    if constant_value(loop.step) is None or any(op.regions for op in loop.body.block.ops):
        return False
    (yielded,) = terminator(loop.body.block).operands
    if not isinstance(yielded.owner, _SUMS):
        return False
    carried = loop.body.block.args[1]
    sides = (yielded.owner.lhs, yielded.owner.rhs)
    for shifted in (side.owner for side in sides):
        if not isinstance(shifted, arith.ShLIOp):
            continue
        if constant_value(shifted.rhs) == 8:
            return shifted.lhs is carried
        if carried in sides and isinstance(shifted.lhs.owner, arith.ExtUIOp):
            return shifted.lhs.owner.input.type == i8
    return False


def _unroll(loop: scf.ForOp) -> None:
    start, step, count = constant_value(loop.lb), constant_value(loop.step), trip_count(loop)
    assert start is not None and step is not None and count is not None
    block, before, after = loop.parent, loop.prev_op, loop.next_op
    assert block is not None
    unroll(loop, range(start, start + count * step, step))
    # By how much each byte is shifted.
    fold_known(operations_between(block, before, after))
