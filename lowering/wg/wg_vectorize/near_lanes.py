"""`p[(x * w) >> 5]`, `p[(int)(x * scale)]`: neighbours read elements that are near each other."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import BlockArgument, SSAValue

from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES


def window(size: int) -> int:
    """The bytes from which instructions of AVX-512 give each lane an element of `size` bytes: for
    words two registers do as well as one."""
    return 2 * REGISTER_BYTES if size >= 4 else REGISTER_BYTES


SCALE = 2.0
"""The most that an unknown number probably scales coordinates by, or that is left of it after a
shift or division."""

SIZES = (1, 2, 4, 8)
"""Of elements in bytes: one instruction moves as large ones."""

_DEPTH = 24
"""The operations before an index that are looked at."""


def is_near(op: ocl.LoadOp, lanes: int, lane_stride: Callable[[SSAValue], Stride | None]) -> bool:
    """Whether lanes probably read elements within a register's width, or two, by how their index
    is computed; a small vector, such as a pixel, is one element. `lane_stride` gives the steps of
    values from lane to lane that are known.

    A guess: the program tests it.
    """
    type, pointer = op.result.type, op.pointer
    if op.volatile is not None or not isinstance(element_of(type), IntegerType | AnyFloat):
        return False
    size = stride_of(type)
    if count_of(type) > 1 and size < LEAST_GATHERED:
        # It may lie in two of the words that are gathered in its place.
        return False
    indices = [] if op.index is None else [op.index]
    while isinstance(pointer.owner, ocl.OffsetOp):
        indices.append(pointer.owner.index)
        pointer = pointer.owner.pointer
    if size not in SIZES or lanes * size > REGISTER_BYTES or not _is_buffer(pointer):
        return False
    if all(isinstance(lane_stride(index), int) for index in indices):
        return False
    steps = _Steps(lane_stride)
    step: float | None = 0.0
    for index in indices:
        step = _sum(step, steps.of(index, _DEPTH))
    return step is not None and (lanes - 1) * step < window(size) / size


def _is_buffer(pointer: SSAValue) -> bool:
    """Whether a pointer is an argument of the kernel: of an array in the program LLVM knows the
    size, and takes what reads more not to read from it."""
    return isinstance(pointer, BlockArgument) and isinstance(pointer.owner.parent_op(), wg.FuncOp)


class _Steps:
    """About how much values grow from lane to lane, up or down: `inf` for a known number times an
    unknown one; None if data decide."""

    def __init__(self, stride_of: Callable[[SSAValue], Stride | None]):
        self._stride_of = stride_of
        self._found: dict[SSAValue, float | None] = {}

    def of(self, value: SSAValue, depth: int) -> float | None:
        known = self._stride_of(value)
        if isinstance(known, int):
            return abs(known)
        if depth == 0:
            return None
        if value not in self._found:
            self._found[value] = self._of_new(value, depth - 1)
        return self._found[value]

    def _is_uniform(self, value: SSAValue) -> bool:
        return self._stride_of(value) == 0

    def _of_new(self, value: SSAValue, depth: int) -> float | None:
        def step(operand: SSAValue) -> float | None:
            return self.of(operand, depth)

        def product(x: SSAValue, y: SSAValue, unknown: float) -> float | None:
            if self._is_uniform(x):
                x, y = y, x
            each, times = step(x), constant_value(y)
            if each is None or not self._is_uniform(y):
                return None
            return each * (unknown if times is None else abs(times))

        if isinstance(value, BlockArgument):
            loop = value.owner.parent_op()
            if isinstance(loop, scf.ForOp) and value.index > 0:
                return self._of_carried(loop, value, depth)
            return None
        op = value.owner
        match op:
            case arith.AddiOp() | arith.SubiOp() | arith.AddfOp() | arith.SubfOp():
                return _sum(step(op.lhs), step(op.rhs))
            case math.FmaOp():
                return _sum(product(op.a, op.b, SCALE), step(op.c))
            case arith.MulfOp():
                return product(op.lhs, op.rhs, SCALE)
            case arith.MuliOp():
                return product(op.lhs, op.rhs, inf)
            case arith.DivfOp():
                return _quotient(step(op.lhs), None) if self._is_uniform(op.rhs) else None
            case arith.DivSIOp() | arith.DivUIOp():
                return (
                    _quotient(step(op.lhs), constant_value(op.rhs))
                    if self._is_uniform(op.rhs)
                    else None
                )
            case arith.ShRSIOp() | arith.ShRUIOp():
                bits = constant_value(op.rhs)
                if not self._is_uniform(op.rhs):
                    return None
                return _quotient(step(op.lhs), None if bits is None else 2**bits)
            case (
                arith.MaxSIOp()
                | arith.MinSIOp()
                | arith.MaxUIOp()
                | arith.MinUIOp()
                | arith.MaximumfOp()
                | arith.MinimumfOp()
                | arith.MaxnumfOp()
                | arith.MinnumfOp()
            ):
                return _larger(step(op.lhs), step(op.rhs))
            case arith.SelectOp():
                return _larger(step(op.lhs), step(op.rhs))
            case (
                arith.IndexCastOp()
                | arith.ExtSIOp()
                | arith.ExtUIOp()
                | arith.TruncIOp()
                | arith.SIToFPOp()
                | arith.UIToFPOp()
                | arith.FPToSIOp()
                | arith.FPToUIOp()
                | arith.ExtFOp()
                | arith.TruncFOp()
                | math.FloorOp()
                | math.CeilOp()
                | math.RoundEvenOp()
                | math.TruncOp()
            ):
                return step(op.operands[0])
            case _:
                return None

    def _of_carried(self, loop: scf.ForOp, value: BlockArgument, depth: int) -> float | None:
        """What a loop carries grows as before it, if one iteration makes it grow no faster."""
        first = self.of(loop.iter_args[value.index - 1], depth)
        self._found[value] = first
        end = loop.body.block.last_op
        assert isinstance(end, scf.YieldOp)
        after = self.of(end.operands[value.index - 1], depth)
        if first is not None and after is not None and after <= first:
            return first
        self._found.clear()
        return None


def _sum(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x + y


def _larger(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else max(x, y)


def _quotient(dividend: float | None, divisor: float | None) -> float | None:
    """What an unknown number has multiplied before is about as large as what divides it here."""
    if dividend is None:
        return None
    if dividend == inf:
        return SCALE
    return dividend / max(1, abs(divisor)) if divisor is not None else dividend
